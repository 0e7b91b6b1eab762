#include "src/operations/matrix_update.h"

#include <algorithm>

#include "src/formats/dcsr_update.h"
#include "src/memory/policy.h"
#include "src/operations/build.h"
#include "src/operations/multiply/mxv/dcsr/dcsr.h"
#include "src/operations/multiply/registry.h"
#include "src/selector/update_choice.h"
#include "src/support/number_text.h"
#include "src/support/settings.h"
#include "src/support/trace.h"

namespace cugrb::operations {

using formats::Coo;
using formats::Csr;
using formats::EntryUpdates;
using runtime::Buffer;

namespace {

/// Of each row that is put together: an eighth of the mean length, one at least. An entry that finds room
/// costs a product its own bytes, one in a segment of its own three sectors of 32: of the table, the columns
/// and the values. Where most rows are empty there is none.
uint64_t room_of_rows(uint64_t entries, uint64_t rows) {
  return entries < rows ? 0 : (entries / std::max<uint64_t>(1, rows) + 7) / 8;
}

/// The paper's parameters (docs/dynamic.md). A matrix that is fragmented keeps its slack and its bins.
formats::DcsrShape shape_for(const DeviceMatrix& a, bool binned, bool merges) {
  const SegmentSettings& asked = settings().segments;
  const uint64_t mean = std::max<uint64_t>(1, a.nvals() / std::max<uint64_t>(1, a.stored.rows));
  const uint64_t slack = a.fragments != nullptr ? a.fragments->slack : asked.slack > 0 ? asked.slack : mean;
  const uint64_t room = a.fragments != nullptr ? a.fragments->room
                                               : asked.room.value_or(room_of_rows(a.nvals(), a.stored.rows));
  return {asked.slots, 1, slack, asked.width, binned, asked.ordered != 0, room, merges};
}

const selector::Hardware& hardware() {
  const selector::Hardware* known = selector::Hardware::of_device();
  if (known == nullptr) throw runtime::NoDevice(runtime::unavailable_reason());
  return *known;
}

/// Sorting takes an operator of one type, and does not look for removals or for one value.
std::string rebuild_refusal(const DeviceMatrix& a, const EntryUpdates& updates,
                            const std::optional<BinaryOp>& combine) {
  if (updates.removes || updates.entries.values.bytes() == 0) return "entries are removed";
  if (a.nvals() == 0) return "the matrix has no entries";
  if (a.stored.iso) return "the matrix has one value";
  if (a.type.is_user()) return "the type is a user's";
  if (formats::bits_of(a.stored.rows) + formats::bits_of(a.stored.columns) > 64)
    return "places of more than 64 bits";
  if (combine && (combine->x != a.type || combine->y != a.type || combine->z != a.type))
    return "the operator has other types";
  return {};
}

/// A selector's problem, as far as the matrix's shape goes.
template <class Problem>
Problem shape_of(const DeviceMatrix& a) {
  Problem p;
  p.rows = a.stored.rows;
  p.entries = a.nvals();
  p.entry_bytes = formats::bytes_of(a.stored.column_width) + (a.stored.iso ? 0 : a.type.size);
  p.offset_bytes = formats::bytes_of(a.stored.offset_width);
  return p;
}

selector::UpdateProblem describe(const DeviceMatrix& a) {
  auto p = shape_of<selector::UpdateProblem>(a);
  p.slots = settings().segments.slots;
  return p;
}

selector::UpdateProblem describe(const DeviceMatrix& a, const EntryUpdates& updates,
                                 const std::optional<BinaryOp>& combine) {
  selector::UpdateProblem p = describe(a);
  p.updates = updates.entries.entries;
  p.fragmented = a.fragments != nullptr;
  p.shared = p.fragmented && (a.fragments.use_count() > 1 || !a.fragments->column_indices.unique());
  p.batches = 1 + double(std::max(a.history.batches, a.history.batches_before));
  p.products = double(a.history.products > 0 ? a.history.products : a.history.products_before);
  // Where an entry lies in its row follows from the batches that it came with.
  if (settings().deterministic) p.insert_refusal = "CUGRB_DETERMINISTIC: the order of a row's entries";
  p.rebuild_refusal = rebuild_refusal(a, updates, combine);
  return p;
}

Buffer joined(const Buffer& a, size_t a_bytes, const Buffer& b, size_t b_bytes) {
  const Buffer both(a_bytes + b_bytes, a.device());
  both.copy_bytes(0, a, 0, a_bytes);
  both.copy_bytes(a_bytes, b, 0, b_bytes);
  return both;
}

/// All entries, the matrix's first: of two at one place the second is the update's.
Tuples tuples_of(const Csr& matrix, const Coo& updates) {
  const Coo entries = make_coo(matrix, updates.row_width);
  const size_t row = formats::bytes_of(entries.row_width), column = formats::bytes_of(entries.column_width);
  const uint64_t n = matrix.entries, m = updates.entries;
  const size_t value = matrix.type.size;
  const Buffer given = updates.iso ? formats::written_out(updates.values, matrix.type, m, m) : updates.values;
  Tuples all;
  all.count = n + m;
  all.row_width = entries.row_width;
  all.column_width = entries.column_width;
  all.rows = joined(entries.row_indices, n * row, updates.row_indices, m * row);
  all.columns = joined(entries.column_indices, n * column, updates.column_indices, m * column);
  all.values = DeviceVector::empty(matrix.type, all.count);
  all.values.form = Form::full;
  all.values.values = joined(entries.values, n * value, given, m * value);
  all.values.set_nvals(all.count);
  return all;
}

void rebuild(DeviceMatrix& a, const EntryUpdates& updates, const std::optional<BinaryOp>& combine) {
  const BinaryOp last = catalogue::second(a.type);
  Csr rows = to_csr(built(tuples_of(a.stored, updates.entries), a.stored.rows, a.stored.columns,
                          combine ? *combine : last));
  DeviceMatrix next = a;
  next.next_version();
  next.stored = std::move(rows);
  a = std::move(next);
}

/// Lays the rows of fragments out anew, where products have paid enough for what lies apart. `p`: of the
/// batch that comes.
void lay_out_where_it_pays(DeviceMatrix& a, const selector::UpdateProblem& p) {
  if (a.fragments == nullptr || a.fragments->used == a.fragments->laid_out) {
    a.history.apart_seconds = 0;
    return;
  }
  const formats::Dcsr& dcsr = *a.fragments;
  const double segments = double(dcsr.used - dcsr.laid_out) / double(dcsr.slack + 1);
  a.history.apart_seconds += p.products * selector::apart_seconds(segments, hardware());
  if (!selector::laying_out_pays(p, a.history.apart_seconds, hardware())) return;
  const auto anew = std::make_shared<formats::Dcsr>(dcsr);
  if (memory::shortage([&] { formats::defragment(*anew); })) return;
  a.next_version();
  a.fragments = anew;
  a.history.apart_seconds = 0;
}

/// What was done, for the trace.
std::string insert(DeviceMatrix& a, selector::UpdateProblem problem, const EntryUpdates& updates,
                   const std::optional<BinaryOp>& combine) {
  if (a.fragments == nullptr) a.history.longest_row = a.row_lengths(a.by_column).longest;
  lay_out_where_it_pays(a, problem);
  problem.longest_row = a.history.longest_row;
  const MxvKernel* const asked = find_mxv_kernel(settings().force);
  const bool can_merge =
      a.fragments != nullptr ? bool(a.fragments->starts) : formats::has_gap_column(a.stored);
  const bool merges =
      can_merge && (asked == &mxv_merge || (asked == nullptr && selector::merge_path_pays(problem)));
  const bool binned = asked == &mxv_adcsr || (!merges && selector::bins_pay(problem, hardware()));
  formats::insert(a, updates, combine, shape_for(a, binned, merges));
  if (a.fragments->plan != nullptr) return "inserted into dynamic CSR with a merge path";
  return a.fragments->bins != nullptr ? "inserted into dynamic CSR with bins of rows"
                                      : "inserted into dynamic CSR";
}

/// Dynamic CSR asks for more memory than CSR does: where that is not there the batch is merged.
std::string carry_out(DeviceMatrix& a, const selector::UpdateProblem& problem,
                      const selector::Decision& decision, const EntryUpdates& updates,
                      const std::optional<BinaryOp>& combine) {
  std::string failed, inserted;
  if (decision.chosen.kernel == &selector::update_insert) {
    if (!memory::shortage([&] { inserted = insert(a, problem, updates, combine); })) return inserted;
    failed = " (no memory for dynamic CSR)";
  }
  a.defragment();
  if (decision.chosen.kernel == &selector::update_rebuild) {
    rebuild(a, updates, combine);
    return "sorted in with all entries";
  }
  formats::update(a, updates, combine);
  return "merged into CSR" + failed;
}

/// "inserted into dynamic CSR (insert 52.1 us + 210.0 us for the form, merge 600.1 us)".
std::string text_of_choice(const std::string& what, const selector::Decision& decision) {
  if (!trace::enabled()) return what;
  std::string text = what + " (";
  for (const selector::Candidate& c : decision.candidates) {
    if (!c.applicable) continue;
    if (text.back() != '(') text += ", ";
    text += c.kernel->name + " " + fixed_text(c.predicted_seconds * 1e6, 1) + " us";
    if (c.conversion_seconds > 0)
      text += " + " + fixed_text(c.conversion_seconds * 1e6, 1) + " us for the form";
  }
  return text + (decision.forced ? ", CUGRB_FORCE)" : ")");
}

}  // namespace

std::string update(DeviceMatrix& a, const EntryUpdates& updates, const std::optional<BinaryOp>& combine) {
  if (updates.entries.entries == 0) return "none";
  const selector::UpdateProblem problem = describe(a, updates, combine);
  const selector::Decision decision = selector::choose_update(problem, hardware(), forced_kernel());
  ++a.history.batches;
  if (a.history.products > 0) a.history.products_before = a.history.products;
  a.history.products = 0;
  if (a.history.copies > 0) a.history.copies_before = a.history.copies;
  a.history.copies = 0;
  return text_of_choice(carry_out(a, problem, decision, updates, combine), decision);
}

bool takes_batch(const MatrixOutput& c, const Type& t, uint64_t entries) {
  // Until then a new C costs more than the batch: each of its passes goes over C, too.
  constexpr uint64_t entries_for_one = 8;
  // A new C is one launch where an update takes six: of a small one that is sooner.
  constexpr uint64_t small = uint64_t(1) << 18;
  const DeviceMatrix& object = c.object;
  const bool is_small = object.fragments == nullptr && object.nvals() + object.stored.rows <= small;
  if (is_small && forced_kernel() == nullptr) return false;
  return c.any_form && t == object.type && entries > 0 && entries <= object.nvals() / entries_for_one;
}

void take_batch(DeviceMatrix& a, const EntryUpdates& updates, const std::optional<BinaryOp>& combine) {
  if (updates.entries.entries == 0) return;
  const std::string how = operations::update(a, updates, combine);
  if (trace::enabled())
    trace::add_lasting_reason(std::to_string(updates.entries.entries) + " entries " + how);
}

bool updated_by(const MatrixOutput& c, const Csr& t, bool flipped, bool one_value) {
  DeviceMatrix& object = c.object;
  const Csr rows = flipped == object.by_column ? t : transpose(t);
  if (rows.column_width != object.stored.column_width) return false;
  take_batch(object, {make_coo(rows), {}}, one_value ? std::nullopt : c.accumulate);
  return true;
}

namespace {

/// `pushes`: the rows of the other orientation are read. `refusal`: why fragments are not.
void settle(DeviceMatrix& a, bool pushes, const std::string& refusal) {
  ++a.history.products;
  const bool fragmented = a.fragments != nullptr;
  if (!fragmented && a.history.batches == 0) return;
  auto p = shape_of<selector::FragmentsProblem>(a);
  p.pushes = pushes;
  p.products = double(std::max(a.history.products, a.history.products_before));
  p.refusal = refusal;
  const selector::FragmentsChoice choice = selector::choose_form(p, hardware());
  // A CSR that would have been made is one that is read: batches between such products are merged.
  if (choice.defragments) a.read_rows();
  if (fragmented && trace::enabled()) trace::add_lasting_reason(to_text(p, choice));
}

}  // namespace

void settle_form(DeviceMatrix& a, const Semiring& semiring, bool transpose) {
  const bool pushes = transpose != a.by_column;
  settle(a, pushes, fragments_refusal(a, semiring, pushes));
}

void settle_reading(DeviceMatrix& a) {
  if (a.parts == nullptr && a.fragments != nullptr) settle(a, /*pushes=*/false, {});
}

bool settle_copy(DeviceMatrix& a) {
  if (a.fragments == nullptr) return false;
  ++a.history.copies;
  const auto reads = double(std::max(a.history.copies, a.history.copies_before));
  if (!selector::csr_pays(describe(a), reads, hardware())) return true;
  a.read_rows();
  return false;
}

}  // namespace cugrb::operations
