// T = A u with the rows of A dealt to all devices: each gets what it needs of u and of the mask, they
// multiply at the same time, and what they make comes back to the device of A, where it is put in place.
//
// Of a square A, vectors of a loop stay in parts (src/formats/vector_parts.h): each device makes its rows of
// T where its part of T lies, and gets what it needs of u from the devices that have it.
#include "src/operations/multiply/mxv/parts/parts.h"

#include "cuda/views/row_parts.h"
#include "src/formats/block_locality.h"
#include "src/formats/element_kernels.h"
#include "src/formats/part_exchange.h"
#include "src/operations/in_parts.h"
#include "src/operations/multiply/mxv/pull.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::RowPart;
using formats::RowParts;
using PartsKey = formats::RowParts::Key;
using ExchangeKey = formats::PartExchange::Key;
using runtime::Buffer;
using runtime::Device;

namespace {

/// Memory of A's device for what comes from another one.
struct Arrival {
  Buffer values, present;
};

/// What a part has of u and of the mask; no mask: all is allowed.
struct Operands {
  DeviceVector u;
  std::optional<DeviceVector> allowed;
};

/// Which index of the sum, counted from what, the operator gives in place of values; nothing: it reads
/// values.
std::optional<uint64_t> first_inner_index(const BinaryOp& multiply) {
  switch (multiply.positional) {
    case Positional::FirstJ:
    case Positional::SecondI:
      return 0;
    case Positional::FirstJ1:
    case Positional::SecondI1:
      return 1;
    default:
      return std::nullopt;
  }
}

/// The semiring of the parts: an index of the sum comes as a value of u.
Semiring semiring_of_parts(const MatrixVector& call) {
  const BinaryOp& multiply = call.semiring.multiply;
  if (!first_inner_index(multiply)) return call.semiring;
  return catalogue::make_semiring(
      call.semiring.add, call.vector_first ? catalogue::first(multiply.z) : catalogue::second(multiply.z));
}

/// One product. What is written from elsewhere is allocated before the others begin to follow this device, so
/// that nothing that is queued here afterwards can have the same memory. At the end, whatever it is, this
/// device follows the others: what they read and write here is theirs until then.
class PartsProduct {
 public:
  /// `exchange`: what u's parts are for; null where u lies at home. `stays`: T is left in parts.
  PartsProduct(const MatrixVectorRun& run, const DeviceVector& u, const RowParts& matrix,
               const formats::PartExchange* exchange, bool stays)
      : run_(run),
        u_(u),
        matrix_(matrix),
        exchange_(exchange),
        stays_(stays),
        semiring_(semiring_of_parts(run.call)),
        home_(runtime::device()),
        arrivals_(matrix.parts.size()),
        operands_(matrix.parts.size()),
        results_(matrix.parts.size()) {}
  ~PartsProduct() {
    if (exchange_ != nullptr && stays_) return;  // nothing of home's was read or written elsewhere
    try {
      for (const RowPart& part : matrix_.parts) home_.follow(*part.device);
    } catch (const runtime::DeviceFailure&) {
      // The device is lost, and its memory with it.
    }
  }
  PartsProduct(const PartsProduct&) = delete;
  PartsProduct& operator=(const PartsProduct&) = delete;

  DeviceVector compute() {
    const size_t parts = matrix_.parts.size();
    for (size_t p = 0; p < parts; ++p) {
      if (has_rows(p) && !stays_) arrivals_[p] = arrival_of(matrix_.parts[p]);
      if (has_rows(p) && exchange_ == nullptr) operands_[p] = operands_of(matrix_.parts[p]);
      if (exchange_ != nullptr && !run_.mask.allows_all && !mask_in_parts())
        operands_[p].allowed = allowed(matrix_.parts[p]);
    }
    if (exchange_ != nullptr) {
      std::vector<DeviceVector> own = formats::exchanged(u_, *exchange_);
      for (size_t p = 0; p < parts; ++p) operands_[p].u = std::move(own[p]);
    }
    if (exchange_ == nullptr || !stays_) {
      for (const RowPart& part : matrix_.parts) part.device->follow(home_);
    }
    // Home, the first, is last: the others have begun by then.
    for (size_t p = parts; p-- > 0;) {
      if (has_rows(p)) results_[p] = multiply(p);
    }
    return stays_ ? left_in_parts() : together();
  }

