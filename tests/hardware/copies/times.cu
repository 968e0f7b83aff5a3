// Times the launches of cases.json by events: median of 21 after three warm ones, beside an empty
// kernel's median.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "kernels.cu"

#define CHECK(x)                                                 \
  do {                                                           \
    cudaError_t e_ = (x);                                        \
    if (e_ != cudaSuccess) {                                     \
      printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); \
      exit(1);                                                   \
    }                                                            \
  } while (0)

struct Arg {
  bool buffer;
  long value;
  const char* fill;
};
struct Launch {
  const char* name;
  const void* kernel;
  dim3 grid, block;
  std::vector<Arg> args;
};

__global__ void empty() {}
__global__ void fill_f32(float* p, long n) {
  for (long i = blockIdx.x * 256l + threadIdx.x; i < n; i += gridDim.x * 256l) {
    unsigned x = static_cast<unsigned>(i);
    x ^= x >> 16, x *= 0x7feb352d, x ^= x >> 15, x *= 0x846ca68b, x ^= x >> 16;
    p[i] = static_cast<float>(x & 0xFFFF) / 65536 - 0.25f;
  }
}

float timed(const void* kernel, dim3 grid, dim3 block, void** args) {
  static cudaEvent_t from, to;
  if (from == nullptr) {
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
  }
  std::vector<float> all;
  for (int i = 0; i < 24; ++i) {
    CHECK(cudaEventRecord(from));
    CHECK(cudaLaunchKernel(kernel, grid, block, args, 0, 0));
    CHECK(cudaEventRecord(to));
    CHECK(cudaEventSynchronize(to));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, from, to));
    if (i >= 3) all.push_back(ms * 1000);
  }
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

int main(int count, char** arguments) {
  const std::vector<Launch> launches = {
#include "launches.inc"
  };
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  std::map<std::string, char*> pools;  // the largest buffer of each fill and place
  for (const Launch& l : launches) {
    if (count > 1 && strcmp(arguments[1], l.name)) continue;
    std::vector<void*> made;
    std::vector<void*> pointers(l.args.size());
    std::vector<int> words(l.args.size());
    std::vector<void*> args;
    for (size_t a = 0; a < l.args.size(); ++a) {
      if (l.args[a].buffer) {
        CHECK(cudaMalloc(&pointers[a], l.args[a].value));
        made.push_back(pointers[a]);
        if (!strcmp(l.args[a].fill, "f32"))
          fill_f32<<<1024, 256>>>(static_cast<float*>(pointers[a]), l.args[a].value / 4);
        else
          CHECK(cudaMemset(pointers[a], 0, l.args[a].value));
        args.push_back(&pointers[a]);
      } else {
        words[a] = static_cast<int>(l.args[a].value);
        args.push_back(&words[a]);
      }
    }
    CHECK(cudaDeviceSynchronize());
    const float none = timed((const void*)empty, 1, 32, nullptr),
                us = timed(l.kernel, l.grid, l.block, args.data());
    printf("{\"name\": \"%s\", \"gpu\": \"%s\", \"us\": %.3f, \"empty_us\": %.3f},\n", l.name,
           prop.name, us, none);
    for (void* p : made) CHECK(cudaFree(p));
  }
}
