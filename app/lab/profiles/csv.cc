#include "profiles/csv.h"

namespace warpshop::lab {

std::string_view CsvReader::peek() const {
  std::string_view line = text_.substr(at_);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void CsvReader::skip_line() {
  const size_t end = text_.find('\n', at_);
  at_ = end == std::string_view::npos ? text_.size() : end + 1;
  ++line_;
}

bool CsvReader::next(CsvRow& row) {
  row.line = line_;
  size_t count = 0;
  const auto field = [&]() -> std::string& {
    if (count == row.fields.size()) row.fields.emplace_back();
    std::string& out = row.fields[count++];
    out.clear();
    return out;
  };
  for (bool more = true; more;) {
    std::string& out = field();
    bool quoted = at_ < text_.size() && text_[at_] == '"';
    if (quoted) ++at_;
    while (true) {
      if (at_ >= text_.size()) {
        if (quoted) return false;
        more = false;
        break;
      }
      const char c = text_[at_++];
      if (c == '\n') ++line_;
      if (quoted) {
        if (c != '"') {
          out += c;
        } else if (at_ < text_.size() && text_[at_] == '"') {
          out += '"';
          ++at_;
        } else {
          quoted = false;  // what follows up to the separator belongs to the field
        }
      } else if (c == separator_) {
        break;
      } else if (c == '\n') {
        more = false;
        break;
      } else if (c != '\r') {
        out += c;
      }
    }
  }
  row.fields.resize(count);
  return true;
}

}  // namespace warpshop::lab
