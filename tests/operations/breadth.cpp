#include "tests/operations/breadth.h"

#include <cstdlib>
#include <map>
#include <set>

#include "tests/operations/mxv_cases.h"

namespace cugrb::test {

namespace {

std::string setting() {
  const char* text = std::getenv("CUGRB_TEST_STRUCTURES");
  return text == nullptr ? "" : text;
}

}  // namespace

bool structures_only() {
  static const bool only = setting() == "1" || races_only();
  return only;
}

bool races_only() {
  static const bool only = setting() == "races";
  return only;
}

std::string atomic_of_sum(const std::string& semiring) {
  const std::string type = semiring.substr(semiring.rfind('_') + 1);
  return std::to_string(type_of(type).size) + (type.rfind("FP", 0) == 0 ? " floating" : "");
}

bool ends_early(const std::string& semiring) {
  return semiring.rfind("ANY_", 0) == 0 || semiring.rfind("LOR_", 0) == 0;
}

bool shows_a_new_structure(const std::vector<std::string>& structures) {
  if (!structures_only()) return true;
  static std::set<std::string> shown;
  bool fresh = false;
  for (const std::string& structure : structures) fresh |= shown.insert(structure).second;
  return fresh;
}

std::vector<size_t> shapes_for(const std::string& kernel, size_t shapes) {
  static std::map<std::string, size_t> configurations;
  const size_t turn = configurations[kernel]++;
  const bool by_turns = structures_only() || kernel == "mxm_vectors";
  std::vector<size_t> chosen;
  for (size_t n = 0; n < shapes; ++n) {
    if (!by_turns || (turn == 0 && !races_only()) || n % 3 == turn % 3) chosen.push_back(n);
  }
  return chosen;
}

}  // namespace cugrb::test
