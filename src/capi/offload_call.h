// One offloaded call from validation to commit: the steps that the operations of operations.def share.
//
//   nulls, unknown objects, wrong shapes, incompatible domains   -> Invalid: SuiteSparse makes the error
//   what the device cannot do                                    -> Declined, CompilationFailure: the reason
//   policy (selector::place, hysteresis)                         -> forwarded, with the reason
//   run, commit; out of device memory                            -> evict, once more, then Declined
//
// A definition reads: decode and check the operands, which counts them for the policy; then run(), which
// places the call, reads and computes in `device`, and commits.
#pragma once
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/capi/decode.h"
#include "src/capi/offload_function.h"
#include "src/capi/outcome.h"
#include "src/capi/target.h"
#include "src/mirror/host_result.h"
#include "src/mirror/mirror.h"
#include "src/operations/matrix_elementwise.h"
#include "src/operations/operations.h"
#include "src/selector/placement.h"
#include "src/support/stopwatch.h"

namespace cugrb::capi::offload {

/// The call does not look valid: SuiteSparse is to be asked, and makes the error code and text.
struct Invalid {};
inline void require(bool valid) {
  if (!valid) throw Invalid();
}

/// Runs `body`. On any exception, and where there is no device, the call is forwarded and the trace has the
/// reason.
Outcome attempt(FunctionRef<Outcome()> body) noexcept;

/// A handle with what it means to be an output or a mask of its kind.
struct VectorOperand {
  using Handle = GrB_Vector;
  using Object = formats::DeviceVector;
  GrB_Vector handle = nullptr;
  uint64_t size = 0;
  Type type;
  bool has_shape_of(const VectorOperand& other) const { return size == other.size; }
  bool has_positions() const { return size > 0; }
  const VectorOperand& transposed(bool) const { return *this; }
};
struct MatrixOperand {
  using Handle = GrB_Matrix;
  using Object = formats::DeviceMatrix;
  GrB_Matrix handle = nullptr;
  uint64_t rows = 0, columns = 0;
  Type type;
  bool has_shape_of(const MatrixOperand& other) const {
    return rows == other.rows && columns == other.columns;
  }
  bool has_positions() const { return rows > 0 && columns > 0; }
  MatrixOperand transposed(bool transpose) const {
    return transpose ? MatrixOperand{handle, columns, rows, type} : *this;
  }
};
/// Sizes and types; throws Invalid for null and invalid handles, Declined for types that the device cannot
/// have.
VectorOperand operand(GrB_Vector vector);
MatrixOperand operand(GrB_Matrix matrix);
/// Frees an object that cuGrB has made for itself.
inline void release(GrB_Vector* vector) { real::table().GrB_Vector_free(vector); }
inline void release(GrB_Matrix* matrix) { real::table().GrB_Matrix_free(matrix); }
/// An object that a call makes for the program: freed, and forgotten by the mirror, unless it is given away.
template <class Handle>
class Made {
 public:
  explicit Made(Handle handle) : handle_(handle) {}
  ~Made() {
    if (handle_ == nullptr) return;
    mirror::forget(handle_);
    release(&handle_);
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  Handle get() const { return handle_; }
  Handle give() { return std::exchange(handle_, nullptr); }

 private:
  Handle handle_;
};
/// The object's type as the program has it. Throws Invalid.
GrB_Type type_handle(GrB_Vector vector);
GrB_Type type_handle(GrB_Matrix matrix);
/// A matrix of that type, a handle's, without entries. Throws Invalid.
GrB_Matrix new_matrix(GrB_Type type, uint64_t rows, uint64_t columns);
/// The number of entries, wherever they are. Throws Invalid.
uint64_t entries_of(const VectorOperand& vector);
uint64_t entries_of(const MatrixOperand& matrix);

/// The C API's rule: built-in types cast to each other, a user-defined type only to itself.
bool compatible(const Type& a, const Type& b);
/// A value of `given` may be the operator's x (or y). Throws Invalid when SuiteSparse would refuse; Declined
/// for a user-defined type where the operator ignores the value but its own type is another.
void require_first(const BinaryOp& op, const Type& given);
void require_second(const BinaryOp& op, const Type& given);

/// An operand as the operations take it: those of vectors know no transposition.
inline const formats::DeviceVector& arranged(const formats::DeviceVector& vector, bool) { return vector; }
inline operations::MatrixInput arranged(const formats::DeviceMatrix& matrix, bool transpose) {
  return {matrix, transpose};
}

/// Operands of calls that look at each position by itself. They may be in parts.
inline mirror::VectorUse read_by_position(GrB_Vector u) { return mirror::read(u, mirror::Reads::any_form); }
inline mirror::MatrixUse read_by_position(GrB_Matrix a) { return mirror::read(a, mirror::Reads::any_place); }

/// What a call reads, for the policy and for CUGRB_VERIFY.
class Inputs {
 public:
  explicit Inputs(const char* operation);
  void add(const VectorOperand& vector);
  void add(const MatrixOperand& matrix);
  /// Of an iso object the call reads the value and the number of entries, whatever that is.
  template <class Operand>
  void add_entries(const Operand& object);
  /// A list of indices goes up in every call that it is given to.
  void add(const operations::Indices& indices);
  /// So many tuples, which go up in this call, each of so many bytes.
  void add_tuples(uint64_t count, uint64_t tuple_bytes);
  /// The rows that the mask allows are read, which are this share: a pull. `first_suffices`: each ends at the
  /// first entry that meets one of `vector`: with ANY, or with MIN or MAX of positions in rows that are
  /// sorted by them.
  void pulls(uint64_t rows, double allowed_share, const VectorOperand& vector, bool first_suffices);
  /// SuiteSparse sums the entries in the order in which it holds them, and looks nothing up by them.
  void entries_in_order();
  /// How many entries the result has is asked next, by the program or by a choice: the device is waited for.
  void count_next() { is_counted_next_ = true; }
  /// A row of the matrix as it is held (by column: a column) is read for each entry of `vector`: a push.
  /// Where both are on the host and the entries are few, their rows are looked at: a search may begin at a
  /// vertex with a tenth of all edges. Else, where an edge has led to these entries, and lengths are known,
  /// they are those that edges lead to.
  void pushes(const MatrixOperand& matrix, const VectorOperand& vector);
  /// Nothing but the places of its entries is written: of a mask, or of what is added to the output.
  template <class Operand>
  void writes_entries_of(const Operand& object);
  /// The result depends on places: it is not iso because the inputs are.
  void reads_places() { all_iso_ = false; }
  /// The output: its old content is read only when it is kept.
  template <class Operand>
  void add_output(const Operand& output, bool keep);
  /// The call multiplies these two, as they are after their transposition.
  void multiplies(const MatrixOperand& a, const MatrixOperand& b, bool a_transposed, bool b_transposed);
  /// SuiteSparse reads the first factor, and of the second the rows that its entries meet: Gustavson's
  /// method.
  void meets_rows_of(const MatrixOperand& a);
  /// Each entry of one meets each entry of the other.
  void pairs_all(const MatrixOperand& a, const MatrixOperand& b);
  /// Asks the selector; the prediction and the reason go to the trace. A call that stays on the CPU is
  /// measured there.
  bool placed(bool waits);
  /// The device has done what was placed there, since that was: its time counts in later predictions.
  void ran();
  /// The matrices by themselves are larger than the device's memory.
  bool exceed_device() const;
  /// Brings everything to the host, as the forwarded call would. False when that failed.
  bool to_host() const;

