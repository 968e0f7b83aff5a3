// What happens outside the kernel, measured: copies, overlap, unified memory, launches, allocation,
// zero-copy, and when a GPU pays. CUDA runtime API only. Prints CSV lines; the first column names
// the table, and a line whose second column is "columns" precedes each table.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -Xcompiler -march=native,-fopenmp host_bench.cu -o host_bench
//
// Times are medians by the host's steady clock around calls that end with a synchronisation, unless
// the column says "event" (elapsed time between two CUDA events) or "call" (until the call
// returned, no synchronisation).
#include <cuda_runtime.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#define CHECK(call)                                                                 \
  do {                                                                              \
    const cudaError_t status = (call);                                              \
    if (status != cudaSuccess) {                                                    \
      std::printf("error,%s,%d,%s\n", #call, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                 \
    }                                                                               \
  } while (0)

using Clock = std::chrono::steady_clock;
static double now_us() {
  return std::chrono::duration<double, std::micro>(Clock::now().time_since_epoch()).count();
}
static double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}
// Median of `reps` runs of `body`, each after `before`; both are untimed and timed parts of one
// repetition.
static double time_us(int reps, const std::function<void()>& before,
                      const std::function<void()>& body) {
  std::vector<double> times;
  for (int r = 0; r < reps; ++r) {
    before();
    const double start = now_us();
    body();
    times.push_back(now_us() - start);
  }
  return median(times);
}
static double time_us(int reps, const std::function<void()>& body) {
  return time_us(
      reps, [] {}, body);
}
static size_t KiB(size_t n) { return n << 10; }
static size_t MiB(size_t n) { return n << 20; }

// ---- kernels ----
__global__ void empty() {}
__global__ void never_launched_before() {}
// `turns` dependent multiply-adds per element: a kernel as long as we like.
__global__ void work(const float* in, float* out, int n, int turns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  for (int t = 0; t < turns; ++t) v = fmaf(v, 0.999f, 0.001f);
  out[i] = v;
}
__global__ void add_one(float* a, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    a[i] += 1.0f;
}
__global__ void fill(float* a, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    a[i] = 1.0f;
}
// Reads every element (or one of `step`), and writes only if the impossible happens.
__global__ void read_all(const float* a, size_t n, size_t step, float* sink) {
  float s = 0;
  for (size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * step; i < n;
       i += (size_t)gridDim.x * blockDim.x * step)
    s += a[i];
  if (s == -1.2345f) *sink = s;
}
// One warp per 4 KiB piece, pieces in a scattered order: `odd` is an odd multiplier, pieces a power
// of two.
__global__ void read_scattered(const float* a, size_t pieces, size_t odd, float* sink) {
  const size_t warps = (size_t)gridDim.x * blockDim.x / 32;
  float s = 0;
  for (size_t w = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / 32; w < pieces; w += warps) {
    const size_t piece = (w * odd) & (pieces - 1);
    for (int k = threadIdx.x & 31; k < 1024; k += 32) s += a[piece * 1024 + k];
  }
  if (s == -1.2345f) *sink = s;
}
__global__ void copy_out(const float* in, float* out, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    out[i] = in[i];
}
__global__ void scale(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2.0f * in[i];
}
__global__ void shift(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 0.5f;
}
__global__ void clip(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fmaxf(in[i], 0.0f);
}
__global__ void fused(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fmaxf(2.0f * in[i] + 0.5f, 0.0f);
}

static int blocks(size_t n) { return (int)((n + 255) / 256); }
static const int kFill = 132 * 8;  // blocks of 256 that fill the chip

// ---- 1. the first calls of a process ----
static void first_calls() {
  double start = now_us();
  CHECK(cudaFree(nullptr));
  std::printf("first,columns,what,us\n");
  std::printf("first,,context,%.0f\n", now_us() - start);
  start = now_us();
  never_launched_before<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
  std::printf("first,,first launch of a kernel,%.1f\n", now_us() - start);
  start = now_us();
  never_launched_before<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
  std::printf("first,,second launch,%.1f\n", now_us() - start);
}

