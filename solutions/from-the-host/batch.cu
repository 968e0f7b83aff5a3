// Many vectors of different lengths lie one after the other in x: vector v has the elements
// starts[v] to starts[v + 1] - 1 and is multiplied by factors[v]. The grid has one block per vector.

__global__ void scale_all(const float* x, const int* starts, const float* factors, float* out, int vectors) {
  //! begin
  int v = blockIdx.x;
  float factor = factors[v];
  int end = starts[v + 1];
  for (int i = starts[v] + threadIdx.x; i < end; i += blockDim.x) out[i] = factor * x[i];
  //! end
}

__host__ __device__ Launch launch(int vectors) {
  return {dim3(vectors), dim3(128)};
}
