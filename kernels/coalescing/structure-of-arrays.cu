// Reference: eight planes, each `pitch` floats long.

__global__ void contrast(const unsigned* packed, float* work, float* out, int n, int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bits = i < n ? packed[i] : 0;
  if (i < n) {
    for (int f = 0; f < 8; ++f) work[f * pitch + i] = bits >> 4 * f & 15u;
  }
  __syncthreads();
  if (i < n) {
    int partner = i % 2 == 1 ? i - 1 : min(i + 1, n - 1);
    out[i] = static_cast<float>(bits & 15u) - work[partner];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
