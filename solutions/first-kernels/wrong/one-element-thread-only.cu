// Wrong: the number in the block alone. All blocks compute the first 256 elements.

__global__ void to_kelvin(const float* celsius, float* kelvin) {
  int i = threadIdx.x;
  kelvin[i] = celsius[i] + 273.15f;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 256), dim3(256)};
}
