// Reference: lane k owns an element with remainder k modulo 32, whatever the header's length, so every warp starts
// on a line.

__global__ void twice_payload(const float* in, float* out, int first, int n) {
  unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  unsigned pieces = (n + 31) / 32;
  if (warp >= pieces) return;
  int piece = warp * 7919u % pieces;  // 7,919 is a prime number: each piece has its turn
  int i = 32 * piece + threadIdx.x % 32;
  if (first <= i && i < n) out[i] = in[i] + in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
