// Wrong: the roles of block and thread are swapped. The index runs far past the end.

__global__ void to_kelvin(const float* celsius, float* kelvin) {
  int i = threadIdx.x * blockDim.x + blockIdx.x;
  kelvin[i] = celsius[i] + 273.15f;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 256), dim3(256)};
}
