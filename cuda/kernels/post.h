// A few bytes to the host that its kernel writes itself, in place of a copy that would follow it.
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/views/post.h"

namespace cugrb {

CUGRB_DEVICE bool is_awaited(const PostView& post) { return post.to != nullptr; }

/// What the calling thread has written at post.to is there.
CUGRB_DEVICE void tell_host(const PostView& post) {
  memory_fence_of_host();
  relaxed_store(post.arrived, post.number);
}

}  // namespace cugrb
