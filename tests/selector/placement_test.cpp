// CPU or GPU: the policy, and what decides under `auto`. No device is needed for the arithmetic, so the
// emulated one's answer is checked for the policy and the times for their order.
#include "src/selector/placement.h"

#include <initializer_list>
#include <utility>

#include "cuda/runtime/device.h"
#include "src/selector/experience.h"
#include "src/selector/hardware.h"
#include "src/support/settings.h"
#include "src/support/stopwatch.h"
#include "tests/catch.h"

using namespace cugrb;
using selector::Placement;
using selector::Processor;
using selector::Work;

namespace {

Placement place_with(Offload offload, const Work& work) {
  const Settings before = settings();
  Settings changed = before;
  changed.offload = offload;
  override_settings(changed);
  selector::Sequence sequence;
  const Placement placement = selector::place(work, sequence);
  override_settings(before);
  return placement;
}

/// While it lives calls are placed by predicted times, on the emulated device, too.
class PlacedByTime {
 public:
  PlacedByTime() {
    Settings changed = before_;
    changed.offload = Offload::automatic;
    changed.loops = LoopPolicy::always;
    override_settings(changed);
  }
  ~PlacedByTime() { override_settings(before_); }
  PlacedByTime(const PlacedByTime&) = delete;
  PlacedByTime& operator=(const PlacedByTime&) = delete;

 private:
  const Settings before_ = settings();
};

double bus_seconds(uint64_t bytes) {
  return selector::transfer_seconds(bytes, *selector::Hardware::of_device());
}

Work product() {
  Work work;
  work.operation = "mxv";
  work.entries = 128000000;
  work.vector_length = 1 << 22;
  return work;
}

}  // namespace

TEST_CASE("always takes the device, never the CPU, auto not the emulated device") {
  CHECK(place_with(Offload::always, {}).processor == Processor::gpu);
  const Placement never = place_with(Offload::never, product());
  CHECK(never.processor == Processor::cpu);
  CHECK(never.reason == "CUGRB_OFFLOAD=never");
  const Placement automatic = place_with(Offload::automatic, product());
  if (runtime::device().properties().kind == runtime::Kind::emulated) {
    CHECK(automatic.processor == Processor::cpu);
    CHECK(automatic.reason.find("emulated") != std::string::npos);
  } else {
    CHECK(automatic.processor == Processor::gpu);
  }
}

TEST_CASE("small work of operands that the host has is the CPU's, and more work may be the device's") {
  const selector::SmallWork small = selector::small_work();
  CHECK(small.elements >= 60000);  // R-MAT 11: 45 K entries and three vectors
  CHECK(small.elements <= 200000);
  CHECK(small.products <= small.elements);
  CHECK(small.listed <= small.elements);
  Work entries, positions, both, products, of_few_rows, listed;
  entries.entries = small.elements;
  CHECK(selector::is_small(entries));
  positions.vector_bytes = 8 * small.elements;
  CHECK(selector::is_small(positions));
  both.entries = small.elements / 2;
  both.vector_bytes = 8 * (small.elements - both.entries);
  CHECK(selector::is_small(both));
  products.entries = small.elements;
  products.products = small.products;
  CHECK(selector::is_small(products));
  of_few_rows.products = small.products_of_few_rows;
  CHECK(!selector::is_small(of_few_rows));
  of_few_rows.few_rows = true;
  CHECK(selector::is_small(of_few_rows));
  listed.listed = small.listed;
  listed.vector_bytes = 8 * small.listed;
  CHECK(selector::is_small(listed));
  Work few_of_new_bitmap = entries;
  few_of_new_bitmap.new_bytes_on_cpu = 16 * small.elements;
  CHECK(selector::is_small(few_of_new_bitmap));
  for (const auto& [work, field] :
       std::initializer_list<std::pair<Work, uint64_t Work::*>>{{entries, &Work::entries},
                                                                {positions, &Work::vector_bytes},
                                                                {both, &Work::entries},
                                                                {both, &Work::dense_bytes},
                                                                {products, &Work::products},
                                                                {of_few_rows, &Work::products},
                                                                {listed, &Work::listed},
                                                                {few_of_new_bitmap, &Work::new_bytes_on_cpu},
                                                                {entries, &Work::device_resident_bytes}}) {
    Work more = work;
    more.*field += 8;
    CHECK(!selector::is_small(more));
  }
}

