// What a call reads and makes, counted for the policy.
#include <algorithm>
#include <optional>

#include "cuda/runtime/device.h"
#include "src/capi/gate.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_trace.h"
#include "src/jit/jit.h"
#include "src/selector/habits.h"
#include "src/selector/laps.h"
#include "src/support/settings.h"
#include "src/support/trace.h"

namespace cugrb::capi::offload {

Inputs::Inputs(const char* operation) { work_.operation = operation; }

bool Inputs::knows(const void* handle) const {
  for (const GrB_Vector known : vectors_) {
    if (known == handle) return true;
  }
  for (const GrB_Matrix known : matrices_) {
    if (known == handle) return true;
  }
  return false;
}

void Inputs::take_place(const VectorOperand& vector, uint64_t bytes, uint64_t bytes_on_cpu) {
  work_.vector_length = std::max(work_.vector_length, vector.size);
  work_.vector_bytes += bytes;
  work_.vector_bytes_on_cpu += bytes_on_cpu;
}

namespace {

/// With all of its positions it does not fit the device: there, and in SuiteSparse, it is a list or iso.
bool is_too_long(const VectorOperand& vector) {
  return vector.size > runtime::device().properties().memory_bytes / vector.type.size;
}

/// What a call goes through: all positions, as if the vector were full, but of one that is iso, or a list for
/// its length, what it holds.
uint64_t visited_bytes(const VectorOperand& vector, bool iso) {
  if (iso || is_too_long(vector)) return mirror::held_bytes(vector.handle);
  return vector.size * vector.type.size;
}

/// The entries, where nothing need be waited for to know them.
std::optional<uint64_t> known_entries(const VectorOperand& vector) {
  if (!mirror::knows_nvals(vector.handle)) return std::nullopt;
  return entries_of(vector);
}
std::optional<uint64_t> known_entries(const MatrixOperand& matrix) { return entries_of(matrix); }

/// What SuiteSparse goes through: the entries, where they are known and few.
uint64_t visited_on_cpu(const VectorOperand& vector, uint64_t visited) {
  const std::optional<uint64_t> entries = known_entries(vector);
  if (!entries) return visited;
  const double listed = double(*entries) * double(sizeof(GrB_Index) + vector.type.size);
  return listed < double(visited) ? uint64_t(listed) : visited;
}

/// A full vector with one value for all, of which some positions are to have others: SuiteSparse writes all
/// values first. Where the values that come happen to be the same one, it does not.
bool gets_other_values(const VectorOperand& output) {
  return mirror::is_iso(output.handle) && mirror::state(output.handle) != mirror::State::device &&
         output.size > 1 && known_entries(output) == output.size;
}

bool has_all_entries(const MatrixOperand& matrix, uint64_t entries) {
  return matrix.columns > 0 && entries % matrix.columns == 0 && entries / matrix.columns == matrix.rows;
}

uint64_t bitmap_bytes(const MatrixOperand& matrix, bool iso) {
  const double bytes = double(matrix.rows) * double(matrix.columns) * double(iso ? 1 : matrix.type.size + 1);
  return uint64_t(std::min(bytes, 1e18));
}

/// Of a matrix that SuiteSparse holds with all positions: it is a list yet, here or on the device.
bool is_list_yet(const MatrixOperand& matrix, uint64_t entries) {
  if (mirror::bitmap_waits(matrix.handle)) return true;
  return mirror::state(matrix.handle) == mirror::State::device && !has_all_entries(matrix, entries);
}

}  // namespace

bool is_held_by_places(const MatrixOperand& matrix) {
  return mirror::dense_on_host(matrix.handle) || has_all_entries(matrix, entries_of(matrix));
}

/// Whether SuiteSparse holds all of its positions, or will.
bool Inputs::take_place(const MatrixOperand& matrix, bool iso) {
  const bool dense = mirror::dense_on_host(matrix.handle);
  if (dense) work_.dense_bytes += bitmap_bytes(matrix, iso);
  return dense;
}

/// Of iso operands the result is iso, too. Where the output's values live on the device, a call on the CPU
/// would bring them down first: it is taken for the work that it may be.
uint64_t Inputs::result_bytes_of(const VectorOperand& output) const {
  if (is_too_long(output)) return 0;  // its entries are those of the inputs
  const bool values_come_down =
      mirror::state(output.handle) == mirror::State::device && !mirror::is_iso(output.handle);
  if (all_iso_ && !values_come_down) return output.type.size;
  return output.size * output.type.size;
}

namespace {

std::string shape_text(const MatrixOperand& matrix) {
  return std::to_string(matrix.rows) + "x" + std::to_string(matrix.columns);
}

/// As a CSR with 32-bit columns.
uint64_t bytes_of_entries(uint64_t entries, const Type& type) {
  return entries * (sizeof(uint32_t) + type.size);
}

struct Products {
  double count;
  const char* basis;
};

/// How many entries of a factor are looked at. What 65,536 products take the CPU is ten times a look at 1024.
uint64_t worth_looking_at(double products_by_mean) { return products_by_mean < (1 << 16) ? 64 : 1024; }

/// Each entry of A meets a row of B. Where the device has counted those rows and found them alike, it has the
/// mean length, but for the few entries with which a search begins. Else a sample of entries tells which rows
/// they are, if SuiteSparse has both factors. If it lacks one they are rows that an entry of B leads to: a
/// search's entries of A are reached so, and meet long rows more often than short ones. The pattern is taken
/// to be symmetric then.
Products products_of(const MatrixOperand& a, const MatrixOperand& b, bool a_transposed, bool b_transposed) {
  constexpr double few = 64, alike = 1.5;  // a sample would come as near
  const double inner = static_cast<double>(std::max<uint64_t>(b.rows, 1));
  const auto entries = static_cast<double>(entries_of(a)), others = static_cast<double>(entries_of(b));
  const Products by_mean = {entries * others / inner, "by mean lengths"};
  const double led_to = entries * mirror::row_length_of_entry(b.handle, b_transposed);
  if (entries > few && led_to > 0 && led_to <= alike * by_mean.count) return by_mean;
  const bool a_by_column = mirror::held_by_column(a.handle) != a_transposed;
  const bool b_by_column = mirror::held_by_column(b.handle) != b_transposed;
  const bool by_itself = a.handle == b.handle && a.rows == a.columns;
  if (a_by_column == b_by_column || by_itself) {
    const uint64_t looks = worth_looking_at(by_mean.count);
    const auto met = a_by_column ? mirror::length_named(b.handle, a.handle, looks)
                                 : mirror::length_named(a.handle, b.handle, looks);
    if (met) return {(a_by_column ? others : entries) * *met, "by sampled lengths"};
  }
  const double all = static_cast<double>(a.rows) * others;  // each row of A meets an entry of B once at most
  if (entries <= 1) return by_mean;                         // no edge has led to it
  return led_to > by_mean.count ? Products{std::min(all, led_to), "by counted lengths"} : by_mean;
}

}  // namespace

void Inputs::multiplies(const MatrixOperand& a, const MatrixOperand& b, bool a_transposed,
                        bool b_transposed) {
  constexpr double most = 1e18;
  const auto [products, basis] = products_of(a, b, a_transposed, b_transposed);
  basis_ = basis;
  work_.products = static_cast<uint64_t>(std::min(products, most));
  work_.few_rows = a.rows <= selector::small_work().few_rows;
  const double positions = static_cast<double>(a.rows) * static_cast<double>(b.columns);
  result_bytes_ = bytes_of_entries(static_cast<uint64_t>(std::min({products, positions, most})), a.type);
  factor_bytes_ = bytes_of_entries(entries_of(b), b.type);
  work_.vector_length = std::max(work_.vector_length, b.columns);
  if (trace::enabled()) shapes_ = shape_text(a) + " by " + shape_text(b);
}

void Inputs::pairs_all(const MatrixOperand& a, const MatrixOperand& b) {
  const double pairs = static_cast<double>(entries_of(a)) * static_cast<double>(entries_of(b));
  work_.entries += static_cast<uint64_t>(std::min(pairs, 1e17));
  if (trace::enabled()) shapes_ = shape_text(a) + " by " + shape_text(b);
}

void Inputs::add(const VectorOperand& vector) {
  const bool iso = mirror::is_iso(vector.handle);
  all_iso_ = all_iso_ && iso;
  const uint64_t visited = visited_bytes(vector, iso), visited_there = visited_on_cpu(vector, visited);
  take_place(vector, visited, visited_there);
  if (knows(vector.handle)) return;
  if (mirror::bitmap_waits(vector.handle)) work_.new_bytes_on_cpu += vector.size * (vector.type.size + 1);
  add_handle(vector.handle);
  const auto bytes = static_cast<double>(mirror::upload_bytes(vector.handle));
  work_.upload_bytes += static_cast<uint64_t>(bytes / mirror::expected_uses(vector.handle));
  if (mirror::state(vector.handle) == mirror::State::device) work_.device_resident_bytes += visited_there;
}

void Inputs::add(const MatrixOperand& matrix) {
  const bool iso = mirror::is_iso(matrix.handle);
  const uint64_t entries = entries_of(matrix);
  const bool one_value_everywhere = iso && has_all_entries(matrix, entries);
  all_iso_ = all_iso_ && one_value_everywhere;
  const bool dense = !one_value_everywhere && take_place(matrix, iso);
  if (knows(matrix.handle)) return;
  add_handle(matrix.handle);
  if (dense && is_list_yet(matrix, entries)) work_.new_bytes_on_cpu += bitmap_bytes(matrix, iso);
  if (trace::enabled() && shapes_.empty()) shapes_ = shape_text(matrix);
  work_.entries += entries;
  if (one_value_everywhere) iso_positions_ += entries;
  const double uses = mirror::expected_uses(matrix.handle);
  const uint64_t bytes = mirror::upload_bytes(matrix.handle);
  if (bytes > 0) {
    // The least used of those that must go up decides: no upload is taken for cheaper than it is.
    work_.matrix_uses = work_.matrix_upload_bytes == 0 ? uses : std::min(work_.matrix_uses, uses);
    work_.matrix_upload_bytes += bytes;
  }
  matrix_bytes_ += bytes > 0 ? bytes : entries * sizeof(uint32_t);  // resident: no more is sure (iso)
  if (mirror::state(matrix.handle) == mirror::State::device) {
    work_.device_resident_bytes += entries * (matrix.type.size + sizeof(GrB_Index));
  }
}

/// A vector that only the device has is not asked: the CPU would wait for it.
void Inputs::pulls(uint64_t rows, double allowed_share, const VectorOperand& vector, bool first_suffices) {
  double looked_at = allowed_share * double(work_.entries);
  if (first_suffices && mirror::state(vector.handle) != mirror::State::device) {
    const double held = double(std::max<uint64_t>(entries_of(vector), 1));
    looked_at = std::min(looked_at, allowed_share * double(rows) * double(vector.size) / held);
  }
  if (looked_at < double(work_.entries)) entries_suffice(looked_at);
}

void Inputs::entries_suffice(double entries) {
  work_.entries_on_cpu = work_.entries_on_gpu = static_cast<uint64_t>(std::clamp(entries, 1.0, 1e18));
}

/// Measured on one core, FP64: 0.3 to 0.5 ns an entry, where a product takes 0.6 to 1.1.
void Inputs::entries_in_order() { work_.entries_on_cpu = std::max<uint64_t>(work_.entries / 2, 1); }

namespace {

/// How many entries the rows have that the vector's entries name.
double entries_of_rows(const MatrixOperand& matrix, const VectorOperand& vector, uint64_t entries,
                       double mean) {
  constexpr uint64_t few = 64;
  if (entries <= few) {
    if (const auto met = mirror::entries_met(matrix.handle, vector.handle)) return double(*met);
  }
  if (entries <= 1) return double(entries) * mean;
  const bool by_column = mirror::held_by_column(matrix.handle);
  return double(entries) * std::max(mean, mirror::row_length_of_entry(matrix.handle, by_column));
}

}  // namespace

void Inputs::pushes(const MatrixOperand& matrix, const VectorOperand& vector) {
  const std::optional<uint64_t> entries = known_entries(vector);
  if (!entries) return;
  const double mean = double(work_.entries) / double(std::max<uint64_t>(vector.size, 1));
  pushed_ = std::min(entries_of_rows(matrix, vector, *entries, mean), double(work_.entries));
  entries_suffice(*pushed_);
}

void Inputs::meets_rows_of(const MatrixOperand& a) {
  pushed_ = double(entries_of(a)) + double(work_.products);
  work_.entries_on_cpu = uint64_t(std::clamp(*pushed_, 1.0, 1e18));
}

template <class Operand>
void Inputs::writes_entries_of(const Operand& object) {
  const std::optional<uint64_t> entries = known_entries(object);
  if (entries) written_ = std::min(*entries, written_.value_or(*entries));
}
template void Inputs::writes_entries_of(const VectorOperand& object);
template void Inputs::writes_entries_of(const MatrixOperand& object);

template <class Operand>
void Inputs::add_entries(const Operand& object) {
  if (!mirror::is_iso(object.handle)) return add(object);
  if (mirror::state(object.handle) != mirror::State::device) {
    work_.upload_bytes += object.type.size;
  } else if constexpr (std::is_same_v<Operand, VectorOperand>) {
    work_.device_resident_bytes +=
        mirror::held_bytes(object.handle);  // SuiteSparse has it whole, or not at all
  } else {
    work_.device_resident_bytes += entries_of(object) * sizeof(GrB_Index);
  }
  add_handle(object.handle);
}
template void Inputs::add_entries(const VectorOperand& object);
template void Inputs::add_entries(const MatrixOperand& object);

template <class Operand>
void Inputs::add_output(const Operand& output, bool keep) {
  const uint64_t inputs_on_cpu = work_.vector_bytes_on_cpu;
  if (keep) add(output);
  if constexpr (std::is_same_v<Operand, VectorOperand>) {
    work_.result_bytes = result_bytes_of(output);
    if (keep && gets_other_values(output)) work_.new_bytes_on_cpu += output.size * output.type.size;
    if (!keep) take_place(output, work_.result_bytes, work_.result_bytes);
    // It is written in place: no more of it than what is written is gone through.
    output_bytes_ = work_.vector_bytes_on_cpu - inputs_on_cpu;
    work_.vector_bytes_on_cpu = inputs_on_cpu;
  } else {
    work_.makes_matrix = true;
    if (!keep) take_place(output, /*iso=*/false);
  }
  if (!keep) add_handle(output.handle);
}

void Inputs::add(const operations::Indices& indices) {
  if (indices.all) return;
  all_iso_ = false;
  work_.listed += indices.count;
  if (!indices.is_range()) work_.upload_bytes += indices.count * sizeof(uint64_t);
}

void Inputs::add_tuples(uint64_t count, uint64_t tuple_bytes) {
  all_iso_ = false;
  work_.entries += count;
  work_.listed += count;  // sorted, one by one
  work_.upload_bytes += count * tuple_bytes;
  if (trace::enabled()) shapes_ = std::to_string(count) + " tuples";
}

bool Inputs::exceed_device() const { return matrix_bytes_ > runtime::device().memory().total_bytes; }

/// Every matrix once, the result, and a product's second factor once more for each further slice of the
/// result: a slice takes a quarter of the memory, with what is merged three times its entries (mxm_plan.h).
uint64_t Inputs::streamed_bytes() const {
  if (!exceed_device()) return 0;
  const double memory = static_cast<double>(std::max<size_t>(runtime::device().memory().total_bytes, 1));
  const double slices = std::max(1.0, static_cast<double>(result_bytes_) * 3 / (memory / 4));
  const double again = (slices - 1) * static_cast<double>(factor_bytes_);
  return matrix_bytes_ + result_bytes_ + static_cast<uint64_t>(std::min(again, 1e18));
}

std::string Inputs::sizes() const {
  std::string text = vectors_.empty() ? shapes_ : std::to_string(work_.vector_length);
  return matrices_.empty() ? text : text + ", " + std::to_string(work_.entries) + " entries";
}

std::string Inputs::basis() const {
  return work_.products == 0 ? "" : "about " + std::to_string(work_.products) + " products (" + basis_ + ")";
}

/// Where few positions are written, or few entries read, SuiteSparse goes through no more.
void Inputs::bound_work_on_cpu() {
  constexpr double bytes_a_position = 16;
  double positions = 1e18;
  if (written_) positions = double(*written_);
  if (pushed_) positions = std::min(positions, *pushed_);
  const double bytes = bytes_a_position * positions;
  work_.vector_bytes_on_cpu += uint64_t(std::min(bytes, double(output_bytes_)));
  if (written_) {
    const double visited =
        double(std::max<size_t>(vectors_.size(), 1)) * bytes_a_position * double(*written_);
    work_.vector_bytes_on_cpu = uint64_t(std::min(visited, double(work_.vector_bytes_on_cpu)));
  }
  if (!work_.makes_matrix) return;
  work_.dense_bytes = uint64_t(std::min(bytes, double(work_.dense_bytes)));
  if (written_ && work_.products == 0) work_.entries_on_cpu = uint64_t(std::clamp(2 * positions, 1.0, 1e18));
}

namespace {

/// Requests for kernels that were not at hand: compiled, or loaded from a cache or a pack.
uint64_t kernels_loaded() {
  const jit::Statistics requests = jit::statistics();
  return requests.requests - requests.memory_hits;
}

/// The CPU has the call where it has the lap, unless that takes too long.
void stay_in_trial(selector::Placement& placement) {
  selector::Laps& laps = selector::Laps::current();
  if (laps.is_too_long(std::min(placement.host_seconds, placement.corrected_host_seconds))) return;
  placement.processor = selector::Processor::cpu;
  placement.reason = laps.loop()->reason();
}

}  // namespace

bool Inputs::placed(bool waits) {
  work_.waits = waits || is_counted_next_;
  if (all_iso_) work_.entries -= iso_positions_;  // one value of each decides; SuiteSparse has no more
  if (!matrices_.empty()) work_.streamed_bytes = streamed_bytes();
  if (work_.makes_matrix) work_.result_bytes = std::max(result_bytes_, 12 * work_.entries);
  bound_work_on_cpu();
  selector::Placement placement = selector::place(work_, selector::Sequence::current());
  if (selector::Laps::foresees()) stay_in_trial(placement);
  if (trace::enabled()) note_placement(placement, sizes(), basis());
  if (decides_by_time()) {
    selector::HostCall::expect(placement.kind, placement.host_seconds + placement.form_seconds);
    placement_ = placement;
    since_placed_ = {};
    loaded_before_ = kernels_loaded();
    selector::Habits::current().decided(placement.processor == selector::Processor::cpu &&
                                        placement.cpu_seconds < selector::short_call_seconds);
  }
  jit::be_patient(placement.cpu_seconds - placement.gpu_seconds);
  return placement.processor == selector::Processor::gpu;
}

void Inputs::ran() {
  if (decides_by_time()) {
    const bool had_kernels = kernels_loaded() == loaded_before_;
    selector::ran_on_device(placement_.kind, placement_.device_call_seconds,
                            since_placed_.seconds() - placement_.transfer_seconds,
                            had_kernels && work_.matrix_upload_bytes == 0);
    if (settings().loops != LoopPolicy::never && !settings().deterministic) {
      selector::Laps& laps = selector::Laps::current();
      laps.ran_on_device(std::min(placement_.host_seconds, placement_.corrected_host_seconds));
      if (!had_kernels) laps.asked_for_missing_kernel();
    }
  }
}

bool Inputs::to_host() const {
  for (const GrB_Vector vector : vectors_) {
    if (mirror::to_host(vector) != GrB_SUCCESS) return false;
  }
  for (const GrB_Matrix matrix : matrices_) {
    if (mirror::to_host(matrix) != GrB_SUCCESS) return false;
  }
  return true;
}

template void Inputs::add_output(const VectorOperand& output, bool keep);
template void Inputs::add_output(const MatrixOperand& output, bool keep);

}  // namespace cugrb::capi::offload
