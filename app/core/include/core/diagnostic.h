// A message tied to a place in a file. Every room reports mistakes in its input this way, whether
// the input is a kernel, PTX, a lab file, a spec or a worker's message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic_kind.h"
#include "core/sentence.h"

namespace warpshop {

enum class Severity { kError, kWarning, kNote };

// A span in a text file. Lines and columns count from 1; 0 means unknown.
struct SourcePlace {
  std::string file;
  int line = 0;
  int column = 0;
  int length = 0;  // characters; 0 if only the start is known

  bool operator==(const SourcePlace&) const = default;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  DiagnosticKind kind = "usage";
  SourcePlace place;
  Sentence message;  // what is wrong and what was expected
  Sentence help;     // how to fix it; may be empty
};

using Diagnostics = std::vector<Diagnostic>;

// An error with no known place.
Diagnostic make_error(DiagnosticKind kind, Sentence message, Sentence help = {});
Diagnostic make_error_at(SourcePlace place, DiagnosticKind kind, Sentence message,
                         Sentence help = {});

bool has_errors(const Diagnostics& diagnostics);

// This machine failed, or a part of the tool: what was to be judged is not to blame.
bool is_machines_fault(const Diagnostic& problem);

std::string_view severity_name(Severity severity);

// Renders "file:line:column: error: message", then the source line with a caret if `source_text`
// (the whole file) is given and the line is known, then "  help: …". No trailing newline.
std::string render(const Diagnostic& diagnostic, std::string_view source_text = {});
// Renders every diagnostic, separated by newlines.
std::string render(const Diagnostics& diagnostics, std::string_view source_text = {});

}  // namespace warpshop
