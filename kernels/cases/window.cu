// Case 4: each block turns its 256 numbers round.

__global__ void kernel(const float* in, float* out, int n) {
  extern __shared__ float numbers[];
  const int t = threadIdx.x, first = blockIdx.x * 256;
  numbers[t] = in[first + t];
  __syncthreads();
  out[first + t] = numbers[255 - t];
}
