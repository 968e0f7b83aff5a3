#include "maps/text_figure.h"

#include <cmath>

#include "core/ascii.h"
#include "core/expression.h"
#include "models/banks.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

// The addresses of 32 lanes; nullopt if the expression is invalid, or an address is not a
// non-negative integer.
std::optional<models::WarpRequest> request_of(std::string_view text) {
  const Result<Expression> expression = Expression::parse(text);
  if (!expression.ok()) return std::nullopt;
  models::WarpRequest request;
  request.active_mask = 0xFFFFFFFF;
  for (size_t lane = 0; lane < models::kLanes; ++lane) {
    const Result<int64_t> address =
        expression->evaluate_whole([lane](std::string_view name) -> std::optional<double> {
          if (name == "lane") return static_cast<double>(lane);
          return std::nullopt;
        });
    if (!address.ok() || *address < 0 || *address % 4 != 0) return std::nullopt;
    request.address[lane] = static_cast<uint64_t>(*address);
  }
  return request;
}

}  // namespace

std::optional<TextFigure> read_text_figure(std::string_view language, std::string_view words) {
  const bool banks = language == "banks";
  if (!banks && language != "map") return std::nullopt;
  TextFigure figure;
  while (!trimmed(words).empty()) {
    const size_t end = std::min(words.find(';'), words.size());
    const std::string_view one = words.substr(0, end);
    words.remove_prefix(std::min(end + 1, words.size()));
    const size_t colon = one.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const std::optional<models::WarpRequest> request = request_of(trimmed(one.substr(colon + 1)));
    if (!request) return std::nullopt;
    TextFigure::Access access;
    access.label = trimmed(one.substr(0, colon));
    access.request = *request;
    if (banks) {
      const models::BankCounts counts =
          models::count_wavefronts(*request, models::SharedAccess::kLoad);
      access.banks = models::explain_bank_generation(models::BankRule::kMeasuredBanks, *request);
      access.cost = counts.wavefronts;
      access.ideal = counts.ideal_wavefronts;
    } else {
      access.map = map_transactions(*request);
      access.cost = access.map->result.counts.sectors;
      access.ideal = access.map->result.counts.ideal_sectors;
    }
    figure.accesses.push_back(std::move(access));
  }
  if (figure.accesses.empty()) return std::nullopt;
  return figure;
}

}  // namespace warpshop::ui
