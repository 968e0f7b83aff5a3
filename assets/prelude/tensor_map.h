#pragma once

// What a kernel takes a tensor map as. It is cuda.h's, which NVRTC leaves out.
typedef struct alignas(128) CUtensorMap_st {
  unsigned long long opaque[16];
} CUtensorMap;
