// Warps that hand tiles to each other through mbarrier objects. See ../planted_test.cc.

//// ok_ring_of_two_stages
// run: --block 128 --arg f32[128]=iota --arg f32[128]=zero
// expect: nothing
#include <cuda/ptx>
__device__ void wait(uint64_t* object, int parity) {
  while (!cuda::ptx::mbarrier_try_wait_parity(object, parity)) {
  }
}
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float tile[2][96];
  __shared__ uint64_t full[2], empty[2];
  const int t = threadIdx.x;
  if (t == 0) {
    for (int s = 0; s < 2; ++s) {
      cuda::ptx::mbarrier_init(&full[s], 1);
      cuda::ptx::mbarrier_init(&empty[s], 3);
    }
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 8; ++i) {
    const int s = i % 2, use = i / 2;
    if (t < 32) {
      if (t == 0 && use > 0) wait(&empty[s], (use - 1) % 2);
      __syncwarp();
      for (int n = t; n < 96; n += 32) tile[s][n] = in[n] + i;
      __syncwarp();
      if (t == 0) cuda::ptx::mbarrier_arrive(&full[s]);
    } else {
      wait(&full[s], use % 2);
      sum += tile[s][127 - t];
      __syncwarp();
      if (t % 32 == 0) cuda::ptx::mbarrier_arrive(&empty[s]);
    }
  }
  out[t] = sum;
}

//// ok_pipeline_of_libcudacxx
// run: --block 128 --arg f32[128]=iota --arg f32[128]=zero
// expect: nothing
#include <cooperative_groups.h>
#include <cuda/pipeline>
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ float tile[2][64];
  const int t = threadIdx.x;
  const auto role = t < 64 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
  float sum = 0;
  for (int i = 0; i < 6; ++i) {
    if (t < 64) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[i % 2][t], in + t + i, sizeof(float), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += tile[i % 2][127 - t];
      pipe.consumer_release();
    }
  }
  out[t] = sum;
}

//// ok_one_waits_then_all_meet
// run: --block 128 --arg f32[128]=iota --arg f32[128]=zero
// expect: nothing
#include <cuda/ptx>
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float tile[32];
  __shared__ uint64_t full;
  const int t = threadIdx.x;
  if (t == 0) cuda::ptx::mbarrier_init(&full, 32);
  __syncthreads();
  if (t < 32) {
    tile[t] = in[t];
    cuda::ptx::mbarrier_arrive(&full);
  }
  if (t == 127) {
    while (!cuda::ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
  }
  __syncthreads();
  out[t] = tile[t % 32];
}

//// one_warp_waits
// run: --block 128 --arg f32[128]=iota --arg f32[128]=zero
// expect: race space=shared severity=error access=read
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float tile[32];
  __shared__ unsigned long long full;
  const unsigned object = __cvta_generic_to_shared(&full);
  const int t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(object));
  __syncthreads();
  if (t < 32) {
    tile[t] = in[t]; // OTHER
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(object) : "memory");
  } else if (t < 64) {
    int over = 0;
    while (!over)
      asm volatile(
          "{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.s32 %0, 1, 0, p;}"
          : "=r"(over)
          : "r"(object)
          : "memory");
  }
  if (t >= 32) out[t] = tile[t % 32]; // HERE
}

//// one_warp_waits_for_cp_async
// run: --block 128 --arg f32[128]=iota --arg f32[128]=zero
// expect: race space=shared severity=error access=read
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float tile[32];
  __shared__ unsigned long long full;
  const unsigned object = __cvta_generic_to_shared(&full);
  const int t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(object));
  __syncthreads();
  if (t < 32) {
    const unsigned to = __cvta_generic_to_shared(&tile[t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + t)); // OTHER
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(object));
  } else if (t < 64) {
    int over = 0;
    while (!over)
      asm volatile(
          "{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.s32 %0, 1, 0, p;}"
          : "=r"(over)
          : "r"(object)
          : "memory");
  }
  if (t >= 32) out[t] = tile[t % 32]; // HERE
}

//// stage_given_back_before_it_is_read
// run: --block 64 --arg f32[128]=iota --arg f32[128]=zero
// expect: race space=shared severity=error either_order
#include <cuda/ptx>
__device__ void wait(uint64_t* object, int parity) {
  while (!cuda::ptx::mbarrier_try_wait_parity(object, parity)) {
  }
}
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float tile[32];
  __shared__ uint64_t full, empty;
  const int t = threadIdx.x;
  if (t == 0) {
    cuda::ptx::mbarrier_init(&full, 32);
    cuda::ptx::mbarrier_init(&empty, 32);
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    if (t < 32) {
      if (i > 0) wait(&empty, (i - 1) % 2);
      tile[t] = in[t] + i; // OTHER
      cuda::ptx::mbarrier_arrive(&full);
    } else {
      wait(&full, i % 2);
      cuda::ptx::mbarrier_arrive(&empty);
      sum += tile[63 - t]; // HERE
    }
  }
  out[t] = sum;
}

