#include "text/metrics.h"

#include <algorithm>
#include <utility>

#include "text/format.h"

namespace warpshop::ui {

MetricWords transactions_metric(models::CoalescingRule rule) {
  using Rule = models::CoalescingRule;
  const models::CoalescingWords words = models::words_of(rule);
  const std::string_view formula =
      rule == Rule::kStrictHalfWarps ? tr_later("Σ half-warps (lane k asks for word k ? 1 : lanes)")
      : rule == Rule::kHalfWarpSegments ? tr_later("Σ half-warps distinct(byte_address / 128)")
      : rule == Rule::kCachedLines      ? "distinct(byte_address / 128)"
                                        : "distinct(byte_address / 32)";
  // Nsight Compute supports compute capability 7.0 and newer.
  return {words.transactions,
          words.rule,
          words.transactions,
          formula,
          "",
          rule == Rule::kCachedLines  ? tr_later("line")
          : rule == Rule::kL2Segments ? tr_later("segment")
                                      : tr_later("transaction")};
}

MetricWords passes_metric(models::BankRule rule) {
  const bool newest = rule == models::BankRule::kMeasuredBanks;
  return {newest ? tr_later("Wavefronts of one access") : tr_later("Passes of one access"),
          models::words_of(rule),
          newest ? tr_later("wavefronts") : tr_later("passes"),
          tr_later("Σ parts of the warp max(banks: distinct words)"),
          newest ? "memory_l1_wavefronts_shared" : "",
          newest ? tr_later("wavefront") : tr_later("bank conflict")};
}

MetricWords state_metric(timing::WarpState state) {
  using timing::WarpState;
  // The share of the warps' time, as in Nsight Compute's metric for each state.
  const auto nsight = [state]() -> std::string_view {
    switch (state) {
      case WarpState::kSelected:
        return "smsp__warp_issue_stalled_selected_per_warp_active.pct";
      case WarpState::kWait:
        return "smsp__warp_issue_stalled_wait_per_warp_active.pct";
      case WarpState::kLongScoreboard:
        return "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct";
      case WarpState::kShortScoreboard:
        return "smsp__warp_issue_stalled_short_scoreboard_per_warp_active.pct";
      case WarpState::kBarrier:
        return "smsp__warp_issue_stalled_barrier_per_warp_active.pct";
      case WarpState::kMathPipeThrottle:
        return "smsp__warp_issue_stalled_math_pipe_throttle_per_warp_active.pct";
      case WarpState::kLgThrottle:
        return "smsp__warp_issue_stalled_lg_throttle_per_warp_active.pct";
      case WarpState::kMioThrottle:
        return "smsp__warp_issue_stalled_mio_throttle_per_warp_active.pct";
      case WarpState::kDispatch:
        return "smsp__warp_issue_stalled_dispatch_stall_per_warp_active.pct";
      case WarpState::kNotSelected:
        return "smsp__warp_issue_stalled_not_selected_per_warp_active.pct";
      case WarpState::kCount:
        break;
    }
    return "";
  };
  return {timing::name_of(state),
          timing::meaning_of(state),
          tr_later("% of the warps' time"),
          tr_later("Σ warps cycles in this state / Σ warps cycles"),
          nsight(),
          tr_later("warp state")};
}

std::string counter_title(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', ' ');
  return capitalized(std::move(out));
}

std::string_view counter_formula(const timing::CounterInfo& info) {
  const bool ideal = info.name.ends_with("_ideal");
  const bool atomic = info.name.find("atomic") != std::string_view::npos ||
                      info.name.find("reduction") != std::string_view::npos;
  if (info.unit == "sector")
    return ideal    ? tr_later("Σ requests ceil(bytes_used / 32)")
           : atomic ? tr_later("Σ requests visits")
                    : tr_later("Σ requests distinct(byte_address / 32)");
  if (info.unit == "wavefront")
    return ideal ? tr_later("Σ requests ceil(bytes of the lanes / 128)")
                 : tr_later("Σ requests wavefronts");
  if (info.unit == "byte") return tr_later("Σ requests distinct(byte_address)");
  return info.unit == "request" ? tr_later("Σ warp instructions 1")
                                : tr_later("Σ warps executions");
}

std::string_view counter_term(const timing::CounterInfo& info) {
  return info.unit == "sector" || info.unit == "byte" ? tr_later("sector")
         : info.unit == "wavefront"                   ? tr_later("wavefront")
         : info.unit == "request"                     ? tr_later("request")
                                                      : tr_later("warp");
}

}  // namespace warpshop::ui
