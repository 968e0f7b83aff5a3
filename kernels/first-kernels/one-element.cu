// Reference. Converts temperatures from degrees Celsius to kelvin: adds 273.15 to each. There are exactly as many threads as elements.

__global__ void to_kelvin(const float* celsius, float* kelvin) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  kelvin[i] = celsius[i] + 273.15f;
}

// The launch: n / 256 blocks of 256 threads. Every n here is a multiple of 256.
__host__ __device__ Launch launch(int n) {
  return {dim3(n / 256), dim3(256)};
}
