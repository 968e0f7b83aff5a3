// A histogram of 65,536 bins: value i belongs to bin value[i] >> shift, or if there is none, to the last.

__global__ void histogram(const unsigned* value, unsigned* count, int shift, int n) {
  //! begin
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned mine = i < n ? min(value[i] >> shift, 65535u) : 0xffffffffu;
  unsigned peers = __match_any_sync(0xffffffffu, mine);
  bool first = threadIdx.x % 32 == __ffs(peers) - 1;
  if (i < n && first) atomicAdd(&count[mine], __popc(peers));
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
