// One kernel for each kind of access whose counters are not those of ordinary loads and stores:
// matrices of shared memory, asynchronous copies, copies in bulk, tensor copies, mbarrier objects,
// other blocks' shared memory, wgmma. Each first fills its shared memory.
typedef unsigned int Word;
typedef unsigned long long Long;
struct alignas(64) Map {  // a CUtensorMap
  Long words[16];
};

constexpr int kWords = 4096;

__device__ __forceinline__ Word at(const void* p) {
  return static_cast<Word>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void fill(Word* s, const Word* in) {
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) s[i] = in[i];
  __syncthreads();
}

__device__ __forceinline__ void init(Long* b, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(count) : "memory");
}
__device__ __forceinline__ void arrive(Long* b) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(b)) : "memory");
}
__device__ __forceinline__ void expect(Long* b, Word bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(b)), "r"(bytes)
               : "memory");
}
__device__ __forceinline__ Word test(Long* b, int parity) {
  Word done;
  asm volatile(
      "{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
      : "=r"(done)
      : "r"(at(b)), "r"(parity)
      : "memory");
  return done;
}
__device__ __forceinline__ Word test_often(Long* b, int times) {
  Word sum = 0;
#pragma unroll 1
  for (int i = 0; i < times; ++i) sum += test(b, 0);
  return sum;
}
__device__ __forceinline__ void wait(Long* b, int parity) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n@done bra "
      "over;\nbra again;\nover:\n}" ::"r"(at(b)),
      "r"(parity)
      : "memory");
}
__device__ __forceinline__ void fence() { asm volatile("fence.proxy.async;" ::: "memory"); }

#define KERNEL(NAME) extern "C" __global__ void NAME(const Word* in, Word* out)
#define SHARED __shared__ __align__(1024) Word s[kWords]
#define FILLED               \
  SHARED;                    \
  fill(s, in);               \
  const int t = threadIdx.x; \
  (void)t
#define STORE(V) out[blockIdx.x * blockDim.x + threadIdx.x] = (V)

// ---- Ordinary accesses, to compare with ----

KERNEL(k_fill) {
  FILLED;
  if (in[0] == 12345) STORE(s[t ^ 1]);
}
KERNEL(k_ordinary) {
  FILLED;
  STORE(s[t * 4 % 1024]);
}

// ---- Matrices ----

#define LDMATRIX(NAME, FORM, N, OFFSET)   \
  KERNEL(NAME) {                          \
    FILLED;                               \
    Word r[4] = {};                       \
    LDMATRIX_##N(FORM, at(s) + (OFFSET)); \
    STORE(r[0] ^ r[1] ^ r[2] ^ r[3]);     \
  }
#define LDMATRIX_1(FORM, FROM)                                                \
  asm volatile("ldmatrix.sync.aligned.m8n8.x1" FORM ".shared.b16 {%0}, [%1];" \
               : "=r"(r[0])                                                   \
               : "r"(FROM))
#define LDMATRIX_2(FORM, FROM)                                                    \
  asm volatile("ldmatrix.sync.aligned.m8n8.x2" FORM ".shared.b16 {%0, %1}, [%2];" \
               : "=r"(r[0]), "=r"(r[1])                                           \
               : "r"(FROM))
#define LDMATRIX_4(FORM, FROM)                                                            \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" FORM ".shared.b16 {%0, %1, %2, %3}, [%4];" \
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                           \
               : "r"(FROM))
LDMATRIX(k_ldmatrix_1, "", 1, t * 16)
LDMATRIX(k_ldmatrix_2, "", 2, t * 16)
LDMATRIX(k_ldmatrix_4, "", 4, t * 16)
LDMATRIX(k_ldmatrix_1_trans, ".trans", 1, t * 16)
LDMATRIX(k_ldmatrix_4_trans, ".trans", 4, t * 16)
LDMATRIX(k_ldmatrix_1_stride_128, "", 1, t * 128)
LDMATRIX(k_ldmatrix_2_stride_128, "", 2, t * 128)
LDMATRIX(k_ldmatrix_4_stride_128, "", 4, t * 128)
LDMATRIX(k_ldmatrix_4_trans_stride_128, ".trans", 4, t * 128)
LDMATRIX(k_ldmatrix_4_stride_32, "", 4, t * 32)
LDMATRIX(k_ldmatrix_4_stride_64, "", 4, t * 64)
LDMATRIX(k_ldmatrix_4_stride_80, "", 4, t * 80)
LDMATRIX(k_ldmatrix_4_same, "", 4, 0)
LDMATRIX(k_ldmatrix_4_same_matrix, "", 4, t % 8 * 16)
LDMATRIX(k_ldmatrix_4_conflict_in_one, "", 4, t < 8 ? t * 128 : 4096 + t * 16)
LDMATRIX(k_ldmatrix_4_random, "", 4, (t * t * 7 + t * 3) % 512 * 16)

