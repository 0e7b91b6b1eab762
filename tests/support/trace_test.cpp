// Trace records: as text, as Chrome trace (valid JSON at any moment), as summary.
#include "src/support/trace.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <clocale>
#include <csetjmp>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "src/support/parallel.h"
#include "src/support/trace_file.h"
#include "src/support/trace_recording.h"
#include "src/support/trace_text.h"
#include "tests/catch.h"
#include "tests/comma_locale.h"

using namespace cugrb;
using nlohmann::json;

namespace {

std::string temporary_file(const std::string& name) {
  const char* const folder = std::getenv("TMPDIR");
  return std::string(folder == nullptr ? "/tmp" : folder) + "/cugrb_trace_" + std::to_string(getpid()) + name;
}

/// These tests may run under srun or mpirun.
const bool without_rank = [] {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (getenv("CUGRB_TRACE") == nullptr) unsetenv(variable);
  return true;
}();

json load(const std::string& path) {
  std::ifstream file(path);
  return json::parse(file);
}

void record(const char* function, trace::Place place, const std::string& reason = "") {
  const trace::Scope scope(function);
  trace::current().place = place;
  trace::current().reason = reason;
  trace::current().bytes_up = 1000;
  trace::current().bytes_down = 50;
}

}  // namespace

TEST_CASE("a warning stays, whatever reason the call gives later") {
  trace::keep_records(true);
  {
    const trace::Scope scope("GrB_mxv");
    trace::current().warning = "no kernel cache";
    trace::current().reason = "predicted to be faster there";
  }
  trace::keep_records(false);
  CHECK(trace::last_text().find("predicted to be faster there | no kernel cache") != std::string::npos);
}

TEST_CASE("nothing is recorded while nobody asks") {
  trace::start("", false);
  CHECK_FALSE(trace::enabled());
  const std::string before = trace::last_text();
  record("GrB_mxv", trace::Place::gpu);
  CHECK(trace::last_text() == before);
  trace::current().reason = "written by a layer below, with no record open";
  trace::keep_records(true);
  CHECK(trace::enabled());
  record("GrB_mxv", trace::Place::gpu);
  CHECK(trace::last_text().find("GrB_mxv on gpu") != std::string::npos);
  CHECK(trace::last_text().find("no record open") == std::string::npos);
  trace::keep_records(false);
  CHECK_FALSE(trace::enabled());
}

TEST_CASE("a record in text says what there is to say, on one line") {
  trace::Record r;
  r.function = "GrB_mxv";
  r.place = trace::Place::gpu;
  r.sizes = "10x10";
  r.operation = "PLUS_TIMES_FP32";
  r.kernel = "mxv_row_warp";
  r.format = "csr";
  r.seconds = 0.00125;
  r.predicted_seconds = 2e-6;
  r.gpu_predicted_seconds = 3e-5;
  r.cpu_predicted_seconds = 3;
  r.bytes_up = 1500000;
  r.compiled = 2;
  r.reason = "first line\nsecond line";
  CHECK(
      trace::to_text(r) ==
      "cugrb: GrB_mxv on gpu | 10x10 | PLUS_TIMES_FP32 | kernel mxv_row_warp | format csr | 1.250 ms | "
      "predicted 2.00 us"
      " | gpu predicted 30.00 us | cpu predicted 3.000 s | up 1.50 MB | compiled 2 | first line second line");
}

TEST_CASE("numbers of a record are written alike in every locale") {
  trace::Record record;
  record.function = "GrB_mxv";
  record.seconds = 0.0015;
  record.bytes_up = 2'500'000;
  const std::string kept = std::setlocale(LC_NUMERIC, nullptr);
  REQUIRE(set_comma_locale() == 0);
  char half[8];
  std::snprintf(half, sizeof half, "%.1f", 0.5);
  const std::string text = trace::to_text(record);
  const std::string event = trace::to_chrome_event(record, 1, 2);
  trace::start("", true);
  for (int k = 0; k < 3; ++k) ::record("GrB_mxv", trace::Place::gpu);
  const std::string summary = trace::summary_text();
  trace::start("", false);
  std::setlocale(LC_NUMERIC, kept.c_str());
  CHECK(std::string(half) == "0,5");
  CHECK(text.find("1.500 ms | up 2.50 MB") != std::string::npos);
  CHECK(event.find("\"dur\":1500.000") != std::string::npos);
  CHECK(summary.find("3.00 kB") != std::string::npos);
}

