#include "src/operations/template_id.h"
#include "tests/operations/cases.h"

namespace cugrb::test {

namespace {

// Few types and operators, so that specialisations repeat; every width, sign and kind is among them.
const Type& draw_type(Random& random) {
  static const TypeCode codes[] = {TypeCode::Fp32,  TypeCode::Fp32, TypeCode::Int32, TypeCode::Int64,
                                   TypeCode::UInt8, TypeCode::Bool, TypeCode::Fp64,  TypeCode::Int16};
  return Type::of(codes[below(random, 8)]);
}

template <class Op>
Op pick(Random& random, const std::vector<std::string>& names, const Type& type,
        std::optional<Op> (*find)(const std::string&)) {
  return *find(names[below(random, names.size())] + "_" + type.suffix());
}

BinaryOp draw_binary(Random& random) {
  if (chance(random, 0.12))
    return pick(random, {"FIRSTI", "SECONDI1", "SECONDJ", "FIRSTJ1"}, Type::of(TypeCode::Int64),
                catalogue::binary_op);
  const Type& type = draw_type(random);
  if (type.code == TypeCode::Bool)
    return pick(random, {"FIRST", "SECOND", "LXOR", "LOR"}, type, catalogue::binary_op);
  return pick(random, {"PLUS", "MINUS", "TIMES", "FIRST", "SECOND", "MIN", "LT", "PAIR", "DIV"}, type,
              catalogue::binary_op);
}

BinaryOp draw_accumulator(Random& random, const Type& type) {
  const Type& of = chance(random, 0.7) || type.is_user() ? type : draw_type(random);
  if (of.code == TypeCode::Bool) return pick(random, {"LOR", "LXOR", "SECOND"}, of, catalogue::binary_op);
  return pick(random, {"PLUS", "MINUS", "SECOND"}, of, catalogue::binary_op);
}

IndexUnaryOp draw_index_unary(Random& random, bool for_select) {
  if (!for_select && chance(random, 0.5)) {
    return pick(random, {"ROWINDEX", "COLINDEX"}, Type::of(TypeCode::Int64), catalogue::index_unary_op);
  }
  if (chance(random, 0.3)) return *catalogue::index_unary_op(chance(random, 0.5) ? "ROWLE" : "TRIL");
  return pick(random, {"VALUELT", "VALUENE", "VALUEGE"}, Type::of(TypeCode::Int32),
              catalogue::index_unary_op);
}

Shape draw_shape(Random& random, const Type& type) {
  const uint64_t form = below(random, 5);
  return {type, form < 2 ? Form::sparse : form < 4 ? Form::bitmap : Form::full, chance(random, 0.2)};
}

void draw_alias(Configuration& c, Random& random) {
  if (!chance(random, 0.35)) return;
  c.alias = Alias(1 + below(random, 5));
  const bool two = c.kind == Kind::ewise_add || c.kind == Kind::ewise_union || c.kind == Kind::ewise_mult;
  if (c.alias == Alias::output_is_v && !two) c.alias = Alias::output_is_u;
  if ((c.alias == Alias::output_is_mask || c.alias == Alias::mask_is_u) && !c.masked) c.alias = Alias::none;
  const bool no_u =
      c.kind == Kind::assign_scalar || c.kind == Kind::assign_nothing || c.kind == Kind::assign_scalar_list;
  if (no_u && c.alias != Alias::output_is_mask) c.alias = Alias::none;
  switch (c.alias) {
    case Alias::output_is_u:
    case Alias::output_shares_u:
      c.w = c.u;
      break;
    case Alias::output_is_v:
      c.w = c.v;
      break;
    case Alias::output_is_mask:
      c.mask = c.w;
      break;
    case Alias::mask_is_u:
      c.mask = c.u;
      break;
    case Alias::none:
      break;
  }
}

}  // namespace

Configuration draw(Random& random) {
  Configuration c;
  c.kind = Kind(below(random, uint64_t(Kind::count)));
  c.u = draw_shape(random, draw_type(random));
  c.v = draw_shape(random, chance(random, 0.6) ? c.u.type : draw_type(random));
  c.w = draw_shape(random, chance(random, 0.6) ? c.u.type : draw_type(random));
  c.binary = draw_binary(random);
  if ((c.kind == Kind::ewise_add || c.kind == Kind::ewise_mult) && chance(random, 0.3)) c.w.type = c.binary.z;
  const Type& unary_type = chance(random, 0.7) ? c.u.type : draw_type(random);
  c.unary = pick(random, {"AINV", "IDENTITY", "ONE"}, unary_type, catalogue::unary_op);
  c.index_unary = draw_index_unary(random, c.kind == Kind::select);
  c.masked = chance(random, 0.65);
  c.mask = draw_shape(random, Type::of(chance(random, 0.6) ? TypeCode::Bool : TypeCode::Fp32));
  c.structural = chance(random, 0.5);
  c.complement = chance(random, c.masked ? 0.35 : 0.05);
  c.replace = chance(random, 0.4);
  if (chance(random, 0.4)) c.accumulate = draw_accumulator(random, c.w.type);
  draw_alias(c, random);
  return c;
}

Configuration draw_sparse(Random& random) {
  Configuration c = draw(random);
  c.kind = chance(random, 0.5) ? Kind::select : Kind::apply;
  c.u.form = c.mask.form = Form::sparse;
  c.mask.iso = false;
  c.masked = true;
  c.structural = false;
  c.replace = true;
  c.accumulate.reset();
  c.alias = Alias::none;
  return c;
}

namespace {

std::string shape_text(const Shape& shape) {
  return shape.type.name + " " + operations::text_of(shape.form) + (shape.iso ? " iso" : "");
}

}  // namespace

std::string Configuration::text() const {
  static const char* kinds[] = {
      "ewise_add",          "ewise_union", "ewise_mult", "apply",         "bind_first",     "bind_second",
      "apply_index",        "select",      "assign",     "assign_scalar", "assign_nothing", "assign_list",
      "assign_scalar_list", "extract",     "write_back"};
  static const char* aliases[] = {"no alias",      "w is u",        "w is v",
                                  "w is the mask", "the mask is u", "w shares memory with u"};
  std::string text = kinds[int(kind)];
  text += "; binary " + binary.name + ", unary " + unary.name + ", index-unary " + index_unary.name;
  text += "; u " + shape_text(u) + "; v " + shape_text(v) + "; w " + shape_text(w);
  if (masked) text += std::string("; mask ") + (structural ? "structural " : "valued ") + shape_text(mask);
  if (complement) text += " complemented";
  if (accumulate) text += "; accumulate " + accumulate->name;
  if (replace) text += "; replace";
  return text + "; " + aliases[int(alias)];
}

}  // namespace cugrb::test
