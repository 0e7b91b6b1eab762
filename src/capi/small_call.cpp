// Calls that are too small for the device, which most are that a program on small objects makes: seen by a
// few loads, before anything is decoded or counted.
#include <algorithm>
#include <array>
#include <bit>

#include "src/capi/call.h"
#include "src/capi/growth.h"
#include "src/graphblas/dimensions.h"
#include "src/graphblas/real.h"
#include "src/mirror/mirror.h"
#include "src/mirror/presence.h"
#include "src/selector/habits.h"
#include "src/selector/placement.h"

namespace cugrb::capi {
namespace {

constexpr uint64_t beyond_all = ~uint64_t(0);

uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? beyond_all : product;
}

uint64_t plus(uint64_t a, uint64_t b) { return b > beyond_all - a ? beyond_all : a + b; }

/// The last two matrices that a call reads: a product's factors stand behind its mask.
class Factors {
 public:
  void next(uint64_t entries, const real::Dimensions& dimensions) {
    first_ = second_;
    second_ = {entries, std::max<uint64_t>(1, std::min(dimensions.along, dimensions.across))};
  }
  /// As selector::place estimates them, or more: of the inner dimension it is known that it is one of two.
  uint64_t products() const { return times(first_.entries, second_.entries) / second_.least_dimension; }
  bool has_few_rows(uint64_t few) const { return first_.least_dimension <= few; }
  uint64_t pairs() const { return times(first_.entries, second_.entries); }

 private:
  struct Factor {
    uint64_t entries = 0, least_dimension = 1;
  };
  Factor first_, second_;
};

/// What SuiteSparse goes through, or more. A matrix of many positions may have few entries; it is asked only
/// where the call reads it: to count the entries of an output would finish work that may wait.
uint64_t elements_of(const Handle& handle, const real::Dimensions& dimensions, uint64_t enough) {
  const uint64_t positions = times(dimensions.along, dimensions.across);
  if (positions <= enough || !handle.is_matrix || handle.role != Role::input) return positions;
  const auto matrix = static_cast<GrB_Matrix>(const_cast<void*>(handle.pointer));
  const auto& t = real::table();
  GrB_Index entries = 0;  // counting comes first: it may change the form
  int32_t form = 0;
  const bool known =
      t.GrB_Matrix_nvals(&entries, matrix) == GrB_SUCCESS &&
      t.GxB_Matrix_Option_get_INT32(matrix, real::options().sparsity_status, &form) == GrB_SUCCESS;
  const bool has_all_positions = (form & (GxB_BITMAP | GxB_FULL)) != 0;
  return known && !has_all_positions ? entries : positions;
}

/// How large each operand of a call is, in their order; 0 where there is none.
using Sizes = std::array<uint64_t, 8>;

void mix(uint64_t& hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  hash ^= hash >> 29;
}

/// Of larger operands of which the device has copies, each call is decided: one that the CPU is given out of
/// habit brings others of its loop to the CPU, which takes longer there than deciding.
constexpr uint64_t most_settled_with_copies = uint64_t(1) << 18;

/// What a call is known by to selector::Habits: the function, and for each operand how large it is, within a
/// factor of 2, and whether the device has a copy. A vector that is read may have few entries, on which
/// everything depends: within one of 4.
uint64_t kind_of(unsigned function, std::span<const Handle> handles, const Sizes& sizes) {
  uint64_t hash = function + 1;
  for (size_t n = 0; n < handles.size(); ++n) {
    const void* const pointer = handles[n].pointer;
    mix(hash, unsigned(std::bit_width(sizes[n])));
    if (pointer == nullptr) continue;
    if (!mirror::is_empty() && !mirror::is_on_host_alone(pointer)) mix(hash, 1);
    if (handles[n].is_matrix || handles[n].role != Role::input) continue;
    GrB_Index entries = 0;
    real::table().GrB_Vector_nvals(&entries, static_cast<GrB_Vector>(const_cast<void*>(pointer)));
    mix(hash, unsigned(std::bit_width(entries)) / 2);
  }
  return hash == 0 ? 1 : hash;
}

/// The handle names no content, or content that the call reads or writes and the host has, whoever else.
bool is_on_host(const Handle& handle) {
  if (handle.pointer == nullptr) return true;
  const bool used = handle.role == Role::input || handle.role == Role::inout || handle.role == Role::output;
  return used && (mirror::is_empty() || mirror::is_on_host(handle.pointer));
}

bool is_on_host_alone(const Handle& handle) {
  if (handle.pointer == nullptr || mirror::is_empty()) return is_on_host(handle);
  return is_on_host(handle) && mirror::is_on_host_alone(handle.pointer);
}

/// All positions of the operands together are at most so many.
bool has_at_most(std::span<const Handle> handles, uint64_t most) {
  uint64_t left = most;
  for (const Handle& handle : handles) {
    if (!is_on_host(handle)) return false;
    if (handle.pointer == nullptr) continue;
    const real::Dimensions dimensions = real::dimensions(handle.pointer);
    const uint64_t positions = times(dimensions.along, dimensions.across);
    if (positions > left) return false;
    left -= positions;
  }
  return true;
}

}  // namespace

/// The host has all operands, and the CPU has done the call before one on the device has begun: that is what
/// selector::place would say, whatever it were told of uses and uploads, for a small part of the time that it
/// takes to ask it. Or it has said so of such calls again and again.
bool Call::is_left_to_host() const {
  const Growth growth = growths[function_];
  if (growth == Growth::nothing) {
    const auto is_answered_there = [](const Handle& handle) {
      return handle.role == Role::input ? is_on_host(handle) : is_on_host_alone(handle);
    };
    if (std::all_of(handles_.begin(), handles_.end(), is_answered_there)) return true;
    selector::Habits::current().forget();
    return false;
  }
  const selector::SmallWork small = selector::small_work();
  const uint64_t most = growth == Growth::listed ? small.listed : small.elements;
  if (grows_with_positions(growth) && has_at_most(handles_, most)) return true;
  return growth != Growth::positions && is_small_or_settled();
}

bool Call::is_small_or_settled() const {
  selector::Habits& habits = selector::Habits::current();
  habits.forget();
  Sizes sizes{};
  if (handles_.size() > sizes.size()) return false;
  const Growth growth = growths[function_];
  const selector::SmallWork small = selector::small_work();
  uint64_t elements = 0, positions = 0;  // of all operands, of vectors
  Factors factors;
  for (size_t n = 0; n < handles_.size(); ++n) {
    const Handle& handle = handles_[n];
    if (!is_on_host(handle)) return false;
    if (handle.pointer == nullptr) continue;
    const real::Dimensions dimensions = real::dimensions(handle.pointer);
    sizes[n] = elements_of(handle, dimensions, elements < small.elements ? small.elements - elements : 0);
    elements = plus(elements, sizes[n]);
    if (!handle.is_matrix) positions = plus(positions, sizes[n]);
    if (handle.is_matrix && handle.role == Role::input) factors.next(sizes[n], dimensions);
  }
  const uint64_t products =
      factors.has_few_rows(small.few_rows) ? small.products_of_few_rows : small.products;
  const bool is_small = elements <= small.elements &&
                        (growth != Growth::listed || positions <= small.listed) &&
                        (growth != Growth::products || factors.products() <= products) &&
                        (growth != Growth::pairs || factors.pairs() <= small.elements);
  if (is_small) return true;
  const bool may_go_back =
      elements > most_settled_with_copies && !std::all_of(handles_.begin(), handles_.end(), is_on_host_alone);
  return !may_go_back && habits.settles(kind_of(function_, handles_, sizes));
}

}  // namespace cugrb::capi
