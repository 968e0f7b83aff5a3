// Sums over windows: out[i] = in[i - r] + … + in[i + r], with 0 outside of the array.
// A block keeps its 256 elements and r neighbours on each side in dynamic shared memory.

__global__ void window_sums(const float* in, float* out, int r, int n) {
  //! begin
  extern __shared__ float part[];
  int first = blockIdx.x * blockDim.x - r;  // the element that part[0] holds
  int length = blockDim.x + 2 * r;
  for (int k = threadIdx.x; k < length; k += blockDim.x) {
    int i = first + k;
    part[k] = i >= 0 && i < n ? in[i] : 0.0f;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k <= 2 * r; ++k) sum += part[threadIdx.x + k];
  out[i] = sum;
  //! instead
  //!
  //! end
}

__host__ __device__ Launch launch(int n, int r) {
  int block = 256;
  //! begin
  unsigned bytes = (block + 2 * r) * sizeof(float);
  //! instead
  //! unsigned bytes = 48 * 1024;  // enough for every r that we will ever need
  //! end
  return {dim3((n + block - 1) / block), dim3(block), bytes};
}
