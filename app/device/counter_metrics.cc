#include "device/counter_metrics.h"

#include <array>
#include <string_view>
#include <utility>

namespace warpshop::device {
namespace {

// Names of sets and sections of Nsight Compute that do not collect the metric of counters.def:
// `smsp__inst_executed_op_…` are instruction counts of the memory tables, and
// `l1tex__data_pipe_lsu_wavefronts_…` also counts passes that other traffic of L1 delayed. See
// Nsight Compute, "Metrics Reference", and the mapping of nvprof's metrics in its CLI manual.
struct Other {
  std::string_view counter;
  const char* metric = "";
  bool near = false;
};
constexpr std::array kOthers = {
    Other{"global_load_instructions", "smsp__inst_executed_op_global_ld.sum"},
    Other{"global_store_instructions", "smsp__inst_executed_op_global_st.sum"},
    Other{"shared_load_instructions", "smsp__inst_executed_op_shared_ld.sum"},
    Other{"shared_store_instructions", "smsp__inst_executed_op_shared_st.sum"},
    Other{"local_load_instructions", "smsp__inst_executed_op_local_ld.sum"},
    Other{"local_store_instructions", "smsp__inst_executed_op_local_st.sum"},
    Other{"shared_load_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", true},
    Other{"shared_store_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", true},
    Other{"shared_atomic_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
          true},
    Other{"shared_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", true},
};

CounterMetric counted(const char* name, const char* unit, const char* metric, bool on_gpu) {
  CounterMetric out{.counter = name, .unit = unit, .read_on_gpu = on_gpu};
  if (*metric != '\0') out.metrics.push_back(metric);
  for (const Other& other : kOthers) {
    if (other.counter != name) continue;
    (other.near ? out.near_metrics : out.metrics).push_back(other.metric);
  }
  return out;
}

// Units follow Nsight Compute, "Metrics Decoder".
std::vector<CounterMetric> make_table() {
  std::vector<CounterMetric> out;
#define COUNTER(name, unit, meaning, metric) out.push_back(counted(#name, unit, metric, false));
#define GPU_COUNTER(name, unit, meaning, metric) out.push_back(counted(#name, unit, metric, true));
#include "core/counters.def"
  const auto add = [&out](const char* name, const char* unit, std::vector<const char*> metrics) {
    out.push_back({name, unit, std::move(metrics), {}, true});
  };
  add("sass_instructions", "instruction", {"smsp__inst_executed.sum"});
  add("l2_read_sectors", "sector", {"lts__t_sectors_srcunit_tex_op_read.sum"});
  add("l2_write_sectors", "sector", {"lts__t_sectors_srcunit_tex_op_write.sum"});
  add("dram_read_bytes", "byte", {"dram__bytes_read.sum", "dram__bytes_op_read.sum"});
  add("dram_write_bytes", "byte", {"dram__bytes_write.sum", "dram__bytes_op_write.sum"});
  return out;
}

}  // namespace

const std::vector<CounterMetric>& counter_metrics() {
  static const std::vector<CounterMetric> table = make_table();
  return table;
}

}  // namespace warpshop::device
