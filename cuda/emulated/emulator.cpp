#include "cuda/emulated/emulator.h"

#include <mutex>

#include "cuda/emulated/engine.h"

namespace cugrb::simt {

Violation::Violation(const std::string& text, const char* file, int line)
    : std::runtime_error(line == 0 ? text : text + " [" + file + ":" + std::to_string(line) + "]"),
      file(file),
      line(line) {}

Options parse_schedule(const std::string& text) {
  Options options;
  const std::string random = "random";
  if (text.empty() || text == "forward") return options;
  if (text == "reverse") {
    options.schedule = Schedule::reverse;
    return options;
  }
  const bool plain = text == random;
  const bool seeded = text.rfind(random + ":", 0) == 0 && text.size() > random.size() + 1 &&
                      text.size() <= 25 &&
                      text.find_first_not_of("0123456789", random.size() + 1) == std::string::npos;
  if (!plain && !seeded) {
    throw std::invalid_argument("CUGRB_EMULATED_SCHEDULE=" + text +
                                ": expected forward, reverse, random or random:SEED");
  }
  options.schedule = Schedule::random;
  options.resident_blocks = 3;
  if (seeded) options.seed = std::stoull(text.substr(random.size() + 1));
  return options;
}

bool run(Entry entry, const void* arguments, const Shape& shape, const Options& options) {
  if (shape.blocks == 0) return false;
  if (shape.threads < 1 || shape.threads > 1024) throw std::invalid_argument("a block has 1 to 1024 threads");
  if (shape.blocks > 0x7fffffffu) throw std::invalid_argument("a grid has at most 2^31 - 1 blocks");
  if (shape.cluster < 1 || shape.cluster > 8) throw std::invalid_argument("a cluster has 1 to 8 blocks");
  if (shape.blocks % shape.cluster != 0) throw std::invalid_argument("a grid is made of whole clusters");
  if (shape.shared_bytes > options.shared_limit_bytes)
    throw std::invalid_argument("too much dynamic shared memory");
  static std::mutex one_launch;
  const std::lock_guard<std::mutex> lock(one_launch);
  Engine& engine = Engine::instance();
  engine.interface().waited = false;
  engine.run(entry, arguments, shape, options);
  return engine.interface().waited;
}

Interface* interface_address() { return &Engine::instance().interface(); }

}  // namespace cugrb::simt
