// Every function that can run on the device, called by a plain GraphBLAS program, gives what SuiteSparse
// gives; and it does run on the device. The program is cases.cpp, linked with libcugrb before libgraphblas,
// run with different settings.
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "src/selector/loop.h"
#include "tests/catch.h"
#include "tests/places.h"

namespace {

struct Run {
  int status = -1;
  std::string output;  ///< what the program printed
  std::string trace;   ///< what cuGrB traced
};

std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Runs the program with these settings ("CUGRB_OFFLOAD=always") besides the test's own environment.
Run run(const std::string& settings, const std::string& arguments = "") {
  static int number = 0;
  const std::string base =
      (std::filesystem::temp_directory_path() / ("cugrb_offload_" + std::to_string(getpid()) + "_"))
          .string() +
      std::to_string(++number);
  const std::string command = "env CUGRB_TRACE=1 " + settings + " " + cugrb::place(CUGRB_OFFLOAD_CASES) +
                              " " + arguments + " > " + base + ".out 2> " + base + ".trace";
  Run result;
  result.status = std::system(command.c_str());
  result.output = contents(base + ".out");
  result.trace = contents(base + ".trace");
  return result;
}

const Run& on_cpu() {
  static const Run result = run("CUGRB_OFFLOAD=never");
  return result;
}

/// Each call has launches of its own: joined ones would be some 600 kernels more, and random programs of many
/// calls are what shows those right (tests/differential/programs).
const std::string always_alone = "CUGRB_OFFLOAD=always CUGRB_JOIN=never";

const Run& on_device() {
  static const Run result = run(always_alone);
  return result;
}

/// The first line in which two outputs differ, for the message.
std::string first_difference(const std::string& a, const std::string& b) {
  std::istringstream left(a), right(b);
  std::string x, y;
  while (true) {
    const bool more_left = bool(std::getline(left, x)), more_right = bool(std::getline(right, y));
    if (!more_left && !more_right) return "";
    if (!more_left) x = "(end)";
    if (!more_right) y = "(end)";
    if (x != y) return "expected: " + x + "\ngot:      " + y;
  }
}

void check_same(const Run& got) {
  REQUIRE(on_cpu().status == 0);
  REQUIRE(on_cpu().output.size() > 50000);
  CHECK(got.status == 0);
  CHECK(first_difference(on_cpu().output, got.output) == "");
}

/// Where a line of a trace says that the device had the call: "cugrb: GrB_mxv on gpu | ...", or "on
/// emulated".
size_t place_on_device(const std::string& line) {
  return std::min(line.find(" on gpu |"), line.find(" on emulated |"));
}

/// Names of the functions that ran on the device.
std::set<std::string> functions_on_device(const std::string& trace) {
  std::set<std::string> names;
  std::istringstream lines(trace);
  for (std::string line; std::getline(lines, line);) {
    const size_t at = place_on_device(line);
    if (line.rfind("cugrb: ", 0) == 0 && at != std::string::npos) names.insert(line.substr(7, at - 7));
  }
  return names;
}

}  // namespace

TEST_CASE("without the device the program prints what plain SuiteSparse gives") {
  const Run plain = run("CUGRB_DEVICE=none CUGRB_OFFLOAD=always");
  check_same(plain);
  CHECK(functions_on_device(plain.trace).empty());
}

std::pair<int, int> version_of(const std::string& text) {
  std::pair<int, int> version;
  std::sscanf(text.c_str(), "%d.%d", &version.first, &version.second);
  return version;
}

/// Whether the installed version has the function; the others are tested on published versions
/// (tests/versions).
bool is_installed(const nlohmann::json& function) {
  return version_of(function["since"].get<std::string>()) <= version_of(CUGRB_GRAPHBLAS_VERSION);
}

TEST_CASE("on the device every offloaded function gives what SuiteSparse gives, and runs there") {
  const Run& device = on_device();
  check_same(device);
  const std::set<std::string> ran = functions_on_device(device.trace);
  const auto roles = nlohmann::json::parse(contents(cugrb::place(CUGRB_ROLES)));
  size_t offered = 0;
  for (const auto& function : roles["functions"]) {
    if (!function["offloaded"].get<bool>() || !is_installed(function)) continue;
    INFO(function["name"].get<std::string>());
    CHECK(ran.count(function["name"].get<std::string>()) == 1);
    ++offered;
  }
  CHECK(offered > 100);
  CHECK(device.trace.find("is a bare function pointer (no definition string)") != std::string::npos);
  // The definition that does not compile: the compiler's message is the reason.
  CHECK(device.trace.find("two") != std::string::npos);
}

