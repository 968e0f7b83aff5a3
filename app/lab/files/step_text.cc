#include "lab/step_text.h"

namespace warpshop::lab {

StepText parts_of(std::string_view text) {
  for (size_t at = text.find(kAfterRunMark); at != std::string_view::npos;
       at = text.find(kAfterRunMark, at + 1)) {
    const size_t end = at + kAfterRunMark.size();
    const bool starts_line = at == 0 || text[at - 1] == '\n';
    const bool ends_line = end == text.size() || text[end] == '\n' || text[end] == '\r';
    if (!starts_line || !ends_line) continue;
    const size_t next = text.find('\n', end);
    return {text.substr(0, at),
            next == std::string_view::npos ? std::string_view() : text.substr(next + 1)};
  }
  return {text, {}};
}

}  // namespace warpshop::lab