static void environment() {
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  int driver = 0, runtime = 0, concurrent = 0, pageable = 0, tables = 0, engines = 0;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
  CHECK(cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
  CHECK(cudaDeviceGetAttribute(&tables, cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0));
  CHECK(cudaDeviceGetAttribute(&engines, cudaDevAttrAsyncEngineCount, 0));
  std::printf(
      "device,columns,name,driver,runtime,sms,copy_engines,concurrent_managed,pageable_access,host_"
      "page_tables,host_threads\n");
  std::printf("device,,%s,%d,%d,%d,%d,%d,%d,%d,%d\n", p.name, driver, runtime,
              p.multiProcessorCount, engines, concurrent, pageable, tables, omp_get_max_threads());
}

// ---- 2. copies ----
static void copies() {
  const size_t most = MiB(256);
  char *pageable = (char*)std::malloc(most), *other = (char*)std::malloc(most), *pinned = nullptr,
       *pinned2 = nullptr;
  std::memset(pageable, 1, most);
  std::memset(other, 1, most);
  std::printf("pin,columns,what,MiB,us\n");
  std::printf("pin,,cudaMallocHost,256,%.0f\n",
              time_us(1, [&] { CHECK(cudaMallocHost(&pinned, most)); }));
  CHECK(cudaMallocHost(&pinned2, most));
  std::printf("pin,,cudaFreeHost,256,%.0f\n", time_us(1, [&] { CHECK(cudaFreeHost(pinned2)); }));
  CHECK(cudaMallocHost(&pinned2, most));
  {
    char* fresh = nullptr;
    std::printf("pin,,malloc and first touch,256,%.0f\n", time_us(1, [&] {
                  fresh = (char*)std::malloc(most);
                  for (size_t i = 0; i < most; i += 4096) ((volatile char*)fresh)[i] = 1;
                }));
    std::printf("pin,,cudaHostRegister of touched memory,256,%.0f\n",
                time_us(1, [&] { CHECK(cudaHostRegister(fresh, most, cudaHostRegisterDefault)); }));
    std::printf("pin,,cudaHostUnregister,256,%.0f\n",
                time_us(1, [&] { CHECK(cudaHostUnregister(fresh)); }));
    std::free(fresh);
    std::printf("pin,,memcpy host to host one thread,256,%.0f\n",
                time_us(7, [&] { std::memcpy(other, pageable, most); }));
  }
  std::memset(pinned, 1, most);
  std::memset(pinned2, 1, most);
  char *device = nullptr, *device2 = nullptr;
  CHECK(cudaMalloc(&device, most));
  CHECK(cudaMalloc(&device2, most));
  CHECK(cudaMemset(device, 1, most));
  std::printf("copy,columns,direction,memory,KiB,us,GB/s\n");
  for (int up = 1; up >= 0; --up)
    for (int pin = 0; pin < 2; ++pin)
      for (size_t bytes = KiB(4); bytes <= most; bytes *= 4) {
        char* host = pin ? pinned : pageable;
        const int reps = bytes <= MiB(1) ? 201 : bytes <= MiB(16) ? 41 : 9;
        const double us = time_us(reps, [&] {
          if (up)
            CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
          else
            CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
          CHECK(cudaDeviceSynchronize());
        });
        std::printf("copy,,%s,%s,%zu,%.2f,%.2f\n", up ? "H2D" : "D2H", pin ? "pinned" : "pageable",
                    bytes >> 10, us, bytes / us / 1e3);
      }
  cudaStream_t a, b;
  CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  // How long until an asynchronous copy's call returns, and until it is done.
  std::printf("async,columns,memory,direction,MiB,call_us,done_us\n");
  for (int pin = 0; pin < 2; ++pin)
    for (int up = 1; up >= 0; --up) {
      std::vector<double> call, done;
      for (int r = 0; r < 9; ++r) {
        char* host = pin ? pinned : pageable;
        const double start = now_us();
        CHECK(cudaMemcpyAsync(up ? device : host, up ? host : device, MiB(64),
                              up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, a));
        call.push_back(now_us() - start);
        CHECK(cudaStreamSynchronize(a));
        done.push_back(now_us() - start);
      }
      std::printf("async,,%s,%s,64,%.1f,%.1f\n", pin ? "pinned" : "pageable", up ? "H2D" : "D2H",
                  median(call), median(done));
    }
  // Both directions at once, and two copies in the same direction.
  std::printf("both,columns,what,MiB_each,us,GB/s_together\n");
  const auto two = [&](const char* what, bool first_up, bool second_up) {
    const double us = time_us(9, [&] {
      CHECK(cudaMemcpyAsync(first_up ? device : pinned, first_up ? pinned : device, MiB(128),
                            first_up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, a));
      CHECK(cudaMemcpyAsync(second_up ? device2 : pinned2, second_up ? pinned2 : device2, MiB(128),
                            second_up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, b));
      CHECK(cudaDeviceSynchronize());
    });
    std::printf("both,,%s,128,%.1f,%.2f\n", what, us, 2 * MiB(128) / us / 1e3);
  };
  two("H2D and D2H", true, false);
  two("H2D and H2D", true, true);
  two("D2H and D2H", false, false);
  // Many small copies against one that is as large.
  std::printf("small,columns,copies,KiB_each,us,GB/s\n");
  for (int n : {1, 16, 256, 1024}) {
    const size_t each = MiB(4) / n;
    const double us = time_us(21, [&] {
      for (int i = 0; i < n; ++i)
        CHECK(
            cudaMemcpyAsync(device + i * each, pinned + i * each, each, cudaMemcpyHostToDevice, a));
      CHECK(cudaStreamSynchronize(a));
    });
    std::printf("small,,%d,%zu,%.1f,%.2f\n", n, each >> 10, us, MiB(4) / us / 1e3);
  }
  CHECK(cudaStreamDestroy(a));
  CHECK(cudaStreamDestroy(b));
  CHECK(cudaFree(device));
  CHECK(cudaFree(device2));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFreeHost(pinned2));
  std::free(pageable);
  std::free(other);
}

