// out[i] = 2 in[i] + 1. A block does a stretch of elements; n is any number.

//! begin
constexpr int kEach = 4;  // elements a thread, 256 apart
//! instead
//! constexpr int kEach = 4;  // elements per thread
//! end

__global__ void brighten(const float* in, float* out, int n) {
  //! begin
  int first = kEach * 256 * blockIdx.x + threadIdx.x;
  float v[kEach];
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    int i = first + 256 * e;
    v[e] = i < n ? in[i] : 0.0f;
  }
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    int i = first + 256 * e;
    if (i < n) out[i] = 2.0f * v[e] + 1.0f;
  }
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 256 * kEach - 1) / (256 * kEach)), dim3(256)};
}
