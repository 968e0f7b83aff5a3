// expect broken,limit: template instances that double at each step
template <int N, int M = 0> struct Twice { static constexpr int value = Twice<N - 1, 2 * M>::value + Twice<N - 1, 2 * M + 1>::value; };
template <int M> struct Twice<0, M> { static constexpr int value = 1; };
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = Twice<26>::value;
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
