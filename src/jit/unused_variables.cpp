// A CUBIN is a file of ELF, whose sections `.nv.global` and `.nv.global.init` are the variables. They are
// used where a relocation in code or data names one of them, or where another section is linked with theirs.
// An unused section becomes one of type SHT_NULL: so others keep their numbers, and nothing is moved.
#include "src/jit/unused_variables.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace cugrb::jit {
namespace {

/// Sections and symbols of an image; none of what it reads lies outside of it.
class ElfImage {
 public:
  /// std::nullopt where it is no such file, or a damaged one.
  static std::optional<ElfImage> read(const std::string& bytes) {
    ElfImage image(bytes);
    if (!image.read_sections()) return std::nullopt;
    return image;
  }

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  std::string name(const Elf64_Shdr& section) const {
    const Elf64_Shdr& names = sections_[names_];
    if (section.sh_name >= names.sh_size) return "";
    const char* const text = bytes_.data() + names.sh_offset + section.sh_name;
    return std::string(text, strnlen(text, names.sh_size - section.sh_name));
  }
  /// The entries of a table; empty where its size is no multiple of theirs, or it is not in the file.
  template <class Entry>
  std::vector<Entry> entries(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_size % sizeof(Entry) != 0) return {};
    std::vector<Entry> result(section.sh_size / sizeof(Entry));
    std::memcpy(result.data(), bytes_.data() + section.sh_offset, section.sh_size);
    return result;
  }
  template <class Entry>
  void write(const Elf64_Shdr& section, const std::vector<Entry>& entries) {
    std::memcpy(bytes_.data() + section.sh_offset, entries.data(), entries.size() * sizeof(Entry));
  }
  void write(size_t number, const Elf64_Shdr& section) {
    sections_[number] = section;
    std::memcpy(bytes_.data() + header_.e_shoff + number * sizeof(section), &section, sizeof(section));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  explicit ElfImage(std::string bytes) : bytes_(std::move(bytes)) {}

  bool holds(uint64_t offset, uint64_t bytes) const {
    return offset <= bytes_.size() && bytes <= bytes_.size() - offset;
  }
  bool read_sections() {
    if (!holds(0, sizeof(header_))) return false;
    std::memcpy(&header_, bytes_.data(), sizeof(header_));
    const unsigned char* const id = header_.e_ident;
    if (std::memcmp(id, ELFMAG, SELFMAG) != 0 || id[EI_CLASS] != ELFCLASS64 || id[EI_DATA] != ELFDATA2LSB)
      return false;
    if (header_.e_machine != EM_CUDA || header_.e_shentsize != sizeof(Elf64_Shdr)) return false;
    if (!holds(header_.e_shoff, uint64_t(header_.e_shnum) * sizeof(Elf64_Shdr))) return false;
    sections_.resize(header_.e_shnum);
    std::memcpy(sections_.data(), bytes_.data() + header_.e_shoff, sections_.size() * sizeof(Elf64_Shdr));
    names_ = header_.e_shstrndx;
    if (names_ >= sections_.size() || sections_[names_].sh_type == SHT_NOBITS) return false;
    return std::all_of(sections_.begin(), sections_.end(), [&](const Elf64_Shdr& s) {
      return s.sh_type == SHT_NOBITS || holds(s.sh_offset, s.sh_size);
    });
  }

  std::string bytes_;
  Elf64_Ehdr header_ = {};
  std::vector<Elf64_Shdr> sections_;
  size_t names_ = 0;
};

class Variables {
 public:
  explicit Variables(const ElfImage& image) : image_(image) {
    for (const Elf64_Shdr& section : image.sections()) {
      const std::string name = image.name(section);
      is_one_.push_back(name == ".nv.global" || name == ".nv.global.init");
    }
  }

  bool any() const { return std::find(is_one_.begin(), is_one_.end(), true) != is_one_.end(); }
  bool is_section(size_t number) const { return number < is_one_.size() && is_one_[number]; }
  bool holds(const Elf64_Sym& symbol) const { return is_section(symbol.st_shndx); }

  /// Whether a section refers to one of them, or to a symbol in it.
  bool are_used() const {
    for (const Elf64_Shdr& section : image_.sections()) {
      const bool has_relocations = section.sh_type == SHT_RELA || section.sh_type == SHT_REL;
      const bool names_section = has_relocations || (section.sh_flags & SHF_INFO_LINK) != 0;
      if (is_section(section.sh_link) || (names_section && is_section(section.sh_info))) return true;
      if (section.sh_type == SHT_RELA && refers<Elf64_Rela>(section)) return true;
      if (section.sh_type == SHT_REL && refers<Elf64_Rel>(section)) return true;
    }
    return false;
  }

 private:
  template <class Relocation>
  bool refers(const Elf64_Shdr& section) const {
    if (section.sh_size == 0) return false;
    if (section.sh_link >= image_.sections().size()) return true;
    const std::vector<Relocation> relocations = image_.entries<Relocation>(section);
    const std::vector<Elf64_Sym> symbols = image_.entries<Elf64_Sym>(image_.sections()[section.sh_link]);
    return relocations.empty() ||
           std::any_of(relocations.begin(), relocations.end(), [&](const Relocation& one) {
             const uint64_t number = ELF64_R_SYM(one.r_info);
             return number >= symbols.size() || holds(symbols[number]);
           });
  }

  const ElfImage& image_;
  std::vector<bool> is_one_;
};

void remove(const Variables& variables, ElfImage& image) {
  for (const Elf64_Shdr& section : image.sections()) {
    if (section.sh_type != SHT_SYMTAB) continue;
    std::vector<Elf64_Sym> symbols = image.entries<Elf64_Sym>(section);
    for (Elf64_Sym& symbol : symbols) {
      if (variables.holds(symbol)) symbol = {};
    }
    image.write(section, symbols);
  }
  for (size_t n = 0; n < image.sections().size(); ++n) {
    if (!variables.is_section(n)) continue;
    Elf64_Shdr nothing = {};
    nothing.sh_name = image.sections()[n].sh_name;
    nothing.sh_offset = image.sections()[n].sh_offset;
    nothing.sh_addralign = 1;
    image.write(n, nothing);
  }
}

}  // namespace

std::string without_unused_variables(std::string cubin) {
  std::optional<ElfImage> image = ElfImage::read(cubin);
  if (!image) return cubin;
  const Variables variables(*image);
  if (!variables.any() || variables.are_used()) return cubin;
  remove(variables, *image);
  return image->bytes();
}

}  // namespace cugrb::jit
