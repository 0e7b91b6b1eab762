// Reduction to a scalar (GraphBLAS C API 2.0, section 4.3.10).
#include <vector>

#include "cuda/views/reduce.h"
#include "src/formats/joined.h"
#include "src/formats/launch.h"
#include "src/operations/expression.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using runtime::Buffer;

namespace {

/// Space for `count` values and their flags behind them; small enough to be read in one piece when count
/// is 1.
struct Partials {
  Buffer memory;
  size_t flags_at = 0;
  Partials(uint64_t count, size_t value_bytes) : flags_at((count * value_bytes + 15) / 16 * 16) {
    memory = Buffer(flags_at + count);
  }
  uint8_t* flags() const { return memory.as<uint8_t>() + flags_at; }
};

void launch(const char* kernel, uint64_t blocks, unsigned threads, const Monoid& monoid,
            const std::string& input, const Type& input_type, const ReduceArguments& arguments) {
  const std::string name = template_id(kernel, {monoid.source, input});
  formats::launch_kernel({"reduce.h", name, catalogue::type_preamble(input_type) + monoid.preamble},
                         {blocks, threads}, arguments);
}

std::optional<Value> no_entries(const Monoid& monoid) {
  if (!monoid.identity) return std::nullopt;
  return monoid.identity;
}

}  // namespace

namespace {

/// Where it is what calls have just written, one launch does their work and this.
bool reduce_what_waits(const Monoid& monoid, const DeviceVector& u, const std::string& input,
                       const ReduceArguments& arguments) {
  if (!catalogue::type_preamble(u.type).empty() || !monoid.preamble.empty()) return false;
  formats::Last last;
  last.places.count = arguments.count;
  if (u.form == Form::sparse) {
    last.places.list = u.indices.data();
    last.places.index = formats::index_type(formats::index_width(u.length));
  }
  last.text = template_id("reduce_last", {monoid.source, input});
  last.what = "reduce " + monoid.name;
  last.arguments = arguments;
  return formats::launch_with(last);
}

void reduce_entries(const Monoid& monoid, const DeviceVector& u, uint64_t count, const Partials& result) {
  // A sparse vector's values lie one behind the other: its entries are a full vector.
  const bool by_entry = u.form != Form::bitmap;
  const std::string input = template_id(by_entry ? "vector_full" : "vector_bitmap", {u.type.name, "false"});
  if (monoid.is_any && by_entry) count = 1;
  const uint64_t blocks = ReduceShape::blocks(count);
  const Partials partials(blocks == 1 ? 0 : blocks, monoid.type().size);
  ReduceArguments arguments;
  arguments.input = u.view();
  arguments.count = count;
  arguments.values = (blocks == 1 ? result : partials).memory.data();
  arguments.has = (blocks == 1 ? result : partials).flags();
  if (blocks > 1) {
    arguments.result = result.memory.data();
    arguments.result_has = result.flags();
    arguments.blocks_done = formats::blocks_done();
  }
  if (reduce_what_waits(monoid, u, input, arguments)) return;
  launch("reduce_vector", blocks, ReduceShape::threads, monoid, input, u.type, arguments);
}

}  // namespace

std::optional<Value> reduce(const Monoid& monoid, const DeviceVector& u) {
  if (u.known_empty()) return no_entries(monoid);
  const uint64_t count = u.iso || u.form == Form::sparse ? u.nvals() : u.length;
  if (count == 0) return no_entries(monoid);
  const size_t bytes = monoid.type().size;
  const Partials result(1, bytes);
  if (u.iso) {
    const std::string one_value = template_id("vector_full", {u.type.name, "true"});
    ReduceArguments arguments;
    arguments.input.values = u.values.data();
    arguments.count = monoid.is_any ? 1 : count;
    arguments.values = result.memory.data();
    arguments.has = result.flags();
    launch("reduce_iso", 1, 1, monoid, one_value, u.type, arguments);
  } else {
    reduce_entries(monoid, u, count, result);
  }
  const std::vector<char> host = result.memory.to_host<char>(result.flags_at + 1);
  if (host[result.flags_at] == 0) return no_entries(monoid);
  return Value{monoid.type(), std::string(host.data(), bytes)};
}

}  // namespace cugrb::operations
