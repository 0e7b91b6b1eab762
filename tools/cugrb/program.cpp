#include "tools/cugrb/program.h"

#include <elf.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tools/cugrb/command.h"

namespace cugrb::command {

namespace {

bool is_file(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::vector<char*> pointers(std::vector<std::string>& arguments) {
  std::vector<char*> list;
  for (std::string& argument : arguments) list.push_back(argument.data());
  list.push_back(nullptr);
  return list;
}

}  // namespace

std::string find_program(const std::string& name) {
  std::vector<std::string> candidates;
  if (name.find('/') != std::string::npos) {
    candidates.push_back(name);
  } else {
    const char* path = std::getenv("PATH");
    std::string rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
    for (size_t begin = 0; begin <= rest.size();) {
      const size_t end = std::min(rest.find(':', begin), rest.size());
      const std::string folder = rest.substr(begin, end - begin);
      candidates.push_back((folder.empty() ? "." : folder) + "/" + name);
      begin = end + 1;
    }
  }
  std::string unusable;
  for (const std::string& candidate : candidates) {
    if (!is_file(candidate)) continue;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    unusable = candidate;
  }
  if (!unusable.empty()) throw Failure(fmt::format("{} is not executable", unusable), not_executable);
  throw Failure(fmt::format("the program '{}' is not there{}", name,
                            name.find('/') == std::string::npos ? " (looked in PATH)" : ""),
                not_found);
}

std::string why_not_preloadable(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0 && geteuid() != 0) {
    return "it is set-user-ID or set-group-ID, for which the system ignores LD_PRELOAD";
  }
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return "";  // a script: its interpreter is preloaded
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return "it is not a 64-bit program";
  for (unsigned k = 0; k < header.e_phnum; ++k) {
    Elf64_Phdr segment{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff + k * header.e_phentsize));
    file.read(reinterpret_cast<char*>(&segment), sizeof segment);
    if (file && segment.p_type == PT_INTERP) return "";
  }
  return "it is statically linked, so that no library can be put in front of its GraphBLAS; link it "
         "dynamically";
}

void execute(const std::string& path, const std::vector<std::string>& arguments) {
  std::vector<std::string> copy = arguments;
  execv(path.c_str(), pointers(copy).data());
  throw Failure(fmt::format("{} cannot be started: {}", path, std::strerror(errno)), not_executable);
}

Finished run_self(const std::vector<std::string>& arguments, const Environment& environment, bool capture) {
  int ends[2] = {-1, -1};
  if (capture && pipe(ends) != 0) throw Failure(fmt::format("no pipe: {}", std::strerror(errno)));
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Failure(fmt::format("no process: {}", std::strerror(errno)));
  if (child == 0) {
    if (capture) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
    }
    apply(environment);
    std::vector<std::string> copy = arguments;
    copy.insert(copy.begin(), "cugrb");
    execv("/proc/self/exe", pointers(copy).data());
    _exit(not_executable);
  }
  Finished finished{0, ""};
  if (capture) {
    close(ends[1]);
    char block[4096];
    for (ssize_t count; (count = read(ends[0], block, sizeof block)) > 0 || (count < 0 && errno == EINTR);) {
      if (count > 0) finished.output.append(block, static_cast<size_t>(count));
    }
    close(ends[0]);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

TemporaryFile::TemporaryFile(const std::string& suffix) {
  const char* folder = std::getenv("TMPDIR");
  path_ = std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/cugrb-XXXXXX" + suffix;
  const int file = mkstemps(path_.data(), static_cast<int>(suffix.size()));
  if (file < 0) throw Failure(fmt::format("no temporary file {}: {}", path_, std::strerror(errno)));
  close(file);
}

TemporaryFile::~TemporaryFile() { unlink(path_.c_str()); }

}  // namespace cugrb::command
