#include "src/capi/call_text.h"

#include "src/capi/decode.h"
#include "src/mirror/mirror.h"
#include "src/support/declined.h"

namespace cugrb::capi {
namespace {

std::string size_of(const Handle& handle) {
  const mirror::MetadataGuard guard(handle.pointer);
  const auto& t = real::table();
  const auto object = static_cast<GrB_Matrix>(const_cast<void*>(handle.pointer));
  GrB_Index rows = 0, columns = 0;
  if (t.GrB_Matrix_nrows(&rows, object) != GrB_SUCCESS || t.GrB_Matrix_ncols(&columns, object) != GrB_SUCCESS)
    return "";
  return handle.is_matrix ? std::to_string(rows) + "x" + std::to_string(columns) : std::to_string(rows);
}

/// The object of an argument, its address for those that are given by address.
Handle object_of(const Handle& handle) {
  const bool by_address = handle.role == Role::exported || handle.role == Role::inputs;
  if (!by_address || handle.pointer == nullptr) return handle;
  return {*static_cast<const void* const*>(handle.pointer), 1, Role::input, handle.is_matrix};
}

bool is_made_by_call(Role role) {
  return role == Role::created || role == Role::creates || role == Role::container ||
         role == Role::dismantled || role == Role::freed;
}

template <class Handle, class Find>
std::string known_name(Handle handle, const Find& find) {
  if (handle == nullptr) return "";
  try {
    return find(handle);
  } catch (const Declined&) {
    return "an operator without a known name";
  }
}

}  // namespace

std::string sizes_of(std::span<const Handle> handles) {
  std::string all, last;
  for (const Handle& handle : handles) {
    const Handle object = is_made_by_call(handle.role) ? Handle{} : object_of(handle);
    if (object.pointer == nullptr) continue;
    const std::string size = size_of(object);
    if (size.empty() || size == last) continue;
    all += (all.empty() ? "" : ", ") + size;
    last = size;
  }
  return all;
}

std::string name_of(GrB_Semiring semiring) {
  return known_name(semiring, [](GrB_Semiring known) { return decode::semiring(known)->name; });
}
std::string name_of(GrB_Monoid monoid) {
  return known_name(monoid, [](GrB_Monoid known) { return decode::monoid(known)->name; });
}
std::string name_of(GrB_BinaryOp op) {
  return known_name(op, [](GrB_BinaryOp known) { return decode::binary_op(known)->name; });
}
std::string name_of(GrB_UnaryOp op) {
  return known_name(op, [](GrB_UnaryOp known) {
    const decode::Unary unary = decode::unary_op(known);
    return unary.by_value != nullptr ? unary.by_value->name : unary.by_place->op.name;
  });
}
std::string name_of(GrB_IndexUnaryOp op) {
  return known_name(op, [](GrB_IndexUnaryOp known) { return decode::index_unary_op(known)->name; });
}
std::string name_of(GxB_SelectOp op) {
  return known_name(op, [](GxB_SelectOp known) { return decode::select_op(known); });
}

}  // namespace cugrb::capi
