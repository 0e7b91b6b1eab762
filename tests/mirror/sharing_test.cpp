// Sharing between handles (dup) and between threads.
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "src/mirror/mirror.h"
#include "src/support/settings.h"
#include "tests/catch.h"
#include "tests/mirror/objects.h"
#include "tests/mirror/release.h"

using namespace cugrb;
using namespace cugrb::test;
using mirror::State;

namespace {

constexpr uint64_t length = 64;

Shape full_shape() {
  Shape s;
  s.form = GxB_FULL;
  return s;
}

/// As operations do: memory that others share is not written.
void add_one(formats::DeviceVector& v) {
  auto values = v.values.to_host<int32_t>(length);
  for (int32_t& value : values) ++value;
  if (!v.values.unique()) v.values = runtime::Buffer(length * sizeof(int32_t));
  runtime::device().copy_to_device(v.values.data(), values.data(), length * sizeof(int32_t));
}

int32_t element(GrB_Vector v, uint64_t i) {
  int32_t value = -1;
  if (GrB_Vector_extractElement_INT32(&value, v, i) != GrB_SUCCESS) return -1;
  return value;
}

}  // namespace

TEST_CASE("a shared copy costs no memory until one of the two is written") {
  const TestType& type = type_named("int32");
  GrB_Vector v = make_vector(length, full_shape(), type, 31);
  GrB_Vector copy = nullptr;
  REQUIRE(GrB_Vector_new(&copy, GrB_INT32, length) == GrB_SUCCESS);
  CHECK_FALSE(mirror::share(v, copy));  // nothing on the device yet
  CHECK(mirror::state(copy) == State::host);
  REQUIRE(GxB_Vector_Option_set(v, GxB_BITMAP_SWITCH, 0.25) == GrB_SUCCESS);
  const Entries expected = entries_of(v, type);
  {
    auto use = mirror::write(v);
    use.commit();
  }
  REQUIRE(mirror::share(v, copy));
  CHECK(mirror::state(copy) == State::device);
  {
    const auto a = mirror::read(v), b = mirror::read(copy);
    CHECK(a->values.data() == b->values.data());
  }
  {
    auto use = mirror::write(copy);
    add_one(*use);
    use.commit();
    CHECK(mirror::read(v)->values.data() != use->values.data());
  }
  CHECK(mirror::to_host(v) == GrB_SUCCESS);
  CHECK(mirror::to_host(copy) == GrB_SUCCESS);
  CHECK(entries_of(v, type) == expected);
  for (uint64_t i = 0; i < length; ++i) CHECK(element(copy, i) == element(v, i) + 1);
  const Options options = options_of(reinterpret_cast<GrB_Matrix>(copy));
  CHECK(options.sparsity_control == GxB_FULL);
  CHECK(options.bitmap_switch != 0.25);  // as after GrB_Vector_dup
  release(v);
  release(copy);
}

TEST_CASE("one handle may be named several times in a call") {
  GrB_Vector v = make_vector(length, full_shape(), type_named("int32"), 32);
  const int32_t before = element(v, 5);
  {
    const auto mask = mirror::read(v), input = mirror::read(v);
    auto output = mirror::write(v);
    add_one(*output);
    output.commit();
  }
  CHECK(mirror::to_host(v) == GrB_SUCCESS);
  CHECK(element(v, 5) == before + 1);
  release(v);
}

TEST_CASE("threads that use, evict and restore the same vectors lose no update and never deadlock") {
  constexpr int threads = 4, rounds = 150;
  start_graphblas();
  GrB_Vector shared[2] = {}, own[threads] = {};
  for (GrB_Vector& v : shared) v = make_vector(length, full_shape(), type_named("int32"), 33);
  for (GrB_Vector& v : own) v = make_vector(length, full_shape(), type_named("int32"), 34);
  const int32_t input_value = element(shared[0], 3);
  std::vector<int32_t> before(length);
  for (uint64_t i = 0; i < length; ++i) before[i] = element(own[0], i);
  std::atomic<int> wrong{0};
  const auto work = [&](int t) {
    for (int round = 0; round < rounds; ++round) {
      {
        // Two threads name the shared inputs in opposite order.
        const auto a = mirror::read(shared[t % 2]), b = mirror::read(shared[(t + 1) % 2]);
        auto out = mirror::write(own[t]);
        if (a->values.read<int32_t>(3) != input_value || b->nvals() != length) ++wrong;
        add_one(*out);
        out.commit();
      }
      if (round % 3 == t % 3) mirror::evict(round % 2 == 0 ? 100 : SIZE_MAX);
      if (round % 5 == 0) {
        if (mirror::to_host(own[t]) != GrB_SUCCESS) ++wrong;
        if (element(own[t], 3) != before[3] + round + 1) ++wrong;
      }
      if (mirror::to_host(shared[t % 2]) != GrB_SUCCESS) ++wrong;
      const mirror::MetadataGuard guard(shared[t % 2]);
      GrB_Index n = 0;
      if (GrB_Vector_size(&n, shared[t % 2]) != GrB_SUCCESS || n != length) ++wrong;
    }
  };
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) running.emplace_back(work, t);
  for (std::thread& thread : running) thread.join();
  CHECK(wrong == 0);
  for (GrB_Vector& v : own) {
    CHECK(mirror::to_host(v) == GrB_SUCCESS);
    for (uint64_t i = 0; i < length; ++i) CHECK(element(v, i) == before[i] + rounds);
    release(v);
  }
  for (GrB_Vector& v : shared) release(v);
}

