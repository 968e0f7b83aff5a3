// Reference: rows of the table are an odd number of 64 floats apart.

__global__ void fill_columns(const unsigned char* in, float* table, int items, int n, int part,
                             float scale) {
  int pitch = 64 * ((n + 63) / 64 | 1), rows = 4 * gridDim.x;
  for (int item = 4 * blockIdx.x + threadIdx.y; item < items; item += rows) {
    float value = in[64 * item + threadIdx.x];
    table[item * pitch + 64 * part + threadIdx.x] = scale * (value - 128.0f);
  }
}

__host__ __device__ Launch launch(int items) { return {dim3((items + 31) / 32), dim3(64, 4)}; }
