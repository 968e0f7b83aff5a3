// Formats runs as text. Each function returns whole lines.
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

// Where the first wrong element is, what it is and what it should be. Empty: none is wrong.
std::string mismatch_report(const lab::RunResult& result, const Paint& paint);

// Times on a real GPU beside the reference's, bandwidths beside the copy ceiling and the memory's
// peak, registers and blocks beside the simulated ones; why a size was not measured. Empty if no
// measurement was requested.
std::string measured_report(const lab::RunResult& result, const Paint& paint);
// The GPU's own counters: how many match the emulator's, which differ, and which only the GPU can
// count; or why there are none.
std::string gpu_counters_report(const device::CounterReading& reading,
                                const timing::Counters& simulated);
// Predicted times of both kernels with their limiters, or why there are none. Empty if no
// prediction was requested.
std::string predicted_report(const lab::RunResult& result, const Paint& paint);
std::string prediction_lines(const timing::Prediction& prediction);  // for one kernel, indented
// Launch, registers, occupancy.
std::string launch_report(const lab::KernelRun& run);
// Every non-zero counter, with a second column for the reference, if any.
std::string counters_report(const lab::KernelRun& run, const lab::KernelRun* reference,
                            const Paint& paint);
// The cost of each line's memory instructions.
std::string sites_report(const lab::KernelRun& run, std::string_view source, const Paint& paint);
// Each finding with its source line, a caret, and its usual cause.
std::string findings_report(const std::vector<emulator::Finding>& findings,
                            std::string_view file_name, std::string_view source,
                            const Paint& paint);
// The worst load, store and shared access of the recorded blocks, if any.
std::string maps_report(const lab::KernelRun& run, const models::GpuProfile& gpu,
                        std::string_view source, bool shared_only_if_wasteful);
// Diagnostics, with carets into `source` if they name `file_name`.
std::string diagnostics_report(const Diagnostics& diagnostics, std::string_view file_name,
                               std::string_view source, const Paint& paint);

}  // namespace warpshop::cli
