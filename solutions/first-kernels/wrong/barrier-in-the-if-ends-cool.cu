// Wrong: all cells are computed, so the ends cool down towards nothing.

__global__ void diffuse(const float* in, float* out, int steps) {
  __shared__ float rod[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  rod[t] = in[i];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    float left = t > 0 ? rod[t - 1] : 0.0f;
    float right = t < 255 ? rod[t + 1] : 0.0f;
    float next = (left + 2.0f * rod[t] + right) / 4.0f;
    __syncthreads();
    rod[t] = next;
    __syncthreads();
  }
  out[i] = rod[t];
}

__host__ __device__ Launch launch(int rods) {
  return {dim3(rods), dim3(256)};
}
