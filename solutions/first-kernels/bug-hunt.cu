// Moving mean: out[i] is the mean of the 33 elements from in[i - 16] to in[i + 16]. Beyond both ends of the data there are zeros.
// tile[k] holds the element with the number 256 * blockIdx.x - 16 + k.

__global__ void mean(const float* in, float* out, int n) {
  __shared__ float tile[288];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  //! begin
  tile[t + 16] = i < n ? in[i] : 0.0f;
  if (t < 16) tile[t] = i >= 16 ? in[i - 16] : 0.0f;
  if (t >= 240) tile[t + 32] = i + 16 < n ? in[i + 16] : 0.0f;
  __syncthreads();
  float sum = 0.0f;
  //! instead
  //! tile[t + 16] = i <= n ? in[i] : 0.0f;
  //! if (t < 16) tile[t] = i >= 16 ? in[i - 16] : 0.0f;
  //! if (t > 240) tile[t + 32] = i + 16 < n ? in[i + 16] : 0.0f;
  //! float sum = 0.0f;
  //! end
  for (int k = 0; k < 33; ++k) sum += tile[t + k];
  if (i < n) out[i] = sum / 33.0f;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
