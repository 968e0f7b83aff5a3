// Rounds the grid up and tests nothing.

__global__ void pack(const unsigned char* red, const unsigned char* green,
                     const unsigned char* blue, unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  reinterpret_cast<uchar4*>(out)[i] = make_uchar4(red[i], green[i], blue[i], 255);
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
