#include "lab/fills.h"

#include <charconv>

namespace warpshop::lab {

Result<Fill> fill_from_spec(std::string_view text) {
  struct Named {
    std::string_view name;
    Fill fill;
  };
  static const Named kNamed[] = {
      {"zero", {.kind = FillKind::kZero}},
      {"none", {.kind = FillKind::kNone}},
      {"iota", {.kind = FillKind::kIota, .type = ElementType::kU32}},
      {"f32", {.kind = FillKind::kRandom, .type = ElementType::kF32}},
      {"f64", {.kind = FillKind::kRandom, .type = ElementType::kF64}},
      {"u8", {.kind = FillKind::kRandom, .type = ElementType::kU8}},
      {"bits", {.kind = FillKind::kBits}},
  };
  for (const Named& named : kNamed) {
    if (text == named.name) return named.fill;
  }
  if (text.starts_with("file=") && text.size() > 5) {
    return Fill{.kind = FillKind::kFile, .file = std::string(text.substr(5))};
  }
  if (text.starts_with("chase=")) {
    Fill fill{.kind = FillKind::kChase};
    const auto [end, error] =
        std::from_chars(text.data() + 6, text.data() + text.size(), fill.shift);
    if (error == std::errc() && end == text.data() + text.size()) return fill;
    return make_error("usage", "\"" + std::string(text) + "\": expected chase= and a whole number");
  }
  return make_error("usage", "there is no fill \"" + std::string(text) + "\"",
                    "the fills are zero, none, iota, f32, f64, u8, bits, file=NAME and chase=S");
}

}  // namespace warpshop::lab
