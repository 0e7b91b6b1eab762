#include "tools/cugrb/executable.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>

namespace cugrb::command {

namespace {

#if defined(__x86_64__)
constexpr uint16_t native_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t native_machine = EM_AARCH64;
#else
#error "which ELF machine is this?"
#endif

/// Reads parts of a file by their offsets; zeros where the file ends.
class Parts {
 public:
  explicit Parts(const std::string& path) : file_(path, std::ios::binary) {}
  template <class T>
  T at(uint64_t offset) {
    T value{};
    go(offset);
    file_.read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
  std::string text_at(uint64_t offset, char end) {
    std::string text;
    go(offset);
    char c = 0;
    while (text.size() < 4096 && file_.get(c) && c != end) text += c;
    return text;
  }

 private:
  void go(uint64_t offset) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
  }
  std::ifstream file_;
};

std::vector<Elf64_Phdr> segments_of(Parts& file, const Elf64_Ehdr& header) {
  std::vector<Elf64_Phdr> segments;
  for (unsigned k = 0; k < header.e_phnum; ++k)
    segments.push_back(file.at<Elf64_Phdr>(header.e_phoff + uint64_t{k} * header.e_phentsize));
  return segments;
}

/// Where in the file an address of the program is.
uint64_t offset_of(uint64_t address, const std::vector<Elf64_Phdr>& segments) {
  for (const Elf64_Phdr& s : segments) {
    if (s.p_type == PT_LOAD && address >= s.p_vaddr && address < s.p_vaddr + s.p_filesz)
      return address - s.p_vaddr + s.p_offset;
  }
  return 0;
}

std::vector<std::string> needed_by(Parts& file, const std::vector<Elf64_Phdr>& segments) {
  std::vector<uint64_t> names;
  uint64_t strings = 0;
  for (const Elf64_Phdr& s : segments) {
    if (s.p_type != PT_DYNAMIC) continue;
    for (uint64_t k = 0; k < s.p_filesz / sizeof(Elf64_Dyn); ++k) {
      const auto entry = file.at<Elf64_Dyn>(s.p_offset + k * sizeof(Elf64_Dyn));
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) strings = offset_of(entry.d_un.d_ptr, segments);
    }
  }
  std::vector<std::string> libraries;
  for (const uint64_t name : names) libraries.push_back(file.text_at(strings + name, '\0'));
  return libraries;
}

}  // namespace

Executable read_executable(const std::string& path) {
  Parts file(path);
  Executable program;
  const auto header = file.at<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, "#!", 2) == 0) {
    const std::string line = file.text_at(2, '\n');
    const size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    program.kind = Executable::Kind::script;
    const size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    program.interpreter = line.substr(begin, end - begin);
    const size_t argument = std::min(line.find_first_not_of(" \t", end), line.size());
    program.argument = line.substr(argument, line.find_first_of(" \t", argument) - argument);
    return program;
  }
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return program;
  program.kind = Executable::Kind::elf;
  program.is_64_bit = header.e_ident[EI_CLASS] == ELFCLASS64;
  program.is_native = header.e_machine == native_machine;
  if (!program.is_64_bit) return program;
  const std::vector<Elf64_Phdr> segments = segments_of(file, header);
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type == PT_INTERP) program.interpreter = file.text_at(segment.p_offset, '\0');
  }
  program.needed = needed_by(file, segments);
  return program;
}

std::vector<std::string> sanitizer_runtimes(const Executable& program) {
  constexpr const char* beginnings[] = {"libasan.so",   "liblsan.so",  "libtsan.so",
                                        "libhwasan.so", "libubsan.so", "libclang_rt."};
  std::vector<std::string> runtimes;
  for (const std::string& library : program.needed) {
    const std::string name = library.substr(library.find_last_of('/') + 1);
    if (std::any_of(std::begin(beginnings), std::end(beginnings),
                    [&](const char* beginning) { return name.rfind(beginning, 0) == 0; }))
      runtimes.push_back(library);
  }
  return runtimes;
}

}  // namespace cugrb::command
