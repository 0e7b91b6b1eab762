// Push from dynamic CSR: the kernels of vxm_push.h with the rows of mxv_dcsr.h (dcsr_rows).
#pragma once
#include "cuda/kernels/mxv_dcsr.h"
#include "cuda/kernels/vxm_push.h"
