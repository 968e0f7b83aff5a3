// Attention of each head: out = softmax(q k^T / 8) v, for heads x n x 64 floats; n is a multiple of 128.

constexpr int kDim = 64;
constexpr float kLowest = -3.4e38f;  // below every number here; less any of them, its exponential is 0

__global__ void __launch_bounds__(128) attention(const float* __restrict__ q, const float* __restrict__ k,
                                                 const float* __restrict__ v, float* __restrict__ out, int n) {
  constexpr int kKeys = 32, kTogether = 8;  // keys per tile, and per step of the running maximum
  __shared__ float4 ks[kKeys][kDim / 4], vs[kKeys][kDim / 4];
  const int t = threadIdx.x, head = blockIdx.y * n * kDim / 4, mine = head + (blockIdx.x * 128 + t) * kDim / 4;
  const float4* keys = reinterpret_cast<const float4*>(k) + head;
  const float4* values = reinterpret_cast<const float4*>(v) + head;
  float4 query[kDim / 4], sum[kDim / 4] = {};
#pragma unroll
  for (int d = 0; d < kDim / 4; ++d) {
    query[d] = reinterpret_cast<const float4*>(q)[mine + d];
    query[d] = make_float4(query[d].x * 0.125f, query[d].y * 0.125f, query[d].z * 0.125f, query[d].w * 0.125f);
  }
  float most = kLowest, weight = 0.0f;
  for (int first = 0; first < n; first += kKeys) {
    __syncthreads();
    for (int i = t; i < kKeys * kDim / 4; i += 128) {
      ks[i / 16][i % 16] = keys[first * kDim / 4 + i];
      vs[i / 16][i % 16] = values[first * kDim / 4 + i];
    }
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
      for (int e = 0; e < kTogether; ++e) now = fmaxf(now, score[e]);
      const float fade = __expf(most - now);
      most = now;
      //! begin
      weight *= fade;
#pragma unroll
      for (int d = 0; d < kDim / 4; ++d) {
        sum[d] = make_float4(sum[d].x * fade, sum[d].y * fade, sum[d].z * fade, sum[d].w * fade);
      }
#pragma unroll
      for (int e = 0; e < kTogether; ++e) {
        const float p = __expf(score[e] - most);
        weight += p;
#pragma unroll
        for (int d = 0; d < kDim / 4; ++d) {
          const float4 value = vs[j + e][d];
          sum[d].x += p * value.x;
          sum[d].y += p * value.y;
          sum[d].z += p * value.z;
          sum[d].w += p * value.w;
        }
      }
      //! instead
      //! // Fade what is old. Then add the eight weights, and their values times the weights.
      //! end
    }
  }
  //! begin
  const float one = 1.0f / weight;
#pragma unroll
  for (int d = 0; d < kDim / 4; ++d) {
    reinterpret_cast<float4*>(out)[mine + d] = make_float4(sum[d].x * one, sum[d].y * one, sum[d].z * one, sum[d].w * one);
  }
  //! instead
  //! // And the result?
  //! end
}

__host__ __device__ Launch launch(int heads, int n) {
  return {dim3(n / 128, heads), dim3(128)};
}
