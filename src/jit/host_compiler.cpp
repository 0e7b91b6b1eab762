// The emulated device's compiler: the host's C++ compiler makes a shared object with one entry.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>

#include "src/jit/apart.h"
#include "src/jit/compiler.h"
#include "src/jit/disk_cache.h"
#include "src/jit/process.h"
#include "src/support/environment.h"

namespace cugrb::jit {
namespace {

namespace fs = std::filesystem;

const char* const entry_symbol = "cugrb_kernel_entry";

/// What nearly all kernels include. GCC keeps it parsed (a precompiled header in the disk cache): a kernel of
/// the matrix products then takes 53 ms of processor time instead of 82 (with every kernel header in it, 52).
const std::vector<std::string> common_headers = {"cuda/emulated/entry.h",    "cuda/kernels/convert.h",
                                                 "cuda/kernels/mask.h",      "cuda/kernels/segments.h",
                                                 "semirings/device/unary.h", "semirings/device/semirings.h"};
/// A kernel's first include: these headers. Beside it, where there is one, lies the precompiled header, which
/// GCC takes instead; it reads this text when that is gone or another compiler's.
const char* const common_file = "common.h";

const std::vector<std::string>& options() {
  // clang-format off
  static const std::vector<std::string> list = {
    "-std=c++17",
    // Of the levels this one compiles fastest: a merge of matrices takes three quarters of the time at -O1.
    // Tests compile for longer than they run.
    "-Og",
    "-fPIC",
    "-shared",
    "-w",
    "-pipe",
    "-DCUGRB_EMULATED",
    // Kernel objects must not resolve each other's inline functions and static arrays.
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
    // Atomics on 1- and 2-byte values go through the 32-bit word that holds them.
    "-fno-strict-aliasing",
    // A kernel has no static objects and allocates nothing: what it calls is in libm, libgcc and the C
    // library, which every process has (to link against it as well takes a third of the link's time).
    // Without start files, libstdc++, a sanitizer's library (the program has it already) and the linker's
    // plugin for link-time optimisation the link takes a third of the time.
    "-nostdlib",
    "-fno-use-linker-plugin",
#if defined(CUGRB_SANITIZE)
    "-fsanitize=" CUGRB_SANITIZE,
    // AddressSanitizer sees at the access what these checks see before it; they are a fifth of the compiler's
    // time.
    "-fno-sanitize=null,object-size,pointer-overflow",
    // AddressSanitizer's checks are calls, as ThreadSanitizer's are: a fifth of the compiler's time.
    "--param=asan-instrumentation-with-call-threshold=0",
    "-fno-omit-frame-pointer",
    // Lines for the reports; descriptions of variables would be a quarter of the compiler's time.
    "-g1",
#endif
  };
  // clang-format on
  return list;
}

/// The full path of a program in PATH (or the path itself when it has a slash); empty when it cannot be run.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = environment_variable("PATH");
  std::string rest = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    const std::string candidate = rest.substr(0, colon) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return "";
}

std::string find_compiler() {
  for (const char* name : {CUGRB_HOST_COMPILER, "g++", "c++"}) {
    const std::string found = find_program(name);
    if (!found.empty()) return found;
  }
  throw CompilationFailure("the emulated device needs a C++ compiler: none of " CUGRB_HOST_COMPILER
                           ", g++, c++ can be run");
}

/// What GCC says when an allocation fails, and what Clang does.
bool is_out_of_memory(const std::string& log) {
  for (const char* words : {"virtual memory exhausted", "out of memory"})
    if (log.find(words) != std::string::npos) return true;
  return false;
}

class HostCompiler : public Compiler {
 public:
  bool can_be_stopped() const override { return true; }  // it is a program

  HostCompiler() : program_(find_compiler()) {
    // The compiler's file stands for its version: asking it would cost a process start in every warm run.
    std::error_code error;
    const fs::path real = fs::canonical(program_, error);
    struct stat info = {};
    stat(program_.c_str(), &info);
    fingerprint_ = real.string() + " " + std::to_string(info.st_size) + " " +
                   std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec);
    for (const std::string& option : options()) fingerprint_ += " " + option;
  }

  std::string fingerprint() const override { return fingerprint_; }

