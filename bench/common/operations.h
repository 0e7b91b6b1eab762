// Times of single operations on the process's device, beside its copy bandwidth: what bench_vectors and
// bench_matrices share.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/runtime/buffer.h"

namespace cugrb::bench {

/// --SIZE N, --repeat N, --json FILE, --only TEXT: operations whose names have it.
struct OperationOptions {
  uint64_t size = 0;
  int repeat = 0;
  std::string json;
  std::string only = {};
};

/// `options` has the defaults; `size_word` is the option of its size, which is at least `least`. Throws
/// std::invalid_argument.
inline OperationOptions parse(int count, char** arguments, const std::string& size_word, uint64_t least,
                              OperationOptions options) {
  for (int n = 1; n + 1 < count; n += 2) {
    const std::string word = arguments[n];
    if (word == size_word) {
      options.size = std::max<uint64_t>(least, std::strtoull(arguments[n + 1], nullptr, 10));
    } else if (word == "--repeat") {
      options.repeat = std::max(1, std::atoi(arguments[n + 1]));
    } else if (word == "--json") {
      options.json = arguments[n + 1];
    } else if (word == "--only") {
      options.only = arguments[n + 1];
    } else {
      throw std::invalid_argument("unknown option " + word);
    }
  }
  return options;
}

/// A line an operation: the median time of a call, and the bytes that must move as a share of the copy
/// bandwidth. A run is `calls` calls in a row between two events.
class OperationBench {
 public:
  /// `size_name` is what the result calls options.size.
  OperationBench(const OperationOptions& options, const char* size_name, int calls)
      : options_(options), calls_(calls) {
    const runtime::Properties& device = runtime::device().properties();
    const size_t bytes = size_t(1) << (device.kind == runtime::Kind::cuda ? 30 : 20);
    const runtime::Buffer from(bytes), to(bytes);
    copy_ =
        2 * double(bytes) / seconds([&] { runtime::device().copy_on_device(to.data(), from.data(), bytes); });
    std::printf("%s, %s %lu, copy %.3f TB/s\n", device.name.c_str(), size_name, (unsigned long)options.size,
                copy_ / 1e12);
    const std::vector<char> host(bytes / 16);
    upload_ = double(host.size()) / seconds([&] { from.write_bytes(0, host.data(), host.size()); });
    std::printf("copy from the host %.3f TB/s\n", upload_ / 1e12);
    result_ = {{"device", device.name},
               {size_name, options.size},
               {"copy_bytes_per_second", copy_},
               {"upload_bytes_per_second", upload_}};
  }

  /// `bytes`: what must move on the device in a call; `from_host`: what must come from the host. The share of
  /// the copy bandwidth is that of the time that both take at least in the time taken.
  void run(const std::string& name, double bytes, const std::function<void()>& call, double from_host = 0) {
    if (name.find(options_.only) == std::string::npos) return;
    const double taken = seconds(call), rate = bytes / taken;
    const double share = (bytes / copy_ + from_host / upload_) / taken;
    std::printf("%-46s %10.2f us  %7.3f TB/s  %5.2f of copy\n", name.c_str(), taken * 1e6, rate / 1e12,
                share);
    result_["operations"].push_back({{"name", name},
                                     {"seconds", taken},
                                     {"bytes_per_second", rate},
                                     {"bytes_from_host", from_host},
                                     {"of_copy", share}});
  }

  /// Writes the result where --json asks for it.
  void finish() const {
    if (!options_.json.empty()) std::ofstream(options_.json) << result_.dump(2) << "\n";
  }

 private:
  /// Median of one call, after one that does not count.
  double seconds(const std::function<void()>& call) const {
    call();
    std::vector<double> taken;
    for (int r = 0; r < options_.repeat; ++r) {
      const uint64_t begin = runtime::device().mark();
      for (int n = 0; n < calls_; ++n) call();
      taken.push_back(runtime::device().seconds_between(begin, runtime::device().mark()) / calls_);
    }
    std::sort(taken.begin(), taken.end());
    return taken[taken.size() / 2];
  }

  OperationOptions options_;
  int calls_;
  double copy_ = 0, upload_ = 0;  ///< bytes a second
  nlohmann::json result_;
};

}  // namespace cugrb::bench
