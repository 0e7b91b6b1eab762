#include "src/jit/resources.h"

#include <cctype>
#include <cstdlib>

namespace cugrb::jit {
namespace {

/// The number just before `words` at or after `from`; -1 when there is none.
int number_before(const std::string& log, const std::string& words, size_t from) {
  const size_t at = log.find(words, from);
  if (at == std::string::npos) return -1;
  size_t begin = at;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(log[begin - 1])) != 0) --begin;
  return begin == at ? -1 : std::atoi(log.c_str() + begin);
}

}  // namespace

std::optional<Resources> resources_of(const std::string& log) {
  const size_t entry = log.find("Compiling entry function");
  if (entry == std::string::npos) return std::nullopt;
  // "Function properties" may also be reported for functions that were not inlined; the entry's own come
  // first.
  const Resources found{
      number_before(log, " registers", entry), number_before(log, " bytes stack frame", entry),
      number_before(log, " bytes spill stores", entry), number_before(log, " bytes spill loads", entry)};
  if (found.registers < 0 || found.stack_bytes < 0 || found.spill_store_bytes < 0 ||
      found.spill_load_bytes < 0) {
    return std::nullopt;
  }
  return found;
}

}  // namespace cugrb::jit
