// app/device/cupti.h duplicates CUPTI's structs. If CUPTI's headers are installed, layouts and
// sizes must agree.
#include <gtest/gtest.h>

#include "cupti.h"

#if __has_include(<cupti_range_profiler.h>)
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

namespace warpshop::device {
namespace {

// Some members are pointers, whose own size is meant.
// NOLINTBEGIN(bugprone-sizeof-expression)
#define EXPECT_SAME_PLACE(ours, field, theirs, their_field)                  \
  EXPECT_EQ(offsetof(ours, field), offsetof(theirs, their_field)) << #field; \
  EXPECT_EQ(sizeof(ours{}.field), sizeof(theirs{}.their_field)) << #field
#define EXPECT_SAME_SIZE(ours, theirs) EXPECT_EQ(ours{}.size, theirs##_STRUCT_SIZE)

TEST(CuptiTypes, SizesAreThoseOfTheHeaders) {
  EXPECT_SAME_SIZE(CuptiInitialize, CUpti_Profiler_Initialize_Params);
  EXPECT_SAME_SIZE(CuptiChipName, CUpti_Device_GetChipName_Params);
  EXPECT_SAME_SIZE(CuptiAvailability, CUpti_Profiler_GetCounterAvailability_Params);
  EXPECT_SAME_SIZE(CuptiHostInitialize, CUpti_Profiler_Host_Initialize_Params);
  EXPECT_SAME_SIZE(CuptiHostOnly, CUpti_Profiler_Host_Deinitialize_Params);
  EXPECT_SAME_SIZE(CuptiMetricProperties, CUpti_Profiler_Host_GetMetricProperties_Params);
  EXPECT_SAME_SIZE(CuptiAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params);
  EXPECT_SAME_SIZE(CuptiConfigSize, CUpti_Profiler_Host_GetConfigImageSize_Params);
  EXPECT_SAME_SIZE(CuptiConfigImage, CUpti_Profiler_Host_GetConfigImage_Params);
  EXPECT_SAME_SIZE(CuptiEvaluate, CUpti_Profiler_Host_EvaluateToGpuValues_Params);
  EXPECT_SAME_SIZE(CuptiEnable, CUpti_RangeProfiler_Enable_Params);
  EXPECT_SAME_SIZE(CuptiRangesOnly, CUpti_RangeProfiler_Disable_Params);
  EXPECT_SAME_SIZE(CuptiRangesOnly, CUpti_RangeProfiler_Start_Params);
  EXPECT_SAME_SIZE(CuptiRangesOnly, CUpti_RangeProfiler_PopRange_Params);
  EXPECT_SAME_SIZE(CuptiPush, CUpti_RangeProfiler_PushRange_Params);
  EXPECT_SAME_SIZE(CuptiStop, CUpti_RangeProfiler_Stop_Params);
  EXPECT_SAME_SIZE(CuptiDecode, CUpti_RangeProfiler_DecodeData_Params);
  EXPECT_SAME_SIZE(CuptiDataSize, CUpti_RangeProfiler_GetCounterDataSize_Params);
  EXPECT_SAME_SIZE(CuptiDataInitialize, CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
  EXPECT_SAME_SIZE(CuptiSetConfig, CUpti_RangeProfiler_SetConfig_Params);
}

TEST(CuptiTypes, MembersStandWhereTheHeadersHaveThem) {
  EXPECT_SAME_PLACE(CuptiChipName, name, CUpti_Device_GetChipName_Params, pChipName);
  using Availability = CUpti_Profiler_GetCounterAvailability_Params;
  EXPECT_SAME_PLACE(CuptiAvailability, context, Availability, ctx);
  EXPECT_SAME_PLACE(CuptiAvailability, image_size, Availability, counterAvailabilityImageSize);
  EXPECT_SAME_PLACE(CuptiAvailability, image, Availability, pCounterAvailabilityImage);
  using Host = CUpti_Profiler_Host_Initialize_Params;
  EXPECT_SAME_PLACE(CuptiHostInitialize, profiler, Host, profilerType);
  EXPECT_SAME_PLACE(CuptiHostInitialize, chip, Host, pChipName);
  EXPECT_SAME_PLACE(CuptiHostInitialize, availability, Host, pCounterAvailabilityImage);
  EXPECT_SAME_PLACE(CuptiHostInitialize, host, Host, pHostObject);
  using Evaluate = CUpti_Profiler_Host_EvaluateToGpuValues_Params;
  EXPECT_SAME_PLACE(CuptiEvaluate, image, Evaluate, pCounterDataImage);
  EXPECT_SAME_PLACE(CuptiEvaluate, image_size, Evaluate, counterDataImageSize);
  EXPECT_SAME_PLACE(CuptiEvaluate, range, Evaluate, rangeIndex);
  EXPECT_SAME_PLACE(CuptiEvaluate, metrics, Evaluate, ppMetricNames);
  EXPECT_SAME_PLACE(CuptiEvaluate, count, Evaluate, numMetrics);
  EXPECT_SAME_PLACE(CuptiEvaluate, values, Evaluate, pMetricValues);
  using Stop = CUpti_RangeProfiler_Stop_Params;
  EXPECT_SAME_PLACE(CuptiStop, pass, Stop, passIndex);
  EXPECT_SAME_PLACE(CuptiStop, nesting, Stop, targetNestingLevel);
  EXPECT_SAME_PLACE(CuptiStop, all_passes, Stop, isAllPassSubmitted);
  using DataSize = CUpti_RangeProfiler_GetCounterDataSize_Params;
  EXPECT_SAME_PLACE(CuptiDataSize, metrics, DataSize, pMetricNames);
  EXPECT_SAME_PLACE(CuptiDataSize, count, DataSize, numMetrics);
  EXPECT_SAME_PLACE(CuptiDataSize, most_ranges, DataSize, maxNumOfRanges);
  EXPECT_SAME_PLACE(CuptiDataSize, most_nodes, DataSize, maxNumRangeTreeNodes);
  EXPECT_SAME_PLACE(CuptiDataSize, image_size, DataSize, counterDataSize);
  using SetConfig = CUpti_RangeProfiler_SetConfig_Params;
  EXPECT_SAME_PLACE(CuptiSetConfig, config_size, SetConfig, configSize);
  EXPECT_SAME_PLACE(CuptiSetConfig, config, SetConfig, pConfig);
  EXPECT_SAME_PLACE(CuptiSetConfig, data_size, SetConfig, counterDataImageSize);
  EXPECT_SAME_PLACE(CuptiSetConfig, data, SetConfig, pCounterDataImage);
  EXPECT_SAME_PLACE(CuptiSetConfig, range, SetConfig, range);
  EXPECT_SAME_PLACE(CuptiSetConfig, replay, SetConfig, replayMode);
  EXPECT_SAME_PLACE(CuptiSetConfig, most_ranges, SetConfig, maxRangesPerPass);
  EXPECT_SAME_PLACE(CuptiSetConfig, nesting_levels, SetConfig, numNestingLevels);
  EXPECT_SAME_PLACE(CuptiSetConfig, least_nesting, SetConfig, minNestingLevel);
  EXPECT_SAME_PLACE(CuptiSetConfig, pass, SetConfig, passIndex);
  EXPECT_SAME_PLACE(CuptiSetConfig, target_nesting, SetConfig, targetNestingLevel);
}

TEST(CuptiTypes, NumbersAreThoseOfTheHeaders) {
  EXPECT_EQ(CuptiSetConfig{}.range, static_cast<int>(CUPTI_UserRange));
  EXPECT_EQ(CuptiSetConfig{}.replay, static_cast<int>(CUPTI_UserReplay));
  EXPECT_EQ(CuptiHostInitialize{}.profiler, static_cast<int>(CUPTI_PROFILER_TYPE_RANGE_PROFILER));
  EXPECT_EQ(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, 35);  // cupti.cc distinguishes this error and the
                                                       // following ones
  EXPECT_EQ(CUPTI_ERROR_HARDWARE_BUSY, 26);
  EXPECT_EQ(CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, 40);
  EXPECT_EQ(CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, 43);
  EXPECT_EQ(CUPTI_ERROR_INVALID_CHIP_NAME, 46);
}

// NOLINTEND(bugprone-sizeof-expression)

}  // namespace
}  // namespace warpshop::device

#else

TEST(CuptiTypes, NeedTheToolkitsHeaders) { GTEST_SKIP() << "CUPTI's headers are not there"; }

#endif
