// What one recorded access costs by the rules of a GPU's generation: the number that a map shows, and what it draws. The one
// place that chooses between the models.
#pragma once

#include "emulator/access.h"
#include "models/bank_generations.h"
#include "models/gpu_profile.h"
#include "models/request.h"
#include "models/transactions.h"

namespace warpshop::lab {

// Sectors, or wavefronts of shared memory; before 5.0 pieces of 32 bytes, or passes.
struct AccessCost {
  int cost = 0;
  int ideal = 0;
  int shown = 0;  // as the map's headline counts it: before 5.0 transactions of any size
  int waste() const { return cost - ideal; }
};

// `request`: one of those that the back end makes of the access.
AccessCost access_cost(const models::GpuProfile& gpu, const emulator::AccessSite& site, bool shared,
                       const models::WarpRequest& request);

// Of an access to global, local or constant memory.
models::TransactionResult transactions_of(const models::GpuProfile& gpu, const emulator::AccessSite& site,
                                          const models::WarpRequest& request);
// Of an access to shared memory.
models::GenerationBankResult bank_passes_of(const models::GpuProfile& gpu, const emulator::AccessSite& site,
                                            const models::WarpRequest& request);

models::GlobalAccess global_access_of(emulator::AccessKind kind);

// The line of the student's file that an access site belongs to; 0: not known.
int student_line(const emulator::AccessSite& site);

}  // namespace warpshop::lab
