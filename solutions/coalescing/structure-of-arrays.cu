// Unpacks n records, eight readings of 4 bits in 32 bits each, into a work array, then compares the first
// reading of each record with its partner's: 0 and 1 are partners, 2 and 3, and so on.
//
// The work array has room for 8 * pitch floats; pitch is n rounded up to a multiple of 32. How the
//! begin
// readings lie in it is up to place(): nothing else knows.

// Where reading f, 0 to 7, of record i lies in the work array.
__device__ int place(int i, int f, int pitch) {
  return f * pitch + i;
}
//! instead
//! // readings lie in it is up to the kernel. Here: an array of structures, eight readings after each other.
//! end

__global__ void contrast(const unsigned* packed, float* work, float* out, int n, int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = 0.0f;
  if (i < n) {
    unsigned p = packed[i];
    own = static_cast<float>(p & 15u);
#pragma unroll
    for (int f = 0; f < 8; ++f) {
      //! begin
      work[place(i, f, pitch)] = static_cast<float>(p >> 4 * f & 15u);
      //! instead
      //! work[8 * i + f] = static_cast<float>(p >> 4 * f & 15u);
      //! end
    }
  }
  __syncthreads();  // the partner's thread has written, too
  if (i < n) {
    int j = (i ^ 1) < n ? i ^ 1 : i;  // the last of an odd number is its own partner
    //! begin
    out[i] = own - work[place(j, 0, pitch)];
    //! instead
    //! out[i] = own - work[8 * j];
    //! end
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
