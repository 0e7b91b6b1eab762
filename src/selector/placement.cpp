#include "src/selector/placement.h"

#include <algorithm>
#include <atomic>

#include "src/selector/habits.h"
#include "src/selector/hardware.h"
#include "src/selector/small_elements.h"
#include "src/support/offload_mode.h"
#include "src/support/parallel.h"
#include "src/support/settings.h"

namespace cugrb::selector {

namespace {

/// Host side: a call's fixed cost, and what a core does. Measured on 16 cores of a current server with
/// vectors of 2^20 entries: e-wise addition 105 GB/s, a reduction 90 to 150, 2^20 positions gathered through
/// a list 0.8 to 1.0 ms. Its products of matrix and vector reach 30 to 40 GB/s on PageRank and less on BFS.
/// On one thread, whose matrix is in its caches, an entry takes 0.6 ns in a pull and 1.1 in a push (R-MAT 10
/// to 14). SuiteSparse takes a thread for each chunk of its work (GxB_CHUNK).
constexpr double elements_a_thread = 65536;
constexpr double cpu_call_seconds = 1e-6;
constexpr double cpu_vector_bytes_per_second = 6e9;
constexpr double cpu_listed_per_second = 75e6;
constexpr double cpu_entry_bytes_per_second_of_first = 12e9, cpu_entry_bytes_per_second_of_next = 6e9,
                 cpu_entry_bytes_per_second_most = 40e9;
constexpr double cpu_vector_bytes_per_second_most = 300e9;
/// Memory that is new to the process, a page at a time: a bitmap of 2^22 positions takes 4 to 8 ms.
constexpr double cpu_new_bytes_per_second = 4e9;
/// Products of SuiteSparse's saxpy (A*A of RMAT and uniform graphs), a core: each looks for its place in a
/// hash table.
constexpr double cpu_products_per_second = 1e8;
/// Device side: host work of an offloaded call (decode, look-ups, a few launches, what it must read back to
/// go on), until it has been measured, and a wait for a result. Medians of short calls of LAGraph's programs
/// on an H100: 7 to 9 us for vectors, 17 to 22 for a product with one, 57 to 82 for calls that make a matrix,
/// 100 to 133 for products.
constexpr double vector_call_seconds = 8e-6, mxv_call_seconds = 17e-6, matrix_call_seconds = 60e-6,
                 mxm_call_seconds = 100e-6;
constexpr double gpu_wait_seconds = 12e-6;
/// Copies between host and device: one small copy, or the start of the threads that fill the staging buffers
/// and their bandwidth, which Hardware::bus_bytes_per_second becomes. Measured there: 1, 8, 64 and 512 MiB up
/// at 11, 18, 46 and 50 GB/s, down at 12, 16, 37 and 50.
constexpr uint64_t staged_bytes = 64 << 10;
constexpr double small_copy_seconds = 10e-6, staging_seconds = 60e-6;
constexpr uint64_t small_result_bytes = 48000;
constexpr double first_bytes = 8e6, first_bytes_per_second = 20e9;

/// Column, value and gather.
double bytes_of_entries(uint64_t entries) { return 12 * double(entries); }

/// Of SuiteSparse, for so many elements.
double threads(double elements) {
  static const double most = host_threads();
  return std::clamp(elements / elements_a_thread, 1.0, most);
}

double bytes_on_cpu_seconds(double bytes, double bytes_an_element, double of_a_core, double most) {
  return bytes / std::min(of_a_core * threads(bytes / bytes_an_element), most);
}

double entries_on_cpu_seconds(uint64_t entries) {
  const double rate = cpu_entry_bytes_per_second_of_first +
                      cpu_entry_bytes_per_second_of_next * (threads(double(entries)) - 1);
  return bytes_of_entries(entries) / std::min(rate, cpu_entry_bytes_per_second_most);
}

/// `most` where nothing less is known to suffice.
uint64_t known_to_suffice(uint64_t known, uint64_t most) { return known != 0 ? std::min(known, most) : most; }

double host_seconds(const Work& work) {
  const uint64_t entries = known_to_suffice(work.entries_on_cpu, work.entries);
  const uint64_t vectors = known_to_suffice(work.vector_bytes_on_cpu, work.vector_bytes);
  const auto products = double(work.products), listed = double(work.listed);
  double seconds = entries_on_cpu_seconds(std::max(entries, work.products));
  seconds = std::max(seconds, products / (cpu_products_per_second * threads(products)));
  seconds += bytes_on_cpu_seconds(double(vectors + work.dense_bytes), 8, cpu_vector_bytes_per_second,
                                  cpu_vector_bytes_per_second_most);
  seconds += listed / (cpu_listed_per_second * threads(listed));
  return std::max(seconds, cpu_call_seconds);
}

/// For the operands to be what SuiteSparse holds: once, not in every call. Where they are the result will be
/// wanted.
double coming_down_seconds(const Work& work, double form_seconds, const Hardware& hardware) {
  if (work.device_resident_bytes == 0) return form_seconds;
  return transfer_seconds(work.device_resident_bytes, hardware) +
         transfer_seconds(work.result_bytes, hardware) + form_seconds;
}

double assumed_call_seconds(const Work& work) {
  if (work.products > 0) return mxm_call_seconds;
  if (work.makes_matrix) return matrix_call_seconds;
  return work.entries > 0 ? mxv_call_seconds : vector_call_seconds;
}

/// Calls on a small result are the CPU's, if the host has it: they follow it there. Where an operand is on
/// the device it is the other way round, and coming_down_seconds() says so.
double going_back_seconds(const Work& work, const Hardware& hardware) {
  if (work.device_resident_bytes > 0 || work.makes_matrix) return 0;
  return work.result_bytes <= small_result_bytes ? transfer_seconds(work.result_bytes, hardware) : 0;
}

double gpu_seconds(const Work& work, const Hardware& hardware, double call_seconds) {
  const uint64_t entries = std::max(known_to_suffice(work.entries_on_gpu, work.entries), work.products);
  double seconds = call_seconds + (work.waits ? gpu_wait_seconds : 0);
  seconds += (bytes_of_entries(entries) + double(work.vector_bytes)) / hardware.copy_bytes_per_second;
  seconds += double(entries) / hardware.gathers_per_second(4 * work.vector_length);
  seconds += transfer_seconds(work.upload_bytes, hardware) + going_back_seconds(work, hardware);
  if (work.streamed_bytes > 0) {
    seconds += transfer_seconds(work.streamed_bytes, hardware);
  } else {
    seconds += transfer_seconds(work.matrix_upload_bytes, hardware) / std::max(1.0, work.matrix_uses);
  }
  return seconds;
}

Placement on_cpu(std::string reason) {
  Placement placement;
  placement.reason = std::move(reason);
  return placement;
}

}  // namespace

void choose(Placement& placement, double down_seconds, Sequence& sequence) {
  placement.processor = Processor::cpu;
  if (placement.gpu_seconds > placement.cpu_seconds) {
    placement.reason = "predicted to be slower on the GPU";
    return;
  }
  const double lost = placement.gpu_seconds - (placement.cpu_seconds - down_seconds);
  sequence.lost_seconds = std::max(0.0, sequence.lost_seconds + lost);
  if (lost > 0 && sequence.lost_seconds > down_seconds) {
    sequence.lost_seconds -= down_seconds;
    placement.reason = "the calls before it have lost more on the GPU than moving its operands costs";
    return;
  }
  placement.processor = Processor::gpu;
  placement.reason =
      lost > 0 ? "predicted to be faster where its operands are" : "predicted to be faster there";
}

namespace {
std::atomic<int> in_step{0};
}

InStep::InStep() { ++in_step; }
InStep::~InStep() { --in_step; }
bool InStep::holds() { return in_step.load(std::memory_order_relaxed) > 0; }

Habits& Habits::current() {
  thread_local Habits of_this_thread;
  return of_this_thread;
}

Sequence& Sequence::current() {
  thread_local Sequence of_this_thread;
  return of_this_thread;
}

double transfer_seconds(uint64_t bytes, const Hardware& hardware) {
  if (bytes == 0) return 0;
  const double bus = hardware.bus_bytes_per_second;
  const double first = std::min(double(bytes), first_bytes);
  return (bytes > staged_bytes ? staging_seconds : small_copy_seconds) +
         first / std::min(first_bytes_per_second, bus) + (double(bytes) - first) / bus;
}

/// Products of matrices cost the CPU more than entries, but for those of a few rows: betweenness's on R-MAT
/// 11 take some 100 us each, those on R-MAT 14 more than the device.
SmallWork small_work() {
  constexpr auto products = uint64_t(mxm_call_seconds * cpu_products_per_second / 2);
  constexpr uint64_t few_rows = 32;
  return {small_elements, products, 4 * small_elements, few_rows, small_listed};
}

bool is_small(const Work& work) {
  constexpr uint64_t new_bytes_a_position = 16;  // of an output: a bitmap's byte, and a value for each
  const SmallWork small = small_work();
  const uint64_t positions = work.vector_bytes / 8;
  return work.device_resident_bytes == 0 &&
         work.entries + positions + work.dense_bytes / 8 <= small.elements &&
         work.new_bytes_on_cpu <= new_bytes_a_position * small.elements &&
         work.products <= (work.few_rows ? small.products_of_few_rows : small.products) &&
         (work.listed == 0 || std::max(work.listed, positions) <= small.listed);
}

namespace {

/// Such calls that make a matrix have been measured: whatever is small about them, SuiteSparse has taken far
/// longer than the device would. LAGraph's k-trusses on R-MAT 11 and peer pressure on R-MAT 14 have most.
/// Products of few rows are predicted to take that long before any is measured (SmallWork::few_rows).
bool takes_host_long(const Work& work, const Placement& placement) {
  constexpr double far_longer = 2;
  return work.makes_matrix && !work.few_rows &&
         placement.corrected_host_seconds > far_longer * placement.gpu_seconds;
}

}  // namespace

Placement place(const Work& work, Sequence& sequence) {
  const Offload offload = offload_mode();
  if (offload == Offload::never) return on_cpu(offload_reason(offload));
  const Hardware* hardware = Hardware::of_device();
  if (hardware == nullptr) return on_cpu(runtime::unavailable_reason());

  Placement placement;
  placement.form_seconds = double(work.new_bytes_on_cpu) / cpu_new_bytes_per_second;
  const double down = coming_down_seconds(work, placement.form_seconds, *hardware);
  placement.host_seconds = host_seconds(work);
  placement.device_call_seconds = assumed_call_seconds(work);
  placement.transfer_seconds = transfer_seconds(work.upload_bytes, *hardware);
  placement.kind = {work.operation, work.makes_matrix, magnitude_of(placement.host_seconds)};
  placement.corrected_host_seconds = placement.host_seconds * host_factor(placement.kind);
  placement.cpu_seconds = placement.corrected_host_seconds + down;
  placement.gpu_seconds =
      gpu_seconds(work, *hardware, device_call_seconds(placement.kind, placement.device_call_seconds));
  if (offload == Offload::always) {
    placement.processor = Processor::gpu;
    placement.reason = offload_reason(offload);
    return placement;
  }
  const LoopPolicy loops = settings().loops;
  if (hardware->emulated && (loops == LoopPolicy::automatic || loops == LoopPolicy::never)) {
    placement.reason = "the emulated device is for tests (CUGRB_OFFLOAD=always uses it)";
    return placement;
  }
  if (is_small(work) && !takes_host_long(work, placement)) {
    placement.reason = "small, and the host has its operands";
    return placement;
  }
  if (work.device_resident_bytes > 0 && InStep::holds()) {
    placement.processor = Processor::gpu;
    placement.reason = "other processes wait for it, and its operands are on the device";
    return placement;
  }
  choose(placement, down, sequence);
  return placement;
}

}  // namespace cugrb::selector
