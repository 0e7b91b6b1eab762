#include "bench/common/candidates.h"

#include "src/support/declined.h"

namespace cugrb::bench {

void attempt(nlohmann::json& row, const std::function<void()>& measure) {
  try {
    measure();
  } catch (const Declined& declined) {
    row["skipped"] = declined.what();
  } catch (const runtime::OutOfMemory& failure) {
    row["skipped"] = failure.what();
  } catch (const calibration::AnotherKernel& another) {
    row["skipped"] = another.what();
  } catch (const std::exception& failure) {
    row["failed"] = failure.what();
  }
}

}  // namespace cugrb::bench
