// Wrong: nothing is shared. Every thread adds up the times of all 256 athletes anew.

__global__ void places(const float* swim, const float* cycle, const float* run, int* place) {
  int first = blockIdx.x * 256;
  int i = first + threadIdx.x;
  float mine = swim[i] + cycle[i] + run[i];
  int faster = 0;
  for (int k = first; k < first + 256; ++k) {
    if (swim[k] + cycle[k] + run[k] < mine) ++faster;
  }
  place[i] = 1 + faster;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 256), dim3(256)};
}
