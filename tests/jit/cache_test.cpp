// The disk cache: verified, shared between processes, optional.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "src/jit/compiler.h"
#include "src/jit/disk_cache.h"
#include "src/jit/process.h"
#include "src/support/settings.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/jit/fixture.h"

using namespace cugrb;
namespace fs = std::filesystem;

namespace {

const jit::Image sample{
    "\x7f"
    "ELF some bytes",
    "symbol", "a log\n"};

std::vector<fs::path> files_under(const std::string& directory) {
  std::vector<fs::path> result;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) result.push_back(entry.path());
  }
  return result;
}

std::optional<jit::Image> decoded(const fs::path& file) {
  return jit::decode(file.parent_path().filename(), file.stem(), jit::read_file(file));
}

}  // namespace

TEST_CASE("an entry comes back as it went") {
  const auto back = jit::decode("host", "key", jit::encode("host", "key", sample));
  REQUIRE(back.has_value());
  CHECK(back->bytes == sample.bytes);
  CHECK(back->symbol == sample.symbol);
  CHECK(back->log == sample.log);
  CHECK(jit::decode("host", "key", jit::encode("host", "key", {"", "", ""})).has_value());
}

TEST_CASE("every damaged byte and every truncation of an entry is noticed") {
  const std::string text = jit::encode("host", "key", sample);
  for (size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    INFO("byte " << i);
    CHECK_FALSE(jit::decode("host", "key", damaged).has_value());
    CHECK_FALSE(jit::decode("host", "key", text.substr(0, i)).has_value());
  }
  CHECK_FALSE(jit::decode("host", "key", text + "x").has_value());
}

TEST_CASE("an entry under another's name is refused") {
  const std::string text = jit::encode("host", "key", sample);
  CHECK_FALSE(jit::decode("host", "other", text).has_value());
  CHECK_FALSE(jit::decode("headers", "key", text).has_value());
  const jit::Request one = fixture::fresh_probe(), other = fixture::fresh_probe();
  const std::string of_one = jit::compile(one, "host").image, of_other = jit::compile(other, "host").image;
  fs::remove(of_one);
  fs::copy_file(of_other, of_one);
  CHECK_FALSE(jit::compile(one, "host").from_disk);
  CHECK(jit::compile(one, "host").from_disk);
}

TEST_CASE("digests tell fields, order and lengths apart") {
  using jit::Digest;
  std::vector<std::string> texts = {Digest().text(),
                                    Digest().add("").text(),
                                    Digest().add("a").text(),
                                    Digest().add("ab").add("c").text(),
                                    Digest().add("a").add("bc").text(),
                                    Digest().add("abc").text(),
                                    Digest().add(std::string(1, '\0')).text(),
                                    Digest().add(std::string(2, '\0')).text(),
                                    Digest().add(std::string(9, '\0')).text(),
                                    Digest().add("12345678").text(),
                                    Digest().add("87654321").text()};
  for (int bit = 0; bit < 64; ++bit) texts.push_back(Digest().add(uint64_t(1) << bit).text());
  std::sort(texts.begin(), texts.end());
  CHECK(std::unique(texts.begin(), texts.end()) == texts.end());
  CHECK(texts[0].size() == 32);
}

TEST_CASE("a corrupted entry is compiled again and replaced") {
  const jit::Request request = fixture::fresh_probe();
  const jit::Compiled first = jit::compile(request, "host");
  CHECK_FALSE(first.from_disk);
  const jit::Compiled second = jit::compile(request, "host");
  CHECK(second.from_disk);
  CHECK(second.image == first.image);
  CHECK(second.symbol == first.symbol);

  std::string content = jit::read_file(first.image);
  for (const bool truncated : {true, false}) {
    std::string damaged = content;
    if (truncated) {
      damaged.resize(content.size() / 2);
    } else {
      damaged[content.size() / 3] ^= 1;
    }
    fs::remove(first.image);  // not in place: a loaded object's file must never change under it
    jit::write_file(first.image, damaged);
    CHECK_FALSE(jit::compile(request, "host").from_disk);
    CHECK(jit::compile(request, "host").from_disk);
  }
}

