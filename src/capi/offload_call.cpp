#include "src/capi/offload_call.h"

#include <atomic>
#include <new>

#include "cuda/runtime/device.h"
#include "cuda/runtime/injection.h"
#include "src/capi/gate.h"
#include "src/capi/notice.h"
#include "src/capi/offload_trace.h"
#include "src/capi/offload_verify.h"
#include "src/jit/compiler.h"
#include "src/jit/jit.h"
#include "src/jit/kernel_pack.h"
#include "src/memory/policy.h"
#include "src/mirror/types.h"
#include "src/selector/laps.h"
#include "src/support/declined.h"
#include "src/support/offload_mode.h"
#include "src/support/settings.h"
#include "src/support/trace.h"
#include "src/support/without_cancellation.h"

namespace cugrb::capi::offload {

namespace {

bool is_served_by_pack() {
  static const bool served =
      !jit::KernelPack::instance().architecture_for(runtime::device().properties().architecture).empty();
  return served;
}

/// A call waits for a compiler where its place is not free, or its result is to be the same in every run; and
/// where there is no kernel pack: a call that needs many kernels would be declined for each of them, one
/// after the other. There must be a device.
jit::Missing when_a_kernel_is_missing() {
  const Settings& s = settings();
  switch (s.jit) {
    case CompilePolicy::wait:
      return jit::Missing::wait;
    case CompilePolicy::background:
      return jit::Missing::background;
    case CompilePolicy::never:
      return jit::Missing::refuse;
    case CompilePolicy::automatic:
      break;
  }
  const bool is_free =
      offload_mode() == Offload::automatic && s.force.empty() && !s.verify && !s.deterministic;
  return is_free && is_served_by_pack() ? jit::Missing::background : jit::Missing::wait;
}

/// Why no kernel can be had, known once a call has asked for one: there is no compiler, and no kernel pack
/// serves the device. Calls are then passed on before anything is copied for them.
constinit std::atomic<const std::string*> without_kernels{nullptr};

void kernel_is_not_compiled(const std::string& why) {
  std::string missing =
      is_served_by_pack() ? "" : jit::missing_compiler(runtime::device().properties().architecture);
  if (missing.empty()) {
    notice_not_compiled(why);
    return;
  }
  static const std::string kept = std::move(missing);
  without_kernels.store(&kept, std::memory_order_release);
  notice_without_compiler(kept);
}

}  // namespace

Outcome attempt(FunctionRef<Outcome()> body) noexcept {
  const WithoutCancellation without_cancellation;
  try {
    try {
      if (!runtime::available()) {
        mode.without_device.store(true, std::memory_order_relaxed);
        if (trace::enabled())  // the text costs more than the call
          note_reason(runtime::unavailable_reason());
        notice_without_device();
        return forwarded;
      }
      if (const std::string* const why = without_kernels.load(std::memory_order_acquire)) {
        if (trace::enabled()) note_reason(*why);
        return forwarded;
      }
      const jit::WhenMissing when_missing(when_a_kernel_is_missing());
      runtime::injection::begin_call();
      return body();
    } catch (const Invalid&) {
      note_failure("the arguments do not look valid");
    } catch (const std::bad_alloc&) {
      note_failure("out of host memory");
    } catch (const jit::NotCompiled& error) {
      selector::Laps::current().asked_for_missing_kernel();
      note_failure(settings().jit == CompilePolicy::never ? std::string("CUGRB_JIT=never: ") + error.what()
                                                          : error.what());
    } catch (const jit::CompilationFailure& error) {
      note_failure(error.what());
      kernel_is_not_compiled(error.what());
    } catch (const std::exception& error) {  // Declined, OutOfMemory, DeviceFailure
      note_failure(error.what());
    }
  } catch (...) {
    // Not even the reason could be kept.
  }
  return forwarded;
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

GrB_Type type_handle(GrB_Vector vector) {
  const mirror::MetadataGuard guard(vector);
  GrB_Type type = nullptr;
  require(real::table().GxB_Vector_type(&type, vector) == GrB_SUCCESS);
  return type;
}

GrB_Type type_handle(GrB_Matrix matrix) {
  const mirror::MetadataGuard guard(matrix);
  GrB_Type type = nullptr;
  require(real::table().GxB_Matrix_type(&type, matrix) == GrB_SUCCESS);
  return type;
}

GrB_Matrix new_matrix(GrB_Type type, uint64_t rows, uint64_t columns) {
  GrB_Matrix made = nullptr;
  require(real::table().GrB_Matrix_new(&made, type, rows, columns) == GrB_SUCCESS);
  return made;
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

uint64_t entries_of(const VectorOperand& vector) {
  GrB_Index entries = 0;
  if (mirror::unsettled_nvals(vector.handle, &entries)) return entries;
  require(real::table().GrB_Vector_nvals(&entries, vector.handle) == GrB_SUCCESS);
  return entries;
}

uint64_t entries_of(const MatrixOperand& matrix) {
  GrB_Index entries = 0;
  if (mirror::unsettled_nvals(matrix.handle, &entries)) return entries;
  require(real::table().GrB_Matrix_nvals(&entries, matrix.handle) == GrB_SUCCESS);
  return entries;
}

template <class Operand>
OutputCall<Operand>::OutputCall(const char* operation, const Target<Handle>& target)
    : real_(target.real), w_(operand(target.w)), inputs_(operation) {
  descriptor_ = decode::descriptor(target.descriptor);
  if (target.mask != nullptr) {
    mask_ = operand(target.mask);
    require(mask_.has_shape_of(w_));
    require(descriptor_.structural || !mask_.type.is_user());
    inputs_.add(mask_);
  }
  if (target.accum != nullptr) {
    accum_ = decode::binary_op(target.accum);
    require(accum_->positional == Positional::None);
  }
}

template <class Operand>
VectorOperand OutputCall<Operand>::input(GrB_Vector vector) {
  const VectorOperand result = operand(vector);
  inputs_.add(result);
  return result;
}

template <class Operand>
MatrixOperand OutputCall<Operand>::input(GrB_Matrix matrix) {
  const MatrixOperand result = operand(matrix);
  inputs_.add(result);
  return result;
}

template <class Operand>
void OutputCall<Operand>::result_type(const Type& type) const {
  if (accum_) {
    require_first(*accum_, w_.type);
    require_second(*accum_, type);
    require(compatible(accum_->z, w_.type));
  }
  require(compatible(type, w_.type));
}

void with_eviction(FunctionRef<void()> body) {
  memory::relieved(body, [] {
    const size_t freed = mirror::evict(~size_t(0));  // what the body's uses named is evicted, too
    if (trace::enabled())
      trace::add_reason("out of device memory: once more after " + std::to_string(freed) +
                        " bytes were given back");
    return true;  // the body's own objects may have been what was in the way
  });
}

template <class Operand>
std::optional<BinaryOp> OutputCall<Operand>::accumulator() const {
  return accum_ ? std::optional<BinaryOp>(*accum_) : std::nullopt;
}

/// Whether the old content of w matters to the result.
template <class Operand>
bool OutputCall<Operand>::keeps() const {
  const bool masked = mask_.handle != nullptr || descriptor_.complement;
  return accum_ != nullptr || keeps_outside_ || (masked && !descriptor_.replace);
}

namespace {

mirror::Reads reads_of(bool any_form, bool parts) {
  if (parts) return any_form ? mirror::Reads::as_it_is : mirror::Reads::any_place;
  return any_form ? mirror::Reads::any_form : mirror::Reads::rows;
}

/// A call that takes operands in parts takes such masks, too.
mirror::VectorUse mask_use_of(GrB_Vector mask, bool any_form, bool) {
  return mirror::read(mask, reads_of(any_form, false));
}
mirror::MatrixUse mask_use_of(GrB_Matrix mask, bool, bool parts) {
  return mirror::read(mask, reads_of(false, parts));
}

}  // namespace

template <class Operand>
void OutputCall<Operand>::with_output(FunctionRef<void(const Output&)> body) {
  operations::Mask<typename Operand::Object> mask{nullptr, descriptor_.structural, descriptor_.complement};
  decltype(mirror::read(w_.handle)) mask_use;
  if (mask_.handle != nullptr) {
    mask_use = mask_use_of(mask_.handle, any_form_, parts_);
    mask = {&*mask_use, descriptor_.structural, descriptor_.complement};
  }
  mask_object_ = mask_.handle != nullptr ? &*mask_use : nullptr;
  // A matrix that is its own mask is read by rows.
  const bool own_mask = std::is_same_v<Operand, MatrixOperand> && mask_.handle == w_.handle;
  const bool any_form = any_form_ && !own_mask;
  auto w = mirror::write(w_.handle, keeps(), reads_of(any_form, parts_));
  body({*w, mask, accumulator(), descriptor_.replace, any_form});
  w.commit();
}

template <class Operand>
void OutputCall<Operand>::run_in_slices() {
  if constexpr (std::is_same_v<Operand, MatrixOperand>) {
    mirror::evict(~size_t(0));
    mirror::HostResult result;
    {
      std::optional<mirror::HostUse> old, mask;
      const operations::HostTarget target{w_.type, w_.rows, w_.columns, mirror::held_by_column(w_.handle),
                                          keeps() ? &*old.emplace(w_.handle) : nullptr};
      const formats::MatrixSource* const by =
          mask_.handle != nullptr ? &*mask.emplace(mask_.handle) : nullptr;
      (*in_slices_)(
          {target, {by, descriptor_.structural, descriptor_.complement}, accumulator(), descriptor_.replace},
          result);
    }
    mirror::give_result(w_.handle, result.take());
  }
}

template <class Operand>
void OutputCall<Operand>::on_device(FunctionRef<void(const Output&)> device) {
  if (in_slices_ == nullptr) return with_eviction([&] { with_output(device); });
  if (inputs_.exceed_device() || memory::shortage([&] { with_eviction([&] { with_output(device); }); }))
    run_in_slices();
}

/// Whether the policy gives the call to the device.
template <class Operand>
bool OutputCall<Operand>::placed() {
  // Nothing to compute; and SuiteSparse's form of such an object (full or sparse) is seen by unpack
  // functions.
  if (!w_.has_positions()) throw Declined("the output has no positions");
  if (offload_mode() != Offload::always && mirror::prefers_host(w_.handle)) {
    note_reason("the output is being used element by element on the host");
    return false;
  }
  return inputs_.placed(false);
}

/// A valued mask may have entries that are false: of its complement nothing is known.
template <class Operand>
double OutputCall<Operand>::allowed_share() const {
  if constexpr (std::is_same_v<Operand, VectorOperand>) {
    if (mask_.handle == nullptr) return descriptor_.complement ? 0 : 1;
    if (mask_.size == 0 || !mirror::knows_nvals(mask_.handle)) return 1;
    const double held = double(entries_of(mask_)) / double(mask_.size);
    if (!descriptor_.complement) return held;
    return descriptor_.structural ? 1 - held : 1;
  }
  return 1;
}

template <class Operand>
Outcome OutputCall<Operand>::run(const std::string& op, FunctionRef<void(const Output&)> device) {
  note_operation(op);
  inputs_.add_output(w_, keeps());
  if (mask_.handle != nullptr && !descriptor_.complement && !keeps_outside_) inputs_.writes_entries_of(mask_);
  if (!placed()) return forwarded;
  return verified(w_.handle, real_, inputs_, exactness_, [&] {
    on_device(device);
    if (blocking()) {
      for (runtime::Device* const used : runtime::devices()) used->synchronize();
    }
    inputs_.ran();
  });
}

template class OutputCall<VectorOperand>;
template class OutputCall<MatrixOperand>;

}  // namespace cugrb::capi::offload
