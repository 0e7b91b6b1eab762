// The disk cache has a bound: what was not used for the longest time goes, and nothing but entries.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "src/jit/cache_size.h"
#include "src/jit/disk_cache.h"
#include "src/jit/process.h"
#include "src/support/settings.h"
#include "tests/catch.h"
#include "tests/jit/fixture.h"

using namespace cugrb;
namespace fs = std::filesystem;

namespace {

constexpr size_t image_bytes = 10000;
const jit::Image image_of_an_entry{std::string(image_bytes, 'x'), "symbol", ""};

std::string key_of(int number) { return jit::Digest().add(uint64_t(number)).text(); }

/// `minutes` ago was the last use.
void make_old(const std::string& path, int minutes) {
  timespec times[2];
  clock_gettime(CLOCK_REALTIME, &times[0]);
  times[0].tv_sec -= minutes * 60;
  times[1] = times[0];
  REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

void limit_to(uint64_t bytes) {
  Settings changed = settings();
  changed.cache_limit_bytes = bytes;
  override_settings(changed);
}

uint64_t bytes_under(const std::string& directory) {
  uint64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

}  // namespace

TEST_CASE("beyond the limit the entries that were not used for the longest time go") {
  const SettingsGuard guard;
  const std::string directory = fixture::new_directory();
  limit_to(0);
  jit::DiskCache cache(directory);
  for (int i = 0; i < 4; ++i) {
    REQUIRE(cache.store(i % 2 == 0 ? "host" : "sm_90", key_of(i), image_of_an_entry));
    make_old(cache.path(i % 2 == 0 ? "host" : "sm_90", key_of(i)), 10 - i);
  }
  REQUIRE(cache.load("host", key_of(0)).has_value());  // the oldest one, used again
  limit_to(4 * (image_bytes + 500));
  REQUIRE(cache.store("host", key_of(4), image_of_an_entry));
  CHECK(cache.load("host", key_of(0)).has_value());
  CHECK_FALSE(cache.load("sm_90", key_of(1)).has_value());
  CHECK(cache.load("sm_90", key_of(3)).has_value());
  CHECK(cache.load("host", key_of(4)).has_value());
  CHECK(bytes_under(directory) <= settings().cache_limit_bytes);
}

TEST_CASE("without a limit nothing goes, and an entry larger than the limit is not taken") {
  const SettingsGuard guard;
  const std::string directory = fixture::new_directory();
  limit_to(0);
  jit::DiskCache cache(directory);
  for (int i = 0; i < 8; ++i) REQUIRE(cache.store("host", key_of(i), image_of_an_entry));
  CHECK(bytes_under(directory) > 8 * image_bytes);
  limit_to(image_bytes);
  CHECK_FALSE(cache.store("host", key_of(8), image_of_an_entry));
  CHECK(fixture::contains(cache.unavailable_reason(), "CUGRB_CACHE_LIMIT is 10000"));
  CHECK(cache.load("host", key_of(0)).has_value());
}

TEST_CASE("profiles and files of others stay, whatever the limit") {
  const SettingsGuard guard;
  const std::string directory = fixture::new_directory();
  const std::string others[] = {directory + "/profile_GPU.json", directory + "/" + key_of(1) + ".so",
                                directory + "/host/library.so", directory + "/lib/" + key_of(1) + ".so"};
  fs::create_directories(directory + "/host");
  fs::create_directories(directory + "/lib");
  for (const std::string& other : others) {
    jit::write_file(other, std::string(image_bytes, 'o'));
    make_old(other, 1000);
  }
  limit_to(image_bytes + 1000);
  jit::DiskCache cache(directory);
  for (int i = 0; i < 3; ++i) REQUIRE(cache.store("host", key_of(i), image_of_an_entry));
  for (const std::string& other : others) CHECK(fs::exists(other));
  CHECK_FALSE(cache.load("host", key_of(0)).has_value());
  CHECK(cache.load("host", key_of(2)).has_value());
}

TEST_CASE("what a process that ended in the middle left behind goes, what is being written stays") {
  const SettingsGuard guard;
  const std::string directory = fixture::new_directory();
  limit_to(3 * image_bytes);
  jit::DiskCache cache(directory);
  const std::string entry = cache.path("host", key_of(0));
  const std::string left = entry + ".1.0.tmp", growing = entry + ".2.0.tmp";
  for (const std::string& file : {left, growing}) jit::write_file(file, image_of_an_entry.bytes);
  make_old(left, 1000);
  make_old(growing, 10);
  for (int i = 0; i < 3; ++i) REQUIRE(cache.store("host", key_of(i), image_of_an_entry));
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(growing));
}

TEST_CASE("processes that fill one cache keep to its limit together, and no entry is half there") {
  const SettingsGuard guard;
  const std::string directory = fixture::new_directory();
  limit_to(20 * image_bytes);
  constexpr int processes = 4;
  pid_t child[processes];
  for (int p = 0; p < processes; ++p) {
    child[p] = fork();
    REQUIRE(child[p] >= 0);
    if (child[p] != 0) continue;
    jit::DiskCache cache(directory);
    bool good = true;
    for (int i = 0; i < 60; ++i) {
      good &= cache.store("host", key_of(p * 1000 + i), image_of_an_entry);
      const auto back = cache.load("host", key_of(p * 1000 + i - i % 7));
      good &= !back || back->bytes == image_of_an_entry.bytes;
    }
    _exit(good ? 0 : 1);
  }
  for (const pid_t process : child) {
    int status = 0;
    REQUIRE(waitpid(process, &status, 0) == process);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  }
  // So much a process stores before it looks at what the others did.
  CHECK(bytes_under(directory) <= (20 + 2 * processes) * (image_bytes + 500));
}

TEST_CASE("kernels run though their entries go as soon as others come") {
  const SettingsGuard guard;
  limit_to(1 << 16);
  for (int i = 0; i < 3; ++i) {
    const auto request = fixture::fresh_probe();
    CHECK(fixture::run_floats(request, {0}).size() == 1);
    jit::forget_kernels();
    CHECK(fixture::run_floats(request, {0}).size() == 1);
  }
}
