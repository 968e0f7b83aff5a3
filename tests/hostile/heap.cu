// expect broken,failed,limit: memory from the heap, without an end
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  char* p = nullptr; for (long long j = 0; j < (1ll << 40); ++j) { p = (char*)malloc(1 << 20); if (p) p[0] = 1; } out[i] = p != nullptr;
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
