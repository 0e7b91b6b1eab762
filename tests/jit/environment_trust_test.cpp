// A program with foreign rights takes nothing from the environment: no library, no folder, no file to write.
#include <grp.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "cuda/cusparse/library.h"
#include "src/jit/compiler.h"
#include "src/jit/process.h"
#include "src/jit/request_log.h"
#include "src/support/settings.h"
#include "src/support/trace_file.h"
#include "tests/catch.h"
#include "tests/jit/fixture.h"

using namespace cugrb;
namespace fs = std::filesystem;

namespace {

void print(const char* name, const std::string& value) { std::printf("%s: %s\n", name, value.c_str()); }

/// As if CUGRB_CACHE were not set.
std::string usual_cache_directory() {
  const SettingsGuard guard;
  Settings changed = settings();
  changed.cache.clear();
  override_settings(changed);
  return jit::cache_directory();
}

std::string failure_of_nvrtc() {
  try {
    jit::make_nvrtc_compiler("sm_90");
  } catch (const jit::CompilationFailure& failure) {
    return failure.what();
  }
  return "";
}

}  // namespace

TEST_CASE("prints what it takes from the environment", "[.environment]") {
  print("CUGRB_GRAPHBLAS", settings().graphblas);
  print("CUGRB_CACHE", settings().cache);
  print("CUGRB_TRACE", settings().trace);
  print("XDG_CACHE_HOME", usual_cache_directory());
  unsetenv("XDG_CACHE_HOME");
  print("HOME", usual_cache_directory());
  print("TMPDIR", jit::TemporaryDirectory().path());
  print("CUGRB_NVRTC", failure_of_nvrtc());
  print("CUGRB_CUSPARSE", cusparse::library().failure);
  print("PMI_RANK", trace::name_for_rank("trace.json"));
  jit::log_request(fixture::probe("add<float, 1>"));
  std::fflush(stdout);
}

namespace {

constexpr uid_t nobody = 65534;

/// What this user's program prints with these variables alone.
std::string output_as_nobody(const std::string& program, std::vector<std::string> variables) {
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    if (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 || setuid(nobody) != 0) _exit(98);
    execle(program.c_str(), "program", "[.environment]", static_cast<char*>(nullptr), environment.data());
    _exit(99);
  }
  close(ends[1]);
  std::string text;
  char block[4096];
  for (ssize_t got; (got = read(ends[0], block, sizeof block)) > 0;) text.append(block, size_t(got));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  INFO(text);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  return text;
}

/// A folder that every user can enter.
struct OpenFolder {
  std::string path = "/tmp/cugrb-rights-XXXXXX";
  OpenFolder() {
    REQUIRE(mkdtemp(path.data()) != nullptr);
    REQUIRE(chmod(path.c_str(), 0755) == 0);
  }
  ~OpenFolder() { fs::remove_all(path); }
};

}  // namespace

TEST_CASE("a program with rights that its user does not have takes nothing from the environment") {
  const OpenFolder folder;
  struct statvfs system;
  const bool honoured = statvfs(folder.path.c_str(), &system) == 0 && (system.f_flag & ST_NOSUID) == 0;
  if (geteuid() != 0 || !honoured || std::getenv("LD_LIBRARY_PATH") != nullptr) {
    WARN(
        "not tested: a set-user-ID program takes root, a file system that honours it, and libraries that are "
        "found without LD_LIBRARY_PATH");
    return;
  }
  const std::string program = folder.path + "/program", stranger = folder.path + "/stranger",
                    requests = stranger + "/requests";
  fs::copy_file("/proc/self/exe", program);
  fs::create_directory(stranger);
  REQUIRE(chmod(stranger.c_str(), 0777) == 0);
  const std::vector<std::string> names = {"CUGRB_GRAPHBLAS", "CUGRB_CACHE", "CUGRB_TRACE",
                                          "XDG_CACHE_HOME",  "HOME",        "CUGRB_NVRTC",
                                          "CUGRB_CUSPARSE"};
  std::vector<std::string> variables = {"CUGRB_DEVICE=emulated", "TMPDIR=" + stranger, "PMI_RANK=7777",
                                        "CUGRB_REQUESTS=" + requests,
                                        "CUGRB_TEST_CACHE=" + stranger + "/CUGRB_CACHE"};
  for (const std::string& name : names)
    variables.push_back(name + "=" + stranger + "/" + name + (name == "CUGRB_TRACE" ? ".json" : ""));

  REQUIRE(chmod(program.c_str(), 0755) == 0);
  const std::string own = output_as_nobody(program, variables);
  INFO(own);
  for (const std::string& name : names) CHECK(fixture::contains(own, stranger + "/" + name));
  CHECK(fixture::contains(own, "TMPDIR: " + stranger + "/"));
  CHECK(fixture::contains(own, "PMI_RANK: trace.rank7777.json"));
  CHECK(fs::exists(requests));
  fs::remove(requests);

  REQUIRE(chmod(program.c_str(), 04755) == 0);
  const std::string foreign = output_as_nobody(program, variables);
  INFO(foreign);
  CHECK(fixture::contains(foreign,
                          "CUGRB_GRAPHBLAS: \nCUGRB_CACHE: \nCUGRB_TRACE: \nXDG_CACHE_HOME: \nHOME: \n"));
  CHECK_FALSE(fixture::contains(foreign, "stranger"));
  CHECK(fixture::contains(foreign, "PMI_RANK: trace.json\n"));
  CHECK(fs::is_empty(stranger));
}
