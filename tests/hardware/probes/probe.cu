#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#define K extern "C" __global__ void
// offs: per lane byte offset or -1
K k_red_u32(char* p, const int* o, int* out) {
  int x = o[threadIdx.x];
  if (x >= 0) atomicAdd((unsigned*)(p + x), 1u);
}
K k_red_u64(char* p, const int* o, int* out) {
  int x = o[threadIdx.x];
  if (x >= 0) atomicAdd((unsigned long long*)(p + x), (unsigned long long)threadIdx.x);
}
K k_red_f32(char* p, const int* o, int* out) {
  int x = o[threadIdx.x];
  if (x >= 0) atomicAdd((float*)(p + x), 1.0f);
}
K k_red_max(char* p, const int* o, int* out) {
  int x = o[threadIdx.x];
  if (x >= 0) atomicMax((int*)(p + x), (int)threadIdx.x);
}
K k_atom_u32(char* p, const int* o, int* out) {
  int x = o[threadIdx.x];
  if (x >= 0) out[threadIdx.x] = atomicAdd((unsigned*)(p + x), 1u);
}
K k_cas_u32(char* p, const int* o, int* out) {
  int x = o[threadIdx.x];
  if (x >= 0) out[threadIdx.x] = atomicCAS((unsigned*)(p + x), 1u, (unsigned)threadIdx.x);
}
K k_exch_u32(char* p, const int* o, int* out) {
  int x = o[threadIdx.x];
  if (x >= 0) out[threadIdx.x] = atomicExch((unsigned*)(p + x), (unsigned)threadIdx.x);
}
K k_sinc(char* p, const int* o, int* out) {
  extern __shared__ char s[];
  int x = o[threadIdx.x];
  if (x >= 0) atomicAdd((unsigned*)(s + x), 1u);
}
K k_sadd(char* p, const int* o, int* out) {
  extern __shared__ char s[];
  int x = o[threadIdx.x];
  if (x >= 0) atomicAdd((unsigned*)(s + x), (unsigned)threadIdx.x);
}
K k_saddr(char* p, const int* o, int* out) {
  extern __shared__ char s[];
  int x = o[threadIdx.x];
  if (x >= 0) out[threadIdx.x] = atomicAdd((unsigned*)(s + x), (unsigned)threadIdx.x);
}
K k_smax(char* p, const int* o, int* out) {
  extern __shared__ char s[];
  int x = o[threadIdx.x];
  if (x >= 0) atomicMax((int*)(s + x), (int)threadIdx.x);
}
K k_sexch(char* p, const int* o, int* out) {
  extern __shared__ char s[];
  int x = o[threadIdx.x];
  if (x >= 0) out[threadIdx.x] = atomicExch((int*)(s + x), (int)threadIdx.x);
}
K k_scas(char* p, const int* o, int* out) {
  extern __shared__ char s[];
  int x = o[threadIdx.x];
  if (x >= 0) out[threadIdx.x] = atomicCAS((int*)(s + x), 77, (int)threadIdx.x);
}
K k_scas64(char* p, const int* o, int* out) {
  extern __shared__ char s[];
  int x = o[threadIdx.x];
  if (x >= 0)
    out[threadIdx.x] =
        (int)atomicCAS((unsigned long long*)(s + x), 77ull, (unsigned long long)threadIdx.x);
}
K k_ld32(char* p, const int* o, int* out) {
  int x = o[threadIdx.x];
  if (x >= 0) out[threadIdx.x] = *(volatile int*)(p + x);
}
K k_ld128(char* p, const int* o, int* out) {
  int x = o[threadIdx.x];
  if (x >= 0) ((int4*)out)[threadIdx.x] = *(int4*)(p + x);
}
K k_st32(char* p, const int* o, int* out) {
  int x = o[threadIdx.x];
  if (x >= 0) *(int*)(p + x) = threadIdx.x;
}
K k_lds32(char* p, const int* o, int* out) {
  extern __shared__ char s[];
  int x = o[threadIdx.x];
  if (x >= 0) out[threadIdx.x] = *(volatile int*)(s + x);
}
K k_lds64(char* p, const int* o, int* out) {
  extern __shared__ char s[];
  int x = o[threadIdx.x];
  if (x >= 0) ((int2*)out)[threadIdx.x] = *(int2*)(s + x);
}
K k_lds128(char* p, const int* o, int* out) {
  extern __shared__ char s[];
  int x = o[threadIdx.x];
  if (x >= 0) ((int4*)out)[threadIdx.x] = *(int4*)(s + x);
}
K k_sts64(char* p, const int* o, int* out) {
  extern __shared__ char s[];
  int x = o[threadIdx.x];
  if (x >= 0) {
    asm volatile("st.shared.v2.u32 [%0],{%1,%1};" ::"r"((unsigned)__cvta_generic_to_shared(s + x)),
                 "r"(x)
                 : "memory");
  }
}
K k_sts128(char* p, const int* o, int* out) {
  extern __shared__ char s[];
  int x = o[threadIdx.x];
  if (x >= 0) {
    asm volatile(
        "st.shared.v4.u32 [%0],{%1,%1,%1,%1};" ::"r"((unsigned)__cvta_generic_to_shared(s + x)),
        "r"(x)
        : "memory");
  }
}
struct E {
  const char* n;
  void (*f)(char*, const int*, int*);
} T[] = {
#define R(x) {#x, k_##x},
    R(red_u32) R(red_u64) R(red_f32) R(red_max) R(atom_u32) R(cas_u32) R(exch_u32) R(sinc) R(sadd)
        R(saddr) R(smax) R(sexch) R(scas) R(scas64) R(ld32) R(ld128) R(st32) R(lds32) R(lds64)
            R(lds128) R(sts64) R(sts128)};
int main(int c, char** v) {
  FILE* f = fopen(v[1], "r");
  std::vector<int> all;
  std::vector<int> ks;
  char name[64];
  while (fscanf(f, "%63s", name) == 1) {
    int k = -1;
    for (int i = 0; i < (int)(sizeof T / sizeof *T); i++)
      if (!strcmp(T[i].n, name)) k = i;
    if (k < 0) {
      printf("bad %s\n", name);
      return 1;
    }
    ks.push_back(k);
    for (int i = 0; i < 32; i++) {
      int x;
      if (fscanf(f, "%d", &x) != 1) return 2;
      all.push_back(x);
    }
  }
  char* p;
  int *o, *out;
  cudaMalloc(&p, 1 << 22);
  cudaMemset(p, 0, 1 << 22);
  cudaMalloc(&out, 4096);
  cudaMalloc(&o, all.size() * 4);
  cudaMemcpy(o, all.data(), all.size() * 4, cudaMemcpyHostToDevice);
  for (size_t i = 0; i < ks.size(); i++) T[ks[i]].f<<<1, 32, 32768>>>(p, o + i * 32, out);
  printf("done %zu %s\n", ks.size(), cudaGetErrorString(cudaDeviceSynchronize()));
}
