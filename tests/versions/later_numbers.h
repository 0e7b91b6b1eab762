/* GraphBLAS.h with the numbers that SuiteSparse:GraphBLAS 8.0 and later give to the options that our tests
 * set: a program that is compiled so can run on any of these versions. To be included before everything else.
 */
#pragma once
#include "../../include/cugrb/detail/c_api.hpp"

#define GxB_HYPER_SWITCH ((GxB_Option_Field)7000)
#define GxB_BITMAP_SWITCH ((GxB_Option_Field)7001)
#define GxB_FORMAT ((GxB_Option_Field)7002)
#define GxB_SPARSITY_STATUS ((GxB_Option_Field)7034)
#define GxB_SPARSITY_CONTROL ((GxB_Option_Field)7036)
