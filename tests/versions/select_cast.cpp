// Select by a VALUE operator of another type than the values: up to SuiteSparse 7.4 the values are cast, as
// the specification has it (C API 2.1, section 4.3.9), and the device does the same; SuiteSparse 8 and later
// read the thunk's bytes in the type of the values, and the call is left to them.
#include <dlfcn.h>

#include <cstdio>
#include <string>
#include <vector>

#include "include/cugrb/cugrb.h"
#include "include/cugrb/detail/c_api.hpp"

namespace {

bool failed = false;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::printf("%s\n", what.c_str());
  failed = true;
}

template <class Function>
Function* of_cugrb(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// The record of this thread's last call.
std::string last_record() {
  std::string text(1000, '\0');
  text.resize(of_cugrb<decltype(cugrb_where)>("cugrb_where")(text.data(), text.size()));
  return text;
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// The values of w<> = select(op, u, thunk) with u = -12 ... 11 of INT64.
std::vector<int64_t> selected(GrB_IndexUnaryOp op, double thunk) {
  constexpr GrB_Index n = 24;
  GrB_Vector u = nullptr, w = nullptr;
  GrB_Vector_new(&u, GrB_INT64, n);
  GrB_Vector_new(&w, GrB_INT64, n);
  for (GrB_Index i = 0; i < n; ++i) GrB_Vector_setElement_INT64(u, int64_t(i) - 12, i);
  GrB_Vector_select_FP64(w, nullptr, nullptr, op, u, thunk, nullptr);
  const std::string record = last_record();
  std::printf("%s\n", record.c_str());
  const bool casts = dlsym(RTLD_DEFAULT, "GxB_CONTEXT_WORLD") == nullptr;
  const bool on_device = contains(record, "emulated");
  const bool same_type = op == GrB_VALUELT_INT64;
  expect(on_device == (same_type || casts), "the call ran elsewhere: " + record);
  if (!on_device) expect(contains(record, "without the typecast"), "the record lacks the reason: " + record);
  GrB_Index count = n;
  std::vector<int64_t> values(n);
  GrB_Vector_extractTuples_INT64(nullptr, values.data(), &count, w);
  values.resize(on_device ? count : 0);
  GrB_Vector_free(&u);
  GrB_Vector_free(&w);
  return values;
}

}  // namespace

int main() {
  GrB_init(GrB_NONBLOCKING);
  of_cugrb<decltype(cugrb_keep_records)>("cugrb_keep_records")(1);
  for (const auto& [op, thunk] : {std::pair{GrB_VALUELT_INT64, 3.0}, std::pair{GrB_VALUELT_FP32, 2.5}}) {
    const std::vector<int64_t> values = selected(op, thunk);
    if (values.empty()) continue;
    expect(values.size() == 15 && values.front() == -12 && values.back() == 2, "other values were selected");
  }
  GrB_finalize();
  return failed ? 1 : 0;
}
