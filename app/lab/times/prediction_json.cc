#include "lab/prediction_json.h"

#include <string>

#include "models/known_error.h"

namespace warpshop::lab {

nlohmann::ordered_json prediction_json(const timing::Prediction& p) {
  nlohmann::ordered_json out;
  out["time_us"] = p.time_us;
  out["bound"] = std::string(timing::name_of(p.limiter));
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
  out["l1_hit_pct"] = p.flow.l1_hit_rate().value_or(0) * 100;
  out["l1_hit_sectors"] = p.flow.l1_hits();
  out["l2_read_sectors"] = p.flow.l2_read_sectors;
  out["l2_write_sectors"] = p.flow.write_bytes / 32;
  out["dram_read_bytes"] = p.flow.dram_read_bytes;
  out["dram_write_bytes"] = p.flow.dram_write_bytes;
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

nlohmann::ordered_json known_error_json(const models::GpuProfile& gpu) {
  nlohmann::ordered_json out;
  out["text"] = models::known_error(gpu).english();
  out["mean_pct"] = gpu.error_pct ? nlohmann::ordered_json(*gpu.error_pct) : nullptr;
  out["kernels"] = gpu.error_kernels ? nlohmann::ordered_json(*gpu.error_kernels) : nullptr;
  return out;
}

}  // namespace warpshop::lab