TEST_CASE(
    "a question about metadata waits while another thread uses or moves content; of unknown objects it does "
    "not") {
  start_graphblas();
  GrB_Vector known = make_vector(length, full_shape(), type_named("int32"), 36);
  GrB_Vector unknown = make_vector(length, full_shape(), type_named("int32"), 37);
  std::atomic<int> answered{0};
  const auto ask = [&](GrB_Vector v, int which) {
    const mirror::MetadataGuard guard(v);
    answered |= which;
  };
  {
    auto use = std::optional<mirror::VectorUse>(mirror::read(known));
    std::thread stranger([&] { ask(unknown, 1); });
    stranger.join();
    CHECK(answered == 1);
    std::thread waiting([&] { ask(known, 2); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(answered == 1);
    ask(known, 4);  // the thread that has the use may ask
    CHECK(answered == 5);
    use.reset();
    waiting.join();
  }
  CHECK(answered == 7);
  release(known);
  release(unknown);
}

TEST_CASE("statistics count what moved") {
  const auto before = mirror::statistics();
  GrB_Vector v = make_vector(length, full_shape(), type_named("int32"), 35);
  { const auto use = mirror::read(v); }
  { const auto use = mirror::read(v); }
  {
    auto use = mirror::write(v);
    use.commit();
  }
  CHECK(mirror::to_host(v) == GrB_SUCCESS);
  CHECK(mirror::to_host(v) == GrB_SUCCESS);
  const auto after = mirror::statistics();
  CHECK(after.uploads == before.uploads + 1);
  CHECK(after.upload_bytes == before.upload_bytes + length * sizeof(int32_t));
  CHECK(after.downloads == before.downloads + 1);
  CHECK(after.download_bytes == before.download_bytes + length * sizeof(int32_t));
  CHECK(after.hits == before.hits + 2);
  CHECK(after.resident == before.resident + 1);
  CHECK(after.resident_bytes == before.resident_bytes + length * sizeof(int32_t));
  release(v);
  CHECK(mirror::statistics().resident == before.resident);
}

TEST_CASE("a vector handle is restored whichever way it is named, and may become a matrix") {
  GrB_Vector v = make_vector(length, full_shape(), type_named("int32"), 36);
  {
    auto use = mirror::write(v);
    use.commit();
  }
  const auto a = reinterpret_cast<GrB_Matrix>(v);
  CHECK(mirror::state(a) == State::device);
  {
    const auto held = mirror::read(v);
    CHECK_FALSE(reason_of([&] { mirror::read(a); }).empty());  // in use as a vector
  }
  CHECK(mirror::to_host(a) == GrB_SUCCESS);
  CHECK(mirror::state(v) == State::both);
  {
    const auto as_matrix = mirror::read(a);
    CHECK(as_matrix->nvals() == length);
    CHECK(as_matrix->columns == 1);
  }
  CHECK(mirror::state(v) == State::both);
  CHECK(mirror::read(v)->nvals() == length);
  CHECK(mirror::to_host(static_cast<GrB_Vector>(nullptr)) == GrB_SUCCESS);
  CHECK_FALSE(reason_of([&] { mirror::read(static_cast<GrB_Vector>(nullptr)); }).empty());
  release(v);
}

TEST_CASE(
    "element accesses between offloaded calls keep a vector on the host, unless offloading is always "
    "wanted") {
  GrB_Vector v = make_vector(length, full_shape(), type_named("int32"), 37);
  CHECK_FALSE(mirror::prefers_host(v));
  const auto offload = [&] {
    auto use = mirror::write(v);
    use.commit();
  };
  const auto set_on_host = [&] {
    mirror::note_element_access(v);
    REQUIRE(mirror::to_host(v) == GrB_SUCCESS);
    REQUIRE(GrB_Vector_setElement_INT32(v, 1, 2) == GrB_SUCCESS);
    mirror::host_changed(v);
  };
  for (int k = 0; k < 3; ++k) {
    offload();
    set_on_host();
    CHECK_FALSE(mirror::prefers_host(v));
  }
  offload();
  set_on_host();
  CHECK(mirror::prefers_host(v));
  Settings always = settings();
  always.offload = Offload::always;
  override_settings(always);
  CHECK_FALSE(mirror::prefers_host(v));
  always.offload = Offload::automatic;
  override_settings(always);
  CHECK(mirror::prefers_host(v));
  offload();
  for (int k = 0; k < 8; ++k) {
    CHECK_FALSE(mirror::prefers_host_elements(v));
    mirror::note_element_access(v);
    if (k < 7) const auto use = mirror::read(v);  // served by the device
  }
  CHECK(mirror::prefers_host_elements(v));
  always.offload = Offload::always;
  override_settings(always);
  CHECK(mirror::prefers_host_elements(v));  // each element is a wait for the device there, too
  release(v);
}
