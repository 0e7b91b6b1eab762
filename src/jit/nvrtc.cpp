// NVRTC, opened at run time: CUDA C++ text to a CUBIN. Nothing here needs CUDA's headers, a driver or a GPU.
#include <dlfcn.h>

#include <cstdlib>

#include "src/jit/compiler.h"

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

std::vector<std::string> candidates() {
  const char* chosen = std::getenv("CUGRB_NVRTC");
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  std::vector<std::string> result = {"libnvrtc.so.13"};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* home = std::getenv(variable);
    if (home != nullptr && *home != '\0') result.push_back(std::string(home) + "/lib64/libnvrtc.so.13");
  }
  for (const char* folder :
       {"/usr/local/cuda/lib64", "/usr/local/cuda-13/lib64", "/usr/local/cuda-13.0/lib64", "/opt/cuda/lib64",
        "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"}) {
    result.push_back(std::string(folder) + "/libnvrtc.so.13");
  }
  result.push_back("libnvrtc.so.12");
  result.push_back("/usr/local/cuda-12/lib64/libnvrtc.so.12");
  return result;
}

template <class Function>
void look_up(void* library, const char* name, Function& function, std::string& missing) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) missing = name;
}

Nvrtc open_nvrtc() {
  Nvrtc api;
  void* library = nullptr;
  std::string tried;
  for (const std::string& path : candidates()) {
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) break;
    tried += (tried.empty() ? "" : ", ") + path;
  }
  if (library == nullptr) {
    api.failure = "NVRTC was not found (tried " + tried + "); set CUGRB_NVRTC to the path of libnvrtc.so.13";
    return api;
  }
  std::string missing;
  look_up(library, "nvrtcVersion", api.version, missing);
  look_up(library, "nvrtcGetErrorString", api.error_string, missing);
  look_up(library, "nvrtcCreateProgram", api.create, missing);
  look_up(library, "nvrtcDestroyProgram", api.destroy, missing);
  look_up(library, "nvrtcAddNameExpression", api.add_name, missing);
  look_up(library, "nvrtcCompileProgram", api.compile, missing);
  look_up(library, "nvrtcGetLoweredName", api.lowered_name, missing);
  look_up(library, "nvrtcGetProgramLogSize", api.log_size, missing);
  look_up(library, "nvrtcGetProgramLog", api.log, missing);
  look_up(library, "nvrtcGetCUBINSize", api.cubin_size, missing);
  look_up(library, "nvrtcGetCUBIN", api.cubin, missing);
  if (!missing.empty()) api.failure = "this NVRTC has no function " + missing;
  return api;
}

const Nvrtc& nvrtc() {
  static const Nvrtc api = open_nvrtc();
  if (!api.failure.empty()) throw CompilationFailure(api.failure);
  return api;
}

/// The name whose address NVRTC is asked for. A variable inside namespace cugrb, because there the bare names
/// of the template-id hide CUDA's global functions (::min, ::remainder ...).
const char* const entry_expression = "cugrb::cugrb_kernel_entry";

class Program {
 public:
  Program(const std::string& text, const SourceSet& sources) {
    std::vector<const char*> texts, names;
    for (size_t i = 0; i < sources.paths.size(); ++i) {
      texts.push_back(sources.texts[i]->c_str());
      names.push_back(sources.paths[i].c_str());
    }
    check(nvrtc().create(&program_, text.c_str(), "kernel.cu", static_cast<int>(texts.size()), texts.data(),
                         names.data()));
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
    image.bytes = text(nvrtc().cubin_size, nvrtc().cubin);
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
      : options_{
            "--std=c++17",        "--gpu-architecture=" + architecture,
            "-default-device",                             // users' definitions carry no __device__
            "-no-cache",                                   // no probing for the driver's own cache
            "--ptxas-options=-v", "-diag-suppress=177"} {  // entry_expression's variable is never referenced
    int major = 0, minor = 0;
    nvrtc().version(&major, &minor);
    // NVRTC's own headers without textures, surfaces and the device runtime: 4 ms less for each kernel.
    if (major >= 13) options_.push_back("--minimal");
    fingerprint_ = "nvrtc " + std::to_string(major) + "." + std::to_string(minor);
    for (const std::string& option : options_) fingerprint_ += " " + option;
  }

  std::vector<std::string> extra_roots() const override { return {"cuda/kernels/base.h"}; }
  std::string fingerprint() const override { return fingerprint_; }

  Image compile(const Request& request, const SourceSet& sources) const override {
    const std::string text = "#include \"cuda/kernels/base.h\"\n#line 1 \"definition\"\n" + request.preamble +
                             "\n#line 1 \"kernel.cu\"\n#include \"cuda/kernels/" + request.header +
                             "\"\nnamespace cugrb {\nconstexpr auto cugrb_kernel_entry = &" + request.name +
                             ";\n}\n";
    Program program(text, sources);
    return program.compile(options_, request.name);
  }

 private:
  std::vector<std::string> options_;
  std::string fingerprint_;
};

}  // namespace

std::unique_ptr<Compiler> make_nvrtc_compiler(const std::string& architecture) {
  return std::make_unique<NvrtcCompiler>(architecture);
}

}  // namespace cugrb::jit
