// Follows n particles for `steps` steps. Each thread keeps position, speed and history of one particle.

constexpr int kState = 18;  // numbers that a particle remembers

//! begin
__global__ void __launch_bounds__(256, 8)
follow(const float* start, float* out, int steps, int n) {
//! instead
//! // The loops over the state are not unrolled, to keep the code short.
//! __global__ void follow(const float* start, float* out, int steps, int n) {
//! end
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float state[kState];
//! begin
#pragma unroll
//! instead
//! #pragma unroll 1
//! end
  for (int k = 0; k < kState; ++k) state[k] = start[k * n + i];
  for (int s = 0; s < steps; ++s) {
    float carry = state[kState - 1];
//! begin
#pragma unroll
//! instead
//! #pragma unroll 1
//! end
    for (int k = 0; k < kState; ++k) {
      float old = state[k];
      state[k] = 0.5f * old + 0.5f * carry;
      carry = old;
    }
  }
  float sum = 0.0f;
//! begin
#pragma unroll
//! instead
//! #pragma unroll 1
//! end
  for (int k = 0; k < kState; ++k) sum += state[k];
  out[i] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
