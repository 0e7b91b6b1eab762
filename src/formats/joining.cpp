#include "src/formats/joining.h"

#include "cuda/views/joined.h"

namespace cugrb::formats {

std::string why_not_put_off(const Joinable& next) {
  if (next.reads_elsewhere) return "it reads other positions than it writes";
  if (next.user_defined) return "a type or an operator is user-defined";
  return {};
}

std::string why_not_joined(const Places& places, int stages, const Places& next) {
  if (!(places == next)) return "it visits other places";
  if (stages >= most_joined) return std::to_string(stages) + " write-backs wait already";
  return {};
}

}  // namespace cugrb::formats
