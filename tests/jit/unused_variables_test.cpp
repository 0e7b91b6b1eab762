// Images of kernels lose the variables that nothing uses, and keep all others.
#include "src/jit/unused_variables.h"

#include <elf.h>

#include <cstring>
#include <random>
#include <vector>

#include "tests/catch.h"
#include "tests/gpu_compile.h"
#include "tests/jit/fixture.h"

using namespace cugrb;

namespace {

std::vector<Elf64_Shdr> sections_of(const std::string& image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image.data(), sizeof(header));
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), image.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  return sections;
}

std::string name_of(const std::string& image, const Elf64_Shdr& section) {
  Elf64_Ehdr header;
  std::memcpy(&header, image.data(), sizeof(header));
  return image.data() + sections_of(image)[header.e_shstrndx].sh_offset + section.sh_name;
}

/// Sections of variables that a loader would find.
int variables_in(const std::string& image) {
  int count = 0;
  for (const Elf64_Shdr& section : sections_of(image))
    count += section.sh_type != SHT_NULL && name_of(image, section).rfind(".nv.global", 0) == 0;
  return count;
}

std::string code_of(const std::string& image) {
  std::string code;
  for (const Elf64_Shdr& section : sections_of(image))
    if (name_of(image, section).rfind(".text.", 0) == 0)
      code += image.substr(section.sh_offset, section.sh_size);
  return code;
}

/// An image with one kernel, two variables, and a relocation in the kernel's code that names symbol
/// `relocated`: 1 is the kernel, 2 and 3 are the variables.
class SmallImage {
 public:
  explicit SmallImage(uint64_t relocated) {
    add("", SHT_NULL, "");
    const std::vector<Elf64_Rela> relocations = {{0, ELF64_R_INFO(relocated, 1), 0}};
    const std::vector<Elf64_Sym> symbols = {{}, in_section(2), in_section(3), in_section(4)};
    add(".symtab", SHT_SYMTAB, bytes_of(symbols));
    add(".text.kernel", SHT_PROGBITS, "code");
    add(".nv.global", SHT_NOBITS, "");
    sections_.back().sh_size = 1 << 20;  // takes nothing of the file
    add(".nv.global.init", SHT_PROGBITS, "value of a variable");
    add(".rela.text.kernel", SHT_RELA, bytes_of(relocations));
    sections_.back().sh_link = 1;
    sections_.back().sh_info = 2;
    add(".shstrtab", SHT_STRTAB, "");
    sections_.back().sh_offset = sizeof(Elf64_Ehdr) + content_.size();
    sections_.back().sh_size = names_.size();
  }
  std::string text() const {
    Elf64_Ehdr header = {};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_machine = EM_CUDA;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<Elf64_Half>(sections_.size());
    header.e_shstrndx = header.e_shnum - 1;
    header.e_shoff = sizeof(header) + content_.size() + names_.size();
    return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + content_ + names_ +
           bytes_of(sections_);
  }

 private:
  template <class Entry>
  static std::string bytes_of(const std::vector<Entry>& entries) {
    return {reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(Entry)};
  }
  static Elf64_Sym in_section(uint16_t number) {
    Elf64_Sym symbol = {};
    symbol.st_shndx = number;
    return symbol;
  }
  void add(const std::string& name, uint32_t type, const std::string& content) {
    Elf64_Shdr section = {};
    section.sh_name = static_cast<Elf64_Word>(names_.size());
    section.sh_type = type;
    section.sh_offset = sizeof(Elf64_Ehdr) + content_.size();
    section.sh_size = content.size();
    names_ += name + '\0';
    content_ += content;
    sections_.push_back(section);
  }

  std::string content_, names_;
  std::vector<Elf64_Shdr> sections_;
};

/// Uses a table whose element is known only when the kernel runs.
const char* const looks_up =
    "__device__ const float table[4] = {1, 20, 300, 4000};\n"
    "struct looks_up { using type = float; static CUGRB_DEVICE float apply(float x) { return table[int(x) & "
    "3]; } };\n";

}  // namespace

TEST_CASE("variables that no relocation names go, and nothing else changes") {
  const std::string image = SmallImage(1).text(), lean = jit::without_unused_variables(image);
  CHECK(variables_in(image) == 2);
  CHECK(variables_in(lean) == 0);
  CHECK(lean.size() == image.size());
  CHECK(code_of(lean) == "code");
  CHECK(jit::without_unused_variables(lean) == lean);
}

TEST_CASE("variables of which one is used stay") {
  for (const uint64_t relocated : {2, 3}) {
    const std::string image = SmallImage(relocated).text();
    CHECK(jit::without_unused_variables(image) == image);
  }
  const std::string names_no_symbol = SmallImage(4).text();
  CHECK(jit::without_unused_variables(names_no_symbol) == names_no_symbol);
}

TEST_CASE("what is no image, or a damaged one, comes back as it is, or as another one of its size") {
  CHECK(jit::without_unused_variables("").empty());
  CHECK(jit::without_unused_variables("/tmp/kernel.so") == "/tmp/kernel.so");
  const std::string image = SmallImage(1).text();
  for (size_t bytes = 0; bytes < image.size(); ++bytes) {
    const std::string cut = image.substr(0, bytes);
    CHECK(jit::without_unused_variables(cut) == cut);
  }
  std::mt19937 random(7);
  for (int n = 0; n < 20000; ++n) {
    std::string damaged = image;
    for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = char(random());
    CHECK(jit::without_unused_variables(damaged).size() == damaged.size());
  }
}

TEST_CASE("NVRTC's images have no variables but those that a kernel uses") {
  const jit::Request with_constants = {"compact.h", "compact_few<uint32_t, uint32_t, true>", ""};
  for (const char* architecture : {"sm_75", "sm_80", "sm_90", "sm_100", "sm_120"}) {
    INFO(architecture);
    const auto plain = test::compiled_for_gpu(with_constants, architecture);
    const auto with_table = test::compiled_for_gpu(fixture::probe("looks_up", looks_up), architecture);
    if (!plain || !with_table) return;
    CHECK(variables_in(plain->image) == 0);
    CHECK_FALSE(code_of(plain->image).empty());
    CHECK(variables_in(with_table->image) > 0);
  }
}
