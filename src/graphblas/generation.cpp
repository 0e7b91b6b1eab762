#include "src/graphblas/generation.h"

#include <cstring>

namespace cugrb::real {
namespace {

/// Every version's structure is smaller: 128 bytes (7.4 to 9.4), 152 (10.0), 224 (10.4).
constexpr size_t iterator_room = 1024;

/// What moves with the iterator, in all versions: pstart, pend, p, k, header_size, pmax.
struct Position {
  int64_t words[6];
};

/// GB_Iterator_opaque of 7.4 to 9.4, after the position.
struct WideArrays {
  int64_t vector_length, vectors, listed_vectors;
  const int64_t *offsets, *names;
  const int8_t* present;
  const int64_t* indices;
  const void* values;
  size_t value_bytes;
  int form;
  bool iso, by_column;
};

/// GB_Iterator_opaque of 10.0 and later: of the two pointers for an array at most one is set.
struct EitherArrays {
  int64_t vector_length, vectors, listed_vectors;
  const uint32_t* offsets32;
  const uint64_t* offsets64;
  const uint32_t* names32;
  const uint64_t* names64;
  const uint32_t* indices32;
  const uint64_t* indices64;
  const int8_t* present;
  const void* values;
  size_t value_bytes;
  int form;
  bool iso, by_column;
};

template <class Arrays>
Arrays read(const char* iterator) {
  Arrays arrays;
  std::memcpy(&arrays, iterator + sizeof(Position), sizeof arrays);
  return arrays;
}

template <class Arrays>
AttachedArrays common(const Arrays& from) {
  AttachedArrays to;
  to.vector_length = static_cast<uint64_t>(from.vector_length);
  to.vectors = static_cast<uint64_t>(from.vectors);
  to.listed_vectors = static_cast<uint64_t>(from.listed_vectors);
  to.present = from.present;
  to.values = from.values;
  to.value_bytes = from.value_bytes;
  to.form = from.form;
  to.iso = from.iso;
  to.by_column = from.by_column;
  return to;
}

/// Of an array that exists in one width; false when it claims both.
bool choose(const uint32_t* narrow, const uint64_t* wide, Integers* integers) {
  if (narrow != nullptr && wide != nullptr) return false;
  *integers = narrow != nullptr ? Integers(narrow) : Integers(wide);
  return true;
}

bool copy_out(const char* iterator, Generation generation, AttachedArrays* arrays) {
  if (generation != Generation::ten) {
    const auto wide = read<WideArrays>(iterator);
    *arrays = common(wide);
    arrays->offsets = wide.offsets;
    arrays->names = wide.names;
    arrays->indices = wide.indices;
    return true;
  }
  const auto either = read<EitherArrays>(iterator);
  *arrays = common(either);
  return choose(either.offsets32, either.offsets64, &arrays->offsets) &&
         choose(either.names32, either.names64, &arrays->names) &&
         choose(either.indices32, either.indices64, &arrays->indices);
}

}  // namespace

Generation generation_of(const Functions& functions) {
  if (functions.GxB_Vector_load != nullptr) return Generation::ten;
  if (functions.GrB_Matrix_get_INT32 != nullptr) return Generation::nine;
  if (functions.GxB_Context_new != nullptr) return Generation::eight;
  return Generation::seven;
}

OptionNumbers option_numbers(Generation generation) {
  if (generation == Generation::seven) {
    return {.hyper_switch = 0,
            .bitmap_switch = 34,
            .format = 1,
            .library_version = 9,
            .sparsity_status = 33,
            .sparsity_control = 32,
            .blocking_gpu = 3};
  }
  return {.hyper_switch = 7000,
          .bitmap_switch = 7001,
          .format = 7002,
          .library_version = 7005,
          .sparsity_status = 7034,
          .sparsity_control = 7036,
          .blocking_gpu = 7098};
}

bool attached_arrays(const Functions& functions, Generation generation, GrB_Matrix object,
                     AttachedArrays* arrays) {
  alignas(16) char iterator[iterator_room] = {};
  const auto handle = reinterpret_cast<GxB_Iterator>(iterator);
  if (functions.GB_Iterator_attach(handle, object, GxB_NO_FORMAT, nullptr) != GrB_SUCCESS) return false;
  return copy_out(iterator, generation, arrays);
}

}  // namespace cugrb::real
