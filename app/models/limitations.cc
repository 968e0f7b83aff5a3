#include "models/limitations.h"

#include <array>

namespace warpshop::models {
namespace {

constexpr std::array kTimeRows = {
    Limitation{
        "a heap in device memory",
        "a kernel that allocates gets no predicted time: allocations take about a tenth of a "
        "microsecond each, one after another"},
    Limitation{"retries of atomicCAS between warps",
               "threads that contend for few words are predicted far too fast"},
    Limitation{"calls and returns, and the registers that they save",
               "recursive functions are predicted up to four times too fast"},
    Limitation{"the instruction cache and the constant cache",
               "short kernels are predicted a few tenths of a microsecond too fast"},
    Limitation{
        "the real mapping of lines to L2 slices and the far half of L2",
        "atomics on few lines can be off by a factor of two; naive transposes are predicted 10 "
        "to 35 % too fast"},
    Limitation{
        "warps that collide in a floating-point atomic's loop on shared memory",
        "each collision is another round: additions to few words are predicted too fast, up to "
        "3.7 times with two"},
    Limitation{"L1's real sets and ways",
               "kernels whose blocks share lines only just in time hit too often"},
    Limitation{
        "how the chip distributes blocks to SMs",
        "an SM gets every n-th block of the grid; in reality, blocks that share lines may run "
        "on the same SM"},
    Limitation{"DRAM's banks, refresh and thermal limits", "included only in the mean rates"},
    Limitation{"clocks that drop under load", "the SM is assumed to run at its boost clock"},
    Limitation{"differences between SMs",
               "one SM represents all; a tail of uneven blocks does not show"},
    Limitation{
        "formats and filters that take a texture unit longer",
        "each fetch takes one slot: filtered texels of 64 and 128 bits are predicted too fast"},
    Limitation{"surfaces", "their accesses occupy the texture units but move no data"},
    Limitation{"tensor memory, clusters, copies of tensors",
               "their instructions cost an issue slot and nothing more"},
    Limitation{"what wgmma reads of shared memory",
               "it takes nothing of the bandwidth that other accesses have"},
    Limitation{"copies over copies that nobody waited for",
               "an H100 drops most of them; here all are made"},
    Limitation{"products that a routine emulates (FP8 and 4 bits on 9.0)",
               "the routine is not followed: a third of the measured time"},
    Limitation{"the time of a thread that starts a copy in bulk, about 55 cycles",
               "one block per SM with four stages or more: 30 % too fast"},
};
constexpr std::array kOldTimeRows = {
    Limitation{"DRAM's banks, read/write turnaround, refresh",
               "a copy with blocks of 16 × 16 is predicted 30 % too slow"},
    Limitation{"the texture cache",
               "its sizes and latencies are those of a GTX 280, recalled; if a profile has none, "
               "every fetch hits"},
    Limitation{"the machine code of the time",
               "instructions and registers are derived from today's PTX by rules; tiles filled in "
               "steps are predicted up to 20 % too fast"},
    Limitation{"the second multiplication of 1.x on the special units, instruction fetch, constant "
               "cache misses",
               "small"},
    Limitation{"L1 of 2.x and 3.x for global loads", "loads go to L2"},
    Limitation{"launch costs with the drivers and clocks of the time", "assumed to be 5 µs"},
};
constexpr std::array kPartitionRows = {
    Limitation{"Rows and banks of DRAM",
               "a partition serves its bytes at a constant rate, whatever their order"},
    Limitation{"read/write turnaround", "mixed traffic is predicted too fast"},
    Limitation{
        "the real order of an SM's blocks",
        "blocks advance in lockstep here; in reality they drift apart, which softens camping"},
    Limitation{"L2", "data that a cache would have served counts as partition traffic"},
};
constexpr std::array kDramRows = {
    Limitation{"Refresh", "a few percent of the time is missing"},
    Limitation{"read/write turnaround", "mixed traffic is predicted too fast"},
    Limitation{"bank groups", "bursts follow each other without the gap that newer chips need"},
    Limitation{"limits on how many rows may open per unit of time",
               "scattered accesses are predicted too fast"},
    Limitation{"L2", "data that a cache would have served counts as bursts"},
    Limitation{"compression", "every burst takes its uncompressed size"},
    Limitation{"ECC", "the bursts for check bits are missing"},
};
constexpr std::array kCoalescingRows = {
    Limitation{"Caches", "a transaction that hits in a cache counts like one that misses"},
    Limitation{"textures", "fetches have their own counters"},
    Limitation{"the time a replay takes", "replays are counted, not timed"},
};
constexpr std::array kBankRows = {
    Limitation{"the latency of a conflict", "passes are counted, not timed"},
    Limitation{"`ldmatrix`", "such a load has no map"},
    Limitation{"asynchronous copies", "their writes to shared memory have no map"},
    Limitation{"Kernel arguments, which 1.x keeps at the start of shared memory",
               "reading arguments never conflicts here"},
};

}  // namespace

std::string_view title_of(ModelName model) {
  switch (model) {
    case ModelName::kTimeModel:
      return "The predicted time";
    case ModelName::kOldTimeModel:
      return "The predicted time, on older GPUs";
    case ModelName::kPartitionModel:
      return "Partitions over time";
    case ModelName::kDramModel:
      return "DRAM";
    case ModelName::kCoalescingModel:
      return "Transactions";
    case ModelName::kBankModel:
      return "Banks";
  }
  return "";
}

std::span<const Limitation> limitations_of(ModelName model) {
  switch (model) {
    case ModelName::kTimeModel:
      return kTimeRows;
    case ModelName::kOldTimeModel:
      return kOldTimeRows;
    case ModelName::kPartitionModel:
      return kPartitionRows;
    case ModelName::kDramModel:
      return kDramRows;
    case ModelName::kCoalescingModel:
      return kCoalescingRows;
    case ModelName::kBankModel:
      return kBankRows;
  }
  return {};
}

}  // namespace warpshop::models
