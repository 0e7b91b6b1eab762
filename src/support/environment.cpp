#include "src/support/environment.h"

#include <sys/auxv.h>

#include <cstdlib>

namespace cugrb {

bool runs_with_foreign_rights() { return getauxval(AT_SECURE) != 0; }

const char* environment_variable(const char* name) { return secure_getenv(name); }

}  // namespace cugrb
