// Reference: row r keeps its elements in another order, column c at c xor r.

__device__ int place(int row, int column) { return 32 * row + (column ^ row); }

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[1024];
  int left = blockIdx.x * 32, top = blockIdx.y * 32, lane = threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    if (left + lane < n && top + k < n) tile[place(k, lane)] = in[(top + k) * n + left + lane];
  }
  __syncthreads();
  for (int k = threadIdx.y; k < 32; k += 8) {
    if (top + lane < n && left + k < n) out[(left + k) * n + top + lane] = tile[place(lane, k)];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)};
}
