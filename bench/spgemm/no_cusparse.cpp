// Where there is no CUDA toolkit there is no comparator of cuSPARSE.
#include "bench/spgemm/bench.h"

namespace cugrb::bench {

nlohmann::json bench_cusparse(Product&, const Options&) { return nlohmann::json::array(); }

}  // namespace cugrb::bench
