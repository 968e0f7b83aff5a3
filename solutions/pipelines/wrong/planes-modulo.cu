// Smoothing along the depth of a volume: out(z) = (in(z) + … + in(z + 8)) / 9 for each of `depth`
// planes. `in` has eight planes more; `plane` is the number of elements per plane, a multiple of
// 256, and depth a multiple of 4.

__global__ void smooth(const float* in, float* out, int plane, int depth) {
  int at = blockIdx.x * 256 + threadIdx.x;
  float window[12];
  for (int k = 0; k < 8; ++k) window[k] = in[k * plane + at];
  for (int z = 0; z < depth; z += 4) {
    for (int k = 8; k < 12; ++k) window[(z + k) % 12] = in[(z + k) * plane + at];
    for (int r = 0; r < 4; ++r) {
      float sum = 0.0f;
      for (int k = 0; k < 9; ++k) sum += window[(z + r + k) % 12];
      out[(z + r) * plane + at] = sum / 9.0f;
    }
  }
}

// One thread per column, which runs through all planes.
__host__ __device__ Launch launch(int plane, int depth) {
  return {dim3(plane / 256), dim3(256)};
}