TEST_CASE(
    "programs that change matrices by elements and batches print what SuiteSparse gives, by every way") {
  const std::string programs = "updates 0 14";
  const Run wanted = run("CUGRB_OFFLOAD=never", programs);
  REQUIRE(wanted.output.size() > 50000);
  const struct {
    const char *settings, *said;
  } variants[] = {
      {"", "merged into CSR"},
      {"CUGRB_FORCE=update_insert", "inserted into dynamic CSR"},
      {"CUGRB_FORCE=update_rebuild", "sorted in with all entries"},
      {"CUGRB_FORCE=update_insert CUGRB_STRESS=evict-outputs", "inserted into dynamic CSR"},
      {"CUGRB_FORCE=update_insert CUGRB_MEMORY_LIMIT=8K", "no memory for dynamic CSR"},
      {"CUGRB_DETERMINISTIC=1", "merged into CSR"},
  };
  for (const auto& variant : variants) {
    INFO(variant.settings);
    const Run got = run(std::string("CUGRB_OFFLOAD=always ") + variant.settings, programs);
    CHECK(got.status == 0);
    CHECK(first_difference(wanted.output, got.output) == "");
    CHECK(got.trace.find(variant.said) != std::string::npos);
    const bool inserts = std::string(variant.said).find("inserted") == 0;
    if (inserts) CHECK(got.trace.find("read as fragments: ") != std::string::npos);
  }
}

TEST_CASE(
    "where no kernel can be launched, or compiled, from some moment on, content comes home all the same") {
  const std::string programs = "updates 0 6";
  const Run wanted = run("CUGRB_OFFLOAD=never", programs);
  for (const char* failure : {"launch:20+", "launch:60+", "launch:130+", "launch:300+", "launch:500+",
                              "compilation:10+", "compilation:30+"}) {
    for (const char* join : {"auto", "never"}) {
      INFO(failure << " CUGRB_JOIN=" << join);
      const Run got =
          run(std::string("CUGRB_OFFLOAD=always CUGRB_INJECT=") + failure + " CUGRB_JOIN=" + join, programs);
      CHECK(got.status == 0);
      CHECK(first_difference(wanted.output, got.output) == "");
      CHECK(got.trace.find("injected") != std::string::npos);
    }
  }
  for (const char* failure : {"launch:700+", "compilation:10+"})
    check_same(run(always_alone + " CUGRB_INJECT=" + failure));
}

TEST_CASE("in so little memory that products go to the host in slices, the same") {
  const Run small = run(always_alone + " CUGRB_MEMORY_LIMIT=24K");
  check_same(small);
  CHECK(small.trace.find("the product does not fit the device: it went to the host in") != std::string::npos);
  CHECK(small.trace.find("the right factor came in 1 block") != std::string::npos);
  const std::string label = "device memory in use at once: up to ";
  const size_t at = small.trace.find(label);
  REQUIRE(at != std::string::npos);
  const double peak_kilobytes = std::stod(small.trace.substr(at + label.size()));
  CHECK(peak_kilobytes > 12);
  CHECK(peak_kilobytes <= 24.58);  // 24 K
}

TEST_CASE("blocking mode gives the same") {
  const Run blocking = run("CUGRB_OFFLOAD=always", "blocking");
  check_same(blocking);
  CHECK(functions_on_device(blocking.trace).count("GrB_mxm") == 1);
}

/// What is printed of objects, without the room that SuiteSparse keeps beside the entries: pending tuples
/// leave some, the device leaves none.
std::string without_memory(const std::string& printed) {
  return std::regex_replace(printed, std::regex(", memory: [0-9]+ bytes"), "");
}

TEST_CASE("a sparsity control that waits can not be told from one that was set at once") {
  const std::string wanted = without_memory(run("CUGRB_OFFLOAD=never", "sparsity").output);
  REQUIRE(wanted.find("bitmap by row") != std::string::npos);
  for (const char* settings : {"CUGRB_OFFLOAD=always", "CUGRB_OFFLOAD=always CUGRB_INJECT=allocation:9",
                               "CUGRB_OFFLOAD=always CUGRB_DEVICE=none"}) {
    INFO(settings);
    const Run got = run(settings, "sparsity");
    CHECK(got.status == 0);
    CHECK(first_difference(wanted, without_memory(got.output)) == "");
    const bool has_device = std::string(settings).find("none") == std::string::npos;
    const bool waited = got.trace.find("remembered until SuiteSparse needs it") != std::string::npos;
    CHECK(waited == has_device);
  }
}

