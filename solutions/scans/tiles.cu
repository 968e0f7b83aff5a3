// Subtracts from each number the largest of its row. Row r is in[start[r]] … in[start[r + 1] - 1], at most 8 numbers.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void below_largest(const int* in, const int* start, int* out, int rows) {
  //! begin
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int row = (blockIdx.x * 256 + threadIdx.x) / 8;
  int k = tile.thread_rank();
  //! instead
  //! auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  //! int row = (blockIdx.x * 256 + threadIdx.x) / 32;
  //! int k = tile.thread_rank();
  //! end
  if (row >= rows) return;
  int at = start[row] + k;
  bool inside = at < start[row + 1];
  int v = inside ? in[at] : -2147483647 - 1;
  int largest = v;
  //! begin
  for (int d = 4; d > 0; d /= 2) largest = max(largest, tile.shfl_xor(largest, d));
  //! instead
  //! for (int d = 16; d > 0; d /= 2) largest = max(largest, tile.shfl_xor(largest, d));
  //! end
  if (inside) out[at] = v - largest;
}

__host__ __device__ Launch launch(int rows) {
  //! begin
  return {dim3((rows + 31) / 32), dim3(256)};  // 32 rows per block
  //! instead
  //! return {dim3((rows + 7) / 8), dim3(256)};  // 8 rows per block
  //! end
}
