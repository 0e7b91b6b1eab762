// Triangle counting as LAGraph's default does it: C<L> = L * U', then the sum of C.
#include <cstdio>
#include <cstring>

#include "bench/spgemm/bench.h"

namespace cugrb::bench {

namespace {

int64_t number(const std::optional<Value>& value) {
  int64_t n = 0;
  if (value) std::memcpy(&n, value->bytes.data(), sizeof n);
  return n;
}

}  // namespace

nlohmann::json bench_triangles(const Triangles& t, int repeat) {
  const Semiring semiring = catalogue::semiring("PLUS_PAIR_INT64").value();
  const Monoid plus = catalogue::monoid("PLUS_INT64").value();
  const operations::MatrixMatrix product{semiring, t.lower, t.upper, false, true};
  nlohmann::json results = nlohmann::json::array();
  int64_t count = 0;
  const auto report = [&](const char* how, const std::vector<double>& seconds) {
    std::printf("triangles  %-28s %10.4f ms  %ld triangles\n", how, median(seconds) * 1e3, (long)count);
    std::fflush(stdout);
    results.push_back({{"what", how},
                       {"median_seconds", median(seconds)},
                       {"least_seconds", seconds.front()},
                       {"triangles", count}});
  };
  report("reduced product", measure(repeat, [&] {
           count = number(operations::reduce_mxm(plus, {&t.lower, true, false}, product));
         }));
  report("product, then its sum", measure(repeat, [&] {
           formats::DeviceMatrix c;
           c.type = c.stored.type = semiring.add.type();
           c.rows = c.columns = c.stored.rows = c.stored.columns = t.lower.rows;
           c.stored.offsets = runtime::Buffer::zeroed((c.rows + 1) * 4);
           operations::mxm({c, {&t.lower, true, false}, std::nullopt, false}, product);
           count = number(operations::reduce(plus, c));
         }));
  return results;
}

#if !defined(CUGRB_BENCH_CUSPARSE)
nlohmann::json bench_cusparse(const formats::DeviceMatrix&, int) { return nullptr; }
#endif

}  // namespace cugrb::bench
