// Every node of a mesh gets the sum of its neighbours' numbers. Node v has 32 neighbours:
// neighbours[32 v] to neighbours[32 v + 31]. The nodes are numbered at random. `order` lists all of
// them along the mesh: the neighbours of nodes order[i] and order[i + 1] lie close together in x.

__global__ void neighbour_sums(const int* order, const int* neighbours, const float* x,
                               float* sums, int nodes) {
  //! begin
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nodes) return;
  int node = order[i];
  const int4* list = reinterpret_cast<const int4*>(neighbours + 32 * node);
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k) {
    int4 u = list[k];
    sum += x[u.x] + x[u.y] + x[u.z] + x[u.w];
  }
  sums[node] = sum;
  //! end
}

__host__ __device__ Launch launch(int nodes) {
  return {dim3((nodes + 255) / 256), dim3(256)};
}
