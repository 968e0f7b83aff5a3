// What a chip gives for three-dimensional textures and surfaces and for cubes:
//   nvcc -std=c++17 -arch=native -I.. volumes.cu -o volumes -lcuda && ./volumes FOLDER
// writes FOLDER/volumes.txt, whose lines ../README.md describes, and, to find the rules with, raw
// words of some lines.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "points.h"
using namespace texture_truth;

#define CK(x)                                                                         \
  do {                                                                                \
    const cudaError_t e = (x);                                                        \
    if (e != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
      std::exit(1);                                                                   \
    }                                                                                 \
  } while (0)

enum Kind { k3d, kCube, kLayeredCube };
struct Line {
  Kind kind;
  int width, height, depth;  // depth: planes of a volume, or cubes
  int format, channels, linear, address[3], normalised, as_float, texels, whole, points;
};

// Four words, floats as their bits. TYPE: of the registers of the result; PLACE: of %5 on.
#define FETCH(GEOMETRY, TYPE, COORDINATE, PLACE, ...)                                 \
  asm volatile("{.reg ." TYPE " a, b, c, d; tex." GEOMETRY ".v4." TYPE "." COORDINATE \
               " {a, b, c, d}, [%4, {" PLACE                                          \
               "}]; "                                                                 \
               "mov.b32 %0, a; mov.b32 %1, b; mov.b32 %2, c; mov.b32 %3, d;}"         \
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                       \
               : "l"(t), __VA_ARGS__)
#define FETCH_EITHER(...)         \
  if (kFloat)                     \
    FETCH_AS("f32", __VA_ARGS__); \
  else                            \
    FETCH_AS("u32", __VA_ARGS__)
#define FETCH_AS(TYPE, GEOMETRY, ...) FETCH(GEOMETRY, TYPE, __VA_ARGS__)

template <int kKind, bool kFloat, bool kWhole>
__global__ void fetch(cudaTextureObject_t t, const uint32_t* in, uint32_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint32_t x = in[4 * i], y = in[4 * i + 1], z = in[4 * i + 2], layer = in[4 * i + 3];
  const float fx = __uint_as_float(x), fy = __uint_as_float(y), fz = __uint_as_float(z);
  uint32_t r[4];
  if (kWhole) {
    FETCH_EITHER("3d", "s32", "%5, %6, %7, %7", "r"(x), "r"(y), "r"(z));
  } else if (kKind == k3d) {
    FETCH_EITHER("3d", "f32", "%5, %6, %7, %7", "f"(fx), "f"(fy), "f"(fz));
  } else if (kKind == kCube) {
    FETCH_EITHER("cube", "f32", "%5, %6, %7, %7", "f"(fx), "f"(fy), "f"(fz));
  } else {
    FETCH_EITHER("acube", "f32", "%8, %5, %6, %7", "f"(fx), "f"(fy), "f"(fz), "r"(layer));
  }
  for (int c = 0; c < 4; ++c) out[4 * i + c] = r[c];
}

// Surfaces: one thread, since stores may meet. Mode 0 trap is not measured; 1 clamp, 2 zero.
template <int kMode>
__global__ void surface(cudaSurfaceObject_t s, const uint32_t* in, uint32_t* out, int n) {
  for (int i = 0; i < n; ++i) {
    const int x = in[4 * i], y = in[4 * i + 1], z = in[4 * i + 2];
    uint32_t r;
    if (kMode == 1) {
      asm volatile("suld.b.3d.b32.clamp %0, [%1, {%2, %3, %4, %4}];"
                   : "=r"(r)
                   : "l"(s), "r"(x), "r"(y), "r"(z)
                   : "memory");
      asm volatile("sust.b.3d.b32.clamp [%0, {%1, %2, %3, %3}], %4;" ::"l"(s), "r"(x), "r"(y),
                   "r"(z), "r"(in[4 * i + 3])
                   : "memory");
    } else {
      asm volatile("suld.b.3d.b32.zero %0, [%1, {%2, %3, %4, %4}];"
                   : "=r"(r)
                   : "l"(s), "r"(x), "r"(y), "r"(z)
                   : "memory");
      asm volatile("sust.b.3d.b32.zero [%0, {%1, %2, %3, %3}], %4;" ::"l"(s), "r"(x), "r"(y),
                   "r"(z), "r"(in[4 * i + 3])
                   : "memory");
    }
    out[i] = r;
  }
}

