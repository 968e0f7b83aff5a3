#include "files/toml_table.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "core/ascii.h"
#include "core/charconv.h"
#include "core/lines.h"
#include "core/nesting.h"

namespace warpshop::lab {
namespace {

std::string_view type_name(toml::node_type type) {
  switch (type) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

// What is usually wrong with a line that is no TOML; may be empty.
std::string help_for(std::string_view text, uint32_t line) {
  text = nth_line(text, static_cast<int>(line));
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {};
  const size_t value = text.find_first_not_of(" \t", equals + 1);
  if (value == std::string_view::npos) return {};
  const bool letter = is_letter(text[value]);
  return letter ? "put the text in quotes" : "";
}

// "3.7" as written: the shortest text of that number. None: not a number.
std::optional<std::string> text_of_number(const toml::node& node) {
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  const auto* number = node.as_floating_point();
  if (number == nullptr) return std::nullopt;
  char text[400];
  const auto end =
      to_chars(std::begin(text), std::end(text), number->get(), std::chars_format::fixed).ptr;
  return std::string(text, end);
}

}  // namespace

Result<toml::table> parse_toml(std::string_view text, const std::string& file) {
  if (std::optional<Diagnostic> problem = toml_nests_too_deep(text, file, "lab-file"))
    return std::move(*problem);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    return make_error_at({file, static_cast<int>(at.line), static_cast<int>(at.column)}, "lab-file",
                         std::string(error.description()), help_for(text, at.line));
  }
}

TomlTable::TomlTable(const toml::table& table, std::string what, const std::string& file,
                     Diagnostics& problems)
    : table_(table), what_(std::move(what)), file_(file), problems_(problems) {}

const toml::node* TomlTable::find(std::string_view key, bool required, std::string_view expected) {
  known_.emplace(key);
  const toml::node* node = table_.get(key);
  if (node == nullptr && required) {
    error(place(), what_ + " has no '" + std::string(key) + "'",
          "add " + std::string(key) + " = …, " + std::string(expected));
  }
  return node;
}

void TomlTable::wrong_type(std::string_view key, const toml::node& node,
                           std::string_view expected) {
  error(place_of(node), "'" + std::string(key) + "' must be " + std::string(expected) + ", not " +
                            std::string(type_name(node.type())));
}

Placed<std::string> TomlTable::text(std::string_view key) {
  const toml::node* node = find(key, true, "a string");
  if (node == nullptr) return {{}, place()};
  Placed<std::string> out{{}, place_of(*node)};
  if (const auto* value = node->as_string()) {
    out.value = value->get();
    if (out.value.find_first_not_of(" \t\r\n") == std::string::npos) {
      error(out.place, "'" + std::string(key) + "' is empty");
      out.value.clear();
    }
  } else {
    wrong_type(key, *node, "a string");
  }
  return out;
}

int64_t TomlTable::whole(std::string_view key) {
  find(key, true, "a whole number");
  return optional_whole(key).value_or(0);
}

std::optional<Placed<std::string>> TomlTable::optional_text(std::string_view key) {
  known_.emplace(key);
  if (!table_.contains(key)) return std::nullopt;
  return text(key);
}

std::optional<Placed<std::string>> TomlTable::optional_expression(std::string_view key) {
  const toml::node* node = find(key, false, "");
  if (node == nullptr) return std::nullopt;
  if (node->is_string()) return text(key);  // an empty one is a mistake
  std::optional<Placed<std::string>> expression = expression_of(*node);
  if (!expression) wrong_type(key, *node, "an expression (a string or a number)");
  return expression;
}

std::optional<Placed<std::string>> TomlTable::expression_of(const toml::node& node) const {
  Placed<std::string> out{{}, place_of(node)};
  if (const auto* value = node.as_string()) {
    out.value = value->get();
  } else if (std::optional<std::string> number = text_of_number(node)) {
    out.value = std::move(*number);
    out.place.column = 0;  // no text to point into
  } else {
    return std::nullopt;
  }
  return out;
}

std::optional<double> TomlTable::optional_number(std::string_view key) {
  const toml::node* node = find(key, false, "");
  if (node == nullptr) return std::nullopt;
  if (const auto* number = node->as_floating_point()) return number->get();
  if (const auto* whole_value = node->as_integer()) return static_cast<double>(whole_value->get());
  wrong_type(key, *node, "a number");
  return std::nullopt;
}

std::optional<int64_t> TomlTable::optional_whole(std::string_view key) {
  const toml::node* node = find(key, false, "");
  if (node == nullptr) return std::nullopt;
  if (const auto* value = node->as_integer()) return value->get();
  wrong_type(key, *node, "a whole number");
  return std::nullopt;
}

std::optional<bool> TomlTable::optional_flag(std::string_view key) {
  const toml::node* node = find(key, false, "");
  if (node == nullptr) return std::nullopt;
  if (const auto* value = node->as_boolean()) return value->get();
  wrong_type(key, *node, "true or false");
  return std::nullopt;
}

std::vector<Placed<std::string>> TomlTable::texts(std::string_view key, bool required) {
  std::vector<Placed<std::string>> out;
  const toml::node* node = find(key, required, "a list of strings");
  if (node == nullptr) return out;
  const toml::array* list = node->as_array();
  if (list == nullptr) {
    wrong_type(key, *node, "a list of strings");
    return out;
  }
  for (const toml::node& element : *list) {
    if (const auto* value = element.as_string()) {
      out.push_back({value->get(), place_of(element)});
    } else {
      wrong_type(key, element, "a list of strings");
    }
  }
  return out;
}

std::vector<Placed<std::string>> TomlTable::expressions(std::string_view key, bool required) {
  constexpr std::string_view kExpected = "a list of expressions (strings or numbers)";
  std::vector<Placed<std::string>> out;
  const toml::node* node = find(key, required, kExpected);
  if (node == nullptr) return out;
  const toml::array* list = node->as_array();
  if (list == nullptr) {
    wrong_type(key, *node, kExpected);
    return out;
  }
  for (const toml::node& element : *list) {
    if (std::optional<Placed<std::string>> expression = expression_of(element)) {
      out.push_back(std::move(*expression));
    } else {
      wrong_type(key, element, kExpected);
    }
  }
  return out;
}

std::vector<const toml::table*> TomlTable::tables(std::string_view key, bool required) {
  std::vector<const toml::table*> out;
  const toml::node* node = find(key, required, "a list of tables");
  if (node == nullptr) return out;
  const toml::array* list = node->as_array();
  if (list == nullptr) {
    wrong_type(key, *node, "a list of tables");
    return out;
  }
  for (const toml::node& element : *list) {
    if (const toml::table* table = element.as_table()) {
      out.push_back(table);
    } else {
      wrong_type(key, element, "a list of tables");
    }
  }
  return out;
}

const toml::table* TomlTable::optional_table(std::string_view key) {
  const toml::node* node = find(key, false, "");
  if (node == nullptr) return nullptr;
  if (const toml::table* table = node->as_table()) return table;
  wrong_type(key, *node, "a table");
  return nullptr;
}

void TomlTable::finish() {
  for (const auto& [key, node] : table_) {
    if (known_.contains(key.str())) continue;
    std::string names;
    for (const std::string& name : known_) names += (names.empty() ? "" : ", ") + name;
    error(place_of_key(key.str()), what_ + " has an unknown key '" + std::string(key.str()) + "'",
          "the keys are " + names);
  }
}

void TomlTable::error(const SourcePlace& place, std::string message, std::string help) {
  problems_.push_back(make_error_at(place, "lab-file", std::move(message), std::move(help)));
}

SourcePlace TomlTable::place_of(const toml::node& node) const {
  const toml::source_position begin = node.source().begin;
  return {file_, static_cast<int>(begin.line), static_cast<int>(begin.column)};
}

SourcePlace TomlTable::place_of_key(std::string_view key) const {
  const auto found = table_.find(key);
  if (found == table_.end()) return place();
  const toml::source_position begin = found->first.source().begin;
  return {file_, static_cast<int>(begin.line), static_cast<int>(begin.column),
          static_cast<int>(key.size())};
}

}  // namespace warpshop::lab
