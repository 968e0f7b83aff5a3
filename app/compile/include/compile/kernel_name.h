// Kernel names as written in the source, typed by a user, and mangled in PTX.
#pragma once

#include <string>
#include <string_view>

namespace warpshop::compile {

// Decodes a PTX name. Itanium C++ ABI, "Mangling".
struct KernelName {
  std::string name;  // as from spelled_name(): "detail::scale<16>"; extern "C" names unchanged
  std::string parameters;  // "(float const*, int)"; empty if the name does not encode them
};
KernelName kernel_name(const std::string& ptx_name);

// Normalises a name: removes white space except between words, suffixes and casts of numbers ("k<
// 3u >" and "k<(int)3>" become "k<3>"), and "(anonymous namespace)::".
std::string spelled_name(std::string_view name);

// Removes namespaces and template arguments: "scale" for "detail::scale<16>".
std::string plain_name(std::string_view name);

// The instantiation to request from NVRTC: "scale<16>" for "scale< 16 >(float*)"; empty if the name
// has no template arguments.
std::string instance_of(std::string_view name);

// True if `wanted` names the kernel, with or without namespaces, template arguments or parameters.
bool is_called(const KernelName& kernel, std::string_view wanted);
// As is_called, but template arguments, if the kernel has any, must be given.
bool is_called_exactly(const KernelName& kernel, std::string_view wanted);

}  // namespace warpshop::compile
