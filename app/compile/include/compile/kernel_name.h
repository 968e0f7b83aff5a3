// Kernels' names: as the source has them, as a person types them, as the PTX has them.
#pragma once

#include <string>
#include <string_view>

namespace warpshop::compile {

// What a name in PTX stands for. Itanium C++ ABI, "Mangling".
struct KernelName {
  std::string name;        // "detail::scale<16>", as spelled_name() has it; an extern "C" name as it is
  std::string parameters;  // "(float const*, int)"; empty where the name does not say
};
KernelName kernel_name(const std::string& ptx_name);

// One spelling for all that mean the same: no blanks but between words, no suffixes and casts of numbers
// ("k< 3u >" and "k<(int)3>" are "k<3>"), no "(anonymous namespace)::".
std::string spelled_name(std::string_view name);

// "scale" of "detail::scale<16>": without namespaces and template arguments.
std::string plain_name(std::string_view name);

// "scale<16>" of "scale< 16 >(float*)", what NVRTC is asked to make of a template; empty: the name has no arguments.
std::string instance_of(std::string_view name);

// Whether `wanted` names the kernel: with or without its namespaces, template arguments or parameters.
bool is_called(const KernelName& kernel, std::string_view wanted);
// Whether it names the kernel with its template arguments, if it has some.
bool is_called_exactly(const KernelName& kernel, std::string_view wanted);

}  // namespace warpshop::compile
