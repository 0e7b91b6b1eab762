#include "src/mirror/types.h"

#include <mutex>
#include <unordered_map>

#include "src/graphblas/real.h"
#include "src/mirror/mirror.h"
#include "src/support/declined.h"

namespace cugrb::mirror {
namespace {

std::mutex& user_types_lock() {
  static std::mutex lock;
  return lock;
}
std::unordered_map<GrB_Type, Type>& user_types() {
  static std::unordered_map<GrB_Type, Type> types;
  return types;
}

std::unordered_map<const void*, TypeCode> find_built_in_types() {
  constexpr struct {
    const char* name;
    TypeCode code;
  } names[] = {
      {"GrB_BOOL", TypeCode::Bool},     {"GrB_INT8", TypeCode::Int8},     {"GrB_INT16", TypeCode::Int16},
      {"GrB_INT32", TypeCode::Int32},   {"GrB_INT64", TypeCode::Int64},   {"GrB_UINT8", TypeCode::UInt8},
      {"GrB_UINT16", TypeCode::UInt16}, {"GrB_UINT32", TypeCode::UInt32}, {"GrB_UINT64", TypeCode::UInt64},
      {"GrB_FP32", TypeCode::Fp32},     {"GrB_FP64", TypeCode::Fp64}};
  std::unordered_map<const void*, TypeCode> found;
  for (const auto& entry : names) {
    if (const void* handle = real::predefined(entry.name)) found.emplace(handle, entry.code);
  }
  return found;
}

std::string name_of(GrB_Type type) {
  char name[GxB_MAX_NAME_LEN] = "";
  real::table().GxB_Type_name(name, type);
  return name[0] == '\0' ? "a user-defined type" : name;
}

}  // namespace

void record_type(GrB_Type type, const std::string& name, const std::string& definition, size_t size) {
  const std::lock_guard<std::mutex> guard(user_types_lock());
  user_types()[type] = Type{TypeCode::User, size, name, definition};
}

void forget_type(GrB_Type type) {
  const std::lock_guard<std::mutex> guard(user_types_lock());
  user_types().erase(type);
}

Type type_of(GrB_Type type) {
  static const std::unordered_map<const void*, TypeCode> built_in = find_built_in_types();
  if (const auto found = built_in.find(type); found != built_in.end()) return Type::of(found->second);
  {
    const std::lock_guard<std::mutex> guard(user_types_lock());
    const auto found = user_types().find(type);
    if (found != user_types().end() && !found->second.definition.empty()) return found->second;
  }
  const std::string name = name_of(type);
  if (type == real::predefined("GxB_FC32") || type == real::predefined("GxB_FC64")) {
    throw Declined("complex type " + name);
  }
  throw Declined("type " + name + " has no definition string");
}

Type type_of(GrB_Vector vector) {
  GrB_Type type = nullptr;
  if (real::table().GxB_Vector_type(&type, vector) != GrB_SUCCESS) throw Declined("not a valid vector");
  return type_of(type);
}

Type type_of(GrB_Matrix matrix) {
  GrB_Type type = nullptr;
  if (real::table().GxB_Matrix_type(&type, matrix) != GrB_SUCCESS) throw Declined("not a valid matrix");
  return type_of(type);
}

}  // namespace cugrb::mirror
