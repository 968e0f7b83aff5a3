// Packs three colour planes of n pixels into pixels of four bytes: red, green, blue, 255.

__global__ void pack(const unsigned char* red, const unsigned char* green,
                     const unsigned char* blue, unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  //! begin
  reinterpret_cast<uchar4*>(out)[i] = make_uchar4(red[i], green[i], blue[i], 255);
  //! instead
  //! out[4 * i] = red[i];
  //! out[4 * i + 1] = green[i];
  //! out[4 * i + 2] = blue[i];
  //! out[4 * i + 3] = 255;
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