// ---- 3. overlap ----
static void overlap() {
  const int n = 16 << 20;
  const size_t bytes = (size_t)n * 4;
  float *in, *out, *din, *dout;
  CHECK(cudaMallocHost(&in, bytes));
  CHECK(cudaMallocHost(&out, bytes));
  CHECK(cudaMalloc(&din, bytes));
  CHECK(cudaMalloc(&dout, bytes));
  for (int i = 0; i < n; ++i) in[i] = (float)(i & 1023) / 1024;
  float* pageable = (float*)std::malloc(bytes);
  std::memcpy(pageable, in, bytes);
  const double up = time_us(9, [&] { CHECK(cudaMemcpy(din, in, bytes, cudaMemcpyHostToDevice)); });
  const double down =
      time_us(9, [&] { CHECK(cudaMemcpy(out, din, bytes, cudaMemcpyDeviceToHost)); });
  const auto kernel_us = [&](int turns, int elements) {
    return time_us(7, [&] {
      work<<<blocks(elements), 256>>>(din, dout, elements, turns);
      CHECK(cudaDeviceSynchronize());
    });
  };
  kernel_us(100, n);
  const double slope = (kernel_us(4000, n) - kernel_us(2000, n)) / 2000;
  const int turns = (int)(up / slope);
  const double kernel = kernel_us(turns, n);
  std::printf("parts,columns,MiB,turns,H2D_us,kernel_us,D2H_us,sum_us\n");
  std::printf("parts,,64,%d,%.1f,%.1f,%.1f,%.1f\n", turns, up, kernel, down, up + kernel + down);
  std::printf("kernelpart,columns,share,us\n");
  for (int share : {1, 2, 4, 8, 16, 32, 64})
    std::printf("kernelpart,,%d,%.1f\n", share, kernel_us(turns, n / share));

  enum class How { per_chunk, by_kind, kernel_in_default, nonblocking, pageable };
  const auto run = [&](int streams, int chunks, How how) {
    std::vector<cudaStream_t> s(streams);
    for (auto& stream : s)
      CHECK(cudaStreamCreateWithFlags(
          &stream, how == How::nonblocking ? cudaStreamNonBlocking : cudaStreamDefault));
    const int part = n / chunks / 256 *
                     256;  // a chunk count that does not divide n leaves less than a thousandth
    const float* from = how == How::pageable ? pageable : in;
    const auto h2d = [&](int c) {
      CHECK(cudaMemcpyAsync(din + (size_t)c * part, from + (size_t)c * part, (size_t)part * 4,
                            cudaMemcpyHostToDevice, s[c % streams]));
    };
    const auto go = [&](int c) {
      work<<<blocks(part), 256, 0, how == How::kernel_in_default ? 0 : s[c % streams]>>>(
          din + (size_t)c * part, dout + (size_t)c * part, part, turns);
    };
    const auto d2h = [&](int c) {
      CHECK(cudaMemcpyAsync(out + (size_t)c * part, dout + (size_t)c * part, (size_t)part * 4,
                            cudaMemcpyDeviceToHost, s[c % streams]));
    };
    std::vector<double> call;
    const double us = time_us(9, [&] {
      const double start = now_us();
      if (how == How::by_kind) {
        for (int c = 0; c < chunks; ++c) h2d(c);
        for (int c = 0; c < chunks; ++c) go(c);
        for (int c = 0; c < chunks; ++c) d2h(c);
      } else {
        for (int c = 0; c < chunks; ++c) h2d(c), go(c), d2h(c);
      }
      call.push_back(now_us() - start);
      CHECK(cudaDeviceSynchronize());
    });
    for (auto& stream : s) CHECK(cudaStreamDestroy(stream));
    const char* names[] = {"per chunk", "by kind", "kernel in default stream",
                           "nonblocking streams", "pageable input"};
    std::printf("overlap,,%s,%d,%d,%.1f,%.2f,%.1f\n", names[(int)how], streams, chunks, us,
                (up + kernel + down) / us, median(call));
  };
  std::printf("overlap,columns,order,streams,chunks,us,speedup,call_us\n");
  for (int streams : {1, 2, 4, 8})
    for (int chunks : {1, 2, 4, 8, 16, 32, 64})
      if (chunks >= streams || streams == 1) run(streams, chunks, How::per_chunk);
  for (int chunks : {6, 12, 24}) run(3, chunks, How::per_chunk);
  for (int streams : {2, 4, 8}) run(streams, 8, How::by_kind);
  for (int streams : {4})
    run(streams, 8, How::kernel_in_default), run(streams, 8, How::nonblocking),
        run(streams, 8, How::pageable);
  // Wrong data seen without a wait: only how long the host is free.
  std::printf("clock,columns,how,us\n");
  std::vector<double> call, whole, event;
  cudaEvent_t e0, e1;
  CHECK(cudaEventCreate(&e0));
  CHECK(cudaEventCreate(&e1));
  for (int r = 0; r < 21; ++r) {
    double start = now_us();
    work<<<blocks(n), 256>>>(din, dout, n, turns);
    call.push_back(now_us() - start);
    CHECK(cudaDeviceSynchronize());
    whole.push_back(now_us() - start);
    CHECK(cudaEventRecord(e0));
    work<<<blocks(n), 256>>>(din, dout, n, turns);
    CHECK(cudaEventRecord(e1));
    CHECK(cudaEventSynchronize(e1));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, e0, e1));
    event.push_back(ms * 1e3);
  }
  std::printf("clock,,host clock without synchronisation,%.2f\n", median(call));
  std::printf("clock,,host clock with synchronisation,%.2f\n", median(whole));
  std::printf("clock,,events,%.2f\n", median(event));
  const auto between = [&](const std::function<void()>& body) {
    std::vector<double> v;
    for (int r = 0; r < 201; ++r) {
      CHECK(cudaEventRecord(e0));
      body();
      CHECK(cudaEventRecord(e1));
      CHECK(cudaEventSynchronize(e1));
      float ms;
      CHECK(cudaEventElapsedTime(&ms, e0, e1));
      v.push_back(ms * 1e3);
    }
    return median(v);
  };
  std::printf("clock,,events with nothing between,%.2f\n", between([] {}));
  std::printf("clock,,events around an empty kernel,%.2f\n", between([] { empty<<<1, 32>>>(); }));
  std::printf("clock,,events around a 4 KiB pinned copy,%.2f\n",
              between([&] { CHECK(cudaMemcpyAsync(din, in, 4096, cudaMemcpyHostToDevice)); }));
  CHECK(cudaEventDestroy(e0));
  CHECK(cudaEventDestroy(e1));
  CHECK(cudaFree(din));
  CHECK(cudaFree(dout));
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
  std::free(pageable);
}

