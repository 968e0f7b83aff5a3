// A walk of n steps, up or down, in parts of 1,024: lows[b] is the lowest point that part b reaches
// below its own beginning, 0 if it never goes below it.

// Where element i lies in shared memory.
//! begin
__device__ int place(int i) { return i + i / 32; }
//! instead
//! __device__ int place(int i) { return i; }
//! end

__global__ void lowest(const int* steps, int* lows, int n) {
  //! begin
  __shared__ int sum[1024 + 32], low[1024 + 32];  // from element i on: sum and lowest point
  //! instead
  //! __shared__ int sum[1024], low[1024];  // from element i on: sum and lowest point
  //! end
  int t = threadIdx.x;
  for (int k = t; k < 1024; k += 512) {
    int step = 1024 * blockIdx.x + k < n ? steps[1024 * blockIdx.x + k] : 0;
    sum[place(k)] = step;
    low[place(k)] = min(step, 0);
  }
  __syncthreads();
  for (int d = 1; d < 1024; d *= 2) {
    if (int i = 2 * d * t; i < 1024) {
      int left = place(i), right = place(i + d);
      low[left] = min(low[left], sum[left] + low[right]);
      sum[left] += sum[right];
    }
    __syncthreads();
  }
  if (t == 0) lows[blockIdx.x] = low[place(0)];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 1023) / 1024), dim3(512)};
}
