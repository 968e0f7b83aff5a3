// A filter of 64 taps: out[i] is the sum of weight[k] in[i + k]. `in` has 63 elements more than
// `out`.

constexpr int kTaps = 64;

__global__ void filter(const float* __restrict__ in, const float* __restrict__ weight,
                       float* __restrict__ out, int n) {
  //! begin
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum[4] = {};
#pragma unroll
  for (int k = 0; k < kTaps; ++k) sum[k % 4] = fmaf(weight[k], in[i + k], sum[k % 4]);
  out[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
