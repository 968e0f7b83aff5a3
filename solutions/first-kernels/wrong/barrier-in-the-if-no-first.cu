// Wrong: no barrier between reading the old temperatures and writing the new ones.

__global__ void diffuse(const float* in, float* out, int steps) {
  __shared__ float rod[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  rod[t] = in[i];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    float next = rod[t];
    if (t > 0 && t < 255) next = (rod[t - 1] + 2.0f * rod[t] + rod[t + 1]) / 4.0f;
    rod[t] = next;
    __syncthreads();
  }
  out[i] = rod[t];
}

__host__ __device__ Launch launch(int rods) {
  return {dim3(rods), dim3(256)};
}
