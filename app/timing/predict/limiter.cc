#include "predict/limiter.h"

#include <map>
#include <vector>

namespace warpshop::timing {
namespace {

// Sets the limiter and its reason from units, states, bytes in flight and times.
void classify_limiter(Prediction& p) {
  const UnitLoad busiest = p.units.empty() ? UnitLoad{} : p.units.front();
  size_t worst = static_cast<size_t>(WarpState::kWait);
  for (size_t s = 1; s < kWarpStates; ++s) {
    if (p.state_share[s] > p.state_share[worst]) worst = s;
  }
  if (p.launch_us > kMostlyLaunch * p.time_us) {
    p.limiter = Limiter::kLaunch;
    p.reason = sentence(
        "the launch itself takes {launch} of {time} µs: the kernel is too short to find its "
        "limiter",
        {{"launch", decimal(p.launch_us, 1)}, {"time", decimal(p.time_us, 1)}});
  } else if (busiest.busy >= kFull) {
    p.limiter = busiest.limiter;
    const std::vector<SentencePart> parts = {{"unit", busiest.name},
                                             {"busy", decimal(busiest.busy * 100, 0)},
                                             {"achieved", decimal(p.achieved_gb_s, 0)},
                                             {"peak", decimal(p.peak_gb_s, 0)}};
    // Without the launch and the blocks' first steps: what is moved in all of the time is another
    // share.
    p.reason = p.limiter == Limiter::kCamping
                   ? sentence(
                         "once blocks run, {unit} is busy {busy}% of the time; all "
                         "partitions together move {achieved} of {peak} GB/s",
                         parts)
               : busiest.plural
                   ? sentence("once blocks run, {unit} are busy {busy}% of the time", parts)
                   : sentence("once blocks run, {unit} is busy {busy}% of the time", parts);
  } else {
    p.limiter = Limiter::kLatency;
    p.reason = sentence(
        "no unit is busier than {busy}% ({unit}); warps spend {share}% of their time in {state}",
        {{"busy", decimal(busiest.busy * 100, 0)},
         {"unit", busiest.name},
         {"share", decimal(p.state_share[worst] * 100, 0)},
         {"state", name_of(static_cast<WarpState>(worst))}});
    if (worst == static_cast<size_t>(WarpState::kLongScoreboard) &&
        p.bytes_in_flight < p.bytes_in_flight_needed) {
      p.reason.then(
          sentence("{have} KiB of the {needed} KiB needed to keep memory busy are in flight",
                   {{"have", decimal(p.bytes_in_flight / 1024, 1)},
                    {"needed", decimal(p.bytes_in_flight_needed / 1024, 1)}}),
          "; ");
    }
  }
}

// Adds source lines to the timelines' PTX lines.
void add_source_lines(const emulator::Program& program, Prediction& p) {
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

void complete_prediction(const emulator::Program& program,
                         const std::array<double, kWarpStates>& state_cycles, Prediction& p) {
  double states = 0;
  for (const double c : state_cycles) states += c;
  for (size_t s = 0; s < kWarpStates; ++s)
    p.state_share[s] = states > 0 ? state_cycles[s] / states : 0;
  p.flop_per_byte = p.dram_bytes > 0 ? p.flop / p.dram_bytes : 0;
  p.achieved_gflop_s = p.flop / p.time_us / 1e3;
  p.achieved_gb_s = p.dram_bytes / p.time_us / 1e3;
  add_source_lines(program, p);
  classify_limiter(p);
}

}  // namespace warpshop::timing