//// stage_filled_after_it_is_announced
// run: --block 64 --arg f32[128]=iota --arg f32[128]=zero
// expect: race space=shared severity=error either_order
#include <cuda/ptx>
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float tile[32];
  __shared__ uint64_t full;
  const int t = threadIdx.x;
  if (t == 0) cuda::ptx::mbarrier_init(&full, 32);
  __syncthreads();
  if (t < 32) {
    cuda::ptx::mbarrier_arrive(&full);
    tile[t] = in[t]; // OTHER
  } else {
    while (!cuda::ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    out[t] = tile[63 - t]; // HERE
  }
}

//// one_lane_announces_what_its_warp_has_stored
// run: --block 64 --arg f32[128]=iota --arg f32[128]=zero
// expect: race space=shared severity=warning access=read
// cause: put a __syncwarp() before the arrival
#include <cuda/ptx>
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float tile[32];
  __shared__ uint64_t full;
  const int t = threadIdx.x;
  if (t == 0) cuda::ptx::mbarrier_init(&full, 1);
  __syncthreads();
  if (t < 32) {
    tile[t] = in[t]; // OTHER
    if (t == 0) cuda::ptx::mbarrier_arrive(&full);
  } else {
    while (!cuda::ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    out[t] = tile[63 - t]; // HERE
  }
}

//// one_lane_gives_back_what_its_warp_has_read
// run: --block 64 --arg f32[128]=iota --arg f32[128]=zero
// expect: race space=shared severity=warning
// cause: put a __syncwarp() before the arrival
#include <cuda/ptx>
__device__ void wait(uint64_t* object, int parity) {
  while (!cuda::ptx::mbarrier_try_wait_parity(object, parity)) {
  }
}
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float tile[32];
  __shared__ uint64_t full, empty;
  const int t = threadIdx.x;
  if (t == 0) {
    cuda::ptx::mbarrier_init(&full, 1);
    cuda::ptx::mbarrier_init(&empty, 1);
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    if (t < 32) {
      if (i > 0) wait(&empty, (i - 1) % 2);
      tile[t] = in[t] + i; // OTHER
      __syncwarp();
      if (t == 0) cuda::ptx::mbarrier_arrive(&full);
    } else {
      wait(&full, i % 2);
      sum += tile[63 - t]; // HERE
      if (t == 32) cuda::ptx::mbarrier_arrive(&empty);
    }
  }
  out[t] = sum;
}

//// ok_each_lane_arrives_for_itself_at_its_own_time
// run: --block 64 --arg f32[128]=iota --arg f32[128]=zero
// expect: nothing
#include <cuda/ptx>
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float tile[32];
  __shared__ uint64_t full;
  const int t = threadIdx.x;
  if (t == 0) cuda::ptx::mbarrier_init(&full, 32);
  __syncthreads();
  if (t < 32) {
    tile[t] = in[t];
    if (t % 3 == 0) {
      out[t] = t;
      cuda::ptx::mbarrier_arrive(&full);
    } else if (t % 3 == 1) {
      cuda::ptx::mbarrier_arrive(&full);
    }
    if (t % 3 == 2) cuda::ptx::mbarrier_arrive(&full);
  } else {
    while (!cuda::ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    out[t] = tile[63 - t];
  }
}

//// ok_lanes_meet_then_one_announces_then_others_hand_on
// run: --block 96 --arg f32[128]=iota --arg f32[128]=zero
// expect: nothing
#include <cuda/ptx>
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float tile[32];
  __shared__ uint64_t full, second;
  const int t = threadIdx.x;
  if (t == 0) {
    cuda::ptx::mbarrier_init(&full, 1);
    cuda::ptx::mbarrier_init(&second, 1);
  }
  __syncthreads();
  if (t < 32) {
    tile[t] = in[t];
    __syncwarp();
    if (t == 31) cuda::ptx::mbarrier_arrive(&full);
  } else if (t < 64) {
    if (t == 40) {
      while (!cuda::ptx::mbarrier_try_wait_parity(&full, 0)) {
      }
      cuda::ptx::mbarrier_arrive(&second);
    }
  } else {
    while (!cuda::ptx::mbarrier_try_wait_parity(&second, 0)) {
    }
    out[t] = tile[95 - t];
  }
}
