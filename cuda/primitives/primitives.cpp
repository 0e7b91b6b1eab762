#include "cuda/primitives/primitives.h"

#include "cuda/primitives/implementations.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/injection.h"
#include "cuda/runtime/put_off.h"
#include "src/support/trace.h"

#if defined(CUGRB_HAVE_CUDA)
#define CUGRB_BY_DEVICE(call) (on_emulated_device() ? on_host::call : on_gpu::call)
#else
#define CUGRB_BY_DEVICE(call) (on_emulated_device(), on_host::call)
#endif

namespace cugrb::primitives {
namespace {

/// Also counts the primitive as one launch, for failure injection and for the trace. What was put off goes
/// first.
bool on_emulated_device() {
  const runtime::Properties& properties = runtime::device().properties();
  const bool emulated = properties.kind == runtime::Kind::emulated;
  runtime::PutOff::of(properties.place).settle();
  if (runtime::injection::fails(runtime::injection::Point::launch)) {
    throw runtime::DeviceFailure("injected launch failure (CUGRB_INJECT)");
  }
  trace::launched();
  return emulated;
}

}  // namespace

void exclusive_sum(Width width, const void* in, void* out, uint64_t n) {
  CUGRB_BY_DEVICE(exclusive_sum(width, in, out, n));
}

void positions_of_flags(Width width, const uint8_t* flags, uint64_t n, void* positions, uint64_t* count) {
  CUGRB_BY_DEVICE(positions_of_flags(width, flags, n, positions, count));
}

void select_flagged(size_t element_bytes, const void* in, const uint8_t* flags, uint64_t n, void* out,
                    uint64_t* count) {
  CUGRB_BY_DEVICE(select_flagged(element_bytes, in, flags, n, out, count));
}

void count_flags(const uint8_t* flags, uint64_t n, uint64_t* count) {
  CUGRB_BY_DEVICE(count_flags(flags, n, count));
}

void sort_pairs(Width key_width, const void* keys_in, void* keys_out, Width payload_width,
                const void* payload_in, void* payload_out, uint64_t n, unsigned key_bits,
                unsigned first_bit) {
  CUGRB_BY_DEVICE(sort_pairs(key_width, keys_in, keys_out, payload_width, payload_in, payload_out, n,
                             key_bits, first_bit));
}

void offsets_of_sorted(Width key_width, const void* keys, uint64_t m, Width offset_width, void* offsets,
                       uint64_t n, unsigned shift) {
  CUGRB_BY_DEVICE(offsets_of_sorted(key_width, keys, m, offset_width, offsets, n, shift));
}

void fingerprints(Width width, const FingerprintKey* key, const void* array, uint64_t bytes,
                  Fingerprint* results) {
  CUGRB_BY_DEVICE(fingerprints(width, key, array, bytes, results));
}

}  // namespace cugrb::primitives
