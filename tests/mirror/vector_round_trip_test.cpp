// Vectors: what goes up is what SuiteSparse has, what comes back is what the device has, and settings
// survive.
#include <cstring>

#include "src/mirror/mirror.h"
#include "tests/catch.h"
#include "tests/mirror/objects.h"
#include "tests/mirror/release.h"

using namespace cugrb;
using namespace cugrb::test;
using mirror::State;

namespace {

/// Entries of a device vector, straight from its buffers.
Entries entries_on_device(const formats::DeviceVector& v) {
  Entries entries;
  const size_t size = v.type.size;
  const auto values = v.values.to_host<char>(v.values.bytes());
  const auto value = [&](uint64_t k) { return std::string(values.data() + (v.iso ? 0 : k) * size, size); };
  if (v.form == Form::full) {
    for (uint64_t i = 0; i < v.length; ++i) entries[{i, 0}] = value(i);
  } else if (v.form == Form::bitmap) {
    const auto present = v.present.to_host<uint8_t>(v.length);
    for (uint64_t i = 0; i < v.length; ++i) {
      if (present[i] != 0) entries[{i, 0}] = value(i);
    }
  } else {
    const auto indices = v.indices.to_host<uint32_t>(v.nvals());
    for (uint64_t k = 0; k < v.nvals(); ++k) {
      if (k > 0) REQUIRE(indices[k - 1] < indices[k]);
      entries[{indices[k], 0}] = value(k);
    }
  }
  REQUIRE(entries.size() == v.nvals());
  return entries;
}

/// Bytes that `bring` brings down.
template <class Bring>
uint64_t bytes_down(const Bring& bring) {
  const uint64_t before = mirror::statistics().download_bytes;
  bring();
  return mirror::statistics().download_bytes - before;
}

GrB_Matrix object(GrB_Vector v) { return reinterpret_cast<GrB_Matrix>(v); }

std::vector<Shape> all_shapes(uint64_t length) {
  std::vector<Shape> shapes;
  for (const int form : {GxB_SPARSE, GxB_BITMAP, GxB_FULL}) {
    for (const bool iso : {false, true}) {
      for (const auto work :
           {Shape::Work::none, Shape::Work::pending, Shape::Work::zombies, Shape::Work::jumbled}) {
        Shape s;
        s.rows = length;
        s.form = form;
        s.by_column = true;
        s.iso = iso;
        s.entries = length / 3;
        s.work = work;
        shapes.push_back(s);
      }
    }
  }
  return shapes;
}

}  // namespace

TEST_CASE("an uploaded vector has SuiteSparse's entries in SuiteSparse's form") {
  for (const TestType& type : all_types()) {
    for (const Shape& shape : all_shapes(97)) {
      INFO(describe(shape, type));
      GrB_Vector v = make_vector(97, shape, type, 1);
      GrB_Vector reference =
          make_vector(97, shape, type, 1);  // not a dup: that would finish the pending work
      const Entries expected = test::entries_of(reference, type);
      const uint64_t bytes = mirror::upload_bytes(v);
      {
        const mirror::VectorUse use = mirror::read(v);
        CHECK(mirror::state(v) == State::both);
        CHECK(use->bytes() == bytes);
        CHECK(use->type.size == type.size);
        CHECK(use->length == 97);
        CHECK(entries_on_device(*use) == expected);
        const Options options = options_of(object(v));
        CHECK(use->iso == (options.iso && !expected.empty()));
        const Form form = options.status == GxB_FULL     ? Form::full
                          : options.status == GxB_BITMAP ? Form::bitmap
                                                         : Form::sparse;
        CHECK(use->form == form);
      }
      CHECK(mirror::upload_bytes(v) == 0);
      CHECK(test::entries_of(v, type) == expected);  // reading has not changed the host's content
      release(v);
      GrB_Vector_free(&reference);
    }
  }
}

TEST_CASE("a vector changed on the device comes back with its entries and settings") {
  for (const TestType& type : all_types()) {
    for (const Shape& shape : all_shapes(61)) {
      INFO(describe(shape, type));
      GrB_Vector v = make_vector(61, shape, type, 2);
      GrB_Vector other = make_vector(61, shape, type, 3);
      const Entries expected = test::entries_of(other, type);
      REQUIRE(GxB_Vector_Option_set(v, GxB_BITMAP_SWITCH, 0.0625) == GrB_SUCCESS);
      const Options before = options_of(object(v));
      {
        const mirror::VectorUse source = mirror::read(other);
        mirror::VectorUse use = mirror::write(v, false);
        *use = *source;
        use.commit();
      }
      CHECK(mirror::state(v) == State::device);
      GrB_Index nvals = 0;
      CHECK(mirror::unsettled_nvals(v, &nvals));
      CHECK(nvals == expected.size());
      CHECK(mirror::to_host(v) == GrB_SUCCESS);
      CHECK(mirror::state(v) == State::both);
      CHECK(test::entries_of(v, type) == expected);
      const Options after = options_of(object(v));
      CHECK(after.sparsity_control == before.sparsity_control);
      CHECK(after.hyper_switch == before.hyper_switch);
      CHECK(after.bitmap_switch == before.bitmap_switch);
      CHECK(after.format == before.format);
      release(v);
      release(other);
    }
  }
}

