// Smoothing along the depth of a volume: out(z) = (in(z) + … + in(z + 8)) / 9 for each of `depth`
// planes. `in` has eight planes more; `plane` is the number of elements per plane, a multiple of
// 256, and depth a multiple of 4.

__global__ void smooth(const float* in, float* out, int plane, int depth) {
  int at = blockIdx.x * 256 + threadIdx.x, z = blockIdx.y;
  float sum = 0.0f;
  for (int k = 0; k < 9; ++k) sum += in[(z + k) * plane + at];
  out[z * plane + at] = sum / 9.0f;
}

// One thread per result.
__host__ __device__ Launch launch(int plane, int depth) {
  return {dim3(plane / 256, depth), dim3(256)};
}
