#include "core/demangle.h"

#include <gtest/gtest.h>

#include <string>

namespace warpshop {
namespace {

TEST(Demangle, NamesOfKernels) {
  struct Case {
    const char* symbol;
    const char* name;
  };
  const Case kCases[] = {
      {"_Z5scalePKfPfi", "scale"},
      {"_ZN3lab5scaleEPf", "lab::scale"},
      {"_Z1kIfEvPT_S1_", "void k<float>"},
      {"_Z3mixPfS_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_S_", "mix"},
      {"scale", "scale"},
      {"f", "f"},  // also the code for a type, float
      {"_Z", "_Z"},
      {"_Z99short", "_Z99short"},
      {"_Z5scale", "scale"},
      {"", ""},
  };
  for (const Case& c : kCases) EXPECT_EQ(source_name(c.symbol), c.name) << c.symbol;
  EXPECT_EQ(demangled("_Z5scalePKfi"), "scale(float const*, int)");
  EXPECT_FALSE(demangled("scale").has_value());
}

// p<int,int>, then p<that,that>, …: each level refers twice to the previous one.
std::string doubled(int levels) {
  const auto number = [](int n) {
    if (n < 0) return std::string();
    const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string out;
    do {
      out.insert(out.begin(), digits[static_cast<size_t>(n % 36)]);
      n /= 36;
    } while (n > 0);
    return out;
  };
  std::string symbol = "_Z1f1pIiiE";
  for (int n = 0; n < levels; ++n) symbol += "S_IS" + number(n) + "_S" + number(n) + "_E";
  return symbol;
}

TEST(Demangle, ANameThatMeansGigabytesStaysShort) {
  for (const int levels : {12, 40, 200, 20'000}) {
    const std::string symbol = doubled(levels);
    EXPECT_FALSE(demangled(symbol).has_value()) << levels;
    EXPECT_EQ(source_name(symbol), "f") << levels;
  }
  // The same inside a pointer to member, a function type and a local name.
  for (const char* const level : {"MS0_S0_", "FS0_S0_E", "Z1fS0_S0_E1x"}) {
    std::string symbol = "_Z1fPi";
    for (int n = 0; n < 30; ++n) symbol += level;
    EXPECT_FALSE(demangled(symbol).has_value()) << level;
  }
  EXPECT_FALSE(demangled("_Z2000" + std::string(2000, 'k')).has_value());
  EXPECT_EQ(source_name("_Z2000" + std::string(2000, 'k')), std::string(2000, 'k'));
}

}  // namespace
}  // namespace warpshop
