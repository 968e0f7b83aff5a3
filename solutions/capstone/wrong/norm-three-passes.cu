// Reads the row three times, 16 bytes per lane.
__device__ float added_over_block(float mine, float* of_warp) {
  for (int step = 16; step; step /= 2) mine += __shfl_xor_sync(~0u, mine, step);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  float sum = 0.0f;
  for (int w = 0; w < 8; ++w) sum += of_warp[w];
  return sum;
}

__global__ void norm(const float* in, const float* scale, const float* shift, float* out, int n) {
  __shared__ float of_warp[2][8];
  const int t = threadIdx.x, row = blockIdx.x * n;
  const float4* x = reinterpret_cast<const float4*>(in + row);
  float sum = 0.0f, squares = 0.0f;
  for (int i = t; i < n / 4; i += 256) sum += x[i].x + x[i].y + x[i].z + x[i].w;
  const float mean = added_over_block(sum, of_warp[0]) / n;
  for (int i = t; i < n / 4; i += 256) {
    const float4 v = make_float4(x[i].x - mean, x[i].y - mean, x[i].z - mean, x[i].w - mean);
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  const float one = rsqrtf(added_over_block(squares, of_warp[1]) / n + 1e-5f);
  for (int i = t; i < n / 4; i += 256) {
    const float4 v = x[i], a = reinterpret_cast<const float4*>(scale)[i], b = reinterpret_cast<const float4*>(shift)[i];
    reinterpret_cast<float4*>(out + row)[i] =
        make_float4((v.x - mean) * one * a.x + b.x, (v.y - mean) * one * a.y + b.y, (v.z - mean) * one * a.z + b.z,
                    (v.w - mean) * one * a.w + b.w);
  }
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(rows), dim3(256)};
}
