#include "bench/common/candidates.h"

#include "src/support/settings.h"

namespace cugrb::bench {

void force(const std::string& kernel) {
  Settings changed = settings();
  changed.force = kernel;
  override_settings(changed);
}

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

}  // namespace cugrb::bench
