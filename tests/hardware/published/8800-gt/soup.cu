// The kernels of "Convolution Soup: a case study in CUDA optimization" (Joe Stam, NVIDIA, GPU Technology Conference 2009) as its slides tell
// of them: 5 x 5, 8-bit pixels, 2048 x 2048. The talk prints the naive kernel alone; the others are written anew from its words: who reads
// what, in which width, how many pixels a thread makes. MEMORY_ONLY leaves the arithmetic out, as the talk did.
//
// Products are 24 bits wide ("all code used fast math where possible (e.g. __umul24)"), the naive kernel's apart, which is as printed.
// The tile is read through volatile pointers: the talk's kernels have 11 registers, so their compiler kept no window of pixels in them, as
// one of today would.
#ifndef BX
#define BX 16
#endif
#ifndef BY
#define BY 16
#endif
__constant__ int weights[25] = {1, 3, 5, 4, 2, 4, 14, 20, 13, 5, 6, 22, 34, 20, 7, 5, 15, 21, 14, 6, 3, 8, 11, 8, 5};
#define CLAMP(v) ((v) < 0 ? 0 : (v) > 255 ? 255 : (v))

__device__ __forceinline__ unsigned pixel(const volatile unsigned char* corner, int pitch) {  // corner: of the window
#ifdef MEMORY_ONLY
    return corner[2 * pitch + 2];
#else
    int sum = 0;
#ifdef UNROLL
#pragma unroll
#else
#pragma unroll 1
#endif
    for (int i = 0; i < 5; ++i)
#pragma unroll
        for (int j = 0; j < 5; ++j) sum += __mul24(weights[5 * i + j], corner[i * pitch + j]);
    sum = (int)((float)sum * (1.0f / 256));
    return CLAMP(sum);
#endif
}
__device__ __forceinline__ unsigned word(const volatile unsigned char* corner, int pitch) {  // four pixels
#ifdef MEMORY_ONLY
    return *(const volatile unsigned*)(corner + 2 * pitch + 2);
#else
    return pixel(corner, pitch) | pixel(corner + 1, pitch) << 8 | pixel(corner + 2, pitch) << 16 | pixel(corner + 3, pitch) << 24;
#endif
}