#define STMATRIX(NAME, LIST, OFFSET)                                                    \
  KERNEL(NAME) {                                                                        \
    FILLED;                                                                             \
    const Word v = in[t];                                                               \
    asm volatile("stmatrix.sync.aligned.m8n8." LIST ";" ::"r"(at(s) + (OFFSET)), "r"(v) \
                 : "memory");                                                           \
    if (in[0] == 12345) STORE(s[t ^ 1]);                                                \
  }
STMATRIX(k_stmatrix_1, "x1.shared.b16 [%0], {%1}", t * 16)
STMATRIX(k_stmatrix_2, "x2.shared.b16 [%0], {%1, %1}", t * 16)
STMATRIX(k_stmatrix_4, "x4.shared.b16 [%0], {%1, %1, %1, %1}", t * 16)
STMATRIX(k_stmatrix_4_trans, "x4.trans.shared.b16 [%0], {%1, %1, %1, %1}", t * 16)
STMATRIX(k_stmatrix_1_stride_128, "x1.shared.b16 [%0], {%1}", t * 128)
STMATRIX(k_stmatrix_2_stride_128, "x2.shared.b16 [%0], {%1, %1}", t * 128)
STMATRIX(k_stmatrix_4_stride_128, "x4.shared.b16 [%0], {%1, %1, %1, %1}", t * 128)
STMATRIX(k_stmatrix_4_stride_80, "x4.shared.b16 [%0], {%1, %1, %1, %1}", t * 80)

// ---- cp.async ----

