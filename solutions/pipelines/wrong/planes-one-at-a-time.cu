// Smoothing along the depth of a volume: out(z) = (in(z) + … + in(z + 8)) / 9 for each of `depth`
// planes. `in` has eight planes more; `plane` is the number of elements per plane, a multiple of
// 256, and depth a multiple of 4.

__global__ void smooth(const float* in, float* out, int plane, int depth) {
  int at = blockIdx.x * 256 + threadIdx.x;
  float window[9];
  for (int k = 0; k < 8; ++k) window[k] = in[k * plane + at];
  for (int z = 0; z < depth; ++z) {
    window[8] = in[(z + 8) * plane + at];
    float sum = 0.0f;
    for (int k = 0; k < 9; ++k) sum += window[k];
    out[z * plane + at] = sum / 9.0f;
    for (int k = 0; k < 8; ++k) window[k] = window[k + 1];
  }
}

// One thread per column, which runs through all planes.
__host__ __device__ Launch launch(int plane, int depth) {
  return {dim3(plane / 256), dim3(256)};
}
