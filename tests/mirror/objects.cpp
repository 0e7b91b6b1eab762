#include "tests/mirror/objects.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>

#include "src/graphblas/real.h"
#include "src/mirror/mirror.h"

namespace cugrb::test {
namespace {

std::atomic<uint64_t> allocations{0}, fail_at{0};
std::atomic<bool> fail_on{false};
std::atomic<int64_t> live{0};

bool must_fail() {
  const uint64_t n = ++allocations;
  const uint64_t at = fail_at;
  return at != 0 && (n == at || (n > at && fail_on));
}
void* counted(void* memory) {
  if (memory != nullptr) ++live;
  return memory;
}
void* test_malloc(size_t bytes) { return must_fail() ? nullptr : counted(std::malloc(bytes)); }
void* test_calloc(size_t n, size_t size) { return must_fail() ? nullptr : counted(std::calloc(n, size)); }
void* test_realloc(void* memory, size_t bytes) {
  if (memory == nullptr) return test_malloc(bytes);
  return must_fail() ? nullptr : std::realloc(memory, bytes);
}
void test_free(void* memory) {
  if (memory != nullptr) --live;
  std::free(memory);
}

void check(GrB_Info info, const char* what) {
  if (info != GrB_SUCCESS && info != GrB_NO_VALUE) {
    throw std::runtime_error(std::string(what) + " gave " + std::to_string(info));
  }
}
#define CHECK_CALL(call) check(call, #call)

struct Point {
  int32_t x, y, z;
};
constexpr const char* point_definition = "typedef struct { int32_t x, y, z ; } Point ;";
GrB_Type point_type = nullptr;

template <class T>
std::string bytes_of(int number) {
  const T value = static_cast<T>(number);
  return std::string(reinterpret_cast<const char*>(&value), sizeof(T));
}
template <>
std::string bytes_of<bool>(int number) {
  return std::string(1, static_cast<char>(number & 1));
}
template <>
std::string bytes_of<Point>(int number) {
  const Point value{number, -number, number * 7};
  return std::string(reinterpret_cast<const char*>(&value), sizeof(Point));
}

template <class T, class Extract>
Entries extract(GrB_Matrix object, uint64_t count, const Extract& function) {
  std::vector<GrB_Index> rows(count + 1), columns(count + 1);
  const std::unique_ptr<T[]> values(new T[count + 1]);
  GrB_Index n = count;
  CHECK_CALL(function(rows.data(), columns.data(), values.get(), &n, object));
  Entries entries;
  for (uint64_t k = 0; k < n; ++k) {
    entries[{rows[k], columns[k]}] = std::string(reinterpret_cast<const char*>(&values[k]), sizeof(T));
  }
  return entries;
}

}  // namespace

void start_graphblas() {
  static const bool started = [] {
    CHECK_CALL(GxB_init(GrB_NONBLOCKING, test_malloc, test_calloc, test_realloc, test_free));
    real::set_allocators(test_malloc, nullptr, test_free);
    // Freed blocks that SuiteSparse keeps for itself would hide allocations from the counts.
    int64_t no_pool[64] = {};
    CHECK_CALL(GxB_Global_Option_set(GxB_MEMORY_POOL, no_pool));
    CHECK_CALL(GxB_Type_new(&point_type, sizeof(Point), "Point", point_definition));
    mirror::record_type(point_type, "Point", point_definition, sizeof(Point));
    return true;
  }();
  static_cast<void>(started);
}

void fail_allocation(uint64_t n, bool forever) {
  allocations = 0;
  fail_on = forever;
  fail_at = n;
}
uint64_t allocation_count() { return allocations; }
int64_t live_allocations() { return live; }

const std::vector<TestType>& all_types() {
  start_graphblas();
  static const std::vector<TestType> types = {
      {"bool", GrB_BOOL, 1, bytes_of<bool>},         {"int8", GrB_INT8, 1, bytes_of<int8_t>},
      {"int16", GrB_INT16, 2, bytes_of<int16_t>},    {"int32", GrB_INT32, 4, bytes_of<int32_t>},
      {"int64", GrB_INT64, 8, bytes_of<int64_t>},    {"uint8", GrB_UINT8, 1, bytes_of<uint8_t>},
      {"uint16", GrB_UINT16, 2, bytes_of<uint16_t>}, {"uint32", GrB_UINT32, 4, bytes_of<uint32_t>},
      {"uint64", GrB_UINT64, 8, bytes_of<uint64_t>}, {"fp32", GrB_FP32, 4, bytes_of<float>},
      {"fp64", GrB_FP64, 8, bytes_of<double>},       {"Point", point_type, sizeof(Point), bytes_of<Point>}};
  return types;
}

const TestType& type_named(const std::string& name) {
  for (const TestType& type : all_types()) {
    if (name == type.name) return type;
  }
  throw std::runtime_error("no test type " + name);
}

Entries entries_of(GrB_Matrix object, const TestType& type) {
  GrB_Index n = 0;
  CHECK_CALL(GrB_Matrix_nvals(&n, object));
  const std::string name = type.name;
  if (name == "bool") return extract<bool>(object, n, GrB_Matrix_extractTuples_BOOL);
  if (name == "int8") return extract<int8_t>(object, n, GrB_Matrix_extractTuples_INT8);
  if (name == "int16") return extract<int16_t>(object, n, GrB_Matrix_extractTuples_INT16);
  if (name == "int32") return extract<int32_t>(object, n, GrB_Matrix_extractTuples_INT32);
  if (name == "int64") return extract<int64_t>(object, n, GrB_Matrix_extractTuples_INT64);
  if (name == "uint8") return extract<uint8_t>(object, n, GrB_Matrix_extractTuples_UINT8);
  if (name == "uint16") return extract<uint16_t>(object, n, GrB_Matrix_extractTuples_UINT16);
  if (name == "uint32") return extract<uint32_t>(object, n, GrB_Matrix_extractTuples_UINT32);
  if (name == "uint64") return extract<uint64_t>(object, n, GrB_Matrix_extractTuples_UINT64);
  if (name == "fp32") return extract<float>(object, n, GrB_Matrix_extractTuples_FP32);
  if (name == "fp64") return extract<double>(object, n, GrB_Matrix_extractTuples_FP64);
  return extract<Point>(object, n, GrB_Matrix_extractTuples_UDT);
}

Options options_of(GrB_Matrix object) {
  Options o;
  CHECK_CALL(GxB_Matrix_Option_get(object, GxB_SPARSITY_CONTROL, &o.sparsity_control));
  CHECK_CALL(GxB_Matrix_Option_get(object, GxB_SPARSITY_STATUS, &o.status));
  CHECK_CALL(GxB_Matrix_Option_get(object, GxB_FORMAT, &o.format));
  CHECK_CALL(GxB_Matrix_Option_get(object, GxB_HYPER_SWITCH, &o.hyper_switch));
  CHECK_CALL(GxB_Matrix_Option_get(object, GxB_BITMAP_SWITCH, &o.bitmap_switch));
  CHECK_CALL(GxB_Matrix_iso(&o.iso, object));
  return o;
}

std::string describe(const Shape& s, const TestType& type) {
  const char* forms[] = {"", "hypersparse", "sparse", "", "bitmap", "", "", "", "full"};
  const char* works[] = {"clean", "pending", "zombies", "jumbled"};
  return std::string(type.name) + " " + std::to_string(s.rows) + "x" + std::to_string(s.columns) + " " +
         forms[s.form] + (s.by_column ? " by column" : " by row") + (s.iso ? " iso " : " ") +
         works[static_cast<int>(s.work)] + " " + std::to_string(s.entries) + " entries";
}

void set_entry(GrB_Matrix a, uint64_t i, uint64_t j, const TestType& type, int number) {
  const std::string bytes = type.bytes_of(number);
  if (std::string(type.name) == "Point") {
    CHECK_CALL(GrB_Matrix_setElement_UDT(a, const_cast<char*>(bytes.data()), i, j));
  } else if (std::string(type.name) == "bool") {
    CHECK_CALL(GrB_Matrix_setElement_BOOL(a, number & 1, i, j));
  } else {
    CHECK_CALL(GrB_Matrix_setElement_INT64(a, number, i, j));
  }
}

namespace {

void fill(GrB_Matrix a, const Shape& s, const TestType& type, std::mt19937& random) {
  const auto number = [&] { return s.iso ? 3 : static_cast<int>(random() % 100) + 1; };
  if (s.iso && s.form == GxB_FULL) {
    // Element by element an object never becomes iso; assigning a scalar to all of it makes it so.
    const std::string value = type.bytes_of(3);
    if (std::string(type.name) == "Point") {
      CHECK_CALL(GrB_Matrix_assign_UDT(a, nullptr, nullptr, const_cast<char*>(value.data()), GrB_ALL, s.rows,
                                       GrB_ALL, s.columns, nullptr));
    } else {
      CHECK_CALL(
          GrB_Matrix_assign_INT64(a, nullptr, nullptr, 3, GrB_ALL, s.rows, GrB_ALL, s.columns, nullptr));
    }
    return;
  }
  if (s.form == GxB_FULL) {
    for (uint64_t i = 0; i < s.rows; ++i) {
      for (uint64_t j = 0; j < s.columns; ++j) set_entry(a, i, j, type, number());
    }
  } else {
    for (uint64_t k = 0; k < s.entries && s.rows * s.columns > 0; ++k) {
      set_entry(a, random() % s.rows, random() % s.columns, type, number());
    }
  }
  CHECK_CALL(GrB_Matrix_wait(a, GrB_MATERIALIZE));
}

/// Rows as SuiteSparse leaves them after a product: not sorted.
void jumble(GrB_Matrix a, const Shape& s) {
  if (s.form != GxB_SPARSE || s.entries == 0) return;
  GrB_Index *p = nullptr, *i = nullptr;
  void* x = nullptr;
  GrB_Index p_bytes = 0, i_bytes = 0, x_bytes = 0;
  bool iso = false, jumbled = false;
  const auto unpack = s.by_column ? GxB_Matrix_unpack_CSC : GxB_Matrix_unpack_CSR;
  const auto pack = s.by_column ? GxB_Matrix_pack_CSC : GxB_Matrix_pack_CSR;
  CHECK_CALL(unpack(a, &p, &i, &x, &p_bytes, &i_bytes, &x_bytes, &iso, &jumbled, nullptr));
  const uint64_t vectors = s.by_column ? s.columns : s.rows;
  GrB_Type type = nullptr;
  CHECK_CALL(GxB_Matrix_type(&type, a));
  size_t value_bytes = 0;
  CHECK_CALL(GxB_Type_size(&value_bytes, type));
  for (uint64_t v = 0; v < vectors; ++v) {
    for (uint64_t lo = p[v], hi = p[v + 1]; lo + 1 < hi; ++lo) {
      --hi;
      std::swap(i[lo], i[hi]);
      if (iso) continue;
      char* const low = static_cast<char*>(x) + lo * value_bytes;
      std::swap_ranges(low, low + value_bytes, static_cast<char*>(x) + hi * value_bytes);
    }
  }
  CHECK_CALL(pack(a, &p, &i, &x, p_bytes, i_bytes, x_bytes, iso, true, nullptr));
}

void leave_work(GrB_Matrix a, const Shape& s, const TestType& type, std::mt19937& random) {
  switch (s.work) {
    case Shape::Work::none:
      break;
    case Shape::Work::pending:
      for (int k = 0; k < 3; ++k)
        set_entry(a, random() % s.rows, random() % s.columns, type, s.iso ? 3 : k + 50);
      break;
    case Shape::Work::zombies: {
      const Entries entries = entries_of(a, type);
      int k = 0;
      for (const auto& [position, value] : entries) {
        if (++k % 3 == 0) CHECK_CALL(GrB_Matrix_removeElement(a, position.first, position.second));
      }
      break;
    }
    case Shape::Work::jumbled:
      jumble(a, s);
      break;
  }
}

/// Setting the sparsity control makes the object conform to it: filled element by element it may be in
/// another form.
void conform(GrB_Matrix a, const Shape& s) {
  CHECK_CALL(GxB_Matrix_Option_set(a, GxB_SPARSITY_CONTROL, s.form));
}

}  // namespace

GrB_Matrix make_matrix(const Shape& s, const TestType& type, unsigned seed) {
  start_graphblas();
  std::mt19937 random(seed);
  GrB_Matrix a = nullptr;
  CHECK_CALL(GrB_Matrix_new(&a, type.handle, s.rows, s.columns));
  CHECK_CALL(GxB_Matrix_Option_set(a, GxB_FORMAT, s.by_column ? GxB_BY_COL : GxB_BY_ROW));
  CHECK_CALL(GxB_Matrix_Option_set(a, GxB_SPARSITY_CONTROL, s.form));
  fill(a, s, type, random);
  if (s.iso && s.form != GxB_FULL && s.entries > 0 && std::string(type.name) != "Point") {
    // A<A,struct> = 3: every entry the same, known to be.
    CHECK_CALL(GrB_Matrix_assign_INT64(a, a, nullptr, 3, GrB_ALL, s.rows, GrB_ALL, s.columns, GrB_DESC_S));
  }
  conform(a, s);
  leave_work(a, s, type, random);
  return a;
}

GrB_Vector make_vector(uint64_t length, const Shape& shape, const TestType& type, unsigned seed) {
  start_graphblas();
  Shape s = shape;
  s.rows = length;
  s.columns = 1;
  s.by_column = true;
  std::mt19937 random(seed);
  GrB_Vector v = nullptr;
  CHECK_CALL(GrB_Vector_new(&v, type.handle, length));
  const auto a = reinterpret_cast<GrB_Matrix>(v);
  CHECK_CALL(GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, s.form));
  fill(a, s, type, random);
  if (s.iso && s.form != GxB_FULL && s.entries > 0 && std::string(type.name) != "Point") {
    CHECK_CALL(GrB_Vector_assign_INT64(v, v, nullptr, 3, GrB_ALL, length, GrB_DESC_S));
  }
  conform(a, s);
  leave_work(a, s, type, random);
  return v;
}

}  // namespace cugrb::test
