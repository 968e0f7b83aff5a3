// For each query of each head: the logarithm of its sum over all keys of exp(q k / 8). Heads of n vectors of
// 64 floats; n is a multiple of 128.

constexpr int kDim = 64;
constexpr float kLowest = -3.4e38f;  // below every number here; less any of them, its exponential is 0

__global__ void __launch_bounds__(128) scores(const float* __restrict__ q, const float* __restrict__ k,
                                              float* __restrict__ out, int n) {
  constexpr int kKeys = 32, kTogether = 8;  // keys per tile, and per step of the running maximum
  __shared__ float4 ks[kKeys][kDim / 4];
  const int t = threadIdx.x, head = blockIdx.y * n * kDim / 4, mine = head + (blockIdx.x * 128 + t) * kDim / 4;
  const float4* keys = reinterpret_cast<const float4*>(k) + head;
  float4 query[kDim / 4];
#pragma unroll
  for (int d = 0; d < kDim / 4; ++d) query[d] = reinterpret_cast<const float4*>(q)[mine + d];
  //! begin
  float most = kLowest, weight = 0.0f;
  for (int first = 0; first < n; first += kKeys) {
    __syncthreads();
    for (int i = t; i < kKeys * kDim / 4; i += 128) ks[i / 16][i % 16] = keys[first * kDim / 4 + i];
    __syncthreads();
    for (int j = 0; j < kKeys; j += kTogether) {
      float score[kTogether] = {};
#pragma unroll
      for (int d = 0; d < kDim / 4; ++d) {
#pragma unroll
        for (int e = 0; e < kTogether; ++e) {  // independent sums
          const float4 key = ks[j + e][d];
          score[e] += query[d].x * key.x + query[d].y * key.y + query[d].z * key.z + query[d].w * key.w;
        }
      }
      float now = most;
#pragma unroll
      for (int e = 0; e < kTogether; ++e) now = fmaxf(now, 0.125f * score[e]);
      weight *= __expf(most - now);
      most = now;
#pragma unroll
      for (int e = 0; e < kTogether; ++e) weight += __expf(0.125f * score[e] - most);
    }
  }
  out[blockIdx.y * n + blockIdx.x * 128 + t] = most + logf(weight);
  //! instead
  //!
  //! end
}

__host__ __device__ Launch launch(int heads, int n) {
  return {dim3(n / 128, heads), dim3(128)};
}
