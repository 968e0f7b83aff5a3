// The cost of one recorded access by the rules of a GPU's generation: the number a map shows and
// what it draws. The only place that chooses between the models.
#pragma once

#include <optional>
#include <string_view>

#include "emulator/access.h"
#include "models/bank_generations.h"
#include "models/dram.h"
#include "models/gpu_profile.h"
#include "models/index_advice.h"
#include "models/padding.h"
#include "models/request.h"
#include "models/transactions.h"

namespace warpshop::lab {

// Sectors, or wavefronts for shared memory; before 5.0, 32-byte pieces, or passes.
struct AccessCost {
  int cost = 0;
  int ideal = 0;
  int shown = 0;  // the figure in the map's headline: before 5.0, transactions of any size
  int waste() const { return cost - ideal; }
};

// `request`: one of the requests that the back end issues for the access.
AccessCost access_cost(const models::GpuProfile& gpu, const emulator::AccessSite& site, bool shared,
                       const models::WarpRequest& request);

// An access to global, local or constant memory.
models::TransactionResult transactions_of(const models::GpuProfile& gpu,
                                          const emulator::AccessSite& site,
                                          const models::WarpRequest& request);
models::CoalescingRule coalescing_rule_of(const models::GpuProfile& gpu,
                                          const emulator::AccessSite& site);
// The bursts that it fetches from DRAM.
models::BurstResult bursts_of(const models::GpuProfile& gpu, const models::WarpRequest& request);
// The form of its index, and how to improve it.
models::IndexAdvice index_advice_of(const models::WarpRequest& request);
// An access to shared memory.
models::GenerationBankResult bank_passes_of(const models::GpuProfile& gpu,
                                            const emulator::AccessSite& site,
                                            const models::WarpRequest& request);
models::BankRule bank_rule_of(const models::GpuProfile& gpu);
// Empty: no padding of the rows saves a pass.
std::optional<models::PaddedAccess> padded_access_of(const models::GpuProfile& gpu,
                                                     const emulator::AccessSite& site,
                                                     const models::WarpRequest& request);

// The line of the student's file that contains a place in the code; 0: unknown.
int student_line(const ptx::SourceLine& source);
inline int student_line(const emulator::AccessSite& site) { return student_line(site.source); }
// That line of the text, without its indentation; empty if there is none.
std::string_view line_text(std::string_view source, int line);

}  // namespace warpshop::lab
