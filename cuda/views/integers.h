// Fixed-width integers, under the same names for NVRTC (which has no <cstdint>), nvcc and the host compiler.
#pragma once
#if defined(__CUDACC_RTC__)
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned long size_t;
#else
#include <cstddef>
#include <cstdint>
#endif

/// A function of a view struct that the host and kernels share.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define CUGRB_HOST_DEVICE __host__ __device__
#else
#define CUGRB_HOST_DEVICE
#endif
