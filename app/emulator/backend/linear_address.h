// Addresses as the back end compares them: coefficient × value + constant. Two whose values are the same are neighbours at
// a known distance. ptxas 13.0 sees less than algebra does (probed with pairs of loads that it merges or does not,
// tests/emulator/merged_pairs_test.cc): it takes constants out of sums and, of 32-bit products and of shifts, through the
// factor, but a sum of two values is a value of its own, whatever they are sums of; so is every extension to 64 bits.
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
  bool is_symbol = false;   // the constant is where a variable lies
  bool operator==(const LinearAddress&) const = default;
};

// Walks a function's instructions in order and knows, at each point, what every register holds.
// Registers with one definition mean the same everywhere; one with several is a new value after each.
class LinearAddresses {
 public:
  LinearAddresses(const ptx::Function& function, const std::vector<uint64_t>& variable_offset,
                  const std::vector<uint64_t>& module_offset);
  // Call at the start of each basic block.
  void enter_block();
  // Call for each instruction, in order.
  void step(const ptx::Instruction& instruction);
  // That of an address operand [base + offset]. Its register must have been seen.
  LinearAddress of_address(const ptx::Operand& address) const;

 private:
  LinearAddress of(const ptx::Operand& operand) const;
  // A value that equals no other, and one that equals all of the same key.
  LinearAddress fresh_value();
  LinearAddress value(const std::string& key);
  LinearAddress sum(const LinearAddress& a, const LinearAddress& b);
  LinearAddress difference(const LinearAddress& a, const LinearAddress& b);
  LinearAddress evaluate(const ptx::Instruction& instruction);

  const ptx::Function& function_;
  const std::vector<uint64_t>& variable_offset_;
  const std::vector<uint64_t>& module_offset_;
  std::vector<int> definitions_;
  std::vector<size_t> used_;   // the registers that instructions name: a module may declare a million others
  std::vector<LinearAddress> registers_;
  std::vector<bool> known_;
  std::map<std::string, int> numbers_;
  std::map<int, std::pair<LinearAddress, LinearAddress>> summands_;   // of values that are sums
  int next_number_ = 0;
};

}  // namespace warpshop::emulator
