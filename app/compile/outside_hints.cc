#include "outside_hints.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/lines.h"
#include "declarations.h"
#include "diagnostic_places.h"
#include "hints.h"

namespace warpshop::compile {
namespace {

// A declaration at namespace scope; offsets in the source.
struct Part {
  size_t from = 0, to = 0;
  bool is_body = false;       // a function with a body
  bool is_statement = false;  // where only declarations may stand
  std::string_view name;
};

void read_parts(const SourceStructure& structure, size_t at, size_t end, int depth,
                std::vector<Part>& out) {
  const std::vector<CudaToken>& tokens = structure.tokens();
  while (at < end && depth <= kDeepestScope) {
    if (tokens[at].is(";")) {
      ++at;
      continue;
    }
    const Declaration d = structure.read(at, end, false);
    if (d.kind == Declaration::Kind::kScope) {
      read_parts(structure, d.body_first, d.body_last, depth + 1, out);
    } else {
      const bool statement = structure.is_statement(d);
      const CudaToken& last = tokens[d.last - 1];
      out.push_back({tokens[d.first].at, last.end(),
                     d.kind == Declaration::Kind::kFunction && last.is("}") && !statement,
                     statement, d.name == kNoToken ? std::string_view() : tokens[d.name].text});
    }
    at = d.last;
  }
}

bool has_token(std::string_view code, std::string_view word) {
  const std::vector<CudaToken> tokens = cuda_tokens(code);
  return std::any_of(tokens.begin(), tokens.end(),
                     [&](const CudaToken& token) { return token.is(word); });
}

}  // namespace

void explain_statement_outside(std::string_view source, Diagnostics& diagnostics) {
  if (!has_errors(diagnostics)) return;
  const SourceStructure structure(source);
  std::vector<Part> parts;
  read_parts(structure, 0, structure.tokens().size(), 0, parts);
  const auto part_of = [&](const Diagnostic& d) {
    const size_t at = offset_of(source, d.place);
    return std::find_if(parts.begin(), parts.end(),
                        [&](const Part& part) { return part.from <= at && at < part.to; });
  };
  for (const Diagnostic& error : diagnostics) {
    if (error.severity != Severity::kError || error.place.line < 1) continue;
    const auto part = part_of(error);
    if (part == parts.end() || part->is_body || source[part->from] == '}') continue;
    const auto above = std::find_if(std::make_reverse_iterator(part), parts.rend(),
                                    [](const Part& p) { return p.is_body; });
    if (above == parts.rend()) continue;
    const std::string_view message = error.message.english();
    const std::string_view name = quoted(message, "identifier \"", '"');
    const bool misses_function =
        !name.empty() && message.ends_with("\" is undefined") &&
        has_token(source.substr(above->from, above->to - above->from), name);
    if (!part->is_statement && !misses_function) continue;

    const SourcePlace place = place_in_text(source, part->from, 1, error.place.file);
    Diagnostic hint = make_error_at(
        place, "compile",
        sentence(
            "this line is outside of every function: the '}' on line {line} has ended '{name}'",
            {{"line", place_in_text(source, above->to - 1, 1, place.file).line},
             {"name", std::string(above->name)}}),
        sentence("remove that '}' if there is one too many above, or move the line into the "
                 "function"));
    std::erase_if(diagnostics, [&](const Diagnostic& d) {
      if (d.place.file != place.file || d.place.line < place.line) return false;
      const auto of = part_of(d);
      return of == parts.end() || !of->is_body;
    });
    const auto after =
        std::find_if(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) {
          return d.place.file == place.file && d.place.line > place.line;
        });
    diagnostics.insert(after, std::move(hint));
    return;
  }
}

}  // namespace warpshop::compile
