#include "compile/readable_source.h"

#include "core/lines.h"
#include "core/utf8.h"
#include "source_depth.h"

namespace warpshop::compile {

std::optional<Diagnostic> unreadable(std::string_view source, const std::string& file_name) {
  if (has_only_carriage_returns(source)) {
    return make_error_at(
        {file_name}, "compile",
        sentence("the lines end with carriage returns alone, as on old Macs: the compiler sees a "
                 "single line"),
        sentence("save the file with line feeds: the line ends that editors call LF or Unix"));
  }
  if (source.find('\0') != std::string_view::npos) {
    if (looks_like_utf16(source)) {
      return make_error_at({file_name}, "compile", sentence("the source is in UTF-16"),
                           sentence("save it as UTF-8: on Windows, PowerShell's > and some editors "
                                    "write UTF-16"));
    }
    return make_error_at({file_name}, "compile",
                         sentence("the source contains a NUL byte; is it a text file?"));
  }
  // NVRTC takes it for the end of the file, and says nothing of what follows.
  if (const size_t end = source.find('\xFF'); end != std::string_view::npos) {
    return make_error_at(
        place_in_text(source, end, 1, file_name), "compile",
        sentence("the source is not in UTF-8: the compiler reads no further than the byte 0xFF"),
        sentence("save it as UTF-8; 0xFF is ÿ in Latin-1, an older encoding"));
  }
  return too_deep(source, file_name);
}

}  // namespace warpshop::compile
