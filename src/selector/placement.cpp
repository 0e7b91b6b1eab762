#include "src/selector/placement.h"

#include <algorithm>
#include <thread>

#include "src/selector/hardware.h"
#include "src/support/offload_mode.h"

namespace cugrb::selector {

namespace {

/// Host side: a call's fixed cost, and what a core does. Measured on 16 cores of a current server with
/// vectors of 2^20 entries: e-wise addition 105 GB/s, a reduction 90 to 150, 2^20 positions gathered through
/// a list 0.8 to 1.0 ms. Its products of matrix and vector reach 30 to 40 GB/s on PageRank and less on BFS.
constexpr double cpu_call_seconds = 1e-6;
constexpr double cpu_vector_bytes_per_second = 6e9;
constexpr double cpu_listed_per_second = 75e6;
constexpr double cpu_entry_bytes_per_second = 2.5e9;
constexpr double cpu_bytes_per_second_least = 10e9, cpu_bytes_per_second_most = 300e9;
/// Products of SuiteSparse's saxpy (A*A of RMAT and uniform graphs), a core: each looks for its place in a
/// hash table.
constexpr double cpu_products_per_second = 1e8;
/// Device side: host work of an offloaded call (decode, look-ups, a few launches) and a wait for a result.
constexpr double gpu_call_seconds = 10e-6;
constexpr double gpu_wait_seconds = 12e-6;
/// Copies between host and device: one small copy, or the start of the threads that fill the staging buffers
/// and their bandwidth, which Hardware::bus_bytes_per_second becomes. Measured there: 1, 8, 64 and 512 MiB up
/// at 11, 18, 46 and 50 GB/s, down at 12, 16, 37 and 50.
constexpr uint64_t staged_bytes = 64 << 10;
constexpr double small_copy_seconds = 10e-6, staging_seconds = 60e-6;
constexpr double first_bytes = 8e6, first_bytes_per_second = 20e9;

/// Column, value and gather.
double bytes_of_entries(uint64_t entries) { return 12 * double(entries); }

double cpu_bytes_per_second(double of_a_core, double cores) {
  return std::clamp(of_a_core * cores, cpu_bytes_per_second_least, cpu_bytes_per_second_most);
}

double host_cores() {
  static const double cores = std::max(1u, std::thread::hardware_concurrency());
  return cores;
}

double cpu_seconds(const Work& work, const Hardware& hardware) {
  const double cores = host_cores();
  const uint64_t entries =
      work.entries_on_cpu != 0 ? std::min(work.entries_on_cpu, work.entries) : work.entries;
  double seconds = bytes_of_entries(std::max(entries, work.products)) /
                   cpu_bytes_per_second(cpu_entry_bytes_per_second, cores);
  seconds = std::max(seconds, double(work.products) / (cpu_products_per_second * cores));
  seconds +=
      double(work.vector_bytes + work.dense_bytes) / cpu_bytes_per_second(cpu_vector_bytes_per_second, cores);
  seconds += double(work.listed) / (cpu_listed_per_second * cores);
  seconds = std::max(seconds, cpu_call_seconds);
  if (work.device_resident_bytes == 0) return seconds;
  // Where the operands are the result will be wanted.
  return seconds + transfer_seconds(work.device_resident_bytes, hardware) +
         transfer_seconds(work.result_bytes, hardware);
}

double gpu_seconds(const Work& work, const Hardware& hardware) {
  double seconds = gpu_call_seconds + (work.waits ? gpu_wait_seconds : 0);
  seconds += (bytes_of_entries(std::max(work.entries, work.products)) + double(work.vector_bytes)) /
             hardware.copy_bytes_per_second;
  seconds +=
      double(std::max(work.entries, work.products)) / hardware.gathers_per_second(4 * work.vector_length);
  seconds += transfer_seconds(work.upload_bytes, hardware);
  if (work.streamed_bytes > 0) {
    seconds += transfer_seconds(work.streamed_bytes, hardware);
  } else {
    seconds += transfer_seconds(work.matrix_upload_bytes, hardware) / std::max(1.0, work.matrix_uses);
  }
  return seconds;
}

Placement on_cpu(std::string reason) { return {Processor::cpu, 0, 0, std::move(reason)}; }

}  // namespace

double transfer_seconds(uint64_t bytes, const Hardware& hardware) {
  if (bytes == 0) return 0;
  const double bus = hardware.bus_bytes_per_second;
  const double first = std::min(double(bytes), first_bytes);
  return (bytes > staged_bytes ? staging_seconds : small_copy_seconds) +
         first / std::min(first_bytes_per_second, bus) + (double(bytes) - first) / bus;
}

/// An entry costs the CPU more than a position of 8 bytes, however many cores it has. A list goes up in every
/// call.
SmallWork small_work() {
  static const SmallWork work = [] {
    const double of_entries = cpu_bytes_per_second(cpu_entry_bytes_per_second, host_cores());
    const double entries = gpu_call_seconds * of_entries / bytes_of_entries(1);
    const double products = gpu_call_seconds * cpu_products_per_second * host_cores();
    const double a_listed_position = 8 / cpu_bytes_per_second(cpu_vector_bytes_per_second, host_cores()) +
                                     1 / (cpu_listed_per_second * host_cores());
    const double listed = (gpu_call_seconds + small_copy_seconds) / a_listed_position;
    return SmallWork{uint64_t(entries), uint64_t(std::min(entries, products)),
                     uint64_t(std::min(entries, listed))};
  }();
  return work;
}

Placement place(const Work& work) {
  const Offload offload = offload_mode();
  if (offload == Offload::never) return on_cpu(offload_reason(offload));
  const Hardware* hardware = Hardware::of_device();
  if (hardware == nullptr) return on_cpu(runtime::unavailable_reason());

  Placement placement;
  placement.cpu_seconds = cpu_seconds(work, *hardware);
  placement.gpu_seconds = gpu_seconds(work, *hardware);
  if (offload == Offload::always) {
    placement.processor = Processor::gpu;
    placement.reason = offload_reason(offload);
    return placement;
  }
  if (hardware->emulated) {
    placement.reason = "the emulated device is for tests (CUGRB_OFFLOAD=always uses it)";
    return placement;
  }
  const bool gpu = placement.gpu_seconds <= placement.cpu_seconds;
  placement.processor = gpu ? Processor::gpu : Processor::cpu;
  placement.reason = gpu ? "predicted to be faster there" : "predicted to be slower on the GPU";
  return placement;
}

}  // namespace cugrb::selector