TEST_CASE("a vector whose sparsity control waits goes to the device by its elements, not as a bitmap") {
  const Run got = run("CUGRB_OFFLOAD=always", "sparsity");
  std::istringstream lines(got.trace);
  int uploads = 0;
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find(" | up ");
    if (line.find("GrB_Vector_apply on ") == std::string::npos || at == std::string::npos) continue;
    // The output is a bitmap of 16384 FP64, 147 kB; with the input it would be twice as much.
    const double kilobytes = std::stod(line.substr(at + 6));
    INFO(line);
    CHECK(line.find(" kB", at) != std::string::npos);
    CHECK(kilobytes < 150);
    ++uploads;
  }
  CHECK(uploads > 10);
}

TEST_CASE("iso objects of 2^20 to 2^60 positions cost one value, wherever they are") {
  const std::string wanted = run("CUGRB_OFFLOAD=never", "'huge iso'").output;
  REQUIRE(wanted.find("huge matrix, entries: 0 1.1529215e+18") != std::string::npos);
  for (const char* settings : {"CUGRB_OFFLOAD=always", "CUGRB_OFFLOAD=always CUGRB_STRESS=evict-outputs",
                               "CUGRB_OFFLOAD=always CUGRB_STRESS=evict-all", "CUGRB_OFFLOAD=auto",
                               "CUGRB_OFFLOAD=always CUGRB_VERIFY=1"}) {
    INFO(settings);
    const Run got = run(std::string("timeout 100 env ") + settings, "'huge iso'");
    CHECK(got.status == 0);
    CHECK(first_difference(wanted, got.output) == "");
  }
  const Run device = run("CUGRB_OFFLOAD=always", "'huge iso'");
  CHECK(functions_on_device(device.trace).count("GrB_Vector_reduce_INT64") == 1);
  CHECK(device.trace.find("out of") == std::string::npos);  // nothing was tried that had no room
  // No position of 2^40 and more is taken for work.
  std::istringstream lines(device.trace);
  size_t predicted = 0;
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find(" | cpu predicted ");
    if (at == std::string::npos || line.find(" | 1099511627776 | ") == std::string::npos) continue;
    INFO(line);
    CHECK(line.substr(line.find(' ', at + 17), 3) == " us");
    ++predicted;
  }
  CHECK(predicted > 20);
}

namespace {

/// What the trace predicts of the CPU in the lines with such sizes, microseconds.
std::vector<double> cpu_predicted(const std::string& trace, const std::string& sizes) {
  std::istringstream lines(trace);
  std::vector<double> predicted;
  for (std::string line; std::getline(lines, line);) {
    const std::string label = " | cpu predicted ";
    const size_t at = line.find(label);
    if (at == std::string::npos || line.find(sizes) == std::string::npos) continue;
    INFO(line);
    const std::string unit = line.substr(line.find(' ', at + label.size()), 3);
    CHECK((unit == " us" || unit == " ms"));
    predicted.push_back(std::stod(line.substr(at + label.size())) * (unit == " ms" ? 1000 : 1));
  }
  return predicted;
}

const Run& first_entries_on_device() {
  static const Run result = run("CUGRB_OFFLOAD=always", "'first entries'");
  return result;
}

}  // namespace

TEST_CASE("the CPU is predicted to end rows early in a pull with ANY, not in a push") {
  const Run& device = first_entries_on_device();
  CHECK(device.output == run("CUGRB_OFFLOAD=never", "'first entries'").output);
  const std::vector<double> predicted = cpu_predicted(device.trace, "262144 entries");
  REQUIRE(predicted.size() == 7);
  const double pull = predicted[0], pull_of_few = predicted[1], push = predicted[2], sums = predicted[3];
  CHECK(pull < sums / 10);
  CHECK(pull_of_few > 5 * pull);
  CHECK(pull_of_few < 1.01 * sums);
  CHECK(push > 0.8 * sums);
  CHECK(predicted[6] < sums / 4);  // few rows are allowed
  const double rows = predicted[4], columns = predicted[5];
  // Nothing is looked up by a column. What comes down from a GPU is part of all three.
  CHECK(rows < sums);
  CHECK(columns > rows);
  if (device.trace.find(" on gpu ") == std::string::npos) {
    CHECK(rows < 0.7 * sums);
    CHECK(columns > 1.4 * rows);
  }
}

