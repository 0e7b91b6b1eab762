// The disk cache is code: what others could have written is not used, and nothing in an entry's place hurts.
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "src/jit/disk_cache.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/jit/fixture.h"

using namespace cugrb;
namespace fs = std::filesystem;

namespace {

const jit::Image trusted_image{"some bytes", "symbol", ""};

mode_t mode_of(const std::string& path) {
  struct stat status;
  REQUIRE(stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

/// Whether the cache takes entries from there, and else whether it says this.
void check_refused(const std::string& directory, const std::string& why) {
  jit::DiskCache cache(directory);
  CHECK_FALSE(cache.load("host", "key").has_value());
  INFO(cache.unavailable_reason());
  CHECK(fixture::contains(cache.unavailable_reason(), directory));
  CHECK(fixture::contains(cache.unavailable_reason(), why));
}

}  // namespace

TEST_CASE("the folders that the cache makes are this user's alone") {
  const std::string directory = fixture::new_directory() + "/made/for/it";
  const mode_t before = umask(0);
  CHECK(jit::DiskCache(directory).store("host", "key", trusted_image));
  umask(before);
  CHECK(mode_of(directory) == 0700);
  CHECK(mode_of(fs::path(directory).parent_path()) == 0700);
  CHECK(mode_of(directory + "/host") == 0700);
  CHECK((mode_of(jit::DiskCache(directory).path("host", "key")) & 022) == 0);
  CHECK(jit::DiskCache(directory).load("host", "key").has_value());
}

TEST_CASE("a folder or a file that others can write to is not used") {
  for (const char* below : {"", "/host", "/host/key.so"}) {
    for (const mode_t others : {020, 002}) {
      const std::string directory = fixture::new_directory();
      REQUIRE(jit::DiskCache(directory).store("host", "key", trusted_image));
      REQUIRE(chmod((directory + below).c_str(), 0700 | others) == 0);
      INFO(below << " " << others);
      check_refused(directory, "others can write");
      // An entry is replaced; a folder is not written to.
      const bool stored = jit::DiskCache(directory).store("host", "key", trusted_image);
      CHECK(stored == fixture::contains(below, ".so"));
      CHECK(jit::DiskCache(directory).load("host", "key").has_value() == stored);
    }
  }
}

TEST_CASE("a folder or a file of another user is not used") {
  if (geteuid() != 0) return;  // only root can give files away
  for (const char* below : {"", "/host", "/host/key.so"}) {
    const std::string directory = fixture::new_directory();
    REQUIRE(jit::DiskCache(directory).store("host", "key", trusted_image));
    REQUIRE(chown((directory + below).c_str(), 12345, 0) == 0);
    INFO(below);
    check_refused(directory, "another user");
  }
}

TEST_CASE("a pipe, a link or a folder in an entry's place is a miss") {
  const std::string directory = fixture::new_directory();
  jit::DiskCache cache(directory);
  REQUIRE(cache.store("host", "elsewhere", trusted_image));
  REQUIRE(cache.store("host", "key", trusted_image));
  const std::string entry = cache.path("host", "key");
  fs::remove(entry);
  REQUIRE(mkfifo(entry.c_str(), 0600) == 0);
  alarm(20);  // a reader that waits for the pipe ends here
  check_refused(directory, "no regular file");
  alarm(0);
  CHECK(cache.store("host", "key", trusted_image));
  CHECK(cache.load("host", "key").has_value());
  fs::remove(entry);
  fs::create_symlink(cache.path("host", "elsewhere"), entry);
  check_refused(directory, "symbolic link");
  fs::remove(entry);
  fs::create_directory(entry);
  check_refused(directory, "no regular file");
}

TEST_CASE("loads kernels though the cache's folder holds no programs", "[.no_programs]") {
  trace::current().warning.clear();
  for (const bool compiled : {true, false}) {
    const uint64_t before = jit::statistics().compiled;
    CHECK(fixture::run_floats(fixture::probe("add<float, 5>"), {1}) == std::vector<float>{6});
    CHECK(jit::statistics().compiled == before + (compiled ? 1 : 0));
    jit::forget_kernels();
  }
  INFO(trace::current().warning);
  CHECK(fixture::contains(trace::current().warning, "not loaded from the kernel cache's folder"));
}

TEST_CASE("a cache in a folder mounted without programs keeps kernels all the same") {
  if (runtime::device().properties().kind != runtime::Kind::emulated) return;
  const std::string directory = fixture::new_directory();
  if (mount("cugrb", directory.c_str(), "tmpfs", MS_NOEXEC, "mode=700") != 0) return;  // not allowed here
  const fixture::Outcome outcome = fixture::run_self("[.no_programs]", {{"CUGRB_TEST_CACHE", directory}});
  umount(directory.c_str());
  INFO(outcome.output);
  CHECK(outcome.status == 0);
}
