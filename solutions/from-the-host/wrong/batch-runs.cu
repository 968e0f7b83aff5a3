// Each thread takes a run of neighbours, so the lanes are apart.

__global__ void scale_all(const float* x, const int* starts, const float* factors, float* out, int vectors) {
  int v = blockIdx.x;
  float factor = factors[v];
  int end = starts[v + 1];
  int run = (end - starts[v] + blockDim.x - 1) / blockDim.x;
  int begin = starts[v] + threadIdx.x * run;
  for (int i = begin; i < begin + run && i < end; ++i) out[i] = factor * x[i];
}

__host__ __device__ Launch launch(int vectors) {
  return {dim3(vectors), dim3(128)};
}