TEST_CASE("a push of few entries is charged the rows that they name") {
  const Run& device = first_entries_on_device();
  const std::vector<double> predicted = cpu_predicted(device.trace, "8191 entries");
  REQUIRE(predicted.size() == 3);
  const double with_the_long_row = predicted[1], without_it = predicted[2];
  CHECK(with_the_long_row > 4 * without_it);
}

TEST_CASE("a product is charged the lengths of the rows that entries name") {
  const Run result = run("OMP_NUM_THREADS=1", "hub");
  CHECK(result.output ==
        "products: 0 180231\nproducts: 0 65536\nproducts of a frontier: 0 16388\nproducts of a frontier: 0 "
        "8\n");
  const std::vector<double> predicted = cpu_predicted(result.trace, "65536x65536 by 65536x65536");
  REQUIRE(predicted.size() == 2);
  CHECK(predicted[0] > 2 * predicted[1]);  // by mean lengths they would be alike
  const std::vector<double> of_frontiers = cpu_predicted(result.trace, "4x65536 by 65536x65536");
  REQUIRE(of_frontiers.size() == 2);
  CHECK(of_frontiers[0] > 4 * of_frontiers[1]);  // these, too
}

TEST_CASE("the CPU is predicted to make a bitmap of a list where the program wants a bitmap") {
  const std::vector<double> predicted =
      cpu_predicted(first_entries_on_device().trace, "4x65536, 64 entries | scalar BOOL");
  REQUIRE(predicted.size() == 2);
  // 4 x 65536 positions of 9 bytes, where memory that is new is filled at 4 GB/s.
  CHECK(predicted[1] - predicted[0] > 500);
}

TEST_CASE("the CPU is predicted to go through few entries alone where they are added to a matrix with all") {
  const std::string& trace = first_entries_on_device().trace;
  for (const char* operation : {"| matrix |", "| TIMES_FP64 |"}) {
    std::istringstream lines(trace);
    std::string of_operation;
    for (std::string line; std::getline(lines, line);) {
      if (line.find(operation) != std::string::npos) of_operation += line + "\n";
    }
    INFO(of_operation);
    const std::vector<double> predicted = cpu_predicted(of_operation, "4x32000, ");
    REQUIRE(predicted.size() == 2);
    // 4 x 32000 positions of 9 bytes at 6 GB/s for each of two threads, which all entries take.
    CHECK(predicted[1] - predicted[0] > 80);
  }
}

TEST_CASE("the CPU is predicted to wait for an iso vector that only the device has") {
  const Run& device = first_entries_on_device();
  std::istringstream lines(device.trace);
  size_t reductions = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string label = " | cpu predicted ";
    const size_t at = line.find(label);
    if (at == std::string::npos || line.find("GrB_Vector_reduce_INT32") == std::string::npos) continue;
    INFO(line);
    ++reductions;
    CHECK(std::stod(line.substr(at + label.size())) >= 11);  // microseconds: a small copy, and the call
  }
  CHECK(reductions == 1);
}

TEST_CASE("arrays that are unpacked and packed again stay on the device where nothing of them has changed") {
  const Run device = run("CUGRB_OFFLOAD=always", "unpacked");
  CHECK(device.output == run("CUGRB_OFFLOAD=never", "unpacked").output);
  // 240,000 entries: 8 bytes of each for its column and its value, and 601 offsets.
  const std::string kept = "kept: 3844808 bytes hashed in ";
  size_t count = 0;
  for (size_t at = device.trace.find(kept); at != std::string::npos; at = device.trace.find(kept, at + 1))
    ++count;
  CHECK(count == 1);
  CHECK(device.trace.find("up because of GxB_Matrix_unpack_CSR") != std::string::npos);
}