// Example 1.
extern "C" __global__ void k_naive(const unsigned char* in, unsigned char* out, int w, int h, int pitch) {
    unsigned X = __umul24(blockIdx.x, blockDim.x) + threadIdx.x, Y = __umul24(blockIdx.y, blockDim.y) + threadIdx.y;
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
#pragma unroll
    for (int i = 0; i < 5; ++i)
#pragma unroll
        for (int j = 0; j < 5; ++j) sum += __mul24(weights[5 * i + j], tex2D<unsigned char>(image, x + (j - 2), y + (i - 2)));
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
    out[y * w4 + x] = fetched(image, u, v) | fetched(image, u + 1, v) << 8 | fetched(image, u + 2, v) << 16 | fetched(image, u + 3, v) << 24;
}
// Examples 3 and 4: textures into shared memory, a pixel a fetch; 4 keeps floats.
#ifdef FLOATS
typedef float Tile;
#define FETCH(x, y) tex2D<float>(image, x, y)
#else
typedef unsigned char Tile;
#define FETCH(x, y) tex2D<unsigned char>(image, x, y)
#endif
extern "C" __global__ void k_texture_tile(cudaTextureObject_t image, unsigned* out, int w4) {
    __shared__ Tile tile[BY + 4][4 * BX + 8];
    float u = 4 * BX * blockIdx.x + threadIdx.x - 1.5f;
    for (int r = threadIdx.y; r < BY + 4; r += BY) {
        float v = BY * blockIdx.y + r - 1.5f;
#pragma unroll
        for (int c = 0; c < 4; ++c) tile[r][c * BX + threadIdx.x] = FETCH(u + c * BX, v);
        if (threadIdx.x < 4) tile[r][4 * BX + threadIdx.x] = FETCH(u + 4 * BX, v);
    }
    __syncthreads();
    const int pitch = 4 * BX + 8;
    const volatile Tile* corner = &tile[threadIdx.y][4 * threadIdx.x];
    unsigned result = 0;
#ifdef FLOATS
#pragma unroll
    for (int p = 0; p < 4; ++p) {
#ifdef MEMORY_ONLY
        float sum = corner[2 * pitch + 2 + p] * 255;
#else
        float sum = 0;
#pragma unroll 1
        for (int i = 0; i < 5; ++i)
#pragma unroll
            for (int j = 0; j < 5; ++j) sum += (float)weights[5 * i + j] * corner[i * pitch + j + p];
        sum *= 255.0f / 256;
#endif
        result |= (unsigned)(int)sum << 8 * p;
    }
#elif defined(MEMORY_ONLY)
    result = corner[2 * pitch + 2] | corner[2 * pitch + 3] << 8 | corner[2 * pitch + 4] << 16 | corner[2 * pitch + 5] << 24;
#else
    result = word(corner, pitch);
#endif
    out[(BY * blockIdx.y + threadIdx.y) * w4 + BX * blockIdx.x + threadIdx.x] = result;
}
// Example 5: "shift reads left & up by apron amount, then read an additional 4-pixel strip to the right": nothing is coalesced.
extern "C" __global__ void k_shift(const unsigned* in, unsigned* out, int w4, int pitch4) {
    __shared__ unsigned tile[BY + 4][BX + 2];
    const unsigned* words = in + (BY * blockIdx.y + 2) * pitch4 + BX * blockIdx.x + 63;  // one word left, the image begins in row 4
    for (int r = threadIdx.y; r < BY + 4; r += BY) {
        tile[r][threadIdx.x] = words[r * pitch4 + threadIdx.x];
        if (threadIdx.x < 2) tile[r][BX + threadIdx.x] = words[r * pitch4 + BX + threadIdx.x];
    }
    __syncthreads();
    const volatile unsigned char* corner = (const volatile unsigned char*)&tile[threadIdx.y][threadIdx.x] + 2;
    out[(BY * blockIdx.y + threadIdx.y) * w4 + BX * blockIdx.x + threadIdx.x] = word(corner, 4 * (BX + 2));
}
// Example 6: "strict coalescing": the middle by all, the strips by the threads whose word they would be.
extern "C" __global__ void k_strict(const unsigned* in, unsigned* out, int w4, int pitch4) {
    __shared__ unsigned tile[BY + 4][BX + 2];
    const unsigned* words = in + (BY * blockIdx.y + 2) * pitch4 + BX * blockIdx.x + 64;
    for (int r = threadIdx.y; r < BY + 4; r += BY) {
        tile[r][1 + threadIdx.x] = words[r * pitch4 + threadIdx.x];
        if (threadIdx.x == BX - 1) tile[r][0] = words[r * pitch4 - 1];
        if (threadIdx.x == 0) tile[r][BX + 1] = words[r * pitch4 + BX];
    }
    __syncthreads();
    const volatile unsigned char* corner = (const volatile unsigned char*)&tile[threadIdx.y][threadIdx.x] + 2;
    out[(BY * blockIdx.y + threadIdx.y) * w4 + BX * blockIdx.x + threadIdx.x] = word(corner, 4 * (BX + 2));
}
// Examples 7, 8 and 10: 16 pixels a thread. DEALT: every 16th word instead of four beside each other, collected in shared memory.
extern "C" __global__ void k_wide(const uint4* in, uint4* out, int w16, int pitch16) {
    __shared__ uint4 tile[BY + 4][BX + 2];
    const uint4* pieces = in + (BY * blockIdx.y + 2) * pitch16 + BX * blockIdx.x + 16;
    for (int r = threadIdx.y; r < BY + 4; r += BY) {
        tile[r][1 + threadIdx.x] = pieces[r * pitch16 + threadIdx.x];
        if (threadIdx.x == BX - 1) tile[r][0] = pieces[r * pitch16 - 1];
        if (threadIdx.x == 0) tile[r][BX + 1] = pieces[r * pitch16 + BX];
    }
    __syncthreads();
    const int pitch = 16 * (BX + 2);
    const volatile unsigned char* row = (const volatile unsigned char*)&tile[threadIdx.y][1] - 2;
    uint4 result;
#ifdef DEALT
    __shared__ unsigned collected[BY][4 * BX];
#ifdef UNROLL
#pragma unroll
#else
#pragma unroll 1
#endif
    for (int q = 0; q < 4; ++q) collected[threadIdx.y][threadIdx.x + BX * q] = word(row + 4 * (threadIdx.x + BX * q), pitch);
    __syncthreads();
    const unsigned* four = &collected[threadIdx.y][4 * threadIdx.x];
    result = make_uint4(four[0], four[1], four[2], four[3]);
#else
    result.x = word(row + 16 * threadIdx.x, pitch);
    result.y = word(row + 16 * threadIdx.x + 4, pitch);
    result.z = word(row + 16 * threadIdx.x + 8, pitch);
    result.w = word(row + 16 * threadIdx.x + 12, pitch);
#endif
    out[(BY * blockIdx.y + threadIdx.y) * w16 + BX * blockIdx.x + threadIdx.x] = result;
}
