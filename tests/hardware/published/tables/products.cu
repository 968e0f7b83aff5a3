// C = alpha A B + beta C, n x n row-major floats: a ladder of matrix products, from one result per
// thread to eight by eight.
extern "C" __global__ void k_column_first(const float* A, const float* B, float* C, int n,
                                          float alpha, float beta) {
  // Lanes walk down a column of C: each reads a row of A of its own.
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
  C[row * n + col] = alpha * sum + beta * C[row * n + col];
}
extern "C" __global__ void k_row_first(const float* A, const float* B, float* C, int n, float alpha,
                                       float beta) {
  const int row = blockIdx.x * 32 + threadIdx.x / 32;
  const int col = blockIdx.y * 32 + threadIdx.x % 32;
  if (row >= n || col >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
  C[row * n + col] = alpha * sum + beta * C[row * n + col];
}
// Blocks that follow one another make the same rows of C, and lanes are in a block of 32 x 32.
extern "C" __global__ void k_row_first_2d(const float* A, const float* B, float* C, int n,
                                          float alpha, float beta) {
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
  C[row * n + col] = alpha * sum + beta * C[row * n + col];
}
// A tile of B is kept so that each lane reads a row of its own: 32 lanes on one bank.
extern "C" __global__ void __launch_bounds__(1024)
    k_shared_conflicts(const float* A, const float* B, float* C, int n, float alpha, float beta) {
  __shared__ float a[32][32];
  __shared__ float b[32][32];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * 32 + y;
  const int col = blockIdx.x * 32 + x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 32) {
    a[y][x] = A[row * n + tile + x];
    b[x][y] = B[(tile + y) * n + col];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += a[y][k] * b[x][k];
    __syncthreads();
  }
  C[row * n + col] = alpha * sum + beta * C[row * n + col];
}
// The tile of A is transposed on its way to shared memory: conflicts when it is stored alone.
extern "C" __global__ void __launch_bounds__(1024)
    k_shared_transposed(const float* A, const float* B, float* C, int n, float alpha, float beta) {
  __shared__ float a[32][32];
  __shared__ float b[32][32];
  const int x = threadIdx.x % 32;
  const int y = threadIdx.x / 32;
  const int row = blockIdx.y * 32 + y;
  const int col = blockIdx.x * 32 + x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 32) {
    a[x][y] = A[row * n + tile + x];
    b[y][x] = B[(tile + y) * n + col];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += a[k][y] * b[k][x];
    __syncthreads();
  }
  C[row * n + col] = alpha * sum + beta * C[row * n + col];
}
// Tiles of 64 x 64 with 16 steps of k; 256 threads make 4 x 4 results each, with accesses of 16
// bytes.
extern "C" __global__ void __launch_bounds__(256)
    k_four_by_four(const float* A, const float* B, float* C, int n, float alpha, float beta) {
  __shared__ float a[16 * 64];
  __shared__ float b[16 * 64];
  const int x = threadIdx.x % 16 * 4;
  const int y = threadIdx.x / 16 * 4;
  const float* from_a = A + (blockIdx.y * 64 + threadIdx.x / 4) * n + threadIdx.x % 4 * 4;
  const float* from_b = B + threadIdx.x / 16 * n + blockIdx.x * 64 + threadIdx.x % 16 * 4;
  float sum[4][4] = {};
  for (int tile = 0; tile < n; tile += 16) {
    const float4 four = *reinterpret_cast<const float4*>(from_a);
    const float4 row = *reinterpret_cast<const float4*>(from_b);
    const int k4 = threadIdx.x % 4 * 4;
    reinterpret_cast<float4*>(b)[threadIdx.x] = row;
    a[(k4 + 0) * 64 + threadIdx.x / 4] = four.x;
    a[(k4 + 1) * 64 + threadIdx.x / 4] = four.y;
    a[(k4 + 2) * 64 + threadIdx.x / 4] = four.z;
    a[(k4 + 3) * 64 + threadIdx.x / 4] = four.w;
    from_a += 16;
    from_b += 16 * n;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const float4 l = *reinterpret_cast<const float4*>(&a[k * 64 + y]);
      const float4 r = *reinterpret_cast<const float4*>(&b[k * 64 + x]);
      const float left[4] = {l.x, l.y, l.z, l.w};
      const float right[4] = {r.x, r.y, r.z, r.w};
      for (int i = 0; i < 4; ++i)
        for (int c = 0; c < 4; ++c) sum[i][c] += left[i] * right[c];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    float4* to = reinterpret_cast<float4*>(C + (blockIdx.y * 64 + y + i) * n + blockIdx.x * 64 + x);
    float4 old = *to;
    old.x = alpha * sum[i][0] + beta * old.x;
    old.y = alpha * sum[i][1] + beta * old.y;
    old.z = alpha * sum[i][2] + beta * old.z;
    old.w = alpha * sum[i][3] + beta * old.w;
    *to = old;
  }
}

extern "C" __global__ void k_shared(const float* A, const float* B, float* C, int n, float alpha,
                                    float beta) {
  __shared__ float a[32][32];
  __shared__ float b[32][32];
  const int x = threadIdx.x % 32;
  const int y = threadIdx.x / 32;
  const int row = blockIdx.x * 32 + y;
  const int col = blockIdx.y * 32 + x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 32) {
    a[y][x] = A[row * n + tile + x];
    b[y][x] = B[(tile + y) * n + col];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += a[y][k] * b[k][x];
    __syncthreads();
  }
  C[row * n + col] = alpha * sum + beta * C[row * n + col];
}

