#include "src/graphblas/exports.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdint>

namespace cugrb::real {
namespace {

/// The tables of a loaded object; null where it has none.
struct Tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const uint32_t* gnu_hash = nullptr;
  const uint32_t* hash = nullptr;
};

Tables tables_of(const link_map& object) {
  Tables tables;
  for (const ElfW(Dyn)* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry) {
    const ElfW(Addr) address = entry->d_un.d_ptr;
    switch (entry->d_tag) {
      case DT_SYMTAB:
        tables.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
        break;
      case DT_STRTAB:
        tables.names = reinterpret_cast<const char*>(address);
        break;
      case DT_GNU_HASH:
        tables.gnu_hash = reinterpret_cast<const uint32_t*>(address);
        break;
      case DT_HASH:
        tables.hash = reinterpret_cast<const uint32_t*>(address);
        break;
      default:
        break;
    }
  }
  return tables;
}

/// The table of symbols says nowhere how long it is. With a GNU hash table, the last chain's end does: chains
/// cover the symbols from `first` on, and the lowest bit of a hash value marks the last of a chain.
size_t count_by_gnu_hash(const uint32_t* table) {
  const uint32_t bucket_count = table[0], first = table[1], bloom_words = table[2];
  const uint32_t* const buckets = table + 4 + bloom_words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
  const uint32_t* const chains = buckets + bucket_count;
  uint32_t last = bucket_count == 0 ? 0 : *std::max_element(buckets, buckets + bucket_count);
  if (last < first) return first;
  while ((chains[last - first] & 1) == 0) ++last;
  return size_t(last) + 1;
}

size_t count_of(const Tables& tables) {
  if (tables.gnu_hash != nullptr) return count_by_gnu_hash(tables.gnu_hash);
  return tables.hash != nullptr ? tables.hash[1] : 0;
}

}  // namespace

std::vector<std::string_view> exported_functions(const void* address) {
  std::vector<std::string_view> found;
  Dl_info info{};
  link_map* object = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0 || object == nullptr)
    return found;
  const Tables tables = tables_of(*object);
  if (tables.symbols == nullptr || tables.names == nullptr) return found;
  const size_t count = count_of(tables);
  for (size_t i = 0; i < count; ++i) {
    const ElfW(Sym)& symbol = tables.symbols[i];
    const bool is_function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;  // the same bits in ELF32
    if (is_function && symbol.st_shndx != SHN_UNDEF) found.emplace_back(tables.names + symbol.st_name);
  }
  return found;
}

}  // namespace cugrb::real
