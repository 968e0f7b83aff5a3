// expect broken,limit: a constexpr function that calls itself twice
constexpr long long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static_assert(fib(60) > 0);
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = fib(60);
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
