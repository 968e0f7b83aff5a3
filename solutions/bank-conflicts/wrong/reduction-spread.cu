// Spreads the working lanes: few of a warp meet, but every warp takes part in every round.

// Where element i lies in shared memory.
__device__ int place(int i) { return i; }

__global__ void lowest(const int* steps, int* lows, int n) {
  __shared__ int sum[1024], low[1024];  // from element i on: sum and lowest point
  int t = threadIdx.x;
  for (int k = t; k < 1024; k += 512) {
    int step = 1024 * blockIdx.x + k < n ? steps[1024 * blockIdx.x + k] : 0;
    sum[place(k)] = step;
    low[place(k)] = min(step, 0);
  }
  __syncthreads();
  for (int d = 1; d < 1024; d *= 2) {
    for (int i = t; i < 1024; i += 512) {
      if (i % (2 * d) == 0) {
        low[i] = min(low[i], sum[i] + low[i + d]);
        sum[i] += sum[i + d];
      }
    }
    __syncthreads();
  }
  if (t == 0) lows[blockIdx.x] = low[place(0)];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 1023) / 1024), dim3(512)};
}
