// Takes down what blocks of other SMs share with the simulated one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "emulator/launch.h"
#include "issue_plan.h"
#include "one_sm/fetched_texels.h"
#include "one_sm/last_pattern.h"
#include "one_sm/moments.h"
#include "one_sm/sharing.h"
#include "one_sm/trace.h"

namespace warpshop::timing {

// Records only an access's effect on regions that are already known.
class SharingSink final : public emulator::AccessSink,
                          public emulator::AccessSinkFactory,
                          public emulator::PathSink,
                          public emulator::TextureSink {
 public:
  SharingSink(Sharing& sharing, Sharing::Who who, int sm, const FetchSites& fetches,
              TexelLayout layout, const std::vector<IssuePlan>& plans,
              const std::vector<double>& block_instructions, std::vector<BlockWork>& work)
      : sharing_(sharing),
        who_(who),
        sm_(sm),
        fetches_(fetches),
        layout_(layout),
        plans_(plans),
        block_instructions_(block_instructions),
        work_(work),
        moments_(fetches.end()) {}
  void on_block(uint64_t block, uint32_t warp, uint32_t basic_block, uint32_t) override {
    if (work_.empty() || work_.back().block != block) {
      work_.push_back({.block = block});
      of_warp_.clear();
    }
    if (of_warp_.size() <= warp) of_warp_.resize(warp + 1);
    of_warp_[warp] += block_instructions_[basic_block];
    work_.back().all += block_instructions_[basic_block];
    work_.back().longest = std::max(work_.back().longest, of_warp_[warp]);
  }
  emulator::AccessSink* make_sink(const std::vector<emulator::AccessSite>& sites, int) override {
    known_.resize(sites.size());
    return this;
  }
  void on_fetch(const emulator::WarpIdentity& warp, const emulator::TextureFetch& fetch) override {
    const auto number = static_cast<uint32_t>(fetches_.find(fetch.function, fetch.instruction));
    for_each_texel(
        layout_, fetch,
        [&](const std::array<uint64_t, models::kLanes>& address, uint32_t lanes, uint32_t width) {
          sharing_.note(who_, sm_, emulator::AccessKind::kLoad, address.data(), lanes, width,
                        moments_.next(warp, number));
        });
  }
  void on_access(const emulator::WarpIdentity& warp, const emulator::AccessSite& site,
                 const emulator::WarpAccess& access) override {
    if (access.active_mask == 0) return;
    const auto [pieces, again] = known_[access.site].find(site, access);
    if (access.space != ptx::Space::kGlobal) return;
    const IssuePlan& plan = plans_[access.site];
    const uint32_t moment = moments_.next(warp, access.site);
    const uint64_t from = first_address(access);
    for (int i = 0; i < plan.count; ++i) {
      const auto part = static_cast<size_t>(i);
      if (!again) {
        std::array<uint64_t, models::kLanes> address = access.address;
        for (uint64_t& a : address) a += static_cast<uint64_t>(plan.offset[part]);
        Sharing::find_pieces(site.kind, address.data(), plan.lanes(access.active_mask),
                             plan.width[part], from, (*pieces)[part]);
      }
      sharing_.note(who_, sm_, site.kind, (*pieces)[part], from, moment);
    }
  }

 private:
  // Of an access, or of each of the two that it is issued as: as seen from its first address.
  using Parts = std::array<Sharing::Pieces, 2>;

  Sharing& sharing_;
  Sharing::Who who_;
  int sm_;
  const FetchSites& fetches_;
  TexelLayout layout_;
  const std::vector<IssuePlan>& plans_;
  const std::vector<double>& block_instructions_;
  std::vector<BlockWork>& work_;
  Moments moments_;
  std::vector<double> of_warp_;            // of the block that is running
  std::vector<LastPattern<Parts>> known_;  // by site
};

}  // namespace warpshop::timing
