#include "src/operations/matrix_in_parts.h"

#include <future>
#include <map>
#include <optional>

#include "src/operations/matrix_write_back.h"
#include "src/support/trace.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Split;

namespace {

/// Whether rows of the operand, as it is stored, are C's columns.
bool is_flipped(const MatrixInput& operand) { return operand.transpose != operand.matrix.by_column; }

/// What all matrices of a call are dealt by.
struct Lead {
  std::shared_ptr<const Split> split;
  bool flipped;  ///< C's columns are dealt, not its rows
};

std::optional<Lead> lead_of(const MatrixOutput& c, std::span<const MatrixInput> operands) {
  for (const MatrixInput& operand : operands) {
    if (operand.matrix.parts != nullptr) return Lead{operand.matrix.parts->split, is_flipped(operand)};
  }
  const DeviceMatrix* const mask = c.mask.object;
  if (mask != nullptr && mask->parts != nullptr) return Lead{mask->parts->split, mask->by_column};
  if (reads_old(c) && c.object.parts != nullptr) return Lead{c.object.parts->split, c.object.by_column};
  return std::nullopt;
}

/// C's old content as the call sees it.
DeviceMatrix old_of(const MatrixOutput& c) {
  if (reads_old(c)) return c.object;
  const DeviceMatrix& was = c.object;
  return matrix_by(
      empty_csr(was.type, was.by_column ? was.columns : was.rows, was.by_column ? was.rows : was.columns),
      was.by_column);
}

/// The old content, which nobody reads, is all that may be in parts.
bool done_over(const MatrixOutput& c, std::span<const MatrixInput> operands,
               const MatrixOperation& operation) {
  if (c.object.parts == nullptr) return false;
  DeviceMatrix made = old_of(c);
  operation({made, c.mask, c.accumulate, c.replace, c.any_form}, operands);
  c.object = std::move(made);
  return true;
}

/// The parts of one matrix of the call, stored as T is made.
std::vector<DeviceMatrix> parts_of(const DeviceMatrix& matrix, bool transposed, const Lead& lead) {
  std::vector<DeviceMatrix> parts = formats::matrix_parts_by(matrix, transposed, lead.split);
  for (DeviceMatrix& part : parts) {
    if (part.by_column != lead.flipped) part = matrix_by(part.stored, lead.flipped);
  }
  return parts;
}

/// One call on all parts.
class PartsCall {
 public:
  using OfPart = std::function<void(const MatrixOutput& c, size_t part)>;

  PartsCall(const MatrixOutput& c, const Lead& lead) : c_(c), lead_(lead) {
    if (c.mask.object != nullptr) mask_ = parts_of(*c.mask.object, lead.flipped, lead);
    c.object.defragment();  // a C that takes few entries by updates; it comes back as rows
    made_ = reads_old(c) ? parts_of(c.object, lead.flipped, lead) : nothing();
  }

  void run(const OfPart& operation) {
    std::vector<Csr> rows(made_.size());
    for (size_t p = 0; p < made_.size(); ++p) rows[p] = made_[p].stored;
    on_each_device(*lead_.split, [&](size_t p) {
      MatrixMask mask = c_.mask;
      if (mask.object != nullptr) mask.object = &mask_[p];
      operation({made_[p], mask, c_.accumulate, c_.replace}, p);
      made_[p].read_rows();
      rows[p] = made_[p].by_rows(lead_.flipped);
    });
    const DeviceMatrix& was = c_.object;
    c_.object = formats::matrix_from_parts(was.type, lead_.flipped ? was.rows : was.columns, lead_.flipped,
                                           lead_.split, std::move(rows));
    if (trace::enabled())
      trace::add_reason("in parts on " + std::to_string(lead_.split->parts.size()) + " devices");
  }

 private:
  /// Parts without entries.
  std::vector<DeviceMatrix> nothing() const {
    std::vector<DeviceMatrix> parts;
    for (const Split::Part& part : lead_.split->parts) {
      const runtime::OnDevice there(*part.device);
      const uint64_t columns = lead_.flipped ? c_.object.rows : c_.object.columns;
      parts.push_back(matrix_by(empty_csr(c_.object.type, part.count, columns), lead_.flipped));
    }
    return parts;
  }

  const MatrixOutput& c_;
  const Lead lead_;
  std::vector<DeviceMatrix> mask_, made_;  // by part
};

}  // namespace

void on_each_device(const Split& split, const std::function<void(size_t part)>& work) {
  std::map<runtime::Device*, std::vector<size_t>> parts;
  for (size_t p = 0; p < split.parts.size(); ++p) {
    if (split.parts[p].count > 0) parts[split.parts[p].device].push_back(p);
  }
  const auto run = [&](runtime::Device* device) {
    const runtime::OnDevice there(*device);
    for (const size_t p : parts.at(device)) work(p);
  };
  std::vector<std::future<void>> others;
  for (const auto& [device, own] : parts) {
    if (device != split.home) others.push_back(std::async(std::launch::async, run, device));
  }
  if (parts.count(split.home) > 0) run(split.home);
  for (std::future<void>& other : others) other.get();
}

