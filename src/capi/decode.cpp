#include "src/capi/decode.h"

#include <mutex>
#include <unordered_map>

#include "semirings/symbols.h"
#include "src/capi/decode_user.h"
#include "src/mirror/types.h"
#include "src/support/declined.h"

namespace cugrb::capi::decode {
namespace {

template <class Item>
using ByHandle = std::unordered_map<const void*, std::shared_ptr<const Item>>;

/// Every predefined object of the real library that the catalogue knows.
struct Predefined {
  ByHandle<Semiring> semirings;
  ByHandle<Monoid> monoids;
  ByHandle<BinaryOp> binary_ops;
  ByHandle<UnaryOp> unary_ops;
  ByHandle<IndexUnaryOp> index_unary_ops;
  ByHandle<catalogue::BoundIndexUnaryOp> positional_unary_ops;
  ByHandle<std::string> select_ops;

  Predefined();
};

template <class Item>
void add_all(ByHandle<Item>& map, const std::vector<Item>& items) {
  map.reserve(2 * items.size());
  for (const Item& item : items) {
    const auto shared = std::make_shared<const Item>(item);
    for (const std::string& symbol : catalogue::symbols(item)) {
      if (const void* handle = real::predefined(symbol.c_str())) map.emplace(handle, shared);
    }
  }
}

Predefined::Predefined() {
  add_all(semirings, catalogue::semirings());
  add_all(monoids, catalogue::monoids());
  add_all(binary_ops, catalogue::binary_ops());
  add_all(unary_ops, catalogue::unary_ops());
  add_all(index_unary_ops, catalogue::index_unary_ops());
  for (const std::string& name : catalogue::positional_unary_names()) {
    if (const void* handle = real::predefined(("GxB_" + name).c_str())) {
      positional_unary_ops.emplace(
          handle, std::make_shared<const catalogue::BoundIndexUnaryOp>(*catalogue::positional_unary(name)));
    }
  }
  for (const std::string& name : catalogue::select_op_names()) {
    if (const void* handle = real::predefined(("GxB_" + name).c_str())) {
      select_ops.emplace(handle, std::make_shared<const std::string>(name));
    }
  }
}

const Predefined& predefined() {
  static const Predefined all;
  return all;
}

template <class Item>
std::shared_ptr<const Item> find(const ByHandle<Item>& map, const void* handle) {
  const auto found = map.find(handle);
  return found == map.end() ? nullptr : found->second;
}

/// What a user-made monoid or semiring consists of, and what was made of that. Valid as long as the parts are
/// the same.
template <class Item>
struct Composed {
  std::string parts;
  std::shared_ptr<const Item> item;
};
template <class Item>
class ComposedCache {
 public:
  template <class Make>
  std::shared_ptr<const Item> get(const void* handle, const std::string& parts, const Make& make) {
    {
      const std::lock_guard<std::mutex> guard(lock_);
      const auto found = known_.find(handle);
      if (found != known_.end() && found->second.parts == parts) return found->second.item;
    }
    auto item = std::make_shared<const Item>(make());
    const std::lock_guard<std::mutex> guard(lock_);
    known_[handle] = {parts, item};
    return item;
  }

 private:
  std::mutex lock_;
  std::unordered_map<const void*, Composed<Item>> known_;
};

/// A monoid's identity and terminal, as bytes of `size`.
std::string identity_bytes(GrB_Monoid monoid, size_t size) {
  std::string bytes(size, '\0');
  if (real::table().GxB_Monoid_identity(bytes.data(), monoid) != GrB_SUCCESS)
    throw Declined("not a valid monoid");
  return bytes;
}
std::optional<std::string> terminal_bytes(GrB_Monoid monoid, size_t size) {
  std::string bytes(size, '\0');
  bool has_terminal = false;
  if (real::table().GxB_Monoid_terminal(&has_terminal, bytes.data(), monoid) != GrB_SUCCESS) {
    throw Declined("not a valid monoid");
  }
  if (!has_terminal) return std::nullopt;
  return bytes;
}

}  // namespace

std::shared_ptr<const BinaryOp> binary_op(GrB_BinaryOp op) {
  if (auto known = find(predefined().binary_ops, op)) return known;
  return user_binary_op(op);
}

std::shared_ptr<const IndexUnaryOp> index_unary_op(GrB_IndexUnaryOp op) {
  if (auto known = find(predefined().index_unary_ops, op)) return known;
  return user_index_unary_op(op);
}

Unary unary_op(GrB_UnaryOp op) {
  if (auto known = find(predefined().unary_ops, op)) return {known, nullptr};
  if (auto known = find(predefined().positional_unary_ops, op)) return {nullptr, known};
  return {user_unary_op(op), nullptr};
}

std::string select_op(GxB_SelectOp op) {
  if (auto known = find(predefined().select_ops, op)) return *known;
  throw Declined("user-defined select operator");
}

std::shared_ptr<const Monoid> monoid(GrB_Monoid handle) {
  if (auto known = find(predefined().monoids, handle)) return known;
  GrB_BinaryOp op_handle = nullptr;
  if (real::table().GxB_Monoid_operator(&op_handle, handle) != GrB_SUCCESS)
    throw Declined("not a valid monoid");
  const auto op = binary_op(op_handle);
  const Value identity{op->z, identity_bytes(handle, op->z.size)};
  const auto terminal = terminal_bytes(handle, op->z.size);
  static ComposedCache<Monoid> cache;
  // A functor's name says which operator it is: a user's carries the digest of its definition.
  const std::string parts = op->source + "/" + identity.bytes + "/" + terminal.value_or("none");
  return cache.get(handle, parts, [&] {
    return catalogue::make_monoid(*op, identity,
                                  terminal ? std::optional<Value>(Value{op->z, *terminal}) : std::nullopt);
  });
}

std::shared_ptr<const Semiring> semiring(GrB_Semiring handle) {
  if (auto known = find(predefined().semirings, handle)) return known;
  GrB_Monoid add_handle = nullptr;
  GrB_BinaryOp multiply_handle = nullptr;
  if (real::table().GxB_Semiring_add(&add_handle, handle) != GrB_SUCCESS ||
      real::table().GxB_Semiring_multiply(&multiply_handle, handle) != GrB_SUCCESS) {
    throw Declined("not a valid semiring");
  }
  const auto add = monoid(add_handle);
  const auto multiply = binary_op(multiply_handle);
  static ComposedCache<Semiring> cache;
  return cache.get(handle, add->source + "/" + multiply->source,
                   [&] { return catalogue::make_semiring(*add, *multiply); });
}

Descriptor descriptor(GrB_Descriptor handle) {
  Descriptor result;
  if (handle == nullptr) return result;
  const auto get = [&](GrB_Desc_Field field) {
    GrB_Desc_Value value = GxB_DEFAULT;
    if (real::table().GxB_Desc_get(handle, field, &value) != GrB_SUCCESS)
      throw Declined("not a valid descriptor");
    return static_cast<int>(value);
  };
  const int mask = get(GrB_MASK);
  result.replace = get(GrB_OUTP) == static_cast<int>(GrB_REPLACE);
  result.complement = (mask & static_cast<int>(GrB_COMP)) != 0;
  result.structural = (mask & static_cast<int>(GrB_STRUCTURE)) != 0;
  result.transpose_first = get(GrB_INP0) == static_cast<int>(GrB_TRAN);
  result.transpose_second = get(GrB_INP1) == static_cast<int>(GrB_TRAN);
  return result;
}

}  // namespace cugrb::capi::decode
