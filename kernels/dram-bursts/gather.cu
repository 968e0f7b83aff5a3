// Reference: a particle is one float4 of the work array.

__global__ void pull(const float* in, const unsigned* pick, float* work, float* out, int n) {
  float4* particles = reinterpret_cast<float4*>(work);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int count = min((int)blockDim.x, n - first);
  float4 me;
  if (i < n) {
    me = make_float4(in[i], in[n + i], in[2 * n + i], in[3 * n + i]);
    particles[i] = me;
  }
  __syncthreads();
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k) {
    float4 other = particles[first + pick[k * n + i] % count];
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    sum += other.w * (dx * dx + dy * dy + dz * dz);
  }
  out[i] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
