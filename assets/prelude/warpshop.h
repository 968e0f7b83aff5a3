// What a student's file may use without including anything. Compiled by NVRTC before the file
// itself. printf, assert, dim3, float4 and the device functions of CUDA are NVRTC's own.
#pragma once

// Cooperative groups with their own type traits: the same groups, a tenth of the compile time.
#define _CG_LIMIT_INCLUDED_DEPENDENCIES 1

#include <cstdint>

#include "dependent_launch.h"
#include "mixed_math.h"
#include "tensor_map.h"

// As <math.h> defines them, which NVRTC lacks.
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif

// The grid, the block and the dynamic shared memory with which a kernel is started.
//
//   __host__ __device__ Launch launch(int n) { return {(n + 255) / 256, 256}; }
//   __host__ __device__ Launch launch(int n) { return {{n / 16, n / 16}, {16, 16}, n * sizeof(float)}; }
struct Launch {
  dim3 grid;
  dim3 block;
  unsigned shared_bytes;

  __host__ __device__ Launch() : grid(1), block(1), shared_bytes(0) {}
  __host__ __device__ Launch(dim3 grid_size, dim3 block_size)
      : grid(grid_size), block(block_size), shared_bytes(0) {}
  template <typename Bytes>
  __host__ __device__ Launch(dim3 grid_size, dim3 block_size, Bytes dynamic_shared_bytes)
      : grid(grid_size), block(block_size), shared_bytes((unsigned)dynamic_shared_bytes) {}
};

// `{n / 16, n / 16}` for a dim3 narrows int to unsigned, which is what everybody writes.
#pragma nv_diag_suppress 2361
