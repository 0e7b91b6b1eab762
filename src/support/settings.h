// The environment, read once. docs/environment.md lists every variable; those that a single file reads
// (libraries' paths, the emulated device's order, requests, kernel sources) are not here.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace cugrb {

enum class Offload : uint8_t { automatic, always, never };
enum class Stress : uint8_t { none, evict_outputs, evict_all };
/// What happens before a fork to content that only the device has.
enum class ForkPolicy : uint8_t { bring, leave };
/// Whether element-wise calls that follow each other are one launch.
enum class JoinPolicy : uint8_t { automatic, never };
enum class TrialPolicy : uint8_t { automatic, always, never };
/// Whether `auto` times loops as a whole. always: on the emulated device, too, where calls are then placed by
/// predicted times as on a GPU. slow_device, fast_device: the same by a clock that counts calls, for tests;
/// one on the device takes it four times, or a quarter of, what one on the CPU takes.
enum class LoopPolicy : uint8_t { automatic, always, never, slow_device, fast_device };
/// What a call does that needs a kernel which nobody has compiled yet.
enum class CompilePolicy : uint8_t { automatic, wait, background, never };

/// Of a row of dynamic CSR (docs/dynamic.md).
struct SegmentSettings {
  uint64_t slots = 4;  ///< segments that it can have
  uint64_t slack =
      0;  ///< positions to spare in one that is allocated; 0: the mean length of the matrix's rows
  uint64_t width = 0;    ///< positions that it has at least
  uint64_t ordered = 1;  ///< 1: a defragmentation lays rows out by their size, where they have bins
  /// positions to spare in each row that is put together; none: what suits the matrix's rows
  std::optional<uint64_t> room = {};
};

struct Settings {
  Offload offload = Offload::automatic;  ///< CUGRB_OFFLOAD=auto|always|never
  Stress stress = Stress::none;          ///< CUGRB_STRESS=evict-outputs|evict-all
  std::string trace;            ///< CUGRB_TRACE: empty, "1" (text on stderr) or FILE.json (Chrome trace)
  bool summary = false;         ///< CUGRB_SUMMARY=1: at exit, what ran where (implied by
                                ///< CUGRB_TRACE and CUGRB_VERIFY)
  bool verify = false;          ///< CUGRB_VERIFY=1: repeat every offloaded call on SuiteSparse and compare
  std::string force;            ///< CUGRB_FORCE=kernel name
  std::string device = "auto";  ///< CUGRB_DEVICE=auto|gpu|gpu:N|emulated|none
  std::string devices;          ///< CUGRB_DEVICES=all|N,N,...: those that share matrices; empty: one
  std::string graphblas;        ///< CUGRB_GRAPHBLAS: path of the real library
  std::string cache;            ///< CUGRB_CACHE: disk cache folder; "off" for none
  /// CUGRB_CACHE_LIMIT (suffixes K M G): bytes that compiled kernels may take there; 0: no bound
  uint64_t cache_limit_bytes = uint64_t(1) << 30;
  ForkPolicy fork = ForkPolicy::bring;  ///< CUGRB_FORK=bring|leave
  uint64_t memory_limit_bytes = 0;      ///< CUGRB_MEMORY_LIMIT (suffixes K M G); 0: what is free
  std::string inject;  ///< CUGRB_INJECT=allocation:N|compilation:N|launch:N, for tests: the N-th fails
  bool deterministic = false;  ///< CUGRB_DETERMINISTIC=1: no result may depend on the order of atomics
  JoinPolicy join = JoinPolicy::automatic;  ///< CUGRB_JOIN=auto|never
  /// CUGRB_TRIALS=auto|always|never: kernels are timed on matrices that are used often
  /// (src/selector/trials.h)
  TrialPolicy trials = TrialPolicy::automatic;
  LoopPolicy loops = LoopPolicy::automatic;      ///< CUGRB_LOOPS=auto|always|never|slow-device|fast-device
  CompilePolicy jit = CompilePolicy::automatic;  ///< CUGRB_JIT=auto|wait|background|never

  SegmentSettings segments;  ///< CUGRB_SEGMENTS=SLOTS[:SLACK[:WIDTH[:ORDERED[:ROOM]]]]

  /// What is wrong with the environment, as one readable line; empty when nothing is. While it is not empty
  /// every GrB_init / GxB_init returns GrB_INVALID_VALUE, and `cugrb exec` refuses to start.
  std::string error;
};

/// Parsed at the first call and never again.
const Settings& settings();
/// For tests: parse this environment (name, value pairs) instead of the process's.
Settings parse_settings(const char* (*lookup)(const char* name));
/// For tests of one process that need other settings: replaces what settings() returns.
void override_settings(const Settings& settings);
/// For tests and measurements: the same with another CUGRB_FORCE; empty: the free choice.
void force_kernel(const std::string& kernel);
/// When it goes, settings() are again what they were when it came.
class SettingsGuard {
 public:
  SettingsGuard() : before_(settings()) {}
  ~SettingsGuard() { override_settings(before_); }
  SettingsGuard(const SettingsGuard&) = delete;
  SettingsGuard& operator=(const SettingsGuard&) = delete;

 private:
  const Settings before_;
};

}  // namespace cugrb
