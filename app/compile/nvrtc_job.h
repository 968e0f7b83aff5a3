// One run of NVRTC: what it is given and what it returns, as plain values. The compiler runs it in
// a child process (nvrtc_child.h, compile/locked_nvrtc.h) or in this one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nvrtc_library.h"

namespace warpshop::compile {

struct NvrtcJob {
  std::string text;
  std::string name;                    // of the text's file
  std::vector<std::string> options;    // "--gpu-architecture=sm_90"
  std::vector<std::string> instances;  // name expressions
  double most_seconds = 20;            // processor time; infinity: no limit
  // Another process opens these, and NVRTC sees them as seen_folder(0), (1), …: a kernel's code may
  // depend even on the lengths of names.
  std::vector<std::string> folders;
};

inline constexpr size_t kMostFolders = 40;
// Two digits each.
inline constexpr int kFirstFolder = 10;
std::string seen_folder(size_t n);

struct NvrtcAnswer {
  NvrtcResult result = 0;
  bool late = false;  // ended because it took too long
  std::string error;  // NVRTC's name of the result
  std::string log;
  std::string ptx;
  std::string cubin;
  std::vector<std::string> names;  // of the instances, in their order; empty where unknown
};

// Compiles in this thread. NVRTC may crash, and checks the time only between its passes.
NvrtcAnswer run_nvrtc(const Compiler::Library& library, const NvrtcJob& job);

// Between processes, a list of byte strings: their lengths in a line of their own, then the bytes.
std::string frame_of(const std::vector<std::string>& fields);
// The lengths in a frame's first line. None: it is damaged, or longer than any valid frame.
std::optional<std::vector<size_t>> lengths_of(std::string_view line);
std::vector<std::string> fields_of(const std::vector<size_t>& lengths, std::string_view bytes);

std::vector<std::string> fields_of(const NvrtcJob& job);
std::optional<NvrtcJob> job_of(const std::vector<std::string>& fields);
std::vector<std::string> fields_of(const NvrtcAnswer& answer);
std::optional<NvrtcAnswer> answer_of(const std::vector<std::string>& fields);

}  // namespace warpshop::compile