// ---- 4. unified memory ----
static double host_sum(const float* a, size_t n) {
  double s = 0;
  for (size_t i = 0; i < n; i += 1024) s += a[i];  // one word per 4 KiB page
  return s;
}
static void unified() {
  const size_t bytes = MiB(256), n = bytes / 4;
  const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0}, cpu{cudaMemLocationTypeHost, 0};
  float *a, *sink, *plain;
  volatile double keep = 0;
  CHECK(cudaMalloc(&sink, 4));
  CHECK(cudaMalloc(&plain, bytes));
  const auto fresh = [&] { CHECK(cudaMallocManaged(&a, bytes)); };
  const auto on_host = [&] { std::memset(a, 0, bytes); };
  const auto launch = [&] {
    add_one<<<kFill, 256>>>(a, n);
    CHECK(cudaDeviceSynchronize());
  };
  const auto to = [&](cudaMemLocation where) {
    CHECK(cudaMemPrefetchAsync(a, bytes, where, 0, 0));
    CHECK(cudaDeviceSynchronize());
  };
  const auto row = [&](const char* what, double us) {
    std::printf("unified,,%s,256,%.1f,%.2f\n", what, us, bytes / us / 1e3);
  };
  std::printf("unified,columns,what,MiB,us,GB/s\n");
  fresh();
  row("host writes it the first time", time_us(1, on_host));
  row("kernel after host: page faults", time_us(5, on_host, launch));
  row("kernel again: resident", time_us(5, launch));
  row("host writes it after the kernel: faults back", time_us(3, launch, on_host));
  row("host reads a word per page after the kernel",
      time_us(3, launch, [&] { keep = keep + host_sum(a, n); }));
  row("prefetch to the GPU alone", time_us(5, on_host, [&] { to(gpu); }));
  row("prefetch to the GPU and kernel", time_us(5, on_host, [&] {
        to(gpu);
        launch();
      }));
  row("kernel after prefetch", time_us(
                                   5,
                                   [&] {
                                     on_host();
                                     to(gpu);
                                   },
                                   launch));
  row("prefetch to the host alone", time_us(
                                        5,
                                        [&] {
                                          to(gpu);
                                          launch();
                                        },
                                        [&] { to(cpu); }));
  row("host reads a word per page after prefetch", time_us(
                                                       3,
                                                       [&] {
                                                         launch();
                                                         to(cpu);
                                                       },
                                                       [&] { keep = keep + host_sum(a, n); }));
  row("scattered reads after host: page faults", time_us(3, on_host, [&] {
        read_scattered<<<kFill, 256>>>(a, n / 1024, 40503, sink);
        CHECK(cudaDeviceSynchronize());
      }));
  row("scattered reads again: resident", time_us(5, [&] {
        read_scattered<<<kFill, 256>>>(a, n / 1024, 40503, sink);
        CHECK(cudaDeviceSynchronize());
      }));
  // Ping-pong: kernel, host, kernel, host; one word per 64 KiB by the host.
  row("ping-pong: kernel and host touch all pages, per round", time_us(4, [&] {
        launch();
        for (size_t i = 0; i < n; i += 1024) a[i] += 1;
      }));
  CHECK(cudaFree(a));
  std::vector<double> first;
  for (int r = 0; r < 5; ++r) {
    fresh();
    const double start = now_us();
    fill<<<kFill, 256>>>(a, n);
    CHECK(cudaDeviceSynchronize());
    first.push_back(now_us() - start);
    CHECK(cudaFree(a));
  }
  row("first touch by the kernel: nothing to copy", median(first));
  // Read duplication: both sides only read.
  fresh();
  on_host();
  const auto both_read = [&] {
    read_all<<<kFill, 256>>>(a, n, 1, sink);
    CHECK(cudaDeviceSynchronize());
    keep = keep + host_sum(a, n);
  };
  both_read();
  row("both only read, per round", time_us(4, both_read));
  CHECK(cudaMemAdvise(a, bytes, cudaMemAdviseSetReadMostly, gpu));
  on_host();
  row("read mostly: first round", time_us(1, both_read));
  row("read mostly: later rounds", time_us(4, both_read));
  CHECK(cudaFree(a));
  // The host's memory mapped on the GPU: preferred location host, accessed by the GPU.
  fresh();
  CHECK(cudaMemAdvise(a, bytes, cudaMemAdviseSetPreferredLocation, cpu));
  CHECK(cudaMemAdvise(a, bytes, cudaMemAdviseSetAccessedBy, gpu));
  on_host();
  row("preferred location host: kernel reads across the bus", time_us(5, [&] {
        read_all<<<kFill, 256>>>(a, n, 1, sink);
        CHECK(cudaDeviceSynchronize());
      }));
  CHECK(cudaFree(a));
  CHECK(cudaMemset(plain, 0, bytes));
  row("the same kernel on cudaMalloc memory", time_us(9, [&] {
        add_one<<<kFill, 256>>>(plain, n);
        CHECK(cudaDeviceSynchronize());
      }));
  CHECK(cudaFree(plain));
  CHECK(cudaFree(sink));
}

