// A decision is a record that can be printed: what was chosen, by which prediction, over which alternatives.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace cugrb::selector {

/// A reference is there to be compared with: reachable by its name, otherwise free of cost.
enum class Role : uint8_t { candidate, reference };

/// A kernel as decisions and trials know it. There is one object of each; its address is what it is known by.
struct Kernel {
  std::string
      name;  ///< "mxv_row_warp", "mxv_merge", "vxm_push": as CUGRB_FORCE takes it and the trace shows it
  Role role = Role::candidate;
};

struct Candidate {
  const Kernel* kernel = nullptr;
  std::string format;  ///< "csr", "csr of the transpose"
  double predicted_seconds = 0;
  double conversion_seconds = 0;  ///< what making its format still costs
  double workspace_bytes = 0;  ///< device memory while it runs, beside operands and result; 0: not predicted
  bool applicable = true;
  std::string reason;           ///< why not applicable, or what bounds it
  double measured_seconds = 0;  ///< what a trial of it took (trials.h); 0: it has not been tried
  double doubt = 1;  ///< its prediction counts so many times: beside measured ones, or to make its format
  bool makes_format = false;  ///< its format is not there yet
};

struct Decision {
  std::string operation;
  std::string
      basis;  ///< what was counted or estimated for it: "866 products (counted), T: ..."; may be empty
  Candidate chosen;
  std::vector<Candidate> candidates;
  bool forced = false;  ///< CUGRB_FORCE named it
  /// As many uses again can be expected: `conversion_seconds` are charged by one over this; 0: none can be.
  double expected_uses = 0;
};

/// A product's time: measured where it has been, else predicted, with doubt.
inline double expected_seconds(const Candidate& c) {
  return c.measured_seconds > 0 ? c.measured_seconds : c.doubt * c.predicted_seconds;
}
/// A product's time and its share of the conversion: what a choice goes by.
inline double charged_seconds(const Candidate& c) { return expected_seconds(c) + c.conversion_seconds; }

/// Before so many uses no other candidate is chosen, if the formats, what is known of the matrix and the
/// trials stay as they are: then the share of a conversion has fallen so far that a faster candidate is
/// charged no more than the chosen one is expected to take. Infinity when nothing else is faster, or when it
/// is forced.
double uses_until_another(const Decision& decision);

/// Chooses, of `decision.candidates`, the applicable one of least charged time: a product's and its share of
/// the conversion; but a format that another one is expected to replace so soon that waiting for that one
/// costs less is skipped, and its reason says so (docs/selector.md). `forced` (CUGRB_FORCE's; may be null) is
/// taken when it is a candidate and applicable; when it is a candidate but not applicable, the choice is free
/// and the reason says so. At least one candidate is applicable.
void choose(Decision& decision, const Kernel* forced);

std::string to_text(const Decision& decision);
/// Copies the decision into the thread's open trace record.
void record(const Decision& decision);

}  // namespace cugrb::selector
