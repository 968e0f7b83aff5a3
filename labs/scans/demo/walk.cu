// One thread per row: the lane at its head walks along the row.
// A row never crosses a multiple of 256.

__global__ void scan_rows(const unsigned* in, const unsigned char* heads, unsigned* out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n || !heads[i]) return;
  unsigned sum = 0u;
  do {
    sum += in[i];
    out[i] = sum;
    ++i;
  } while (i < n && !heads[i]);
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
