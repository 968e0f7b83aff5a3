// Wrong: each thread does its neighbours' elements as well, as a C programmer would who cannot let go of the loop.

__global__ void to_kelvin(const float* celsius, float* kelvin) {
  int first = blockIdx.x * blockDim.x;
  for (int i = first; i < first + (int)blockDim.x; ++i) kelvin[i] = celsius[i] + 273.15f;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 256), dim3(256)};
}
