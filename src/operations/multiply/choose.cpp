#include "src/operations/multiply/choose.h"

#include <algorithm>

#include "src/operations/multiply/mxv/parts/parts.h"
#include "src/operations/multiply/registry.h"
#include "src/support/number_text.h"

namespace cugrb::operations {

using selector::Candidate;
using selector::Decision;
using selector::Trial;

namespace {

/// Whatever the device does, calls follow each other no faster than the host makes them.
double seconds_of(const Cost& cost, const MxvProblem& p, const Hardware& h, const MxvKernel& kernel) {
  if (h.emulated || !kernel.numbers) return cost.seconds;
  return std::max(selector::seconds_of_call(p, h, *kernel.numbers), cost.seconds);
}

/// What is there is not left for a format that is predicted to be hardly faster: predictions are not as good
/// as that (docs/selector.md, "Several conversions").
constexpr double unmade_doubt = 1.02;

Candidate candidate_of(const MxvKernel& kernel, const MxvProblem& p, const Hardware& h) {
  const bool pushes = kernel.reads_transpose, is_made = p.ready_formats.count(&kernel) > 0;
  const bool ready = pushes ? p.push_ready : p.pull_ready;
  Candidate c;
  c.kernel = &kernel;
  c.format = kernel.format;
  c.makes_format = c.format != "csr" && !is_made;
  if (!ready) c.format += " of the transpose";
  if (c.makes_format && !p.may_make_formats) {
    c.applicable = false;
    c.reason = "no format is made for the first products";
    return c;
  }
  const Cost cost = kernel.cost(p, h);
  c.applicable = cost.refusal.empty();
  c.reason = c.applicable ? cost.note : cost.refusal;
  c.predicted_seconds = seconds_of(cost, p, h, kernel);
  if (&kernel != &mxv_parts) c.predicted_seconds += collecting_seconds(p, h);
  if (!c.applicable || h.emulated) return c;
  if (c.makes_format) c.doubt = unmade_doubt;
  if (!is_made) c.conversion_seconds = cost.conversion_seconds / double(1 + p.pull_uses);
  if (!ready)
    c.conversion_seconds +=
        selector::transpose_seconds(p, h) / double(1 + (pushes ? p.pull_uses : p.push_uses));
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

Candidate candidate_of(const MxmKernel& kernel, const MxmProblem& p, const Hardware& h) {
  selector::MxmCandidate known;
  if (kernel.known != nullptr) known = p.*kernel.known;
  if (const auto failed = p.failures.find(&kernel); failed != p.failures.end())
    known.refusal = failed->second;
  Candidate c;
  c.kernel = &kernel;
  c.format = known.transposed_entries == 0 ? "csr" : "csr, transposed first";
  const Cost cost = known.refusal.empty() ? kernel.cost(p, h) : Cost::refused(known.refusal);
  c.applicable = cost.refusal.empty();
  c.reason = c.applicable ? cost.note : cost.refusal;
  if (!c.applicable) return c;
  c.predicted_seconds = cost.seconds;
  c.workspace_bytes = cost.workspace_bytes;
  const double moved = double(known.transposed_entries);
  c.conversion_seconds = moved == 0 ? 0
                                    : moved / h.sort_keys_per_second + moved * 40 / h.copy_bytes_per_second +
                                          10 * h.launch_seconds;
  c.conversion_seconds += cost.conversion_seconds;
  return c;
}

/// Predicts, corrects by trials, chooses; what references would cost is added afterwards where it is asked
/// for.
template <class KernelOf, class Problem>
void decide(Decision& decision, const std::vector<const KernelOf*>& kernels, const Problem& problem,
            const Hardware& hardware, const Kernel* forced, References references,
            const std::vector<Trial>& trials) {
  const auto considered = [&](const KernelOf* k) { return k->role == Role::candidate || k == forced; };
  const auto predicted = [&](const KernelOf* kernel) {
    Candidate candidate = candidate_of(*kernel, problem, hardware);
    correct(candidate, trials);
    return candidate;
  };
  decision.candidates.reserve(kernels.size());
  for (const KernelOf* kernel : kernels) {
    if (considered(kernel)) decision.candidates.push_back(predicted(kernel));
  }
  choose(decision, forced);
  if (references == References::left_out) return;
  for (size_t n = 0; n < kernels.size(); ++n) {
    if (!considered(kernels[n]))
      decision.candidates.insert(decision.candidates.begin() + ptrdiff_t(n), predicted(kernels[n]));
  }
}

std::string basis_of(const MxmProblem& p) {
  const std::string text = p.products_counted ? fixed_text(p.products, 0) + " products"
                                              : "about " + general_text(p.products, 3) + " products";
  const std::string bound = p.bounded == selector::BoundedUse::none
                                ? ""
                                : ", at most " + std::to_string(p.bounded_products) + " a row";
  return text + " (" + (p.products_counted ? "counted" : "by mean lengths") + bound +
         "), T: " + to_text(p.entries);
}

}  // namespace

double predicted_seconds(const MxvProblem& problem, const Hardware& hardware, const MxvKernel& kernel) {
  const Cost cost = kernel.cost(problem, hardware);
  return cost.refusal.empty() ? seconds_of(cost, problem, hardware, kernel) : 0;
}

Decision choose_mxv(const MxvProblem& problem, const Hardware& hardware, const Kernel* forced,
                    References references) {
  Decision decision;
  decision.operation = problem.operation;
  if (problem.pull_ready) decision.expected_uses = double(1 + problem.pull_uses);
  // The row kernels are always applicable.
  decide(decision, mxv_kernels(), problem, hardware, forced, references, problem.trials);
  return decision;
}

Decision choose_mxm(const MxmProblem& problem, const Hardware& hardware, const Kernel* forced,
                    References references) {
  Decision decision;
  decision.operation = problem.operation;
  decision.basis = basis_of(problem);
  // Sorting is always applicable.
  decide(decision, mxm_kernels(), problem, hardware, forced, references, /*trials=*/{});
  return decision;
}

bool depends_on_entries(const MxmProblem& p, const Hardware& h, const Kernel* forced) {
  // Products that meet in an entry: 28 in the worst of 63 measured cases; where some rows were drawn, heavy
  // ones left out, that many times as in these.
  constexpr double most_met = 32, most_met_beyond_drawn = 4;
  const double most_compressed = p.met > 0 ? std::min(most_met, most_met_beyond_drawn * p.met) : most_met;
  constexpr double wait_seconds = 12e-6;  // for what is read back, twice
  MxmProblem least = p, most = p;
  least.entries.all = p.products / most_compressed;
  least.entries.kept = p.mask == selector::MaskUse::none ? least.entries.all : 0;
  most.entries.all = std::min(p.products, double(p.rows) * double(p.columns));
  most.entries.kept = p.mask == selector::MaskUse::selects
                          ? std::min(most.entries.all, double(p.mask_entries))
                          : most.entries.all;
  const Decision few = choose_mxm(least, h, forced), many = choose_mxm(most, h, forced);
  const auto loss = [](const Decision& decision, const Kernel* other) {
    for (const Candidate& c : decision.candidates) {
      if (c.kernel == other) return charged_seconds(c) - charged_seconds(decision.chosen);
    }
    return 0.0;
  };
  return std::max(loss(few, many.chosen.kernel), loss(many, few.chosen.kernel)) >
         3 * h.launch_seconds + 2 * wait_seconds;
}

const MxvKernel& chosen_mxv(const Decision& decision) {
  return static_cast<const MxvKernel&>(*decision.chosen.kernel);
}
const MxmKernel& chosen_mxm(const Decision& decision) {
  return static_cast<const MxmKernel&>(*decision.chosen.kernel);
}

}  // namespace cugrb::operations
