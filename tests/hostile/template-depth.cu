// expect broken,limit: a template that never ends
template <int N> struct Deeper { static constexpr int value = Deeper<N + 1>::value; };
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = Deeper<0>::value;
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
