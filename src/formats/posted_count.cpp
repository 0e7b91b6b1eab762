#include "src/formats/posted_count.h"

#include "src/formats/joined.h"
#include "src/formats/launch.h"
#include "src/support/trace.h"

namespace cugrb::formats {

namespace {

/// Blocks add to one word, one after the other; a count by a launch of its own is sooner done than by more of
/// them, a microsecond for a thousand or two.
constexpr uint64_t most_turns = 8;

}  // namespace

std::shared_ptr<PostedCount> PostedCount::of_launch(uint64_t blocks) {
  if (blocks == 0 || blocks > most_turns * resident_blocks()) return nullptr;
  std::unique_ptr<runtime::Posting> posting = runtime::device().expect_post();
  if (posting == nullptr) return nullptr;
  return std::shared_ptr<PostedCount>(new PostedCount(std::move(posting)));
}

CountedArguments PostedCount::arguments() const { return {stored_sum(), posting_->view()}; }

uint64_t PostedCount::value() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (posting_ == nullptr) return value_;
  value_ = *static_cast<const uint64_t*>(posting_->bytes());
  posting_.reset();
  trace::copied_down(sizeof(value_));
  return value_;
}

}  // namespace cugrb::formats
