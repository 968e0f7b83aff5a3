// Four pairs in a row for each thread: in each request the lanes are 32 bytes apart.

__global__ void split(const float* in, float* left, float* right, int n) {
  int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < first + 4 && i < n; ++i) {
    float2 pair = reinterpret_cast<const float2*>(in)[i];
    left[i] = pair.x;
    right[i] = pair.y;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 1023) / 1024), dim3(256)};
}
