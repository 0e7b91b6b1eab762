// C<M, replace> accum= T for matrices: what cannot matter is taken away first; mostly T simply becomes C.
#include "src/operations/matrix_write_back.h"

#include "src/formats/constants.h"
#include "src/operations/expression.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/matrix_merge.h"
#include "src/operations/matrix_update.h"
#include "src/operations/operations.h"
#include "src/operations/template_id.h"
#include "src/support/declined.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

namespace {

std::string rows_id(const Csr& matrix) {
  return template_id("csr_rows", {formats::index_type(matrix.offset_width),
                                  formats::index_type(matrix.column_width), "values_none"});
}

/// One write-back that has to look at T, C and the mask together.
class Join {
 public:
  /// `one_value`: of all entries of the result, if they have one. `region` may be null: all of C.
  Join(const MatrixOutput& c, const PreparedMatrixMask& mask, const Csr& t, bool flipped, bool replace,
       std::optional<Buffer> one_value, const MatrixRegion* region = nullptr)
      : t_(t), old_(c.object.by_rows(flipped)), one_value_(std::move(one_value)) {
    merge_.header = "matrix_write_back.h";
    merge_.values = old_.type;
    merge_.has_values = !one_value_;
    merge_.has_second = c.accumulate || !replace || region != nullptr;
    merge_.wide = t_.column_width == formats::Width::bits64 || old_.column_width == formats::Width::bits64;
    merge_.most = t_.entries + (merge_.has_second ? old_.entries : 0);
    merge_.arguments.first = t_.view();
    merge_.arguments.second = old_.view();
    merge_.arguments.mask = mask.mask_view(flipped);
    const std::string mask_id = mask.mask_id(flipped), region_type = region_id(region, flipped);
    is_union_ = c.accumulate && region == nullptr && mask_id == "matrix_mask_none";
    const std::string accumulate =
        c.accumulate ? template_id("matrix_accumulate", {c.accumulate->source}) : "matrix_no_accumulate";
    merge_.type =
        template_id("matrix_exit", {rows_id(t_), t_.type.name, text_of(t_.iso), rows_id(old_), old_.type.name,
                                    text_of(old_.iso), mask_id, accumulate, text_of(replace), region_type});
    merge_.preamble = catalogue::type_preamble(t_.type) + catalogue::type_preamble(old_.type);
    if (c.accumulate) merge_.preamble += c.accumulate->preamble;
  }

  Csr run() {
    Csr result = is_union_ ? merged(std::move(merge_), {&old_, &t_}) : merged(std::move(merge_), {});
    result.iso = one_value_ && result.entries > 0;
    if (result.iso) result.values = *one_value_;
    return result;
  }

 private:
  std::string region_id(const MatrixRegion* region, bool flipped) {
    if (region == nullptr) return "matrix_region_none";
    const IndexSet& rows = flipped ? region->columns : region->rows;
    const IndexSet& columns = flipped ? region->rows : region->columns;
    merge_.arguments.region_rows = rows.view();
    merge_.arguments.region_columns = columns.view();
    return template_id("matrix_region", {rows.members(), columns.members(), text_of(region->bounds_mask)});
  }

  const Csr& t_;
  const Csr& old_;
  const std::optional<Buffer> one_value_;
  Merge merge_;
  bool is_union_ = false;  ///< every entry of T and of C stays
};

}  // namespace

void add_up(DeviceMatrix& sum, const BinaryOp& add, Csr&& terms) {
  write_back({sum, {}, add, /*replace=*/false}, PreparedMatrixMask{}, std::move(terms), sum.by_column,
             /*masked=*/true);
}

Csr cast(Csr&& matrix, const Type& to) {
  Csr result = std::move(matrix);
  if (result.type == to) return result;
  if (result.entries > 0) result.values = formats::cast(values_of(result), to).values;
  result.type = to;
  return result;
}

namespace {

/// The one value of what C<M> accum= T gives, in C's type, where T has one and either no old entry survives
/// or C has the same: the write-back of two positions that have it.
std::optional<Buffer> one_value_of(const MatrixOutput& c, const Csr& t, bool old_survives) {
  if (t.entries == 0 && old_survives && c.object.stored.iso) return c.object.stored.values;
  if (!t.iso || (old_survives && !c.object.stored.iso)) return std::nullopt;
  const Type& type = c.object.type;
  DeviceVector w = DeviceVector::empty(type, 1);
  if (old_survives) w = DeviceVector::full_of(type, 1, c.object.stored.values);
  const DeviceVector once = DeviceVector::full_of(t.type, 1, t.values);
  const DeviceVector kept = w;
  assign(VectorOutput{w, {}, std::nullopt, false}, once, {});
  if (!old_survives) return w.values;
  const std::string old = value_of_iso(kept).bytes;
  if (value_of_iso(w).bytes != old) return std::nullopt;
  w = kept;
  if (c.accumulate) assign(VectorOutput{w, {}, c.accumulate, false}, once, {});
  if (!w.iso || value_of_iso(w).bytes != old) return std::nullopt;
  return kept.values;
}

bool keeps_one_value(const MatrixOutput& c, const Csr& t) {
  return c.any_form && t.iso && c.object.stored.iso && one_value_of(c, t, /*old_survives=*/true).has_value();
}

}  // namespace

