// Every node gets the sum of its neighbours' numbers, in the order of the nodes' numbers.

__global__ void neighbour_sums(const int* order, const int* neighbours, const float* x,
                               float* sums, int nodes) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  float sum = 0.0f;
  for (int k = 0; k < 32; ++k) {
    int u = neighbours[32 * node + k];
    sum += x[u];
  }
  sums[node] = sum;
}

__host__ __device__ Launch launch(int nodes) {
  return {dim3((nodes + 255) / 256), dim3(256)};
}
