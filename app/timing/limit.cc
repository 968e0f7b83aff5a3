#include "timing/limit.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "timing/roofline.h"

namespace warpshop::timing {
namespace {

// Below this part of its bytes a kernel finds its data in L2.
constexpr double kFromDram = 0.25;

// What would take at least how long.
struct Floor {
  double us = 0;
  Sentence what;  // "134.2 MB of DRAM traffic at 4,050 GB/s"
};

Floor memory_floor(const Prediction& p, const std::vector<Roof>& roofs, double useful_bytes) {
  const double needed = useful_bytes > 0 ? useful_bytes : std::max(p.dram_bytes, p.l2_bytes);
  const bool from_dram = p.dram_bytes > kFromDram * needed;
  for (const Roof& roof : roofs) {
    if (roof.gb_s <= 0 || roof.name.english() != (from_dram ? "DRAM" : "L2")) continue;
    // L2 keeps some of the bytes from one launch to the next.
    const double bytes = from_dram ? std::min(needed, p.dram_bytes) : needed;
    return {bytes / roof.gb_s / 1e3,
            sentence("{bytes} MB of {memory} traffic at {rate} GB/s",
                     {{"bytes", decimal(bytes / 1e6, 1)}, {"memory", roof.name}, {"rate", decimal(roof.gb_s, 0)}})};
  }
  return {};
}

Floor arithmetic_floor(const Prediction& p, const std::vector<Roof>& roofs) {
  const Roof& flat = roofs.back();
  if (p.flop <= 0 || flat.giga_s <= 0) return {};
  const bool many = p.flop >= 1e9;
  const std::vector<SentencePart> parts = {{"operations", decimal(p.flop / (many ? 1e9 : 1e6), 1)},
                                           {"rate", decimal(flat.giga_s, 0)}};
  return {p.flop / flat.giga_s / 1e3, many ? sentence("{operations} billion operations at {rate} GFLOP/s", parts)
                                           : sentence("{operations} million operations at {rate} GFLOP/s", parts)};
}

Sentence time_words(double us) {
  return us < 1000 ? decimal(us, 1).then("µs") : decimal(us / 1000, 3).then("ms");
}

Sentence headline_of(const Prediction& p, const std::optional<double>& gain) {
  const bool launch = p.bound == Bound::kLaunch && p.launch_us > 0.5 * p.time_us;  // not the blocks of a large grid
  const int percent = gain ? static_cast<int>(std::lround(*gain * 100)) : 0;
  const std::vector<SentencePart> parts = {{"bound", sentence(name_of(p.bound))}, {"percent", percent}};
  if (!gain) return launch ? sentence("Limited by the launch itself") : sentence("Limited by {bound}", parts);
  if (percent == 0) {
    return launch ? sentence("Limited by the launch itself: nothing to gain")
                  : sentence("Limited by {bound}: nothing to gain", parts);
  }
  return launch ? sentence("Limited by the launch itself: up to {percent}% to gain", parts)
                : sentence("Limited by {bound}: up to {percent}% to gain", parts);
}

}  // namespace

Limit limit_of(const Prediction& prediction, const models::GpuProfile& gpu, double useful_bytes) {
  Limit out;
  out.why = prediction.reason;
  out.floor_us = prediction.launch_us;
  const std::vector<Roof> roofs = roofs_of(gpu, RooflineWork::kFlop);
  const Floor memory = memory_floor(prediction, roofs, useful_bytes);
  const Floor arithmetic = arithmetic_floor(prediction, roofs);
  const Floor& longer = arithmetic.us > memory.us ? arithmetic : memory;
  if (longer.us > 0 && prediction.time_us > 0) {
    out.floor_us += longer.us;
    out.gain = std::clamp(1 - out.floor_us / prediction.time_us, 0.0, 1.0);
    out.floor = sentence("{work} and the launch alone would take {least}.",
                         {{"work", longer.what}, {"least", time_words(out.floor_us)}});
  }
  out.headline = headline_of(prediction, out.gain);
  return out;
}

}  // namespace warpshop::timing
