// Each block is a metal rod of 256 cells, one thread per cell. In every step a cell takes the mean of itself, counted twice,
// and its two neighbours. The two end cells of a rod keep their temperature.

__global__ void diffuse(const float* in, float* out, int steps) {
  __shared__ float rod[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  rod[t] = in[i];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    //! begin
    float next = rod[t];
    if (t > 0 && t < 255) next = (rod[t - 1] + 2.0f * rod[t] + rod[t + 1]) / 4.0f;
    __syncthreads();  // everybody has read the old temperatures
    rod[t] = next;
    __syncthreads();  // everybody has written the new ones
    //! instead
    //! if (t > 0 && t < 255) {
    //!   float next = (rod[t - 1] + 2.0f * rod[t] + rod[t + 1]) / 4.0f;
    //!   __syncthreads();  // everybody has read the old temperatures
    //!   rod[t] = next;
    //!   __syncthreads();  // everybody has written the new ones
    //! }
    //! end
  }
  out[i] = rod[t];
}

__host__ __device__ Launch launch(int rods) {
  return {dim3(rods), dim3(256)};
}
