#include "models/padding.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace warpshop::models {
namespace {

// The width of all banks in bytes.
uint64_t width_of_banks(BankRule rule) {
  const bool wide = rule == BankRule::kWideBanksBy4 || rule == BankRule::kWideBanksBy8;
  return static_cast<uint64_t>(bank_count(rule)) * (wide ? 8 : kBankBytes);
}

// The greatest common divisor of the distances between lanes; 0: all at the same address.
uint64_t common_step(const WarpRequest& request) {
  uint64_t lowest = UINT64_MAX, step = 0;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    if (request.active_mask >> lane & 1) lowest = std::min(lowest, request.address[lane]);
  }
  for (size_t lane = 0; lane < kLanes; ++lane) {
    if (request.active_mask >> lane & 1) step = std::gcd(step, request.address[lane] - lowest);
  }
  return step;
}

// The quotient if it is an integer; 0 ÷ 0 is 0.
bool divides(int64_t number, int64_t by, int64_t& out) {
  if (by != 0 && number % by != 0) return false;
  out = by == 0 ? 0 : number / by;
  return true;
}

// True if lane l's address is base + a · (l mod width) + b · (l ÷ width), and enough lanes are
// active for this to be no coincidence.
bool has_strides(const WarpRequest& request, int width) {
  std::vector<int> lanes;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (request.active_mask >> lane & 1) lanes.push_back(lane);
  }
  const auto address = [&](int lane) {
    return static_cast<int64_t>(request.address[static_cast<size_t>(lane)]);
  };
  const int first = lanes.front();
  int64_t a = 0, b = 0;
  for (size_t i = 1; i < lanes.size(); ++i) {
    const int p = lanes[i - 1], q = lanes[i];
    if (p / width != q / width) continue;
    if (!divides(address(q) - address(p), q - p, a)) return false;
    break;
  }
  const int last = lanes.back(), rows = last / width - first / width;
  if (!divides(address(last) - address(first) - a * (last % width - first % width), rows, b))
    return false;
  if (lanes.size() < (rows > 0 ? 4U : 3U)) return false;
  return std::all_of(lanes.begin(), lanes.end(), [&](int lane) {
    return address(lane) ==
           address(first) + a * (lane % width - first % width) + b * (lane / width - first / width);
  });
}

// The access of an index that is computed from the thread's, in blocks whose rows have any width;
// others, such as a histogram's, follow the data, and longer rows would not help the next one.
bool is_regular(const WarpRequest& request) {
  for (int width = kLanes; width > 1; --width) {
    if (has_strides(request, width)) return true;
  }
  return false;
}

}  // namespace

std::optional<PaddedAccess> padded_access(BankRule rule, const WarpRequest& request,
                                          SharedAccess access) {
  const GenerationBankResult now = explain_bank_generation(rule, request, access);
  if (now.conflicts() <= 0 || !is_regular(request)) return std::nullopt;
  const uint64_t width = width_of_banks(rule), step = common_step(request);
  std::vector<uint64_t> rows;
  if (step > width && step % width == 0) rows.push_back(step);
  rows.push_back(width);
  const uint32_t pad = std::max(request.width_bytes, kBankBytes);
  std::optional<PaddedAccess> best;
  for (const uint64_t row : rows) {
    PaddedAccess padded{.row_bytes = row, .pad_bytes = pad, .request = request, .banks = {}};
    for (size_t lane = 0; lane < kLanes; ++lane) {
      padded.request.address[lane] = request.address[lane] + request.address[lane] / row * pad;
    }
    padded.banks = explain_bank_generation(rule, padded.request, access);
    if (!best || padded.banks.passes.size() < best->banks.passes.size()) best = std::move(padded);
  }
  return best->banks.passes.size() < now.passes.size() ? best : std::nullopt;
}

}  // namespace warpshop::models
