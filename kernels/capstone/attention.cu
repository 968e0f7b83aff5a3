// Reference: one warp per query. It keeps the scores of all keys in shared memory, one row of the n x n matrix.

constexpr int kDim = 64;
constexpr float kLowest = -3.4e38f;  // below every number here; less any of them, its exponential is 0

__global__ void attention(const float* q, const float* k, const float* v, float* out, int n) {
  extern __shared__ float score[];
  const int query = blockIdx.x, head = blockIdx.y, lane = threadIdx.x;
  const int base = head * n * kDim, mine = base + query * kDim;
  float most = kLowest, sum = 0.0f, low = 0.0f, high = 0.0f;
  for (int j = lane; j < n; j += 32) {
    double dot = 0.0;
    for (int d = 0; d < kDim; ++d) dot += (double)q[mine + d] * k[base + j * kDim + d];
    score[j] = float(dot * 0.125);
    most = fmaxf(most, score[j]);
  }
  for (int step = 16; step; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  for (int j = lane; j < n; j += 32) {
    score[j] = expf(score[j] - most);
    sum += score[j];
  }
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  __syncwarp();
  for (int j = 0; j < n; ++j) {
    low += score[j] * v[base + j * kDim + lane];
    high += score[j] * v[base + j * kDim + lane + 32];
  }
  out[mine + lane] = low / sum;
  out[mine + lane + 32] = high / sum;
}

__host__ __device__ Launch launch(int heads, int n) {
  return {dim3(n, heads), dim3(32), 4u * n};
}
