#include "src/selector/mxv_model.h"

#include <algorithm>
#include <stdexcept>

#include "src/selector/mxv_costs.h"

namespace cugrb::selector {

namespace {

/// One family of kernels. A new one joins here and in the table of src/operations/mxv.cpp.
struct FamilyModel {
  Family family;
  const char* format;
  Cost (*cost)(const MxvProblem&, const Hardware&, const KernelName&);
};

const FamilyModel& model_of(Family family) {
  static const FamilyModel models[] = {
      {Family::rows, "csr", cost_of_rows},
      {Family::few_lanes, "csr", cost_of_rows},
      {Family::merge, "csr", cost_of_merge},
      {Family::push, "csr", cost_of_push},
      {Family::ell, "ell", cost_of_ell},
      {Family::sell, "sell", cost_of_sell},
      {Family::coo, "coo", cost_of_coo},
      {Family::hyb, "hyb", cost_of_hyb},
      {Family::binned_csr, "binned_csr", cost_of_binned_csr},
      {Family::blocked, "blocked", cost_of_blocked},
      {Family::csb, "csb", cost_of_csb},
      {Family::tile_coo, "tile_coo", cost_of_tile_coo},
      {Family::tile_composite, "tile_composite", cost_of_tile_composite},
      {Family::dcsr, "dcsr", cost_of_dcsr},
      {Family::adcsr, "adcsr", cost_of_adcsr},
      {Family::cusparse_csr_alg1, "csr", cost_of_cusparse_csr},
      {Family::cusparse_csr_alg2, "csr", cost_of_cusparse_csr},
      {Family::cusparse_sell, "sell", cost_of_cusparse_sell},
  };
  for (const FamilyModel& model : models) {
    if (model.family == family) return model;
  }
  throw std::logic_error("a kernel family without a model");
}

/// Whatever the device does, calls follow each other no faster than the host makes them.
double seconds_of(const Cost& cost, const MxvProblem& p, const Hardware& h, const KernelName& kernel) {
  return h.emulated ? cost.seconds : std::max(seconds_of_call(p, h, kernel.family), cost.seconds);
}

/// What is there is not left for a format that is predicted to be hardly faster: predictions are not as good
/// as that (docs/selector.md, "Several conversions").
constexpr double unmade_doubt = 1.02;

Candidate candidate_of(const KernelName& kernel, const MxvProblem& p, const Hardware& h) {
  const FamilyModel& model = model_of(kernel.family);
  const bool pushes = kernel.family == Family::push;
  const bool ready = pushes ? p.push_ready : p.pull_ready;
  Candidate c;
  c.kernel = kernel.name;
  c.format = model.format;
  c.makes_format = c.format != "csr" && p.ready_formats.count(kernel.family) == 0;
  if (!ready) c.format += " of the transpose";
  if (c.makes_format && !p.may_make_formats) {
    c.applicable = false;
    c.reason = "no format is made for the first products";
    return c;
  }
  const Cost cost = model.cost(p, h, kernel);
  c.reason = cost.refusal;
  c.applicable = cost.refusal.empty();
  c.predicted_seconds = seconds_of(cost, p, h, kernel);
  if (!c.applicable || h.emulated) return c;
  if (c.makes_format) c.doubt = unmade_doubt;
  if (p.ready_formats.count(kernel.family) == 0) {
    c.conversion_seconds = cost.conversion_seconds / double(1 + p.pull_uses);
  }
  if (!ready)
    c.conversion_seconds += transpose_seconds(p, h) / double(1 + (pushes ? p.pull_uses : p.push_uses));
  return c;
}

/// What trials found in place of what was predicted. A kernel that has been timed is not left for one that is
/// predicted to be a little faster: that one is tried first.
void correct(Candidate& c, const std::vector<Trial>& trials) {
  constexpr double prediction_error = 1.2;
  for (const Trial& trial : trials) {
    if (trial.seconds > 0) c.doubt = prediction_error;
  }
  for (const Trial& trial : trials) {
    if (trial.kernel != c.kernel || trial.uncompiled || !c.applicable) continue;
    c.measured_seconds = trial.seconds;
    c.applicable = trial.failure.empty();
    if (trial.seconds > 0) c.reason = "measured";
    if (!c.applicable) c.reason = "failed when it was tried: " + trial.failure;
  }
}

}  // namespace

double predicted_seconds(const MxvProblem& problem, const Hardware& hardware, const KernelName& kernel) {
  const Cost cost = model_of(kernel.family).cost(problem, hardware, kernel);
  return cost.refusal.empty() ? seconds_of(cost, problem, hardware, kernel) : 0;
}

Decision choose_mxv(const MxvProblem& problem, const Hardware& hardware, const std::string& forced) {
  Decision decision;
  decision.operation = problem.operation;
  if (problem.pull_ready) decision.expected_uses = double(1 + problem.pull_uses);
  decision.candidates.reserve(kernels().size());
  for (const KernelName& kernel : kernels()) {
    decision.candidates.push_back(candidate_of(kernel, problem, hardware));
    correct(decision.candidates.back(), problem.trials);
  }
  choose(decision, forced);  // the row kernels are always applicable
  return decision;
}

}  // namespace cugrb::selector
