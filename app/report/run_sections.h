// The sections of a page or notebook about one run. Every id in the HTML starts with `id`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lab/run_result.h"

namespace warpshop::report {

std::string number(uint64_t value);  // "65,536"
// An element with this text, escaped.
std::string text_element(std::string_view name, std::string_view text);
// A verdict as a mark and a word; never by colour alone.
std::string verdict(bool evaluated, bool passed);

std::string checks_table(const lab::RunResult& result);
// Compiler messages and findings, each with its line of the source; empty if there are none.
std::string findings_list(const lab::RunResult& result, std::string_view id);
// The source with the cost of each line.
std::string kernel_listing(const lab::RunResult& result, std::string_view id);
// Grid, block, registers and occupancy in a sentence.
std::string launch_words(const lab::KernelRun& run);
// The worst global load, global store and shared access of the recorded blocks; empty if there are
// none.
std::string costliest_maps(const lab::RunResult& result, std::string_view id);
// kFull: with each counter's meaning and its name in Nsight Compute.
enum class Detail { kBrief, kFull };
std::string counters_table(const lab::SizeResult& size, Detail detail);
// Each size's verdict and first mismatch, and a picture of what is wrong.
std::string comparison_with_reference(const lab::RunResult& result, std::string_view id);

}  // namespace warpshop::report
