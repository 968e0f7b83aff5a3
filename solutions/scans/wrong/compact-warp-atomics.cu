// One atomic per warp and round: fewer of them, but the warps come in any order.

__global__ void keep_positive(const int* in, int* out, int* counts) {
  __shared__ int next;
  int row = blockIdx.x * 1024, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  for (int r = 0; r < 4; ++r) {
    int v = in[row + threadIdx.x / 32 * 128 + r * 32 + lane];
    unsigned kept = __ballot_sync(0xffffffffu, v > 0);
    int at = 0;
    if (lane == 0) at = atomicAdd(&next, __popc(kept));
    at = __shfl_sync(0xffffffffu, at, 0);
    if (v > 0) out[row + at + __popc(kept & ((1u << lane) - 1u))] = v;
  }
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = next;
}

__host__ __device__ Launch launch(int rows) {
  return {dim3(rows), dim3(256)};
}
