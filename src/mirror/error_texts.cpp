#include "src/mirror/error_texts.h"

#include <atomic>
#include <mutex>
#include <unordered_map>

#include "src/graphblas/real.h"
#include "src/mirror/presence.h"
#include "src/support/every_call.h"

namespace cugrb::mirror {

CUGRB_READ_BY_EVERY_CALL constinit std::atomic<uint64_t> detail::kept_error_texts{0};

namespace {

struct Texts {
  std::mutex lock;
  std::unordered_map<const void*, std::string> by_handle;
};

Texts& texts() {
  static auto* const made = new Texts;  // never destroyed: used by calls made while the process ends
  return *made;
}

const char* text_of_suitesparse(void* object) {
  const char* text = nullptr;
  const GrB_Info info = real::table().GrB_Matrix_error(&text, static_cast<GrB_Matrix>(object));
  return info == GrB_SUCCESS && text != nullptr ? text : "";
}

}  // namespace

void keep_error_text(const void* handle, const std::string& text) noexcept {
  try {
    Texts& all = texts();
    const std::lock_guard<std::mutex> guard(all.lock);
    all.by_handle.insert_or_assign(handle, text);
    detail::kept_error_texts.store(all.by_handle.size(), std::memory_order_release);
  } catch (...) {
    // The error code is the answer; its text is a help.
  }
}

void drop_error_text(const void* handle) noexcept {
  Texts& all = texts();
  if (detail::kept_error_texts.load(std::memory_order_acquire) == 0) return;
  const std::lock_guard<std::mutex> guard(all.lock);
  all.by_handle.erase(handle);
  detail::kept_error_texts.store(all.by_handle.size(), std::memory_order_release);
}

void drop_error_texts() noexcept {
  Texts& all = texts();
  const std::lock_guard<std::mutex> guard(all.lock);
  all.by_handle.clear();
  detail::kept_error_texts.store(0, std::memory_order_release);
}

const char* kept_error_text(const void* handle) noexcept {
  Texts& all = texts();
  if (detail::kept_error_texts.load(std::memory_order_acquire) == 0) return nullptr;
  const std::lock_guard<std::mutex> guard(all.lock);
  const auto found = all.by_handle.find(handle);
  return found == all.by_handle.end() ? nullptr : found->second.c_str();
}

ErrorTextGuard::ErrorTextGuard(void* object) noexcept : object_(object) {
  const char* const text = text_of_suitesparse(object);
  if (*text == '\0') return;
  try {
    text_ = text;
  } catch (...) {
  }
}

ErrorTextGuard::~ErrorTextGuard() {
  if (!text_.empty() && *text_of_suitesparse(object_) == '\0') keep_error_text(object_, text_);
}

}  // namespace cugrb::mirror
