// expect broken,limit: an error in each of very many instances
template <int N> struct Wrong { static __device__ int value() { int x = "no number"; return Wrong<N - 1>::value() + x; } };
template <> struct Wrong<0> { static __device__ int value() { return 0; } };
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = Wrong<4000>::value();
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
