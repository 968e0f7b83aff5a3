// Reference: a thread takes both samples of a pair at once.

__global__ void split(const float* in, float* left, float* right, int n) {
  const float2* pairs = reinterpret_cast<const float2*>(in);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float2 both = pairs[i];
    left[i] = both.x;
    right[i] = both.y;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
