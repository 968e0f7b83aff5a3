// Reference: threadIdx.x walks along x, the direction in which voxels are neighbours in memory.

__global__ void fade(const float* in, const float* level, const float* mask, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= n || y >= n || z >= n) return;
  int column = y * n + x;
  int voxel = z * n * n + column;
  out[voxel] = in[voxel] * level[z] * mask[column];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 3) / 4, (n + 1) / 2), dim3(32, 4, 2)};
}