TEST_CASE("a list is small where the vectors that it reads are") {
  Work work;
  work.listed = 1;
  work.vector_bytes = 8 * selector::small_work().listed;
  CHECK(selector::is_small(work));
  work.vector_bytes += 8;
  CHECK(!selector::is_small(work));
  work.listed = 0;
  CHECK(selector::is_small(work));
}

TEST_CASE("a copy begins at 20 GB/s at most and goes on at the profile's rate") {
  selector::Hardware hardware;
  hardware.bus_bytes_per_second = 50e9;
  CHECK(selector::transfer_seconds(0, hardware) == 0);
  CHECK(selector::transfer_seconds(20000, hardware) == Approx(10e-6 + 1e-6));
  CHECK(selector::transfer_seconds(108000000, hardware) == Approx(60e-6 + 400e-6 + 2000e-6));
  hardware.bus_bytes_per_second = 10e9;
  CHECK(selector::transfer_seconds(108000000, hardware) == Approx(60e-6 + 10800e-6));
}

TEST_CASE("products of matrices cost the CPU their hash table, both sides their bytes") {
  Work work;
  work.operation = "mxm";
  work.entries = 8000000;
  work.vector_length = 1 << 20;
  const Placement entries = place_with(Offload::always, work);
  work.products = 400000000;
  const Placement products = place_with(Offload::always, work);
  CHECK(products.cpu_seconds > 40 * entries.cpu_seconds);
  CHECK(products.gpu_seconds > entries.gpu_seconds);
  CHECK(products.gpu_seconds < products.cpu_seconds);
}

TEST_CASE("predicted times: uploads cost, repeated uses share them, resident data weighs on the CPU") {
  const Work resident = product();
  const Placement here = place_with(Offload::always, resident);
  CHECK(here.gpu_seconds < here.cpu_seconds);

  Work upload = resident;
  upload.matrix_upload_bytes = 512000000;
  const Placement first = place_with(Offload::always, upload);
  CHECK(first.gpu_seconds > here.gpu_seconds + bus_seconds(512000000) * 0.99);
  upload.matrix_uses = 10;
  const Placement tenth = place_with(Offload::always, upload);
  CHECK(tenth.gpu_seconds < here.gpu_seconds + bus_seconds(512000000) * 0.11);

  Work held = resident;
  held.device_resident_bytes = 1 << 24;
  CHECK(place_with(Offload::always, held).cpu_seconds > here.cpu_seconds);
  CHECK(place_with(Offload::always, held).gpu_seconds == here.gpu_seconds);

  Work tiny;
  tiny.operation = "ewise_mult";
  tiny.vector_length = 10;
  const Placement small = place_with(Offload::always, tiny);
  CHECK(small.cpu_seconds < small.gpu_seconds);
  tiny.waits = true;
  CHECK(place_with(Offload::always, tiny).gpu_seconds > small.gpu_seconds);
}

TEST_CASE("the CPU is charged only for the entries that SuiteSparse reads") {
  Work work = product();
  const Placement all = place_with(Offload::always, work);
  work.entries_on_cpu = work.vector_length;
  const Placement first_ones = place_with(Offload::always, work);
  CHECK(first_ones.cpu_seconds < all.cpu_seconds / 5);
  CHECK(first_ones.gpu_seconds == all.gpu_seconds);
  work.entries_on_cpu = 10 * work.entries;
  CHECK(place_with(Offload::always, work).cpu_seconds == all.cpu_seconds);
}

