// hypot and hypotf of glibc 2.2.5 in place of those of 2.35, and std::condition_variable::wait of GCC 4.4 in
// place of that of GCC 12: the only functions of these versions that this code calls. The package of Python
// then runs where glibc 2.34 and GCC 11's library are (RHEL 9). The older ones do the same, but for two
// things: those of glibc set errno themselves, and a thread that is cancelled in the older wait() ends the
// process. Here only threads of cuGrB's own wait, and others that have put cancellation off.
// cmake/cugrb_older_glibc.cmake has the linker send calls here.
#include <features.h>

#if defined(__x86_64__) && defined(__GLIBC__)
extern "C" {
double cugrb_older_hypot(double, double) noexcept;
float cugrb_older_hypotf(float, float) noexcept;
asm(".symver cugrb_older_hypot, hypot@GLIBC_2.2.5");
asm(".symver cugrb_older_hypotf, hypotf@GLIBC_2.2.5");

double __wrap_hypot(double x, double y) noexcept { return cugrb_older_hypot(x, y); }
float __wrap_hypotf(float x, float y) noexcept { return cugrb_older_hypotf(x, y); }

void cugrb_older_wait(void*, void*) noexcept;
asm(".symver cugrb_older_wait, _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");

void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(void* condition, void* lock) noexcept {
  cugrb_older_wait(condition, lock);
}
}
#endif
