// The results file of `run --spec`. docs/cli.md, "Results".
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "lab/prediction_json.h"
#include "lab/spec.h"

namespace warpshop::lab {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson text_or_null(const std::string& text) {
  return text.empty() ? OrderedJson() : OrderedJson(text);
}

OrderedJson counters_json(const CaseResult& result) {
  OrderedJson out = OrderedJson::object();
  for (const timing::CounterInfo& counter : timing::counter_table()) {
    out[std::string(counter.name)] = result.run.counters.*counter.field;
  }
  if (result.has_resources) {
    const timing::Occupancy& occupancy = result.run.occupancy;
    // Two decimals, ties to even, as Nsight Compute prints it (measured: 40.625 prints as 40.62).
    out["theoretical_occupancy_pct"] = std::nearbyint(occupancy.fraction * 10000) / 100;
    out["blocks_limit_registers"] = occupancy.limit_registers;
    out["blocks_limit_shared"] = occupancy.limit_shared;
    out["blocks_limit_warps"] = occupancy.limit_warps;
    out["blocks_limit_blocks"] = occupancy.limit_blocks;
    out["shared_config_bytes"] = occupancy.shared_config_bytes;
  }
  return out;
}

// The GPU's own counters.
OrderedJson counted_json(const device::CounterReading& reading) {
  OrderedJson out = OrderedJson::object();
  for (const device::CounterValue& counter : reading.values) out[counter.name] = counter.value;
  return out;
}

OrderedJson findings_json(const CaseResult& result) {
  OrderedJson out = OrderedJson::array();
  for (const emulator::Finding& finding : result.run.findings) {
    out.push_back(
        {{"kind", std::string(emulator::name_of(finding.kind))},
         {"space", text_or_null(finding.space)},
         {"access", text_or_null(finding.access)},
         {"file", text_or_null(finding.place.file)},
         {"line", finding.place.line > 0 ? OrderedJson(finding.place.line) : OrderedJson()},
         {"severity", std::string(severity_name(finding.severity))},
         {"block", finding.who.block},
         {"thread", finding.who.thread},
         {"message", finding.message}});
  }
  for (const Diagnostic& error : result.errors) {
    if (error.kind != "unsupported") continue;
    out.push_back({{"kind", "unsupported"},
                   {"space", nullptr},
                   {"access", nullptr},
                   {"file", text_or_null(error.place.file)},
                   {"line", error.place.line > 0 ? OrderedJson(error.place.line) : OrderedJson()},
                   {"severity", "error"},
                   {"block", nullptr},
                   {"thread", nullptr},
                   {"message", error.message}});
  }
  return out;
}

OrderedJson left_out_json(const CaseResult& result) {
  OrderedJson out = OrderedJson::array();
  for (const compile::LeftOut& part : result.left_out) {
    out.push_back({{"name", part.name},
                   {"file", part.place.file},
                   {"line", part.place.line},
                   {"last_line", part.last_line},
                   {"message", part.diagnostic().message.english()}});
  }
  return out;
}

// GPU times in microseconds.
OrderedJson measured_json(const device::Timing& timing) {
  const device::KernelTiming& t = timing.student;
  return {{"cold_us", t.median_us},
          {"cold_min_us", t.min_us},
          {"cold_spread_us", t.spread_us},
          {"warm_us", t.warm_median_us},
          {"launches", t.launches},
          {"outliers", t.outliers},
          {"empty_launch_us", timing.empty_launch_us},
          {"clock_mhz", timing.clock_mhz},
          {"memory_clock_mhz", timing.memory_clock_mhz},
          {"throttled", timing.throttled},
          {"copy_ceiling_gb_s", timing.copy_ceiling_gb_s}};
}

OrderedJson case_json(const CaseResult& result) {
  OrderedJson out;
  out["name"] = result.name;
  out["error"] = result.errors.empty() ? OrderedJson() : OrderedJson(render(result.errors));
  out["buffers"] = result.buffers;
  const bool known = result.has_resources && (result.ran || result.run.prediction);
  out["registers"] = known ? OrderedJson(result.run.registers) : OrderedJson();
  out["static_shared"] =
      result.ran || known ? OrderedJson(result.run.static_shared_bytes) : OrderedJson();
  out["blocks_per_sm"] = known ? OrderedJson(result.run.occupancy.blocks_per_sm) : OrderedJson();
  out["counters"] = OrderedJson::object();
  if (result.counted) {
    out["counters"] = counted_json(*result.counted);
  } else if (result.ran && !result.on_gpu) {
    out["counters"] = counters_json(result);
  }
  if (result.counted && !result.counted->problems.empty()) {
    out["counter_problems"] = render(result.counted->problems);
  }
  out["findings"] = findings_json(result);
  if (!result.left_out.empty()) out["left_out"] = left_out_json(result);
  out["predicted_us"] =
      result.run.prediction ? OrderedJson(result.run.prediction->time_us) : OrderedJson();
  if (result.run.prediction) out["prediction"] = prediction_json(*result.run.prediction);
  if (result.measured) out["measured"] = measured_json(*result.measured);
  out["thread_instructions"] =
      result.ran && !result.on_gpu ? OrderedJson(result.run.thread_instructions) : OrderedJson();
  out["seconds"] = result.ran && !result.on_gpu ? OrderedJson(result.run.seconds) : OrderedJson();
  return out;
}

}  // namespace

std::string results_json(const std::vector<CaseResult>& results) {
  std::string out = "[";
  for (const CaseResult& result : results) {
    out += out.size() == 1 ? "\n" : ",\n";
    out += json_text(case_json(result));
  }
  return out + "\n]\n";
}

}  // namespace warpshop::lab
