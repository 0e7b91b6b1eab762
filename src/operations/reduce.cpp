// Reduction to a scalar (GraphBLAS C API 2.0, section 4.3.10).
#include <algorithm>
#include <vector>

#include "cuda/views/reduce.h"
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

struct Shape {
  const char* kernel;
  uint64_t blocks;
  unsigned threads;
};
Shape in_blocks(uint64_t blocks) { return {"reduce_vector", blocks, ReduceShape::threads}; }

void launch(const Shape& shape, const Monoid& monoid, const std::string& input, const Type& input_type,
            const VectorView& view, uint64_t count, const Partials& out) {
  ReduceArguments arguments;
  arguments.input = view;
  arguments.count = count;
  arguments.values = out.memory.data();
  arguments.has = out.flags();
  const std::string name = template_id(shape.kernel, {monoid.source, input});
  formats::launch_kernel({"reduce.h", name, catalogue::type_preamble(input_type) + monoid.preamble},
                         {shape.blocks, shape.threads}, arguments);
}

std::optional<Value> no_entries(const Monoid& monoid) {
  if (!monoid.identity) return std::nullopt;
  return monoid.identity;
}

}  // namespace

namespace {

void reduce_entries(const Monoid& monoid, const DeviceVector& u, uint64_t count, const Partials& result) {
  // A sparse vector's values lie one behind the other: its entries are a full vector.
  const bool by_entry = u.form != Form::bitmap;
  const std::string input = template_id(by_entry ? "vector_full" : "vector_bitmap", {u.type.name, "false"});
  if (monoid.is_any && by_entry) count = 1;
  const uint64_t share = ReduceShape::threads * ReduceShape::items_per_thread;
  const uint64_t blocks = std::min(ReduceShape::most_blocks, (count + share - 1) / share);
  if (blocks == 1) return launch(in_blocks(1), monoid, input, u.type, u.view(), count, result);
  const Partials partials(blocks, monoid.type().size);
  launch(in_blocks(blocks), monoid, input, u.type, u.view(), count, partials);
  VectorView view;
  view.values = partials.memory.data();
  view.present = partials.flags();
  launch(in_blocks(1), monoid, template_id("vector_bitmap", {monoid.type().name, "false"}), monoid.type(),
         view, blocks, result);
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
    VectorView view;
    view.values = u.values.data();
    launch({"reduce_iso", 1, 1}, monoid, one_value, u.type, view, monoid.is_any ? 1 : count, result);
  } else {
    reduce_entries(monoid, u, count, result);
  }
  const std::vector<char> host = result.memory.to_host<char>(result.flags_at + 1);
  if (host[result.flags_at] == 0) return no_entries(monoid);
  return Value{monoid.type(), std::string(host.data(), bytes)};
}

}  // namespace cugrb::operations
