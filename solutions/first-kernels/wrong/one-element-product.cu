// Wrong: block times thread instead of block times block size plus thread.

__global__ void to_kelvin(const float* celsius, float* kelvin) {
  int i = blockIdx.x * threadIdx.x;
  kelvin[i] = celsius[i] + 273.15f;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 256), dim3(256)};
}
