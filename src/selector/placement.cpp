#include "src/selector/placement.h"

#include <algorithm>
#include <cstdio>
#include <thread>

#include "src/selector/hardware.h"
#include "src/support/settings.h"

namespace cugrb::selector {

namespace {

/// Host side: a call's fixed cost and the bandwidth of a core. SuiteSparse's kernels on 16 cores of a current
/// server reach 30-40 GB/s on PageRank and less on BFS; one core about 10 GB/s over four.
constexpr double cpu_call_seconds = 1e-6;
constexpr double cpu_bytes_per_second = 10e9;
constexpr double cpu_bytes_per_second_limit = 100e9;
/// Products of SuiteSparse's saxpy (A*A of RMAT and uniform graphs), a core: each looks for its place in a
/// hash table.
constexpr double cpu_products_per_second = 1e8;
/// Device side: host work of an offloaded call (decode, look-ups, a few launches) and a wait for a result.
constexpr double gpu_call_seconds = 10e-6;
constexpr double gpu_wait_seconds = 12e-6;
/// Copies between host and device: latency, and bandwidth through the staging buffers.
constexpr double transfer_latency_seconds = 10e-6;
constexpr double transfer_bytes_per_second = 20e9;

uint64_t bytes_touched(const Work& work) {
  if (work.bytes_touched != 0) return work.bytes_touched;
  return 12 * std::max(work.entries, work.products) +
         24 * work.vector_length;  // column + value + gather; three operands of 8 bytes
}

double cpu_seconds(const Work& work) {
  static const double cores = std::max(1u, std::thread::hardware_concurrency());
  const double bandwidth =
      std::min(cpu_bytes_per_second_limit, cpu_bytes_per_second * std::max(1.0, cores / 4));
  const double down = work.device_resident_bytes == 0 ? 0 : transfer_seconds(work.device_resident_bytes);
  const double products = double(work.products) / (cpu_products_per_second * cores);
  return std::max({cpu_call_seconds, double(bytes_touched(work)) / bandwidth, products}) + down;
}

double gpu_seconds(const Work& work, const Hardware& hardware) {
  double seconds = gpu_call_seconds + (work.waits ? gpu_wait_seconds : 0);
  seconds += double(bytes_touched(work)) / hardware.copy_bytes_per_second;
  seconds +=
      double(std::max(work.entries, work.products)) / hardware.gathers_per_second(4 * work.vector_length);
  if (work.upload_bytes > 0) seconds += transfer_seconds(work.upload_bytes);
  if (work.streamed_bytes > 0) {
    seconds += transfer_seconds(work.streamed_bytes);
  } else if (work.matrix_upload_bytes > 0) {
    seconds += transfer_seconds(work.matrix_upload_bytes) / double(1 + work.matrix_uses);
  }
  return seconds;
}

std::string compared(const Placement& p) {
  char text[96];
  std::snprintf(text, sizeof text, "predicted %.3g ms on the GPU, %.3g ms on the CPU", p.gpu_seconds * 1e3,
                p.cpu_seconds * 1e3);
  return text;
}

Placement on_cpu(std::string reason) { return {Processor::cpu, 0, 0, std::move(reason)}; }

}  // namespace

double transfer_seconds(uint64_t bytes) {
  return transfer_latency_seconds + double(bytes) / transfer_bytes_per_second;
}

Placement place(const Work& work) {
  const Offload offload = settings().offload;
  if (offload == Offload::never) return on_cpu("CUGRB_OFFLOAD=never");
  const Hardware* hardware = Hardware::of_device();
  if (hardware == nullptr) return on_cpu(runtime::unavailable_reason());

  Placement placement;
  placement.cpu_seconds = cpu_seconds(work);
  placement.gpu_seconds = gpu_seconds(work, *hardware);
  if (offload == Offload::always) {
    placement.processor = Processor::gpu;
    placement.reason = "CUGRB_OFFLOAD=always";
    return placement;
  }
  if (hardware->emulated) {
    placement.reason = "the emulated device is for tests (CUGRB_OFFLOAD=always uses it)";
    return placement;
  }
  placement.processor = placement.gpu_seconds <= placement.cpu_seconds ? Processor::gpu : Processor::cpu;
  placement.reason = compared(placement);
  return placement;
}

}  // namespace cugrb::selector
