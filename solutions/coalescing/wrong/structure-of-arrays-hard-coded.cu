// The pitch of the first size is written into the kernel.

// Where reading f, 0 to 7, of record i lies in the work array.
__device__ int place(int i, int f, int pitch) {
  return f * 32768 + i;
}

__global__ void contrast(const unsigned* packed, float* work, float* out, int n, int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = 0.0f;
  if (i < n) {
    unsigned p = packed[i];
    own = static_cast<float>(p & 15u);
#pragma unroll
    for (int f = 0; f < 8; ++f) {
      work[place(i, f, pitch)] = static_cast<float>(p >> 4 * f & 15u);
    }
  }
  __syncthreads();  // the partner's thread has written, too
  if (i < n) {
    int j = (i ^ 1) < n ? i ^ 1 : i;  // the last of an odd number is its own partner
    out[i] = own - work[place(j, 0, pitch)];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