namespace {

/// In a frame of its own, as every call of the program has.
template <class Body>
__attribute__((noinline)) void call(const char* function, const Body& body) {
  const trace::Scope scope(function);
  body();
}

}  // namespace

TEST_CASE("a call that a user's operator makes has a record of its own") {
  trace::keep_records(true);
  call("GrB_mxm", [] {
    trace::current().reason = "outer";
    call("GrB_Matrix_nvals", [] { CHECK(std::string(trace::current().function) == "GrB_Matrix_nvals"); });
    CHECK(trace::last_text().find("GrB_Matrix_nvals") != std::string::npos);
    CHECK(std::string(trace::current().function) == "GrB_mxm");
    CHECK(trace::current().reason == "outer");
  });
  CHECK(trace::last_text().find("GrB_mxm") != std::string::npos);
  trace::keep_records(false);
}

TEST_CASE("calls after one that a long jump has left have their records") {
  trace::keep_records(true);
  static jmp_buf back;
  if (setjmp(back) == 0) {
    call("GrB_Vector_apply", [] { longjmp(back, 1); });
  }
  call("GrB_mxv", [] { CHECK(std::string(trace::current().function) == "GrB_mxv"); });
  CHECK(trace::last_text().find("GrB_mxv") != std::string::npos);
  trace::keep_records(false);
}

TEST_CASE("the Chrome trace is an array of complete events with their arguments") {
  const std::string path = temporary_file(".json");
  REQUIRE(trace::start(path, false));
  CHECK(load(path).empty());
  record("GrB_mxv", trace::Place::gpu);
  record("GrB_mxm", trace::Place::cpu, "quotes \" and \\, control \x01 and high \xff bytes\nin two lines");
  trace::flush();
  const json events = load(path);
  REQUIRE(events.size() == 2);
  CHECK(events[0]["name"] == "GrB_mxv");
  CHECK(events[0]["ph"] == "X");
  CHECK(events[0]["args"]["place"] == "gpu");
  CHECK(events[0]["args"]["bytes_up"] == 1000);
  CHECK(events[0]["pid"] == getpid());
  CHECK(events[0]["dur"].get<double>() >= 0);
  CHECK(events[1]["ts"].get<double>() >= events[0]["ts"].get<double>());
  CHECK(events[1]["args"]["reason"] == "quotes \" and \\, control \x01 and high \\xff bytes\nin two lines");
  record("GrB_vxm", trace::Place::gpu);
  trace::flush();
  trace::flush();
  CHECK(load(path).size() == 3);
  trace::start("", false);
  unlink(path.c_str());
}

TEST_CASE("recordings keep the records of their time, beside each other and beside a trace") {
  const std::string path = temporary_file("_recorded.json");
  REQUIRE(trace::start(path, false));
  record("GrB_mxv", trace::Place::gpu);
  trace::Recording outer;
  CHECK(json::parse(outer.json()).empty());
  record("GrB_mxm", trace::Place::cpu, "no device version");
  {
    trace::Recording inner;
    std::thread([] { record("GrB_vxm", trace::Place::gpu); }).join();
    inner.stop();
    record("GrB_apply", trace::Place::gpu);
    const json events = json::parse(inner.json());
    REQUIRE(events.size() == 1);
    CHECK(events[0]["name"] == "GrB_vxm");
  }
  outer.stop();
  record("GrB_reduce", trace::Place::gpu);
  trace::start("", false);
  const json events = json::parse(outer.json());
  REQUIRE(events.size() == 3);
  CHECK(events[0]["args"]["reason"] == "no device version");
  CHECK(events[1]["tid"] != events[2]["tid"]);
  CHECK(load(path).size() == 5);
  CHECK_FALSE(trace::enabled());
  unlink(path.c_str());
}

TEST_CASE("records of many threads all arrive whole") {
  const std::string path = temporary_file("_threads.json");
  REQUIRE(trace::start(path, true));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int k = 0; k < 1000; ++k) record("GrB_Vector_apply", trace::Place::cpu, "too small");
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string summary = trace::summary_text();
  CHECK(summary.find("4000 x GrB_Vector_apply on cpu, ") != std::string::npos);
  CHECK(summary.find("4.00 MB") != std::string::npos);
  trace::start("", false);
  const json events = load(path);
  CHECK(events.size() == 4000);
  std::set<int> numbers;
  for (const json& event : events) numbers.insert(event["tid"].get<int>());
  CHECK(numbers.size() == 4);
  unlink(path.c_str());
}

