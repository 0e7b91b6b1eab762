#include "src/formats/reduction.h"

#include "src/formats/joined.h"
#include "src/support/trace.h"

namespace cugrb::formats {

namespace {

/// A value's flag lies behind it, where so many bytes hold both.
size_t flags_behind(uint64_t count, size_t value_bytes) { return (count * value_bytes + 15) / 16 * 16; }

}  // namespace

Reduction::Reduction(uint64_t count, size_t value_bytes)
    : value_bytes_(value_bytes), flags_at_(flags_behind(1, value_bytes)) {
  if (flags_at_ < most_post_bytes) posting_ = runtime::device().expect_post();
  char* result = nullptr;
  if (posting_ != nullptr) {
    arguments_.post = posting_->view();
    result = static_cast<char*>(arguments_.post.to);
  } else {
    result_ = runtime::Buffer(flags_at_ + 1);
    result = result_.as<char>();
  }
  arguments_.count = count;
  arguments_.result = result;
  arguments_.result_has = reinterpret_cast<uint8_t*>(result + flags_at_);
  arguments_.values = arguments_.result;
  arguments_.has = arguments_.result_has;
  if (blocks() <= 1) return;
  const size_t flags_at = flags_behind(blocks(), value_bytes);
  partials_ = runtime::Buffer(flags_at + blocks());
  arguments_.values = partials_.data();
  arguments_.has = partials_.as<uint8_t>() + flags_at;
  arguments_.blocks_done = blocks_done();
}

std::optional<std::string> Reduction::value() const {
  std::string bytes(flags_at_ + 1, '\0');
  if (posting_ != nullptr) {
    bytes.assign(static_cast<const char*>(posting_->bytes()), bytes.size());
    trace::copied_down(bytes.size());
  } else {
    result_.read_bytes(0, bytes.data(), bytes.size());
  }
  if (bytes[flags_at_] == 0) return std::nullopt;
  return bytes.substr(0, value_bytes_);
}

}  // namespace cugrb::formats