 private:
  void take_place(const VectorOperand& vector, uint64_t bytes, uint64_t bytes_on_cpu);
  bool take_place(const MatrixOperand& matrix, bool iso);
  uint64_t result_bytes_of(const VectorOperand& output) const;
  bool knows(const void* handle) const;
  void entries_suffice(double entries);
  void add_handle(GrB_Vector vector) { vectors_.push_back(vector); }
  void add_handle(GrB_Matrix matrix) { matrices_.push_back(matrix); }

  uint64_t streamed_bytes() const;
  void bound_work_on_cpu();
  /// For the trace: of the operands, and what the prediction stands on.
  std::string sizes() const;
  std::string basis() const;

  selector::Work work_;
  uint64_t matrix_bytes_ = 0;                     ///< on the device, of all matrices
  uint64_t factor_bytes_ = 0, result_bytes_ = 0;  ///< of a product's second factor and of the result, about
  uint64_t output_bytes_ = 0;                     ///< of the output vector's positions
  const char* basis_ = "";                        ///< of a product's estimate
  std::optional<uint64_t> written_;               ///< at most so many of the output's positions
  std::optional<double> pushed_;  ///< entries of the matrix that a push, or a product by rows, reads
  selector::Placement placement_;
  Stopwatch since_placed_;
  uint64_t loaded_before_ = 0;  ///< kernels of the process that were not at hand
  bool is_counted_next_ = false;
  bool all_iso_ = true;         ///< one value for all entries of every input
  uint64_t iso_positions_ = 0;  ///< of matrices with one value at all of their positions
  std::string shapes_;          ///< of the factors, or of the only matrix: for the trace
  std::vector<GrB_Vector> vectors_;
  std::vector<GrB_Matrix> matrices_;
};

/// Whether SuiteSparse finds an entry by its place, as in a bitmap or a full matrix, or will once it has it.
bool is_held_by_places(const MatrixOperand& matrix);

/// How an answer may differ from SuiteSparse's (CUGRB_VERIFY): floats by rounding of so many additions; with
/// ANY the values are free.
struct Exactness {
  uint64_t additions = 1;
  bool any_value = false;
};

/// A call whose output is a vector or a matrix: w<mask, replace> accum= T.
template <class Operand>
class OutputCall {
 public:
  using Handle = typename Operand::Handle;
  using Output = operations::Output<typename Operand::Object>;

