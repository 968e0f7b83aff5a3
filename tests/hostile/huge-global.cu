// expect broken,limit: a terabyte of global memory
__device__ char much[1ull << 40];
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  much[i] = 1; out[i] = much[n];
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
