// hypot and hypotf of glibc 2.2.5 in place of those of 2.35, the only functions of that version that this
// code calls: the package of Python then runs where glibc 2.34 is (RHEL 9). Both give the same values; the
// older ones set errno themselves. cmake/cugrb_older_glibc.cmake has the linker send calls here.
#include <features.h>

#if defined(__x86_64__) && defined(__GLIBC__)
extern "C" {
double cugrb_older_hypot(double, double) noexcept;
float cugrb_older_hypotf(float, float) noexcept;
asm(".symver cugrb_older_hypot, hypot@GLIBC_2.2.5");
asm(".symver cugrb_older_hypotf, hypotf@GLIBC_2.2.5");

double __wrap_hypot(double x, double y) noexcept { return cugrb_older_hypot(x, y); }
float __wrap_hypotf(float x, float y) noexcept { return cugrb_older_hypotf(x, y); }
}
#endif