#define ASYNC(NAME, FORM, TO, FROM, TAKES_PART) SIZED(NAME, FORM, TO, FROM, TAKES_PART, 0)
#define SIZED(NAME, FORM, TO, FROM, TAKES_PART, SIZE)                            \
  KERNEL(NAME) {                                                                 \
    FILLED;                                                                      \
    if (TAKES_PART)                                                              \
      asm volatile("cp.async." FORM ";" ::"r"(at(s) + (TO)),                     \
                   "l"(reinterpret_cast<const char*>(in) + (FROM)), "r"(SIZE)    \
                   : "memory");                                                  \
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory"); \
    __syncthreads();                                                             \
    if (in[0] == 12345) STORE(s[t ^ 1]);                                         \
  }
ASYNC(k_async_4, "ca.shared.global [%0], [%1], 4", t * 4, t * 4, true)
ASYNC(k_async_8, "ca.shared.global [%0], [%1], 8", t * 8, t * 8, true)
ASYNC(k_async_16_ca, "ca.shared.global [%0], [%1], 16", t * 16, t * 16, true)
ASYNC(k_async_16, "cg.shared.global [%0], [%1], 16", t * 16, t * 16, true)
ASYNC(k_async_16_some, "cg.shared.global [%0], [%1], 16", t * 16, t * 16, t % 3 == 0)
ASYNC(k_async_16_zeros, "cg.shared.global [%0], [%1], 16, 8", t * 16, t * 16, true)
ASYNC(k_async_16_ignored, "cg.shared.global [%0], [%1], 16, 0", t * 16, t * 16, true)
ASYNC(k_async_4_to_128, "ca.shared.global [%0], [%1], 4", t * 128, t * 4, true)
ASYNC(k_async_16_to_128, "cg.shared.global [%0], [%1], 16", t * 128, t * 16, true)
ASYNC(k_async_16_to_80, "cg.shared.global [%0], [%1], 16", t * 80, t * 16, true)
ASYNC(k_async_4_from_64, "ca.shared.global [%0], [%1], 4", t * 4, t * 64, true)
ASYNC(k_async_16_from_64, "cg.shared.global [%0], [%1], 16", t * 16, t * 64, true)

ASYNC(k_async_16_one, "cg.shared.global [%0], [%1], 16", t * 16, t * 16, t == 0)
ASYNC(k_async_16_two, "cg.shared.global [%0], [%1], 16", t * 16, t * 16, t < 2)
ASYNC(k_async_16_eight, "cg.shared.global [%0], [%1], 16", t * 16, t * 16, t < 8)
ASYNC(k_async_16_even, "cg.shared.global [%0], [%1], 16", t * 16, t * 16, t % 2 == 0)
ASYNC(k_async_16_shifted, "cg.shared.global [%0], [%1], 16", t * 16 + 16, t * 16, true)
ASYNC(k_async_16_shifted_32, "cg.shared.global [%0], [%1], 16", t * 16 + 32, t * 16, true)
ASYNC(k_async_16_reversed, "cg.shared.global [%0], [%1], 16", 496 - t * 16, t * 16, true)
ASYNC(k_async_16_from_32, "cg.shared.global [%0], [%1], 16", t * 16, t * 32, true)
ASYNC(k_async_16_from_128, "cg.shared.global [%0], [%1], 16", t * 16, t * 128, true)
ASYNC(k_async_16_to_32, "cg.shared.global [%0], [%1], 16", t * 32, t * 16, true)
ASYNC(k_async_16_to_64, "cg.shared.global [%0], [%1], 16", t * 64, t * 16, true)
ASYNC(k_async_16_from_64_to_64, "cg.shared.global [%0], [%1], 16", t * 64, t * 64, true)
ASYNC(k_async_16_rows_of_64, "cg.shared.global [%0], [%1], 16", t / 4 * 80 + t % 4 * 16, t * 16,
      true)
ASYNC(k_async_16_rows_of_64_from_256, "cg.shared.global [%0], [%1], 16", t * 16,
      t / 4 * 256 + t % 4 * 16, true)
ASYNC(k_async_16_rows_of_128_from_512, "cg.shared.global [%0], [%1], 16", t * 16,
      t / 8 * 512 + t % 8 * 16, true)
ASYNC(k_async_16_swizzled, "cg.shared.global [%0], [%1], 16", t / 8 * 128 + (t % 8 ^ t / 8) * 16,
      t / 8 * 512 + t % 8 * 16, true)
ASYNC(k_async_16_same, "cg.shared.global [%0], [%1], 16", t * 16, 0, true)
SIZED(k_async_16_zeros_32, "cg.shared.global [%0], [%1], 16, %2", t * 16, t * 16, true,
      t < 16 ? 16 : 8)
SIZED(k_async_16_zeros_some, "cg.shared.global [%0], [%1], 16, %2", t * 16, t * 16, true,
      t < 16 ? 16 : 0)
ASYNC(k_async_4_some, "ca.shared.global [%0], [%1], 4", t * 4, t * 4, t % 3 == 0)
ASYNC(k_async_4_zeros, "ca.shared.global [%0], [%1], 4, 0", t * 4, t * 4, true)
SIZED(k_async_4_zeros_some, "ca.shared.global [%0], [%1], 4, %2", t * 4, t * 4, true,
      t < 16 ? 4 : 0)
ASYNC(k_async_4_shifted, "ca.shared.global [%0], [%1], 4", t * 4 + 4, t * 4, true)
ASYNC(k_async_4_from_shifted, "ca.shared.global [%0], [%1], 4", t * 4, t * 4 + 4, true)
ASYNC(k_async_4_from_8, "ca.shared.global [%0], [%1], 4", t * 4, t * 8, true)
ASYNC(k_async_4_from_128, "ca.shared.global [%0], [%1], 4", t * 4, t * 128, true)
ASYNC(k_async_4_to_8, "ca.shared.global [%0], [%1], 4", t * 8, t * 4, true)
ASYNC(k_async_4_from_128_to_128, "ca.shared.global [%0], [%1], 4", t * 128, t * 128, true)
ASYNC(k_async_4_reversed, "ca.shared.global [%0], [%1], 4", 124 - t * 4, t * 4, true)
ASYNC(k_async_8_from_64, "ca.shared.global [%0], [%1], 8", t * 8, t * 64, true)
ASYNC(k_async_8_to_64, "ca.shared.global [%0], [%1], 8", t * 64, t * 8, true)
ASYNC(k_async_8_some, "ca.shared.global [%0], [%1], 8", t * 8, t * 8, t % 3 == 0)
ASYNC(k_async_16_ca_from_64, "ca.shared.global [%0], [%1], 16", t * 16, t * 64, true)
ASYNC(k_async_16_ca_to_80, "ca.shared.global [%0], [%1], 16", t * 80, t * 16, true)
ASYNC(k_async_16_ca_some, "ca.shared.global [%0], [%1], 16", t * 16, t * 16, t % 3 == 0)

// ---- mbarrier objects ----

#define BARRIER(NAME, ...) \
  KERNEL(NAME) {           \
    FILLED;                \
    __shared__ Long b[32]; \
    __VA_ARGS__            \
  }
BARRIER(k_init, if (t == 0) init(b, 1);)
BARRIER(k_init_all, init(b + t, 1);)
BARRIER(
    k_init_inval, if (t == 0) {
      init(b, 1);
      asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at(b)) : "memory");
    })
