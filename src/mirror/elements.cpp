// Single elements of matrices whose content is on the device: changes wait on the host, reads look at them
// first.
#include "src/mirror/registry.h"
#include "src/support/offload_mode.h"

namespace cugrb::mirror {
namespace {

std::shared_ptr<MatrixEntry> known_matrix(GrB_Matrix matrix) {
  const auto entry = Registry::instance().find(matrix);
  if (entry == nullptr || entry->kind != Entry::Kind::matrix) return nullptr;
  return std::static_pointer_cast<MatrixEntry>(entry);
}

std::optional<Value> stored_element(const formats::DeviceMatrix& matrix, uint64_t row, uint64_t column) {
  const formats::Csr& stored = matrix.stored;
  if (matrix.by_column) std::swap(row, column);
  const std::optional<uint64_t> found = formats::find_entry(stored, row, column);
  if (!found) return std::nullopt;
  std::string bytes(matrix.type.size, '\0');
  const char* const values = stored.values.as<char>();
  runtime::device().copy_to_host(bytes.data(), values + (stored.iso ? 0 : *found) * bytes.size(),
                                 bytes.size());
  return Value{matrix.type, bytes};
}

bool used_on_host(const Entry& entry) {
  return entry.hysteresis.many_elements() && offload_mode() != Offload::always;
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