TEST_CASE("sources, preamble, name and architecture all make another entry") {
  const jit::Request request = fixture::fresh_probe();
  jit::Request with_preamble = request, other_name = request;
  with_preamble.preamble = "struct unused {};";
  other_name.name = "probe<add<double, 1>>";
  const std::string image = jit::compile(request, "host").image;
  CHECK(jit::compile(with_preamble, "host").image != image);
  CHECK(jit::compile(other_name, "host").image != image);

  const jit::EmbeddedSource before[] = {
      {"cuda/kernels/a.h", "#include \"b.h\"\n"}, {"b.h", "1"}, {"c.h", "2"}};
  const jit::EmbeddedSource changed[] = {
      {"cuda/kernels/a.h", "#include \"b.h\"\n"}, {"b.h", "3"}, {"c.h", "2"}};
  const jit::EmbeddedSource elsewhere[] = {
      {"cuda/kernels/a.h", "#include \"b.h\"\n"}, {"b.h", "1"}, {"c.h", "3"}};
  const auto digest = [](const jit::EmbeddedSource* table) {
    return jit::Sources(table, 3, "").reachable({"cuda/kernels/a.h"}).digest.text();
  };
  CHECK(digest(before) != digest(changed));
  CHECK(digest(before) == digest(elsewhere));  // not reached: an edit there keeps the cache
  CHECK(jit::Sources(before, 3, "").reachable({"cuda/kernels/a.h"}).paths.size() == 2);
  CHECK(jit::Sources(before, 3, "").reachable({"cuda/kernels/a.h"}, "#include \"c.h\"").paths.size() == 3);
}

TEST_CASE("a full disk leaves no half entry, and the store says why") {
  const std::string directory = fixture::new_directory();
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};  // bytes a file may have
    setrlimit(RLIMIT_FSIZE, &limit);
    jit::DiskCache cache(directory);
    const bool stored = cache.store("host", "key", {std::string(5000, 'x'), "s", ""});
    _exit(!stored && fixture::contains(cache.unavailable_reason(), directory) ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(files_under(directory).empty());
}

TEST_CASE("without a usable cache directory kernels compile all the same", "[.uncached]") {
  trace::current().warning.clear();
  CHECK(fixture::run_floats(fixture::probe("add<float, 5>"), {1}) == std::vector<float>{6});
  CHECK(fixture::run_floats(fixture::probe("add<float, 6>"), {1}) == std::vector<float>{7});
  const std::string reason = trace::current().warning;
  INFO(reason);
  const bool off = cugrb::settings().cache == "off";
  CHECK(fixture::contains(reason, "cannot be written") == !off);
  CHECK(reason.find("cannot be written") == reason.rfind("cannot be written"));  // said once
  CHECK(jit::statistics().compiled == 2);
}

TEST_CASE("a read-only cache directory, or none, costs time only") {
  // A path below a file can be made by nobody, root included.
  const std::string file = fixture::new_directory() + "/file";
  jit::write_file(file, "");
  for (const std::string& cache : {file + "/cugrb", std::string("off")}) {
    const fixture::Outcome outcome = fixture::run_self("[.uncached]", {{"CUGRB_TEST_CACHE", cache}});
    INFO(outcome.output);
    CHECK(outcome.status == 0);
  }
}

TEST_CASE("fills a cache that other processes fill too", "[.fill]") {
  for (int i = 0; i < 4; ++i) {
    const auto request = fixture::probe("add<float, " + std::to_string(i) + ">");
    CHECK(fixture::run_floats(request, {1}) == std::vector<float>{float(i + 1)});
  }
}

TEST_CASE("several processes fill one cache at once") {
  const std::string directory = fixture::new_directory();
  setenv("CUGRB_TEST_CACHE", directory.c_str(), 1);
  const std::string program = fs::canonical("/proc/self/exe");
  std::vector<int> status(3, -1);
  std::vector<std::thread> threads;
  std::vector<std::string> logs;
  for (size_t i = 0; i < status.size(); ++i) logs.push_back(fixture::new_directory() + "/log");
  for (size_t i = 0; i < status.size(); ++i) {
    threads.emplace_back([&, i] { status[i] = jit::run_program({program, "[.fill]"}, logs[i]).status; });
  }
  for (std::thread& thread : threads) thread.join();
  unsetenv("CUGRB_TEST_CACHE");
  for (size_t i = 0; i < status.size(); ++i) {
    INFO(jit::read_file(logs[i]));
    CHECK(status[i] == 0);
  }
  const auto files = files_under(directory);
  // On the emulated device also the headers that all of them include, parsed.
  const bool emulated = runtime::device().properties().kind == runtime::Kind::emulated;
  CHECK(files.size() == 4 + (emulated ? 1 : 0));
  for (const fs::path& file : files) CHECK(decoded(file).has_value());
}

