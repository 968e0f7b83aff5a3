// RunResult as JSON: `check --json`. docs/cli.md describes it.
#pragma once

#include <nlohmann/json.hpp>

#include "lab/run_result.h"

namespace warpshop::cli {

using Json = nlohmann::ordered_json;

Json json_of(const lab::RunResult& result);
Json json_of(const lab::KernelRun& run);
Json json_of(const Diagnostic& diagnostic);
Json json_of(const device::Timing& timing);
Json json_of(const emulator::Finding& finding);
Json json_of(const timing::SiteCounters& counters);
// The GPU's own "counters", {NAME: {"value", "unit", "metric"}}, or "counter_problems" if there are
// none.
void add_gpu_counters(const device::CounterReading& reading, Json& out);
std::string dumped(const Json& value);

}  // namespace warpshop::cli