 private:
  bool has_rows(size_t p) const { return matrix_.parts[p].with_entries > 0; }
  bool is_home(const RowPart& part) const { return part.device == &home_; }
  bool mask_in_parts() const { return run_.mask.vector.parts != nullptr; }
  size_t result_size() const { return run_.call.semiring.add.type().size; }

  Arrival arrival_of(const RowPart& part) const {
    if (is_home(part)) return {};
    return {Buffer(part.with_entries * result_size()), Buffer(part.with_entries)};
  }

  // ---- at home

  void gather(const std::string& kernel, RowPartGatherArguments& arguments) const {
    formats::launch_per_element("row_parts.h", kernel, arguments.count, arguments);
  }
  std::string column_index() const { return formats::index_type(matrix_.column_width); }

  Operands operands_of(const RowPart& part) const {
    Operands operands;
    const auto first = first_inner_index(run_.call.semiring.multiply);
    operands.u = first ? indices(part, *first) : values(part);
    if (!run_.mask.allows_all) operands.allowed = allowed(part);
    return operands;
  }

  /// u at the part's columns, of its values or of something else that `own` has as values by then.
  DeviceVector at_columns(const RowPart& part, DeviceVector own, bool moves_values) const {
    if (!part.columns) return own;
    RowPartGatherArguments arguments;
    arguments.list = part.columns.data();
    arguments.count = own.length = part.matrix.columns;
    if (moves_values) {
      arguments.values = u_.values.data();
      own.values = Buffer(own.length * own.type.size);
      arguments.out_values = own.values.data();
    }
    if (own.form == Form::bitmap) {
      arguments.present = u_.present.as<uint8_t>();
      own.present = Buffer(own.length);
      arguments.out_present = own.present.as<uint8_t>();
      own.forget_nvals();
    }
    const std::string element = moves_values ? formats::element_of_bytes(own.type.size) : "void";
    if (moves_values || own.form == Form::bitmap)
      gather("row_part_gather<" + element + ", " + column_index() + ">", arguments);
    return own;
  }

  DeviceVector values(const RowPart& part) const {
    DeviceVector own = u_;
    if (!is_home(part) && !own.iso && !run_.reads_vector()) {
      own.iso = true;  // one value, which nobody reads, is less to send
      own.values = u_.values.first_bytes(own.type.size);
    }
    return at_columns(part, own, !own.iso);
  }

  DeviceVector indices(const RowPart& part, uint64_t first) const {
    DeviceVector own = u_;
    own.type = run_.call.semiring.multiply.z;
    own.iso = false;
    own = at_columns(part, own, false);
    own.values = Buffer(own.length * own.type.size);
    RowPartGatherArguments arguments;
    arguments.list = part.columns.data();
    arguments.count = own.length;
    arguments.first = first;
    arguments.out_values = own.values.data();
    gather("row_part_positions<" + own.type.name + ", " + column_index() + ", " +
               (part.columns ? "true" : "false") + ">",
           arguments);
    return own;
  }

  /// Whether T may have an entry in the part's rows, as a vector of all of them.
  DeviceVector allowed(const RowPart& part) const {
    DeviceVector own;
    own.type = Type::of(TypeCode::Bool);
    own.length = part.matrix.rows;
    own.form = Form::full;
    own.values = Buffer(own.length);
    RowPartGatherArguments arguments;
    arguments.list = part.rows.data();
    arguments.count = own.length;
    arguments.mask = run_.mask.view;
    arguments.out_present = own.values.as<uint8_t>();
    gather("row_part_allowed<" + run_.mask.name() + ", " + formats::index_type(matrix_.row_width) + ", true>",
           arguments);
    return own;
  }

