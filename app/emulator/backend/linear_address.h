// Addresses as the back end compares them: coefficient × value + constant. Two with the same value
// are neighbours at a known distance. ptxas 13.0 sees less than algebra does (probed with pairs of
// loads that it merges or not, tests/emulator/merged_pairs_test.cc): it extracts constants from
// sums and, for 32-bit products and shifts, through the factor. But a sum of two values is a new
// value, whatever they are sums of, and so is every extension to 64 bits.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ptx/module.h"

namespace warpshop::emulator {

struct LinearAddress {
  static constexpr int kNoValue = -1;
  int value = kNoValue;     // its number
  int64_t coefficient = 0;  // of the value
  int64_t constant = 0;
  bool is_symbol = false;  // the constant is the address of a variable
  bool operator==(const LinearAddress&) const = default;
};

// Walks a function's instructions in order and knows the contents of every register at each point.
// A register with one definition means the same everywhere; one with several is a new value after
// each.
class LinearAddresses {
 public:
  LinearAddresses(const ptx::Function& function, const std::vector<uint64_t>& variable_offset,
                  const std::vector<uint64_t>& module_offset);
  // Call it at the start of each basic block.
  void enter_block();
  // Call it for each instruction, in order.
  void step(const ptx::Instruction& instruction);
  // The address of an operand [base + offset], whose register must have been seen.
  LinearAddress of_address(const ptx::Operand& address) const;

 private:
  LinearAddress of(const ptx::Operand& operand) const;
  // A value that equals no other; one that equals all with the same key.
  LinearAddress fresh_value();
  LinearAddress value(const std::string& key);
  LinearAddress sum(const LinearAddress& a, const LinearAddress& b);
  LinearAddress difference(const LinearAddress& a, const LinearAddress& b);
  LinearAddress evaluate(const ptx::Instruction& instruction);

  const ptx::Function& function_;
  const std::vector<uint64_t>& variable_offset_;
  const std::vector<uint64_t>& module_offset_;
  std::vector<int> definitions_;
  // Registers that instructions use: a module may declare a million more.
  std::vector<size_t> used_;
  std::vector<LinearAddress> registers_;
  std::vector<bool> known_;
  std::map<std::string, int> numbers_;
  std::map<int, std::pair<LinearAddress, LinearAddress>> summands_;  // of values that are sums
  int next_number_ = 0;
};

}  // namespace warpshop::emulator
