// Reduction to a scalar (GraphBLAS C API 2.0, section 4.3.10).
#include <algorithm>
#include <vector>

#include "cuda/views/reduce.h"
#include "src/jit/jit.h"
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

void launch(const Monoid& monoid, const std::string& input, const Type& input_type, const VectorView& view,
            uint64_t count, const Partials& out, uint64_t blocks) {
  ReduceArguments arguments;
  arguments.input = view;
  arguments.count = count;
  arguments.values = out.memory.data();
  arguments.has = out.flags();
  const std::string name = template_id("reduce_vector", {monoid.source, input});
  const runtime::Kernel& kernel =
      jit::kernel({"reduce.h", name, catalogue::type_preamble(input_type) + monoid.preamble});
  runtime::LaunchShape shape;
  shape.threads = ReduceShape::threads;
  shape.blocks = blocks;
  runtime::launch(runtime::device(), kernel, shape, arguments);
}

std::optional<Value> no_entries(const Monoid& monoid) {
  if (!monoid.identity) return std::nullopt;
  return monoid.identity;
}

}  // namespace

std::optional<Value> reduce(const Monoid& monoid, const DeviceVector& u) {
  if (u.nvals_known() && u.nvals() == 0) return no_entries(monoid);
  // A sparse vector's values lie one behind the other: its entries are a full vector.
  const bool by_entry = u.form != Form::bitmap;
  const std::string input =
      template_id(by_entry ? "vector_full" : "vector_bitmap", {u.type.name, text_of(u.iso)});
  uint64_t count = u.form == Form::sparse ? u.nvals() : u.length;
  if (count == 0) return no_entries(monoid);
  if (monoid.is_any && by_entry) count = 1;

  const uint64_t share = ReduceShape::threads * ReduceShape::items_per_thread;
  const uint64_t blocks = std::min(ReduceShape::most_blocks, (count + share - 1) / share);
  const size_t bytes = monoid.type().size;
  const Partials result(1, bytes);
  if (blocks == 1) {
    launch(monoid, input, u.type, u.view(), count, result, 1);
  } else {
    const Partials partials(blocks, bytes);
    launch(monoid, input, u.type, u.view(), count, partials, blocks);
    VectorView view;
    view.values = partials.memory.data();
    view.present = partials.flags();
    launch(monoid, template_id("vector_bitmap", {monoid.type().name, "false"}), monoid.type(), view, blocks,
           result, 1);
  }
  const std::vector<char> host = result.memory.to_host<char>(result.flags_at + 1);
  if (host[result.flags_at] == 0) return no_entries(monoid);
  return Value{monoid.type(), std::string(host.data(), bytes)};
}

}  // namespace cugrb::operations