BARRIER(
    k_arrive, if (t == 0) {
      init(b, 4);
      for (int i = 0; i < 4; ++i) arrive(b);
    })
BARRIER(k_arrive_all, if (t == 0) init(b, 32); __syncwarp(); arrive(b);)
BARRIER(
    k_arrive_expect, if (t == 0) {
      init(b, 1);
      expect(b, 0);
    })
BARRIER(
    k_arrive_state, if (t == 0) {
      init(b, 1);
      Long state;
      asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(b)) : "memory");
      out[0] = static_cast<Word>(state);
    })
BARRIER(
    k_test, if (t == 0) {
      init(b, 1);
      out[0] = test(b, 0);
    })
BARRIER(k_test_all, if (t == 0) init(b, 1); __syncwarp(); STORE(test(b, 0));)
BARRIER(
    k_test_7, if (t == 0) {
      init(b, 1);
      out[0] = test_often(b, 7);
    })
BARRIER(
    k_try_done, if (t == 0) {
      init(b, 1);
      arrive(b);
      wait(b, 0);
    })
BARRIER(
    k_try_done_all,
    if (t == 0) {
      init(b, 1);
      arrive(b);
    } __syncwarp();
    wait(b, 0);)
BARRIER(k_async_arrive, if (t == 0) init(b, 32); __syncwarp();
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(s) + t * 16),
                     "l"(in + t * 4)
                     : "memory");
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(b))
                     : "memory");
        wait(b, 0);)

// ---- Copies in bulk ----

#define BULK(NAME, BYTES, TO, FROM)                                                              \
  BARRIER(                                                                                       \
      NAME,                                                                                      \
      if (t == 0) {                                                                              \
        init(b, 1);                                                                              \
        fence();                                                                                 \
        expect(b, BYTES);                                                                        \
        asm volatile(                                                                            \
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, " \
            "[%3];" ::"r"(at(s) + TO),                                                           \
            "l"(reinterpret_cast<const char*>(in) + FROM), "r"(BYTES), "r"(at(b))                \
            : "memory");                                                                         \
      } __syncthreads();                                                                         \
      wait(b, 0);)
BULK(k_bulk_16, 16, 0, 0)
BULK(k_bulk_512, 512, 0, 0)
BULK(k_bulk_512_at_16, 512, 16, 16)
BULK(k_bulk_4096, 4096, 0, 0)
BARRIER(
    k_bulk_twice,
    if (t == 0) {
      init(b, 1);
      fence();
      expect(b, 2048);
      for (int i = 0; i < 2; ++i)
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
            "[%3];" ::"r"(at(s) + i * 1024),
            "l"(in + i * 1024), "r"(1024), "r"(at(b))
            : "memory");
    } __syncthreads();
    wait(b, 0);)

KERNEL(k_bulk_prefetch) {
  FILLED;
  if (t == 0)
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(in), "r"(512) : "memory");
}

#define BULK_STORE(NAME, FORM, BYTES)                                                        \
  KERNEL(NAME) {                                                                             \
    FILLED;                                                                                  \
    fence();                                                                                 \
    __syncthreads();                                                                         \
    if (t == 0) {                                                                            \
      asm volatile(FORM " [%0], [%1], %2;" ::"l"(out), "r"(at(s)), "r"(BYTES) : "memory");   \
      asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory"); \
    }                                                                                        \
  }
BULK_STORE(k_bulk_store_16, "cp.async.bulk.global.shared::cta.bulk_group", 16)
BULK_STORE(k_bulk_store_512, "cp.async.bulk.global.shared::cta.bulk_group", 512)
BULK_STORE(k_bulk_store_4096, "cp.async.bulk.global.shared::cta.bulk_group", 4096)
BULK_STORE(k_bulk_add_512, "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32", 512)
BULK_STORE(k_bulk_add_4096, "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32", 4096)

// ---- Tensor copies: of boxes of 32 × 8 floats of a tensor of 64 × 32 ----

#define TENSOR(NAME, BYTES, X, Y)                                                               \
  extern "C" __global__ void NAME(const Word* in, Word* out, const __grid_constant__ Map map) { \
    FILLED;                                                                                     \
    __shared__ Long b[1];                                                                       \
    if (t == 0) {                                                                               \
      init(b, 1);                                                                               \
      fence();                                                                                  \
      expect(b, BYTES);                                                                         \
      asm volatile(                                                                             \
          "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "   \
          "[%0], [%1, {%2, %3}], [%4];" ::"r"(at(s)),                                           \
          "l"(&map), "r"(X), "r"(Y), "r"(at(b))                                                 \
          : "memory");                                                                          \
    }                                                                                           \
    __syncthreads();                                                                            \
    wait(b, 0);                                                                                 \
  }
TENSOR(k_tensor, 1024, 0, 0)
TENSOR(k_tensor_edge, 1024, 48, 28)
TENSOR(k_tensor_swizzled, 1024, 32, 8)

#define TENSOR_STORE(NAME, FORM, X, Y)                                                          \
  extern "C" __global__ void NAME(const Word* in, Word* out, const __grid_constant__ Map map) { \
    FILLED;                                                                                     \
    fence();                                                                                    \
    __syncthreads();                                                                            \
    if (t == 0) {                                                                               \
      asm volatile(FORM " [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(X), "r"(Y), "r"(at(s))        \
                   : "memory");                                                                 \
      asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");    \
    }                                                                                           \
  }
TENSOR_STORE(k_tensor_store, "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group", 0, 0)
TENSOR_STORE(k_tensor_store_edge, "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group", 48,
             28)
TENSOR_STORE(k_tensor_add, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group",
             0, 0)

// ---- Other blocks' shared memory: clusters of two ----

#define CLUSTER(NAME, ...)                                                                       \
  extern "C" __global__ void __cluster_dims__(2, 1, 1) NAME(const Word* in, Word* out) {         \
    FILLED;                                                                                      \
    __shared__ Long b[4];                                                                        \
    Word rank, other, its_barrier;                                                               \
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));                                 \
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"                                          \
                 : "=r"(other)                                                                   \
                 : "r"(at(s)), "r"(rank ^ 1));                                                   \
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"                                          \
                 : "=r"(its_barrier)                                                             \
                 : "r"(at(b)), "r"(rank ^ 1));                                                   \
    if (t == 0) init(b, 1);                                                                      \
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory"); \
    __VA_ARGS__                                                                                  \
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory"); \
  }
