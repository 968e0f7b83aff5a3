// The kernels of "Convolution Soup: a case study in CUDA optimization" (Joe Stam, NVIDIA, GPU
// Technology Conference 2009) as its slides tell of them: 5 x 5, 8-bit pixels, 2048 x 2048. The
// talk prints the naive kernel alone; the others are written anew from its words: who reads what,
// in which width, how many pixels a thread makes. MEMORY_ONLY leaves the arithmetic out, as the
// talk did.
//
// Products are 24 bits wide ("all code used fast math where possible (e.g. __umul24)"), the naive
// kernel's apart, which is as printed. The tile is read through volatile pointers: the talk's
// kernels have 11 registers, so their compiler kept no window of pixels in them, as one of today
// would. A tile is filled in steps without a loop, as the slides show them ("all threads read
// center top portion", then some read the rows below, then the strips), and as the source and the
// PTX on one of them are written (row blockDim.y + threadIdx.y, if (threadIdx.x < 4)). Loops over
// the rows of the window are unrolled in example 10 alone, whose slide says that this is new.
#ifndef BX
#define BX 16
#endif
#ifndef BY
#define BY 16
#endif
__constant__ int weights[25] = {1,  3, 5, 4,  2,  4,  14, 20, 13, 5,  6, 22, 34,
                                20, 7, 5, 15, 21, 14, 6,  3,  8,  11, 8, 5};
#define CLAMP(v) ((v) < 0 ? 0 : (v) > 255 ? 255 : (v))

__device__ __forceinline__ unsigned pixel(const volatile unsigned char* corner,
                                          int pitch) {  // corner: of the window
#ifdef MEMORY_ONLY
  return corner[2 * pitch + 2];
#else
  int sum = 0;
#ifdef UNROLL
#pragma unroll
#else
#pragma unroll 1
#endif
  for (int i = 0; i < 5; ++i, corner += pitch)
#pragma unroll
    for (int j = 0; j < 5; ++j) sum += __mul24(weights[5 * i + j], corner[j]);
  sum = (int)((float)sum * (1.0f / 256));
  return CLAMP(sum);
#endif
}
__device__ __forceinline__ unsigned word(const volatile unsigned char* corner,
                                         int pitch) {  // four pixels
#ifdef MEMORY_ONLY
  return *(const volatile unsigned*)(corner + 2 * pitch + 2);
#else
  return pixel(corner, pitch) | pixel(corner + 1, pitch) << 8 | pixel(corner + 2, pitch) << 16 |
         pixel(corner + 3, pitch) << 24;
#endif
}

// Example 1.
extern "C" __global__ void k_naive(const unsigned char* in, unsigned char* out, int w, int h,
                                   int pitch) {
  unsigned X = __umul24(blockIdx.x, blockDim.x) + threadIdx.x,
           Y = __umul24(blockIdx.y, blockDim.y) + threadIdx.y;
  if (X > 1 && X < w - 2 && Y > 1 && Y < h - 2) {
    int sum = 0, kidx = 0;
    for (int i = -2; i <= 2; ++i)
      for (int j = -2; j <= 2; ++j) sum += weights[kidx++] * in[__umul24(Y + i, pitch) + X + j];
    sum = (int)((float)sum * (1.0f / 256));
    out[__umul24(Y, pitch) + X] = CLAMP(sum);
  }
}
// Examples 2 and 2a: a fetch for each tap; 2a makes four pixels and writes them as one word.
__device__ __forceinline__ unsigned fetched(cudaTextureObject_t image, float x, float y) {
  int sum = 0;
#ifdef UNROLL
#pragma unroll
#else
#pragma unroll 1
#endif
  for (int i = 0; i < 5; ++i)
#pragma unroll
    for (int j = 0; j < 5; ++j)
      sum += __mul24(weights[5 * i + j], tex2D<unsigned char>(image, x + (j - 2), y + (i - 2)));
  sum = (int)((float)sum * (1.0f / 256));
  return CLAMP(sum);
}
extern "C" __global__ void k_texture(cudaTextureObject_t image, unsigned char* out, int w) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  out[y * w + x] = fetched(image, x + 0.5f, y + 0.5f);
}
extern "C" __global__ void k_texture_four(cudaTextureObject_t image, unsigned* out, int w4) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float u = 4 * x + 0.5f, v = y + 0.5f;
  out[y * w4 + x] = fetched(image, u, v) | fetched(image, u + 1, v) << 8 |
                    fetched(image, u + 2, v) << 16 | fetched(image, u + 3, v) << 24;
}
// Where a thread is in the image and in the block's tile, as the PTX and the source on a slide work
// it out: by blockDim and a pitch.
#define SMEM(x, y) (__umul24(y, spitch) + (x))
#define GMEM(x, y) (__umul24(y, pitch) + (x))

