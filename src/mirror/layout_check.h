// Does the library keep its objects as the mirror reads and writes them? Asked of the library, not of its
// version.
#pragma once
#include <string>

namespace cugrb::mirror {

/// Makes a small matrix in each of SuiteSparse's four forms, compares what view() reads in place, takes its
/// content out, gives it back, as it was and with one value for all entries, and compares again. What
/// differs, as a text; empty when nothing does. To be called between GrB_init and the program's first object;
/// about 0.2 ms, once a process.
std::string check_layout() noexcept;

}  // namespace cugrb::mirror