namespace {

/// Where C and T meet in every entry, and there is no mask: an operation on the vectors of their values.
bool accumulate_values(const MatrixOutput& c, const Csr& t, bool flipped) {
  const Csr& old = c.object.by_rows(flipped);
  if (!have_same_pattern(t, old)) return false;
  DeviceVector sums = values_of(old);
  assign(VectorOutput{sums, {}, c.accumulate, false}, values_of(t), {true, t.entries, nullptr});
  c.object.replace_rows(with_values(old, c.object.type, sums.values, sums.iso), flipped);
  return true;
}

/// Whether every old entry stays, or is combined with one of those of T that count.
bool only_updates(const MatrixOutput& c, const WriteBackPlan& plan, const MatrixRegion* region) {
  if (c.object.nvals() == 0 || plan.replace) return false;
  return c.accumulate || (region == nullptr ? !plan.mask : region->filled);
}

/// Those entries of T that the mask allows, in the region.
Csr those_that_count(const Csr& t, bool flipped, const PreparedMatrixMask& mask, const MatrixRegion* region) {
  DeviceMatrix nothing = matrix_by(empty_csr(t.type, t.rows, t.columns), flipped);
  const std::optional<Buffer> one_value = t.iso ? std::optional(t.values) : std::nullopt;
  return Join({nothing, {}, std::nullopt, false}, mask, t, flipped, /*replace=*/true, one_value, region)
      .run();
}

/// Few entries that C takes as a batch of updates, where it may. Whether it has.
bool updated(const MatrixOutput& c, const PreparedMatrixMask& mask, const WriteBackPlan& plan, const Csr& t,
             bool flipped, const MatrixRegion* region) {
  if (!only_updates(c, plan, region) || !takes_batch(c, t.type, t.entries)) return false;
  if (!plan.mask) return updated_by(c, t, flipped, keeps_one_value(c, t));
  const Csr batch = those_that_count(t, flipped, mask, region);
  return batch.entries == 0 || updated_by(c, batch, flipped, keeps_one_value(c, batch));
}

}  // namespace

void write_back(const MatrixOutput& c, const PreparedMatrixMask& asked_mask, Csr&& t, bool flipped,
                bool masked, const MatrixRegion* region) {
  using Kind = WriteBackPlan::Kind;
  const Csr own = std::move(t);
  check_types(c, own.type);
  const bool old_empty = c.object.nvals() == 0;
  const bool spent = masked && mask_is_spent(c.accumulate.has_value(), c.replace, old_empty);
  const PreparedMatrixMask mask = spent ? PreparedMatrixMask{} : asked_mask;
  const WriteBackPlan plan =
      plan_write_back({mask, c.accumulate.has_value(), c.replace, old_empty, own.entries == 0,
                       region != nullptr, region != nullptr && region->bounds_mask});
  const auto join = [&](const MatrixOutput& out, const PreparedMatrixMask& by, const Csr& terms) {
    const bool old_survives = region != nullptr ? !old_empty : plan.reads_old();
    Join made(out, by, terms, flipped, out.replace, one_value_of(out, terms, old_survives), region);
    c.object.replace_rows(made.run(), flipped);
  };
  const auto nothing = [&] { return empty_csr(c.object.type, own.rows, own.columns); };
  switch (plan.kind) {
    case Kind::keep:
      return;
    case Kind::clear:
      c.object = matrix_by(nothing(), flipped);
      return;
    case Kind::take:
      c.object = matrix_by(cast(Csr(own), c.object.type), flipped);
      return;
    case Kind::join:
      if (updated(c, mask, plan, own, flipped, region)) return;
      c.object.read_rows();
      if (mask.allows_none) return join({c.object, {}, std::nullopt, false}, {}, nothing());
      if (region == nullptr && !plan.mask && accumulate_values(c, own, flipped)) return;
      join({c.object, {}, c.accumulate, plan.replace}, mask, own);
  }
}

}  // namespace cugrb::operations