// ---- 5. launches ----
static void launches() {
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  float *in, *out, *mid;
  const int most = 64 << 20;
  CHECK(cudaMalloc(&in, (size_t)most * 4));
  CHECK(cudaMalloc(&mid, (size_t)most * 4));
  CHECK(cudaMalloc(&out, (size_t)most * 4));
  CHECK(cudaMemset(in, 0, (size_t)most * 4));
  for (int i = 0; i < 100; ++i) empty<<<1, 32, 0, s>>>();
  CHECK(cudaStreamSynchronize(s));
  std::printf("launch,columns,what,us\n");
  std::printf("launch,,empty kernel and wait,%.2f\n", time_us(501, [&] {
                empty<<<1, 32, 0, s>>>();
                CHECK(cudaStreamSynchronize(s));
              }));
  std::printf("launch,,call alone idle GPU,%.2f\n", [&] {
    std::vector<double> v;
    for (int r = 0; r < 501; ++r) {
      const double start = now_us();
      empty<<<1, 32, 0, s>>>();
      v.push_back(now_us() - start);
      CHECK(cudaStreamSynchronize(s));
    }
    return median(v);
  }());
  for (int count : {20, 200, 1000, 5000}) {
    const double us = time_us(11, [&] {
      for (int i = 0; i < count; ++i) empty<<<1, 32, 0, s>>>();
      CHECK(cudaStreamSynchronize(s));
    });
    std::printf("launch,,%d empty kernels back to back per launch,%.3f\n", count, us / count);
  }
  std::printf("launch,,kernel with wait 1000 times per launch,%.3f\n",
              time_us(5, [&] {
                for (int i = 0; i < 1000; ++i) {
                  empty<<<1, 32, 0, s>>>();
                  CHECK(cudaStreamSynchronize(s));
                }
              }) / 1000);
  // Twenty small kernels: launched one by one, and as a graph.
  std::printf(
      "graph,columns,kernels,elements,event_us_one_kernel,launches_us,graph_us,launches_call_us,"
      "graph_call_us\n");
  for (int count : {20, 200})
    for (int n : {0, 4096, 262144, 1 << 20, 4 << 20}) {
      const auto one = [&] {
        if (n == 0)
          empty<<<1, 32, 0, s>>>();
        else
          scale<<<blocks(n), 256, 0, s>>>(in, out, n);
      };
      const auto many = [&] {
        for (int i = 0; i < count; ++i) one();
      };
      cudaGraph_t graph;
      cudaGraphExec_t exec;
      CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
      many();
      CHECK(cudaStreamEndCapture(s, &graph));
      const double instantiate = time_us(1, [&] { CHECK(cudaGraphInstantiate(&exec, graph, 0)); });
      const double first = time_us(1, [&] {
        CHECK(cudaGraphLaunch(exec, s));
        CHECK(cudaStreamSynchronize(s));
      });
      std::vector<double> a, b, ca, cb;
      for (int r = 0; r < 51; ++r) {
        double start = now_us();
        many();
        ca.push_back(now_us() - start);
        CHECK(cudaStreamSynchronize(s));
        a.push_back(now_us() - start);
        start = now_us();
        CHECK(cudaGraphLaunch(exec, s));
        cb.push_back(now_us() - start);
        CHECK(cudaStreamSynchronize(s));
        b.push_back(now_us() - start);
      }
      std::printf("graph,,%d,%d,,%.2f,%.2f,%.2f,%.2f\n", count, n, median(a), median(b), median(ca),
                  median(cb));
      std::printf("graphmake,,%d,%d,%.1f,%.1f\n", count, n, instantiate, first);
      CHECK(cudaGraphExecDestroy(exec));
      CHECK(cudaGraphDestroy(graph));
    }
  // Three kernels against one that does the work of all three.
  std::printf("fuse,columns,elements,three_us,fused_us,three_graph_us\n");
  for (int n : {1024, 65536, 1 << 20, 4 << 20, 16 << 20, 64 << 20}) {
    const auto three = [&] {
      scale<<<blocks(n), 256, 0, s>>>(in, mid, n);
      shift<<<blocks(n), 256, 0, s>>>(mid, out, n);
      clip<<<blocks(n), 256, 0, s>>>(out, mid, n);
    };
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    three();
    CHECK(cudaStreamEndCapture(s, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    const auto loop = [&](const std::function<void()>&
                              body) {  // ten in a row: what a program that does more pays for one
      const double us = time_us(15, [&] {
        for (int i = 0; i < 10; ++i) body();
        CHECK(cudaStreamSynchronize(s));
      });
      return us / 10;
    };
    loop(three);
    const double t = loop(three), f = loop([&] { fused<<<blocks(n), 256, 0, s>>>(in, out, n); }),
                 g = loop([&] { CHECK(cudaGraphLaunch(exec, s)); });
    std::printf("fuse,,%d,%.2f,%.2f,%.2f\n", n, t, f, g);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(mid));
  CHECK(cudaFree(out));
  CHECK(cudaStreamDestroy(s));
}

// ---- 6. allocation ----
static void allocation() {
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  cudaMemPool_t pool;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::printf("alloc,columns,how,KiB,alloc_us,free_us\n");
  for (size_t bytes : {KiB(4), MiB(1), MiB(64), MiB(1024)}) {
    std::vector<double> a, f;
    for (int r = 0; r < 21; ++r) {
      void* p;
      double start = now_us();
      CHECK(cudaMalloc(&p, bytes));
      a.push_back(now_us() - start);
      start = now_us();
      CHECK(cudaFree(p));
      f.push_back(now_us() - start);
    }
    std::printf("alloc,,cudaMalloc and cudaFree,%zu,%.2f,%.2f\n", bytes >> 10, median(a),
                median(f));
  }
  for (int keep = 0; keep < 2; ++keep) {
    uint64_t threshold = keep ? UINT64_MAX : 0;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    for (size_t bytes : {KiB(4), MiB(1), MiB(64), MiB(1024)})
      for (int wait = 0; wait < 2; ++wait) {
        std::vector<double> a, f;
        for (int r = 0; r < 21; ++r) {
          void* p;
          double start = now_us();
          CHECK(cudaMallocAsync(&p, bytes, s));
          a.push_back(now_us() - start);
          start = now_us();
          CHECK(cudaFreeAsync(p, s));
          f.push_back(now_us() - start);
          if (wait) CHECK(cudaStreamSynchronize(s));
        }
        CHECK(cudaStreamSynchronize(s));
        std::printf("alloc,,cudaMallocAsync%s%s,%zu,%.2f,%.2f\n", keep ? " pool keeps memory" : "",
                    wait ? " with a wait per round" : "", bytes >> 10, median(a), median(f));
      }
  }
  // Does freeing wait for the work in flight?
  float* data;
  CHECK(cudaMalloc(&data, MiB(64)));
  CHECK(cudaMemset(data, 0, MiB(64)));
  const auto busy = [&] { work<<<blocks(16 << 20), 256, 0, s>>>(data, data, 16 << 20, 8000); };
  std::printf("freewait,columns,how,us\n");
  std::vector<double> kernel, f, fa;
  for (int r = 0; r < 5; ++r) {
    void *p, *q;
    double start = now_us();
    busy();
    CHECK(cudaStreamSynchronize(s));
    kernel.push_back(now_us() - start);
    CHECK(cudaMalloc(&p, MiB(1)));
    CHECK(cudaMallocAsync(&q, MiB(1), s));
    CHECK(cudaStreamSynchronize(s));
    busy();
    start = now_us();
    CHECK(cudaFree(p));
    f.push_back(now_us() - start);
    CHECK(cudaStreamSynchronize(s));
    busy();
    start = now_us();
    CHECK(cudaFreeAsync(q, s));
    fa.push_back(now_us() - start);
    CHECK(cudaStreamSynchronize(s));
  }
  std::printf("freewait,,the kernel in flight,%.1f\n", median(kernel));
  std::printf("freewait,,cudaFree beside it,%.1f\n", median(f));
  std::printf("freewait,,cudaFreeAsync beside it,%.1f\n", median(fa));
  CHECK(cudaFree(data));
  CHECK(cudaStreamDestroy(s));
}

// ---- 7. zero-copy ----
static void zero_copy() {
  const size_t bytes = MiB(256), n = bytes / 4;
  float *host, *mapped, *device, *sink;
  CHECK(cudaHostAlloc(&host, bytes, cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&mapped, host, 0));
  CHECK(cudaMalloc(&device, bytes));
  CHECK(cudaMalloc(&sink, 4));
  std::memset(host, 0, bytes);
  std::printf("zero,columns,what,useful_MiB,us,GB/s_useful\n");
  const auto row = [&](const char* what, double useful, double us) {
    std::printf("zero,,%s,%.3f,%.1f,%.3f\n", what, useful / MiB(1), us, useful / us / 1e3);
  };
  const auto wait = [] { CHECK(cudaDeviceSynchronize()); };
  const auto read = [&](const float* p, size_t step) {
    return time_us(5, [&] {
      read_all<<<kFill, 256>>>(p, n, step, sink);
      wait();
    });
  };
  row("kernel reads mapped host memory", bytes, read(mapped, 1));
  row("the same from device memory", bytes, read(device, 1));
  row("copy to the device alone", bytes,
      time_us(5, [&] { CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice)); }));
  row("copy and read", bytes, time_us(5, [&] {
        CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice));
        read_all<<<kFill, 256>>>(device, n, 1, sink);
        wait();
      }));
  for (size_t step : {2, 8, 32, 1024}) {
    char what[64];
    std::snprintf(what, sizeof what, "reads one word of %zu", step);
    row(what, (double)bytes / step, read(mapped, step));
  }
  row("reads 4 KiB pieces in scattered order", bytes, time_us(5, [&] {
        read_scattered<<<kFill, 256>>>(mapped, n / 1024, 40503, sink);
        wait();
      }));
  row("kernel writes mapped host memory", bytes, time_us(5, [&] {
        fill<<<kFill, 256>>>(mapped, n);
        wait();
      }));
  row("kernel copies device to mapped host", bytes, time_us(5, [&] {
        copy_out<<<kFill, 256>>>(device, mapped, n);
        wait();
      }));
  row("one word read by one thread (latency)", 4, time_us(101, [&] {
        read_all<<<1, 1>>>(mapped, 1, 1, sink);
        wait();
      }));
  row("one word of device memory by one thread", 4, time_us(101, [&] {
        read_all<<<1, 1>>>(device, 1, 1, sink);
        wait();
      }));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(device));
  CHECK(cudaFree(sink));
}

