#include "src/operations/iso_product.h"

#include <algorithm>
#include <initializer_list>

#include "src/formats/constants.h"
#include "src/operations/matrix_compact.h"

namespace cugrb::operations {

using runtime::Buffer;

namespace {

bool is_one_of(const std::string& stem, std::initializer_list<const char*> stems) {
  return std::any_of(stems.begin(), stems.end(), [&](const char* one) { return stem == one; });
}

/// Copies of a value add up to that value.
bool keeps_copies(const Monoid& add) {
  const std::string& stem = add.op.stem;
  if (add.is_any || is_one_of(stem, {"land", "lor", "band", "bor", "minimum", "maximum"})) return true;
  return add.type().code == TypeCode::Bool && is_one_of(stem, {"plus", "times"});
}

/// Ones add up to one.
bool keeps_ones(const Monoid& add) {
  return keeps_copies(add) || is_one_of(add.op.stem, {"times", "eq", "lxnor"});
}

/// multiply(x, y) of the factors' first values, in the type of the sums.
Buffer one_term(const Semiring& semiring, const Factor& x, const Factor& y) {
  const BinaryOp& multiply = semiring.multiply;
  DeviceVector term = DeviceVector::empty(semiring.add.type(), 1);
  ewise_mult({term, {}, std::nullopt, false}, multiply, DeviceVector::full_of(x.type, 1, x.values),
             DeviceVector::full_of(y.type, 1, y.values));
  return term.values;
}

}  // namespace

Factor factor_of(const DeviceMatrix& matrix) {
  const formats::Csr& stored = matrix.stored;
  return {matrix.type, stored.values, stored.iso || stored.entries == 1, is_full(stored)};
}

Factor factor_of(const DeviceVector& vector) {
  const bool one_entry =
      vector.parts == nullptr && vector.form != Form::bitmap && vector.nvals_known() && vector.nvals() == 1;
  return {vector.type, vector.values, vector.iso || one_entry, vector.form == Form::full};
}

std::optional<Buffer> one_product(const Semiring& semiring, const Factor& x, const Factor& y,
                                  uint64_t inner) {
  const BinaryOp& multiply = semiring.multiply;
  if (multiply.stem == "any_value" && x.iso && !y.iso)  // ANY takes the iso one
    return one_product(catalogue::make_semiring(semiring.add, catalogue::first(multiply.z)), x, y, inner);
  if (multiply.positional != Positional::None) return std::nullopt;
  if (!multiply.reads_x && !multiply.reads_y) {
    if (keeps_ones(semiring.add)) return one_term(semiring, x, y);
  } else {
    if ((multiply.reads_x && !x.iso) || (multiply.reads_y && !y.iso)) return std::nullopt;
    if (keeps_copies(semiring.add)) return one_term(semiring, x, y);
  }
  if (!x.iso || !y.iso || !x.full || !y.full) return std::nullopt;
  const DeviceVector terms = DeviceVector::full_of(semiring.add.type(), inner, one_term(semiring, x, y));
  const std::optional<Value> sum = reduce(semiring.add, terms);
  return formats::constant(sum->bytes.data(), sum->bytes.size());
}

const Semiring& pattern_semiring() {
  static const Semiring any_pair = *catalogue::semiring("ANY_PAIR_BOOL");
  return any_pair;
}

}  // namespace cugrb::operations
