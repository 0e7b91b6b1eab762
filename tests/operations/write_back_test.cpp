// Corners of the write-back that random configurations reach too seldom: each is drawn until its kernel has
// been asked for.
#include "src/jit/jit.h"
#include "tests/catch.h"
#include "tests/operations/cases.h"

using namespace cugrb;
using test::Configuration;
using test::Kind;
using test::Shape;

namespace {

const Type& int32() { return Type::of(TypeCode::Int32); }

/// w<mask> accum= u over int32.
Configuration copy(Form u, Form w, Form mask, bool structural, bool replace, bool accumulate) {
  Configuration c;
  c.kind = Kind::assign;
  c.u = Shape{int32(), u, false};
  c.v = Shape{int32(), Form::full, false};
  c.w = Shape{int32(), w, false};
  c.mask = Shape{int32(), mask, false};
  c.unary = *catalogue::unary_op("IDENTITY_INT32");
  c.binary = *catalogue::binary_op("PLUS_INT32");
  c.index_unary = *catalogue::index_unary_op("ROWLE");
  c.masked = true;
  c.structural = structural;
  c.replace = replace;
  if (accumulate) c.accumulate = *catalogue::binary_op("MINUS_INT32");
  return c;
}

/// Runs the configuration on many data; `parts` are in the name of one of the kernels that have been asked
/// for so far.
void agree(const Configuration& c, const std::vector<std::string>& parts) {
  test::Random random(77);
  const uint64_t lengths[] = {40, 300, 1300, 2048};
  for (unsigned repeat = 0; repeat < 40; ++repeat) {
    const std::string found = test::run(c, random, lengths[repeat % 4]);
    INFO(c.text() << ", repeat " << repeat);
    REQUIRE(found == "");
  }
  bool seen = false;
  for (const jit::Request& request : jit::requests_so_far()) {
    bool all = true;
    for (const std::string& part : parts) all = all && request.name.find(part) != std::string::npos;
    seen = seen || all;
  }
  INFO(c.text() << " never asked for a kernel with " << parts.front());
  CHECK(seen);
}

}  // namespace

TEST_CASE("a new list keeps old entries where T has none, allowed by the listed mask and accumulated into") {
  for (const bool structural : {true, false}) {
    for (const Form w : {Form::bitmap, Form::sparse}) {
      for (const Form u : {Form::bitmap, Form::sparse}) {
        const std::string old =
            w == Form::bitmap ? "vector_bitmap<int32_t, false>, into_list<" : "uint32_t, false>, into_list<";
        agree(copy(u, w, Form::sparse, structural, true, true),
              {"write_back_listed<", "accumulate<minus<int32_t>>", old});
      }
    }
  }
}

TEST_CASE("a mask's list is updated in place, entries that T lacks are deleted or kept") {
  for (const bool accumulate : {false, true}) {
    for (const Form w : {Form::bitmap, Form::full}) {
      for (const Form u : {Form::bitmap, Form::sparse, Form::full}) {
        agree(
            copy(u, w, Form::sparse, true, false, accumulate),
            {"write_back_listed<", accumulate ? "accumulate<minus<int32_t>>" : "no_accumulate", ", true>>"});
      }
    }
  }
}

TEST_CASE("masks of every form, plain and complemented, over all positions") {
  for (const Form mask : {Form::full, Form::bitmap, Form::sparse}) {
    for (const bool structural : {false, true}) {
      for (const bool complement : {false, true}) {
        if (structural && mask == Form::full) continue;  // no mask at all
        Configuration c = copy(Form::full, Form::full, mask, structural, true, true);
        c.complement = complement;
        agree(c, {"write_back_"});
      }
    }
  }
}
