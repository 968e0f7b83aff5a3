// expect broken,limit: a constexpr loop without an end
constexpr int forever() { int x = 0; while (true) x ^= 1; return x; }
static_assert(forever() == 0);
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = forever();
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