  Image compile(const Request& request, const SourceSet& sources) const override {
    const std::string precompiled = precompiled_headers();
    const TemporaryDirectory directory;
    write_sources(directory, sources);
    if (!precompiled.empty()) {
      std::error_code ignored;
      fs::create_symlink(precompiled, directory.path() / (std::string(common_file) + ".gch"), ignored);
    }
    const fs::path source = directory.path() / "kernel.cpp", object = directory.path() / "kernel.so";
    write_file(source, source_text(request));
    const auto [end, log] = run(directory, {source.string(), "-o", object.string(), "-lm", "-lgcc"});
    if (end.status == -1) throw CompilationFailure("cannot run " + program_);
    if (end.out_of_time)
      throw CompilationFailure("the host compiler was stopped at its limit of processor time: " +
                               request.name);
    if (end.status != 0 && is_out_of_memory(log))
      throw CompilationFailure("the host compiler was stopped at its limit of memory: " + request.name);
    if (end.status != 0) {
      throw CompilationFailure("the host compiler refused " + request.name + ":\n" + shortened_log(log));
    }
    return {read_file(object), entry_symbol, log};
  }

 private:
  struct Outcome {
    ProgramEnd end;
    std::string log;
  };
  Outcome run(const TemporaryDirectory& directory, const std::vector<std::string>& arguments) const {
    std::vector<std::string> command = {program_};
    command.insert(command.end(), options().begin(), options().end());
    command.push_back("-I" + directory.path().string());
    command.insert(command.end(), arguments.begin(), arguments.end());
    const fs::path log = directory.path() / "log";
    const ProgramEnd end = run_program(command, log.string(), compilation_limits, directory.path());
    return {end, end.status == -1 ? "" : read_file(log)};
  }

  static void write_sources(const TemporaryDirectory& directory, const SourceSet& sources) {
    for (size_t i = 0; i < sources.paths.size(); ++i)
      write_file(directory.path() / sources.paths[i], *sources.texts[i]);
    std::string common;
    for (const std::string& header : common_headers) common += "#include \"" + header + "\"\n";
    write_file(directory.path() / common_file, common);
  }

  /// The file of the precompiled header, which the first kernel of a disk cache makes; empty when it cannot
  /// be kept or does not compile (the kernel's own compilation then says why).
  std::string precompiled_headers() const {
    std::call_once(precompiled_once_, [this] { precompiled_ = precompile_headers(); });
    return precompiled_;
  }
  std::string precompile_headers() const {
    static const char* const kind = "headers";
    DiskCache& cache = DiskCache::instance();
    if (!cache.enabled()) return "";
    const SourceSet& sources = Sources::instance().reachable(common_headers);
    const std::string key =
        Digest().add(sources.digest.low()).add(sources.digest.high()).add(fingerprint_).text();
    const std::string path = fs::absolute(cache.path(kind, key));
    if (cache.load(kind, key)) return path;
    const TemporaryDirectory directory;
    write_sources(directory, sources);
    const fs::path header = directory.path() / common_file, result = directory.path() / "result";
    if (run(directory, {"-x", "c++-header", header.string(), "-o", result.string()}).end.status != 0)
      return "";
    return cache.store(kind, key, {read_file(result), "", ""}) ? path : "";
  }

  /// The entry is defined inside namespace cugrb: there the bare names of the template-id hide C's global
  /// ones
  /// (::div, ::remainder, ::y0 ...).
  static std::string source_text(const Request& request) {
    return std::string("#include \"") + common_file + "\"\n#line 1 \"definition\"\n" + request.preamble +
           "\n#line 1 \"kernel.cpp\"\n#include \"cuda/kernels/" + request.header + "\"\nnamespace cugrb {\n" +
           agreement(request) + "CUGRB_EMULATED_ENTRY(" + entry_symbol + ", (" + request.name + "))\n}\n";
  }

  std::string program_, fingerprint_;
  mutable std::once_flag precompiled_once_;
  mutable std::string precompiled_;
};

}  // namespace

const std::vector<std::string>& host_roots() { return common_headers; }

std::unique_ptr<Compiler> make_host_compiler() { return std::make_unique<HostCompiler>(); }

}  // namespace cugrb::jit