TEST_CASE("a stale host content is never seen again") {
  const TestType& type = type_named("fp32");
  GrB_Vector v = make_vector(40, all_shapes(40)[0], type, 4);
  GrB_Vector w = make_vector(40, all_shapes(40)[16], type, 5);
  const Entries expected = test::entries_of(w, type);
  {
    const auto source = mirror::read(w);
    auto use = mirror::write(v);
    *use = *source;
    use.commit();
  }
  // Behind the mirror's back the shell gets other content, with work left to do.
  REQUIRE(GrB_Vector_clear(v) == GrB_SUCCESS);
  REQUIRE(GrB_Vector_setElement_FP32(v, 1234, 7) == GrB_SUCCESS);
  CHECK(entries_on_device(*mirror::read(v)) == expected);
  CHECK(mirror::to_host(v) == GrB_SUCCESS);
  CHECK(test::entries_of(v, type) == expected);
  release(v);
  release(w);
}

TEST_CASE("a vector that stays on the device gives its host memory back") {
  const TestType& type = type_named("fp64");
  Shape shape;
  shape.form = GxB_FULL;
  GrB_Vector v = make_vector(300000, shape, type, 6);
  const Entries expected = test::entries_of(v, type);
  const auto commit = [&] {
    auto use = mirror::write(v);
    use.commit();
  };
  size_t before = 0, after_first = 0, after_second = 0;
  GxB_Vector_memoryUsage(&before, v);
  commit();
  GxB_Vector_memoryUsage(&after_first, v);
  commit();
  GxB_Vector_memoryUsage(&after_second, v);
  CHECK(before > 2400000);
  CHECK(after_first == before);  // one visit to the device costs nothing on the host
  CHECK(after_second < 1000);
  CHECK(mirror::to_host(v) == GrB_SUCCESS);
  CHECK(test::entries_of(v, type) == expected);
  CHECK(options_of(object(v)).status == GxB_FULL);
  release(v);
}

TEST_CASE("an output that is not committed leaves everything as it was") {
  const TestType& type = type_named("int32");
  GrB_Vector v = make_vector(50, all_shapes(50)[0], type, 7);
  const Entries expected = test::entries_of(v, type);
  { auto use = mirror::write(v, false); }
  CHECK(mirror::state(v) == State::host);
  {
    auto use = mirror::write(v);
    use->set_nvals(0);  // half of an operation that then failed
    use->indices = {};
  }
  CHECK(mirror::state(v) == State::host);
  CHECK(entries_on_device(*mirror::read(v)) == expected);
  {
    const auto old = mirror::read(v);
    auto use = mirror::write(v, false);
    CHECK(use->nvals() == 0);
    CHECK(old->nvals() == expected.size());
    use.commit();
    CHECK(use->nvals() == 0);
  }
  CHECK(mirror::to_host(v) == GrB_SUCCESS);
  CHECK(test::entries_of(v, type).empty());
  release(v);
}

TEST_CASE("a commit clears the error text of the output's last call") {
  GrB_Vector v = make_vector(10, all_shapes(10)[0], type_named("fp32"), 8);
  REQUIRE(GrB_Vector_setElement_FP32(v, 1, 99) != GrB_SUCCESS);
  const char* text = nullptr;
  REQUIRE(GrB_Vector_error(&text, v) == GrB_SUCCESS);
  REQUIRE(std::strlen(text) > 0);
  {
    auto use = mirror::write(v);
    use.commit();
  }
  REQUIRE(GrB_Vector_error(&text, v) == GrB_SUCCESS);
  CHECK(std::string(text).empty());
  release(v);
}

TEST_CASE("a sparsity control that was set while the device had the truth is in force on the host") {
  const TestType& type = type_named("fp32");
  GrB_Vector v = make_vector(64, all_shapes(64)[0], type, 9);
  const Entries expected = test::entries_of(v, type);
  CHECK_FALSE(mirror::defer_sparsity_control(v, GxB_BITMAP));
  {
    auto use = mirror::write(v);
    use.commit();
  }
  int32_t control = 0;
  CHECK_FALSE(mirror::deferred_sparsity_control(v, &control));
  CHECK(mirror::defer_sparsity_control(v, GxB_BITMAP));
  CHECK(mirror::deferred_sparsity_control(v, &control));
  CHECK(control == GxB_BITMAP);
  CHECK(mirror::to_host(v) == GrB_SUCCESS);
  CHECK(options_of(object(v)).sparsity_control == GxB_BITMAP);
  CHECK(options_of(object(v)).status == GxB_BITMAP);
  CHECK(test::entries_of(v, type) == expected);
  release(v);
}

