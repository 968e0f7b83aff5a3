// Scans rows of different lengths, one after the other in memory: heads[i] is 1 where a row begins.
// A row never crosses a multiple of 256.

__global__ void scan_rows(const unsigned* in, const unsigned char* heads, unsigned* out, int n) {
  __shared__ unsigned sums[8], closed[8];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int i = blockIdx.x * 256 + t;
  unsigned v = i < n ? in[i] : 0u;
  //! begin
  unsigned all = __ballot_sync(0xffffffffu, i < n && heads[i]);
  unsigned mine = all & (0xffffffffu >> (31 - lane));  // the heads up to this lane
  int first = mine ? 31 - __clz(mine) : 0;             // where the row begins in this warp
  for (int d = 1; d < 32; d *= 2) {
    unsigned left = __shfl_up_sync(0xffffffffu, v, d);
    if (lane - d >= first) v += left;
  }
  if (lane == 31) {
    sums[warp] = v;
    closed[warp] = all != 0u;
  }
  __syncthreads();
  if (!mine) {  // the row began in an earlier warp
    for (int w = warp - 1; w >= 0; --w) {
      v += sums[w];
      if (closed[w]) break;
    }
  }
  //! instead
  //! // Scan v, from each row's head on.
  //! end
  if (i < n) out[i] = v;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