static uint64_t fnv(const void* p, size_t n) {
  uint64_t h = 1469598103934665603u;
  for (size_t i = 0; i < n; ++i) h = (h ^ static_cast<const uint8_t*>(p)[i]) * 1099511628211u;
  return h;
}

static cudaChannelFormatDesc channels_of(int format, int channels) {
  const int bits = 8 * bytes_of(static_cast<Format>(format));
  const auto kind = format >= kF16 ? cudaChannelFormatKindFloat
                    : format == kS8 || format == kS16 || format == kS32
                        ? cudaChannelFormatKindSigned
                        : cudaChannelFormatKindUnsigned;
  return cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                               channels > 2 ? bits : 0, kind);
}

static std::vector<uint8_t> image(int texels, int format, int channels, int kind, int only) {
  const int bytes = bytes_of(static_cast<Format>(format));
  std::vector<uint8_t> data(static_cast<size_t>(texels) * channels * bytes);
  for (int i = 0; i < texels; ++i)
    for (int c = 0; c < channels; ++c) {
      uint32_t bits = texel(static_cast<Format>(format), static_cast<Texels>(kind), i, c);
      if (only >= 0) bits = i == only ? 0x3f800000u : 0u;
      std::memcpy(&data[(static_cast<size_t>(i) * channels + c) * bytes], &bits, bytes);
    }
  return data;
}

static cudaArray_t array_of(const Line& l, const std::vector<uint8_t>& data, unsigned flags) {
  const bool cube = l.kind == kCube || l.kind == kLayeredCube;
  cudaChannelFormatDesc desc = channels_of(l.format, l.channels);
  cudaArray_t a;
  const size_t planes = cube ? 6 * (l.kind == kLayeredCube ? l.depth : 1) : l.depth;
  if (cube) flags |= cudaArrayCubemap;
  if (l.kind == kLayeredCube) flags |= cudaArrayLayered;
  CK(cudaMalloc3DArray(&a, &desc, make_cudaExtent(l.width, l.height, planes), flags));
  cudaMemcpy3DParms m{};
  const size_t pixel = static_cast<size_t>(bytes_of(static_cast<Format>(l.format))) * l.channels;
  m.srcPtr =
      make_cudaPitchedPtr(const_cast<uint8_t*>(data.data()), l.width * pixel, l.width, l.height);
  m.dstArray = a;
  m.extent = make_cudaExtent(l.width, l.height, planes);
  m.kind = cudaMemcpyHostToDevice;
  CK(cudaMemcpy3D(&m));
  return a;
}

static uint32_t *g_in, *g_out;
constexpr int kMost = 1 << 18;

static std::vector<uint32_t> run(const Line& l, int only, const std::vector<uint32_t>& in) {
  const bool cube = l.kind == kCube || l.kind == kLayeredCube;
  const int planes = cube ? 6 * (l.kind == kLayeredCube ? l.depth : 1) : l.depth;
  const cudaArray_t a =
      array_of(l, image(l.width * l.height * planes, l.format, l.channels, l.texels, only), 0);
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaTextureDesc t{};
  for (int axis = 0; axis < 3; ++axis)
    t.addressMode[axis] = static_cast<cudaTextureAddressMode>(l.address[axis]);
  t.filterMode = l.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  t.readMode = l.as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  t.normalizedCoords = l.normalised;
  const float border[4] = {0.25f, 0.5f, 0.75f, 1.0f};
  std::memcpy(t.borderColor, border, sizeof border);
  cudaTextureObject_t o;
  CK(cudaCreateTextureObject(&o, &r, &t, nullptr));
  CK(cudaMemcpy(g_in, in.data(), in.size() * 4, cudaMemcpyHostToDevice));
  const bool is_float = l.format >= kF16 || l.as_float;
  const int n = l.points, blocks = (n + 127) / 128;
#define GO(KIND, WHOLE)                                                   \
  is_float ? fetch<KIND, true, WHOLE><<<blocks, 128>>>(o, g_in, g_out, n) \
           : fetch<KIND, false, WHOLE><<<blocks, 128>>>(o, g_in, g_out, n)
  if (l.whole)
    GO(k3d, true);
  else if (l.kind == k3d)
    GO(k3d, false);
  else if (l.kind == kCube)
    GO(kCube, false);
  else
    GO(kLayeredCube, false);
  CK(cudaDeviceSynchronize());
  std::vector<uint32_t> out(4 * static_cast<size_t>(n));
  CK(cudaMemcpy(out.data(), g_out, out.size() * 4, cudaMemcpyDeviceToHost));
  CK(cudaDestroyTextureObject(o));
  CK(cudaFreeArray(a));
  return out;
}

