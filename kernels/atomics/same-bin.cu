// Reference: counts how often each key occurs: ++count[key[i]] for every i. There are 65,536 keys.

__global__ void count_keys(const unsigned* key, unsigned* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned mine = i < n ? key[i] : 0xffffffffu;
  unsigned peers = __match_any_sync(0xffffffffu, mine);
  bool first = threadIdx.x % 32 == __ffs(peers) - 1;
  if (i < n && first) atomicAdd(&count[mine], __popc(peers));
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
