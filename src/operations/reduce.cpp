// Reduction to a scalar (GraphBLAS C API 2.0, section 4.3.10).
#include <vector>

#include "cuda/views/reduce.h"
#include "src/formats/joined.h"
#include "src/formats/launch.h"
#include "src/formats/matrix_in_parts.h"
#include "src/formats/part_sum.h"
#include "src/formats/reduction.h"
#include "src/formats/vector_parts.h"
#include "src/operations/expression.h"
#include "src/operations/in_parts.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_operations.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

namespace {

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

/// A sparse vector's values lie one behind the other: its entries are a full vector.
bool by_entry(const DeviceVector& u) { return u.form != Form::bitmap; }

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

/// Of a vector that is not iso.
void reduce_entries(const Monoid& monoid, const DeviceVector& u, const formats::Reduction& result) {
  const std::string input =
      template_id(by_entry(u) ? "vector_full" : "vector_bitmap", {u.type.name, "false"});
  ReduceArguments arguments = result.arguments();
  arguments.input = u.view();
  if (reduce_what_waits(monoid, u, input, arguments)) return;
  launch("reduce_vector", result.blocks(), ReduceShape::threads, monoid, input, u.type, arguments);
}

void reduce_iso(const Monoid& monoid, const DeviceVector& u, uint64_t count,
                const formats::Reduction& result) {
  const std::string one_value = template_id("vector_full", {u.type.name, "true"});
  ReduceArguments arguments = result.arguments();
  arguments.input.values = u.values.data();
  arguments.count = count;
  launch("reduce_iso", 1, 1, monoid, one_value, u.type, arguments);
}

/// The sum of a vector's entries on its way; nothing where it has none.
std::optional<formats::Reduction> begin_reduce(const Monoid& monoid, const DeviceVector& u) {
  if (u.known_empty()) return std::nullopt;
  uint64_t count = u.iso || u.form == Form::sparse ? u.nvals() : u.length;
  if (count == 0) return std::nullopt;
  if (monoid.is_any && (u.iso || by_entry(u))) count = 1;
  formats::Reduction result(u.iso ? 1 : count, monoid.type().size);
  if (u.iso) {
    reduce_iso(monoid, u, count, result);
  } else {
    reduce_entries(monoid, u, result);
  }
  return result;
}

/// Waits for it. Nothing where there was no entry.
std::optional<Value> finish_reduce(const Monoid& monoid, const std::optional<formats::Reduction>& begun) {
  if (!begun) return std::nullopt;
  const std::optional<std::string> bytes = begun->value();
  if (!bytes) return std::nullopt;
  return Value{monoid.type(), *bytes};
}

using PartsOnDevices = std::vector<std::pair<runtime::Device*, DeviceVector>>;

/// All devices sum their parts at the same time.
formats::StartedSum begin_parts(const Monoid& monoid, const PartsOnDevices& parts) {
  formats::StartedSum begun{monoid, {}};
  for (const auto& [device, values] : parts) {
    const runtime::OnDevice there(*device);
    begun.of.push_back(begin_reduce(monoid, values));
  }
  return begun;
}

/// The host adds up what devices send, from the first part to the last.
std::optional<Value> finish_parts(const formats::StartedSum& begun) {
  const Monoid& monoid = begun.monoid;
  std::optional<Value> sum;
  for (const std::optional<formats::Reduction>& part : begun.of) {
    const std::optional<Value> next = finish_reduce(monoid, part);
    if (!next || (sum && monoid.is_any)) continue;
    sum = sum ? reference::apply(monoid.op, *sum, *next) : *next;
  }
  return sum;
}

PartsOnDevices on_devices(const formats::VectorParts& parts) {
  PartsOnDevices values;
  for (size_t p = 0; p < parts.of.size(); ++p) values.emplace_back(parts.split->parts[p].device, parts.of[p]);
  return values;
}

/// That which began when the vector was written, or begins here.
std::optional<Value> reduce_parts(const Monoid& monoid, const formats::VectorParts& parts) {
  parts.split->rhythm().note_sum(parts.written, monoid);
  if (parts.sum != nullptr && formats::is_same(parts.sum->monoid, monoid)) return finish_parts(*parts.sum);
  return finish_parts(begin_parts(monoid, on_devices(parts)));
}

/// The host can add up.
bool host_adds(const Monoid& monoid) { return monoid.preamble.empty() && !monoid.type().is_user(); }

}  // namespace

std::optional<Value> reduce_values(const Monoid& monoid, const formats::MatrixParts& parts) {
  if (!host_adds(monoid)) return reduce(monoid, values_of(formats::collected(parts)));
  PartsOnDevices values;
  for (size_t p = 0; p < parts.of.size(); ++p)
    values.emplace_back(parts.split->parts[p].device, values_of(parts.of[p].stored));
  const std::optional<Value> sum = finish_parts(begin_parts(monoid, values));
  return sum ? sum : no_entries(monoid);
}

void start_sum(DeviceVector& written) {
  const auto monoid = written.parts->split->rhythm().expected_sum(written.parts->written);
  if (monoid == nullptr || !host_adds(*monoid)) return;
  formats::VectorParts with_sum = *written.parts;
  with_sum.sum = std::make_shared<const formats::StartedSum>(begin_parts(*monoid, on_devices(with_sum)));
  written.parts = std::make_shared<const formats::VectorParts>(std::move(with_sum));
}

std::optional<Value> reduce(const Monoid& monoid, const DeviceVector& u) {
  if (u.parts != nullptr && !host_adds(monoid)) return reduce(monoid, formats::collected(u));
  const std::optional<Value> sum =
      u.parts != nullptr ? reduce_parts(monoid, *u.parts) : finish_reduce(monoid, begin_reduce(monoid, u));
  return sum ? sum : no_entries(monoid);
}

}  // namespace cugrb::operations
