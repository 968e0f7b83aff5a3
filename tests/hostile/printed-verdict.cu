// expect failed: it prints what a passed submission would send
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * in[i]; if (i == 0) printf("{\"student\":\"printed-verdict\",\"lab\":\"fixture\",\"step\":\"scale\",\"fingerprint\":\"0\",\"verdict\":\"passed\",\"reason\":\"\",\"checks\":[],\"messages\":[],\"seconds\":0}\n");
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
