/* GraphBLAS.h with the numbers that SuiteSparse:GraphBLAS 8.0 and later give to the options that our tests
 * set: a program that is compiled so can run on any of these versions. To be included before everything else.
 */
#pragma once
#ifdef __cplusplus
#include <cinttypes>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
extern "C" {
#endif
#include <GraphBLAS.h>
#ifdef __cplusplus
}
#endif

#define GxB_HYPER_SWITCH ((GxB_Option_Field)7000)
#define GxB_BITMAP_SWITCH ((GxB_Option_Field)7001)
#define GxB_FORMAT ((GxB_Option_Field)7002)
#define GxB_SPARSITY_STATUS ((GxB_Option_Field)7034)
#define GxB_SPARSITY_CONTROL ((GxB_Option_Field)7036)
