// Texts for GrB_error that SuiteSparse's object does not hold: of what cuGrB itself could not do, and of
// errors that SuiteSparse would still report if no content had been moved through the object.
#pragma once
#include <string>

namespace cugrb::mirror {

/// GrB_error of the object answers with this text until it is dropped. Keeps nothing when memory is short.
void keep_error_text(const void* handle, const std::string& text) noexcept;
/// SuiteSparse's own text holds again: the object was the output of a call, or is gone. One load where no
/// text is kept at all.
void drop_error_text(const void* handle) noexcept;
void drop_error_texts() noexcept;
/// The text that is kept, valid until it is dropped; null when there is none.
const char* kept_error_text(const void* handle) noexcept;

/// While it lives the object may be packed, unpacked or given options, which clear SuiteSparse's text: what
/// was there before is kept.
class ErrorTextGuard {
 public:
  explicit ErrorTextGuard(void* object) noexcept;
  ~ErrorTextGuard();
  ErrorTextGuard(const ErrorTextGuard&) = delete;
  ErrorTextGuard& operator=(const ErrorTextGuard&) = delete;

 private:
  void* object_;
  std::string text_;
};

}  // namespace cugrb::mirror
