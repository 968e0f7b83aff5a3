// Fades a volume of n × n × n voxels: voxel (x, y, z) lies at in[(z * n + y) * n + x]. Each of its
// layers z has a level, each column (x, y) a mask.

__global__ void fade(const float* in, const float* level, const float* mask, float* out, int n) {
  //! begin
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  //! instead
  //! int z = blockIdx.x * blockDim.x + threadIdx.x;
  //! int y = blockIdx.y * blockDim.y + threadIdx.y;
  //! int x = blockIdx.z * blockDim.z + threadIdx.z;
  //! end
  if (x < n && y < n && z < n) {
    int i = (z * n + y) * n + x;
    out[i] = in[i] * level[z] * mask[y * n + x];
  }
}

// Blocks of 32 × 4 × 2 threads over the cube.
__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 3) / 4, (n + 1) / 2), dim3(32, 4, 2)};
}
