// Constructs that make NVRTC write unusual PTX: jump tables, calls through pointers, nested inlining,
// recursion, local arrays, initialised constants, inline assembly with labels, vprintf and asserts.
__constant__ float weights[5] = {0.25f, -1.5f, 3e20f, 1.0f / 3.0f, 0.0f};
__device__ int table[2][3] = {{1, 2, 3}, {4, 5}};
__device__ const char* names[2] = {"first", "second"};
__device__ int* pointers[2] = {&table[0][0], &table[1][2]};

__device__ float inner(float x) {
  return x * weights[3];
}
__device__ float outer(float x) {
  return inner(x) + 1.0f;
}
extern "C" __global__ void k_nested_inlining(float* out) {
  out[threadIdx.x] = outer(out[threadIdx.x]);
}

extern "C" __global__ void k_switch(int* out, int n) {
  int i = threadIdx.x;
  switch (n + i) {
    case 0: out[i] = 10; break;
    case 1: out[i] = out[n]; break;
    case 2: out[i] = out[n + 1] * 3; break;
    case 3: out[i] -= 7; break;
    case 4: out[i] = out[i] / n; break;
    case 5: out[i] = i; break;
    case 6: out[0] = 1; break;
    case 7: atomicAdd(out, i); break;
    default: break;
  }
}

__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
typedef int (*Operation)(int);
__device__ Operation operations[2] = {twice, square};
extern "C" __global__ void k_pointer_call(int* out) {
  out[threadIdx.x] = operations[threadIdx.x & 1](out[threadIdx.x]);
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void k_recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x); }

struct Item { char tag; double value; short more[3]; };
__device__ __noinline__ Item changed(Item item) { item.value *= 2; return item; }
extern "C" __global__ void __launch_bounds__(128, 2) k_struct(Item item, Item* out) {
  __shared__ double sums[128];
  extern __shared__ float4 dynamic[];
  sums[threadIdx.x] = item.value;
  dynamic[threadIdx.x] = make_float4(1, 2, 3, 4);
  __syncthreads();
  item.value = sums[threadIdx.x ^ 1] + dynamic[threadIdx.x ^ 1].w;
  out[threadIdx.x] = changed(item);
}

extern "C" __global__ void k_local_and_print(const float* in, int n) {
  float values[16];
  for (int i = 0; i < n; ++i) values[i & 15] = in[i];
  assert(n > 0);
  printf("%d %f %s\n", n, values[n & 15], names[n & 1]);
}

extern "C" __global__ void k_warp(unsigned* out) {
  unsigned lane = threadIdx.x & (warpSize - 1);
  unsigned mask = __ballot_sync(0xffffffffu, lane > 3);
  out[threadIdx.x] = __shfl_down_sync(mask, lane, 2) + __popc(mask) + *pointers[lane & 1];
}

extern "C" __global__ void k_assembly(unsigned* out) {
  unsigned value;
  asm volatile(
      "{\n\t.reg .pred p;\n\t.reg .b32 t;\n\tmov.u32 t, %%laneid;\n\tsetp.gt.u32 p, t, 15;\n\t"
      "@p bra DONE_%=;\n\tadd.u32 t, t, WARP_SZ;\n\tDONE_%=:\n\tmov.u32 %0, t;\n\t}"
      : "=r"(value));
  out[threadIdx.x] = value;
}
