// Addresses as sums: constant + Σ coefficient × value. Two addresses whose sums differ only in the constant are
// neighbours at a known distance.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ptx/module.h"

namespace warpshop::emulator {

struct LinearAddress {
  using Terms = std::vector<std::pair<int, int64_t>>;
  Terms terms;   // value number → coefficient; ascending numbers, no zero coefficients
  int64_t constant = 0;
  bool operator==(const LinearAddress&) const = default;
};

// Walks a function's instructions in order and knows, at each point, the sum behind every register.
// Registers with one definition mean the same everywhere; one with several is a new value after each.
class LinearAddresses {
 public:
  LinearAddresses(const ptx::Function& function, const std::vector<uint64_t>& variable_offset,
                  const std::vector<uint64_t>& module_offset);
  // Call at the start of each basic block.
  void enter_block();
  // Call for each instruction, in order.
  void step(const ptx::Instruction& instruction);
  // The sum of an address operand [base + offset]. Its register must have been seen.
  LinearAddress of_address(const ptx::Operand& address) const;

 private:
  LinearAddress of(const ptx::Operand& operand) const;
  // A value that equals no other, and one that equals all of the same key.
  LinearAddress fresh_value();
  LinearAddress value(const std::string& key);
  LinearAddress evaluate(const ptx::Instruction& instruction);

  const ptx::Function& function_;
  const std::vector<uint64_t>& variable_offset_;
  const std::vector<uint64_t>& module_offset_;
  std::vector<int> definitions_;
  std::vector<size_t> used_;   // the registers that instructions name: a module may declare a million others
  std::vector<LinearAddress> registers_;
  std::vector<bool> known_;
  std::map<std::string, int> numbers_;
  int next_number_ = 0;
};

}  // namespace warpshop::emulator
