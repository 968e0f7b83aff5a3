// Loss of each row: the logarithm of its sum of exponentials, minus the logit of the right answer.

constexpr float kLowest = -3.4e38f;  // below every number here; less any of them, its exponential is 0

// What some elements of a row come to: their largest, and the sum of exp(x - most).
struct Part {
  float most, sum;
};

__device__ Part merged(Part a, Part b) {
  //! begin
  const float most = fmaxf(a.most, b.most);
  return {most, a.sum * __expf(a.most - most) + b.sum * __expf(b.most - most)};
  //! instead
  //! return a;  // and what of b?
  //! end
}

__device__ Part merged_over_warp(Part mine) {
  for (int step = 16; step; step /= 2) {
    mine = merged(mine, {__shfl_xor_sync(~0u, mine.most, step), __shfl_xor_sync(~0u, mine.sum, step)});
  }
  return mine;
}

__global__ void loss(const float* logits, const int* target, float* out, int n) {
  //! begin
  __shared__ Part of_warp[8];
  const int t = threadIdx.x;
  const float* x = logits + (size_t)blockIdx.x * n;
  Part mine = {kLowest, 0.0f};  // finite
  for (int first = t; first < n; first += 4 * 256) {
    float v[4];
#pragma unroll
    for (int e = 0; e < 4; ++e) v[e] = first + 256 * e < n ? x[first + 256 * e] : kLowest;
    const float most = fmaxf(mine.most, fmaxf(fmaxf(v[0], v[1]), fmaxf(v[2], v[3])));
    mine.sum *= __expf(mine.most - most);  // once per four elements
    mine.most = most;
#pragma unroll
    for (int e = 0; e < 4; ++e) mine.sum += __expf(v[e] - most);
  }
  mine = merged_over_warp(mine);
  if (t % 32 == 0) of_warp[t / 32] = mine;
  __syncthreads();
  if (t < 32) {
    mine = merged_over_warp(t < 8 ? of_warp[t] : Part{kLowest, 0.0f});
    if (t == 0) out[blockIdx.x] = mine.most + logf(mine.sum) - x[target[blockIdx.x]];
  }
  //! instead
  //!
  //! end
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(rows), dim3(256)};
}
