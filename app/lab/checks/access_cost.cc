#include "lab/access_cost.h"

#include "core/lines.h"
#include "models/banks.h"
#include "models/coalescer.h"
#include "timing/issue.h"

namespace warpshop::lab {

AccessCost access_cost(const models::GpuProfile& gpu, const emulator::AccessSite& site, bool shared,
                       const models::WarpRequest& request) {
  if (shared) {
    const models::SharedAccess access = timing::shared_access_of(site);
    const models::BankRule banks = models::bank_rule_of(gpu);
    if (banks != models::BankRule::kMeasuredBanks) {
      const models::GenerationBankResult passes =
          models::explain_bank_generation(banks, request, access);
      const auto cost = static_cast<int>(passes.passes.size());
      return {cost, passes.parts, cost};
    }
    const models::BankCounts counts = models::count_wavefronts(request, access);
    return {counts.wavefronts, counts.ideal_wavefronts, counts.wavefronts};
  }
  const models::GlobalAccess access = timing::global_access_of(site.kind);
  const models::CoalescingRule rule = models::coalescing_rule_of(gpu, access);
  if (rule != models::CoalescingRule::kSectors) {
    const models::TransactionCounts counts = models::count_transactions(rule, request, access);
    return {static_cast<int>(counts.bytes_moved / 32),
            static_cast<int>((counts.ideal_bytes + 31) / 32), counts.transactions};
  }
  const models::CoalescerCounts counts = models::count_sectors(request);
  return {counts.sectors, counts.ideal_sectors, counts.sectors};
}

models::TransactionResult transactions_of(const models::GpuProfile& gpu,
                                          const emulator::AccessSite& site,
                                          const models::WarpRequest& request) {
  return models::explain_transactions(coalescing_rule_of(gpu, site), request,
                                      timing::global_access_of(site.kind));
}

models::CoalescingRule coalescing_rule_of(const models::GpuProfile& gpu,
                                          const emulator::AccessSite& site) {
  return models::coalescing_rule_of(gpu, timing::global_access_of(site.kind));
}

models::BurstResult bursts_of(const models::GpuProfile& gpu, const models::WarpRequest& request) {
  return models::explain_bursts(models::dram_of(gpu), request);
}

models::IndexAdvice index_advice_of(const models::WarpRequest& request) {
  return models::advise_index(request);
}

models::GenerationBankResult bank_passes_of(const models::GpuProfile& gpu,
                                            const emulator::AccessSite& site,
                                            const models::WarpRequest& request) {
  return models::explain_bank_generation(models::bank_rule_of(gpu), request,
                                         timing::shared_access_of(site));
}

models::BankRule bank_rule_of(const models::GpuProfile& gpu) { return models::bank_rule_of(gpu); }

std::optional<models::PaddedAccess> padded_access_of(const models::GpuProfile& gpu,
                                                     const emulator::AccessSite& site,
                                                     const models::WarpRequest& request) {
  return models::padded_access(models::bank_rule_of(gpu), request, timing::shared_access_of(site));
}

int student_line(const ptx::SourceLine& source) {
  return source.call_file > 0 ? source.call_line : source.line;
}

std::string_view line_text(std::string_view source, int line) {
  source = nth_line(source, line);
  const size_t first = source.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : source.substr(first);
}

}  // namespace warpshop::lab
