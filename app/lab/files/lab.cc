#include "lab/lab.h"

#include <algorithm>

#include "core/expression.h"
#include "files/each_fill.h"
#include "lab/fills.h"

namespace warpshop::lab {

std::vector<const ProblemSize*> all_sizes(const Exercise& exercise) {
  std::vector<const ProblemSize*> out;
  for (const ProblemSize& size : exercise.sizes) out.push_back(&size);
  if (exercise.timed) out.push_back(&*exercise.timed);
  return out;
}

uint64_t element_count(const KernelArg& arg, const ProblemSize& size) {
  const Result<Expression> count = Expression::parse(arg.count);
  const Result<int64_t> value = count->evaluate_whole(lookup_in(size.variables));
  return static_cast<uint64_t>(value.value());
}

TextureExtent extent_of(const KernelArg& arg, const ProblemSize& size) {
  const auto texels = [&size](const std::string& text) {
    const Result<Expression> expression = Expression::parse(text);
    return static_cast<uint64_t>(expression->evaluate_whole(lookup_in(size.variables)).value());
  };
  return {texels(arg.width), arg.height.empty() ? 0 : texels(arg.height)};
}

bool has_content(const KernelArg& arg) { return arg.fill != "none"; }

Result<Content> content_of(const KernelArg& arg, const ProblemSize& size, const StopFlag* stop) {
  Content out{.fill = {.type = arg.type, .seed = arg.seed, .key = arg.key}, .bytes = {}};
  Fill& fill = out.fill;
  if (arg.fill == "none") fill.kind = FillKind::kNone;
  if (arg.fill == "iota") fill.kind = FillKind::kIota;
  if (arg.fill == "random") fill.kind = FillKind::kRandom;
  if (arg.fill == "bits") fill.kind = FillKind::kBits;
  if (arg.fill.starts_with("file=")) {
    fill.kind = FillKind::kFile;
    fill.file = arg.fill.substr(5);
    out.bytes = arg.file_bytes;
  }
  if (const std::optional<EachElement> each = each_element_of(arg, size)) {
    fill.kind = FillKind::kFile;
    Result<std::string> values = element_values(*each, {.count = element_count(arg, size)}, stop);
    if (!values.ok()) return values.errors();
    out.bytes = std::move(*values);
  }
  if (arg.fill.starts_with("chase=")) {
    fill.kind = FillKind::kChase;
    const Result<Expression> shift = Expression::parse(std::string_view(arg.fill).substr(6));
    fill.shift = static_cast<uint32_t>(shift->evaluate_whole(lookup_in(size.variables)).value());
  }
  return out;
}

namespace {

bool is_replaced(const KernelArg& arg) {
  return arg.fill == "random" || arg.fill == "bits" || uses_random(arg);
}

}  // namespace

Lab with_inputs(Lab lab, uint64_t seed) {
  for (Step& step : lab.steps) {
    if (!step.exercise) continue;
    uint64_t of_exercise = mix64(seed);
    for (const char c : lab.id + '/' + step.id)
      of_exercise = mix64(of_exercise + static_cast<unsigned char>(c));
    for (KernelArg& arg : step.exercise->args) {
      if (!is_replaced(arg)) continue;
      arg.key = seed == 0 ? 0 : std::max<uint64_t>(1, mix64(of_exercise + arg.seed));
    }
  }
  return lab;
}

bool is_lab_id(std::string_view text) {
  return !text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

const Step* Lab::find_step(std::string_view step_id) const {
  const auto found =
      std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.id == step_id; });
  return found == steps.end() ? nullptr : &*found;
}

}  // namespace warpshop::lab
