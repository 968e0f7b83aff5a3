// Loads libnvrtc at run time, through a single table of names like volk's for Vulkan: adding a
// function takes one line, and the program starts without the library.
// https://docs.nvidia.com/cuda/nvrtc/
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compile/compiler.h"

namespace warpshop::compile {

// nvrtc.h belongs to the toolkit, which may be missing when this program is built.
using NvrtcProgram = struct NvrtcProgramState*;
using NvrtcResult = int;  // 0 is NVRTC_SUCCESS

// Columns: name, parameters. All are in NVRTC 11.2 and newer.
// clang-format off
#define WARPSHOP_NVRTC_FUNCTIONS(X)                                                             \
  X(nvrtcVersion,           (int* major, int* minor))                                           \
  X(nvrtcCreateProgram,     (NvrtcProgram* program, const char* source, const char* name,       \
                             int header_count, const char* const* headers,                      \
                             const char* const* include_names))                                 \
  X(nvrtcDestroyProgram,    (NvrtcProgram* program))                                            \
  X(nvrtcCompileProgram,    (NvrtcProgram program, int option_count, const char* const* options)) \
  X(nvrtcGetPTXSize,        (NvrtcProgram program, size_t* size))                               \
  X(nvrtcGetPTX,            (NvrtcProgram program, char* ptx))                                  \
  X(nvrtcGetCUBINSize,      (NvrtcProgram program, size_t* size))                               \
  X(nvrtcGetCUBIN,          (NvrtcProgram program, char* cubin))                                \
  X(nvrtcGetProgramLogSize, (NvrtcProgram program, size_t* size))                               \
  X(nvrtcGetProgramLog,     (NvrtcProgram program, char* log))                                  \
  X(nvrtcAddNameExpression, (NvrtcProgram program, const char* expression))                     \
  X(nvrtcGetLoweredName,    (NvrtcProgram program, const char* expression, const char** name))
// clang-format on

struct Compiler::Library {
#define WARPSHOP_DECLARE(name, parameters) NvrtcResult(*name) parameters = nullptr;
  WARPSHOP_NVRTC_FUNCTIONS(WARPSHOP_DECLARE)
#undef WARPSHOP_DECLARE
  const char* (*nvrtcGetErrorString)(NvrtcResult) = nullptr;
  // Ends a compilation when the callback returns 1. In NVRTC 12.8 and newer; else nullptr.
  NvrtcResult (*nvrtcSetFlowCallback)(NvrtcProgram program, int (*callback)(void*, void*),
                                      void* payload) = nullptr;

  std::string path;
  int major = 0;
  int minor = 0;
  std::vector<std::filesystem::path> include_dirs;  // the toolkit's; empty if it has no headers
};

// Searches where Compiler::load() says.
Result<std::shared_ptr<const Compiler::Library>> load_nvrtc();

// Loads it from the first of these folders that has it, else under one of these names through the
// system's loader.
Result<std::shared_ptr<const Compiler::Library>> load_nvrtc_from(
    const std::vector<std::filesystem::path>& toolkits, const std::vector<std::string>& names);

}  // namespace warpshop::compile
