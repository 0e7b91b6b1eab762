// T(i) = reduce over k of multiply(A(i,k), u(k)): what is asked, which kernel answers it, and the one exit.
#include <algorithm>

#include "src/formats/tile_composite.h"
#include "src/formats/vector_parts.h"
#include "src/memory/policy.h"
#include "src/operations/in_parts.h"
#include "src/operations/iso_product.h"
#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/mxv/dcsr/dcsr.h"
#include "src/operations/multiply/mxv/parts/parts.h"
#include "src/operations/multiply/mxv/pull.h"
#include "src/operations/multiply/mxv/trials.h"
#include "src/operations/multiply/registry.h"
#include "src/operations/multiply/stand_in.h"
#include "src/support/declined.h"
#include "src/support/settings.h"
#include "src/support/trace.h"

namespace cugrb::operations {

namespace {

/// Share of T's positions that the mask allows. A count that is still on the device is not waited for.
double allowed_share(const VectorMask& mask, const PreparedMask& prepared) {
  if (prepared.allows_all) return 1;
  const DeviceVector& vector = *mask.object;
  if (!mask.structural || !vector.nvals_known() || vector.length == 0) return 0.5;
  const double held = double(vector.nvals()) / double(vector.length);
  return mask.complement ? 1 - held : held;
}

std::string tile_refusal(const MatrixVector& call) {
  const BinaryOp& multiply = call.semiring.multiply;
  if (!(call.vector_first ? multiply.reads_x : multiply.reads_y)) return "the vector's values are not read";
  if (multiply.positional != Positional::None) return "the operator is positional";
  if (call.vector.form != Form::full) return "the vector is not full";
  if (call.vector.iso) return "the vector is iso";
  if (call.matrix.type.size > 16 || multiply.x.size > 16 || multiply.y.size > 16)
    return "the values are too large";
  constexpr uint64_t most = uint64_t(1) << 31;
  if (call.matrix.rows >= most || call.matrix.columns >= most) return "more than 2^31 rows or columns";
  return {};
}

/// How the entries spread over the columns, and what tiles of them would be, once it has arrived
/// (DeviceMatrix::derived_later); `looks`: it is asked for.
void describe_columns(selector::MxvProblem& p, const MatrixVectorRun& run, bool looks, uint64_t patience) {
  if (!p.tile_refusal.empty() || !p.pull_ready) return;
  const MatrixVector& call = run.call;
  const Kernel* forced = forced_kernel(run.is_part);
  const bool asked = std::any_of(mxv_kernels().begin(), mxv_kernels().end(), [&](const MxvKernel* kernel) {
    return kernel == forced && kernel->samples_columns;
  });
  if (!looks && !asked) return;
  // There may be no room for a sample, let alone for tiles.
  memory::shortage([&] {
    p.popularity = formats::find_popularity(call.matrix, call.transpose_matrix, asked ? 0 : patience);
  });
  if (p.popularity == nullptr) return;
  p.tile_forecast = &call.matrix.derived(call.transpose_matrix, selector::TileForecast::Key{p.tile_columns},
                                         [&] { return selector::forecast_tiles(p); });
}

/// Whether atomic sums of the monoid are loops (cuda/kernels/atomic_sum.h). With ANY a term is stored.
bool swaps_to_add(const Monoid& add) {
  if (add.is_any) return false;
  const bool adds = add.source.rfind("monoid<plus<", 0) == 0;
  return !adds || add.type().size < 4;
}

/// `of_device`: the hardware is the device that holds the matrix. `waits`: for all that is looked at. All
/// formats are candidates then. `references`: what is known of their formats is told, too.
selector::MxvProblem describe(const MatrixVectorRun& run, const VectorMask& mask,
                              const selector::Hardware& hardware, bool of_device, bool waits,
                              References references) {
  const MatrixVector& call = run.call;
  const Monoid& add = call.semiring.add;
  const bool transposed = call.transpose_matrix;
  selector::MxvProblem p;
  p.operation = std::string(call.vector_first ? "vxm " : "mxv ") + call.semiring.name;
  p.rows = run.rows();
  p.columns = run.columns();
  p.entries = call.matrix.nvals();
  p.offset_bytes = formats::bytes_of(call.matrix.stored.offset_width);
  p.column_bytes = formats::bytes_of(call.matrix.stored.column_width);
  p.matrix_value_bytes = run.reads_matrix() && !call.matrix.stored.iso ? call.matrix.type.size : 0;
  p.vector_value_bytes = run.reads_vector() && !call.vector.iso ? call.vector.type.size : 0;
  p.result_bytes = add.type().size;
  p.vector_entries = run.vector_entries ? *run.vector_entries : call.vector.nvals();
  p.vector_form = call.vector.form;
  p.allowed_share = allowed_share(mask, run.mask);
  p.stops_early = add.ends_early();
  p.stops_at_once = add.ends_at_once();
  p.has_identity = !add.is_any;
  p.deterministic = settings().deterministic;
  p.swaps_to_add = swaps_to_add(add);
  p.pull_ready = call.matrix.has_rows(transposed);
  p.push_ready = call.matrix.has_rows(!transposed);
  p.pull_uses = call.matrix.uses(transposed);
  p.push_uses = call.matrix.uses(!transposed);
  if (p.push_ready) p.push_lengths = call.matrix.row_lengths(!transposed);
  p.tile_refusal = tile_refusal(call);
  if (p.tile_refusal.empty() && p.pull_ready) p.tile_columns = formats::tile_columns_for(operand_bytes(call));
  const selector::Looks looks = selector::looks_of(p, hardware);
  describe_formats(run, looks, waits, p);
  describe_kernels(run, of_device, references, p);
  describe_columns(p, run, p.pull_uses >= looks.columns, waits ? 0 : looks.columns_patience);
  p.trials = trials_of(run);
  return p;
}

/// `forced`: as CUGRB_FORCE's. `excluded`: kernels that are out of the question, and why.
MxvPlan plan_product(const MatrixVectorRun& run, const VectorMask& mask, const Kernel* forced,
                     const std::vector<selector::Trial>& excluded = {}) {
  const selector::Hardware* hardware = selector::Hardware::of_device();
  if (hardware == nullptr) throw runtime::NoDevice(runtime::unavailable_reason());
  // Which product takes another kernel is not to depend on when the device comes to a look.
  const bool waits = settings().deterministic;
  selector::MxvProblem problem =
      describe(run, mask, *hardware, /*of_device=*/true, waits, References::left_out);
  problem.trials.insert(problem.trials.end(), excluded.begin(), excluded.end());
  MxvPlan plan;
  plan.decision = choose_mxv(problem, *hardware, forced);
  plan.kernel = &chosen_mxv(plan.decision);
  plan.next_look = selector::looks_of(problem, *hardware).next_after(problem.pull_uses);
  plan.launch = plan.kernel->plan(problem, *hardware);
  return plan;
}

/// Makes the format of a plan that may turn out to have none; why it has none, kept with the matrix.
std::string prepare_or_refuse(const MatrixVectorRun& run, const MxvPlan& plan) {
  if (!plan.launch.prepare) return {};
  std::string refusal;
  const auto missing = memory::shortage([&] { refusal = plan.launch.prepare(run); });
  if (!missing) return refusal;
  keep_trial(run, {plan.kernel, 0, *missing}, 0);
  return *missing;
}

/// A format may turn out to be none for the matrix when it is made, and cuSPARSE may have no memory: then
/// another kernel is chosen, and the reason says so.
MxvPlan plan_that_runs(const MatrixVectorRun& run, const VectorMask& mask,
                       std::vector<selector::Trial> excluded) {
  std::string failures;
  for (size_t tries = 0; tries <= mxv_kernels().size(); ++tries) {
    MxvPlan plan = plan_product(run, mask, forced_kernel(run.is_part), excluded);
    const std::string failure = prepare_or_refuse(run, plan);
    if (failure.empty()) {
      if (plan.decision.chosen.reason.empty()) plan.decision.chosen.reason = failures;
      return plan;
    }
    if (!failures.empty()) failures += "; ";
    failures += plan.kernel->name + (" was chosen and failed: " + failure);
    excluded.push_back({plan.kernel, 0, failure});
  }
  throw Declined(failures);
}

/// By the next best kernel that is compiled, while that of `wanted` is being compiled. Nothing of it is kept:
/// the next product asks again.
DeviceVector by_stand_in(MatrixVectorRun run, const VectorMask& mask, const MxvPlan& wanted,
                         const jit::NotCompiled& missing) {
  StandIn stand_in(wanted.decision, missing);
  while (true) {
    std::vector<selector::Trial> excluded;
    for (const Kernel* kernel : stand_in.excluded()) excluded.push_back({kernel, 0, "not compiled yet"});
    MxvPlan plan = plan_product(run, mask, nullptr, excluded);
    plan.decision.chosen.reason = stand_in.reason();
    MxvMemo memo(std::move(plan), std::nullopt);
    run.memo = &memo;
    const MxvPlan& chosen = memo.plan();
    try {
      if (stand_in.fits(chosen.decision) && prepare_or_refuse(run, chosen).empty()) {
        DeviceVector t = chosen.launch.run(run);
        if (!run.is_part) selector::record(chosen.decision);
        return t;
      }
    } catch (const jit::NotCompiled&) {
      // Another one, then.
    }
    stand_in.exclude(chosen.decision);
  }
}

/// A format that has no room is not made again: what needs none is on the device already. Nor are others
/// asked again that have no room for their parts.
DeviceVector compute_or_replan(MatrixVectorRun run, const VectorMask& mask,
                               const Circumstances& circumstances, std::shared_ptr<MxvMemo> memo,
                               const std::string& tried) {
  std::vector<selector::Trial> failed;
  while (true) {
    if (memo == nullptr) memo = memorise(run, circumstances, plan_that_runs(run, mask, failed));
    const MxvPlan& plan = memo->plan();
    if (run.is_part) {
      trace::add_lasting_reason("a part by " + plan.kernel->name);
    } else {
      selector::record(plan.decision);
      trace::add_reason(tried);
    }
    run.memo = memo.get();
    try {
      std::optional<DeviceVector> t;
      const auto missing = memory::shortage([&] { t = plan.launch.run(run); });
      if (!missing) return *std::move(t);
      const bool needs_more = plan.decision.chosen.makes_format || plan.kernel == &mxv_parts;
      if (failed.size() >= 2 || !needs_more) throw runtime::OutOfMemory(*missing);
      failed.push_back({plan.kernel, 0, *missing});
      keep_trial(run, failed.back(), 0);
    } catch (const jit::NotCompiled& missing) {
      return by_stand_in(run, mask, plan, missing);
    }
    memo = nullptr;
  }
}

DeviceVector decide_on_whole(const MatrixVectorRun& run, const VectorMask& mask) {
  const formats::DeviceMatrix::Pin pin(run.call.matrix);
  const auto circumstances = Circumstances::of(run, allowed_share(mask, run.mask));
  std::shared_ptr<MxvMemo> memo = recall(run, circumstances);
  std::string tried;
  if (memo != nullptr && trial_is_due(run, *memo)) {
    tried = make_trial(run, *memo, [&](const Kernel* kernel) { return plan_product(run, mask, kernel); });
    memo = nullptr;
  }
  return compute_or_replan(run, mask, circumstances, std::move(memo), tried);
}

/// By a kernel that takes a vector in parts, where one is chosen and has memory; else nothing.
std::optional<DeviceVector> compute_in_parts(const MatrixVectorRun& run, const VectorMask& mask) {
  const formats::DeviceMatrix::Pin pin(run.call.matrix);
  const auto circumstances = Circumstances::of(run, allowed_share(mask, run.mask));
  std::shared_ptr<MxvMemo> memo = recall(run, circumstances);
  if (memo == nullptr) memo = memorise(run, circumstances, plan_product(run, mask, forced_kernel()));
  const MxvKernel* const kernel = memo->plan().kernel;
  if (kernel != &mxv_parts && kernel != &vxm_parts) return std::nullopt;
  MatrixVectorRun by_memo = run;
  by_memo.memo = memo.get();
  std::optional<DeviceVector> t;
  try {
    memory::shortage([&] { t = memo->plan().launch.run(by_memo); });
  } catch (const jit::NotCompiled&) {
    return std::nullopt;  // a stand-in reads the whole vector
  }
  if (t) selector::record(memo->plan().decision);
  return t;
}

DeviceVector decide_and_compute(const MatrixVectorRun& run, const VectorMask& mask) {
  if (run.call.vector.parts == nullptr) return decide_on_whole(run, mask);
  if (std::optional<DeviceVector> t = compute_in_parts(run, mask)) return *std::move(t);
  const MatrixVector& call = run.call;
  const DeviceVector whole = formats::collected(call.vector);
  const MatrixVector on_whole = {call.semiring,     call.matrix,  whole,        call.transpose_matrix,
                                 call.vector_first, call.devices, call.in_parts};
  return decide_on_whole({on_whole, run.mask}, mask);
}

}  // namespace

DeviceVector product_of_part(const MatrixVector& call, const VectorMask& mask, uint64_t vector_entries,
                             const DeviceMatrix* alike) {
  const PreparedMask prepared = prepare_mask(mask);
  const MatrixVectorRun run = {call, prepared, nullptr, /*is_part=*/true, vector_entries};
  if (alike != nullptr) adopt_trials(run, *alike);
  return decide_and_compute(run, mask);
}

selector::MxvProblem describe_mxv(const MatrixVector& call, const selector::Hardware& hardware) {
  const PreparedMask mask{};
  const bool emulated = runtime::device().properties().kind == runtime::Kind::emulated;
  selector::MxvProblem problem = describe({call, mask}, {}, hardware, hardware.emulated == emulated,
                                          /*waits=*/true, References::listed);
  // The tiles of that hardware, not of the device that holds the matrix.
  if (problem.tile_columns > 0 && !hardware.emulated) {
    problem.tile_columns = formats::tile_columns_in(hardware.shared_bytes_per_block, operand_bytes(call));
    problem.tile_forecast = nullptr;
  }
  return problem;
}

selector::Decision decide_mxv(const MatrixVector& call, const selector::Hardware& hardware,
                              const selector::Kernel* forced) {
  return choose_mxv(describe_mxv(call, hardware), hardware, forced);
}

namespace {

/// T where all of its entries have one value: its pattern, and that value.
DeviceVector iso_result(const MatrixVector& call, const PreparedMask& prepared, const VectorMask& mask,
                        const runtime::Buffer& value) {
  MatrixVector pattern = {pattern_semiring(),    call.matrix,       call.vector,
                          call.transpose_matrix, call.vector_first, call.devices};
  DeviceVector t = decide_and_compute({pattern, prepared}, mask);
  t.type = call.semiring.add.type();
  t.iso = true;
  t.values = value;
  return t;
}

DeviceVector fragments_by(const MatrixVectorRun& run) {
  const MatrixVector& call = run.call;
  if (call.vector.parts == nullptr) return product_of_fragments(run);
  const DeviceVector whole = formats::collected(call.vector);
  const MatrixVector on_whole = {call.semiring, call.matrix, whole, call.transpose_matrix, call.vector_first};
  return product_of_fragments({on_whole, run.mask});
}

DeviceVector product(const MatrixVectorRun& run, const VectorMask& mask) {
  const MatrixVector& call = run.call;
  const Type& type = call.semiring.add.type();
  const bool nothing = run.mask.allows_none || call.matrix.nvals() == 0 || call.vector.nvals() == 0;
  if (nothing) return DeviceVector::empty(type, run.rows());
  formats::require_room(run.rows(), type.size);
  if (call.matrix.fragments != nullptr) return fragments_by(run);
  const Factor matrix = factor_of(call.matrix), vector = factor_of(call.vector);
  const auto value = one_product(call.semiring, call.vector_first ? vector : matrix,
                                 call.vector_first ? matrix : vector, run.columns());
  return value ? iso_result(call, run.mask, mask, *value) : decide_and_compute(run, mask);
}

}  // namespace

namespace {

/// T of a product whose mask lies in the parts of u; nothing where it is not made in parts.
std::optional<DeviceVector> masked_in_parts(const VectorMask& mask, const MatrixVector& call) {
  const DeviceVector& u = call.vector;
  const bool plain = call.matrix.fragments == nullptr && call.matrix.nvals() > 0;
  if (!plain || u.parts == nullptr || u.parts->split != mask.object->parts->split) return std::nullopt;
  if (!lies_in_parts(call)) return std::nullopt;
  const PreparedMask prepared = prepare_mask_in_parts(mask);
  if (prepared.allows_all || prepared.allows_none) return std::nullopt;
  return compute_in_parts({call, prepared}, mask);
}

}  // namespace

void mxv(const VectorOutput& w, const MatrixVector& call) {
  if (w.mask.object != nullptr && w.mask.object->parts != nullptr) {
    if (auto t = masked_in_parts(w.mask, call)) return write_back(w, *std::move(t), /*masked=*/true);
    return with_whole_mask(w, [&](const VectorOutput& masked) { mxv(masked, call); });
  }
  const PreparedMask mask = prepare_mask(w.mask);
  write_back(w, product({call, mask}, w.mask), /*masked=*/true);
}

}  // namespace cugrb::operations
