#include "src/capi/decode_user.h"

#include <mutex>
#include <unordered_map>

#include "src/mirror/mirror.h"
#include "src/mirror/types.h"
#include "src/support/declined.h"

namespace cugrb::capi::decode {
namespace {

/// An operator as noted: its description, or why there is none.
template <class Op>
struct Noted {
  std::shared_ptr<const Op> op;
  std::string reason;
};

template <class Op>
class Registry {
 public:
  void note(const void* handle, Noted<Op> noted) {
    const std::lock_guard<std::mutex> guard(lock_);
    noted_[handle] = std::move(noted);
  }
  std::shared_ptr<const Op> get(const void* handle) {
    const std::lock_guard<std::mutex> guard(lock_);
    const auto found = noted_.find(handle);
    if (found == noted_.end())
      throw Declined("operator on complex numbers, or one that was not seen being made");
    if (!found->second.op) throw Declined(found->second.reason);
    return found->second.op;
  }

 private:
  std::mutex lock_;
  std::unordered_map<const void*, Noted<Op>> noted_;
};

Registry<UnaryOp>& unary_ops() {
  static Registry<UnaryOp> registry;
  return registry;
}
Registry<BinaryOp>& binary_ops() {
  static Registry<BinaryOp> registry;
  return registry;
}
Registry<IndexUnaryOp>& index_unary_ops() {
  static Registry<IndexUnaryOp> registry;
  return registry;
}

/// Notes what `make` gives, or why it cannot be.
template <class Op, class Make>
void note(Registry<Op>& registry, const void* handle, const char* name, const char* definition,
          const Make& make) {
  const std::string shown = name == nullptr || *name == '\0' ? "without a name" : name;
  Noted<Op> noted;
  if (shown == "without a name" || definition == nullptr || *definition == '\0') {
    noted.reason = "user-defined operator " + shown + " is a bare function pointer (no definition string)";
  } else {
    try {
      noted.op = std::make_shared<const Op>(make());
    } catch (const Declined& declined) {
      noted.reason = "user-defined operator " + shown + ": " + declined.what();
    }
  }
  registry.note(handle, std::move(noted));
}

}  // namespace

void note_type(GrB_Type type, size_t size, const char* name, const char* definition) {
  mirror::record_type(type, name == nullptr ? "" : name, definition == nullptr ? "" : definition, size);
}

void note_unary_op(GrB_UnaryOp op, GrB_Type z, GrB_Type x, const char* name, const char* definition) {
  note(unary_ops(), op, name, definition,
       [&] { return catalogue::user_unary_op(name, definition, mirror::type_of(z), mirror::type_of(x)); });
}

void note_binary_op(GrB_BinaryOp op, GrB_Type z, GrB_Type x, GrB_Type y, const char* name,
                    const char* definition) {
  note(binary_ops(), op, name, definition, [&] {
    return catalogue::user_binary_op(name, definition, mirror::type_of(z), mirror::type_of(x),
                                     mirror::type_of(y));
  });
}

void note_index_unary_op(GrB_IndexUnaryOp op, GrB_Type z, GrB_Type x, GrB_Type thunk, const char* name,
                         const char* definition) {
  note(index_unary_ops(), op, name, definition, [&] {
    return catalogue::user_index_unary_op(name, definition, mirror::type_of(z), mirror::type_of(x),
                                          mirror::type_of(thunk));
  });
}

std::shared_ptr<const UnaryOp> user_unary_op(GrB_UnaryOp op) { return unary_ops().get(op); }
std::shared_ptr<const BinaryOp> user_binary_op(GrB_BinaryOp op) { return binary_ops().get(op); }
std::shared_ptr<const IndexUnaryOp> user_index_unary_op(GrB_IndexUnaryOp op) {
  return index_unary_ops().get(op);
}

}  // namespace cugrb::capi::decode
