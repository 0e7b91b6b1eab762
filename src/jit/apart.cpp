#include "src/jit/apart.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <mutex>

namespace cugrb::jit {
namespace {

namespace fs = std::filesystem;

/// Texts one after the other, each behind its length.
std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    const uint64_t size = text.size();
    all.append(reinterpret_cast<const char*>(&size), sizeof(size));
    all += text;
  }
  return all;
}

std::vector<std::string> split(const std::string& all) {
  std::vector<std::string> texts;
  for (size_t at = 0; at < all.size();) {
    uint64_t size = 0;
    if (all.size() - at < sizeof(size)) throw CompilationFailure("a compilation's file is damaged");
    std::memcpy(&size, all.data() + at, sizeof(size));
    at += sizeof(size);
    if (size > all.size() - at) throw CompilationFailure("a compilation's file is damaged");
    texts.push_back(all.substr(at, size));
    at += size;
  }
  return texts;
}

#if defined(CUGRB_SANITIZE)
/// The command is built with the same sanitizer, which takes terabytes of addresses.
constexpr ProgramLimits limits = {compilation_limits.seconds, 0};
#else
constexpr ProgramLimits limits = compilation_limits;
#endif

/// Whether a program can be run that belongs to the one who is trusted already, as the library is his, or
/// root's.
bool is_trusted(const fs::path& program, uid_t owner) {
  struct stat status;
  return stat(program.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         (status.st_uid == owner || status.st_uid == 0) && (status.st_mode & S_IWOTH) == 0 &&
         access(program.c_str(), X_OK) == 0;
}

/// A library for a command that does not run by itself.
struct Lent {
  std::mutex mutex;
  std::string library;
  bool is_needed = false;

  static Lent& instance() {
    static auto* const lent = new Lent;
    return *lent;
  }
  std::string if_needed() {
    const std::lock_guard<std::mutex> lock(mutex);
    return is_needed ? library : "";
  }
  /// From now on it is needed, where there is one.
  std::string need() {
    const std::lock_guard<std::mutex> lock(mutex);
    is_needed = !library.empty();
    return library;
  }
};

/// The message that the command left, without what it puts in front.
std::string message_of(const std::string& log) {
  static const std::string prefix = "cugrb: ";
  return log.compare(0, prefix.size(), prefix) == 0 ? log.substr(prefix.size()) : log;
}

}  // namespace

std::string command_beside_library() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&command_beside_library), &info) == 0 || info.dli_fname == nullptr)
    return "";
  std::error_code error;
  fs::path here = fs::canonical(info.dli_fname, error);
  if (error) here = fs::canonical("/proc/self/exe", error);  // of a program dladdr knows how it was called
  struct stat own;
  if (stat(here.c_str(), &own) != 0) return "";
  for (const char* way : {".", "../bin", "../../bin", "../../../bin"}) {
    const fs::path command = (here.parent_path() / way / "cugrb").lexically_normal();
    if (is_trusted(command, own.st_uid)) return command;
  }
  return "";
}

void lend_to_command(const std::string& library) {
  Lent& lent = Lent::instance();
  const std::lock_guard<std::mutex> lock(lent.mutex);
  if (library.find_first_of(" :\t") == std::string::npos)
    lent.library = library;  // LD_PRELOAD is split there
}

Image compile_apart(const std::string& command, const Task& task) {
  const TemporaryDirectory directory;
  const fs::path given = directory.path() / "task", made = directory.path() / "image",
                 log = directory.path() / "log";
  write_file(given, joined({joined({task.name, task.text}), joined(task.options), joined(task.paths),
                            joined(task.sources)}));
  const auto run_with = [&](const std::string& lent) {
    return run_program({command, "precompile", "--compile", given, made}, log, limits, directory.path(),
                       lent);
  };
  const std::string lent = Lent::instance().if_needed();
  ProgramEnd end = run_with(lent);
  if (end.status == -1 && lent.empty()) {
    if (const std::string needed = Lent::instance().need(); !needed.empty()) end = run_with(needed);
  }
  if (end.status == -1) throw CommandFailure("cannot run " + command);
  if (end.out_of_time)
    throw CompilationFailure("the compiler was stopped at its limit of processor time: " + task.name);
  if (end.status != 0) {
    const std::string message = message_of(read_file(log));
    throw CompilationFailure(message.empty() ? "the compiler ended with code " + std::to_string(end.status) +
                                                   ": " + task.name
                                             : message);
  }
  const std::vector<std::string> parts = split(read_file(made));
  if (parts.size() != 3) throw CompilationFailure("a compilation's file is damaged");
  return {parts[0], parts[1], parts[2]};
}

Task read_task(const std::string& path) {
  const std::vector<std::string> parts = split(read_file(path));
  if (parts.size() != 4) throw CompilationFailure("a compilation's file is damaged");
  const std::vector<std::string> kernel = split(parts[0]);
  Task task{"", "", split(parts[1]), split(parts[2]), split(parts[3])};
  if (kernel.size() != 2 || task.paths.size() != task.sources.size())
    throw CompilationFailure("a compilation's file is damaged");
  task.name = kernel[0];
  task.text = kernel[1];
  return task;
}

void write_image(const std::string& path, const Image& image) {
  write_file(path, joined({image.bytes, image.symbol, image.log}));
}

}  // namespace cugrb::jit
