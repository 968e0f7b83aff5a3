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

}  // namespace

std::optional<PaddedAccess> padded_access(BankRule rule, const WarpRequest& request,
                                          SharedAccess access) {
  const GenerationBankResult now = explain_bank_generation(rule, request, access);
  if (now.conflicts() <= 0) return std::nullopt;
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
