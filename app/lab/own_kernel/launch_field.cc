#include "own_kernel/launch_field.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "compile/cuda_tokens.h"
#include "own_kernel/host_arithmetic.h"

namespace warpshop::lab {
namespace {

using Words = std::vector<std::string>;

Sentence expected(std::string_view text) {
  return sentence("expected a C++ expression over n, such as (n + 255) / 256, not '{text}'",
                  {{"text", std::string(text)}});
}

// The words between the commas outside brackets; none: the brackets do not match.
std::optional<std::vector<Words>> split(const Words& words) {
  std::vector<Words> parts(1);
  int depth = 0;
  for (const std::string& word : words) {
    depth += word == "(" ? 1 : word == ")" ? -1 : 0;
    if (depth < 0) return std::nullopt;
    if (word == "," && depth == 0)
      parts.emplace_back();
    else
      parts.back().push_back(word);
  }
  if (depth != 0) return std::nullopt;
  return parts;
}

// "dim3(16, 16)" → "16, 16"
Words without_dim3(Words words) {
  if (words.size() < 3 || words[0] != "dim3" || words[1] != "(" || words.back() != ")")
    return words;
  return {words.begin() + 2, words.end() - 1};
}

}  // namespace

Sentence mistake_in_dimensions(std::string_view text, int64_t n, double most) {
  Words words;
  for (const compile::CudaToken& token : compile::cuda_tokens(text)) words.emplace_back(token.text);
  const std::optional<std::vector<Words>> parts = split(without_dim3(std::move(words)));
  if (!parts || parts->size() > 3) return expected(text);
  const std::map<std::string, HostNumber::Constant> names{{"n", {.value = static_cast<double>(n)}}};
  double product = 1;
  for (const Words& part : *parts) {
    const bool foreign = std::any_of(part.begin(), part.end(), [](const std::string& word) {
      return is_name(word) && word != "n";
    });
    if (foreign) return {};
    const std::optional<HostArithmetic::Value> value = HostArithmetic(part, names, {}).run();
    if (!value) return expected(text);
    if (std::trunc(value->number) < 1) {
      return sentence(
          "'{text}' is {count} for this n; there must be at least one",
          {{"text", std::string(text)}, {"count", decimal(std::trunc(value->number), 0)}});
    }
    product *= std::trunc(value->number);
  }
  if (product <= most) return {};
  return sentence(
      "'{text}' is {count} for this n; at most {most} are possible",
      {{"text", std::string(text)}, {"count", decimal(product, 0)}, {"most", decimal(most, 0)}});
}

}  // namespace warpshop::lab
