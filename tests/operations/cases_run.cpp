#include <algorithm>
#include <numeric>

#include "tests/operations/cases.h"

namespace cugrb::test {

namespace {

using formats::DeviceVector;

double draw_density(Random& random, const Shape& shape) {
  if (shape.form == Form::full) return 1;
  static const double densities[] = {0, 0.02, 0.1, 0.1, 0.3, 0.7, 1};
  return densities[below(random, 7)];
}

void make(Random& random, const Shape& shape, uint64_t length, RefVector& host, DeviceVector& device) {
  host = random_vector(random, shape.type, length, draw_density(random, shape), shape.iso, true);
  device = to_device(host, shape.form, shape.iso);
  if (shape.form == Form::bitmap && chance(random, 0.5)) device.forget_nvals();
}

bool has_list(Kind kind) {
  return kind == Kind::assign_list || kind == Kind::assign_scalar_list || kind == Kind::extract;
}

/// Positions of the list: distinct for assignments (matrix_assign_test.cpp has others), in random order.
std::vector<uint64_t> draw_list(Random& random, Kind kind, uint64_t length) {
  std::vector<uint64_t> list(length);
  std::iota(list.begin(), list.end(), 0);
  if (kind == Kind::extract) {
    for (uint64_t& i : list) i = below(random, length);
  } else {
    std::shuffle(list.begin(), list.end(), random);
  }
  return list;
}

/// Takes away the entries of T that the mask does not allow.
void restrict_t(const Configuration& c, Data& d, Random& random) {
  d.t_masked =
      c.kind == Kind::write_back && c.alias == Alias::none && c.u.form != Form::full && chance(random, 0.5);
  if (!d.t_masked) return;
  const RefMask mask{c.masked ? &d.mask : nullptr, c.structural, c.complement};
  for (uint64_t i = 0; i < d.u.length; ++i) {
    if (!mask.allows(i)) d.u.entries.erase(i);
  }
  d.du = to_device(d.u, c.u.form, c.u.iso);
}

}  // namespace

Data make_data(const Configuration& c, Random& random, uint64_t length) {
  Data d;
  // assign_list: u has the list's length. Aliases keep all lengths equal.
  const bool shorter = has_list(c.kind) && c.alias == Alias::none;
  const uint64_t listed = shorter ? below(random, length + 1) : length;
  const uint64_t u_length = c.kind == Kind::assign_list ? listed : length;
  const uint64_t w_length = c.kind == Kind::extract ? listed : length;
  make(random, c.u, u_length, d.u, d.du);
  make(random, c.v, length, d.v, d.dv);
  make(random, c.w, w_length, d.w, d.dw);
  make(random, c.mask, w_length, d.mask, d.dmask);
  d.x = random_value(random, c.kind == Kind::assign_scalar ? c.v.type : c.u.type, true);
  d.y = random_value(random, c.v.type, true);
  if (has_list(c.kind)) {
    d.list = draw_list(random, c.kind, length);
    d.list.resize(listed);
  }
  switch (c.alias) {
    case Alias::output_is_u:
      d.w = d.u;
      break;
    case Alias::output_is_v:
      d.w = d.v;
      break;
    case Alias::output_is_mask:
      d.mask = d.w;
      break;
    case Alias::mask_is_u:
      d.mask = d.u;
      break;
    case Alias::output_shares_u:
      d.w = d.u, d.dw = d.du;
      break;
    case Alias::none:
      break;
  }
  restrict_t(c, d, random);
  return d;
}

namespace {

RefVector spread(const Configuration& c, const Data& d) {
  RefVector t{c.kind == Kind::assign_list ? d.u.type : d.x.type, d.w.length, {}};
  for (size_t p = 0; p < d.list.size(); ++p) {
    if (c.kind == Kind::assign_scalar_list) {
      t.entries[d.list[p]] = d.x;
    } else if (const auto entry = d.u.entries.find(p); entry != d.u.entries.end()) {
      t.entries[d.list[p]] = entry->second;
    }
  }
  return t;
}

RefVector expected_t(const Configuration& c, const Data& d) {
  switch (c.kind) {
    case Kind::ewise_add:
      return ref_ewise_add(c.binary, d.u, d.v);
    case Kind::ewise_union:
      return ref_ewise_union(c.binary, d.u, d.x, d.v, d.y);
    case Kind::ewise_mult:
      return ref_ewise_mult(c.binary, d.u, d.v);
    case Kind::apply:
      return ref_apply(c.unary, d.u);
    case Kind::bind_first:
      return ref_bind_first(c.binary, d.y, d.u);
    case Kind::bind_second:
      return ref_bind_second(c.binary, d.u, d.y);
    case Kind::apply_index:
      return ref_apply_index(c.index_unary, d.u, d.y);
    case Kind::select:
      return ref_select(c.index_unary, d.u, d.y);
    case Kind::assign_scalar:
      return ref_scalar(d.x, d.w.length);
    case Kind::assign_nothing:
      return {d.w.type, d.w.length, {}};
    case Kind::extract:
      return ref_extract(d.u, d.list);
    case Kind::assign_list:
    case Kind::assign_scalar_list:
      return spread(c, d);
    default:
      return d.u;
  }
}

}  // namespace

DeviceVector& output_of(const Configuration& c, Data& d) {
  return c.alias == Alias::output_is_u ? d.du : c.alias == Alias::output_is_v ? d.dv : d.dw;
}

void run_on_device(const Configuration& c, Data& d) {
  DeviceVector& w = output_of(c, d);
  const DeviceVector* mask = c.alias == Alias::mask_is_u        ? &d.du
                             : c.alias == Alias::output_is_mask ? &w
                                                                : &d.dmask;
  const operations::VectorOutput out{
      w, {c.masked ? mask : nullptr, c.structural, c.complement}, c.accumulate, c.replace};
  const operations::Indices list{false, d.list.size(), d.list.data()};
  switch (c.kind) {
    case Kind::ewise_add:
      return operations::ewise_add(out, c.binary, d.du, d.dv);
    case Kind::ewise_union:
      return operations::ewise_union(out, c.binary, d.du, d.x, d.dv, d.y);
    case Kind::ewise_mult:
      return operations::ewise_mult(out, c.binary, d.du, d.dv);
    case Kind::apply:
      return operations::apply(out, c.unary, d.du);
    case Kind::bind_first:
      return operations::apply_bind_first(out, c.binary, d.y, d.du);
    case Kind::bind_second:
      return operations::apply_bind_second(out, c.binary, d.du, d.y);
    case Kind::apply_index:
      return operations::apply_index(out, c.index_unary, d.du, d.y);
    case Kind::select:
      return operations::select(out, c.index_unary, d.du, d.y);
    case Kind::assign:
      return operations::assign(out, d.du, {});
    case Kind::assign_scalar:
      return operations::assign_scalar(out, d.x, {});
    case Kind::assign_nothing:
      return operations::assign_scalar(out, std::nullopt, {});
    case Kind::assign_list:
      return operations::assign(out, d.du, list);
    case Kind::assign_scalar_list:
      return operations::assign_scalar(out, d.x, list);
    case Kind::extract:
      return operations::extract(out, d.du, list);
    case Kind::write_back: {
      DeviceVector t = d.du;
      return operations::write_back(out, std::move(t), d.t_masked);
    }
    case Kind::count:
      return;
  }
}

namespace {

/// What must not have changed: operands that are not the output.
std::string check_inputs(const Configuration& c, const Data& d) {
  std::string what;
  if (c.alias != Alias::output_is_u) what = difference(d.u, from_device(d.du));
  if (!what.empty()) return "u changed: " + what;
  if (c.alias != Alias::output_is_v) what = difference(d.v, from_device(d.dv));
  if (!what.empty()) return "v changed: " + what;
  if (c.alias == Alias::none) what = difference(d.mask, from_device(d.dmask));
  return what.empty() ? "" : "the mask changed: " + what;
}

}  // namespace

RefVector expected_output(const Configuration& c, const Data& d) {
  const RefMask mask{c.masked ? &d.mask : nullptr, c.structural, c.complement};
  const RefVector t = expected_t(c, d);
  if (c.kind != Kind::assign_list && c.kind != Kind::assign_scalar_list) {
    return ref_write_back(d.w, mask, c.accumulate, c.replace, t);
  }
  std::vector<bool> inside(d.w.length, false);
  for (const uint64_t i : d.list) inside[i] = true;
  return ref_assign_list(d.w, mask, c.accumulate, c.replace, t, inside);
}

std::string run(const Configuration& c, Random& random, uint64_t length,
                const std::function<void(Data&)>& place) {
  Data d = make_data(c, random, length);
  if (place != nullptr) place(d);
  const RefVector expected = expected_output(c, d);
  run_on_device(c, d);
  const std::string what = difference(expected, from_device(output_of(c, d)));
  return what.empty() ? check_inputs(c, d) : what;
}

}  // namespace cugrb::test
