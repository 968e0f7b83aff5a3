// No border at all: right in the middle, wrong at both ends of the signal.

__global__ void smooth(const float* part, float* out, int first, int count, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= count) return;
  int i = first + j;
  float middle = part[j + 1];
  float left = part[j];
  float right = part[j + 2];
  out[j] = 0.25f * left + 0.5f * middle + 0.25f * right;
}

__host__ __device__ Launch launch(int count) {
  return {dim3((count + 255) / 256), dim3(256)};
}
