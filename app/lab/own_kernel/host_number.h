// A number that a program's host code states, and how a lab file writes it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpshop::lab {

// A number of the host code, as an expression over the names of plain constants.
struct HostNumber {
  struct Constant {
    double value = 0;
    bool whole = true;  // an integer in C++; else floating point
    int line = 0;
  };
  double value = 0;
  bool whole = true;
  int line = 0;                           // of the text that was read: a launch, an allocation
  std::vector<std::string> words;         // "(", "n", "+", "255", ")", "/", "256"
  std::map<std::string, Constant> names;  // every name in `words`

  // C++ in which the `sizes` are called n and all other names are their values: "(n + 255) / 256".
  std::string over_n(const std::set<std::string>& sizes) const;
  // The same number divided by `divisor`, as an expression of a lab file: "768 * n". Empty: a lab
  // file cannot say it.
  std::optional<std::string> in_lab_file(const std::set<std::string>& sizes, int divisor) const;
  bool depends_on(const std::set<std::string>& sizes) const;
};

// "1024", "0.5", "1e-05".
std::string plain_number(double value);

}  // namespace warpshop::lab
