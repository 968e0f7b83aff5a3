// expect broken,failed,limit: loops that the compiler is told to unroll without measure
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = in[0];
#pragma unroll
  for (int a = 0; a < 4096; ++a)
#pragma unroll
    for (int b = 0; b < 4096; ++b) s = s * a + b;
  out[i] = s;
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
