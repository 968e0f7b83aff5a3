// CUPTI's range profiler (the GPU's hardware counters), loaded at run time from one table of names.
// Optional: without it, or without permission, everything else works.
// https://docs.nvidia.com/cupti/main/main.html, "CUPTI Range Profiling API"; CUDA 12.6 and newer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/result.h"
#include "driver.h"

namespace warpshop::device {

using CuptiResult = int;  // 0 is CUPTI_SUCCESS
using CuptiHost = struct CuptiHostState*;
using CuptiRanges = struct CuptiRangesState*;

// Parameter structs of cupti_profiler_host.h, cupti_range_profiler.h, cupti_target.h and
// cupti_profiler_target.h; tests/device/cupti_types_test.cc compares their layout. `size` is the
// size up to the last member, from which the library infers the struct's version.
template <typename Last>
constexpr size_t size_to(size_t offset) {
  return offset + sizeof(Last);
}
#define WARPSHOP_CUPTI_SIZE(type, last) size_to<decltype(last)>(offsetof(type, last))

struct CuptiInitialize {
  size_t size = sizeof(CuptiInitialize);
  void* reserved = nullptr;
};
struct CuptiChipName {
  size_t size = sizeof(CuptiChipName);
  void* reserved = nullptr;
  size_t device = 0;
  const char* name = nullptr;  // out
};
struct CuptiAvailability {
  size_t size = sizeof(CuptiAvailability);
  void* reserved = nullptr;
  CuContext context = nullptr;
  size_t image_size = 0;
  uint8_t* image = nullptr;
};
struct CuptiHostInitialize {
  size_t size = sizeof(CuptiHostInitialize);
  void* reserved = nullptr;
  int profiler = 0;  // CUPTI_PROFILER_TYPE_RANGE_PROFILER
  const char* chip = nullptr;
  const uint8_t* availability = nullptr;
  CuptiHost host = nullptr;  // out
};
struct CuptiHostOnly {
  size_t size = sizeof(CuptiHostOnly);
  void* reserved = nullptr;
  CuptiHost host = nullptr;
};
struct CuptiMetricProperties {
  size_t size = WARPSHOP_CUPTI_SIZE(CuptiMetricProperties, type);
  void* reserved = nullptr;
  CuptiHost host = nullptr;
  const char* metric = nullptr;
  const char* description = nullptr;  // out, as are the rest
  const char* unit = nullptr;
  const char* dimension = nullptr;
  int type = 0;
};
struct CuptiAddMetrics {
  size_t size = sizeof(CuptiAddMetrics);
  void* reserved = nullptr;
  CuptiHost host = nullptr;
  const char** metrics = nullptr;
  size_t count = 0;
};
struct CuptiConfigSize {
  size_t size = sizeof(CuptiConfigSize);
  void* reserved = nullptr;
  CuptiHost host = nullptr;
  size_t image_size = 0;  // out
};
struct CuptiConfigImage {
  size_t size = sizeof(CuptiConfigImage);
  void* reserved = nullptr;
  CuptiHost host = nullptr;
  size_t image_size = 0;
  uint8_t* image = nullptr;
};
struct CuptiEvaluate {
  size_t size = sizeof(CuptiEvaluate);
  void* reserved = nullptr;
  CuptiHost host = nullptr;
  const uint8_t* image = nullptr;
  size_t image_size = 0;
  size_t range = 0;
  const char** metrics = nullptr;
  size_t count = 0;
  double* values = nullptr;
};
struct CuptiEnable {
  size_t size = sizeof(CuptiEnable);
  void* reserved = nullptr;
  CuContext context = nullptr;
  CuptiRanges ranges = nullptr;  // out
};
struct CuptiRangesOnly {  // for disable, start and pop
  size_t size = sizeof(CuptiRangesOnly);
  void* reserved = nullptr;
  CuptiRanges ranges = nullptr;
};
struct CuptiPush {
  size_t size = sizeof(CuptiPush);
  void* reserved = nullptr;
  CuptiRanges ranges = nullptr;
  const char* name = nullptr;
};
struct CuptiStop {
  size_t size = WARPSHOP_CUPTI_SIZE(CuptiStop, all_passes);
  void* reserved = nullptr;
  CuptiRanges ranges = nullptr;
  size_t pass = 0;  // out, as are the rest
  size_t nesting = 0;
  uint8_t all_passes = 0;
};
struct CuptiDecode {
  size_t size = sizeof(CuptiDecode);
  void* reserved = nullptr;
  CuptiRanges ranges = nullptr;
  size_t dropped = 0;  // out
};
struct CuptiDataSize {
  size_t size = sizeof(CuptiDataSize);
  void* reserved = nullptr;
  CuptiRanges ranges = nullptr;
  const char** metrics = nullptr;
  size_t count = 0;
  size_t most_ranges = 1;
  uint32_t most_nodes = 1;
  size_t image_size = 0;  // out
};
struct CuptiDataInitialize {
  size_t size = sizeof(CuptiDataInitialize);
  void* reserved = nullptr;
  CuptiRanges ranges = nullptr;
  size_t image_size = 0;
  uint8_t* image = nullptr;
};
struct CuptiSetConfig {
  size_t size = WARPSHOP_CUPTI_SIZE(CuptiSetConfig, target_nesting);
  void* reserved = nullptr;
  CuptiRanges ranges = nullptr;
  size_t config_size = 0;
  const uint8_t* config = nullptr;
  size_t data_size = 0;
  uint8_t* data = nullptr;
  int range = 2;   // CUPTI_UserRange: delimited by push and pop
  int replay = 3;  // CUPTI_UserReplay: the caller relaunches for each pass
  size_t most_ranges = 1;
  uint16_t nesting_levels = 1;
  uint16_t least_nesting = 1;
  size_t pass = 0;
  uint16_t target_nesting = 1;
};

// Columns: name here, symbol, parameters.
// clang-format off
#define WARPSHOP_CUPTI_FUNCTIONS(X)                                                              \
  X(result_text,     cuptiGetResultString,                                                       \
                             (CuptiResult result, const char** text))                            \
  X(initialize,      cuptiProfilerInitialize,                      (CuptiInitialize*))           \
  X(chip_name,       cuptiDeviceGetChipName,                       (CuptiChipName*))             \
  X(availability,    cuptiProfilerGetCounterAvailability,          (CuptiAvailability*))         \
  X(open_host,       cuptiProfilerHostInitialize,                  (CuptiHostInitialize*))       \
  X(close_host,      cuptiProfilerHostDeinitialize,                (CuptiHostOnly*))             \
  X(metric,          cuptiProfilerHostGetMetricProperties,         (CuptiMetricProperties*))     \
  X(add_metrics,     cuptiProfilerHostConfigAddMetrics,            (CuptiAddMetrics*))           \
  X(config_size,     cuptiProfilerHostGetConfigImageSize,          (CuptiConfigSize*))           \
  X(config_image,    cuptiProfilerHostGetConfigImage,              (CuptiConfigImage*))          \
  X(evaluate,        cuptiProfilerHostEvaluateToGpuValues,         (CuptiEvaluate*))             \
  X(enable,          cuptiRangeProfilerEnable,                     (CuptiEnable*))               \
  X(disable,         cuptiRangeProfilerDisable,                    (CuptiRangesOnly*))           \
  X(data_size,       cuptiRangeProfilerGetCounterDataSize,         (CuptiDataSize*))             \
  X(initialize_data, cuptiRangeProfilerCounterDataImageInitialize, (CuptiDataInitialize*))       \
  X(set_config,      cuptiRangeProfilerSetConfig,                  (CuptiSetConfig*))            \
  X(start,           cuptiRangeProfilerStart,                      (CuptiRangesOnly*))           \
  X(push,            cuptiRangeProfilerPushRange,                  (CuptiPush*))                 \
  X(pop,             cuptiRangeProfilerPopRange,                   (CuptiRangesOnly*))           \
  X(stop,            cuptiRangeProfilerStop,                       (CuptiStop*))                 \
  X(decode,          cuptiRangeProfilerDecodeData,                 (CuptiDecode*))
// clang-format on

struct Cupti {
#define WARPSHOP_DECLARE(name, symbol, parameters) CuptiResult(*name) parameters = nullptr;
  WARPSHOP_CUPTI_FUNCTIONS(WARPSHOP_DECLARE)
#undef WARPSHOP_DECLARE
  std::string path;

  // Looks in the toolkit of `nvrtc` (the compiler's library), then in the usual places.
  // WARPSHOP_LIBCUPTI overrides this ("self": this program defines the functions, as the tests'
  // worker does). Error, kind "gpu-counters": missing or too old.
  static Result<std::shared_ptr<const Cupti>> load(const std::string& nvrtc);

  // success(), or what failed while doing `what` and what to do. Kind "gpu-counters".
  Status check(CuptiResult result, const Sentence& what) const;
};

// The common start of every message about counters.
Sentence not_read(Sentence why);

}  // namespace warpshop::device
