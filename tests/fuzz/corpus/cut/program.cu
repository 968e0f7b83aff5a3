#include <cstdio>
#include <vector>
#include "a.h"
#include "b.h"
#include "helper_cuda.h"
#define N 256
#define CHECK(call) do { if (call) std::exit(1); } \
  while (0)
__constant__ float weights[4] = {1, 2, 3, 4};
const int kTile = 16;
static std::vector<int> rows;
template <int W> __global__ void scale(const float* in, float* out, int n) {
  __shared__ float tile[kTile];
  const int i = blockIdx.x * blockDim.x + threadIdx.x; /* } */
  if (i < n) out[i] = in[i] * W; // {
}
struct Timer { std::vector<int> laps; void stop(); __device__ int get() { return 1; } };
int main(int argc, char** argv) {
  float *in, *out;
  CHECK(cudaMalloc(&in, N * sizeof(float)));
  scale<3><<<dim3((N + 255) / 256), 256>>>(in, out, N);
  std::printf("}%d\n", '}');
}
