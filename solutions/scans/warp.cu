// Scans each group of 32 elements: the sums up to and including each element, and those before it.

__global__ void scan_warps(const unsigned* in, unsigned* inclusive, unsigned* exclusive, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int lane = threadIdx.x % 32;
  unsigned v = i < n ? in[i] : 0u;
  //! begin
  unsigned sum = v;
  for (int d = 1; d < 32; d *= 2) {
    unsigned left = __shfl_up_sync(0xffffffffu, sum, d);
    if (lane >= d) sum += left;
  }
  //! instead
  //! __shared__ unsigned part[256];
  //! int t = threadIdx.x;
  //! part[t] = v;
  //! __syncthreads();
  //! for (int d = 1; d < 32; d *= 2) {
  //!   unsigned left = lane >= d ? part[t - d] : 0u;
  //!   __syncthreads();  // everyone has read …
  //!   part[t] += left;
  //!   __syncthreads();  // … and everyone has written
  //! }
  //! unsigned sum = part[t];
  //! end
  if (i < n) {
    inclusive[i] = sum;
    exclusive[i] = sum - v;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
