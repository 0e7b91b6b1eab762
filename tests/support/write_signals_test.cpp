// Writing beyond the limit of a file's size, or into a pipe that nobody reads, is an error for the library,
// and no signal for the program.
#include "src/support/write_signals.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "src/support/trace_file.h"
#include "tests/catch.h"

using namespace cugrb;

namespace {

std::string new_file() {
  std::string name = (std::filesystem::temp_directory_path() / "cugrb-size-XXXXXX").string();
  close(mkstemp(name.data()));
  return name;
}

/// What the work ended with in a process whose files may have 1000 bytes.
template <class Work>
int in_small_files(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit small = {1000, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &small);
    _exit(work() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

bool blocked() {
  sigset_t now;
  sigemptyset(&now);
  pthread_sigmask(SIG_SETMASK, nullptr, &now);
  return sigismember(&now, SIGXFSZ) == 1;
}
bool pending() {
  sigset_t now;
  sigemptyset(&now);
  sigpending(&now);
  return sigismember(&now, SIGXFSZ) == 1;
}

}  // namespace

TEST_CASE("a write beyond the limit fails, and leaves no signal and no mask behind") {
  const std::string path = new_file(), text(2000, 'x');
  CHECK(in_small_files([&] {
          const int file = open(path.c_str(), O_WRONLY);
          int error = 0;
          {
            const WithoutWriteSignals without_signal;
            if (write(file, text.data(), text.size()) != 1000) return false;
            if (write(file, text.data(), text.size()) >= 0) return false;
            error = errno;
          }
          return error == EFBIG && !blocked() && !pending();
        }) == 0);
  std::filesystem::remove(path);
}

TEST_CASE("a write into a pipe that nobody reads fails, and leaves no signal behind") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[0]);
  {
    const WithoutWriteSignals without_signals;
    CHECK(write(ends[1], "x", 1) == -1);
    CHECK(errno == EPIPE);
  }
  sigset_t now;
  sigemptyset(&now);
  sigpending(&now);
  CHECK(sigismember(&now, SIGPIPE) == 0);
  close(ends[1]);
}

TEST_CASE("a signal that the program has blocked and waiting stays so") {
  const std::string path = new_file();
  CHECK(in_small_files([&] {
          sigset_t set;
          sigemptyset(&set);
          sigaddset(&set, SIGXFSZ);
          pthread_sigmask(SIG_BLOCK, &set, nullptr);
          raise(SIGXFSZ);
          { const WithoutWriteSignals without_signal; }
          return blocked() && pending();
        }) == 0);
  std::filesystem::remove(path);
}

TEST_CASE("a trace that outgrows the limit of a file's size does not end the program") {
  const std::string path = new_file() + ".json";
  CHECK(in_small_files([&] {
          trace::ChromeFile file;
          if (!file.open(path)) return false;
          int lost = 0;
          for (int k = 0; k < 3; ++k) {
            file.add("{\"name\": \"" + std::string(800, 'x') + "\"}");
            if (!file.write()) lost += errno == EFBIG;
          }
          return lost == 2;
        }) == 0);
  CHECK(std::filesystem::file_size(path) <= 1000);
  std::ifstream written(path);
  CHECK(nlohmann::json::parse(written).size() == 1);  // the others are lost, this one is not
  std::filesystem::remove(path);
  std::filesystem::remove(path.substr(0, path.size() - 5));
}
