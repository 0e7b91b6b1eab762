// Where there is no CUDA toolkit there is no comparator of cuSPARSE.
#include "bench/spmv/bench.h"

namespace cugrb::bench {

nlohmann::json bench_cusparse(const Product&, const Options&) { return nlohmann::json::array(); }

}  // namespace cugrb::bench
