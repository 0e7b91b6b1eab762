// Stands for the machine's memory, so that a size line that promises much is refused alike on every machine.
#include "tools/graph_files/memory.h"

namespace cugrb::graph_files {

uint64_t available_memory() { return uint64_t{1} << 26; }

}  // namespace cugrb::graph_files
