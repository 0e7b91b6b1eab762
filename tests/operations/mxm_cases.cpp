#include "tests/operations/mxm_cases.h"

#include <stdexcept>

#include "src/formats/matrix_in_parts.h"
#include "src/operations/multiply/mxm/rows/rows.h"
#include "src/support/settings.h"
#include "tests/operations/breadth.h"

namespace cugrb::test {

namespace {

RefMatrix sparse_matrix(Random& random, const Type& type, uint64_t rows, uint64_t columns, double density) {
  return random_matrix(random, type, rows, columns, Spread::uniform, density * double(columns), false);
}

}  // namespace

RefMask ref_mask(MaskKind kind, const RefVector& mask) {
  if (kind == MaskKind::none) return {};
  const bool structural = kind == MaskKind::structural || kind == MaskKind::structural_complement;
  const bool complement = kind == MaskKind::structural_complement || kind == MaskKind::valued_complement;
  return {&mask, structural, complement};
}

MxmData draw_mxm(const MxmConfiguration& x, const MeantSemiring& s, const MxmShape& shape, Random& random) {
  MxmData o;
  o.a = random_matrix(random, type_of(x.a_type), shape.transpose_a ? shape.inner : shape.rows,
                      shape.transpose_a ? shape.rows : shape.inner, shape.a_spread, shape.degree, x.iso_a);
  o.b = random_matrix(random, type_of(x.b_type), shape.transpose_b ? shape.columns : shape.inner,
                      shape.transpose_b ? shape.inner : shape.columns, shape.b_spread, shape.degree, x.iso_b);
  o.mask = sparse_matrix(random, type_of(x.mask_type), shape.rows, shape.columns, shape.mask_density);
  const Type type = x.output_type.empty() ? s.semiring.add.type() : type_of(x.output_type);
  o.c = sparse_matrix(random, type, shape.rows, shape.columns, shape.output_density);
  if (!x.accumulate.empty()) o.accumulate = catalogue::binary_op(x.accumulate).value();
  return o;
}

std::string MxmConfiguration::text() const {
  static const char* masks[] = {"no mask", "structural", "structural complement", "valued",
                                "valued complement"};
  return "mxm " + semiring + " A " + a_type + (iso_a ? " iso" : "") + ", B " + b_type +
         (iso_b ? " iso" : "") + (wide ? ", wide, " : ", ") + masks[size_t(mask)] +
         (accumulate.empty() ? "" : " accum " + accumulate) +
         (output_type.empty() ? "" : " into " + output_type) + " by " + (kernel.empty() ? "choice" : kernel);
}

std::vector<std::string> MxmConfiguration::structures() const {
  const bool complement = mask == MaskKind::structural_complement || mask == MaskKind::valued_complement;
  const std::string masked = mask == MaskKind::none ? " no mask" : complement ? " complement" : " mask";
  const std::string early = ends_early(semiring) ? " ends early" : "";
  return {kernel + masked, kernel + early, kernel + " sums " + atomic_of_sum(semiring)};
}

const std::vector<MxmShape>& mxm_shapes() {
  using S = Spread;
  static const std::vector<MxmShape> shapes = {
      {40, 30, 35, S::uniform, S::uniform, 5, 0.2, 0.1, false, false, false, false, false, false, false},
      {30, 45, 40, S::uniform, S::uniform, 4, 0.3, 0.2, true, false, false, true, true, false, true},
      {25, 40, 30, S::empty_rows, S::uniform, 6, 0.2, 0, false, true, true, false, false, true, false},
      {33, 20, 50, S::uniform, S::empty_rows, 7, 0.4, 0.3, true, true, true, true, true, true, true},
      {9, 1500, 40, S::one_huge_row, S::uniform, 3, 0.6, 0.2, false, false, false, false, false, false,
       false},
      {50, 8, 900, S::uniform, S::one_huge_row, 2, 0.1, 0.1, false, false, true, false, true, false, true},
      {60, 60, 60, S::power_law, S::power_law, 0, 0.3, 0.1, false, true, false, false, false, false, true},
      {1, 300, 1, S::uniform, S::uniform, 100, 1, 0.5, false, true, false, false, false, false, false},
      {200, 1, 3, S::uniform, S::uniform, 0.7, 0.5, 0.5, false, false, false, true, false, true, true},
      {1, 1, 1, S::uniform, S::uniform, 1, 1, 1, false, false, false, false, false, false, false},
      {20, 20, 20, S::nothing, S::uniform, 3, 0.3, 0.3, false, false, false, false, false, false, true},
      {20, 25, 20, S::uniform, S::no_empty_row, 9, 0, 0.3, true, false, false, true, false, true, false}};
  return shapes;
}

MatrixTerms terms_of(const RefMatrix& a, const RefMatrix& b, const Term& multiply) {
  std::map<uint64_t, std::vector<std::pair<uint64_t, Value>>> rows_of_b;
  for (const auto& [place, value] : b.entries) rows_of_b[place.first].emplace_back(place.second, value);
  MatrixTerms terms;
  for (const auto& [place, x] : a.entries) {
    const auto [i, k] = place;
    for (const auto& [j, y] : rows_of_b[k]) terms[{i, j}].push_back(multiply(x, y, i, k, j));
  }
  return terms;
}

RefVector flattened(const RefMatrix& matrix) {
  RefVector vector{matrix.type, matrix.rows * matrix.columns, {}};
  for (const auto& [place, value] : matrix.entries) {
    vector.entries[place.first * matrix.columns + place.second] = value;
  }
  return vector;
}

RefMatrix read_back(const formats::DeviceMatrix& given) {
  const formats::DeviceMatrix matrix = formats::whole_of(given);
  const formats::Csr& csr = matrix.stored;
  const std::string broken = formats::check(csr);
  if (!broken.empty()) throw std::runtime_error("broken matrix: " + broken);
  if ((matrix.by_column ? csr.columns : csr.rows) != matrix.rows ||
      (matrix.by_column ? csr.rows : csr.columns) != matrix.columns || csr.type != matrix.type) {
    throw std::runtime_error("the stored form's shape or type is another than the matrix's");
  }
  const RefMatrix stored = from_device(csr);
  return matrix.by_column ? transposed(stored) : stored;
}

RefVector sums_of(const MeantSemiring& s, const MatrixTerms& terms, uint64_t rows, uint64_t columns,
                  const RefVector& found) {
  RefVector t{s.semiring.add.type(), rows * columns, {}};
  for (const auto& [place, values] : terms) {
    const uint64_t position = place.first * columns + place.second;
    Value sum = values[0];
    if (s.semiring.add.is_any) {
      const auto at = found.entries.find(position);
      for (const Value& value : values) {
        if (at != found.entries.end() && same_value(reference::cast(value, found.type), at->second))
          sum = value;
      }
    } else {
      for (size_t n = 1; n < values.size(); ++n) sum = s.add(sum, values[n]);
    }
    t.entries[position] = sum;
  }
  return t;
}

RefVector expected_mxm(const MxmConfiguration& x, const MeantSemiring& s, const MxmShape& shape,
                       const MxmData& o, const RefVector& found) {
  const MatrixTerms terms = terms_of(shape.transpose_a ? transposed(o.a) : o.a,
                                     shape.transpose_b ? transposed(o.b) : o.b, s.multiply);
  const RefVector t = sums_of(s, terms, shape.rows, shape.columns, found), mask = flattened(o.mask);
  return ref_write_back(flattened(o.c), ref_mask(x.mask, mask), o.accumulate, shape.replace, t);
}

std::string run_mxm(const MxmConfiguration& x, const MeantSemiring& s, const MxmShape& shape,
                    Random& random) {
  const MxmData o = draw_mxm(x, s, shape, random);
  const formats::DeviceMatrix a = to_device(o.a, shape.a_by_column, x.iso_a, x.wide);
  const formats::DeviceMatrix b = to_device(o.b, shape.b_by_column, x.iso_b, x.wide);
  const formats::DeviceMatrix mask = to_device(o.mask, shape.mask_by_column, false, x.wide);
  formats::DeviceMatrix c = to_device(o.c, shape.c_by_column, false, x.wide);
  const RefVector flat_mask = flattened(o.mask);
  const RefMask meant = ref_mask(x.mask, flat_mask);
  const operations::MatrixMask given{meant.vector == nullptr ? nullptr : &mask, meant.structural,
                                     meant.complement};
  {
    const Forced forced(x.kernel);
    operations::mxm({c, given, o.accumulate, shape.replace},
                    {s.semiring, a, b, shape.transpose_a, shape.transpose_b, runtime::devices()});
  }
  const RefVector found = flattened(read_back(c));
  return difference(expected_mxm(x, s, shape, o, found), found);
}

std::pair<RefMatrix, RefMatrix> merged_factors(Random& random, const Type& type, uint64_t rows,
                                               uint64_t longest) {
  RefMatrix left{type, rows, 90, {}}, right{type, 90, 70, {}};
  for (uint64_t n = 0; n < 70; ++n) {
    for (uint64_t entry = 0; entry < n % (longest + 1); ++entry)
      left.entries[{rows - 1 - n, below(random, 90)}] = random_value(random, type);
  }
  for (uint64_t k = 0; k < 90; ++k) {  // some are empty, some lie side by side, some apart
    for (uint64_t n = 0; n < k % 11; ++n)
      right.entries[{k, k % 3 > 0 ? (k / 9 + n) % 70 : below(random, 70)}] = random_value(random, type);
  }
  return {left, right};
}

std::pair<RefMatrix, RefMatrix> unbounded(RefMatrix left, RefMatrix right) {
  const uint64_t longest = 600;
  right.columns = std::max(right.columns, longest);
  for (uint64_t j = 0; j < longest; ++j) right.entries[{right.rows, j}] = make_value(right.type, 1);
  left.columns = ++right.rows;
  return {std::move(left), std::move(right)};
}

std::pair<RefMatrix, RefMatrix> ranked_factors(Random& random, const Type& type, uint64_t met,
                                               uint64_t columns) {
  const uint64_t inner = 700;
  RefMatrix left = matrix_of_lengths(random, type, {1, 300 / met + 30, 0, 1500 / met + 40, 500, 700}, inner);
  RefMatrix right{type, inner, columns, {}};
  for (uint64_t k = 0; k < inner; ++k) {
    for (uint64_t n = 0; n < met; ++n)
      right.entries[{k, (k / 7 * 13 + n * (1 + k % 2)) % columns}] = random_value(random, type);
  }
  return {left, right};
}

std::pair<RefMatrix, RefMatrix> windowed_factors(Random& random, const Type& type, uint64_t met,
                                                 uint64_t first_column) {
  const uint64_t rows = operations::few_products() / (20 * met) + 100, inner = rows + 1600;
  RefMatrix left{type, rows, inner, {}}, right{type, inner, first_column + 30 * inner + 3 * met, {}};
  const auto enter = [&](uint64_t i, uint64_t k) { left.entries[{i, k}] = random_value(random, type); };
  for (uint64_t i = 0; i < rows; ++i) {
    const uint64_t kind = i == 50 ? 97 : i % 97;
    if (kind == 3) continue;
    const uint64_t entries = kind == 5 ? 200 : kind == 97 ? 1500 : kind == 11 ? 1 : 20;
    const uint64_t apart = entries == 20 ? 2 : 1;
    for (uint64_t n = 0; n < entries; ++n) enter(i, i + apart * n);
    if (kind == 7) enter(i, inner - 1);
  }
  for (uint64_t k = 0; k < inner; ++k) {
    for (uint64_t n = 0; n < met; ++n)
      right.entries[{k, first_column + 30 * k + n * (1 + k % 3)}] = random_value(random, type);
  }
  return {left, right};
}

std::pair<RefMatrix, RefMatrix> counted_factors(Random& random, const Type& type, uint64_t met,
                                                uint64_t columns) {
  const uint64_t inner = 8200;
  const std::vector<uint64_t> some = {33, 64, 65, 128, 129, 256, 257, 500, 513, 1000, 2048, 2049, 5000, 8192};
  std::vector<uint64_t> lengths;
  for (uint64_t products = 0; products <= operations::few_products();) {
    for (const uint64_t length : some) products += length <= 2048 ? length : 0;  // others may go by bitmap
    lengths.insert(lengths.end(), some.begin(), some.end());
  }
  RefMatrix right{type, inner, columns, {}};  // a product for each left entry
  for (uint64_t k = 0; k < inner; ++k)
    right.entries[{k, (inner - 1 - k) / met * 7919 % columns}] = random_value(random, type);
  return {matrix_of_lengths(random, type, lengths, inner), right};
}

std::string run_plain_mxm(const MeantSemiring& s, const RefMatrix& a, const RefMatrix& b,
                          const RefMatrix* mask, const std::string& kernel) {
  const formats::DeviceMatrix left = to_device(a, false, false), right = to_device(b, false, false);
  const uint64_t columns = mask == nullptr ? b.columns : b.rows;
  formats::DeviceMatrix c = to_device({s.semiring.add.type(), a.rows, columns, {}}, false, false);
  formats::DeviceMatrix select;
  if (mask != nullptr) select = to_device(*mask, false, false);
  {
    const Forced forced(kernel);
    const operations::MatrixMask given{mask == nullptr ? nullptr : &select, true, false};
    operations::mxm({c, given, std::nullopt, false},
                    {s.semiring, left, right, false, mask != nullptr, runtime::devices()});
  }
  const RefVector found = flattened(read_back(c));
  RefVector t =
      sums_of(s, terms_of(a, mask == nullptr ? b : transposed(b), s.multiply), a.rows, columns, found);
  if (mask != nullptr) {
    const RefVector allowed = flattened(*mask);
    std::erase_if(t.entries, [&](const auto& entry) { return allowed.entries.count(entry.first) == 0; });
  }
  return difference(t, found);
}

}  // namespace cugrb::test