// ---- 8. a border of a matrix to the host, and many small vectors ----
__global__ void pack(const float* grid, float* border, int rows, int width) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  border[r] = grid[(size_t)r * width];
  border[rows + r] = grid[(size_t)r * width + width - 1];
}
__global__ void scale_one(const float* x, float* out, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * x[i];
}
__global__ void scale_each(const float* x, const int* starts, const float* factors, float* out) {
  const int v = blockIdx.x;
  const float factor = factors[v];
  for (int i = starts[v] + threadIdx.x; i < starts[v + 1]; i += blockDim.x) out[i] = factor * x[i];
}
static void small_jobs() {
  const int rows = 4096, width = 4096;
  float *grid, *border, *host, *whole;
  CHECK(cudaMalloc(&grid, (size_t)rows * width * 4));
  CHECK(cudaMalloc(&border, 2 * rows * 4));
  CHECK(cudaMallocHost(&host, 2 * rows * 4));
  CHECK(cudaMallocHost(&whole, (size_t)rows * width * 4));
  CHECK(cudaMemset(grid, 0, (size_t)rows * width * 4));
  std::printf("border,columns,how,us\n");
  const auto row = [&](const char* how, const std::function<void()>& body) {
    body();
    std::printf("border,,%s,%.1f\n", how, time_us(21, [&] {
                  body();
                  CHECK(cudaDeviceSynchronize());
                }));
  };
  row("whole matrix", [&] {
    CHECK(cudaMemcpyAsync(whole, grid, (size_t)rows * width * 4, cudaMemcpyDeviceToHost));
  });
  row("two cudaMemcpy2D of a column", [&] {
    CHECK(cudaMemcpy2DAsync(host, 4, grid, (size_t)width * 4, 4, rows, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy2DAsync(host + rows, 4, grid + width - 1, (size_t)width * 4, 4, rows,
                            cudaMemcpyDeviceToHost));
  });
  row("one cudaMemcpy per number", [&] {
    for (int r = 0; r < rows; ++r) {
      CHECK(cudaMemcpyAsync(host + r, grid + (size_t)r * width, 4, cudaMemcpyDeviceToHost));
      CHECK(cudaMemcpyAsync(host + rows + r, grid + (size_t)r * width + width - 1, 4,
                            cudaMemcpyDeviceToHost));
    }
  });
  row("pack kernel and one copy", [&] {
    pack<<<rows / 256, 256>>>(grid, border, rows, width);
    CHECK(cudaMemcpyAsync(host, border, 2 * rows * 4, cudaMemcpyDeviceToHost));
  });
  row("pack kernel into mapped host memory",
      [&] { pack<<<rows / 256, 256>>>(grid, host, rows, width); });
  CHECK(cudaFree(grid));
  CHECK(cudaFree(border));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFreeHost(whole));
  std::printf("batch,columns,vectors,elements_each,launches_us,graph_us,one_launch_us\n");
  for (int vectors : {64, 1024})
    for (int each : {100, 1000, 10000}) {
      const int n = vectors * each;
      float *x, *out, *factors;
      int* starts;
      CHECK(cudaMalloc(&x, (size_t)n * 4));
      CHECK(cudaMalloc(&out, (size_t)n * 4));
      CHECK(cudaMalloc(&factors, vectors * 4));
      CHECK(cudaMalloc(&starts, (vectors + 1) * 4));
      CHECK(cudaMemset(x, 0, (size_t)n * 4));
      CHECK(cudaMemset(factors, 0, vectors * 4));
      std::vector<int> begin(vectors + 1);
      for (int v = 0; v <= vectors; ++v) begin[v] = v * each;
      CHECK(cudaMemcpy(starts, begin.data(), begin.size() * 4, cudaMemcpyHostToDevice));
      cudaStream_t s;
      CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
      const auto many = [&] {
        for (int v = 0; v < vectors; ++v)
          scale_one<<<blocks(each), 256, 0, s>>>(x + begin[v], out + begin[v], 2.0f, each);
      };
      cudaGraph_t graph;
      cudaGraphExec_t exec;
      CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
      many();
      CHECK(cudaStreamEndCapture(s, &graph));
      CHECK(cudaGraphInstantiate(&exec, graph, 0));
      const auto timed = [&](const std::function<void()>& body) {
        body();
        CHECK(cudaStreamSynchronize(s));
        return time_us(21, [&] {
          body();
          CHECK(cudaStreamSynchronize(s));
        });
      };
      std::printf("batch,,%d,%d,%.1f,%.1f,%.1f\n", vectors, each, timed(many),
                  timed([&] { CHECK(cudaGraphLaunch(exec, s)); }),
                  timed([&] { scale_each<<<vectors, 256, 0, s>>>(x, starts, factors, out); }));
      CHECK(cudaGraphExecDestroy(exec));
      CHECK(cudaGraphDestroy(graph));
      CHECK(cudaStreamDestroy(s));
      CHECK(cudaFree(x));
      CHECK(cudaFree(out));
      CHECK(cudaFree(factors));
      CHECK(cudaFree(starts));
    }
}

