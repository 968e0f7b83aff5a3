// A moving average over a long signal that comes in chunks. The chunk has the elements first to
// first + count - 1, and part[k] is element first - 1 + k: its neighbours on both sides came along.

__global__ void smooth(const float* part, float* out, int first, int count, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= count) return;
  //! begin
  int i = first + j;
  float middle = part[j + 1];
  float left = i > 0 ? part[j] : middle;
  float right = i < n - 1 ? part[j + 2] : middle;
  //! instead
  //! float middle = part[j + 1];
  //! float left = j > 0 ? part[j] : middle;
  //! float right = j < count - 1 ? part[j + 2] : middle;
  //! end
  out[j] = 0.25f * left + 0.5f * middle + 0.25f * right;
}

__host__ __device__ Launch launch(int count) {
  return {dim3((count + 255) / 256), dim3(256)};
}
