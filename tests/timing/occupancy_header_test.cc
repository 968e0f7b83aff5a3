// Compares our occupancy with cuda_occupancy.h, which ships with CUDA, for
// 100,000 random kernels on each profile from 3.0 on. Skipped with a message if no
// toolkit header was found at configure time.
#include <gtest/gtest.h>

#include <random>

#include "timing/occupancy.h"

#if __has_include(<cuda_occupancy.h>)
#define WARPSHOP_HAS_OCCUPANCY_HEADER 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop
#endif

namespace warpshop::timing {
namespace {

#ifdef WARPSHOP_HAS_OCCUPANCY_HEADER

cudaOccDeviceProp device_of(const models::GpuProfile& gpu) {
  cudaOccDeviceProp device;
  device.computeMajor = gpu.capability.major;
  device.computeMinor = gpu.capability.minor;
  device.maxThreadsPerBlock = gpu.max_threads_per_block;
  device.maxThreadsPerMultiprocessor = gpu.max_threads_per_sm();
  device.regsPerBlock = gpu.registers_per_block;
  device.regsPerMultiprocessor = gpu.registers_per_sm;
  device.warpSize = 32;
  device.sharedMemPerBlock = gpu.shared_bytes_per_block;
  device.sharedMemPerMultiprocessor = gpu.shared_bytes_per_sm;
  device.numSms = gpu.sm_count;
  device.sharedMemPerBlockOptin = gpu.shared_bytes_per_block_optin;
  device.reservedSharedMemPerBlock = gpu.shared_reserved_bytes;
  return device;
}

// The attributes of a kernel that the driver lets use everything the GPU offers per block.
cudaOccFuncAttributes kernel_of(const models::GpuProfile& gpu, const OccupancyInput& input) {
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = gpu.max_threads_per_block;
  kernel.numRegs = input.registers_per_thread;
  kernel.sharedSizeBytes = input.static_shared_bytes;
  kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = input.dynamic_shared_bytes;
  kernel.numBlockBarriers = 1;
  kernel.virtualResourceCount = 0;
  return kernel;
}

TEST(OccupancyHeader, AHundredThousandRandomKernelsAreTheSameOnEachGpu) {
  const auto profiles = models::load_gpu_profiles(WARPSHOP_SOURCE_DIR);
  ASSERT_TRUE(profiles.ok()) << render(profiles.errors());
  int compared = 0;
  int launchable = 0;
  for (const models::GpuProfile& gpu : *profiles) {
    if (gpu.capability.major < 3) continue;
    ++compared;
    SCOPED_TRACE(gpu.id);
    const cudaOccDeviceProp device = device_of(gpu);
    const cudaOccDeviceState state;
    std::mt19937 random(42);
    auto below = [&](uint32_t n) { return random() % n; };
    for (int i = 0; i < 100000; ++i) {
      OccupancyInput input;
      input.threads_per_block = 1 + static_cast<int>(below(below(8) == 0 ? 1100 : 1024));
      if (below(2) == 0) input.threads_per_block = (input.threads_per_block + 31) / 32 * 32;
      input.registers_per_thread = static_cast<int>(below(256));
      if (below(3) != 0) input.static_shared_bytes = below(below(2) == 0 ? 4096 : 49153);
      if (below(3) == 0)
        input.dynamic_shared_bytes = below(below(2) == 0 ? 16384 : gpu.shared_bytes_per_sm + 2048);
      const cudaOccFuncAttributes kernel = kernel_of(gpu, input);
      cudaOccResult expected = {};
      ASSERT_EQ(CUDA_OCC_SUCCESS, cudaOccMaxActiveBlocksPerMultiprocessor(
                                      &expected, &device, &kernel, &state, input.threads_per_block,
                                      input.dynamic_shared_bytes));
      const Occupancy ours = occupancy(gpu, input);
      const bool same =
          ours.blocks_per_sm == expected.activeBlocksPerMultiprocessor &&
          ours.limit_warps == expected.blockLimitWarps &&
          ours.limit_blocks == expected.blockLimitBlocks &&
          ours.limit_registers == expected.blockLimitRegs &&
          ours.limit_shared == expected.blockLimitSharedMem &&
          ours.shared_bytes_per_block == expected.allocatedSharedMemPerBlock &&
          ours.registers_per_block == static_cast<uint32_t>(expected.allocatedRegistersPerBlock);
      ASSERT_TRUE(same) << input.threads_per_block << " threads, " << input.registers_per_thread
                        << " registers, " << input.static_shared_bytes << " + "
                        << input.dynamic_shared_bytes << " bytes: blocks " << ours.blocks_per_sm
                        << "/" << expected.activeBlocksPerMultiprocessor << ", warps "
                        << ours.limit_warps << "/" << expected.blockLimitWarps << ", registers "
                        << ours.limit_registers << "/" << expected.blockLimitRegs << ", shared "
                        << ours.limit_shared << "/" << expected.blockLimitSharedMem << ", taken "
                        << ours.shared_bytes_per_block << "/"
                        << expected.allocatedSharedMemPerBlock;
      launchable += ours.blocks_per_sm > 0;
    }
  }
  EXPECT_EQ(compared, 22);
  EXPECT_GT(launchable, compared * 30000);  // the comparison is not all rejections
}

#else

TEST(OccupancyHeader, AHundredThousandRandomKernelsAreTheSameOnEachGpu) {
  GTEST_SKIP()
      << "cuda_occupancy.h was not found when this build was configured; ./start brings it";
}

#endif

}  // namespace
}  // namespace warpshop::timing
