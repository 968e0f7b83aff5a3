#include "timing/limiter_summary.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "predict/limiter.h"
#include "timing/roofline.h"

namespace warpshop::timing {
namespace {

// A lower bound on the time, and the work that causes it.
struct Floor {
  double us = 0;
  Sentence what;  // "134.2 MB of DRAM traffic at 4,050 GB/s"
};

// "134.2 MB", "8.2 kB", "512 bytes".
Sentence bytes_words(double bytes) {
  if (bytes >= 1e5) return decimal(bytes / 1e6, 1).then("MB");
  if (bytes >= 1e3) return decimal(bytes / 1e3, 1).then("kB");
  return counted(static_cast<uint64_t>(bytes), "{count} byte", "{count} bytes");
}

constexpr double kNearlyAll = 0.9;  // of the bytes that a kernel moves

Floor memory_floor(const Prediction& p, const std::vector<Roof>& roofs, double useful_bytes) {
  const double task = useful_bytes > 0 ? useful_bytes : std::max(p.dram_bytes, p.l2_bytes);
  // A wrong kernel may move less than its task needs.
  const double needed = p.l2_bytes > 0 ? std::min(task, p.l2_bytes) : task;
  const bool from_dram = p.dram_bytes > kFromDram * needed;
  for (const Roof& roof : roofs) {
    if (roof.gb_s <= 0 || roof.name.english() != (from_dram ? "DRAM" : "L2")) continue;
    // L2 keeps some of the bytes between launches.
    const double bytes = from_dram ? std::min(needed, p.dram_bytes) : needed;
    const std::vector<SentencePart> parts = {{"bytes", bytes_words(bytes)},
                                             {"rate", decimal(roof.gb_s, 0)}};
    const double us = bytes / roof.gb_s / 1e3;
    // The kernel may move many times what its task needs.
    if (bytes <= kNearlyAll * (from_dram ? p.dram_bytes : p.l2_bytes)) {
      return {us,
              from_dram
                  ? sentence("the {bytes} that the task needs from DRAM, at {rate} GB/s,", parts)
                  : sentence("the {bytes} that the task needs from L2, which holds most of the "
                             "data, at {rate} GB/s,",
                             parts)};
    }
    return {us, from_dram ? sentence("{bytes} of DRAM traffic at {rate} GB/s", parts)
                          : sentence("{bytes} of L2 traffic (L2 holds most of the data) at {rate} "
                                     "GB/s",
                                     parts)};
  }
  return {};
}

Floor arithmetic_floor(const Prediction& p, const std::vector<Roof>& roofs) {
  const Roof& flat = roofs.back();
  if (p.flop <= 0 || flat.giga_s <= 0) return {};
  if (p.flop < 1e5) {
    return {p.flop / flat.giga_s / 1e3,
            sentence("{operations} operations at {rate} GFLOP/s",
                     {{"operations", decimal(p.flop, 0)}, {"rate", decimal(flat.giga_s, 0)}})};
  }
  const bool many = p.flop >= 1e9;
  const std::vector<SentencePart> parts = {{"operations", decimal(p.flop / (many ? 1e9 : 1e6), 1)},
                                           {"rate", decimal(flat.giga_s, 0)}};
  return {p.flop / flat.giga_s / 1e3,
          many ? sentence("{operations} billion operations at {rate} GFLOP/s", parts)
               : sentence("{operations} million operations at {rate} GFLOP/s", parts)};
}

Floor tensor_floor(const Prediction& p) {
  return {p.tensor_us, sentence("the products on tensor cores, at their full rate,")};
}

Sentence time_words(double us) {
  if (us >= 1000) return decimal(us / 1000, 3).then("ms");
  if (us > 0 && us < 0.001) return number("< 0.001").then("µs");
  return decimal(us, us < 0.1 ? 3 : us < 1 ? 2 : 1).then("µs");
}

// The predicted time in three parts, each with its rounded share, the last of them the headline's.
// A kernel that is faster than the ceiling, since L2 keeps some of its bytes, has no such parts.
Sentence account_of(double time_us, double launch_us, const Floor& work, double least_us) {
  if (least_us > time_us) {
    return sentence("{work} and the launch alone would take {least}.",
                    {{"work", work.what}, {"least", time_words(least_us)}});
  }
  const auto percent = [&](double us) { return static_cast<int>(std::lround(us / time_us * 100)); };
  const int rest = percent(time_us - least_us);
  const std::vector<SentencePart> parts = {{"time", time_words(time_us)},
                                           {"work", work.what},
                                           {"us", time_words(work.us)},
                                           {"percent", percent(work.us)},
                                           {"launch", time_words(launch_us)},
                                           {"launch_percent", percent(launch_us)},
                                           {"rest", rest}};
  if (rest == 0) {
    return sentence(
        "Of the predicted {time}, {work} would take {us} ({percent}%), and the launch takes "
        "{launch} ({launch_percent}%).",
        parts);
  }
  return sentence(
      "Of the predicted {time}, {work} would take {us} ({percent}%), the launch takes {launch} "
      "({launch_percent}%), and the other {rest}% is what there is to gain.",
      parts);
}

// How much longer DRAM takes for the launch's mix of reads and writes than for reads alone, whose
// bandwidth is its ceiling.
double mixed_percent(const Prediction& p, const models::GpuProfile& gpu) {
  // Where nothing is full, it is part of why DRAM is the busiest and yet below its ceiling.
  const bool busiest = p.limiter == Limiter::kLatency && !p.units.empty() &&
                       p.units.front().limiter == Limiter::kDram;
  if ((p.limiter != Limiter::kDram && !busiest) || p.dram_bytes <= 0) return 0;
  const double writes = p.flow.dram_write_bytes / p.dram_bytes;
  return gpu.dram_mixed_pct.value_or(0) * 4 * writes * (1 - writes);
}

Sentence headline_of(const Prediction& p, const std::optional<double>& gain) {
  // not for launching a large grid's blocks
  const bool launch = p.limiter == Limiter::kLaunch && p.launch_us > kMostlyLaunch * p.time_us;
  const int percent = gain ? static_cast<int>(std::lround(*gain * 100)) : 0;
  const std::vector<SentencePart> parts = {{"limiter", sentence(name_of(p.limiter))},
                                           {"percent", percent}};
  if (!gain)
    return launch ? sentence("Limited by the launch itself")
                  : sentence("Limited by {limiter}", parts);
  if (percent == 0) {
    return launch ? sentence("Limited by the launch itself: nothing to gain")
                  : sentence("Limited by {limiter}: nothing to gain", parts);
  }
  return launch ? sentence("Limited by the launch itself: up to {percent}% to gain", parts)
                : sentence("Limited by {limiter}: up to {percent}% to gain", parts);
}

}  // namespace

LimiterSummary limiter_summary_of(const Prediction& prediction, const models::GpuProfile& gpu,
                                  double useful_bytes, std::optional<double> empty_launch_us) {
  const double launch_us = empty_launch_us.value_or(prediction.launch_us);
  const double time_us = prediction.time_us + launch_us - prediction.launch_us;
  LimiterSummary out;
  out.why = prediction.reason;
  if (const double longer = mixed_percent(prediction, gpu); longer >= 1) {
    out.why.then(
        sentence("reads mixed with writes take DRAM {percent}% longer than the reads alone "
                 "that its ceiling is of",
                 {{"percent", decimal(longer, 0)}}),
        "; ");
  }
  out.floor_us = launch_us;
  const std::vector<Roof> roofs = roofs_of(gpu, RooflineWork::kFlop);
  const Floor memory = memory_floor(prediction, roofs, useful_bytes);
  const Floor arithmetic = arithmetic_floor(prediction, roofs);
  const Floor tensor = tensor_floor(prediction);
  const Floor longer = std::max({memory, arithmetic, tensor},
                                [](const Floor& a, const Floor& b) { return a.us < b.us; });
  if (longer.us > 0 && time_us > 0) {
    out.floor_us += longer.us;
    out.gain = std::clamp(1 - out.floor_us / time_us, 0.0, 1.0);
    out.floor = account_of(time_us, launch_us, longer, out.floor_us);
  }
  out.headline = headline_of(prediction, out.gain);
  return out;
}

}  // namespace warpshop::timing
