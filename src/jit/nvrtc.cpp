// NVRTC, opened at run time: CUDA C++ text to a CUBIN. Nothing here needs CUDA's headers, a driver or a GPU.
#include <atomic>

#include "src/jit/apart.h"
#include "src/jit/background.h"
#include "src/jit/compiler.h"
#include "src/jit/unused_variables.h"
#include "src/support/cuda_library.h"

namespace cugrb::jit {
namespace {

/// The part of NVRTC's C interface that is used, as its documentation declares it.
struct Nvrtc {
  using Program = void*;
  int (*version)(int* major, int* minor) = nullptr;
  const char* (*error_string)(int result) = nullptr;
  int (*create)(Program* program, const char* source, const char* name, int headers,
                const char* const* header_texts, const char* const* header_names) = nullptr;
  int (*destroy)(Program* program) = nullptr;
  int (*add_name)(Program program, const char* expression) = nullptr;
  int (*compile)(Program program, int count, const char* const* options) = nullptr;
  int (*lowered_name)(Program program, const char* expression, const char** name) = nullptr;
  int (*log_size)(Program program, size_t* bytes) = nullptr;
  int (*log)(Program program, char* text) = nullptr;
  int (*cubin_size)(Program program, size_t* bytes) = nullptr;
  int (*cubin)(Program program, char* bytes) = nullptr;
  std::string failure;  ///< why it is not there
};

Nvrtc open_nvrtc() {
  CudaLibrary library = open_cuda_library("CUGRB_NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12"});
  Nvrtc api;
  library.find("nvrtcVersion", api.version);
  library.find("nvrtcGetErrorString", api.error_string);
  library.find("nvrtcCreateProgram", api.create);
  library.find("nvrtcDestroyProgram", api.destroy);
  library.find("nvrtcAddNameExpression", api.add_name);
  library.find("nvrtcCompileProgram", api.compile);
  library.find("nvrtcGetLoweredName", api.lowered_name);
  library.find("nvrtcGetProgramLogSize", api.log_size);
  library.find("nvrtcGetProgramLog", api.log);
  library.find("nvrtcGetCUBINSize", api.cubin_size);
  library.find("nvrtcGetCUBIN", api.cubin);
  if (!library.failure.empty()) api.failure = "NVRTC cannot be used: " + library.failure;
  return api;
}

const Nvrtc& nvrtc() {
  static const Nvrtc api = open_nvrtc();
  if (!api.failure.empty()) throw CompilationFailure(api.failure);
  return api;
}

/// The kernel whose name NVRTC is asked for. A function inside namespace cugrb returns it, because there the
/// bare names of the template-id hide CUDA's global functions (::min, ::remainder ...). A variable would be
/// stored with the code, and ptxas compiles a kernel whose address is stored for callers that it does not
/// know: mxm_bitmap_fill took 6 % more instructions, most of them in its inner loops.
const char* const entry_expression = "cugrb::cugrb_kernel_entry()";

class Program {
 public:
  explicit Program(const Task& task) {
    std::vector<const char*> texts, names;
    for (const std::string& source : task.sources) texts.push_back(source.c_str());
    for (const std::string& path : task.paths) names.push_back(path.c_str());
    check(nvrtc().create(&program_, task.text.c_str(), "kernel.cu", static_cast<int>(texts.size()),
                         texts.data(), names.data()));
  }
  ~Program() { nvrtc().destroy(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Image compile(const std::vector<std::string>& options, const std::string& name) {
    std::vector<const char*> option_texts;
    for (const std::string& option : options) option_texts.push_back(option.c_str());
    check(nvrtc().add_name(program_, entry_expression));
    const int failed = nvrtc().compile(program_, static_cast<int>(option_texts.size()), option_texts.data());
    Image image;
    image.log = text(nvrtc().log_size, nvrtc().log);
    while (!image.log.empty() && image.log.back() == '\0') image.log.pop_back();
    if (failed != 0) {
      throw CompilationFailure("NVRTC refused " + name + ": " + nvrtc().error_string(failed) + "\n" +
                               shortened_log(image.log));
    }
    const char* lowered = nullptr;
    check(nvrtc().lowered_name(program_, entry_expression, &lowered));
    image.symbol = lowered;
    image.bytes = without_unused_variables(text(nvrtc().cubin_size, nvrtc().cubin));
    return image;
  }

 private:
  static void check(int result) {
    if (result != 0) throw CompilationFailure(std::string("NVRTC: ") + nvrtc().error_string(result));
  }
  std::string text(int (*size)(Nvrtc::Program, size_t*), int (*get)(Nvrtc::Program, char*)) const {
    size_t bytes = 0;
    check(size(program_, &bytes));
    std::string result(bytes, '\0');
    if (bytes > 0) check(get(program_, result.data()));
    return result;
  }

  Nvrtc::Program program_ = nullptr;
};

class NvrtcCompiler : public Compiler {
 public:
  explicit NvrtcCompiler(const std::string& architecture)
      : options_{"--std=c++17", "--gpu-architecture=" + architecture,
                 "-default-device",  // users' definitions carry no __device__
                 "-no-cache",        // no probing for the driver's own cache
                 "--ptxas-options=-v"} {
    int major = 0, minor = 0;
    nvrtc().version(&major, &minor);
    // NVRTC's own headers without textures, surfaces and the device runtime: 4 ms less for each kernel.
    if (major >= 13) options_.push_back("--minimal");
    // Position-independent code holds a table of the addresses of all variables, used or not.
    if (major >= 13) options_.push_back("--ptxas-options=-pic=false");
    fingerprint_ =
        "nvrtc " + std::to_string(major) + "." + std::to_string(minor) + " without unused variables";
    for (const std::string& option : options_) fingerprint_ += " " + option;
  }

  std::string fingerprint() const override { return fingerprint_; }

  bool can_be_stopped() const override { return runs_command_.load() && !command_beside_library().empty(); }

  /// With a user's definition in a process of its own: NVRTC cannot be stopped (it asks whether to go on only
  /// when its front end is done), and only a definition makes it take long. On a background thread, too,
  /// since this process may end meanwhile. Without the command that process cannot be had.
  Image compile(const Request& request, const SourceSet& sources) const override {
    Task task{request.name,
              "#include \"cuda/kernels/base.h\"\n#line 1 \"definition\"\n" + request.preamble +
                  "\n#line 1 \"kernel.cu\"\n#include \"cuda/kernels/" + request.header +
                  "\"\nnamespace cugrb {\n" + agreement(request) +
                  "constexpr auto cugrb_kernel_entry() { return &" + request.name + "; }\n}\n",
              options_,
              sources.paths,
              {}};
    for (const std::string* text : sources.texts) task.sources.push_back(*text);
    const bool in_this_process = request.preamble.empty() && !is_background_thread();
    const std::string command = in_this_process || !runs_command_.load() ? "" : command_beside_library();
    try {
      if (!command.empty()) return compile_apart(command, task);
    } catch (const CommandFailure& failure) {
      runs_command_.store(false);
      // Not on a background thread: this process may end while NVRTC is at work in it.
      if (is_background_thread()) throw NotCompiled(failure.what());
    }
    return compile_by_nvrtc(task);
  }

 private:
  mutable std::atomic<bool> runs_command_{true};
  std::vector<std::string> options_;
  std::string fingerprint_;
};

}  // namespace

Image compile_by_nvrtc(const Task& task) { return Program(task).compile(task.options, task.name); }

std::unique_ptr<Compiler> make_nvrtc_compiler(const std::string& architecture) {
  return std::make_unique<NvrtcCompiler>(architecture);
}

}  // namespace cugrb::jit
