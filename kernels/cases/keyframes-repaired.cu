// Case 7, repaired: the block turns its 1,024 numbers as a tile of 32 x 32, so that the first warp has all long ones.

__global__ void kernel(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32, i = blockIdx.x * 1024 + t;
  tile[warp][lane] = i < n ? in[i] : 0.0f;
  __syncthreads();
  float x = tile[lane][warp];  // number 32 · lane + warp of the block
  const int steps = warp == 0 ? 512 : 16;
  for (int step = 0; step < steps; ++step) x = x * x - 0.5f;
  tile[lane][warp] = x;
  __syncthreads();
  if (i < n) out[i] = tile[warp][lane];
}