TEST_CASE("a call on the CPU says why") {
  const auto lines_of = [](const std::string& trace, const std::string& end) {
    size_t count = 0;
    std::istringstream lines(trace);
    for (std::string line; std::getline(lines, line);)
      count += line.find(" on cpu | ") != std::string::npos && line.ends_with(end);
    return count;
  };
  CHECK(lines_of(on_cpu().trace, " | CUGRB_OFFLOAD=never") > 100);
  CHECK(lines_of(on_cpu().trace, " | no device version") > 10);
  const Run& device = on_device();
  CHECK(lines_of(device.trace, " | no device version") == lines_of(on_cpu().trace, " | no device version"));
  CHECK(device.trace.find(" | CUGRB_OFFLOAD=always") != std::string::npos);
}

TEST_CASE("every call on the CPU has a reason, sizes and the operator") {
  const Run& device = on_device();
  std::istringstream lines(device.trace);
  size_t calls = 0, operators = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" on cpu | ") == std::string::npos || line.find("GrB_init") != std::string::npos) continue;
    INFO(line);
    ++calls;
    CHECK_FALSE(line.ends_with(" us"));
    CHECK_FALSE(line.ends_with(" ms"));
    if (line.ends_with("the arguments do not look valid")) continue;  // no object may be among them
    const std::string sizes = line.substr(line.find(" on cpu | ") + std::strlen(" on cpu | "));
    CHECK(std::isdigit(static_cast<unsigned char>(sizes[0])));
    if (line.find("_BinaryOp") == std::string::npos && line.find("_Monoid") == std::string::npos) continue;
    ++operators;
    CHECK(std::count(line.begin(), line.end(), '|') >= 4);  // sizes, operator, time, reason
  }
  CHECK(calls > 10);
  CHECK(operators > 0);
}

TEST_CASE("CUGRB_VERIFY repeats every call on SuiteSparse and finds no difference") {
  const Run verified = run(always_alone + " CUGRB_VERIFY=1");
  check_same(verified);
  CHECK(verified.trace.find("CUGRB_VERIFY: ") == std::string::npos);
  CHECK(functions_on_device(verified.trace).size() > 80);
}

TEST_CASE("CUGRB_VERIFY keeps SuiteSparse's answer where the device's is another, and says so") {
  const std::string wanted = run("CUGRB_OFFLOAD=never", "lying").output;
  const Run device = run("CUGRB_OFFLOAD=always", "lying");
  CHECK(device.output != wanted);
  CHECK(device.trace.find("CUGRB_VERIFY: ") == std::string::npos);
  const Run verified = run("CUGRB_OFFLOAD=always CUGRB_VERIFY=1", "lying");
  CHECK(verified.output == wanted);
  CHECK(verified.trace.find("CUGRB_VERIFY: the values at ") != std::string::npos);
  CHECK(verified.trace.find("CUGRB_VERIFY: the values at (") != std::string::npos);  // of a matrix
  const Run untraced = run("CUGRB_TRACE= CUGRB_OFFLOAD=always CUGRB_VERIFY=1", "lying");
  CHECK(untraced.output == wanted);
  const size_t told = untraced.trace.find("cugrb: 1 x GrB_Matrix_apply on ");  // by the summary
  REQUIRE(told != std::string::npos);
  CHECK(untraced.trace.find(": CUGRB_VERIFY: the values at (", told) != std::string::npos);
}

TEST_CASE("operators on places are exact at the ends of int64") {
  for (const char* settings : {"CUGRB_OFFLOAD=always", "CUGRB_OFFLOAD=always CUGRB_STRESS=evict-outputs"}) {
    INFO(settings);
    const Run device = run(settings, "places");
    CHECK(device.status == 0);
    CHECK(device.output.ends_with(" calls, 0 differ\n"));
    const std::set<std::string> ran = functions_on_device(device.trace);
    for (const char* kind : {"Matrix", "Vector"}) {
      for (const char* function : {"select", "apply_IndexOp"}) {
        for (const char* form : {"INT64", "UINT64", "FP32", "FP64", "Scalar"}) {
          const std::string name = std::string("GrB_") + kind + "_" + function + "_" + form;
          INFO(name);
          CHECK(ran.count(name) == 1);
          CHECK(device.trace.find(name + " on cpu") == std::string::npos);
        }
      }
    }
  }
}

TEST_CASE("where SuiteSparse errs, the device gives what the specification says") {
  const Run device = run("CUGRB_OFFLOAD=always", "decided");
  CHECK(device.status == 0);
  INFO(device.output);
  CHECK(device.output.ends_with(" calls, 0 differ\n"));
  CHECK(functions_on_device(device.trace).count("GrB_mxm") == 1);
}