// ---- 9. when does a GPU pay? ----
typedef float Lanes
    __attribute__((vector_size(32)));  // so that the host's compiler uses its vector units
template <int T>
static void host_work(const float* in, float* out, int n, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int c = 0; c < n; c += 64) {
    Lanes v[8];
    for (int k = 0; k < 8; ++k) v[k] = *(const Lanes*)(in + c + 8 * k);
    for (int t = 0; t < T; ++t)
      for (int k = 0; k < 8; ++k) v[k] = v[k] * 0.999f + 0.001f;
    for (int k = 0; k < 8; ++k) *(Lanes*)(out + c + 8 * k) = v[k];
  }
}
template <int T>
static void pays(const float* in, float* out, float* din, float* dout, int n, int threads) {
  const int reps = T >= 256 ? 3 : 5;
  const size_t bytes = (size_t)n * 4;
  const double one = time_us(reps, [&] { host_work<T>(in, out, n, 1); });
  const double all = time_us(reps, [&] { host_work<T>(in, out, n, threads); });
  const double kernel = time_us(5, [&] {
    work<<<blocks(n), 256>>>(din, dout, n, T);
    CHECK(cudaDeviceSynchronize());
  });
  const double whole = time_us(5, [&] {
    CHECK(cudaMemcpyAsync(din, in, bytes, cudaMemcpyHostToDevice));
    work<<<blocks(n), 256>>>(din, dout, n, T);
    CHECK(cudaMemcpyAsync(out, dout, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
  });
  std::printf("pays,,%d,%d,%.1f,%.1f,%.1f,%.1f\n", n, T, one, all, kernel, whole);
}
static void when_it_pays() {
  const int most = 16 << 20;
  float *in, *out, *din, *dout;
  CHECK(cudaMallocHost(&in, (size_t)most * 4));
  CHECK(cudaMallocHost(&out, (size_t)most * 4));
  CHECK(cudaMalloc(&din, (size_t)most * 4));
  CHECK(cudaMalloc(&dout, (size_t)most * 4));
  for (int i = 0; i < most; ++i) in[i] = (float)(i & 1023) / 1024, out[i] = 0;
  CHECK(cudaMemcpy(din, in, (size_t)most * 4, cudaMemcpyHostToDevice));
  const int threads = omp_get_max_threads();
  std::printf(
      "pays,columns,elements,multiply_adds,host_1_thread_us,host_%d_threads_us,kernel_us,copies_"
      "and_kernel_us\n",
      threads);
  for (int n : {4096, 65536, 1 << 20, most}) {
    pays<1>(in, out, din, dout, n, threads);
    pays<16>(in, out, din, dout, n, threads);
    pays<64>(in, out, din, dout, n, threads);
    pays<256>(in, out, din, dout, n, threads);
    pays<1024>(in, out, din, dout, n, threads);
    pays<4096>(in, out, din, dout, n, threads);
  }
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
  CHECK(cudaFree(din));
  CHECK(cudaFree(dout));
}

// All tables, or those of the functions named as arguments.
int main(int count, char** names) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  const double start = now_us();
  const std::pair<const char*, void (*)()> all[] = {
      {"first_calls", first_calls},  {"environment", environment}, {"copies", copies},
      {"overlap", overlap},          {"unified", unified},         {"launches", launches},
      {"allocation", allocation},    {"zero_copy", zero_copy},     {"small_jobs", small_jobs},
      {"when_it_pays", when_it_pays}};
  for (const auto& [name, run] : all) {
    bool wanted = count == 1;
    for (int i = 1; i < count; ++i) wanted = wanted || name == std::string(names[i]);
    if (wanted) run();
  }
  std::printf("total,,seconds,%.1f\n", (now_us() - start) / 1e6);
}
