#include "bench/common/candidates.h"

#include "src/support/declined.h"

namespace cugrb::bench {

trace::Record traced(const char* function, const std::function<void()>& run) {
  trace::keep_records(true);
  trace::Record record;
  {
    trace::Scope scope(function);
    run();
    record = trace::current();
  }
  trace::keep_records(false);
  return record;
}

void attempt(nlohmann::json& row, const std::function<void()>& measure) {
  try {
    measure();
  } catch (const Declined& declined) {
    row["skipped"] = declined.what();
  } catch (const runtime::OutOfMemory& failure) {
    row["skipped"] = failure.what();
  } catch (const std::exception& failure) {
    row["failed"] = failure.what();
  }
}

}  // namespace cugrb::bench
