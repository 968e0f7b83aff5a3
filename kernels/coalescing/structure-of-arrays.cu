// Reference: three planes, each `pitch` floats long.

__global__ void distances(const unsigned* packed, float* work, float* out, int n, int pitch) {
  float* plane[3] = {work, work + pitch, work + 2 * pitch};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int own[3] = {0, 0, 0};
  if (i < n) {
    unsigned bits = packed[i];
    for (int c = 0; c < 3; ++c) {
      own[c] = bits >> 10 * c & 1023u;
      plane[c][i] = own[c];
    }
  }
  __syncthreads();
  if (i < n) {
    int partner = i % 2 == 1 ? i - 1 : min(i + 1, n - 1);
    float sum = 0.0f;
    for (int c = 0; c < 3; ++c) {
      float d = plane[c][partner] - own[c];
      sum += d * d;
    }
    out[i] = sum;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