CLUSTER(k_remote_none, )
CLUSTER(k_remote_load, Word v; asm volatile("ld.shared::cluster.u32 %0, [%1];"
                                            : "=r"(v)
                                            : "r"(other + t * 4)
                                            : "memory");
        STORE(v);)
CLUSTER(k_remote_load_stride_128, Word v; asm volatile("ld.shared::cluster.u32 %0, [%1];"
                                                       : "=r"(v)
                                                       : "r"(other + t * 128)
                                                       : "memory");
        STORE(v);)
CLUSTER(k_remote_store, asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(other + t * 4), "r"(t)
                                     : "memory");)
CLUSTER(k_remote_add,
        asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(other + t * 4),
                     "r"(t)
                     : "memory");)
CLUSTER(k_remote_arrive,
        if (t == 0) asm volatile(
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(its_barrier)
            : "memory");
        wait(b, 0);)
CLUSTER(
    k_st_async, if (t == 0) expect(b, 128);
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::
                     : "memory");
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                     other + t * 4),
                 "r"(t), "r"(its_barrier)
                 : "memory");
    wait(b, 0);)
CLUSTER(k_red_async, if (t == 0) expect(b, 128);
        asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::
                         : "memory");
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add."
                     "u32 [%0], %1, [%2];" ::"r"(other + t * 4),
                     "r"(t), "r"(its_barrier)
                     : "memory");
        wait(b, 0);)
CLUSTER(
    k_bulk_remote,
    if (t == 0) {
      expect(b, 512);
      fence();
    } asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::
                       : "memory");
    if (t == 0) asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"
                             "bytes [%0], [%1], %2, [%3];" ::"r"(other + 8192),
                             "r"(at(s)), "r"(512), "r"(its_barrier)
                             : "memory");
    wait(b, 0);)

// ---- wgmma, by four warps ----

