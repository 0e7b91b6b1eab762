// One offloaded call from validation to commit: the steps that every function of offload.h shares.
//
//   nulls, unknown objects, wrong shapes, incompatible domains   -> Invalid: SuiteSparse makes the error
//   what the device cannot do                                    -> Declined, CompilationFailure: the reason
//   policy (selector::place, hysteresis)                         -> false, with the reason
//   run, commit; out of device memory                            -> evict, once more, then Declined
#pragma once
#include <exception>
#include <string>
#include <vector>

#include "src/capi/decode.h"
#include "src/capi/offload_function.h"
#include "src/mirror/mirror.h"
#include "src/operations/operations.h"
#include "src/selector/placement.h"

namespace cugrb::capi::offload {

/// The call does not look valid: SuiteSparse is to be asked, and makes the error code and text.
struct Invalid {};
inline void require(bool valid) {
  if (!valid) throw Invalid();
}

/// Runs `body`, which says whether the device did the call; on any exception the answer is false and the
/// trace has the reason. False at once when there is no device.
bool attempt(FunctionRef<bool()> body) noexcept;

/// Why a call is not for the device, into the thread's trace record.
void note_reason(const std::string& reason);

struct VectorOperand {
  GrB_Vector handle = nullptr;
  uint64_t size = 0;
  Type type;
};
struct MatrixOperand {
  GrB_Matrix handle = nullptr;
  uint64_t rows = 0, columns = 0;
  Type type;
};
/// Sizes and types; throws Invalid for null and invalid handles, Declined for types that the device cannot
/// have.
VectorOperand operand(GrB_Vector vector);
MatrixOperand operand(GrB_Matrix matrix);

/// The C API's rule: built-in types cast to each other, a user-defined type only to itself.
bool compatible(const Type& a, const Type& b);
/// A value of `given` may be the operator's x (or y). Throws Invalid when SuiteSparse would refuse; Declined
/// for a user-defined type where the operator ignores the value but its own type is another.
void require_first(const BinaryOp& op, const Type& given);
void require_second(const BinaryOp& op, const Type& given);

/// What a call reads, for the policy and for CUGRB_VERIFY.
class Inputs {
 public:
  explicit Inputs(const char* operation);
  void add(const VectorOperand& vector);
  void add(const MatrixOperand& matrix);
  /// The output: its old content is read only when it is kept.
  void add_output(const VectorOperand& vector, bool keep);
  /// Asks the selector; the prediction and the reason go to the trace.
  bool placed(bool waits);
  /// Brings everything to the host, as the forwarded call would. False when that failed.
  bool to_host() const;

 private:
  selector::Work work_;
  std::vector<GrB_Vector> vectors_;
  std::vector<GrB_Matrix> matrices_;
};

/// How an answer may differ from SuiteSparse's (CUGRB_VERIFY): floats by rounding of so many additions; with
/// ANY the values are free.
struct Exactness {
  uint64_t additions = 1;
  bool any_value = false;
};

/// A call whose output is a vector: w<mask, replace> accum= T.
class VectorCall {
 public:
  VectorCall(const char* operation, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
             GrB_Descriptor descriptor);

  VectorOperand input(GrB_Vector vector);
  MatrixOperand input(GrB_Matrix matrix);
  const VectorOperand& output() const { return w_; }
  const decode::Descriptor& descriptor() const { return descriptor_; }
  /// T's type: checks it against the accumulator and w.
  void result_type(const Type& type) const;
  /// assign through an index list: w keeps what is outside the list whatever mask and accumulator say.
  void keeps_outside() { keeps_outside_ = true; }
  Exactness& exactness() { return exactness_; }

  /// Policy, then `device` with w's device copy, then commit. `forward` is the real call with another output
  /// in w's place (for CUGRB_VERIFY). True: done, `info` is the result.
  bool run(GrB_Info& info, const std::string& op, FunctionRef<void(const operations::Output&)> device,
           FunctionRef<GrB_Info(GrB_Vector)> forward);

 private:
  bool keeps() const;
  void on_device(FunctionRef<void(const operations::Output&)> device);

  VectorOperand w_;
  VectorOperand mask_;
  std::shared_ptr<const BinaryOp> accum_;
  decode::Descriptor descriptor_;
  Inputs inputs_;
  bool keeps_outside_ = false;
  Exactness exactness_;
};

/// Runs `body` on the device; when it is out of memory, evicts and runs it once more.
void with_eviction(FunctionRef<void()> body);

}  // namespace cugrb::capi::offload
