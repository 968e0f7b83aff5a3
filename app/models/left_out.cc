#include "models/left_out.h"

#include <array>

namespace warpshop::models {
namespace {

constexpr std::array kTimeRows = {
    LeftOut{"the instruction cache and the constant cache",
            "short kernels come out too fast by some tenths of a microsecond"},
    LeftOut{"the real map from lines to L2's slices and the far half of L2",
            "atomics on few lines can be a factor of two off; naive transposes come out 10 to 35 % too fast"},
    LeftOut{"L1's real sets and ways",
            "kernels whose blocks could share lines only just in time hit too often"},
    LeftOut{"how the chip deals blocks to SMs",
            "blocks of one SM are every so many-th of the grid; blocks that share lines may lie together in truth"},
    LeftOut{"DRAM's banks, refresh and thermal limits", "in the mean rates only"},
    LeftOut{"clocks that fall under load", "the SM is taken to run at its boost clock"},
    LeftOut{"SMs that differ", "one SM stands for all; a tail of uneven blocks is not seen"},
    LeftOut{"formats and filters that take a texture unit longer",
            "each fetch takes one turn: filtered texels of 64 and 128 bits come out too fast"},
    LeftOut{"surfaces", "their accesses take the texture units' time and bring nothing"},
    LeftOut{"asynchronous copies, tensor memory, clusters",
            "their instructions cost an issue slot and nothing more"},
};
constexpr std::array kOldTimeRows = {
    LeftOut{"DRAM's banks, the turn from reads to writes, refresh",
            "a copy by blocks of 16 × 16 comes out 30 % too slow"},
    LeftOut{"the texture cache", "its sizes and latencies are a GTX 280's, recalled; where a profile has none, every fetch hits"},
    LeftOut{"the machine code of the time",
            "instructions and registers follow from today's PTX by rules; tiles filled in steps come out up to 20 % too fast"},
    LeftOut{"the second multiplication of 1.x on the special units, instruction fetch, constant cache misses", "small"},
    LeftOut{"L1 of 2.x and 3.x for global loads", "a load finds L2"},
    LeftOut{"what a launch cost by the driver and the clock of the time", "taken as 5 µs"},
};
constexpr std::array kPartitionRows = {
    LeftOut{"Rows and banks of DRAM", "a partition serves its bytes at one speed, whatever their order"},
    LeftOut{"reads turning to writes", "mixed traffic comes out too fast"},
    LeftOut{"the order in which an SM's blocks really come",
            "blocks march in step here; in truth they drift apart, which softens camping"},
    LeftOut{"L2", "what a cache would have served counts as traffic of the partitions"},
};
constexpr std::array kDramRows = {
    LeftOut{"Refresh", "a few percent of the time are missing"},
    LeftOut{"the turn from reads to writes", "mixed traffic comes out too fast"},
    LeftOut{"bank groups", "bursts follow each other without the gap that newer chips need"},
    LeftOut{"limits on how many rows may open in a time", "scattered accesses come out too fast"},
    LeftOut{"L2", "what a cache would have served counts as bursts"},
    LeftOut{"compression", "every burst is as long as its bytes"},
    LeftOut{"ECC", "the bursts for check bits are missing"},
};
constexpr std::array kCoalescingRows = {
    LeftOut{"Caches", "a transaction that hits in a cache counts like one that misses"},
    LeftOut{"textures", "fetches have counters of their own"},
    LeftOut{"the time a replay takes", "replays are counted, not timed"},
};
constexpr std::array kBankRows = {
    LeftOut{"the latency of a conflict", "passes are counted, not timed"},
    LeftOut{"`ldmatrix`", "such a load has no map"},
    LeftOut{"asynchronous copies", "what they write to shared memory has no map"},
    LeftOut{"Kernel arguments, which 1.x keeps at the start of shared memory",
            "reads of arguments never conflict here"},
};

}  // namespace

std::string_view title_of(ModelName model) {
  switch (model) {
    case ModelName::kTimeModel: return "The predicted time";
    case ModelName::kOldTimeModel: return "The predicted time, on older GPUs";
    case ModelName::kPartitionModel: return "Partitions over time";
    case ModelName::kDramModel: return "DRAM";
    case ModelName::kCoalescingModel: return "Transactions";
    case ModelName::kBankModel: return "Banks";
  }
  return "";
}

std::span<const LeftOut> left_out(ModelName model) {
  switch (model) {
    case ModelName::kTimeModel: return kTimeRows;
    case ModelName::kOldTimeModel: return kOldTimeRows;
    case ModelName::kPartitionModel: return kPartitionRows;
    case ModelName::kDramModel: return kDramRows;
    case ModelName::kCoalescingModel: return kCoalescingRows;
    case ModelName::kBankModel: return kBankRows;
  }
  return {};
}

}  // namespace warpshop::models
