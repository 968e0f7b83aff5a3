// Unpacks n points (three 10-bit coordinates in 32 bits) into a work array, then gives each point the
// squared distance to its partner: 0 and 1 are partners, 2 and 3, and so on.
//
// The work array has room for 3 * pitch floats; pitch is n rounded up to a multiple of 32. How the
//! begin
// coordinates lie in it is up to place(): nothing else knows.

// Where coordinate 0 (x), 1 (y) or 2 (z) of point i lies in the work array.
__device__ int place(int i, int coordinate, int pitch) {
  return coordinate * pitch + i;
}
//! instead
//! // coordinates lie in it is up to the kernel. Here: an array of structures, x y z, x y z, …
//! end

__global__ void distances(const unsigned* packed, float* work, float* out, int n, int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.0f, y = 0.0f, z = 0.0f;
  if (i < n) {
    unsigned p = packed[i];
    x = static_cast<float>(p & 1023u);
    y = static_cast<float>(p >> 10 & 1023u);
    z = static_cast<float>(p >> 20 & 1023u);
    //! begin
    work[place(i, 0, pitch)] = x;
    work[place(i, 1, pitch)] = y;
    work[place(i, 2, pitch)] = z;
    //! instead
    //! work[3 * i] = x;
    //! work[3 * i + 1] = y;
    //! work[3 * i + 2] = z;
    //! end
  }
  __syncthreads();  // the partner's thread has written, too
  if (i < n) {
    int j = (i ^ 1) < n ? i ^ 1 : i;  // the last of an odd number is its own partner
    //! begin
    float dx = work[place(j, 0, pitch)] - x;
    float dy = work[place(j, 1, pitch)] - y;
    float dz = work[place(j, 2, pitch)] - z;
    //! instead
    //! float dx = work[3 * j] - x;
    //! float dy = work[3 * j + 1] - y;
    //! float dz = work[3 * j + 2] - z;
    //! end
    out[i] = dx * dx + dy * dy + dz * dz;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