static std::vector<uint32_t> coordinates(const Line& l) {
  const int size[3] = {l.width, l.height, l.depth};
  std::vector<uint32_t> in(4 * static_cast<size_t>(l.points));
  for (int i = 0; i < l.points; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      if (l.whole)
        in[4 * i + axis] = static_cast<uint32_t>(whole_coordinate(i, axis, size[axis]));
      else if (l.kind == k3d)
        in[4 * i + axis] = bits_of(coordinate(i, axis, size[axis], l.normalised));
      else
        in[4 * i + axis] = direction(i, axis);
    }
    in[4 * i + 3] = static_cast<uint32_t>(static_cast<int>(mix(i) % 7) - 2);
  }
  return in;
}

static void dump(const std::string& folder, const char* name, const std::vector<uint32_t>& words) {
  FILE* f = std::fopen((folder + "/" + name).c_str(), "wb");
  std::fwrite(words.data(), 4, words.size(), f);
  std::fclose(f);
}

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  CK(cudaMalloc(&g_in, 16 * kMost));
  CK(cudaMalloc(&g_out, 16 * kMost));
  FILE* rows = std::fopen((folder + "/volumes.txt").c_str(), "w");
  // Eight texels, of which one is 1: the weights.
  {
    std::vector<uint32_t> all;
    for (int only = 0; only < 8; ++only) {
      Line l{k3d, 2, 2, 2, kF32, 1, 1, {1, 1, 1}, 0, 0, 0, 0, 32768};
      std::vector<uint32_t> in(4 * l.points);
      for (int i = 0; i < l.points; ++i)
        for (int axis = 0; axis < 3; ++axis)
          in[4 * i + axis] =
              bits_of(0.5f + static_cast<float>(mix(3 * i + axis + 9) % 256) / 256.0f);
      const auto out = run(l, only, in);
      for (int i = 0; i < l.points; ++i) all.push_back(out[4 * i]);
    }
    dump(folder, "weights.bin", all);
  }
  const int sizes[3][3] = {{5, 7, 3}, {16, 8, 4}, {33, 9, 17}};
  int number = 0;
  auto row = [&](const Line& l) {
    const auto out = run(l, -1, coordinates(l));
    std::fprintf(rows, "%016llx %s %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n",
                 static_cast<unsigned long long>(fnv(out.data(), out.size() * 4)),
                 l.kind == k3d     ? "3d"
                 : l.kind == kCube ? "cube"
                                   : "acube",
                 l.width, l.height, l.depth, l.format, l.channels, l.linear, l.address[0],
                 l.address[1], l.address[2], l.normalised, l.as_float, l.texels, l.whole, l.points);
    return out;
  };
  for (int f = kU8; f <= kF32; ++f)
    for (int channels : {1, 2, 4})
      for (int as_float = 0; as_float < 2; ++as_float)
        for (int linear = 0; linear < 2; ++linear)
          for (int normalised = 0; normalised < 2; ++normalised)
            for (int modes = 0; modes < 6; ++modes) {
              if (as_float && (f >= kU32)) continue;
              if (linear && f < kF16 && !as_float) continue;
              const int m = mix(number * 7 + 3) % 64;
              Line l{k3d,        0,        0,      0,
                     f,          channels, linear, {m & 3, m >> 2 & 3, m >> 4 & 3},
                     normalised, as_float, kNoise, 0,
                     1024};
              if (modes < 4) l.address[0] = l.address[1] = l.address[2] = modes;
              const int* s = sizes[number++ % 3];
              l.width = s[0];
              l.height = s[1];
              l.depth = s[2];
              if (f >= kF16 && modes == 5) l.texels = kWild;
              const auto out = row(l);
              if (channels == 1 && modes == 1 && linear)
                dump(folder,
                     ("raw-" + std::to_string(f) + "-" + std::to_string(normalised) + ".bin")
                         .c_str(),
                     out);
            }
  for (int f = kU8; f <= kF32; ++f) {
    Line l{k3d, 5, 7, 3, f, 1, 0, {1, 1, 1}, 0, 0, kNoise, 1, 1024};
    row(l);
  }
  // Cubes: always normalised.
  for (int kind : {(int)kCube, (int)kLayeredCube})
    for (int side : {1, 4, 7, 16, 33})
      for (int f : {(int)kU8, (int)kS16, (int)kU32, (int)kF16, (int)kF32})
        for (int linear = 0; linear < 2; ++linear)
          for (int mode = 0; mode < 4; mode += 1) {
            const int as_float = linear && f < kF16;
            if (linear && f == kU32) continue;
            Line l{(Kind)kind, side,     side,   kind == kCube ? 1 : 3,
                   f,          1,        linear, {mode, mode, mode},
                   1,          as_float, kNoise, 0,
                   1024};
            row(l);
          }
  // Where directions lead: the texels are their numbers.
  {
    for (int linear = 0; linear < 2; ++linear) {
      Line l{kCube, 64, 64, 1, kF32, 1, linear, {1, 1, 1}, 1, 0, kRamp, 0, 65536};
      const auto out = row(l);
      std::vector<uint32_t> first;
      for (int i = 0; i < l.points; ++i) first.push_back(out[4 * i]);
      dump(folder, linear ? "cube-linear.bin" : "cube-point.bin", first);
    }
    Line l{kCube, 1024, 1024, 1, kF32, 1, 0, {1, 1, 1}, 1, 0, kRamp, 0, 65536};
    const auto out = row(l);
    std::vector<uint32_t> first;
    for (int i = 0; i < l.points; ++i) first.push_back(out[4 * i]);
    dump(folder, "cube-fine.bin", first);
  }
  // Surfaces.
  for (int mode = 1; mode <= 2; ++mode)
    for (const auto& s : sizes) {
      Line l{k3d, s[0], s[1], s[2], kU32, 1, 0, {}, 0, 0, kNoise, 1, 1024};
      const auto data = image(l.width * l.height * l.depth, l.format, 1, kNoise, -1);
      const cudaArray_t a = array_of(l, data, cudaArraySurfaceLoadStore);
      cudaResourceDesc r{};
      r.resType = cudaResourceTypeArray;
      r.res.array.array = a;
      cudaSurfaceObject_t o;
      CK(cudaCreateSurfaceObject(&o, &r));
      std::vector<uint32_t> in(4 * l.points), out(l.points);
      for (int i = 0; i < l.points; ++i) {
        in[4 * i] = static_cast<uint32_t>(whole_coordinate(i, 0, s[0])) * 4;
        in[4 * i + 1] = static_cast<uint32_t>(whole_coordinate(i, 1, s[1]));
        in[4 * i + 2] = static_cast<uint32_t>(whole_coordinate(i, 2, s[2]));
        in[4 * i + 3] = mix(i + 99);
      }
      CK(cudaMemcpy(g_in, in.data(), in.size() * 4, cudaMemcpyHostToDevice));
      mode == 1 ? surface<1><<<1, 1>>>(o, g_in, g_out, l.points)
                : surface<2><<<1, 1>>>(o, g_in, g_out, l.points);
      CK(cudaDeviceSynchronize());
      CK(cudaMemcpy(out.data(), g_out, out.size() * 4, cudaMemcpyDeviceToHost));
      std::vector<uint8_t> back(data.size());
      cudaMemcpy3DParms m{};
      m.srcArray = a;
      m.dstPtr = make_cudaPitchedPtr(back.data(), l.width * 4, l.width, l.height);
      m.extent = make_cudaExtent(l.width, l.height, l.depth);
      m.kind = cudaMemcpyDeviceToHost;
      CK(cudaMemcpy3D(&m));
      std::fprintf(rows, "%016llx surf3d %d %d %d %d %d %016llx\n",
                   static_cast<unsigned long long>(fnv(out.data(), out.size() * 4)), mode, s[0],
                   s[1], s[2], l.points,
                   static_cast<unsigned long long>(fnv(back.data(), back.size())));
    }
  std::fclose(rows);
}
