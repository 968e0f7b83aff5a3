// What an H100 says about clusters: special registers, addresses, and which launches it refuses.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ unsigned reg(int n) {
  unsigned v = 0;
  switch (n) {
    case 0:
      asm("mov.u32 %0, %%clusterid.x;" : "=r"(v));
      break;
    case 1:
      asm("mov.u32 %0, %%clusterid.y;" : "=r"(v));
      break;
    case 2:
      asm("mov.u32 %0, %%clusterid.z;" : "=r"(v));
      break;
    case 3:
      asm("mov.u32 %0, %%nclusterid.x;" : "=r"(v));
      break;
    case 4:
      asm("mov.u32 %0, %%nclusterid.y;" : "=r"(v));
      break;
    case 5:
      asm("mov.u32 %0, %%nclusterid.z;" : "=r"(v));
      break;
    case 6:
      asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v));
      break;
    case 7:
      asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(v));
      break;
    case 8:
      asm("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(v));
      break;
    case 9:
      asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v));
      break;
    case 10:
      asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(v));
      break;
    case 11:
      asm("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(v));
      break;
    case 12:
      asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(v));
      break;
    case 13:
      asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(v));
      break;
    case 14:
      asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(v));
      break;
  }
  return v;
}

__device__ void ask(unsigned* out) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  for (int n = 0; n < 15; ++n) out[block * 16 + n] = reg(n);
}

__global__ void unnamed(unsigned* out) { ask(out); }
__global__ void __cluster_dims__(2, 1, 1) two(unsigned* out) { ask(out); }
__global__ void __cluster_dims__(2, 3, 1) six(unsigned* out) { ask(out); }
__global__ void __cluster_dims__(1, 2, 4) eight(unsigned* out) { ask(out); }
__global__ void __cluster_dims__(16, 1, 1) sixteen(unsigned* out) { ask(out); }
__global__ void __cluster_dims__() open(unsigned* out) { ask(out); }
__global__ void __launch_bounds__(64, 1, 2) bounded(unsigned* out) { ask(out); }
__global__ void __block_size__((32, 1, 1), (2, 1, 1)) sized(unsigned* out) { ask(out); }

// Addresses: is mapa of the own rank the plain address, ranks of addresses, isspacep.
__global__ void __cluster_dims__(4, 1, 1) addresses(unsigned* out) {
  __shared__ unsigned s[4];
  auto c = cg::this_cluster();
  unsigned r = c.block_rank();
  unsigned* mine = c.map_shared_rank(s, r);
  unsigned* next = c.map_shared_rank(s, (r + 1) % 4);
  unsigned plain = (unsigned)__cvta_generic_to_shared(s);
  unsigned cta, cluster;
  asm("{ .reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p; }"
      : "=r"(cta)
      : "l"(next));
  asm("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p; }"
      : "=r"(cluster)
      : "l"(next));
  unsigned* o = out + blockIdx.x * 8;
  o[0] = mine == s;
  o[1] = c.query_shared_rank(s);
  o[2] = c.query_shared_rank(next);
  o[3] = cta;
  o[4] = cluster;
  o[5] = plain;
  o[6] = (unsigned)__cvta_generic_to_shared(next);
  o[7] = (unsigned)__cvta_generic_to_shared(mine);
  c.sync();
}

// A block that leaves early: the others pass.
__global__ void __cluster_dims__(4, 1, 1) leaves(unsigned* out) {
  auto c = cg::this_cluster();
  if (c.block_rank() == 1) return;
  c.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = 7;
}

template <typename Kernel>
void ask_for(const char* name, Kernel kernel, dim3 grid, dim3 cluster, bool large = false) {
  unsigned* out;
  cudaMalloc(&out, 4096 * 64);
  cudaMemset(out, 0, 4096 * 64);
  if (large) cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = dim3(32);
  cudaLaunchAttribute a[1];
  a[0].id = cudaLaunchAttributeClusterDimension;
  a[0].val.clusterDim.x = cluster.x;
  a[0].val.clusterDim.y = cluster.y;
  a[0].val.clusterDim.z = cluster.z;
  config.attrs = a;
  config.numAttrs = cluster.x == 0 ? 0 : 1;
  cudaError_t e = cudaLaunchKernelEx(&config, kernel, out);
  cudaError_t e2 = cudaDeviceSynchronize();
  std::printf("%s grid %u,%u,%u cluster %u,%u,%u large %d: %s %s\n", name, grid.x, grid.y, grid.z,
              cluster.x, cluster.y, cluster.z, large, cudaGetErrorName(e), cudaGetErrorName(e2));
  cudaGetLastError();
  if (e == cudaSuccess && e2 == cudaSuccess) {
    static unsigned host[4096 * 16];
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    const unsigned blocks = grid.x * grid.y * grid.z * (name[0] == 's' && name[3] == 'e' ? 2 : 1);
    for (unsigned b = 0; b < blocks && b < 256; ++b) {
      std::printf(" %u:", b);
      for (int n = 0; n < 15; ++n) std::printf(" %u", host[b * 16 + n]);
      std::printf("\n");
    }
  }
  cudaFree(out);
}

int main() {
  dim3 none(0, 0, 0);
  ask_for("unnamed", unnamed, dim3(3, 2), none);
  ask_for("unnamed", unnamed, dim3(4, 2), dim3(2, 1, 1));
  ask_for("unnamed", unnamed, dim3(4, 2), dim3(2, 2, 1));
  ask_for("unnamed", unnamed, dim3(4, 4, 4), dim3(2, 2, 2));
  ask_for("unnamed", unnamed, dim3(4), dim3(1, 1, 1));
  ask_for("unnamed", unnamed, dim3(5), dim3(2, 1, 1));
  ask_for("unnamed", unnamed, dim3(16), dim3(16, 1, 1));
  ask_for("unnamed", unnamed, dim3(16), dim3(16, 1, 1), true);
  ask_for("unnamed", unnamed, dim3(32), dim3(32, 1, 1), true);
  ask_for("two", two, dim3(6), none);
  ask_for("two", two, dim3(5), none);
  ask_for("two", two, dim3(4), dim3(2, 1, 1));
  ask_for("two", two, dim3(4), dim3(4, 1, 1));
  ask_for("six", six, dim3(4, 6), none);
  ask_for("eight", eight, dim3(2, 4, 8), none);
  ask_for("sixteen", sixteen, dim3(16), none);
  ask_for("sixteen", sixteen, dim3(16), none, true);
  ask_for("open", open, dim3(4), none);
  ask_for("open", open, dim3(4), dim3(4, 1, 1));
  ask_for("bounded", bounded, dim3(4), none);
  ask_for("bounded", bounded, dim3(4), dim3(2, 1, 1));
  ask_for("bounded", bounded, dim3(4), dim3(4, 1, 1));
  ask_for("sized", sized, dim3(3), none);
  unsigned* out;
  unsigned host[64];
  cudaMalloc(&out, 256);
  addresses<<<4, 1>>>(out);
  std::printf("addresses: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);
  for (int b = 0; b < 4; ++b) {
    for (int n = 0; n < 8; ++n) std::printf(" %x", host[b * 8 + n]);
    std::printf("\n");
  }
  cudaMemset(out, 0, 256);
  leaves<<<4, 64>>>(out);
  std::printf("leaves: %s", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaMemcpy(host, out, 16, cudaMemcpyDeviceToHost);
  std::printf(" %u %u %u %u\n", host[0], host[1], host[2], host[3]);
  return 0;
}
