// Reads a TOML table strictly: checks the type of every requested key and reports the rest as
// unknown. Every mistake becomes a diagnostic with file and line; reading continues.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.h"
#include "core/result.h"

namespace warpshop::lab {

// A value with its place in the file.
template <typename T>
struct Placed {
  T value{};
  SourcePlace place;
};

// Error: why the text is not TOML, with the place.
Result<toml::table> parse_toml(std::string_view text, const std::string& file);

class TomlTable {
 public:
  // `what` names the table in messages: "the step", "the argument". All must outlive this object.
  TomlTable(const toml::table& table, std::string what, const std::string& file,
            Diagnostics& problems);

  // A required key; an empty value after a diagnostic.
  Placed<std::string> text(std::string_view key);
  int64_t whole(std::string_view key);
  // An optional key.
  std::optional<Placed<std::string>> optional_text(std::string_view key);
  std::optional<Placed<std::string>> optional_expression(
      std::string_view key);  // a string or a number
  std::optional<double> optional_number(std::string_view key);
  std::optional<int64_t> optional_whole(std::string_view key);
  std::optional<bool> optional_flag(std::string_view key);
  std::vector<Placed<std::string>> texts(std::string_view key, bool required);
  // A list of strings and numbers.
  std::vector<Placed<std::string>> expressions(std::string_view key, bool required);
  std::vector<const toml::table*> tables(std::string_view key, bool required);
  const toml::table* optional_table(std::string_view key);

  bool has(std::string_view key) const { return table_.contains(key); }
  // Reports every key that was not requested, naming the known ones.
  void finish();

  void error(const SourcePlace& place, std::string message, std::string help = {});
  SourcePlace place() const { return place_of(table_); }
  SourcePlace place_of(const toml::node& node) const;
  SourcePlace place_of_key(std::string_view key) const;
  const toml::table& raw() const { return table_; }

 private:
  const toml::node* find(std::string_view key, bool required, std::string_view expected);
  // A string, or a number as text, without a column to point into. None: neither.
  std::optional<Placed<std::string>> expression_of(const toml::node& node) const;
  void wrong_type(std::string_view key, const toml::node& node, std::string_view expected);

  const toml::table& table_;
  std::string what_;
  const std::string& file_;
  Diagnostics& problems_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace warpshop::lab