TEST_CASE("trace_crash_victim", "[.]") {
  // Run by the next test in a process of its own, with CUGRB_TRACE set.
  for (int k = 0; k < 5000; ++k) record("GrB_mxv", trace::Place::gpu);
  kill(getpid(), SIGKILL);
}

namespace {

/// What another program prints on standard error, but for the summary, while its trace goes to this place.
std::string stderr_of_victim(const char* victim, const std::string& path) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    setenv("CUGRB_TRACE", path.c_str(), 1);
    execl("/proc/self/exe", "test_support", victim, static_cast<char*>(nullptr));
    _exit(99);
  }
  close(ends[1]);
  std::string text;
  char block[4096];
  for (ssize_t got; (got = read(ends[0], block, sizeof block)) > 0;) text.append(block, size_t(got));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  const size_t summary = text.find("cugrb: summary\n"), last_line = text.find("cugrb: all ");
  REQUIRE((summary < last_line && last_line != std::string::npos));
  return text.erase(summary, text.find('\n', last_line) + 1 - summary);
}

size_t times_in(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("trace_many_records", "[.]") {
  // Run by the next tests in a process of its own, with CUGRB_TRACE set.
  for (int k = 0; k < 3000; ++k) record("GrB_mxv", trace::Place::gpu);
}

TEST_CASE("a pipe gets the trace as it comes, to its end") {
  const std::string path = temporary_file("_pipe.json");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::string got;
  std::thread reader([&] {
    std::ifstream file(path);
    got.assign(std::istreambuf_iterator<char>(file), {});
  });
  CHECK(stderr_of_victim("trace_many_records", path).empty());
  reader.join();
  CHECK(json::parse(got).size() == 3000);
  struct stat status;
  CHECK((stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)));
  unlink(path.c_str());
}

TEST_CASE("a pipe whose reader goes away ends the trace, not the program") {
  const std::string path = temporary_file("_closed.json");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::thread reader([&] { std::ifstream(path).get(); });
  const std::string said = stderr_of_victim("trace_many_records", path);
  reader.join();
  CHECK(times_in(said, "records are missing in the trace " + path + ": Broken pipe") == 1);
  unlink(path.c_str());
}

TEST_CASE("a device gets the trace and stays, a full one is told of") {
  const std::string path = temporary_file("_device.json");
  for (const unsigned minor : {3u, 7u}) {  // nodes of our own of /dev/null and /dev/full
    if (mknod(path.c_str(), S_IFCHR | 0600, makedev(1, minor)) != 0 || access(path.c_str(), W_OK) != 0 ||
        !std::ofstream(path)) {
      WARN("not tested: no device nodes can be made here");
      unlink(path.c_str());
      return;
    }
    const std::string said = stderr_of_victim("trace_many_records", path);
    struct stat status;
    CHECK((lstat(path.c_str(), &status) == 0 && S_ISCHR(status.st_mode)));
    CHECK(times_in(said, "cannot write the trace to " + path + ": No space left on device") ==
          (minor == 7 ? 1 : 0));
    CHECK(said.empty() == (minor == 3));
    unlink(path.c_str());
  }
}

TEST_CASE("a link to a trace's place stays, and its name is shown without what a terminal would obey") {
  const std::string target = temporary_file("_target.json"), link = temporary_file("_link.json");
  REQUIRE(symlink(target.c_str(), link.c_str()) == 0);
  CHECK(stderr_of_victim("trace_many_records", link).empty());
  CHECK(load(target).size() == 3000);
  struct stat status;
  CHECK((lstat(link.c_str(), &status) == 0 && S_ISLNK(status.st_mode)));
  unlink(link.c_str());
  unlink(target.c_str());
  CHECK(stderr_of_victim("trace_many_records", "/nowhere\x1b[31m\xff/t.json") ==
        "cugrb: cannot write the trace to /nowhere\\e[31m\\xff/t.json: No such file or directory\n");
}

