// A message with its place in a file: the one form in which every room reports what is wrong with an
// input (a kernel, PTX text, a lab file, a spec, a worker's message).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/sentence.h"

namespace warpshop {

enum class Severity { kError, kWarning, kNote };

// A span in a text file. Lines and columns count from 1; 0 means "not known".
struct SourcePlace {
  std::string file;
  int line = 0;
  int column = 0;
  int length = 0;  // characters, 0 when only the start is known

  bool operator==(const SourcePlace&) const = default;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string kind;     // short and stable, e.g. "compile", "unsupported", "lab-file", "usage"
  SourcePlace place;
  Sentence message;     // what is wrong and what was expected
  Sentence help;        // what to do about it; may be empty
};

using Diagnostics = std::vector<Diagnostic>;

// An error without a known place.
Diagnostic make_error(std::string kind, Sentence message, Sentence help = {});
// An error at a place.
Diagnostic make_error_at(SourcePlace place, std::string kind, Sentence message, Sentence help = {});

bool has_errors(const Diagnostics& diagnostics);

std::string_view severity_name(Severity severity);

// "file:line:column: error: message", then the source line with a caret when `source_text` (the whole
// text of the file) is given and the line is known, then "  help: …". Ends without a newline.
std::string render(const Diagnostic& diagnostic, std::string_view source_text = {});
// Every diagnostic rendered, one after the other, separated by newlines.
std::string render(const Diagnostics& diagnostics, std::string_view source_text = {});

}  // namespace warpshop
