// A profile made from the driver's data and a worker's measurements.
#include "lab/measured_profile.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

// A fictitious chip: an H200 with half its SMs, clock and L2.
device::GpuInfo half_h200() {
  device::GpuInfo gpu;
  gpu.name = "NVIDIA H\"100\" half";
  gpu.capability_major = 9;
  gpu.sm_count = 66;
  gpu.l2_bytes = 30 << 20;
  gpu.clock_mhz = 990;
  gpu.memory_clock_mhz = 3000;
  gpu.bus_width_bits = 5952;
  return gpu;
}

device::GpuDescription description() {
  device::GpuDescription d;
  d.max_threads_per_sm = 2048;
  d.max_blocks_per_sm = 32;
  d.max_threads_per_block = 1024;
  d.registers_per_sm = 65536;
  d.registers_per_block = 65536;
  d.shared_bytes_per_sm = 233472;
  d.shared_bytes_per_block = 49152;
  d.shared_bytes_per_block_optin = 232448;
  d.shared_reserved_bytes = 1024;
  d.copy_gb_s = 2000;
  d.read_gb_s = 2200;
  d.launch_us = 2.75;
  d.shared_latency_cycles = 23.1;
  d.l1_latency_cycles = 33.5;
  d.l2_latency_cycles = 261;
  d.dram_latency_cycles = 0;  // could not be measured
  return d;
}

std::vector<models::GpuProfile> shipped() { return models::load_gpu_profiles(data_dir()).value(); }

struct Number {
  const char* key;
  const char* text;
  const char* source;  // how the source starts
  const char* confidence;
};

TEST(MeasuredProfile, EachNumberSaysWhereItIsFrom) {
  TemporaryFolder folder;
  const Result<MeasuredProfile> made = measured_profile(
      "half", half_h200(), description(), "driver 580 for CUDA 13.0", "2026-11-21", shipped());
  ASSERT_TRUE(made.ok()) << render(made.errors());
  const auto file = folder.path() / "half.toml";
  ASSERT_TRUE(write_file_atomically(file, made->toml).ok());
  // The file agrees with the profile in memory.
  const Result<models::GpuProfile> read = models::find_gpu_profile("/nowhere", file.string());
  ASSERT_TRUE(read.ok()) << render(read.errors());
  EXPECT_EQ(read->id, "half");
  EXPECT_EQ(read->name, "NVIDIA H\"100\" half");
  EXPECT_EQ(read->capability, (models::ComputeCapability{9, 0}));
  const std::vector<models::ProfileNumber> numbers = models::profile_numbers(*read);
  const std::vector<models::ProfileNumber> before = models::profile_numbers(made->profile);
  ASSERT_EQ(numbers.size(), before.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(numbers[i].text, before[i].text) << numbers[i].key;
    EXPECT_EQ(numbers[i].origin.has_value(), before[i].origin.has_value()) << numbers[i].key;
  }
  const Number kNumbers[] = {
      {"sm_count", "66", "the driver of the device itself, driver 580", "read"},
      {"sm_clock_mhz", "990", "the driver", "read"},
      {"data_rate_gbps", "6", "the driver", "derived"},
      {"memory_bandwidth_gb_s", "4464", "the driver", "derived"},  // 2 · 3 GHz · 744 bytes
      {"copy_bandwidth_gb_s", "2000", "measured on the device itself, 2026-11-21", "measured"},
      {"l2_bytes", "31457280", "the driver", "read"},
      {"max_warps_per_sm", "64", "the driver", "read"},
      {"shared_reserved_bytes", "1024", "the driver", "read"},
      {"partition_count", "93", "the driver", "derived"},  // of 64 bits each, as on the H200
      {"register_unit", "256", "assumed: as h200.toml", "assumed"},
      {"launch_us", "2.75", "measured", "measured"},
      {"l2_latency_cycles", "261", "measured", "measured"},
      {"dram_latency_cycles", "740", "assumed: as h200.toml", "assumed"},
      {"dram_gb_s", "2200", "measured", "measured"},
      {"l2_keeps_bytes", "17000000", "assumed: as h200.toml", "assumed"},  // half of 34 MB
      {"l2_clock_mhz", "855", "assumed", "assumed"},  // half of 1709, to 3 digits
      {"dram_sparse_read_pct", "100, 111, 147, 160, 173, 180", "assumed", "assumed"},
      {"memory_type", "HBM3e", "assumed", "assumed"},
  };
  for (const Number& wanted : kNumbers) {
    SCOPED_TRACE(wanted.key);
    bool found = false;
    for (const models::ProfileNumber& number : numbers) {
      if (number.key != wanted.key) continue;
      found = true;
      EXPECT_EQ(number.text, wanted.text);
      ASSERT_TRUE(number.origin.has_value());
      EXPECT_TRUE(number.origin->source.starts_with(wanted.source)) << number.origin->source;
      EXPECT_EQ(number.origin->confidence, wanted.confidence);
    }
    EXPECT_TRUE(found);
  }
}

TEST(MeasuredProfile, AnotherSharedMemoryHasOtherSizesToChooseFrom) {
  device::GpuDescription d = description();
  d.shared_bytes_per_sm = 100 << 10;
  d.shared_bytes_per_block_optin = 99 << 10;
  const Result<MeasuredProfile> made =
      measured_profile("other", half_h200(), d, "driver 580", "2026-11-21", shipped());
  ASSERT_TRUE(made.ok()) << render(made.errors());
  EXPECT_TRUE(made->profile.shared_carveouts_bytes.empty());
  EXPECT_EQ(made->profile.shared_bytes_per_sm, 102400U);
  EXPECT_EQ(made->toml.find("shared_carveouts_bytes"), std::string::npos);
}

TEST(MeasuredProfile, ASlowedGpuIsSaid) {
  device::GpuDescription d = description();
  d.throttled = {"power cap"};
  const Result<MeasuredProfile> made =
      measured_profile("hot", half_h200(), d, "driver 580", "2026-11-21", shipped());
  ASSERT_TRUE(made.ok());
  ASSERT_EQ(made->notes.size(), 1U);
  EXPECT_NE(made->notes.front().message.english().find("power cap"), std::string::npos);
}

struct Nearest {
  const char* name;
  int major;
  int minor;
  int memory_clock_mhz;
  int bus_bits;
  const char* id;
};

TEST(MeasuredProfile, TheNearestIsOfTheSameArchitecture) {
  const std::vector<models::GpuProfile> known = shipped();
  const Nearest kCases[] = {
      {"an H200", 9, 0, 3201, 6016, "h200"},
      {"an H100", 9, 0, 2619, 5120, "h100"},
      {"an A100", 8, 0, 1215, 5120, "a100"},
      {"an RTX 3090", 8, 6, 9751, 384, "rtx-a6000"},
      {"an L40", 8, 9, 9001, 384, "l40"},
      {"a T4", 7, 5, 5001, 256, "t4"},
      {"one that is to come", 19, 9, 1000, 256, "rtx-5090"},
  };
  for (const Nearest& c : kCases) {
    SCOPED_TRACE(c.name);
    device::GpuInfo gpu;
    gpu.capability_major = c.major;
    gpu.capability_minor = c.minor;
    gpu.memory_clock_mhz = c.memory_clock_mhz;
    gpu.bus_width_bits = c.bus_bits;
    const models::GpuProfile* nearest = nearest_profile(known, gpu);
    ASSERT_NE(nearest, nullptr);
    EXPECT_EQ(nearest->id, c.id);
  }
  EXPECT_EQ(nearest_profile({}, half_h200()), nullptr);
}

}  // namespace
}  // namespace warpshop::lab