// Examples 3 and 4: textures into shared memory, a pixel a fetch; 4 keeps floats.
#ifdef FLOATS
typedef float Tile;
#define FETCH(x, y) tex2D<float>(image, x, y)
#else
typedef unsigned char Tile;
#define FETCH(x, y) tex2D<unsigned char>(image, x, y)
#endif
extern "C" __global__ void k_texture_tile(cudaTextureObject_t image, unsigned* out, int w4,
                                          int spitch) {
  __shared__ Tile tile[(BY + 4) * (4 * BX + 8)];
  const int x = threadIdx.x, y = threadIdx.y, by = blockDim.y, bx = blockDim.x, bx4 = 4 * bx;
  const auto fill = [&](int r) {
    const float v = (float)(__umul24(by, blockIdx.y) + r) - 1.5f;
#pragma unroll
    for (int c = 0; c < 4; ++c)
      tile[SMEM(c * bx + x, r)] = FETCH((float)(__umul24(bx4, blockIdx.x) + c * bx + x) - 1.5f, v);
    if (x < 4) tile[SMEM(bx4 + x, r)] = FETCH((float)(__umul24(bx4, blockIdx.x + 1) + x) - 1.5f, v);
  };
  fill(y);
  if (y < 4) fill(by + y);
  __syncthreads();
  const volatile Tile* corner = &tile[SMEM(4 * x, y)];
  unsigned result = 0;
#ifdef FLOATS
#pragma unroll
  for (int p = 0; p < 4; ++p) {
#ifdef MEMORY_ONLY
    float sum = corner[2 * spitch + 2 + p] * 255;
#else
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < 5; ++i)
#pragma unroll
      for (int j = 0; j < 5; ++j)
        sum += (float)weights[5 * i + j] * corner[__umul24(i, spitch) + j + p];
    sum *= 255.0f / 256;
#endif
    result |= (unsigned)(int)sum << 8 * p;
  }
#elif defined(MEMORY_ONLY)
  result = corner[2 * spitch + 2] | corner[2 * spitch + 3] << 8 | corner[2 * spitch + 4] << 16 |
           corner[2 * spitch + 5] << 24;
#else
  result = word(corner, spitch);
