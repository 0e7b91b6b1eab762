// Single elements of matrices whose content is on the device: changes wait on the host, reads look at them
// first.
#include "src/formats/dcsr_update.h"
#include "src/mirror/registry.h"
#include "src/support/offload_mode.h"

namespace cugrb::mirror {
namespace {

std::shared_ptr<MatrixEntry> known_matrix(GrB_Matrix matrix) {
  const auto entry = Registry::instance().find(matrix);
  if (entry == nullptr || entry->kind != Entry::Kind::matrix) return nullptr;
  return std::static_pointer_cast<MatrixEntry>(entry);
}

/// `rows`: a CSR or a dynamic CSR.
template <class Rows>
std::optional<Value> element_in(const Rows& rows, uint64_t row, uint64_t column) {
  const std::optional<uint64_t> found = formats::find_entry(rows, row, column);
  if (!found) return std::nullopt;
  std::string bytes(rows.type.size, '\0');
  const char* const values = rows.values.template as<char>();
  runtime::device().copy_to_host(bytes.data(), values + (rows.iso ? 0 : *found) * bytes.size(), bytes.size());
  return Value{rows.type, bytes};
}

std::optional<Value> stored_element(formats::DeviceMatrix& matrix, uint64_t row, uint64_t column) {
  matrix.collect();
  if (matrix.by_column) std::swap(row, column);
  return matrix.fragments != nullptr ? element_in(*matrix.fragments, row, column)
                                     : element_in(matrix.stored, row, column);
}

bool used_on_host(const Entry& entry) { return entry.hysteresis.many_elements(); }

/// So many changes wait that the program is making the matrix anew, or a good part of it: SuiteSparse takes
/// single elements faster than the queue does, and what comes down for that is not much more than what waits.
bool is_made_anew(const MatrixEntry& entry) {
  constexpr uint64_t few = 1024, share = 4;
  const uint64_t waiting = entry.queue.size();
  return waiting >= few && waiting >= entry.device.nvals() / share && offload_mode() != Offload::always;
}

}  // namespace

bool queue_element(GrB_Matrix matrix, uint64_t row, uint64_t column, const Value* value) {
  const auto entry = known_matrix(matrix);
  if (entry == nullptr) return false;
  const std::lock_guard<std::recursive_mutex> guard(residency_lock());
  if (!entry->on_device) return false;
  // What has no entries SuiteSparse fills, in the form and with the widths of integers that it chooses then.
  if (entry->device.nvals() == 0 && entry->queue.empty()) return false;
  // One that the host's program reads element by element, and has at hand: changed there, it does not come
  // down for the next read.
  if (entry->state == State::both && entry->queue.empty() && used_on_host(*entry)) return false;
  if (is_made_anew(*entry)) return false;
  entry->enqueue(row, column, value == nullptr ? nullptr : value->bytes.data(), entry->device.type.size);
  entry->clear_error_text();
  return true;
}

Element element_of(GrB_Matrix matrix, uint64_t row, uint64_t column) {
  const auto entry = known_matrix(matrix);
  if (entry == nullptr) return {};
  const std::lock_guard<std::recursive_mutex> guard(residency_lock());
  if (!entry->on_device) return {};
  const Type& type = entry->device.type;
  if (!entry->queue.empty()) {
    const std::optional<const char*> waits = entry->queue.find(row, column, type.size);
    if (waits && *waits == nullptr) return {true, std::nullopt};
    if (waits) return {true, Value{type, std::string(*waits, type.size)}};
  } else if (entry->state != State::device) {
    return {};  // SuiteSparse has it at hand
  }
  entry->hysteresis.element_read();
  if (used_on_host(*entry)) return {};
  entry->last_use = next_use();
  return {true, stored_element(entry->device, row, column)};
}

}  // namespace cugrb::mirror