TEST_CASE("vectors without positions or without entries go up and come back") {
  const TestType& type = type_named("int64");
  for (const uint64_t length : {uint64_t(0), uint64_t(1), uint64_t(1) << 40}) {
    INFO(length);
    GrB_Vector v = nullptr;
    REQUIRE(GrB_Vector_new(&v, type.handle, length) == GrB_SUCCESS);
    {
      auto use = mirror::write(v);
      CHECK(use->nvals() == 0);
      CHECK(use->length == length);
      use.commit();
    }
    CHECK(mirror::to_host(v) == GrB_SUCCESS);
    CHECK(test::entries_of(v, type).empty());
    release(v);
  }
}

TEST_CASE("positions beyond 32 bits survive") {
  const TestType& type = type_named("int32");
  GrB_Vector v = nullptr;
  REQUIRE(GrB_Vector_new(&v, GrB_INT32, uint64_t(1) << 40) == GrB_SUCCESS);
  for (int k = 0; k < 20; ++k)
    REQUIRE(GrB_Vector_setElement_INT32(v, k, (uint64_t(1) << 39) + 77 * k) == GrB_SUCCESS);
  const Entries expected = test::entries_of(v, type);
  {
    auto use = mirror::write(v);
    CHECK(use->indices.to_host<uint64_t>(20)[19] == (uint64_t(1) << 39) + 77 * 19);
    use.commit();
  }
  REQUIRE(GrB_Vector_clear(v) == GrB_SUCCESS);
  CHECK(mirror::to_host(v) == GrB_SUCCESS);
  CHECK(test::entries_of(v, type) == expected);
  release(v);
}

TEST_CASE("types that the device cannot know are declined") {
  start_graphblas();
  GrB_Type opaque = nullptr;
  REQUIRE(GrB_Type_new(&opaque, 24) == GrB_SUCCESS);
  GrB_Vector v = nullptr;
  REQUIRE(GrB_Vector_new(&v, opaque, 5) == GrB_SUCCESS);
  CHECK(reason_of([&] { mirror::write(v); }).find("definition") != std::string::npos);
  CHECK(mirror::state(v) == State::host);
  release(v);
  GrB_Type_free(&opaque);
}

#if GxB_IMPLEMENTATION_MAJOR >= 9
TEST_CASE("an object's name survives") {
  GrB_Vector v = make_vector(20, all_shapes(20)[0], type_named("fp32"), 10);
  char name[] = "ranks";
  REQUIRE(GrB_Vector_set_String(v, name, GrB_NAME) == GrB_SUCCESS);
  for (int round = 0; round < 2; ++round) {
    {
      auto use = mirror::write(v);
      use.commit();
    }
    CHECK(mirror::to_host(v) == GrB_SUCCESS);
    mirror::stress_evict(v);
    CHECK(mirror::to_host(v) == GrB_SUCCESS);
    char found[64] = "";
    CHECK(GrB_Vector_get_String(v, found, GrB_NAME) == GrB_SUCCESS);
    CHECK(std::string(found) == "ranks");
  }
  release(v);
}
#endif

TEST_CASE("of a long bitmap with few entries a list comes down") {
  constexpr GrB_Index length = GrB_Index(1) << 22, places[] = {0, 4321, length - 1};
  start_graphblas();
  GrB_Vector v = nullptr;
  REQUIRE(GrB_Vector_new(&v, GrB_INT32, length) == GrB_SUCCESS);
  for (const GrB_Index i : places)
    REQUIRE(GrB_Vector_setElement_INT32(v, int32_t(i % 1000), i) == GrB_SUCCESS);
  {
    auto use = mirror::write(v, /*keep=*/true);
    *use = formats::to_bitmap(*use);
    use.commit();
  }
  REQUIRE(mirror::state(v) == State::device);
  CHECK(bytes_down([&] { CHECK(mirror::to_host(v) == GrB_SUCCESS); }) < 1000);
  GrB_Index count = 0;
  CHECK(GrB_Vector_nvals(&count, v) == GrB_SUCCESS);
  CHECK(count == 3);
  for (const GrB_Index i : places) {
    int32_t value = -1;
    CHECK(GrB_Vector_extractElement_INT32(&value, v, i) == GrB_SUCCESS);
    CHECK(value == int32_t(i % 1000));
  }
  release(v);
}
