#include "tests/operations/mxv_cases.h"

#include <algorithm>
#include <stdexcept>

#include "src/support/settings.h"
#include "tests/operations/breadth.h"

namespace cugrb::test {

namespace {

const char* form_text(Form form) {
  return form == Form::full ? "full" : form == Form::bitmap ? "bitmap" : "sparse";
}

/// T by the reference. With ANY every term is right: the one that `found` holds (typecast to its type) is
/// taken.
RefVector reduce_terms(const MeantSemiring& s, const std::map<uint64_t, std::vector<Value>>& terms,
                       uint64_t length, const RefVector* found) {
  RefVector t{s.semiring.add.type(), length, {}};
  for (const auto& [i, values] : terms) {
    Value sum = values[0];
    if (s.semiring.add.is_any) {
      for (const Value& value : values) {
        const auto place = found->entries.find(i);
        if (place != found->entries.end() && same_value(reference::cast(value, found->type), place->second))
          sum = value;
      }
    } else {
      for (size_t n = 1; n < values.size(); ++n) sum = s.add(sum, values[n]);
    }
    t.entries[i] = sum;
  }
  return t;
}

struct Operands {
  RefMatrix matrix;
  RefVector vector, mask, output;
  std::optional<BinaryOp> accumulate;
};

Operands draw_operands(const MxvConfiguration& c, const MeantSemiring& s, const MxvShape& shape,
                       Random& random) {
  Operands o;
  o.matrix = random_matrix(random, type_of(c.matrix_type), shape.rows, shape.columns, shape.spread,
                           shape.degree, c.iso_matrix);
  const uint64_t outputs = shape.transpose ? shape.columns : shape.rows;
  const uint64_t inputs = shape.transpose ? shape.rows : shape.columns;
  const double density = c.form == Form::full ? 1 : shape.vector_density;
  o.vector = random_vector(random, type_of(c.vector_type), inputs, density, c.iso_vector);
  o.mask = random_vector(random, Type::of(TypeCode::Bool), outputs, 0.5, false);
  const Type type = c.output_type.empty() ? s.semiring.add.type() : type_of(c.output_type);
  o.output = random_vector(random, type, outputs, 0.4, false);
  if (!c.accumulate.empty()) o.accumulate = catalogue::binary_op(c.accumulate).value();
  return o;
}

RefMask ref_mask(const MxvConfiguration& c, const RefVector& mask) {
  if (c.mask == MaskKind::none) return {};
  const bool structural = c.mask == MaskKind::structural || c.mask == MaskKind::structural_complement;
  const bool complement = c.mask == MaskKind::structural_complement || c.mask == MaskKind::valued_complement;
  return {&mask, structural, complement};
}

}  // namespace

Forced::Forced(const std::string& kernel) { force_kernel(kernel); }
Forced::~Forced() { force_kernel(""); }

const Type& type_of(const std::string& suffix) {
  for (int code = 0; code < int(TypeCode::User); ++code) {
    if (Type::of(TypeCode(code)).suffix() == suffix) return Type::of(TypeCode(code));
  }
  throw std::invalid_argument("no type " + suffix);
}

std::string MxvConfiguration::text() const {
  static const char* masks[] = {"no mask", "structural", "structural complement", "valued",
                                "valued complement"};
  return std::string(vector_first ? "vxm " : "mxv ") + semiring + " matrix " + matrix_type +
         (iso_matrix ? " iso" : "") + (wide ? " wide" : "") + " vector " + vector_type + " " +
         form_text(form) + (iso_vector ? " iso" : "") + ", " + masks[size_t(mask)] +
         (accumulate.empty() ? "" : " accum " + accumulate) +
         (output_type.empty() ? "" : " into " + output_type) + " by " + (kernel.empty() ? "choice" : kernel);
}

std::vector<std::string> MxvConfiguration::structures() const {
  // The row kernels differ in how many lanes take a row.
  const std::string family = kernel.rfind("mxv_row_", 0) == 0 ? "mxv_row" : kernel;
  const std::string masked = mask == MaskKind::none ? "" : " masked";
  std::vector<std::string> result = {kernel, family + " " + form_text(form) + masked};
  if (ends_early(semiring)) result.push_back(family + " ends early");
  if (kernel == "vxm_push" || kernel.empty()) result.push_back(kernel + " sums " + atomic_of_sum(semiring));
  return result;
}

MeantSemiring built_in_semiring(const std::string& name) {
  MeantSemiring s{catalogue::semiring(name).value(), {}, {}};
  s.multiply = built_in_term(s.semiring.multiply);
  s.add = [op = s.semiring.add.op](const Value& x, const Value& y) { return reference::apply(op, x, y); };
  return s;
}

const std::vector<MxvShape>& mxv_shapes() {
  static const std::vector<MxvShape> shapes = {{60, 45, Spread::uniform, 6, 0.5, false, false, false},
                                               {45, 70, Spread::uniform, 4, 0.3, true, false, true},
                                               {130, 50, Spread::empty_rows, 9, 0.6, false, true, true},
                                               {7, 2600, Spread::one_huge_row, 0, 0.4, false, false, false},
                                               {2600, 7, Spread::one_huge_row, 3, 0.4, true, true, false},
                                               {90, 90, Spread::power_law, 0, 0.2, true, true, true},
                                               {300, 1, Spread::uniform, 0.5, 0.9, false, false, true},
                                               {1, 500, Spread::uniform, 60, 0.1, false, false, false},
                                               {1, 1, Spread::uniform, 1, 1, false, false, false},
                                               {40, 40, Spread::no_empty_row, 8, 0.95, false, false, false},
                                               {30, 20, Spread::nothing, 0, 0.5, false, false, true}};
  return shapes;
}

std::string run_mxv_by(const MxvConfiguration& c, const MeantSemiring& s, const MxvShape& shape,
                       Random& random, const MultiplyBy& multiply) {
  const Operands o = draw_operands(c, s, shape, random);
  const formats::DeviceVector vector = to_device(o.vector, c.form, c.iso_vector);
  const formats::DeviceVector mask = to_device(o.mask, Form::bitmap, false);
  formats::DeviceVector output = to_device(o.output, Form::bitmap, false);
  const RefMask meant = ref_mask(c, o.mask);
  {
    const Forced forced(c.kernel);
    operations::VectorMask given{meant.vector == nullptr ? nullptr : &mask, meant.structural,
                                 meant.complement};
    multiply({output, given, o.accumulate, shape.replace}, o.matrix, vector);
  }
  const RefVector found = from_device(output);
  const RefMatrix read = shape.transpose ? transposed(o.matrix) : o.matrix;
  const RefVector t =
      reduce_terms(s, terms_of(read, o.vector, c.vector_first, s.multiply), found.length, &found);
  return difference(ref_write_back(o.output, meant, o.accumulate, shape.replace, t), found);
}

std::string run_mxv(const MxvConfiguration& c, const MeantSemiring& s, const MxvShape& shape,
                    Random& random) {
  std::string broken;
  const auto multiply = [&](const operations::VectorOutput& w, const RefMatrix& a,
                            const formats::DeviceVector& u) {
    const formats::DeviceMatrix matrix = to_device(a, shape.by_column, c.iso_matrix, c.wide);
    operations::mxv(w, {s.semiring, matrix, u, shape.transpose, c.vector_first, runtime::devices()});
    broken = formats::check(matrix.by_rows(true));
  };
  const std::string found = run_mxv_by(c, s, shape, random, multiply);
  return broken.empty() ? found : "transpose: " + broken;
}

std::string run_plain_mxv(const MeantSemiring& s, const RefMatrix& a, const formats::DeviceMatrix& matrix,
                          const RefVector& u, Form form, bool vector_first) {
  const formats::DeviceVector vector = to_device(u, form, false);
  formats::DeviceVector output = formats::DeviceVector::empty(s.semiring.add.type(), a.rows);
  operations::mxv({output, {}, std::nullopt, false}, {s.semiring, matrix, vector, false, vector_first});
  const RefVector found = from_device(output);
  return difference(reduce_terms(s, terms_of(a, u, vector_first, s.multiply), a.rows, &found), found);
}

std::string run_plain_mxv(const MeantSemiring& s, const RefMatrix& a, const RefVector& u, Form form,
                          bool vector_first, const std::string& kernel) {
  const Forced forced(kernel);
  return run_plain_mxv(s, a, to_device(a, false, false), u, form, vector_first);
}

}  // namespace cugrb::test