TEST_CASE(
    "a push of a small frontier is short on the device, too, and on the CPU a bitmap that is made first") {
  // A level of a search of R-MAT 22, whose output and mask are 21 MB: measured 20 us against 6 ms.
  Work work = product();
  work.vector_bytes = 3 * 5 * work.vector_length;
  work.vector_bytes_on_cpu = 100;
  work.entries_on_cpu = work.entries_on_gpu = 100;
  const Placement push = place_with(Offload::always, work);
  CHECK(push.gpu_seconds < 60e-6);
  CHECK(push.cpu_seconds < push.gpu_seconds);
  work.new_bytes_on_cpu = 5 * work.vector_length;
  const Placement with_bitmap = place_with(Offload::always, work);
  CHECK(with_bitmap.gpu_seconds == push.gpu_seconds);
  CHECK(with_bitmap.host_seconds == push.host_seconds);
  CHECK(with_bitmap.form_seconds == Approx(5 * double(work.vector_length) / 4e9).epsilon(0.01));
  CHECK(with_bitmap.cpu_seconds == Approx(push.cpu_seconds + with_bitmap.form_seconds));
  CHECK(with_bitmap.cpu_seconds > 10 * with_bitmap.gpu_seconds);
  work.entries_on_gpu = 10 * work.entries;  // no more than there are
  CHECK(place_with(Offload::always, work).gpu_seconds == place_with(Offload::always,
                                                                    [&] {
                                                                      work.entries_on_gpu = 0;
                                                                      return work;
                                                                    }())
                                                             .gpu_seconds);
}

TEST_CASE("matrices that do not fit the device are charged in full to every use, once a pass") {
  Work work = product();
  work.matrix_upload_bytes = 1000000000;
  work.matrix_uses = 100;
  const Placement fits = place_with(Offload::always, work);
  work.streamed_bytes = 1000000000;
  const Placement once = place_with(Offload::always, work);
  CHECK(once.gpu_seconds - fits.gpu_seconds == Approx(bus_seconds(1000000000)).epsilon(0.02));
  work.streamed_bytes = 3000000000;
  CHECK(place_with(Offload::always, work).gpu_seconds - once.gpu_seconds ==
        Approx(bus_seconds(2000000000)).epsilon(0.02));
}

TEST_CASE("SuiteSparse takes a thread for each chunk of its work") {
  Work work;
  work.operation = "ewise_add";
  work.vector_bytes = 8 * 1000;
  const double thousand = place_with(Offload::always, work).host_seconds;
  work.vector_bytes = 8 * 60000;
  const double more = place_with(Offload::always, work).host_seconds;
  CHECK(more == Approx(60 * 8 * 1000 / 6e9).epsilon(0.01));
  CHECK(thousand >= 8 * 1000 / 6e9);
  work.vector_bytes_on_cpu = 8 * 1000;
  CHECK(place_with(Offload::always, work).host_seconds == thousand);
}

TEST_CASE("an entry costs one thread's caches less than it costs many threads their memory") {
  Work work;
  work.operation = "mxv";
  work.entries = 24000;
  CHECK(place_with(Offload::always, work).host_seconds == Approx(24000 * 1e-9).epsilon(0.01));
  double before = 0;
  for (work.entries = 1000; work.entries < 100000000; work.entries += work.entries / 16) {
    const double seconds = place_with(Offload::always, work).host_seconds;
    CHECK(seconds >= 12 * double(work.entries) / 40e9);
    CHECK(seconds < 1.1 * std::max(before, 1e-6));  // threads that join take nothing away at once
    before = seconds;
  }
}

TEST_CASE("a small result of operands that the host has is charged its way back, another is not") {
  Work work;
  work.operation = "reduce_rows";
  work.entries = 20000;
  work.vector_length = 1024;
  const auto on_gpu = [&](uint64_t result_bytes, uint64_t resident_bytes) {
    work.result_bytes = result_bytes;
    work.device_resident_bytes = resident_bytes;
    return place_with(Offload::always, work).gpu_seconds;
  };
  CHECK(on_gpu(8192, 0) == Approx(on_gpu(0, 0) + bus_seconds(8192)));
  CHECK(on_gpu(8192, 8) == on_gpu(0, 8));
  CHECK(on_gpu(1 << 20, 0) == on_gpu(0, 0));
  work.makes_matrix = true;
  CHECK(on_gpu(8192, 0) == on_gpu(0, 0));
}

