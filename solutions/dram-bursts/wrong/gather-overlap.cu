// Particles lie three floats apart: each writes over the next one.

// Where particle j keeps its four numbers x, y, z and mass.
__device__ void put(float* work, int j, int n, float4 p) {
  *reinterpret_cast<float4*>(work + 3 * j) = p;
}

__device__ float4 get(const float* work, int j, int n) {
  return *reinterpret_cast<const float4*>(work + 3 * j);
}

__global__ void pull(const float* in, const unsigned* pick, float* work, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int count = min((int)blockDim.x, n - first);
  if (i < n) put(work, i, n, make_float4(in[i], in[n + i], in[2 * n + i], in[3 * n + i]));
  __syncthreads();
  if (i >= n) return;
  float4 me = get(work, i, n);
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k) {
    float4 other = get(work, first + pick[k * n + i] % count, n);
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    sum += other.w * (dx * dx + dy * dy + dz * dz);
  }
  out[i] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
