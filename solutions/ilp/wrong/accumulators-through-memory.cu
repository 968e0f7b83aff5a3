// One sum, cut into pieces by a word of shared memory.
constexpr int kTaps = 64;
__global__ void filter(const float* __restrict__ in, const float* __restrict__ weight,
                       float* __restrict__ out, int n) {
  __shared__ volatile float keep[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kTaps; ++k) {
    sum = fmaf(weight[k], in[i + k], sum);
    if (k % 4 == 3) {
      keep[threadIdx.x] = sum;
      sum = keep[threadIdx.x];
    }
  }
  out[i] = sum;
}
__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
