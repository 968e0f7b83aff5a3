// Rows of comma-separated values, RFC 4180, with their lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpshop::lab {

struct CsvRow {
  int line = 0;  // where it starts
  std::vector<std::string> fields;
};

class CsvReader {
 public:
  // Starts in the middle of `text`, at the beginning of line `line`.
  CsvReader(std::string_view text, size_t at, int line, char separator)
      : text_(text), at_(at), line_(line), separator_(separator) {}

  // The line about to be read, without its end; quotes do not count.
  std::string_view peek() const;
  void skip_line();
  bool at_end() const { return at_ >= text_.size(); }
  int line() const { return line_; }

  // Reads a row into `row`, whose memory is reused. False: the text ends inside a quoted field,
  // which starts in line `row.line`.
  bool next(CsvRow& row);

 private:
  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  char separator_ = ',';
};

}  // namespace warpshop::lab
