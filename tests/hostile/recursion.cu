// expect broken,failed,limit: a function that calls itself for ever
__device__ __noinline__ int deeper(int x) { volatile int a[64]; a[x & 63] = x; return deeper(x + 1) + a[(x + 1) & 63]; }
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = deeper(n);
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
