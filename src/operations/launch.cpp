#include "src/operations/launch.h"

#include "src/formats/element_kernels.h"
#include "src/formats/joined.h"
#include "src/operations/template_id.h"
#include "src/support/trace.h"

namespace cugrb::operations {

std::string expression_id(const Expression& t, const std::string& u_id, const std::string& v_id) {
  std::string text = t.name + "<";
  const char* separator = "";
  for (const std::string* argument : {&t.argument, &u_id, &v_id}) {
    if (argument->empty()) continue;
    text += separator + *argument;
    separator = ", ";
  }
  return text + ">";
}

std::string preamble_of(const VectorOutput& w, const Expression& t) {
  std::string text = catalogue::type_preamble(w.object.type) + catalogue::type_preamble(t.type);
  for (const DeviceVector* operand : {t.u, t.v}) {
    if (operand != nullptr) text += catalogue::type_preamble(operand->type);
  }
  text += t.preamble;
  if (w.accumulate) text += w.accumulate->preamble;
  return text;
}

namespace {

std::string operand_id(const DeviceVector& operand, const DeviceVector* list) {
  if (!is_listed(operand, list)) return input_id(operand);
  return template_id("vector_listed", {operand.type.name, text_of(operand.iso)});
}

}  // namespace

void set_expression(Launch& launch, const Expression& t, const DeviceVector* u, const DeviceVector* v,
                    const DeviceVector* list) {
  if (t.pattern == Pattern::elsewhere) list = nullptr;  // u is read at other places than the visited ones
  launch.expression =
      expression_id(t, u == nullptr ? "" : operand_id(*u, list), v == nullptr ? "" : operand_id(*v, list));
  if (u != nullptr) launch.arguments.expression.u = u->view();
  if (v != nullptr) launch.arguments.expression.v = v->view();
  launch.arguments.expression.x = t.x;
  launch.arguments.expression.y = t.y;
  launch.arguments.expression.list = t.list;
}

void set_old(Launch& launch, const DeviceVector& old, bool is_read, const DeviceVector* list) {
  if (!is_read) {
    launch.old = template_id("vector_none", {old.type.name});
    return;
  }
  launch.old = operand_id(old, list);
  launch.arguments.old_output = old.view();
}

void set_mask(Launch& launch, const PreparedMask& mask) {
  launch.arguments.mask = mask.view;
  launch.mask = mask.name();
}

void set_listed_mask(Launch& launch, const Exit& exit, const DeviceVector* list) {
  const PreparedMask& mask = exit.mask;
  set_mask(launch, mask);
  if (mask.allows_all || exit.w.mask.complement || !is_listed(mask.vector, list)) return;
  launch.mask = exit.w.mask.structural
                    ? "mask_none<false>"
                    : template_id("mask_valued_listed", {mask.vector.type.name, text_of(mask.vector.iso)});
}

namespace {

/// A thread of write_back_all takes several positions of narrow values.
uint64_t blocks_of(const Exit& exit, uint64_t count, bool all) {
  const bool several = all && exit.w.object.type.size <= WriteBackTile::widest_bytes;
  return formats::blocks_for(count,
                             uint64_t(WriteBackTile::threads) * (several ? WriteBackTile::positions : 1));
}

}  // namespace

void run(const Exit& exit, const Launch& launch, const std::string& index_type, const Outputs& outputs) {
  const std::string accumulate =
      exit.plan.accumulate ? template_id("accumulate", {exit.w.accumulate->source}) : "no_accumulate";
  const std::string replace = text_of(exit.plan.replace);
  const bool all = index_type.empty();
  const auto named = [&](const char* stem) {
    return template_id(stem, {launch.expression, launch.mask, accumulate, replace, launch.old, launch.into});
  };
  const std::string listed = "write_back_listed<" + index_type + ", ";
  formats::Stage stage;
  stage.text = named("stage");
  stage.alone.header = "write_back.h";
  stage.alone.name = all ? named("write_back_all") : listed + stage.text.substr(sizeof("stage<") - 1);
  stage.alone.preamble = preamble_of(exit.w, exit.t);
  stage.blocks_alone = blocks_of(exit, launch.arguments.count, all);
  stage.what = (all ? "write_back_all " : "write_back_listed ") + exit.t.name;
  if (trace::enabled() && trace::current().kernel.empty())  // after a product its own kernel stands there
    trace::current().kernel = stage.what;
  stage.joinable = {{launch.arguments.places, launch.arguments.count, index_type},
                    exit.t.pattern == Pattern::elsewhere,
                    !stage.alone.preamble.empty()};
  stage.arguments = launch.arguments;
  stage.written = {
      {{outputs.values.data(), outputs.values.bytes()}, {outputs.present.data(), outputs.present.bytes()}}};
  formats::launch_or_put_off(std::move(stage));
}

}  // namespace cugrb::operations