TEST_CASE("a sequence of calls that loses on the device goes to the CPU when moving has paid") {
  selector::Sequence sequence;
  const auto call = [&](double gpu, double cpu_alone, double down) {
    Placement placement;
    placement.gpu_seconds = gpu;
    placement.cpu_seconds = cpu_alone + down;
    selector::choose(placement, down, sequence);
    return placement.processor;
  };
  // Each call loses 20 us where moving costs 110 us: the sixth has lost more than that.
  for (int i = 0; i < 5; ++i) CHECK(call(25e-6, 5e-6, 110e-6) == Processor::gpu);
  CHECK(call(25e-6, 5e-6, 110e-6) == Processor::cpu);
  // What a long call gains there is set off against the loss of short ones.
  for (int i = 0; i < 5; ++i) CHECK(call(25e-6, 5e-6, 110e-6) == Processor::gpu);
  CHECK(call(1e-3, 20e-3, 110e-6) == Processor::gpu);
  CHECK(sequence.lost_seconds == 0);
  CHECK(call(25e-6, 5e-6, 110e-6) == Processor::gpu);
  // What is on the host stays there when the CPU is faster, whatever was lost.
  CHECK(call(25e-6, 5e-6, 0) == Processor::cpu);
}

TEST_CASE(
    "a bitmap that SuiteSparse makes once keeps a loop of short calls on the device no longer than it "
    "takes") {
  const PlacedByTime on_any_device;
  Work work;
  work.operation = "assign";
  work.makes_matrix = true;
  work.entries = 1 << 20;
  work.entries_on_cpu = 100;
  work.new_bytes_on_cpu = 4000000;
  selector::Sequence sequence;
  const Placement first = selector::place(work, sequence);
  CHECK(first.processor == Processor::gpu);
  const double lost_a_call = first.gpu_seconds - first.corrected_host_seconds;
  REQUIRE(lost_a_call > 0);
  int calls = 1;
  while (selector::place(work, sequence).processor == Processor::gpu && calls < 1000) ++calls;
  CHECK(calls == Approx(first.form_seconds / lost_a_call).margin(1.5));
}

TEST_CASE("a small call that makes a matrix is the device's once such calls have taken the CPU long") {
  const PlacedByTime on_any_device;
  for (const bool makes_matrix : {false, true}) {
    INFO((makes_matrix ? "a matrix" : "a vector"));
    Work work;
    work.operation = makes_matrix ? "slow matrices" : "slow vectors";
    work.makes_matrix = makes_matrix;
    work.entries = selector::small_work().elements;
    selector::Sequence sequence;
    const Placement first = selector::place(work, sequence);
    CHECK(first.processor == Processor::cpu);
    CHECK(first.reason == "small, and the host has its operands");
    for (int call = 0; call < 30; ++call) {
      selector::HostCall::expect(first.kind,
                                 first.host_seconds / 1e3);  // as if it took a thousand times that
      selector::HostCall::begin();
      const Stopwatch watch;
      while (watch.seconds() < first.host_seconds) {
      }
      selector::HostCall::end();
    }
    CHECK(selector::place(work, sequence).processor == (makes_matrix ? Processor::gpu : Processor::cpu));
  }
}

TEST_CASE("a small product of few rows is the CPU's, however long it is predicted to take") {
  const PlacedByTime on_any_device;
  Work work;
  work.operation = "few rows";
  work.makes_matrix = work.few_rows = true;
  work.products = selector::small_work().products_of_few_rows;
  selector::Sequence sequence;
  const Placement placement = selector::place(work, sequence);
  CHECK(placement.cpu_seconds > 2 * placement.gpu_seconds);
  CHECK(placement.processor == Processor::cpu);
  CHECK(placement.reason == "small, and the host has its operands");
}

TEST_CASE("while other processes wait a call stays where its operands are, whatever is predicted") {
  const PlacedByTime on_any_device;
  Work small;
  small.operation = "assign";
  small.vector_length = small.vector_bytes = small.device_resident_bytes = 8;
  selector::Sequence regret{1e3};  // the calls before have lost more than any copy costs
  const auto processor = [&] { return selector::place(small, regret).processor; };
  CHECK(processor() == Processor::cpu);
  {
    const selector::InStep others_wait;
    regret.lost_seconds = 1e3;
    CHECK(processor() == Processor::gpu);
    small.device_resident_bytes = 0;
    CHECK(processor() == Processor::cpu);  // nothing has to move
    small.device_resident_bytes = 8;
  }
  regret.lost_seconds = 1e3;
  CHECK(processor() == Processor::cpu);
}
