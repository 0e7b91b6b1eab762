#include "cuda/cusparse/cusparse.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>

#include "cuda/runtime/injection.h"
#include "src/support/environment.h"

namespace cugrb::cusparse {

namespace {

std::atomic<bool> opened{false};
std::mutex handle_mutex;
/// One a device, made at the first use, like the device never destroyed.
std::array<Handle, runtime::most_devices> handles{};

bool on_emulated_device() { return runtime::device().properties().kind == runtime::Kind::emulated; }

}  // namespace

State state() {
  if (!opened && !on_emulated_device()) return State::closed;
  return unavailable_reason().empty() ? State::open : State::unavailable;
}

std::string unavailable_reason() {
  const bool emulated = on_emulated_device();
  if (emulated && environment_variable("CUGRB_CUSPARSE") == nullptr)
    return "the emulated device has no cuSPARSE";
  const Library& api = library();
  opened = true;
  if (!api.failure.empty()) return api.failure;
  if (emulated && !api.on_host) return "the emulated device has no cuSPARSE";
  return !emulated && api.on_host ? "a stand-in that works on host memory" : "";
}

void check(int status, const char* doing) {
  if (status == success) return;
  const std::string text = std::string(doing) + ": " + library().error_string(status);
  if (status == allocation_failed || status == insufficient_resources) throw runtime::OutOfMemory(text);
  throw Failure(text);
}

void require() {
  const std::string reason = unavailable_reason();
  if (!reason.empty()) throw Failure(reason);
}

void with_handle(const std::function<void(Handle)>& work) {
  if (runtime::injection::fails(runtime::injection::Point::launch))
    throw runtime::DeviceFailure("injected launch failure (CUGRB_INJECT)");
  const std::lock_guard<std::mutex> lock(handle_mutex);
  runtime::Device& device = runtime::device();
  Handle& handle = handles[device.properties().place];
  device.with_stream([&](void* stream) {
    if (handle == nullptr) {
      check(library().create(&handle), "cusparseCreate");
      check(library().set_stream(handle, stream), "cusparseSetStream");
    }
    work(handle);
  });
}

Description describe(Real real, const CsrArrays& csr) {
  SparseMatrix matrix = nullptr;
  check(library().create_csr(&matrix, int64_t(csr.rows), int64_t(csr.columns), int64_t(csr.entries),
                             csr.offsets.data(), csr.column_indices.data(), csr.values.data(), index_32,
                             index_32, from_zero, int(real)),
        "cusparseCreateCsr");
  return Description(matrix);
}

}  // namespace cugrb::cusparse
