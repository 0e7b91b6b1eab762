// T = A u with the rows of A dealt to all devices: u goes to each, they multiply at the same time, and what
// they make comes back to the device of A, where it is put in place.
#include "src/operations/multiply/mxv/parts/parts.h"

#include "cuda/views/row_parts.h"
#include "src/formats/element_kernels.h"
#include "src/formats/row_parts.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::Only;
using formats::RowPart;
using formats::RowParts;
using runtime::Buffer;
using runtime::Device;

namespace {

/// Memory of A's device for what comes from another one.
struct Arrival {
  Buffer values, present;
};

/// u on that device. Queued there, behind what has been queued here so far.
DeviceVector vector_on(Device& target, Device& home, const DeviceVector& u) {
  DeviceVector copy = u;
  const auto moved = [&](const Buffer& from) {
    Buffer to(from.bytes(), target);
    target.copy_from_peer(to.data(), home, from.data(), from.bytes());
    return to;
  };
  copy.values = moved(u.values);
  copy.present = moved(u.present);
  return copy;
}

/// Full, or a bitmap.
DeviceVector part_result(const MatrixVectorRun& run, const RowPart& part, const DeviceVector& u) {
  const MatrixVector call = {run.call.semiring, part.matrix, u, false, run.call.vector_first};
  const DeviceVector t = part.matrix.nvals() == 0
                             ? DeviceVector::empty(call.semiring.add.type(), part.matrix.rows)
                             : product_of_part(call);
  return t.form == Form::sparse ? formats::to_bitmap(t) : t;
}

/// T(part.rows(n)) = t(n).
void put_in_place(const RowPart& part, formats::Width row_width, const DeviceVector& from,
                  const DeviceVector& t) {
  RowPartScatterArguments arguments;
  arguments.list = part.rows.data();
  arguments.count = from.length;
  arguments.values = from.values.data();
  arguments.present = from.form == Form::bitmap ? from.present.as<uint8_t>() : nullptr;
  arguments.out_values = t.values.data();
  arguments.out_present = t.present.as<uint8_t>();
  formats::launch_per_element("row_parts.h",
                              "row_part_scatter<" + formats::element_of_bytes(t.type.size) + ", " +
                                  formats::index_type(row_width) + ">",
                              from.length, arguments);
}

/// One product. What is written from elsewhere is allocated before the others begin to follow this device, so
/// that nothing that is queued here afterwards can have the same memory. At the end, whatever it is, this
/// device follows the others: what they read and write here is theirs until then.
class PartsProduct {
 public:
  PartsProduct(const MatrixVectorRun& run, const RowParts& matrix)
      : run_(run), matrix_(matrix), home_(runtime::device()), results_(matrix.parts.size()) {}
  ~PartsProduct() {
    try {
      for (const RowPart& part : matrix_.parts) home_.follow(*part.device);
    } catch (const runtime::DeviceFailure&) {
      // The device is lost, and its memory with it.
    }
  }
  PartsProduct(const PartsProduct&) = delete;
  PartsProduct& operator=(const PartsProduct&) = delete;

  DeviceVector compute() {
    for (const RowPart& part : matrix_.parts) arrivals_.push_back(arrival_of(part));
    const std::vector<DeviceVector> vectors = sent();
    // Home, the first, is last: the others have begun by then.
    for (size_t p = matrix_.parts.size(); p-- > 0;)
      results_[p] = multiply(matrix_.parts[p], vectors[p], arrivals_[p]);
    return together();
  }

 private:
  bool is_home(const RowPart& part) const { return part.device == &home_; }

  Arrival arrival_of(const RowPart& part) const {
    if (is_home(part)) return {};
    return {Buffer(part.matrix.rows * run_.call.semiring.add.type().size), Buffer(part.matrix.rows)};
  }

  std::vector<DeviceVector> sent() const {
    const DeviceVector& u = run_.call.vector;
    for (const RowPart& part : matrix_.parts) part.device->follow(home_);
    std::vector<DeviceVector> vectors;
    for (const RowPart& part : matrix_.parts)
      vectors.push_back(is_home(part) ? u : vector_on(*part.device, home_, u));
    return vectors;
  }

  /// It lies at home once home follows the part's device.
  DeviceVector multiply(const RowPart& part, const DeviceVector& u, const Arrival& arrival) const {
    const runtime::OnDevice there(*part.device);
    DeviceVector t = part_result(run_, part, u);
    if (!is_home(part)) {
      part.device->copy_to_peer(home_, arrival.values.data(), t.values.data(), t.length * t.type.size);
      if (t.form == Form::bitmap)
        part.device->copy_to_peer(home_, arrival.present.data(), t.present.data(), t.length);
      t.values = arrival.values;
      t.present = arrival.present;
    }
    return t;
  }

  /// T without values, full where all parts of it are; its entries are counted where theirs are.
  DeviceVector whole() const {
    DeviceVector t;
    t.type = run_.call.semiring.add.type();
    t.length = run_.rows();
    t.form = Form::full;
    uint64_t entries = 0;
    bool counted = true;
    for (const DeviceVector& part : results_) {
      if (part.form != Form::full) t.form = Form::bitmap;
      counted = counted && part.nvals_known();
      if (counted) entries += part.nvals();
    }
    counted ? t.set_nvals(entries) : t.forget_nvals();
    t.values = Buffer((t.length * t.type.size + 3) / 4 * 4);
    if (t.form == Form::bitmap) t.present = Buffer(t.length);
    return t;
  }

  DeviceVector together() const {
    const DeviceVector t = whole();
    for (size_t p = 0; p < matrix_.parts.size(); ++p) {
      home_.follow(*matrix_.parts[p].device);  // nothing, for home
      put_in_place(matrix_.parts[p], matrix_.row_width, results_[p], t);
    }
    return t;
  }

  const MatrixVectorRun& run_;
  const RowParts& matrix_;
  Device& home_;
  std::vector<Arrival> arrivals_;
  std::vector<DeviceVector> results_;
};

DeviceVector multiply_in_parts(const MatrixVectorRun& run) {
  const RowParts& matrix = run.call.matrix.derived(
      run.call.transpose_matrix, Only<RowParts>(),
      [&](const formats::Csr& rows) { return formats::make_row_parts(rows, run.call.devices); });
  run.call.matrix.by_rows(run.call.transpose_matrix);  // a use
  return PartsProduct(run, matrix).compute();
}

std::string refusal(const MatrixVectorRun& run, bool of_device) {
  if (run.is_part) return "a part is multiplied on one device";
  if (!of_device || run.call.devices.size() < 2) return "there is one device (CUGRB_DEVICES)";
  if (run.call.vector.form == Form::sparse) return "the vector is sparse";
  if (run.call.semiring.multiply.positional != Positional::None) return "the operator is positional";
  if (!run.mask.allows_all) return "it would make what the mask forbids";
  return {};
}

}  // namespace

const MxvKernel mxv_parts = {
    {"mxv_parts"},
    {.cost = cost_of_parts,
     .plan = always(multiply_in_parts),
     .format = "row_parts",
     .derives = {typeid(Only<RowParts>)},
     .describe = [](const MatrixVectorRun& run, bool of_device, MxvProblem& p) {
       p.parts_refusal = refusal(run, of_device);
       if (!p.parts_refusal.empty()) return;
       p.devices = unsigned(run.call.devices.size());
       if (run.call.matrix.find_derived(run.call.transpose_matrix, Only<RowParts>()) != nullptr)
         p.ready_formats.insert(&mxv_parts);
     }}};

}  // namespace cugrb::operations
