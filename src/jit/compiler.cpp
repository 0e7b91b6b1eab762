#include "src/jit/compiler.h"

#include <map>
#include <mutex>

namespace cugrb::jit {
namespace {

bool is_gpu_architecture(const std::string& text) {
  if (text.rfind("sm_", 0) != 0 || text.size() < 5) return false;
  const size_t digits = text.find_first_not_of("0123456789", 3);
  return digits == std::string::npos || (digits >= 5 && digits + 1 == text.size());  // "sm_90", "sm_90a"
}

}  // namespace

const Compiler& compiler_for(const std::string& architecture) {
  static std::mutex mutex;
  static auto* const compilers = new std::map<std::string, std::unique_ptr<Compiler>>;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Compiler>& compiler = (*compilers)[architecture];
  if (compiler == nullptr) {
    if (architecture == "host") {
      compiler = make_host_compiler();
    } else if (is_gpu_architecture(architecture)) {
      compiler = make_nvrtc_compiler(architecture);
    } else {
      throw CompilationFailure("unknown architecture " + architecture + ": expected sm_NN or host");
    }
  }
  return *compiler;
}

std::string missing_compiler(const std::string& architecture) {
  try {
    compiler_for(architecture);
    return "";
  } catch (const CompilationFailure& failure) {
    return failure.what();
  }
}

std::vector<std::string> extra_roots(const std::string& architecture) {
  return architecture == "host" ? host_roots() : std::vector<std::string>{"cuda/kernels/base.h"};
}

std::string agreement(const Request& request) {
  if (request.argument_bytes == 0) return "";
  return "template <class Arguments> Arguments cugrb_arguments_of(void (*)(Arguments));\n"
         "static_assert(sizeof(cugrb_arguments_of(&" +
         request.name + ")) == " + std::to_string(request.argument_bytes) +
         ", \"the host passes arguments of another size\");\n";
}

std::string shortened_log(const std::string& log) {
  constexpr size_t limit = 2000;
  if (log.size() <= limit) return log;
  return log.substr(0, log.rfind('\n', limit)) + "\n[" + std::to_string(log.size() - limit) +
         " more characters]";
}

}  // namespace cugrb::jit
