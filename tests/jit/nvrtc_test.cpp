// NVRTC: every architecture compiles without a GPU, and its report is readable.
#include "src/jit/apart.h"
#include "src/jit/compiler.h"
#include "src/jit/resources.h"
#include "tests/catch.h"
#include "tests/jit/fixture.h"

using namespace cugrb;

namespace {

/// False when this machine has no NVRTC; a CUDA build without it is a failure.
bool have_nvrtc() {
  try {
    jit::compiler_for("sm_90");
    return true;
  } catch (const jit::CompilationFailure& failure) {
    INFO(failure.what());
    CHECK(fixture::contains(failure.what(), "CUGRB_NVRTC"));
#if defined(CUGRB_HAVE_CUDA)
    CHECK(false);
#endif
    WARN("skipped: " << failure.what());
    return false;
  }
}

}  // namespace

TEST_CASE("a kernel compiles to machine code for every architecture, with registers and spills reported") {
  if (!have_nvrtc()) return;
  for (const char* architecture : {"sm_75", "sm_80", "sm_90", "sm_100", "sm_120"}) {
    const jit::Compiled compiled = jit::compile(fixture::probe("remainder<float>"), architecture);
    INFO(architecture << "\n" << compiled.log);
    CHECK(compiled.image.substr(0, 4) ==
          "\x7f"
          "ELF");
    CHECK(fixture::contains(compiled.symbol, "probe"));
    CHECK(fixture::contains(compiled.log, compiled.symbol));
    const auto resources = jit::resources_of(compiled.log);
    REQUIRE(resources.has_value());
    CHECK(resources->registers > 0);
    CHECK(resources->registers <= 255);
    CHECK(resources->spill_store_bytes == 0);
    CHECK(resources->spill_load_bytes == 0);
    const jit::Compiled again = jit::compile(fixture::probe("remainder<float>"), architecture);
    CHECK(again.from_disk);
    CHECK(again.image == compiled.image);
    CHECK(again.log == compiled.log);
  }
}

TEST_CASE("NVRTC refuses a kernel that takes arguments of another size than the host's") {
  jit::Request request = fixture::fresh_probe();
  request.argument_bytes = sizeof(fixture::ProbeArguments);
  CHECK_NOTHROW(jit::compile(request, "sm_90"));
  request = fixture::fresh_probe();
  request.argument_bytes = sizeof(fixture::ProbeArguments) + 8;
  CHECK_THROWS_WITH(jit::compile(request, "sm_90"),
                    Catch::Matchers::ContainsSubstring("the host passes arguments of another size"));
}

TEST_CASE("NVRTC's message comes back, and points into a user's definition") {
  if (!have_nvrtc()) return;
  const auto message_of = [](const jit::Request& request) -> std::string {
    try {
      jit::compile(request, "sm_90");
    } catch (const jit::CompilationFailure& failure) {
      return failure.what();
    }
    return "";
  };
  CHECK(fixture::contains(message_of({"broken.h", "broken<float>", ""}), "undeclared_thing"));
  const std::string message =
      message_of(fixture::probe("mine", "struct mine {\n  using type = nonsense;\n};\n"));
  INFO(message);
  CHECK(fixture::contains(message, "nonsense"));
  CHECK(fixture::contains(message, "definition(2)"));
}

TEST_CASE("a malformed or unknown architecture is a compilation failure") {
  for (const char* architecture :
       {"", "sm_", "sm_9", "sm_9x", "sm_90 --help", "compute_90", "gfx90a", "../host"}) {
    INFO(architecture);
    CHECK_THROWS_AS(jit::compile(fixture::probe("y0<float>"), architecture), jit::CompilationFailure);
  }
  if (have_nvrtc())
    CHECK_THROWS_AS(jit::compile(fixture::probe("y0<float>"), "sm_12"), jit::CompilationFailure);
}

