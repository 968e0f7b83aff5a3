// Text reports of runs. Each function returns whole lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/protocol.h"
#include "lab/run_result.h"
#include "terminal.h"
#include "timing/counters.h"

namespace warpshop::cli {

std::string us_text(double us);  // "12.34 µs", "1235 µs"

// `check`: stages, checks, launch, counters beside the reference's, the first mismatch, findings,
// maps.
std::string check_report(const lab::Lab& lab, const lab::Step& step, const lab::RunResult& result,
                         const Paint& paint);

// Times of a real GPU beside the reference's, bandwidths beside the copy ceiling and the memory's
// peak, registers and blocks beside the simulated ones; why a size was not measured. Empty when
// nothing was to be measured.
std::string measured_report(const lab::RunResult& result, const Paint& paint);
// The GPU's own counters: how many the emulator counted, too, those that differ, and what the GPU
// alone can count; or why there are none.
std::string gpu_counters_report(const device::CounterReading& reading,
                                const timing::Counters& simulated);
// Predicted times of both kernels and what holds each back; why there are none. Empty when nothing
// was to be predicted.
std::string predicted_report(const lab::RunResult& result, const Paint& paint);
std::string prediction_lines(const timing::Prediction& prediction);  // of one kernel, indented
// Launch, registers, occupancy.
std::string launch_report(const lab::KernelRun& run);
// Every counter that is not 0; a second column when there is a reference.
std::string counters_report(const lab::KernelRun& run, const lab::KernelRun* reference,
                            const Paint& paint);
// What each line's memory instructions cost.
std::string sites_report(const lab::KernelRun& run, std::string_view source, const Paint& paint);
// Each finding with its source line and a caret, and what usually causes it.
std::string findings_report(const std::vector<emulator::Finding>& findings,
                            std::string_view file_name, std::string_view source,
                            const Paint& paint);
// The worst load, store and shared access of the recorded blocks, of those that exist.
std::string maps_report(const lab::KernelRun& run, const models::GpuProfile& gpu, std::string_view source,
                        bool shared_only_if_wasteful);
// Diagnostics with carets in `source` where they name `file_name`.
std::string diagnostics_report(const Diagnostics& diagnostics, std::string_view file_name,
                               std::string_view source, const Paint& paint);

}  // namespace warpshop::cli
