// Reference: one warp per query. It keeps the scores of all keys in shared memory, one row of the n x n matrix.

constexpr int kDim = 64;
constexpr float kLowest = -3.4e38f;  // below every number here; less any of them, its exponential is 0

__global__ void scores(const float* q, const float* k, float* out, int n) {
  extern __shared__ float score[];
  const int query = blockIdx.x, head = blockIdx.y, lane = threadIdx.x;
  const int base = head * n * kDim, mine = base + query * kDim;
  float most = kLowest, sum = 0.0f;
  for (int j = lane; j < n; j += 32) {
    double dot = 0.0;
    for (int d = 0; d < kDim; ++d) dot += (double)q[mine + d] * k[base + j * kDim + d];
    score[j] = float(dot * 0.125);
    most = fmaxf(most, score[j]);
  }
  for (int step = 16; step; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  for (int j = lane; j < n; j += 32) sum += expf(score[j] - most);
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) out[head * n + query] = most + logf(sum);
}

__host__ __device__ Launch launch(int heads, int n) {
  return {dim3(n, heads), dim3(32), 4u * n};
}
