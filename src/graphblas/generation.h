// What differs between the generations of SuiteSparse:GraphBLAS: the numbers of options, and where an
// iterator keeps an object's arrays. The generation shows in the library's symbols, before GrB_init.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "graphblas_functions.h"  // generated: struct cugrb::real::Functions

namespace cugrb::real {

/// Versions 7.4, 8.0 to 8.3, 9.0 to 9.4, and 10.0 and later.
enum class Generation : uint8_t { seven, eight, nine, ten };

/// The newest whose functions the library has.
Generation generation_of(const Functions& functions);

/// Option fields that cuGrB asks for itself (GxB_Option_Field), and the modes of GrB_init that mean a GPU.
struct OptionNumbers {
  int hyper_switch, bitmap_switch, format, library_version, sparsity_status, sparsity_control;
  int blocking_gpu;
};
OptionNumbers option_numbers(Generation generation);

/// Fields of GrB_get and GrB_set, which generation nine brought.
inline constexpr int field_name = 10;          ///< GrB_NAME
inline constexpr int field_orientation = 100;  ///< GrB_STORAGE_ORIENTATION_HINT
inline constexpr int field_type_code = 102;    ///< GrB_EL_TYPE_CODE
inline constexpr int field_hyper_hash = 7048;  ///< GxB_HYPER_HASH
/// Fields of generation ten.
inline constexpr int field_row_index_hint = 7053, field_column_index_hint = 7054, field_offset_hint = 7056;
inline constexpr int field_row_index_bits = 7057, field_column_index_bits = 7058, field_offset_bits = 7059;
inline constexpr int field_is_readonly = 7078;
inline constexpr int field_data_arena = 7105;  ///< from 10.4 on

/// An array of integers of 32 or 64 bits, none of them negative, where it lies; null where there is none.
struct Integers {
  const void* data = nullptr;
  bool narrow = false;  ///< 32 bits each

  Integers() = default;
  Integers(const uint32_t* integers) : data(integers), narrow(true) {}
  Integers(const uint64_t* integers) : data(integers) {}
  Integers(const int64_t* integers) : data(integers) {}

  explicit operator bool() const { return data != nullptr; }
  uint64_t operator[](uint64_t k) const {
    return narrow ? static_cast<const uint32_t*>(data)[k] : static_cast<const uint64_t*>(data)[k];
  }
  /// body(the array, by its own type).
  template <class Body>
  auto visit(const Body& body) const {
    return narrow ? body(static_cast<const uint32_t*>(data)) : body(static_cast<const uint64_t*>(data));
  }
  /// The array from its k-th integer on.
  Integers from(uint64_t k) const {
    return visit([&](const auto* array) { return Integers(array + k); });
  }
  /// The first k in [begin, end) whose integer is at least `bound`, else `end`. The integers there ascend.
  uint64_t lower_bound(uint64_t begin, uint64_t end, uint64_t bound) const {
    return visit([&](const auto* array) {
      return static_cast<uint64_t>(std::lower_bound(array + begin, array + end, bound) - array);
    });
  }
};

/// What GB_Iterator_attach writes: the object's arrays, as they lie in it. Read by copying out of a buffer
/// that is larger than any version's structure, because each version writes its own size.
struct AttachedArrays {
  uint64_t vector_length = 0;   ///< positions of each vector
  uint64_t vectors = 0;         ///< across
  uint64_t listed_vectors = 0;  ///< vectors that the arrays name or hold
  Integers offsets, names, indices;
  const int8_t* present = nullptr;
  const void* values = nullptr;
  size_t value_bytes = 0;
  int form = 0;  ///< GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP or GxB_FULL
  bool iso = false, by_column = false;
};

/// Attaches an iterator to the object, which finishes its pending work, and copies out what it points to.
/// False when the library refuses, or when both widths of an array are given.
bool attached_arrays(const Functions& functions, Generation generation, GrB_Matrix object,
                     AttachedArrays* arrays);

}  // namespace cugrb::real