  // ---- on the part's device

  /// About as large a share of the part's columns as of all has entries in u.
  uint64_t entries_about(const RowPart& part) const {
    if (u_.form == Form::full || !part.columns)
      return u_.form == Form::full ? part.matrix.columns : u_.nvals();
    return uint64_t(double(u_.nvals()) / double(u_.length) * double(part.matrix.columns));
  }

  VectorMask mask_of(const RowPart& part, const Operands& own) const {
    if (!mask_in_parts()) return {own.allowed ? &*own.allowed : nullptr, false, false};
    const auto p = size_t(&part - matrix_.parts.data());
    return {&run_.mask.vector.parts->of[p], run_.mask.structural, run_.mask.complement};
  }

  /// The part whose product is made just before, where one that is like it: trials of both would tell the
  /// same, and the other device would wait for each.
  const DeviceMatrix* timed_before(const RowPart& part) const {
    constexpr double alike = 1.05;
    const auto next = size_t(&part - matrix_.parts.data()) + 1;
    if (next >= matrix_.parts.size()) return nullptr;
    const RowPart& other = matrix_.parts[next];
    const auto close = [](uint64_t a, uint64_t b) {
      return double(std::max(a, b)) <= alike * double(std::min(a, b));
    };
    const bool is_alike = other.device->properties().name == part.device->properties().name &&
                          close(other.matrix.nvals(), part.matrix.nvals()) &&
                          close(other.matrix.columns, part.matrix.columns) &&
                          close(other.matrix.rows, part.matrix.rows);
    return is_alike ? &other.matrix : nullptr;
  }

  /// Full, or a bitmap.
  DeviceVector product(const RowPart& part, const Operands& own) const {
    const MatrixVector call = {semiring_, part.matrix, own.u, false, run_.call.vector_first};
    const DeviceVector t = product_of_part(call, mask_of(part, own), entries_about(part), timed_before(part));
    return t.form == Form::sparse ? formats::to_bitmap(t) : t;
  }

  /// Left where it is made; else it lies at home once home follows the part's device.
  DeviceVector multiply(size_t p) const {
    const RowPart& part = matrix_.parts[p];
    if (is_home(part)) return product(part, operands_[p]);
    const runtime::OnDevice there(*part.device);
    Operands own = operands_[p];
    if (exchange_ == nullptr) own.u = formats::vector_on(*part.device, home_, own.u);
    if (own.allowed) own.allowed = formats::vector_on(*part.device, home_, *own.allowed);
    DeviceVector t = product(part, own);
    if (stays_) return t;
    const Arrival& arrival = arrivals_[p];
    part.device->copy_to_peer(home_, arrival.values.data(), t.values.data(),
                              part.with_entries * result_size());
    if (t.form == Form::bitmap)
      part.device->copy_to_peer(home_, arrival.present.data(), t.present.data(), part.with_entries);
    t.values = arrival.values;
    t.present = arrival.present;
    return t;
  }

  // ---- at home again

  /// T(part.rows(n)) = from(n). `known`: T's presence is there.
  void put_in_place(const RowPart& part, const DeviceVector& from, const DeviceVector& t, bool known) const {
    RowPartScatterArguments arguments;
    arguments.list = part.rows.data();
    arguments.count = part.with_entries;
    arguments.values = from.values.data();
    arguments.present = from.form == Form::bitmap ? from.present.as<uint8_t>() : nullptr;
    arguments.out_values = t.values.data();
    arguments.out_present = known ? nullptr : t.present.as<uint8_t>();
    formats::launch_per_element("row_parts.h",
                                "row_part_scatter<" + formats::element_of_bytes(t.type.size) + ", " +
                                    formats::index_type(matrix_.row_width) + ">",
                                part.with_entries, arguments);
  }

