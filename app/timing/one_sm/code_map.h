// Maps each PTX basic block to the machine instructions that a warp runs for it.
//
// The back end unrolls loops, moves code and merges blocks, so each machine block is assigned to
// the PTX block that most of its instructions came from (by PTX line), with the number of copies of
// that block it contains. An unrolled loop has several machine blocks with, say, sixteen, four and
// one copies; a run through the PTX block uses the largest that fit.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/program.h"
#include "one_sm/machine_code.h"

namespace warpshop::timing {

struct CodePiece {
  std::vector<std::pair<int, int>> ranges;  // machine instructions: first, end
  int copies = 1;                           // of the PTX block
  bool in_loop = false;                     // it can follow itself
};

struct CodeMap {
  std::vector<MachineOp> ops;
  std::vector<int> site_of_op;    // the access site or fetch (FetchSites) it implements; -1: none
  std::vector<int> target_of_op;  // of an asynchronous copy: the site of its store
  std::vector<std::vector<CodePiece>> pieces;  // by basic block of the program, most copies first
};

CodeMap map_code(const emulator::Program& program, const std::vector<MachineInstruction>& code,
                 models::ComputeCapability capability, double tensor_f32_pct = 100);

// Translates one warp's path from PTX blocks to machine code.
class CodeWalker {
 public:
  explicit CodeWalker(const CodeMap& map)
      : map_(&map), ahead_(map.pieces.size(), 0), turn_(map.pieces.size(), 0) {}
  // Runs the block `times` times; calls run(piece) for each piece of code.
  template <typename Run>
  void pass(uint32_t block, uint32_t times, Run run) {
    const std::vector<CodePiece>& pieces = map_->pieces[block];
    if (pieces.empty()) return;
    int64_t need = static_cast<int64_t>(times) - ahead_[block];
    while (need > 0) {
      const size_t chosen = choose(pieces, need, turn_[block]);
      run(pieces[chosen]);
      need -= pieces[chosen].copies;
    }
    ahead_[block] = -need;
  }

 private:
  static size_t choose(const std::vector<CodePiece>& pieces, int64_t need, uint32_t& turn);
  const CodeMap* map_;
  std::vector<int64_t> ahead_;  // copies already run
  std::vector<uint32_t> turn_;  // pieces that hold the same part of straight-line code take turns
};

}  // namespace warpshop::timing