#endif
  out[__umul24(__umul24(by, blockIdx.y) + y, w4) + __umul24(bx, blockIdx.x) + x] = result;
}
// Example 5: "shift reads left & up by apron amount, then read an additional 4-pixel strip to the
// right": nothing is coalesced.
extern "C" __global__ void k_shift(const unsigned* in, unsigned* out, int w4, int pitch,
                                   int spitch) {
  __shared__ unsigned tile[(BY + 4) * (BX + 2)];
  const int x = threadIdx.x, y = threadIdx.y, bx = blockDim.x, by = blockDim.y;
  const int X = __umul24(blockIdx.x, bx) + x + 63,
            Y = __umul24(blockIdx.y, by) + y + 2;  // one word left; the image begins in row 4
  tile[SMEM(x, y)] = in[GMEM(X, Y)];
  if (x < 2) tile[SMEM(bx + x, y)] = in[GMEM(X + bx, Y)];
  if (y < 4) tile[SMEM(x, by + y)] = in[GMEM(X, Y + by)];
  if (x < 2 && y < 4) tile[SMEM(bx + x, by + y)] = in[GMEM(X + bx, Y + by)];
  __syncthreads();
  const volatile unsigned char* corner = (const volatile unsigned char*)&tile[SMEM(x, y)] + 2;
  out[__umul24(Y - 2, w4) + X - 63] = word(corner, 4 * spitch);
}
// What examples 6 to 10 fill their tile with, in the slides' six steps: the middle by all, the rows
// below by some, the strips by the threads whose word they would be.
template <typename Word>
__device__ __forceinline__ void fill(Word* tile, const Word* in, int X, int Y, int pitch,
                                     int spitch) {
  const int x = threadIdx.x, y = threadIdx.y, bx = blockDim.x, by = blockDim.y;
  tile[SMEM(x + 1, y)] = in[GMEM(X, Y)];
  if (y < 4) tile[SMEM(x + 1, by + y)] = in[GMEM(X, Y + by)];
  if (x == bx - 1) tile[SMEM(0, y)] = in[GMEM(X - bx, Y)];
  if (x == bx - 1 && y < 4) tile[SMEM(0, by + y)] = in[GMEM(X - bx, Y + by)];
  if (x == 0) tile[SMEM(bx + 1, y)] = in[GMEM(X + bx, Y)];
  if (x == 0 && y < 4) tile[SMEM(bx + 1, by + y)] = in[GMEM(X + bx, Y + by)];
}
// Example 6: "strict coalescing".
extern "C" __global__ void k_strict(const unsigned* in, unsigned* out, int w4, int pitch,
                                    int spitch) {
  __shared__ unsigned tile[(BY + 4) * (BX + 2)];
  const int X = __umul24(blockIdx.x, blockDim.x) + threadIdx.x,
            Y = __umul24(blockIdx.y, blockDim.y) + threadIdx.y;
  fill(tile, in, X + 64, Y + 2, pitch, spitch);
  __syncthreads();
  const volatile unsigned char* corner =
      (const volatile unsigned char*)&tile[SMEM(threadIdx.x, threadIdx.y)] + 2;
  out[__umul24(Y, w4) + X] = word(corner, 4 * spitch);
}
// Examples 7, 8 and 10: 16 pixels a thread. DEALT: every 16th word instead of four beside each
// other, collected in shared memory; its block has twelve rows (the slide of the profiler: 195
// blocks on one of seven clusters, and "need to shrink the block size").
extern "C" __global__ void k_wide(const uint4* in, uint4* out, int w16, int pitch, int spitch) {
  __shared__ uint4 tile[(BY + 4) * (BX + 2)];
  const int X = __umul24(blockIdx.x, blockDim.x) + threadIdx.x,
            Y = __umul24(blockIdx.y, blockDim.y) + threadIdx.y;
  fill(tile, in, X + 16, Y + 2, pitch, spitch);
  __syncthreads();
  const volatile unsigned char* row =
      (const volatile unsigned char*)&tile[SMEM(1, threadIdx.y)] - 2;
  uint4 result;
#ifdef DEALT
  __shared__ unsigned collected[BY][4 * BX];
#ifdef UNROLL
#pragma unroll
#else
#pragma unroll 1
#endif
  for (int q = 0; q < 4; ++q)
    collected[threadIdx.y][threadIdx.x + BX * q] =
        word(row + 4 * (threadIdx.x + BX * q), 16 * spitch);
  __syncthreads();
  const unsigned* four = &collected[threadIdx.y][4 * threadIdx.x];
  result = make_uint4(four[0], four[1], four[2], four[3]);
#else
  result.x = word(row + 16 * threadIdx.x, 16 * spitch);
  result.y = word(row + 16 * threadIdx.x + 4, 16 * spitch);
  result.z = word(row + 16 * threadIdx.x + 8, 16 * spitch);
  result.w = word(row + 16 * threadIdx.x + 12, 16 * spitch);
#endif
  out[__umul24(Y, w16) + X] = result;
}
