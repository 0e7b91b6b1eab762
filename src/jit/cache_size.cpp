#include "src/jit/cache_size.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <vector>

namespace cugrb::jit {
namespace {

namespace fs = std::filesystem;

/// A process looks again after it has stored this share of the limit: so much of others' may be unknown to
/// it.
constexpr uint64_t shares = 16;

struct File {
  fs::path path;
  uint64_t bytes;
  timespec used;
};

bool used_earlier(const File& a, const File& b) {
  if (a.used.tv_sec != b.used.tv_sec) return a.used.tv_sec < b.used.tv_sec;
  return a.used.tv_nsec < b.used.tv_nsec;
}

/// What a process that ended in the middle has left is an hour old at some time, and goes as entries do.
bool is_being_written(const fs::path& path, const timespec& changed) {
  return path.extension() == ".tmp" && time(nullptr) < changed.tv_sec + 3600;
}

void add_entries(const fs::path& folder, std::vector<File>& files) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    struct stat status;
    if (!is_entry_name(folder.filename(), entry->path().filename())) continue;
    if (lstat(entry->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (is_being_written(entry->path(), status.st_mtim)) continue;
    files.push_back({entry->path(), static_cast<uint64_t>(status.st_size), status.st_mtim});
  }
}

std::vector<File> all_entries(const fs::path& folder) {
  std::vector<File> files;
  std::error_code error, ignored;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->symlink_status(ignored).type() == fs::file_type::directory) add_entries(entry->path(), files);
  }
  return files;
}

/// Returns the bytes that stay. A file that another process has removed meanwhile is gone, too. The one that
/// was used last stays: store() takes none that is larger than the limit.
uint64_t remove_oldest(std::vector<File> files, uint64_t total, uint64_t limit) {
  std::sort(files.begin(), files.end(), used_earlier);
  for (size_t i = 0; i + 1 < files.size() && total > limit; ++i) {
    unlink(files[i].path.c_str());
    total -= files[i].bytes;
  }
  return total;
}

}  // namespace

bool is_entry_name(const std::string& folder, const std::string& file) {
  constexpr size_t digits = 32;  // Digest::text()
  if (folder != "host" && folder != "headers" && folder.rfind("sm_", 0) != 0) return false;
  return file.size() > digits && file[digits] == '.' && file.find_first_not_of("0123456789abcdef") == digits;
}

void CacheSize::stored(uint64_t bytes, uint64_t limit) {
  const std::lock_guard<std::mutex> lock(mutex_);
  added_ += bytes;
  if (limit == 0) return;
  if (looked_ && added_ <= limit / shares && known_ + added_ <= limit) return;
  const std::vector<File> files = all_entries(folder_);
  uint64_t total = 0;
  for (const File& file : files) total += file.bytes;
  // Some room is made at once: not every store has to look.
  known_ = total <= limit ? total : remove_oldest(files, total, limit - limit / shares);
  added_ = 0;
  looked_ = true;
}

}  // namespace cugrb::jit
