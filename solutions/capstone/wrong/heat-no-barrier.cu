// A single tile, with one barrier per step: some write while others still read.

constexpr int kSteps = 4;

__global__ void __launch_bounds__(512) heat(const float* in, float* out, int n) {
  // A tile of 64 x 64 cells, of which the inner 56 x 56 are right after four steps. Eight cells of a column per thread.
  __shared__ float cells[64][64];
  const int tx = threadIdx.x, ty = threadIdx.y * 8;
  const int x = blockIdx.x * 56 - kSteps + tx, y = blockIdx.y * 56 - kSteps + ty;
  float v[8];
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    v[r] = x >= 0 && x < n && y + r >= 0 && y + r < n ? in[(y + r) * n + x] : 0.0f;
  }
  const int left = max(tx - 1, 0), right = min(tx + 1, 63), above = max(ty - 1, 0), below = min(ty + 8, 63);
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    float (*now)[64] = cells;
#pragma unroll
    for (int r = 0; r < 8; ++r) now[ty + r][tx] = v[r];
    __syncthreads();
    float last = now[above][tx];
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      const float next = r < 7 ? v[r + 1] : now[below][tx];
      const float mean = 0.25f * (last + next + now[ty + r][left] + now[ty + r][right]);
      last = v[r];
      if (x > 0 && x < n - 1 && y + r > 0 && y + r < n - 1) v[r] = mean;
    }
  }
  if (tx >= kSteps && tx < 64 - kSteps && x < n) {
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      if (ty + r >= kSteps && ty + r < 64 - kSteps && y + r < n) out[(y + r) * n + x] = v[r];
    }
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 55) / 56, (n + 55) / 56), dim3(64, 8)};
}