TEST_CASE("without NVRTC the failure names what was tried", "[.without]") {
  try {
    jit::compile(fixture::probe("y0<float>"), "sm_90");
    FAIL("compiled");
  } catch (const jit::CompilationFailure& failure) {
    INFO(failure.what());
    CHECK(fixture::contains(failure.what(), "/nowhere/libnvrtc.so"));
    CHECK(fixture::contains(failure.what(), "CUGRB_NVRTC"));
  }
}

TEST_CASE("CUGRB_NVRTC names the library, and a wrong one is a readable failure") {
  const fixture::Outcome outcome = fixture::run_self("[.without]", {{"CUGRB_NVRTC", "/nowhere/libnvrtc.so"}});
  INFO(outcome.output);
  CHECK(outcome.status == 0);
}

TEST_CASE("resources_of reads ptxas's report and refuses anything else") {
  const std::string report =
      "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'f' for 'sm_90'\n"
      "ptxas info    : Function properties for f\n    16 bytes stack frame, 8 bytes spill stores, 24 bytes "
      "spill loads\n"
      "ptxas info    : Used 40 registers, used 1 barriers\n";
  const auto resources = jit::resources_of(report);
  REQUIRE(resources.has_value());
  CHECK(resources->registers == 40);
  CHECK(resources->stack_bytes == 16);
  CHECK(resources->spill_store_bytes == 8);
  CHECK(resources->spill_load_bytes == 24);
  CHECK_FALSE(jit::resources_of("").has_value());
  CHECK_FALSE(jit::resources_of("Compiling entry function 'f'").has_value());
}

TEST_CASE("asks NVRTC for a kernel whose compilation does not end", "[.endless_nvrtc]") {
  std::string said;
  try {
    jit::compile(fixture::probe("endless", fixture::exponential), "sm_90");
  } catch (const jit::CompilationFailure& failure) {
    said = failure.what();
  }
  INFO(said);
  CHECK(fixture::contains(said, "the compiler was stopped at its limit of processor time: probe<endless>"));
}

TEST_CASE("NVRTC is stopped beyond its limit of time, and this process is not") {
  if (!have_nvrtc()) return;
  const std::string log = fixture::new_directory() + "/log";
  const std::string program = std::filesystem::canonical("/proc/self/exe");
  const jit::ProgramEnd end = jit::run_program({program, "[.endless_nvrtc]"}, log, {4, 0});
  INFO(jit::read_file(log));
  CHECK(end.status == 0);
}

TEST_CASE("a kernel with a definition is the same, wherever NVRTC compiles it") {
  if (!have_nvrtc()) return;
  REQUIRE_FALSE(jit::command_beside_library().empty());
  const std::string preamble =
      "struct mine { using type = float; static CUGRB_DEVICE float apply(float x) { return 3 * x; } };\n";
  const jit::Compiled compiled = jit::compile(fixture::probe("mine", preamble), "sm_90");
  CHECK(compiled.image.substr(1, 3) == "ELF");
  CHECK(fixture::contains(compiled.symbol, "probe"));
  CHECK(fixture::contains(compiled.log, compiled.symbol));
  CHECK_FALSE(compiled.from_disk);
}

TEST_CASE("a command that does not run by itself gets the library that is lent to it") {
  namespace fs = std::filesystem;
  const std::string folder = fixture::new_directory(), image = folder + "/prepared";
  jit::write_image(image, {"bytes", "symbol", "log"});
  const auto script = [&](const std::string& name, const std::string& text) {
    jit::write_file(folder + "/" + name, "#!/bin/sh\n" + text);
    fs::permissions(folder + "/" + name, fs::perms::owner_all);
    return folder + "/" + name;
  };
  const jit::Task task{"kernel", "text", {}, {}, {}};
  CHECK_THROWS_AS(jit::compile_apart(script("broken", "exit 127\n"), task), jit::CommandFailure);
  jit::lend_to_command("libm.so.6");
  const std::string command =
      script("needy", "[ -n \"$LD_PRELOAD\" ] || exit 127\ncp " + image + " \"$4\"\n");
  CHECK(jit::compile_apart(command, task).bytes == "bytes");
  CHECK_THROWS_AS(jit::compile_apart(folder + "/broken", task), jit::CommandFailure);
}
