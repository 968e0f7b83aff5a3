// Kernel names of profiles and runs, which different demanglers wrote.
#pragma once

#include <string>
#include <string_view>

namespace warpshop::lab {

struct PlainName {
  std::string name;       // "tile": without namespaces, arguments and parameters
  std::string arguments;  // of the template, "<float,32>"; empty: none, or unknown
};

// Of "tile", "void lab::tile<float, (int)32>(const float *, float *)", "_Z4tileIfLi32EEvPKfPf".
PlainName plain_name(std::string_view kernel);

// True if both can be the same kernel: a name without template arguments stands for all of them.
bool may_be_same(const PlainName& a, const PlainName& b);

}  // namespace warpshop::lab