__device__ __forceinline__ Long descriptor(const void* p, int next_columns) {
  return at(p) >> 4 | static_cast<Long>(next_columns / 16) << 16 |
         static_cast<Long>(1024 / 16) << 32 | 1ull << 62;
}
#define WGMMA_ALL "wgmma.fence.sync.aligned;\n"
#define WGMMA_END "\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
KERNEL(k_wgmma_none) {
  FILLED;
  fence();
  __syncthreads();
}
KERNEL(k_wgmma) {
  FILLED;
  fence();
  __syncthreads();
  float d[4] = {};
  asm volatile(WGMMA_ALL
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, "
               "1, 0, 0;" WGMMA_END
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(descriptor(s, 0)), "l"(descriptor(s + 2048, 0))
               : "memory");
  STORE(__float_as_uint(d[0] + d[1] + d[2] + d[3]));
}
KERNEL(k_wgmma_registers) {
  FILLED;
  fence();
  __syncthreads();
  float d[4] = {};
  const Word a = t;
  asm volatile(WGMMA_ALL
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %4, %4, "
               "%4}, %5, 1, 1, 1, 0;" WGMMA_END
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a), "l"(descriptor(s + 2048, 0))
               : "memory");
  STORE(__float_as_uint(d[0] + d[1] + d[2] + d[3]));
}
KERNEL(k_wgmma_32) {
  FILLED;
  fence();
  __syncthreads();
  float d[16] = {};
  asm volatile(WGMMA_ALL
               "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, "
               "%7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, 1, 1, 1, 0, 0;" WGMMA_END
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
                 "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]),
                 "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
               : "l"(descriptor(s, 0)), "l"(descriptor(s + 2048, 0))
               : "memory");
  STORE(__float_as_uint(d[0] + d[5] + d[10] + d[15]));
}
#define WGMMA_4(NAME, FORM, TAIL, A, B)                                            \
  KERNEL(NAME) {                                                                   \
    FILLED;                                                                        \
    fence();                                                                       \
    __syncthreads();                                                               \
    float d[4] = {};                                                               \
    asm volatile(WGMMA_ALL "wgmma.mma_async.sync.aligned." FORM                    \
                           " {%0, %1, %2, %3}, %4, %5, 1, 1, 1" TAIL ";" WGMMA_END \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                  \
                 : "l"(A), "l"(B)                                                  \
                 : "memory");                                                      \
    STORE(__float_as_uint(d[0] + d[1] + d[2] + d[3]));                             \
  }
// Rows of 16, 32 and 64 bytes, without a swizzle and with one.
__device__ __forceinline__ Long plain(const void* p) {
  return at(p) >> 4 | Long(128 / 16) << 16 | Long(256 / 16) << 32;
}
__device__ __forceinline__ Long swizzled_32(const void* p) {
  return at(p) >> 4 | Long(256 / 16) << 32 | 3ull << 62;
}
__device__ __forceinline__ Long swizzled_64(const void* p) {
  return at(p) >> 4 | Long(512 / 16) << 32 | 2ull << 62;
}
WGMMA_4(k_wgmma_tf32, "m64n8k8.f32.tf32.tf32", "", descriptor(s, 0), descriptor(s + 2048, 0))
WGMMA_4(k_wgmma_e4m3, "m64n8k32.f32.e4m3.e4m3", "", descriptor(s, 0), descriptor(s + 2048, 0))
WGMMA_4(k_wgmma_plain, "m64n8k16.f32.f16.f16", ", 0, 0", plain(s), plain(s + 2048))
WGMMA_4(k_wgmma_swizzled_32, "m64n8k16.f32.f16.f16", ", 0, 0", swizzled_32(s),
        swizzled_32(s + 2048))
WGMMA_4(k_wgmma_swizzled_64, "m64n8k16.f32.f16.f16", ", 0, 0", swizzled_64(s),
        swizzled_64(s + 2048))
WGMMA_4(k_wgmma_transposed_b, "m64n8k16.f32.f16.f16", ", 0, 1", descriptor(s, 0),
        descriptor(s + 2048, 1024))
WGMMA_4(k_wgmma_transposed, "m64n8k16.f32.f16.f16", ", 1, 1", descriptor(s, 1024),
        descriptor(s + 2048, 1024))
KERNEL(k_wgmma_twice) {
  FILLED;
  fence();
  __syncthreads();
  float d[4] = {};
  asm volatile(
      WGMMA_ALL
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, "
      "0;" WGMMA_END
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(descriptor(s, 0)), "l"(descriptor(s + 2048, 0))
      : "memory");
  STORE(__float_as_uint(d[0] + d[1] + d[2] + d[3]));
}