TEST_CASE("adds what a common header says", "[.headers]") {
  // Another number a run: a kernel that this cache does not hold yet.
  const std::string number = std::getenv("CUGRB_TEST_NUMBER");
  const auto request = fixture::probe("add<float, changed + " + number + ">");
  const std::vector<float> result = fixture::run_floats(request, {0});
  CHECK(jit::statistics().compiled == 1);
  CHECK(result[0] - std::stof(number) == std::stof(std::getenv("CUGRB_TEST_EXPECTED")));
}

TEST_CASE("kernels take the precompiled headers of their sources from the cache, or else parse the text") {
  if (runtime::device().properties().kind != runtime::Kind::emulated) return;
  const std::string cache = fixture::new_directory();
  const jit::SourceSet convert = jit::Sources::instance().reachable({"cuda/kernels/convert.h"});
  int number = 0;
  const auto adds = [&](int changed, int expected) {
    const fixture::Outcome outcome = fixture::run_self(
        "[.headers]",
        {{"CUGRB_TEST_CACHE", cache},
         {"CUGRB_TEST_NUMBER", std::to_string(++number * 10)},
         {"CUGRB_TEST_EXPECTED", std::to_string(expected)},
         {"CUGRB_TEST_CONVERT", *convert.texts[0] + "namespace cugrb { constexpr int changed = " +
                                    std::to_string(changed) + "; }\n"}});
    INFO(outcome.output);
    CHECK(outcome.status == 0);
  };
  const auto precompiled = [&] { return files_under(cache + "/headers"); };
  adds(5, 5);
  REQUIRE(precompiled().size() == 1);
  const fs::path of_five = precompiled()[0];
  adds(6, 6);  // those of other sources are not taken
  REQUIRE(precompiled().size() == 2);
  const fs::path of_six = precompiled()[precompiled()[0] == of_five ? 1 : 0];

  const std::string five = jit::read_file(of_five), six = jit::read_file(of_six);
  const auto replace = [&](const std::string& content) {
    fs::remove(of_six);
    jit::write_file(of_six, content);
  };
  replace(five);
  adds(6, 6);  // under a false name
  const std::optional<jit::Image> wrong = jit::decode("headers", of_five.stem(), five);
  REQUIRE(wrong.has_value());
  replace(jit::encode("headers", of_six.stem(), *wrong));
  adds(6, 5);  // it is this file that they are taken from
  replace(six.substr(0, six.size() / 2));
  adds(6, 6);  // damaged: made again
  CHECK(decoded(of_six).has_value());
  replace(jit::encode("headers", of_six.stem(), {"another compiler's", "", ""}));
  adds(6, 6);  // not GCC's: the text
}

TEST_CASE("the cache directory follows CUGRB_CACHE, then the XDG rules") {
  const Settings before = settings();
  Settings changed = before;
  const auto with_cache = [&](const char* cache) {
    changed.cache = cache;
    override_settings(changed);
    return jit::cache_directory();
  };
  const char* home = std::getenv("HOME");
  const std::string old_home = home == nullptr ? "" : home;
  setenv("HOME", "/home/somebody", 1);
  setenv("XDG_CACHE_HOME", "/var/cache/somebody", 1);
  CHECK(with_cache("off").empty());
  CHECK(with_cache("/elsewhere") == "/elsewhere");
  CHECK(with_cache("") == "/var/cache/somebody/cugrb");
  setenv("XDG_CACHE_HOME", "relative/is/invalid", 1);
  CHECK(with_cache("") == "/home/somebody/.cache/cugrb");
  unsetenv("XDG_CACHE_HOME");
  CHECK(with_cache("") == "/home/somebody/.cache/cugrb");
  unsetenv("HOME");
  CHECK(with_cache("").empty());
  setenv("HOME", old_home.c_str(), 1);
  override_settings(before);
}
