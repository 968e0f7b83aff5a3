#include "predict/judge.h"

#include <cstdio>
#include <map>

namespace warpshop::timing {
namespace {

template <typename... Values>
std::string format(const char* text, Values... values) {
  char out[300];
  std::snprintf(out, sizeof out, text, values...);  // NOLINT: formats are those of this file
  return out;
}

// Above this part of its cycles a unit holds the kernel back: queues in front of it are never empty.
constexpr double kFull = 0.75;

// The bound, and the sentence about it, from units, states, bytes in flight and times.
void judge(Prediction& p) {
  const UnitLoad busiest = p.units.empty() ? UnitLoad{} : p.units.front();
  size_t worst = static_cast<size_t>(WarpState::kWait);
  for (size_t s = 1; s < kWarpStates; ++s) {
    if (p.state_share[s] > p.state_share[worst]) worst = s;
  }
  if (p.launch_us > 0.5 * p.time_us) {
    p.bound = Bound::kLaunch;
    p.reason = format("the launch itself takes %.1f of %.1f us: the kernel is too short to be judged", p.launch_us,
                      p.time_us);
  } else if (busiest.busy >= kFull) {
    p.bound = busiest.bound;
    p.reason = format("%s: %s is busy %.0f%% of the time", std::string(name_of(p.bound)).c_str(),
                      busiest.name.c_str(), busiest.busy * 100);
    if (p.bound == Bound::kDram) p.reason += format(", moving %.0f of %.0f GB/s", p.achieved_gb_s, p.peak_gb_s);
  } else {
    p.bound = Bound::kLatency;
    p.reason = format("latency: no unit is busier than %.0f%% (%s); warps spend %.0f%% of their time in %s",
                      busiest.busy * 100, busiest.name.c_str(), p.state_share[worst] * 100,
                      std::string(name_of(static_cast<WarpState>(worst))).c_str());
    if (worst == static_cast<size_t>(WarpState::kLongScoreboard) && p.bytes_in_flight_needed > 0) {
      p.reason += format("; %.1f KiB of the %.1f KiB that fill the memory are in flight", p.bytes_in_flight / 1024,
                         p.bytes_in_flight_needed / 1024);
    }
  }
}

// Puts the lines of the source beside those of the PTX.
void tell_sources(const emulator::Program& program, Prediction& p) {
  std::map<int, ptx::SourceLine> source;
  for (const ptx::Instruction& i : program.function().body) source.emplace(i.ptx_line, i.source);
  for (WarpTimeline& line : p.timelines) {
    for (WarpInterval& interval : line.intervals) {
      const auto found = source.find(interval.ptx_line);
      if (found != source.end()) interval.source = found->second;
    }
  }
}

}  // namespace

void conclude(const emulator::Program& program, const std::array<double, kWarpStates>& state_cycles, Prediction& p) {
  double states = 0;
  for (const double c : state_cycles) states += c;
  for (size_t s = 0; s < kWarpStates; ++s) p.state_share[s] = states > 0 ? state_cycles[s] / states : 0;
  p.flop_per_byte = p.dram_bytes > 0 ? p.flop / p.dram_bytes : 0;
  p.achieved_gflop_s = p.flop / p.time_us / 1e3;
  p.achieved_gb_s = p.dram_bytes / p.time_us / 1e3;
  tell_sources(program, p);
  judge(p);
}

}  // namespace warpshop::timing
