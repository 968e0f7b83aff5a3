// expect broken: the reference by its absolute path
#include "@DATA@/kernels/fixture/scale.cu"

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