  DeviceVector together() const {
    const bool known = pattern_is_known(run_);
    DeviceVector t = new_result(run_, known);
    if (!known && matrix_.rows() < t.length) t.present.fill(0);
    for (size_t p = 0; p < matrix_.parts.size(); ++p) {
      home_.follow(*matrix_.parts[p].device);  // nothing, for home
      if (has_rows(p)) put_in_place(matrix_.parts[p], results_[p], t, known);
    }
    return t;
  }

  /// A part without entries has none of T.
  DeviceVector left_in_parts() {
    const Type& type = run_.call.semiring.add.type();
    for (size_t p = 0; p < results_.size(); ++p) {
      if (!has_rows(p)) results_[p] = DeviceVector::empty(type, matrix_.parts[p].matrix.rows);
    }
    formats::note_left(matrix_.split);
    constexpr uint64_t product = 1;
    return kept_in_parts(type, {matrix_.split, std::move(results_)}, product);
  }

  const MatrixVectorRun& run_;
  const DeviceVector& u_;
  const RowParts& matrix_;
  const formats::PartExchange* const exchange_;
  const bool stays_;
  const Semiring semiring_;
  Device& home_;
  std::vector<Arrival> arrivals_;
  std::vector<Operands> operands_;  // at home
  std::vector<DeviceVector> results_;
};

/// Vectors with so many of their entries are as good as full: others are better off as lists.
bool is_dense(const DeviceVector& u) {
  return u.form == Form::full || (u.form == Form::bitmap && u.nvals_known() && u.nvals() >= u.length / 4);
}

/// Whether T is left in parts, as far as that does not depend on the parts.
bool may_stay(const MatrixVectorRun& run) {
  const MatrixVector& call = run.call;
  return call.in_parts && !run.is_part && run.rows() == run.columns() &&
         (run.mask.allows_all || run.mask.vector.parts != nullptr) &&
         call.semiring.multiply.positional == Positional::None && is_dense(call.vector);
}

/// u is in the parts of that matrix, and is multiplied as it is there.
bool comes_in_parts(const MatrixVector& call, const RowParts& parts) {
  return call.vector.parts != nullptr && call.vector.parts->split == parts.split &&
         call.semiring.multiply.positional == Positional::None;
}

/// Made at the first product with a vector in parts.
const formats::PartExchange& exchange_of(const MatrixVectorRun& run, const RowParts& parts) {
  return run.call.matrix.derived(run.call.transpose_matrix, ExchangeKey(),
                                 [&] { return formats::make_exchange(parts); });
}

/// Vectors of A and of A' are in the same parts, where A' has some: loops multiply by both in turn.
std::shared_ptr<const formats::Split> split_of_transpose(const MatrixVector& call) {
  const RowParts* const parts = call.matrix.find_derived(!call.transpose_matrix, PartsKey{true});
  return parts != nullptr && call.matrix.rows == call.matrix.columns ? parts->split : nullptr;
}

/// `shares`: of the parts, where they are to be made.
DeviceVector multiply_in_parts(const MatrixVectorRun& run, const std::vector<double>& shares) {
  const MatrixVector& call = run.call;
  const RowParts& matrix =
      call.matrix.derived(call.transpose_matrix, PartsKey{true}, [&](const formats::Csr& rows) {
        return formats::make_row_parts(rows, call.devices,
                                       {shares, 0, true, split_of_transpose(call), true, may_stay(run)});
      });
  const bool stays = may_stay(run) && matrix.split->pays();
  if (!stays) matrix.split->note_whole();
  call.matrix.by_rows(call.transpose_matrix);  // a use
  if (comes_in_parts(call, matrix))
    return PartsProduct(run, call.vector, matrix, &exchange_of(run, matrix), stays).compute();
  DeviceVector u = formats::collected(call.vector);
  if (u.form == Form::sparse) u = formats::to_bitmap(u);
  return PartsProduct(run, u, matrix, nullptr, stays).compute();
}

MxvLaunch plan_of_parts(const MxvProblem& p, const Hardware& h) {
  return {[shares = shares_of_parts(p, h).of_device](const MatrixVectorRun& run) {
    return multiply_in_parts(run, shares);
  }};
}

std::string refusal(const MatrixVectorRun& run, bool of_device) {
  if (run.is_part) return "a part is multiplied on one device";
  if (!of_device || run.call.devices.size() < 2) return "there is one device (CUGRB_DEVICES)";
  const BinaryOp& multiply = run.call.semiring.multiply;
  if (multiply.positional != Positional::None && !first_inner_index(multiply))
    return "the operator asks for the row, which is another one in a part";
  if (run.call.matrix.fragments != nullptr) return "the matrix is fragmented";
  return {};
}

/// What is told of the parts that are there.
void describe_parts(const MatrixVectorRun& run, const RowParts& parts, MxvProblem& p) {
  p.ready_formats.insert(&mxv_parts);
  p.result_stays = p.result_stays && parts.split->pays();
  p.vector_in_parts = p.vector_in_parts && comes_in_parts(run.call, parts);
  p.part_shares = parts.shares;
  p.parts_text = parts.text();
  p.part_columns = 0;
  for (size_t n = 1; n < parts.parts.size(); ++n) p.part_columns += parts.parts[n].matrix.columns;
  const auto* const exchange = run.call.matrix.find_derived(run.call.transpose_matrix, ExchangeKey());
  if (exchange == nullptr) return;
  p.sent_between_parts = exchange->entries_between();
  p.own_in_place = exchange->is_around_own();
}

void describe(const MatrixVectorRun& run, bool of_device, MxvProblem& p) {
  p.parts_refusal = refusal(run, of_device);
  if (!p.parts_refusal.empty()) return;
  p.devices = unsigned(run.call.devices.size());
  p.device_paces = selector::paces_of(run.call.devices);
  p.result_stays = may_stay(run);
  p.vector_in_parts = run.call.vector.parts != nullptr;
  const RowParts* const parts = run.call.matrix.find_derived(run.call.transpose_matrix, PartsKey{true});
  if (parts != nullptr) describe_parts(run, *parts, p);
  // What nobody has counted yet follows from the blocks that parts are, or would be.
  const bool may_be_blocks = parts == nullptr || parts->block_rows > RowParts::usual_block_rows;
  if (may_be_blocks && !p.sent_between_parts && p.result_stays && p.pull_ready) {
    constexpr uint64_t patience = 4;
    p.entries_outside_of_blocks =
        entries_outside_of_blocks(run.call.matrix, run.call.transpose_matrix, p.devices, patience);
  }
}

}  // namespace

std::optional<double> entries_outside_of_blocks(const DeviceMatrix& matrix, bool transposed, uint64_t devices,
                                                uint64_t patience) {
  const formats::BlockLocality* const found = matrix.derived_later(
      transposed, formats::BlockLocality::Key{devices}, patience,
      [&](const formats::Csr& rows) { return formats::begin_block_sample(rows, devices); });
  if (found == nullptr || !found->is_near_diagonal()) return std::nullopt;
  return found->outside * double(matrix.nvals());
}

bool lies_in_parts(const MatrixVector& call) {
  const RowParts* const parts = call.matrix.find_derived(call.transpose_matrix, PartsKey{true});
  return parts != nullptr && comes_in_parts(call, *parts);
}

const MxvKernel mxv_parts = {{"mxv_parts"},
                             {.cost = cost_of_parts,
                              .plan = plan_of_parts,
                              .format = "row_parts",
                              .derives = {typeid(ExchangeKey), typeid(PartsKey)},
                              .describe = describe}};

}  // namespace cugrb::operations
