#include "timing/issue.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "issue_plan.h"

namespace warpshop::timing {
namespace {

bool has_modifier(std::string_view text, std::string_view modifier) {
  const std::string_view opcode = text.substr(0, text.find_first_of(" \t"));
  const size_t at = opcode.find(modifier);
  return at != std::string_view::npos &&
         (at + modifier.size() == opcode.size() || opcode[at + modifier.size()] == '.');
}

std::string_view last_operand(std::string_view text) {
  const size_t comma = text.find_last_of(',');
  if (comma == std::string_view::npos) return {};
  text.remove_prefix(comma + 1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == ';' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace

models::GlobalAccess global_access_of(emulator::AccessKind kind) {
  switch (kind) {
    case emulator::AccessKind::kLoad:
      return models::GlobalAccess::kLoad;
    case emulator::AccessKind::kStore:
      return models::GlobalAccess::kStore;
    default:
      return models::GlobalAccess::kAtomic;
  }
}

models::SharedAccess shared_access_of(const emulator::AccessSite& site) {
  if (site.path == emulator::AccessPath::kMatrix) return models::SharedAccess::kMatrix;
  switch (site.kind) {
    case emulator::AccessKind::kLoad:
      return models::SharedAccess::kLoad;
    case emulator::AccessKind::kStore:
      return models::SharedAccess::kStore;
    case emulator::AccessKind::kAtomic:
    case emulator::AccessKind::kReduction:
      break;
  }
  if (has_modifier(site.text, ".cas")) return models::SharedAccess::kCompareAndSwap;
  if (has_modifier(site.text, ".exch")) return models::SharedAccess::kAtomic;
  const auto is_of = [&](std::initializer_list<std::string_view> types) {
    return std::any_of(types.begin(), types.end(),
                       [&](std::string_view type) { return has_modifier(site.text, type); });
  };
  if (is_of({".f16", ".bf16"})) return models::SharedAccess::kHalfwordLoop;
  if (is_of({".f32", ".f64", ".f16x2", ".bf16x2", ".u64", ".s64", ".b64"}))
    return models::SharedAccess::kSpin;
  const bool counts = site.kind == emulator::AccessKind::kReduction &&
                      has_modifier(site.text, ".add") && has_modifier(site.text, ".u32") &&
                      last_operand(site.text) == "1";
  return counts ? models::SharedAccess::kCountingAdd : models::SharedAccess::kAtomic;
}

std::vector<models::WarpRequest> issued_requests(const emulator::AccessSite& site,
                                                 const emulator::WarpAccess& access) {
  const IssuePlan plan = plan_of(site);
  std::vector<models::WarpRequest> requests;
  for (int i = 0; i < plan.count; ++i) {
    models::WarpRequest request{.active_mask = plan.lanes(access.active_mask),
                                .width_bytes = plan.width[static_cast<size_t>(i)]};
    for (size_t lane = 0; lane < models::kLanes; ++lane) {
      request.address[lane] =
          access.address[lane] + static_cast<uint64_t>(plan.offset[static_cast<size_t>(i)]);
    }
    requests.push_back(request);
  }
  return requests;
}

}  // namespace warpshop::timing
