// Reference: a pixel is one word, red in its lowest byte.

__global__ void pack(const unsigned char* red, const unsigned char* green,
                     const unsigned char* blue, unsigned char* out, int n) {
  unsigned* pixels = reinterpret_cast<unsigned*>(out);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) pixels[i] = red[i] | green[i] << 8 | blue[i] << 16 | 255u << 24;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
