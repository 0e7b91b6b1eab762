// Numbers as text with a point in every locale: what is printed and read by other programs must not depend on
// the one that the host program has set.
#pragma once
#include <string>

namespace cugrb {

/// With so many digits after the point: fixed_text(1.5, 2) is "1.50".
std::string fixed_text(double value, int digits);
/// With so many significant digits, as printf's %g: general_text(0.8647, 2) is "0.86".
std::string general_text(double value, int digits);

}  // namespace cugrb
