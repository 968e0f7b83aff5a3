// Collects kernels and their launches across a program's files.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compile/device_source.h"

namespace warpshop::compile {

using MarkerSet = std::set<std::string, std::less<>>;

struct KernelFacts {
  struct Use {
    std::string kernel;
    std::string instance;                // "k<16>"; empty: no template arguments
    std::optional<SourceLaunch> launch;  // empty: an explicit instantiation
  };
  std::vector<SourceKernel> kernels;
  std::vector<Use> uses;
  std::vector<KernelMacro> macros;
};

// Adds those of one file. `markers` holds `__global__` and all macros known so far that contain it;
// the file's own are added.
void read_kernel_facts(std::string_view source, const std::string& file_name,
                       const MarkerSet& markers, KernelFacts& facts);

// Merges the uses into the kernels, whichever file they are in.
std::vector<SourceKernel> joined(KernelFacts facts);

}  // namespace warpshop::compile
