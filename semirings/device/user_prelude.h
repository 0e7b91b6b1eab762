// Names that C definitions of user-defined types and operators expect, where the compiler brings no headers
// (NVRTC).
#pragma once
#include "semirings/device/semirings.h"

#if !defined(__CUDACC_RTC__)
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#else
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT64_MAX 9223372036854775807LL
#define UINT64_MAX 18446744073709551615ULL
#define SIZE_MAX UINT64_MAX
#define INT_MIN INT32_MIN
#define INT_MAX INT32_MAX
#define UINT_MAX UINT32_MAX
#define LONG_MIN INT64_MIN
#define LONG_MAX INT64_MAX
#define ULONG_MAX UINT64_MAX
#define FLT_MAX 3.40282346638528859811704183484516925e+38F
#define FLT_MIN 1.17549435082228750796873653722224568e-38F
#define FLT_EPSILON 1.1920928955078125e-7F
#define DBL_MAX 1.79769313486231570814527423731704357e+308
#define DBL_MIN 2.22507385850720138309023271733240406e-308
#define DBL_EPSILON 2.2204460492503130808472633361816e-16
#ifndef INFINITY
#define INFINITY (::cugrb::infinity<float>())
#endif
#ifndef NAN
#define NAN (::cugrb::not_a_number<float>())
#endif
#ifndef NULL
#define NULL 0
#endif
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#endif

#undef assert
#define assert(condition) ((void)0)  // a library does not abort its host

typedef uint64_t GrB_Index;
typedef ::cugrb::complex_of<float> GxB_FC32_t;
typedef ::cugrb::complex_of<double> GxB_FC64_t;
#ifndef restrict
#define restrict
#endif