TEST_CASE("after a crash the file is valid JSON with all but the last events") {
  const std::string path = temporary_file("_crash.json");
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    setenv("CUGRB_TRACE", path.c_str(), 1);
    execl("/proc/self/exe", "test_support", "trace_crash_victim", static_cast<char*>(nullptr));
    _exit(99);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  const json events = load(path);
  CHECK(events.size() > 4000);
  CHECK(events.size() <= 5000);
  unlink(path.c_str());
}

TEST_CASE("a forked child leaves its parent's trace file alone") {
  const std::string path = temporary_file("_fork.json");
  REQUIRE(trace::start(path, false));
  record("GrB_mxv", trace::Place::gpu);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (int k = 0; k < 5000; ++k) record("GrB_in_the_child", trace::Place::cpu);
    trace::flush();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  record("GrB_mxm", trace::Place::cpu);
  trace::flush();
  const json events = load(path);
  REQUIRE(events.size() == 2);
  CHECK(events[1]["name"] == "GrB_mxm");
  trace::start("", false);
  unlink(path.c_str());
}

TEST_CASE("a forked child that asks for another trace leaves its parent's file alone") {
  const std::string path = temporary_file("_ask.json");
  REQUIRE(trace::start(path, false));
  record("GrB_in_the_parent", trace::Place::gpu);  // not written yet
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) _exit(trace::start("", false) ? 1 : 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(load(path).empty());
  trace::start("", false);
  CHECK(load(path).size() == 1);
  unlink(path.c_str());
}

TEST_CASE("trace_other_process", "[.]") {
  record("GrB_elsewhere", trace::Place::gpu);
  record("GrB_elsewhere", trace::Place::gpu);
}

namespace {

/// Another program with this trace (and this variable) has its two events in the file that `name_for` gives
/// for its process, and in no other.
void check_other_process(const std::string& path, const std::string& variable, const std::string& value,
                         const std::function<std::string(pid_t)>& name_for) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    setenv("CUGRB_TRACE", path.c_str(), 1);
    if (!variable.empty()) setenv(variable.c_str(), value.c_str(), 1);
    execl("/proc/self/exe", "test_support", "trace_other_process", static_cast<char*>(nullptr));
    _exit(99);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  const std::string name = name_for(child);
  INFO(name);
  const json events = load(name);
  REQUIRE(events.size() == 2);
  CHECK(events[1]["pid"] == child);
  unlink(name.c_str());
}

}  // namespace

TEST_CASE("processes that trace to one name write to files of their own") {
  const std::string stem = temporary_file("_shared"), path = stem + ".json";
  const auto by_process = [&](pid_t process) { return stem + "." + std::to_string(process) + ".json"; };
  REQUIRE(trace::start(path, false));
  record("GrB_mxv", trace::Place::gpu);
  trace::flush();
  check_other_process(path, "", "", by_process);
  record("GrB_mxm", trace::Place::gpu);
  trace::start("", false);
  CHECK(load(path).size() == 2);
  CHECK(load(path)[1]["name"] == "GrB_mxm");
  check_other_process(path, "", "", [&](pid_t) { return path; });  // its owner has closed it
}

TEST_CASE("processes of a parallel program have their rank in their trace's name") {
  const std::string stem = temporary_file("_ranks"), path = stem + ".json";
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    check_other_process(path, variable, "12", [&](pid_t) { return stem + ".rank12.json"; });
    check_other_process(path, variable, "no/number", [&](pid_t) { return path; });
  }
  const std::string third = stem + ".rank3.json";
  REQUIRE(trace::start(third, false));
  check_other_process(path, "PMI_RANK", "3",
                      [&](pid_t process) { return stem + ".rank3." + std::to_string(process) + ".json"; });
  trace::start("", false);
  unlink(third.c_str());
}