// Tiles of 64 x 64 with 8 steps of k; a thread makes a column of 8 results.
extern "C" __global__ void k_column_of_eight(const float* A, const float* B, float* C, int n,
                                             float alpha, float beta) {
  __shared__ float a[64 * 8];
  __shared__ float b[8 * 64];
  const int col = threadIdx.x % 64;
  const int strip = threadIdx.x / 64;  // 8 rows each
  const float* from_a = A + blockIdx.y * 64 * n + threadIdx.x / 8 * n + threadIdx.x % 8;
  const float* from_b = B + blockIdx.x * 64 + threadIdx.x / 64 * n + threadIdx.x % 64;
  float sum[8] = {};
  for (int tile = 0; tile < n; tile += 8) {
    a[threadIdx.x] = *from_a;
    b[threadIdx.x] = *from_b;
    __syncthreads();
    from_a += 8;
    from_b += 8 * n;
    for (int k = 0; k < 8; ++k) {
      const float right = b[k * 64 + col];
      for (int r = 0; r < 8; ++r) sum[r] += a[(strip * 8 + r) * 8 + k] * right;
    }
    __syncthreads();
  }
  float* to = C + (blockIdx.y * 64 + strip * 8) * n + blockIdx.x * 64 + col;
  for (int r = 0; r < 8; ++r) to[r * n] = alpha * sum[r] + beta * to[r * n];
}

// Tiles of 128 x 128 with 8 steps of k; 256 threads make 8 x 8 results each.
extern "C" __global__ void __launch_bounds__(256)
    k_eight_by_eight(const float* A, const float* B, float* C, int n, float alpha, float beta) {
  __shared__ float a[128 * 8];
  __shared__ float b[8 * 128];
  const int x = threadIdx.x % 16 * 8;
  const int y = threadIdx.x / 16 * 8;
  const float* from_a = A + blockIdx.y * 128 * n;
  const float* from_b = B + blockIdx.x * 128;
  float sum[8][8] = {};
  for (int tile = 0; tile < n; tile += 8) {
    for (int r = 0; r < 128; r += 32) {
      const int row = threadIdx.x / 8 + r;
      a[row * 8 + threadIdx.x % 8] = from_a[row * n + tile + threadIdx.x % 8];
    }
    for (int r = 0; r < 8; r += 2) {
      const int row = threadIdx.x / 128 + r;
      b[row * 128 + threadIdx.x % 128] = from_b[(tile + row) * n + threadIdx.x % 128];
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      float left[8], right[8];
      for (int i = 0; i < 8; ++i) left[i] = a[(y + i) * 8 + k];
      for (int i = 0; i < 8; ++i) right[i] = b[k * 128 + x + i];
      for (int r = 0; r < 8; ++r)
        for (int c = 0; c < 8; ++c) sum[r][c] += left[r] * right[c];
    }
    __syncthreads();
  }
  float* to = C + (blockIdx.y * 128 + y) * n + blockIdx.x * 128 + x;
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 8; ++c) to[r * n + c] = alpha * sum[r][c] + beta * to[r * n + c];
}

// The same with loads and stores of 16 bytes, and the tile of A transposed on its way to shared
// memory.
extern "C" __global__ void __launch_bounds__(256)
    k_eight_by_eight_wide(const float* A, const float* B, float* C, int n, float alpha,
                          float beta) {
  __shared__ float a[8 * 128];
  __shared__ float b[8 * 128];
  const int x = threadIdx.x % 16 * 8;
  const int y = threadIdx.x / 16 * 8;
  const float* from_a = A + (blockIdx.y * 128 + threadIdx.x / 2) * n + threadIdx.x % 2 * 4;
  const float* from_b = B + threadIdx.x / 32 * n + blockIdx.x * 128 + threadIdx.x % 32 * 4;
  float sum[8][8] = {};
  for (int tile = 0; tile < n; tile += 8) {
    const float4 four = *reinterpret_cast<const float4*>(from_a);
    const int k4 = threadIdx.x % 2 * 4;
    a[(k4 + 0) * 128 + threadIdx.x / 2] = four.x;
    a[(k4 + 1) * 128 + threadIdx.x / 2] = four.y;
    a[(k4 + 2) * 128 + threadIdx.x / 2] = four.z;
    a[(k4 + 3) * 128 + threadIdx.x / 2] = four.w;
    *reinterpret_cast<float4*>(&b[threadIdx.x / 32 * 128 + threadIdx.x % 32 * 4]) =
        *reinterpret_cast<const float4*>(from_b);
    __syncthreads();
    from_a += 8;
    from_b += 8 * n;
    for (int k = 0; k < 8; ++k) {
      float left[8], right[8];
      for (int i = 0; i < 8; ++i) left[i] = a[k * 128 + y + i];
      for (int i = 0; i < 8; ++i) right[i] = b[k * 128 + x + i];
      for (int r = 0; r < 8; ++r)
        for (int c = 0; c < 8; ++c) sum[r][c] += left[r] * right[c];
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 8; c += 4) {
      float4* to =
          reinterpret_cast<float4*>(C + (blockIdx.y * 128 + y + r) * n + blockIdx.x * 128 + x + c);
      float4 old = *to;
      old.x = alpha * sum[r][c] + beta * old.x;
      old.y = alpha * sum[r][c + 1] + beta * old.y;
      old.z = alpha * sum[r][c + 2] + beta * old.z;
      old.w = alpha * sum[r][c + 3] + beta * old.w;
      *to = old;
    }
  }
}