bool done_in_parts(const MatrixOutput& c, std::initializer_list<MatrixInput> operands,
                   const MatrixOperation& operation) {
  const std::optional<Lead> lead = lead_of(c, operands);
  if (!lead) return done_over(c, operands, operation);
  std::vector<std::vector<DeviceMatrix>> parts;  // by operand
  for (const MatrixInput& operand : operands)
    parts.push_back(parts_of(operand.matrix, operand.transpose != lead->flipped, *lead));
  PartsCall(c, *lead).run([&](const MatrixOutput& out, size_t p) {
    std::vector<MatrixInput> own;
    for (const std::vector<DeviceMatrix>& operand : parts) own.push_back({operand[p]});
    operation(out, own);
  });
  return true;
}

namespace {

/// The rows of a list on the devices that have them.
struct ListedInParts {
  std::shared_ptr<const Split> split;           ///< of the list's positions
  std::vector<std::vector<uint64_t>> own_rows;  ///< by part: each position's row of the part
};

ListedInParts listed_in_parts(const Split& of_a, const Indices& list) {
  struct Place {
    size_t part = 0;
    uint64_t row = 0;
  };
  std::vector<Place> places(of_a.length);
  for (size_t p = 0; p < of_a.parts.size(); ++p) {
    const std::vector<uint64_t> positions =
        formats::widened(of_a.parts[p].positions, of_a.width, of_a.parts[p].count);
    for (uint64_t n = 0; n < positions.size(); ++n) places[positions[n]] = {p, n};
  }
  ListedInParts listed{nullptr, std::vector<std::vector<uint64_t>>(of_a.parts.size())};
  std::vector<std::vector<uint64_t>> positions(of_a.parts.size());
  for (uint64_t k = 0; k < list.count; ++k) {
    const Place& place = places[list.list[k]];
    listed.own_rows[place.part].push_back(place.row);
    positions[place.part].push_back(k);
  }
  auto split = std::make_shared<Split>();
  split->length = list.count;
  split->width = formats::index_width(list.count);
  split->home = of_a.home;
  const runtime::OnDevice at_home(*of_a.home);
  for (size_t p = 0; p < positions.size(); ++p) {
    const runtime::Buffer wide = runtime::Buffer::from_host(positions[p].data(), positions[p].size() * 8);
    split->parts.push_back(
        {of_a.parts[p].device,
         formats::shifted(wide, formats::Width::bits64, split->width, positions[p].size(), 0),
         positions[p].size()});
  }
  listed.split = std::move(split);
  return listed;
}

}  // namespace

bool extracted_in_parts(const MatrixOutput& c, const MatrixInput& a, const Indices& rows,
                        const Indices& columns, const PartExtraction& extract) {
  if (a.matrix.parts == nullptr) return false;
  const bool flipped = is_flipped(a);
  const Indices &first = flipped ? columns : rows, &second = flipped ? rows : columns;
  const std::shared_ptr<const Split>& of_a = a.matrix.parts->split;
  const ListedInParts listed = first.all ? ListedInParts{of_a, {}} : listed_in_parts(*of_a, first);
  const std::vector<DeviceMatrix> parts = parts_of(a.matrix, a.matrix.by_column, {of_a, flipped});
  PartsCall(c, {listed.split, flipped}).run([&](const MatrixOutput& out, size_t p) {
    Indices own{true, of_a->parts[p].count, nullptr};
    if (!first.all) own = {false, listed.own_rows[p].size(), listed.own_rows[p].data()};
    extract(out, {parts[p]}, flipped ? second : own, flipped ? own : second);
  });
  return true;
}

bool done_collected(const MatrixOutput& c, std::initializer_list<MatrixInput> operands,
                    const MatrixOperation& operation) {
  if (!lead_of(c, operands)) return done_over(c, operands, operation);
  std::vector<DeviceMatrix> wholes;
  for (const MatrixInput& operand : operands) wholes.push_back(formats::whole_of(operand.matrix));
  std::vector<MatrixInput> at_home;
  for (const MatrixInput& operand : operands) at_home.push_back({wholes[at_home.size()], operand.transpose});
  DeviceMatrix mask, made = formats::whole_of(old_of(c));
  MatrixMask asked = c.mask;
  if (asked.object != nullptr) {
    mask = formats::whole_of(*asked.object);
    asked.object = &mask;
  }
  operation({made, asked, c.accumulate, c.replace, c.any_form}, at_home);
  c.object = std::move(made);
  return true;
}

}  // namespace cugrb::operations