TEST_CASE("the summary has calls, time and bytes by function and place, and reasons with what they cost") {
  trace::start("", true);
  record("GrB_mxv", trace::Place::gpu);
  record("GrB_mxv", trace::Place::gpu, "frontier is dense");
  record("GrB_vxm", trace::Place::emulated, "neither a GPU nor the CPU");
  record("GrB_mxv", trace::Place::cpu, "complex type");
  record("GrB_mxm", trace::Place::cpu, "not on the device yet");
  const std::string text = trace::summary_text();
  CHECK(text.find("1 x GrB_mxv on cpu, ") != std::string::npos);
  CHECK(text.find(", up 1.00 kB, down 50 B: complex type") != std::string::npos);
  CHECK(text.find(", up 1.00 kB, down 50 B: not on the device yet") != std::string::npos);
  CHECK(text.find("frontier is dense") == std::string::npos);  // the reason of a choice, not of a fall-back
  std::istringstream lines(text);
  std::string line;
  int rows = 0, emulated_rows = 0;
  while (std::getline(lines, line)) {
    CHECK(line.rfind("cugrb: ", 0) == 0);
    emulated_rows +=
        line.find("GrB_vxm ") != std::string::npos && line.find(" emulated ") != std::string::npos;
    if (line.find("GrB_mxv ") != std::string::npos && line.find(" gpu ") != std::string::npos) {
      ++rows;
      CHECK(line.find(" 2 ") != std::string::npos);
      CHECK(line.find("2.00 kB") != std::string::npos);
      CHECK(line.find("100 B") != std::string::npos);
    }
  }
  CHECK(rows == 1);
  CHECK(emulated_rows == 1);
  trace::start("", false);
  CHECK(trace::summary_text().empty());  // printed once, then forgotten
}

namespace {

void record_for(const char* function, const std::string& reason, std::chrono::milliseconds time) {
  const trace::Scope scope(function);
  trace::current().reason = reason;
  std::this_thread::sleep_for(time);
}

/// The line of the text that has both parts.
std::string line_with(const std::string& text, const std::string& part, const std::string& other) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find(part) != std::string::npos && line.find(other) != std::string::npos) return line;
  return "";
}

}  // namespace

TEST_CASE("the summary's reasons come with the most time first, however many calls they count") {
  trace::start("", true);
  for (int k = 0; k < 3; ++k) record_for("GrB_mxv", "cheap", std::chrono::milliseconds(0));
  record_for("GrB_mxm", "dear", std::chrono::milliseconds(20));
  const std::string text = trace::summary_text();
  REQUIRE(text.find(": cheap") != std::string::npos);
  CHECK(text.find(": dear") < text.find(": cheap"));
  CHECK(text.find("3 x GrB_mxv on cpu, ") != std::string::npos);
  trace::start("", false);
}

TEST_CASE("an upload is charged to the call that needed it and to the one that made it necessary") {
  trace::start("", true);
  record("GrB_Vector_setElement_INT64", trace::Place::cpu, "the object is on the host");
  {
    const trace::Scope scope("GrB_mxv");
    trace::current().place = trace::Place::gpu;
    trace::copied_up(7000);
    trace::charge_upload("GrB_Vector_setElement_INT64", 4000);
    trace::charge_upload("GrB_Vector_setElement_INT64", 2000);
  }
  CHECK(trace::last_text().find("up 7.00 kB | up because of GrB_Vector_setElement_INT64 (6.00 kB)") !=
        std::string::npos);
  const std::string text = trace::summary_text();
  CHECK(line_with(text, "GrB_Vector_setElement_INT64 ", " cpu ").ends_with(" 6.00 kB"));
  CHECK(line_with(text, "GrB_mxv ", " gpu ").find(" 7.00 kB ") != std::string::npos);
  trace::start("", false);
}

TEST_CASE("a trace that cannot be written is reported and turns nothing on") {
  CHECK_FALSE(trace::start("/nowhere/trace.json", false));
  CHECK_FALSE(trace::enabled());
}

TEST_CASE("a trace for whose first byte there is no room leaves no file; one that was there stays") {
  const std::string fresh = temporary_file("_no_room.json"), old = temporary_file("_was_there.json");
  std::ofstream(old) << "[]";
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit none{0, RLIM_INFINITY};
    trace::ChromeFile file;
    _exit(setrlimit(RLIMIT_FSIZE, &none) != 0 || file.open(fresh) || file.open(old) ? 1 : 0);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(access(fresh.c_str(), F_OK) != 0);
  CHECK(access(old.c_str(), F_OK) == 0);
  unlink(old.c_str());
}

TEST_CASE("a parallel loop visits every element once, however it is cut") {
  for (const uint64_t n : {0, 1, 2, 3, 100, 1001}) {
    for (const uint64_t grain : {0, 1, 7, 5000}) {
      std::vector<int> visits(n, 0);
      parallel_ranges(n, grain, [&](uint64_t begin, uint64_t end) {
        for (uint64_t k = begin; k < end; ++k) ++visits[k];
      });
      for (const int count : visits) REQUIRE(count == 1);
    }
  }
}
