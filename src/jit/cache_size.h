// How much the kernel cache may hold: beyond that, what was not used for the longest time goes.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>

namespace cugrb::jit {

/// Of one folder. Other processes may store and remove there at any time: what one has not counted yet, its
/// next look at the folder finds.
class CacheSize {
 public:
  explicit CacheSize(std::string folder) : folder_(std::move(folder)) {}
  /// Counts an entry that was stored; removes entries when they take more than `limit` (0: no bound).
  void stored(uint64_t bytes, uint64_t limit);

 private:
  std::mutex mutex_;
  const std::string folder_;
  bool looked_ = false;
  uint64_t known_ = 0;  ///< bytes at the last look
  uint64_t added_ = 0;  ///< by this process since then
};

/// Whether the cache names its entries (and what it writes aside of them) so. No other file is ever removed.
bool is_entry_name(const std::string& folder, const std::string& file);

}  // namespace cugrb::jit
