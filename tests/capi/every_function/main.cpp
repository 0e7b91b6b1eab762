// Calls API functions on small objects and prints what came of it: the same program on plain SuiteSparse and
// under libcugrb.so must print the same.
//
//   every_function            all cases
//   every_function --list     their names
//   every_function NAME...    these
//   every_function --hollow   all cases, on objects that are the results of calls that can be on the device
#include <cstring>

#include "tests/capi/every_function/fixture.h"

using namespace every_function;

namespace {

void run(const Case& test) {
  std::printf("== %s\n", test.function);
  std::fflush(stdout);
  Fixture fixture(test.user_defined);
  fixture.use_on_device();
  test.run(fixture);
}

bool wanted(const Case& test, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], test.function) == 0) return true;
  }
  return argc == 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (size_t i = 0; i < case_count; ++i) std::puts(cases[i].function);
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "--hollow") == 0) {
    Fixture::only_on_device = true;
    argc = 1;
  }
  const GrB_Info info = GrB_init(GrB_NONBLOCKING);
  if (info != GrB_SUCCESS) {
    std::printf("GrB_init: %d\n", static_cast<int>(info));
    return 1;
  }
  for (size_t i = 0; i < case_count; ++i) {
    if (wanted(cases[i], argc, argv)) run(cases[i]);
  }
  return GrB_finalize() == GrB_SUCCESS ? 0 : 1;
}
