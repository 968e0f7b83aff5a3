#include "files/text_problems.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/beneath.h"
#include "lab/formula.h"
#include "lab/markdown.h"
#include "lab/picture_files.h"
#include "lab/png.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

struct Reader {
  std::string_view text;
  const SourcePlace& start;
  const fs::path& folder;
  Diagnostics& problems;
  bool in_formula = false;
  std::string formula;
  std::vector<const char*> from;  // position of each byte of the formula; null: between two lines

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

  void picture(const MD_ATTRIBUTE& source) {
    const std::string name(source.text, source.size);
    const bool in_text = source.text >= text.data() && source.text < text.data() + text.size();
    const auto error = [&](const std::string& message, const std::string& help = {}) {
      SourcePlace where = place(in_text ? source.text : nullptr);
      if (where.column > 0) where.length = static_cast<int>(source.size);
      problems.push_back(make_error_at(where, "lab-file", message, help));
    };
    const fs::path file = name;
    if (!is_in_folder(name)) {
      error("the picture '" + name + "' is not in the lab's folder " + folder.string());
      return;
    }
    const fs::path dark = for_dark_ground(folder / file);
    std::error_code ignored;
    for (const fs::path& each : {folder / file, dark}) {
      if (each == dark && !fs::exists(each, ignored)) continue;
      const Result<std::string> bytes = read_file_beneath(folder, each.lexically_relative(folder));
      if (!bytes.ok()) {
        error(fs::is_symlink(each, ignored)
                  ? "the picture " + each.string() + " is a link and is not followed"
                  : "there is no picture " + each.string());
        continue;
      }
      const Result<PngParts> parts = take_png_apart(*bytes);
      if (!parts.ok()) {
        error("the picture " + each.string() +
                  " cannot be shown: " + parts.errors().front().message.english(),
              "pictures are PNG files, 8 bits, RGB or RGBA, not interlaced");
      }
    }
  }

  void end_formula() {
    for (const FormulaProblem& problem : parse_formula(formula).problems) {
      const char* at = nullptr;
      for (size_t n = std::min(problem.at, from.size()); n < from.size() && at == nullptr; ++n)
        at = from[n];
      if (at == nullptr && !from.empty()) at = from.back();
      SourcePlace where = place(at);
      if (where.column > 0) where.length = static_cast<int>(problem.length);
      problems.push_back(make_error_at(where, "lab-file",
                                       "formula $" + formula + "$: " + problem.what,
                                       "docs/writing-a-lab.md, \"Formulas\", lists what is known"));
    }
    in_formula = false;
    formula.clear();
    from.clear();
  }
};

bool is_formula(MD_SPANTYPE type) {
  return type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY;
}

}  // namespace

bool find_text_problems(std::string_view text, const SourcePlace& start, const fs::path& folder,
                        Diagnostics& problems) {
  const size_t before = problems.size();
  Reader reader{text, start, folder, problems, false, {}, {}};
  MD_PARSER parser{};
  parser.flags = kMarkdownFlags;
  parser.enter_block = parser.leave_block = [](MD_BLOCKTYPE, void*, void*) { return 0; };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) {
    if (is_formula(type)) static_cast<Reader*>(user)->in_formula = true;
    if (type == MD_SPAN_IMG)
      static_cast<Reader*>(user)->picture(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
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
