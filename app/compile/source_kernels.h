// The kernels of a program's files and their launches, file by file.
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
    std::string instance;                // "k<16>"; empty: without template arguments
    std::optional<SourceLaunch> launch;  // none: an explicit instantiation
  };
  std::vector<SourceKernel> kernels;
  std::vector<Use> uses;
};

// Adds a file's. `markers`: `__global__` and the macros known so far that
// hold it; the file's own are added to them.
void read_kernel_facts(std::string_view source, const std::string& file_name, const MarkerSet& markers, KernelFacts& facts);

// The kernels with their uses, wherever these stand.
std::vector<SourceKernel> joined(KernelFacts facts);

}  // namespace warpshop::compile
