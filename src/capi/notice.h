// One line on standard error when the GPU is not used although the user asked for cuGrB: he would believe
// that it is.
#pragma once
#include <string>

namespace cugrb::capi {

/// Asks for the line, as CUGRB_NOTICE=1 does.
void set_notice(bool wanted);

/// After a successful GrB_init: says what is known by then. It does not touch a GPU: a program that forks
/// before it computes must find CUDA unused.
void notice_at_start() noexcept;

/// A call has asked for the device, and there is none.
void notice_without_device() noexcept;

/// No kernel can be compiled, and none comes from a pack.
void notice_without_compiler(const std::string& why) noexcept;

/// A kernel could not be compiled, so that its call went to the CPU.
void notice_not_compiled(const std::string& why) noexcept;

}  // namespace cugrb::capi