namespace {

/// Of the runs of the program's loop that cuGrB has traced, how many calls ran on the device.
std::vector<size_t> device_calls_of_runs(const std::string& trace) {
  std::vector<size_t> calls;
  std::istringstream lines(trace);
  for (std::string line; std::getline(lines, line) && line.find("cugrb: summary") == std::string::npos;) {
    if (line.find("GrB_Vector_assign_INT32 on") != std::string::npos) calls.push_back(0);
    if (!calls.empty() && place_on_device(line) != std::string::npos) ++calls.back();
  }
  return calls;
}

}  // namespace

TEST_CASE("a loop that takes longer on the device is the CPU's after two runs, and stays there") {
  const Run cpu = run("CUGRB_OFFLOAD=never", "loops");
  const Run timed = run("CUGRB_OFFLOAD=auto CUGRB_LOOPS=slow-device", "loops");
  CHECK(cpu.status == 0);
  CHECK(timed.status == 0);
  CHECK(timed.output == cpu.output);
  const std::vector<size_t> on_device = device_calls_of_runs(timed.trace);
  REQUIRE(on_device.size() == 10);
  for (size_t n = 0; n < on_device.size(); ++n) {
    INFO("run " << n);
    CHECK((on_device[n] > 0) == (n < 2));
  }
  const size_t tried = timed.trace.find("its loop is tried on the CPU");
  REQUIRE(tried != std::string::npos);
  CHECK(timed.trace.find("its loop takes less time on the CPU", tried) != std::string::npos);
}

TEST_CASE("a loop that asks for a new kernel in each run gets no trial for eight laps") {
  const Run timed = run("CUGRB_OFFLOAD=auto CUGRB_LOOPS=slow-device", "'loops of new kernels'");
  CHECK(timed.status == 0);
  CHECK(timed.output == run("CUGRB_OFFLOAD=never", "'loops of new kernels'").output);
  CHECK(device_calls_of_runs(timed.trace).size() == 10);
  // Of run 0 nothing is known, runs 1 to 8 are such laps.
  const size_t tried = timed.trace.find("its loop is tried on the CPU");
  if (tried != std::string::npos)
    CHECK(device_calls_of_runs(timed.trace.substr(0, tried)).size() ==
          2 + cugrb::selector::Loop::unsettled_in_a_row);
}

TEST_CASE("a loop that takes less time on the device is tried on the CPU, and does not stay there") {
  const Run cpu = run("CUGRB_OFFLOAD=never", "loops");
  const Run timed = run("CUGRB_OFFLOAD=auto CUGRB_LOOPS=fast-device", "loops");
  CHECK(timed.output == cpu.output);
  const std::vector<size_t> on_device = device_calls_of_runs(timed.trace);
  REQUIRE(on_device.size() == 10);
  CHECK(on_device[0] > 0);
  CHECK(on_device[1] > 0);
  CHECK(timed.trace.find("its loop is tried on the CPU") != std::string::npos);
  CHECK(timed.trace.find("its loop takes less time on the CPU") == std::string::npos);
}

TEST_CASE("without loops the emulated device never gets a call that is decided") {
  const Run untimed = run("CUGRB_OFFLOAD=auto CUGRB_LOOPS=never", "loops");
  CHECK(untimed.output == run("CUGRB_OFFLOAD=never", "loops").output);
  CHECK(untimed.trace.find("on emulated") == std::string::npos);
}

TEST_CASE("moving every argument out after each call changes nothing") {
  check_same(run(always_alone + " CUGRB_STRESS=evict-all"));
}

TEST_CASE("a failing allocation, compilation or launch leaves the answer to SuiteSparse") {
  struct Injection {
    const char* failure;
    bool told;
  };
  // An allocation is tried again when what lives on the device has been evicted: then nothing is told.
  for (const Injection& injection :
       {Injection{"allocation:40", false}, {"compilation:3", true}, {"launch:25", true}}) {
    INFO(injection.failure);
    const Run failed = run(std::string("CUGRB_OFFLOAD=always CUGRB_INJECT=") + injection.failure);
    check_same(failed);
    CHECK((failed.trace.find("injected") != std::string::npos) == injection.told);
  }
}
