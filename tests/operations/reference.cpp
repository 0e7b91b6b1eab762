#include "tests/operations/reference.h"

#include <cmath>
#include <cstring>
#include <sstream>

namespace cugrb::test {

namespace {

/// A value as a long double or as its bytes, for comparison and print.
template <class T>
T as(const Value& value) {
  T result;
  std::memcpy(&result, value.bytes.data(), sizeof(T));
  return result;
}

Value to_bool(const Value& value) { return reference::cast(value, Type::of(TypeCode::Bool)); }
bool is_true(const Value& value) { return to_bool(value).bytes[0] != 0; }

/// op at position i; positional ones see entry (i, 0) of an n-by-1 matrix.
Value binary(const BinaryOp& op, const Value& x, const Value& y, uint64_t i) {
  if (op.positional == Positional::None) {
    return reference::apply(op, reference::cast(x, op.x), reference::cast(y, op.y));
  }
  int64_t place = 0;
  switch (op.positional) {
    case Positional::FirstI:
    case Positional::SecondI:
      place = int64_t(i);
      break;
    case Positional::FirstI1:
    case Positional::SecondI1:
      place = int64_t(i) + 1;
      break;
    case Positional::FirstJ1:
    case Positional::SecondJ1:
      place = 1;
      break;
    default:
      place = 0;
  }
  Value value{Type::of(TypeCode::Int64), std::string(8, '\0')};
  std::memcpy(value.bytes.data(), &place, 8);
  return reference::cast(value, op.z);
}

RefVector like(const RefVector& u, const Type& type) { return {type, u.length, {}}; }

/// Applies f to every entry.
RefVector map_entries(const RefVector& u, const Type& type,
                      const std::function<Value(uint64_t, const Value&)>& f) {
  RefVector t = like(u, type);
  for (const auto& [i, value] : u.entries) t.entries[i] = f(i, value);
  return t;
}

/// f(i, x, y) at every position i, ascending, where u or v has an entry; null: it has none there.
void for_positions(const RefVector& u, const RefVector& v,
                   const std::function<void(uint64_t, const Value*, const Value*)>& f) {
  auto x = u.entries.begin();
  auto y = v.entries.begin();
  while (x != u.entries.end() || y != v.entries.end()) {
    const bool has_x = x != u.entries.end() && (y == v.entries.end() || x->first <= y->first);
    const bool has_y = y != v.entries.end() && (x == u.entries.end() || y->first <= x->first);
    f(has_x ? x->first : y->first, has_x ? &x->second : nullptr, has_y ? &y->second : nullptr);
    if (has_x) ++x;
    if (has_y) ++y;
  }
}

}  // namespace

bool RefMask::allows(uint64_t i) const {
  bool holds = true;
  if (vector != nullptr) {
    const auto entry = vector->entries.find(i);
    holds = entry != vector->entries.end() && (structural || is_true(entry->second));
  }
  return holds != complement;
}

namespace {

/// Z where T reaches (inside), C elsewhere; then the mask.
RefVector finish(const RefVector& c, const RefMask& mask, const std::optional<BinaryOp>& accumulate,
                 bool replace, const RefVector& t, const std::function<bool(uint64_t)>& inside) {
  RefVector result{c.type, c.length, {}};
  for_positions(c, t, [&](uint64_t i, const Value* old, const Value* next) {
    if (!mask.allows(i)) {
      if (old != nullptr && !replace) result.entries[i] = *old;
    } else if (!inside(i)) {
      if (old != nullptr) result.entries[i] = *old;
    } else if (accumulate && old != nullptr && next != nullptr) {
      const Value z = reference::apply(*accumulate, reference::cast(*old, accumulate->x),
                                       reference::cast(*next, accumulate->y));
      result.entries[i] = reference::cast(z, c.type);
    } else if (next != nullptr) {
      result.entries[i] = reference::cast(*next, c.type);
    } else if (accumulate) {
      result.entries[i] = *old;
    }
  });
  return result;
}

}  // namespace

RefVector ref_write_back(const RefVector& c, const RefMask& mask, const std::optional<BinaryOp>& accumulate,
                         bool replace, const RefVector& t) {
  return finish(c, mask, accumulate, replace, t, [](uint64_t) { return true; });
}

RefVector ref_assign_list(const RefVector& c, const RefMask& mask, const std::optional<BinaryOp>& accumulate,
                          bool replace, const RefVector& t, const std::vector<bool>& inside) {
  return finish(c, mask, accumulate, replace, t, [&](uint64_t i) { return bool(inside[i]); });
}

RefVector ref_ewise_add(const BinaryOp& op, const RefVector& u, const RefVector& v) {
  RefVector t = ref_ewise_mult(op, u, v);
  for (const RefVector* one : {&u, &v}) {
    for (const auto& [i, value] : one->entries) t.entries.emplace(i, reference::cast(value, op.z));
  }
  return t;
}

RefVector ref_ewise_union(const BinaryOp& op, const RefVector& u, const Value& alpha, const RefVector& v,
                          const Value& beta) {
  RefVector left = u, right = v;
  for (const auto& [i, value] : v.entries) left.entries.emplace(i, alpha);
  for (const auto& [i, value] : u.entries) right.entries.emplace(i, beta);
  return ref_ewise_mult(op, left, right);
}

RefVector ref_ewise_mult(const BinaryOp& op, const RefVector& u, const RefVector& v) {
  RefVector t = like(u, op.z);
  for (const auto& [i, x] : u.entries) {
    const auto y = v.entries.find(i);
    if (y != v.entries.end()) t.entries[i] = binary(op, x, y->second, i);
  }
  return t;
}

RefVector ref_apply(const UnaryOp& op, const RefVector& u) {
  return map_entries(
      u, op.z, [&](uint64_t, const Value& x) { return reference::apply(op, reference::cast(x, op.x)); });
}

RefVector ref_bind_first(const BinaryOp& op, const Value& x, const RefVector& u) {
  return map_entries(u, op.z, [&](uint64_t i, const Value& y) { return binary(op, x, y, i); });
}

RefVector ref_bind_second(const BinaryOp& op, const RefVector& u, const Value& y) {
  return map_entries(u, op.z, [&](uint64_t i, const Value& x) { return binary(op, x, y, i); });
}

RefVector ref_apply_index(const IndexUnaryOp& op, const RefVector& u, const Value& thunk) {
  const Value bound = reference::cast(thunk, op.thunk);
  return map_entries(u, op.z, [&](uint64_t i, const Value& x) {
    return reference::apply(op, reference::cast(x, op.x), i, 0, bound);
  });
}

RefVector ref_select(const IndexUnaryOp& op, const RefVector& u, const Value& thunk) {
  const RefVector chosen = ref_apply_index(op, u, thunk);
  RefVector t = like(u, u.type);
  for (const auto& [i, value] : u.entries) {
    if (is_true(chosen.entries.at(i))) t.entries[i] = value;
  }
  return t;
}

RefVector ref_scalar(const Value& value, uint64_t length) {
  RefVector t{value.type, length, {}};
  for (uint64_t i = 0; i < length; ++i) t.entries[i] = value;
  return t;
}

RefVector ref_extract(const RefVector& u, const std::vector<uint64_t>& list) {
  RefVector t{u.type, list.size(), {}};
  for (uint64_t k = 0; k < list.size(); ++k) {
    const auto entry = u.entries.find(list[k]);
    if (entry != u.entries.end()) t.entries[k] = entry->second;
  }
  return t;
}

std::optional<Value> ref_reduce(const Monoid& monoid, const RefVector& u) {
  std::optional<Value> result = monoid.identity;
  if (u.entries.empty()) return result;
  result.reset();
  for (const auto& [i, value] : u.entries) {
    const Value x = reference::cast(value, monoid.type());
    result = result ? reference::apply(monoid.op, *result, x) : x;
  }
  return result;
}

std::string to_text(const Value& value) {
  std::ostringstream text;
  switch (value.type.code) {
    case TypeCode::Fp32:
      text << as<float>(value);
      break;
    case TypeCode::Fp64:
      text << as<double>(value);
      break;
    case TypeCode::User:
      text << "?";
      break;
    default:
      text << as<int64_t>(reference::cast(value, Type::of(TypeCode::Int64)));
  }
  text << " (" << value.type.name << ")";
  return text.str();
}

bool same_value(const Value& a, const Value& b) {
  if (a.type != b.type) return false;
  if (a.type.code == TypeCode::Fp32) {
    const float x = as<float>(a), y = as<float>(b);
    return x == y || (std::isnan(x) && std::isnan(y));
  }
  if (a.type.code == TypeCode::Fp64) {
    const double x = as<double>(a), y = as<double>(b);
    return x == y || (std::isnan(x) && std::isnan(y));
  }
  return a.bytes == b.bytes;
}

std::string difference(const RefVector& expected, const RefVector& found) {
  if (expected.type != found.type) return "type " + found.type.name + " instead of " + expected.type.name;
  if (expected.length != found.length) return "the length differs";
  std::string first;
  for_positions(expected, found, [&](uint64_t i, const Value* e, const Value* f) {
    if (!first.empty() || (e != nullptr && f != nullptr && same_value(*e, *f))) return;
    first = "position " + std::to_string(i) + ": expected " + (e != nullptr ? to_text(*e) : "nothing") +
            ", found " + (f != nullptr ? to_text(*f) : "nothing");
  });
  return first;
}

}  // namespace cugrb::test
