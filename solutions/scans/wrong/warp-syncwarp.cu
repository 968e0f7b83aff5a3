// Still through shared memory, but without barriers: the lanes of a warp wait only for each other.

__global__ void scan_warps(const unsigned* in, unsigned* inclusive, unsigned* exclusive, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int lane = threadIdx.x % 32;
  unsigned v = i < n ? in[i] : 0u;
  __shared__ unsigned part[256];
  int t = threadIdx.x;
  part[t] = v;
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    unsigned left = lane >= d ? part[t - d] : 0u;
    __syncwarp();
    part[t] += left;
    __syncwarp();
  }
  unsigned sum = part[t];
  if (i < n) {
    inclusive[i] = sum;
    exclusive[i] = sum - v;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
