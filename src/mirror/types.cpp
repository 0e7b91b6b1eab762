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
  std::unordered_map<const void*, TypeCode> found;
  for (size_t code = 0; code < size_t(TypeCode::User); ++code) {
    const std::string name = Type::of(TypeCode(code)).handle_name();
    if (const void* handle = real::predefined(name.c_str())) found.emplace(handle, TypeCode(code));
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
  throw Declined("type " + name_of(type) + " has no definition string");
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
