#include "src/capi/offload_call.h"

#include <mutex>
#include <new>
#include <unordered_map>

#include "cuda/runtime/device.h"
#include "src/capi/gate.h"
#include "src/capi/offload_verify.h"
#include "src/jit/jit.h"
#include "src/mirror/types.h"
#include "src/support/declined.h"
#include "src/support/settings.h"
#include "src/support/trace.h"

namespace cugrb::capi::offload {
namespace {

/// How often a matrix has been asked for: what the selector expects of its future. An address that is used
/// again after a free starts with the old count, which is harmless.
uint64_t count_use(GrB_Matrix matrix) {
  static std::mutex lock;
  static std::unordered_map<GrB_Matrix, uint64_t> uses;
  const std::lock_guard<std::mutex> guard(lock);
  if (uses.size() > 4096) uses.clear();
  return uses[matrix]++;
}

}  // namespace

void note_reason(const std::string& reason) {
  if (trace::enabled()) trace::current().reason = reason;
}

bool attempt(FunctionRef<bool()> body) noexcept {
  try {
    try {
      if (!runtime::available()) {
        if (trace::enabled()) note_reason(runtime::unavailable_reason());  // the text costs more than the call
        return false;
      }
      return body();
    } catch (const Invalid&) {
      note_reason("the arguments do not look valid");
    } catch (const std::bad_alloc&) {
      note_reason("out of host memory");
    } catch (const std::exception& error) {  // Declined, CompilationFailure, OutOfMemory, DeviceFailure
      note_reason(error.what());
    }
  } catch (...) {
    // Not even the reason could be kept.
  }
  return false;
}

VectorOperand operand(GrB_Vector vector) {
  require(vector != nullptr);
  const mirror::MetadataGuard guard(vector);
  GrB_Index size = 0;
  require(real::table().GrB_Vector_size(&size, vector) == GrB_SUCCESS);
  return {vector, size, mirror::type_of(vector)};
}

MatrixOperand operand(GrB_Matrix matrix) {
  require(matrix != nullptr);
  const mirror::MetadataGuard guard(matrix);
  GrB_Index rows = 0, columns = 0;
  require(real::table().GrB_Matrix_nrows(&rows, matrix) == GrB_SUCCESS);
  require(real::table().GrB_Matrix_ncols(&columns, matrix) == GrB_SUCCESS);
  return {matrix, rows, columns, mirror::type_of(matrix)};
}

bool compatible(const Type& a, const Type& b) {
  if (a.is_user() || b.is_user()) return a == b;
  return true;
}

namespace {

/// `reads`: the operator looks at the value. SuiteSparse checks ANY's first operand although it is never
/// used.
void require_operand(const BinaryOp& op, bool reads, const Type& wanted, const Type& given) {
  if (compatible(given, wanted)) return;
  require(!reads && op.stem != "any_value");
  throw Declined("a user-defined type where " + op.name + " ignores the value");
}

}  // namespace

void require_first(const BinaryOp& op, const Type& given) { require_operand(op, op.reads_x, op.x, given); }
void require_second(const BinaryOp& op, const Type& given) { require_operand(op, op.reads_y, op.y, given); }

Inputs::Inputs(const char* operation) { work_.operation = operation; }

void Inputs::add(const VectorOperand& vector) {
  for (const GrB_Vector known : vectors_) {
    if (known == vector.handle) return;
  }
  vectors_.push_back(vector.handle);
  work_.vector_length = std::max(work_.vector_length, vector.size);
  work_.upload_bytes += mirror::upload_bytes(vector.handle);
  if (mirror::state(vector.handle) == mirror::State::device) {
    work_.device_resident_bytes += vector.size * vector.type.size;
  }
}

void Inputs::add_output(const VectorOperand& vector, bool keep) {
  if (keep) {
    add(vector);
    return;
  }
  vectors_.push_back(vector.handle);
  work_.vector_length = std::max(work_.vector_length, vector.size);
}

void Inputs::add(const MatrixOperand& matrix) {
  matrices_.push_back(matrix.handle);
  GrB_Index entries = 0;
  require(real::table().GrB_Matrix_nvals(&entries, matrix.handle) == GrB_SUCCESS);
  work_.entries += entries;
  work_.matrix_upload_bytes += mirror::upload_bytes(matrix.handle);
  work_.matrix_uses = count_use(matrix.handle);
}

bool Inputs::placed(bool waits) {
  work_.waits = waits;
  const selector::Placement placement = selector::place(work_);
  if (trace::enabled()) {
    trace::Record& record = trace::current();
    record.reason = placement.reason;
    record.predicted_seconds = placement.gpu_seconds;
    record.cpu_predicted_seconds = placement.cpu_seconds;
    record.sizes = std::to_string(work_.vector_length);
    if (!matrices_.empty()) record.sizes += ", " + std::to_string(work_.entries) + " entries";
  }
  return placement.processor == selector::Processor::gpu;
}

bool Inputs::to_host() const {
  for (const GrB_Vector vector : vectors_) {
    if (mirror::to_host(vector) != GrB_SUCCESS) return false;
  }
  for (const GrB_Matrix matrix : matrices_) {
    if (mirror::to_host(matrix) != GrB_SUCCESS) return false;
  }
  return true;
}

VectorCall::VectorCall(const char* operation, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                       GrB_Descriptor descriptor)
    : w_(operand(w)), inputs_(operation) {
  descriptor_ = decode::descriptor(descriptor);
  if (mask != nullptr) {
    mask_ = operand(mask);
    require(mask_.size == w_.size);
    require(descriptor_.structural || !mask_.type.is_user());
    inputs_.add(mask_);
  }
  if (accum != nullptr) {
    accum_ = decode::binary_op(accum);
    require(accum_->positional == Positional::None);
  }
}

VectorOperand VectorCall::input(GrB_Vector vector) {
  const VectorOperand result = operand(vector);
  inputs_.add(result);
  return result;
}

MatrixOperand VectorCall::input(GrB_Matrix matrix) {
  const MatrixOperand result = operand(matrix);
  inputs_.add(result);
  return result;
}

void VectorCall::result_type(const Type& type) const {
  if (accum_) {
    require_first(*accum_, w_.type);
    require_second(*accum_, type);
    require(compatible(accum_->z, w_.type));
  }
  require(compatible(type, w_.type));
}

void with_eviction(FunctionRef<void()> body) {
  try {
    body();
    return;
  } catch (const runtime::OutOfMemory&) {
    // Out of the handler first: the body's uses are gone, so that what they named can be evicted too.
  }
  mirror::evict(~size_t(0));
  body();
}

/// Whether the old content of w matters to the result.
bool VectorCall::keeps() const {
  const bool masked = mask_.handle != nullptr || descriptor_.complement;
  return accum_ != nullptr || keeps_outside_ || (masked && !descriptor_.replace);
}

void VectorCall::on_device(FunctionRef<void(const operations::Output&)> device) {
  operations::Mask mask{nullptr, descriptor_.structural, descriptor_.complement};
  mirror::VectorUse mask_use;
  if (mask_.handle != nullptr) {
    mask_use = mirror::read(mask_.handle);
    mask.vector = &*mask_use;
  }
  mirror::VectorUse w = mirror::write(w_.handle, keeps());
  device({*w, mask, accum_ ? std::optional<BinaryOp>(*accum_) : std::nullopt, descriptor_.replace});
  w.commit();
}

bool VectorCall::run(GrB_Info& info, const std::string& op,
                     FunctionRef<void(const operations::Output&)> device,
                     FunctionRef<GrB_Info(GrB_Vector)> forward) {
  if (trace::enabled()) trace::current().operation = op;
  inputs_.add_output(w_, keeps());
  // Nothing to compute; and SuiteSparse's form of such a vector (full or sparse) is seen by unpack functions.
  if (w_.size == 0) throw Declined("the output has no positions");
  if (settings().offload != Offload::always && mirror::prefers_host(w_.handle)) {
    note_reason("the output is being used element by element on the host");
    return false;
  }
  if (!inputs_.placed(false)) return false;
  Verification verification;
  if (settings().verify && !(inputs_.to_host() && verification.expect(w_.handle, forward))) return false;
  with_eviction([&] { on_device(device); });
  if (blocking()) runtime::device().synchronize();
  if (settings().verify) verification.compare(w_.handle, exactness_);
  info = GrB_SUCCESS;
  return true;
}

}  // namespace cugrb::capi::offload
