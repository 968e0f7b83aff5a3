// Each warp has a stretch of memory of its own: coalesced, but at 240 places at once.

__global__ void twice(const float* in, float* out, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int chunk = (n + threads - 1) / threads * 32;  // elements of a warp, whole lines
  int first = thread / 32 * chunk;
  for (int i = first + thread % 32; i < min(first + chunk, n); i += 32) out[i] = 2.0f * in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(30), dim3(256)};
}
