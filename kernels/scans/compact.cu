// Packs each row of 1,024 numbers to the left: the positive ones in their order. counts[r] says how many they are.

__global__ void keep_positive(const int* in, int* out, int* counts) {
  __shared__ int found[8];
  int row = blockIdx.x * 1024, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int v[4];
  unsigned kept[4];
  int count = 0;
  for (int r = 0; r < 4; ++r) v[r] = in[row + warp * 128 + r * 32 + lane];
  for (int r = 0; r < 4; ++r) {
    kept[r] = __ballot_sync(0xffffffffu, v[r] > 0);
    count += __popc(kept[r]);
  }
  if (lane == 0) found[warp] = count;
  __syncthreads();
  int at = 0, total = 0;
  for (int w = 0; w < 8; ++w) {
    if (w == warp) at = total;
    total += found[w];
  }
  for (int r = 0; r < 4; ++r) {
    if (v[r] > 0) out[row + at + __popc(kept[r] & ((1u << lane) - 1u))] = v[r];
    at += __popc(kept[r]);
  }
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

__host__ __device__ Launch launch(int rows) {
  return {dim3(rows), dim3(256)};
}
