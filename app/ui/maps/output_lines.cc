#include "maps/output_lines.h"

#include <algorithm>
#include <string_view>

#include "core/dim3.h"

namespace warpshop::ui {
namespace {

std::vector<OutputLine> lines_of(std::string_view text,
                                 const std::vector<emulator::PrintedCall>& calls, const Dim3& grid,
                                 const Dim3& block) {
  std::vector<OutputLine> lines;
  bool open = false;  // the last line has not ended
  const emulator::PrintedCall* before = nullptr;
  size_t at = 0;
  for (const emulator::PrintedCall& call : calls) {
    std::string_view rest = text.substr(std::min(at, text.size()), call.bytes);
    at += call.bytes;
    if (before != nullptr && (before->block != call.block || before->thread != call.thread))
      open = false;
    before = &call;
    while (!rest.empty()) {
      const size_t end = rest.find('\n');
      if (!open) lines.push_back({{}, index_in(grid, call.block), index_in(block, call.thread)});
      lines.back().text += rest.substr(0, end);
      open = end == std::string_view::npos;
      rest.remove_prefix(open ? rest.size() : end + 1);
    }
  }
  return lines;
}

}  // namespace

std::vector<OutputLine> output_lines(const emulator::LivePrints::Text& printed) {
  return lines_of(printed.text, printed.calls, printed.grid, printed.block);
}

std::vector<OutputLine> output_lines(const lab::KernelRun& run) {
  return lines_of(run.printed, run.printed_calls, run.grid, run.block);
}

}  // namespace warpshop::ui
