#include "tests/cusparse/fixture.h"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>

#include "cuda/cusparse/cusparse.h"
#include "tests/catch.h"

namespace fixture {

namespace {

/// Before the library is opened.
[[maybe_unused]] const bool chosen = [] {
  const char* device = std::getenv("CUGRB_DEVICE");
  if (device != nullptr && std::string(device) == "emulated")
    setenv("CUGRB_CUSPARSE", CUGRB_CUSPARSE_STAND_IN, /*overwrite=*/0);
  return true;
}();

template <class Function>
Function* stand_in(const char* name) {
  void* library = dlopen(CUGRB_CUSPARSE_STAND_IN, RTLD_NOW | RTLD_LOCAL);
  void* found = library == nullptr ? nullptr : dlsym(library, name);
  if (found == nullptr) throw std::runtime_error(std::string("the stand-in has no ") + name);
  return reinterpret_cast<Function*>(found);
}

}  // namespace

bool have_stand_in() {
  if (cugrb::runtime::device().properties().kind == cugrb::runtime::Kind::emulated) return true;
  WARN("skipped: cuSPARSE itself is not told to fail");
  return false;
}

bool have_cusparse() {
  const std::string reason = cugrb::cusparse::unavailable_reason();
  if (reason.empty()) return true;
  CHECK(cugrb::runtime::device().properties().kind != cugrb::runtime::Kind::emulated);
  WARN("skipped: " << reason);
  return false;
}

void fail(int n, int status) { stand_in<void(int, int)>("stand_in_fail")(n, status); }
int descriptions() { return stand_in<int()>("stand_in_descriptions")(); }

cugrb::trace::Record traced(const std::function<void()>& run) {
  cugrb::trace::keep_records(true);
  cugrb::trace::Record record;
  {
    cugrb::trace::Scope scope("test");
    run();
    record = cugrb::trace::current();
  }
  cugrb::trace::keep_records(false);
  return record;
}

cugrb::test::RefMatrix drawn(unsigned seed, const std::string& type, uint64_t rows, uint64_t columns,
                             cugrb::test::Spread spread, double degree) {
  cugrb::test::Random random(seed);
  return cugrb::test::random_matrix(random, cugrb::test::type_of(type), rows, columns, spread, degree, false);
}

}  // namespace fixture
