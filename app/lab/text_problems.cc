#include "text_problems.h"

#include <md4c.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/formula.h"

namespace warpshop::lab {
namespace {

struct Reader {
  std::string_view text;
  const SourcePlace& start;
  Diagnostics& problems;
  bool in_formula = false;
  std::string formula;
  std::vector<const char*> from;  // where each byte of the formula stands; null: between two lines

  SourcePlace place(const char* at) const {
    SourcePlace place = start;
    if (place.column == 0 || at == nullptr) return place;
    for (const char* c = text.data(); c < at; ++c) {
      if (*c == '\n') {
        ++place.line;
        place.column = 1;
      } else if ((static_cast<unsigned char>(*c) & 0xC0) != 0x80) {
        ++place.column;
      }
    }
    return place;
  }

  void end_formula() {
    for (const FormulaProblem& problem : parse_formula(formula).problems) {
      const char* at = nullptr;
      for (size_t n = std::min(problem.at, from.size()); n < from.size() && at == nullptr; ++n) at = from[n];
      if (at == nullptr && !from.empty()) at = from.back();
      SourcePlace where = place(at);
      if (where.column > 0) where.length = static_cast<int>(problem.length);
      problems.push_back(make_error_at(where, "lab-file", "formula $" + formula + "$: " + problem.what,
                                       "docs/writing-a-lab.md, \"Formulas\", lists what is known"));
    }
    in_formula = false;
    formula.clear();
    from.clear();
  }
};

bool is_formula(MD_SPANTYPE type) { return type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY; }

}  // namespace

bool find_text_problems(std::string_view text, const SourcePlace& start, Diagnostics& problems) {
  const size_t before = problems.size();
  Reader reader{text, start, problems, false, {}, {}};
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_NOHTML | MD_FLAG_PERMISSIVEURLAUTOLINKS |
                 MD_FLAG_LATEXMATHSPANS;
  parser.enter_block = parser.leave_block = [](MD_BLOCKTYPE, void*, void*) { return 0; };
  parser.enter_span = [](MD_SPANTYPE type, void*, void* user) {
    if (is_formula(type)) static_cast<Reader*>(user)->in_formula = true;
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* user) {
    if (is_formula(type)) static_cast<Reader*>(user)->end_formula();
    return 0;
  };
  parser.text = [](MD_TEXTTYPE, const MD_CHAR* part, MD_SIZE size, void* user) {
    Reader& r = *static_cast<Reader*>(user);
    if (!r.in_formula) return 0;
    const bool in_text = part >= r.text.data() && part < r.text.data() + r.text.size();
    r.formula.append(part, size);
    for (MD_SIZE n = 0; n < size; ++n) r.from.push_back(in_text ? part + n : nullptr);
    return 0;
  };
  md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &reader);
  return problems.size() == before;
}

}  // namespace warpshop::lab
