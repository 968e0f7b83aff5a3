#include "timing/counters.h"

#include <algorithm>

namespace warpshop::timing {

// The table behind all code that names, sums or shows counters.
const std::vector<CounterInfo>& counter_table() {
  using C = Counters;
  // clang-format off
  static const std::vector<CounterInfo> rows = {
      {"global_load_instructions", "instruction", "Warp instructions that load from global memory.",
       "smsp__sass_inst_executed_op_global_ld", &C::global_load_instructions},
      {"global_store_instructions", "instruction", "Warp instructions that store to global memory.",
       "smsp__sass_inst_executed_op_global_st", &C::global_store_instructions},
      {"global_load_requests", "request", "Requests of global loads to the L1 cache: one per warp instruction.",
       "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", &C::global_load_requests},
      {"global_store_requests", "request", "Requests of global stores: one per warp instruction.",
       "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", &C::global_store_requests},
      {"global_load_sectors", "sector", "32-byte sectors that global loads touch.",
       "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", &C::global_load_sectors},
      {"global_store_sectors", "sector", "32-byte sectors that global stores touch.",
       "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", &C::global_store_sectors},
      {"global_reduction_requests", "request", "Atomics on global memory whose result is unused.",
       "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", &C::global_reduction_requests},
      {"global_reduction_sectors", "sector",
       "Their sector visits: lanes that access the same word visit its sector one after another.",
       "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", &C::global_reduction_sectors},
      {"global_atomic_requests", "request", "Atomics on global memory that return the old value.",
       "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", &C::global_atomic_requests},
      {"global_atomic_sectors", "sector", "Their sector visits.",
       "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", &C::global_atomic_sectors},
      {"shared_load_instructions", "instruction", "Warp instructions that load from shared memory, as issued.",
       "smsp__sass_inst_executed_op_shared_ld", &C::shared_load_instructions},
      {"shared_store_instructions", "instruction", "Warp instructions that store to shared memory, as issued.",
       "smsp__sass_inst_executed_op_shared_st", &C::shared_store_instructions},
      {"shared_load_wavefronts", "wavefront", "Passes through the banks for shared loads.",
       "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", &C::shared_load_wavefronts},
      {"shared_store_wavefronts", "wavefront", "Passes through the banks for shared stores.",
       "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", &C::shared_store_wavefronts},
      {"shared_atomic_wavefronts", "wavefront", "Passes through the banks for shared atomics.",
       "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", &C::shared_atomic_wavefronts},
      {"shared_wavefronts", "wavefront", "Passes through the banks for all shared accesses.",
       "memory_l1_wavefronts_shared", &C::shared_wavefronts},
      {"shared_wavefronts_ideal", "wavefront", "Passes that the same bytes would need without bank conflicts.",
       "memory_l1_wavefronts_shared_ideal", &C::shared_wavefronts_ideal},
      {"theoretical_sectors", "sector", "Distinct sectors that each global access touches, including atomics.",
       "memory_l2_theoretical_sectors_global", &C::theoretical_sectors},
      {"theoretical_sectors_ideal", "sector", "Sectors that the lanes' bytes would need if they were contiguous.",
       "memory_l2_theoretical_sectors_global_ideal", &C::theoretical_sectors_ideal},
      {"local_load_instructions", "instruction", "Warp instructions that load from local memory.",
       "smsp__sass_inst_executed_op_local_ld", &C::local_load_instructions},
      {"local_store_instructions", "instruction", "Warp instructions that store to local memory.",
       "smsp__sass_inst_executed_op_local_st", &C::local_store_instructions},
      {"global_load_bytes_used", "byte", "Distinct bytes that lanes requested, summed over global loads.", "",
       &C::global_load_bytes_used},
      {"global_store_bytes_used", "byte", "Distinct bytes that lanes wrote, summed over global stores.", "",
       &C::global_store_bytes_used},
  };
  // clang-format on
  return rows;
}

Counters& Counters::operator+=(const Counters& other) {
  for (const CounterInfo& row : counter_table()) this->*row.field += other.*row.field;
  return *this;
}

SiteCounters& SiteCounters::operator+=(const SiteCounters& other) {
  executions += other.executions;
  lanes += other.lanes;
  requests += other.requests;
  sectors += other.sectors;
  sectors_ideal += other.sectors_ideal;
  wavefronts += other.wavefronts;
  wavefronts_ideal += other.wavefronts_ideal;
  bytes_used += other.bytes_used;
  worst_sectors = std::max(worst_sectors, other.worst_sectors);
  worst_wavefronts = std::max(worst_wavefronts, other.worst_wavefronts);
  return *this;
}

}  // namespace warpshop::timing
