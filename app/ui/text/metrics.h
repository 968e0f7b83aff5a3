// Explains each figure shown in the window, in its tooltip; tests/window/metrics_test.cc finds
// figures without an explanation. Titles, meanings, units and formulas in words are translated; the
// names of counters and of Nsight Compute's metrics are the same in every language.
#pragma once

#include <string>
#include <string_view>

#include "models/bank_generations.h"
#include "models/transactions.h"
#include "text/text.h"
#include "timing/counters.h"
#include "timing/prediction.h"

namespace warpshop::ui {

struct MetricWords {
  std::string_view title;    // "Sectors of one access"
  std::string_view meaning;  // one or two sentences
  std::string_view unit;
  std::string_view formula;
  std::string_view nsight;  // Nsight Compute's name for it; empty if none
  std::string_view term;    // the entry of docs/GLOSSARY.md with more detail
};

namespace metric {

inline constexpr MetricWords kSectors = {
    tr_later("Sectors of one access"),
    tr_later("Distinct sectors of 32 bytes that the lanes of one warp ask for. Ideal is what their "
             "bytes would need side by side."),
    tr_later("sectors"),
    "distinct(byte_address / 32)",
    "memory_l2_theoretical_sectors_global",
    tr_later("sector")};
inline constexpr MetricWords kSectorBytes = {
    tr_later("Bytes used per sector"),
    tr_later("Those of its 32 bytes that some lane asked for. The others were moved for nothing."),
    tr_later("bytes"),
    "distinct(byte_address)",
    "",
    tr_later("sector")};
inline constexpr MetricWords kLanesOfWord = {
    tr_later("Lanes of one word"),
    tr_later("Lanes that ask for the same word. It is moved once for all of them."),
    tr_later("lanes"),
    tr_later("count(lanes: same word)"),
    "",
    tr_later("broadcast")};
inline constexpr MetricWords kLanesOnBusiest = {
    tr_later("Lanes on the busiest word"),
    tr_later("Lanes that one request of a warp has on the same word. They change it one after the "
             "other; lanes on other words do not wait for them. Shared memory only takes as long "
             "as for one lane if every lane adds 1 and the old value is not used."),
    tr_later("lanes per request"),
    tr_later("Σ requests max(words: lanes) / requests"),
    "",
    tr_later("contention")};
inline constexpr MetricWords kHits = {
    tr_later("Hits of a word"),
    tr_later("Lanes whose atomic changes or tests this word, over the whole grid. A shared word "
             "exists once for each block."),
    tr_later("hits"),
    tr_later("count(lanes: atomics on the word)"),
    "",
    tr_later("contention")};
inline constexpr MetricWords kWordsByHits = {
    tr_later("Words by hits"),
    tr_later("Words that atomics hit as often as the row says. Shared words of different blocks "
             "are different words."),
    tr_later("words"),
    tr_later("count(words: hits)"),
    "",
    tr_later("contention")};
inline constexpr MetricWords kOverlap = {
    tr_later("Work while copies are in flight"),
    tr_later("Of the time of the block's warps during which asynchronous copies are in flight, the "
             "part in which they wait neither for copies nor for other warps."),
    "%",
    tr_later("1 − Σ warps cycles waiting in flight / Σ warps cycles in flight"),
    "",
    tr_later("pipeline")};
inline constexpr MetricWords kLineExecuted = {
    tr_later("Executed instructions of the line"),
    tr_later("PTX instructions of the line, each counted once for every warp that executes it."),
    tr_later("instructions"),
    tr_later("Σ warps instructions"),
    "inst_executed",
    tr_later("warp")};
inline constexpr MetricWords kLineLanes = {
    tr_later("Active lanes of the line"),
    tr_later("Lanes that take part in the line's instructions, on average. Orange is where a tenth "
             "of the warp or more stands by."),
    tr_later("lanes"),
    "lane_instructions / warp_instructions",
    "derived__avg_thread_executed",
    tr_later("active lanes")};
inline constexpr MetricWords kLineStalls = {
    tr_later("Waiting at the line"),
    tr_later("The part of all waiting of the drawn warps that is spent at the line, in the "
             "predicted run. Orange is a fifth or more."),
    tr_later("% of all waiting"),
    tr_later("Σ cycles of the line without issue / Σ cycles without issue"),
    "smsp__pcsamp_warps_issue_stalled",
    tr_later("warp state")};
inline constexpr MetricWords kLineCost = {
    tr_later("Cost of the line"),
    tr_later("For one access of a warp, on average: sectors of 32 bytes that it moves (sect), "
             "passes through the banks (wave). "
             "Below 1 where the compiler merges several accesses into one. Orange is more than its "
             "lanes would need."),
    tr_later("sectors, wavefronts"),
    tr_later("sectors / requests, wavefronts / executions"),
    "memory_l2_theoretical_sectors_global, memory_l1_wavefronts_shared",
    tr_later("request")};
inline constexpr MetricWords kLineCostOfChip = {
    tr_later("Cost of the line"),
    tr_later("For one access of a warp, on average, by the rules of this GPU's generation: "
             "transactions that it becomes (trans), passes "
             "through the banks (pass). Below 1 where the compiler merges several accesses into "
             "one. Orange is more than its lanes would need."),
    tr_later("transactions, passes"),
    tr_later("transactions / accesses, passes / accesses"),
    "",
    tr_later("transaction")};
inline constexpr MetricWords kTraffic = {
    tr_later("The reference's memory traffic"),
    tr_later("Sectors that the kernel's global accesses ask for, over those of the reference. "
             "Caches do not count."),
    tr_later("times"),
    "theoretical_sectors / reference.theoretical_sectors",
    "memory_l2_theoretical_sectors_global",
    tr_later("sector")};
inline constexpr MetricWords kMovedBytes = {
    tr_later("Memory traffic"),
    tr_later("Bytes of the sectors that all global accesses of the kernel move."),
    tr_later("bytes"),
    "32 × theoretical_sectors",
    "32 × memory_l2_theoretical_sectors_global",
    tr_later("sector")};
inline constexpr MetricWords kAllWavefronts = {
    tr_later("Shared wavefronts"), tr_later("Passes through the banks for all shared accesses."),
    tr_later("wavefronts"),        tr_later("Σ requests wavefronts"),
    "memory_l1_wavefronts_shared", tr_later("wavefront")};
inline constexpr MetricWords kOccupancy = {
    tr_later("Occupancy"),
    tr_later("Warps that an SM can hold at once, over the most that it could hold."),
    tr_later("%"),
    "warps_per_sm / max_warps_per_sm",
    "sm__maximum_warps_per_active_cycle_pct",
    tr_later("occupancy")};
inline constexpr MetricWords kThreadsABlock = {
    tr_later("Threads per block"),
    tr_later("Threads of a block, all three directions multiplied. The launch chooses them."),
    tr_later("threads"),
    "block_x × block_y × block_z",
    "launch__block_size",
    tr_later("block")};
inline constexpr MetricWords kRegistersAThread = {
    tr_later("Registers per thread"),
    tr_later(
        "32-bit registers that the compiler gives each thread. They are dealt out to whole warps."),
    tr_later("registers"),
    "registers",
    "launch__registers_per_thread",
    tr_later("register")};
inline constexpr MetricWords kSharedABlock = {
    tr_later("Shared memory per block"),
    tr_later("What the kernel declares, and what the launch adds."),
    tr_later("bytes"),
    "static_shared + dynamic_shared",
    "launch__shared_mem_per_block_static + launch__shared_mem_per_block_dynamic",
    tr_later("shared memory")};
inline constexpr MetricWords kWrongElements = {
    tr_later("Wrong elements"),
    tr_later("Elements of the output that differ from the reference's by more than the exercise "
             "allows, or that the kernel never wrote."),
    tr_later("elements"),
    tr_later("count(|yours − reference| > tolerance × |reference|)"),
    "",
    tr_later("reference")};
inline constexpr MetricWords kErrorSize = {
    tr_later("How far off"),
    tr_later("Wrong elements by their difference to the reference's, as a part of the reference's; "
             "where that is 0, the difference itself."),
    tr_later("elements"),
    tr_later("|yours − reference| / |reference|"),
    "",
    tr_later("reference")};
inline constexpr MetricWords kLanes = {
    tr_later("Lanes that run"),
    tr_later("Lanes of the warp that take part in this instruction. The others wait for them."),
    tr_later("lanes"),
    "popcount(active_mask)",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    tr_later("active lanes")};
inline constexpr MetricWords kSlowdown = {
    tr_later("Slowdown vs. balanced load"),
    tr_later("The partitions work in parallel, so each time window lasts as long as its busiest "
             "partition. 1× is a perfectly balanced load."),
    tr_later("times"),
    tr_later("Σ windows max(bytes) / Σ windows mean(bytes)"),
    "dram__bytes.max / dram__bytes.avg",
    tr_later("partition camping")};
inline constexpr MetricWords kPartitions = {
    tr_later("Partitions"),
    tr_later("Parts of the memory system, each with its own slice of L2 and its own channels of "
             "DRAM, that work side by side."),
    tr_later("partitions"),
    "partition_count",
    "",
    tr_later("partition camping")};
inline constexpr MetricWords kBursts = {
    tr_later("Bursts of one access"),
    tr_later("Aligned pieces that the DRAM delivers as a whole and that hold a byte of this "
             "access, if no cache helps."),
    tr_later("bursts"),
    "distinct(byte_address / burst_bytes)",
    "",
    tr_later("burst section")};
inline constexpr MetricWords kRowHits = {
    tr_later("Row hits"),
    tr_later("Bursts that find their row open in its bank. Others wait until it has been opened."),
    tr_later("%"),
    tr_later("hits / (hits + first_rows + conflicts)"),
    "",
    tr_later("open row")};
inline constexpr MetricWords kInterfaceUse = {
    tr_later("Use of the interfaces"),
    tr_later(
        "Time that the channels' interfaces transfer, over the time until the last burst is over."),
    tr_later("%"),
    tr_later("Σ channels transfer_steps / (channels × steps)"),
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    tr_later("channel")};
inline constexpr MetricWords kOfRoof = {tr_later("Share of the roof"),
                                        tr_later("What the kernel achieves, over what the roof "
                                                 "above it allows at its arithmetic intensity."),
                                        tr_later("%"),
                                        tr_later("achieved / min(peak, bandwidth × intensity)"),
                                        "GPU Speed Of Light Roofline Chart",
                                        tr_later("roofline")};
inline constexpr MetricWords kRoof = {
    tr_later("A roof"),
    tr_later("The most that the GPU can do: bytes per second of a memory, a slope; operations per "
             "second, a flat line."),
    "GB/s, GFLOP/s",
    tr_later("min(peak, bandwidth × intensity)"),
    "dram__bytes.sum.peak_sustained, lts__t_bytes.sum.peak_sustained",
    tr_later("roofline")};
inline constexpr MetricWords kIntensity = {
    tr_later("Arithmetic intensity"),
    tr_later("Operations for each byte that is moved: of DRAM for the filled points, of L2 for the "
             "rings."),
    tr_later("operations per byte"),
    "flop / dram_bytes, flop / l2_bytes",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum × 2 / dram__bytes.sum",
    tr_later("arithmetic intensity")};
inline constexpr MetricWords kFlopRate = {
    tr_later("Operations per second"),
    tr_later("Floating-point operations by the predicted time. A multiply-add counts as two."),
    "GFLOP/s",
    tr_later("flop / time"),
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_second × 2",
    tr_later("FLOP")};
inline constexpr MetricWords kIssueRate = {
    tr_later("Warp instructions per second"),
    tr_later("Machine instructions that warps issue, by the predicted time."),
    tr_later("billion warp instructions per second"),
    tr_later("warp_instructions / time"),
    "smsp__inst_executed.sum.per_second",
    tr_later("issue slot")};
inline constexpr MetricWords kAskedBytes = {
    tr_later("Bytes of the sectors that instructions touch"),
    tr_later("The kernel's memory instructions over the whole grid, and the sectors of 32 bytes "
             "that they touch. On chips before "
             "compute capability 6.0 the bytes of their transactions."),
    tr_later("bytes"),
    tr_later("32 × Σ requests sectors"),
    "32 × l1tex__t_sectors.sum",
    tr_later("sector")};
inline constexpr MetricWords kL1HitRate = {
    tr_later("Hit rate of L1"),
    tr_later("Sectors of loads and texture fetches that the cache of the SM has, over all that it "
             "is asked for."),
    tr_later("%"),
    tr_later("hit sectors / sectors"),
    "l1tex__t_sector_hit_rate.pct",
    tr_later("hit rate")};
inline constexpr MetricWords kL2Bytes = {
    tr_later("Bytes between L2 and the SMs"),
    tr_later("What L1 does not have, and what is stored, once stores to the same sectors have been "
             "merged."),
    tr_later("bytes"),
    tr_later("32 × sectors"),
    "l1tex__m_xbar2l1tex_read_bytes.sum + l1tex__m_l1tex2xbar_write_bytes.sum",
    tr_later("L2")};
inline constexpr MetricWords kL2HitRate = {
    tr_later("Hit rate of L2"),
    tr_later("Sectors of reads that L2 has, over all that it looks up, in a launch that follows "
             "others. It need not follow from the arrows: neighbouring SMs that read a sector at "
             "the same time ask for it once, and of the 64 bytes that a miss loads the second 32 "
             "count as a hit."),
    tr_later("%"),
    tr_later("1 − missing sectors / sectors"),
    "lts__t_sector_op_read_hit_rate.pct",
    tr_later("hit rate")};
inline constexpr MetricWords kDramBytes = {
    tr_later("Bytes of DRAM"),
    tr_later("What L2 does not have and what leaves it. A sector that was written in part is read "
             "first."),
    tr_later("bytes"),
    tr_later("Σ misses bytes"),
    "dram__bytes_read.sum + dram__bytes_write.sum",
    tr_later("global memory")};
inline constexpr MetricWords kDramRate = {
    tr_later("Bandwidth of DRAM"),
    tr_later("Bytes that DRAM moves by the predicted time, and the most that dense reads reach."),
    "GB/s",
    tr_later("dram_bytes / time"),
    "dram__bytes.sum.per_second",
    tr_later("bandwidth")};
inline constexpr MetricWords kWarmTime = {
    tr_later("Warm time"),
    tr_later("Time of the second of two launches in a row, the middle one of several: the L2 cache "
             "holds what fits into it."),
    "µs",
    tr_later("median(time of a second launch)"),
    "gpu__time_duration.sum",
    tr_later("measured")};
inline constexpr MetricWords kUsefulBandwidth = {
    tr_later("Useful bandwidth"),
    tr_later("Bytes that the task needs, divided by the warm time. Whatever else a kernel moves "
             "does not count."),
    "GB/s",
    tr_later("useful_bytes / time"),
    "dram__bytes.sum.per_second",
    tr_later("bandwidth")};
inline constexpr MetricWords kPredictedTime = {tr_later("Predicted time"),
                                               tr_later("The predicted time of the kernel."),
                                               "µs",
                                               tr_later("launch_us + cycles / clock"),
                                               "gpu__time_duration.sum",
                                               tr_later("predicted")};
inline constexpr MetricWords kEstimatedTime = {
    tr_later("Your estimate"),
    tr_later(
        "The time that you expected of your kernel before it ran, beside the one that it takes."),
    "µs",
    "",
    "",
    tr_later("predicted")};
inline constexpr MetricWords kEstimatedSpeedup = {
    tr_later("Your estimate"),
    tr_later(
        "How many times as fast as the start you expected your kernel to be, beside what it is."),
    "×",
    tr_later("time of the start / time of your kernel"),
    "",
    tr_later("predicted")};
inline constexpr MetricWords kPredictionError = {
    tr_later("Error of the prediction"),
    tr_later("Predicted time ÷ measured warm time − 1: below zero, the prediction is too fast."),
    tr_later("%"),
    tr_later("predicted / measured − 1"),
    "",
    tr_later("predicted")};
inline constexpr MetricWords kLimiter = {
    tr_later("What limits the kernel"),
    tr_later("What is busiest in the predicted run, and how much of the predicted time is above "
             "the least that the kernel could take: the launch, and whichever takes longer at this "
             "GPU's ceilings, the task's bytes or the kernel's operations."),
    tr_later("% of the predicted time"),
    tr_later("1 − (launch_us + max(bytes / bandwidth, flop / peak, tensor_us)) / time"),
    "",
    tr_later("limiter")};
inline constexpr MetricWords kPublished = {
    tr_later("Published figure"),
    tr_later("What others measured, on the GPU and in the source that stand beside it."),
    tr_later("as published"),
    tr_later("value"),
    "",
    tr_later("published")};
inline constexpr MetricWords kStageTime = {tr_later("Time of a stage"),
                                           tr_later("How long this computer took for it."),
                                           "ms",
                                           tr_later("end − begin"),
                                           "",
                                           tr_later("measured")};

}  // namespace metric

// For one access on a GPU whose generation has its own rules.
MetricWords transactions_metric(models::CoalescingRule rule);
MetricWords passes_metric(models::BankRule rule);
// For a share of the warps' time.
MetricWords state_metric(timing::WarpState state);
// "Global load sectors", derived from the name; and how a registered counter is summed.
std::string counter_title(std::string_view name);
std::string_view counter_formula(const timing::CounterInfo& info);
std::string_view counter_term(const timing::CounterInfo& info);

}  // namespace warpshop::ui