  OutputCall(const char* operation, const Target<Handle>& target);

  VectorOperand input(GrB_Vector vector);
  MatrixOperand input(GrB_Matrix matrix);
  /// An input that has, transposed if asked, the output's shape.
  Operand input_of_shape(Handle handle, bool transpose) {
    const Operand result = input(handle);
    require(result.transposed(transpose).has_shape_of(w_));
    return result;
  }
  const Operand& output() const { return w_; }
  const decode::Descriptor& descriptor() const { return descriptor_; }
  bool is_masked() const { return mask_.handle != nullptr || descriptor_.complement; }
  /// Of the output's positions, those that the mask allows: 1 where that is not known without a wait.
  double allowed_share() const;
  /// T's type: checks it against the accumulator and w.
  void result_type(const Type& type) const;
  /// The operation takes an output in any form, and leaves it in any; of a vector its mask, too.
  void takes_any_form() { any_form_ = true; }
  /// The operation takes matrices in parts: the output, and its mask.
  void takes_parts() { parts_ = true; }
  /// Has w's mask and the operands agree on their parts, where they are vectors: in `device`, before it
  /// computes.
  template <class... Uses>
  void settle_form(const Output& w, Uses&... operands) {
    if constexpr (std::is_same_v<Operand, VectorOperand>)
      operations::settle_parts(w, {mask_object_, &*operands...});
  }
  /// The call is w op= T. For one without mask and accumulator.
  void accumulates(const BinaryOp& op) { accum_ = std::make_shared<const BinaryOp>(op); }
  bool accumulates() const { return accum_ != nullptr; }
  /// assign through an index list: w keeps what is outside the list whatever mask and accumulator say.
  void keeps_outside() { keeps_outside_ = true; }
  Exactness& exactness() { return exactness_; }
  /// How the result can be made when it, or an operand, does not fit the device (matrices only).
  using InSlices = FunctionRef<void(const operations::HostOutput&, formats::RowSink&)>;
  void in_slices(const InSlices& make) { in_slices_ = &make; }
  Inputs& inputs() { return inputs_; }

  /// Policy, then `device` with w's device copy, then commit. `op` tells the trace what is computed.
  Outcome run(const std::string& op, FunctionRef<void(const Output&)> device);

 private:
  std::optional<BinaryOp> accumulator() const;
  bool keeps() const;
  bool placed();
  void on_device(FunctionRef<void(const Output&)> device);
  /// `body` with the output's device copy, which is committed afterwards.
  void with_output(FunctionRef<void(const Output&)> body);
  /// The call by in_slices_, all of its matrices in host memory.
  void run_in_slices();

  FunctionRef<GrB_Info(Handle)> real_;
  Operand w_;
  Operand mask_;
  std::shared_ptr<const BinaryOp> accum_;
  decode::Descriptor descriptor_;
  Inputs inputs_;
  bool keeps_outside_ = false, any_form_ = false, parts_ = false;
  Exactness exactness_;
  const InSlices* in_slices_ = nullptr;
  typename Operand::Object* mask_object_ = nullptr;  ///< while `device` runs; null: there is no mask
};
extern template class OutputCall<VectorOperand>;
extern template class OutputCall<MatrixOperand>;
using VectorCall = OutputCall<VectorOperand>;
using MatrixCall = OutputCall<MatrixOperand>;
/// Whether SuiteSparse goes through T's entries alone: it accumulates them into C by their places. With
/// GrB_REPLACE it goes through all that C has.
inline bool accumulates_by_places(const MatrixCall& call) {
  return call.accumulates() && !call.descriptor().replace && is_held_by_places(call.output());
}
/// The output and the mask of a call that looks at each position by itself may be in parts.
inline void takes_parts(VectorCall& call) { call.takes_any_form(); }
inline void takes_parts(MatrixCall& call) { call.takes_parts(); }
/// The call whose output is such a handle.
template <class Handle>
using CallOn = std::conditional_t<std::is_same_v<Handle, GrB_Vector>, VectorCall, MatrixCall>;

/// Runs `body` on the device; when it is out of memory, evicts and runs it once more.
void with_eviction(FunctionRef<void()> body);

}  // namespace cugrb::capi::offload
