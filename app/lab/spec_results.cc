// The results file of `run --spec`. docs/cli.md, "Results".
#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/spec.h"

namespace warpshop::lab {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json counters_json(const CaseResult& result) {
  Json out = Json::object();
  for (const timing::CounterInfo& counter : timing::counter_table()) {
    out[std::string(counter.name)] = result.run.counters.*counter.field;
  }
  if (result.has_resources) {
    const timing::Occupancy& occupancy = result.run.occupancy;
    // Two decimals, halves to even, as Nsight Compute prints it (measured: 40.625 is 40.62 there).
    out["theoretical_occupancy_pct"] = std::nearbyint(occupancy.fraction * 10000) / 100;
    out["blocks_limit_registers"] = occupancy.limit_registers;
    out["blocks_limit_shared"] = occupancy.limit_shared;
    out["blocks_limit_warps"] = occupancy.limit_warps;
    out["blocks_limit_blocks"] = occupancy.limit_blocks;
    out["shared_config_bytes"] = occupancy.shared_config_bytes;
  }
  return out;
}

Json findings_json(const CaseResult& result) {
  Json out = Json::array();
  for (const emulator::Finding& finding : result.run.findings) {
    out.push_back({{"kind", std::string(emulator::name_of(finding.kind))},
                   {"space", text_or_null(finding.space)},
                   {"access", text_or_null(finding.access)},
                   {"file", text_or_null(finding.place.file)},
                   {"line", finding.place.line > 0 ? Json(finding.place.line) : Json()},
                   {"message", finding.message}});
  }
  for (const Diagnostic& error : result.errors) {
    if (error.kind != "unsupported") continue;
    out.push_back({{"kind", "unsupported"},
                   {"space", nullptr},
                   {"access", nullptr},
                   {"file", text_or_null(error.place.file)},
                   {"line", error.place.line > 0 ? Json(error.place.line) : Json()},
                   {"message", error.message}});
  }
  return out;
}

// Times of a GPU, in microseconds.
Json measured_json(const device::Timing& timing) {
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

Json prediction_json(const timing::Prediction& p) {
  Json out;
  out["bound"] = std::string(timing::name_of(p.bound));
  out["reason"] = p.reason;
  out["launch_us"] = p.launch_us;
  out["waves"] = p.waves;
  out["simulated_cycles"] = p.simulated_cycles;
  out["simulated_blocks"] = p.simulated_blocks;
  out["achieved_occupancy_pct"] = p.achieved_occupancy * 100;
  out["warp_instructions"] = p.warp_instructions;
  out["instructions_per_cycle"] = p.instructions_per_cycle;
  out["dram_bytes"] = p.dram_bytes;
  out["l2_bytes"] = p.l2_bytes;
  out["l1_hit_pct"] = p.l1_hit_rate * 100;
  out["latency_cycles"] = p.latency_cycles;
  out["bytes_in_flight"] = p.bytes_in_flight;
  out["bytes_in_flight_needed"] = p.bytes_in_flight_needed;
  out["flop"] = p.flop;
  out["flop_per_byte"] = p.flop_per_byte;
  out["gflop_s"] = p.achieved_gflop_s;
  out["dram_gb_s"] = p.achieved_gb_s;
  for (const timing::UnitLoad& unit : p.units) out["busy_pct"][unit.name] = unit.busy * 100;
  for (size_t s = 0; s < timing::kWarpStates; ++s) {
    out["states_pct"][std::string(timing::name_of(static_cast<timing::WarpState>(s)))] =
        p.state_share[s] * 100;
  }
  out["seconds"] = p.seconds;
  return out;
}

Json case_json(const CaseResult& result) {
  Json out;
  out["name"] = result.name;
  out["error"] = result.errors.empty() ? Json() : Json(render(result.errors));
  out["buffers"] = result.buffers;
  const bool known = result.has_resources && (result.ran || result.run.prediction);
  out["registers"] = known ? Json(result.run.registers) : Json();
  out["static_shared"] = result.ran || known ? Json(result.run.static_shared_bytes) : Json();
  out["blocks_per_sm"] = known ? Json(result.run.occupancy.blocks_per_sm) : Json();
  out["counters"] = result.ran && !result.on_gpu ? counters_json(result) : Json::object();
  out["findings"] = findings_json(result);
  out["predicted_us"] = result.run.prediction ? Json(result.run.prediction->time_us) : Json();
  if (result.run.prediction) out["prediction"] = prediction_json(*result.run.prediction);
  if (result.measured) out["measured"] = measured_json(*result.measured);
  out["thread_instructions"] =
      result.ran && !result.on_gpu ? Json(result.run.thread_instructions) : Json();
  out["seconds"] = result.ran && !result.on_gpu ? Json(result.run.seconds) : Json();
  return out;
}

}  // namespace

std::string results_json(const std::vector<CaseResult>& results) {
  std::string out = "[";
  for (const CaseResult& result : results) {
    out += out.size() == 1 ? "\n" : ",\n";
    out += case_json(result).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return out + "\n]\n";
}

}  // namespace warpshop::lab
