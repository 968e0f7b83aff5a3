#include "files/exercise_file.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "compile/kernel_name.h"
#include "core/ascii.h"
#include "core/beneath.h"
#include "core/expression.h"
#include "core/files.h"
#include "files/each_fill.h"
#include "files/question_file.h"
#include "files/singular_unit.h"
#include "files/tensor_file.h"
#include "files/text_problems.h"
#include "lab/fills.h"
#include "lab/marks.h"
#include "lab/metric_names.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

// Small enough that a lab's buffers fit into the emulator's memory several times over.
constexpr int64_t kMaxBufferBytes = int64_t{1} << 30;

// Relative to the cost of the start or worked solution; anything larger would be no bound.
constexpr double kMostFactor = 1000;

bool is_always_checked(std::string_view id) {
  return id == "correct" || id == "no-findings" || id == "whole-kernel";
}

// Reads one exercise; the members hold what several parts need.
class ExerciseReader {
 public:
  ExerciseReader(const toml::table& table, const LabFolders& folders, const std::string& lab_file,
                 Diagnostics& problems)
      : folders_(folders),
        lab_file_(lab_file),
        problems_(problems),
        table_(table, "the exercise", lab_file, problems) {}

  Exercise read() {
    read_sizes();
    read_kernel_files();
    read_launch();
    read_args();
    read_figures();
    for (const Placed<std::string>& hint : table_.texts("hints", false)) {
      find_text_problems(hint.value, {hint.place.file, hint.place.line}, folders_.texts, problems_);
      exercise_.hints.push_back(hint.value);
    }
    if (const auto ask = table_.optional_text("wrong_result")) exercise_.wrong_result = ask->value;
    if (const toml::table* estimate = table_.optional_table("estimate"))
      exercise_.estimate = read_estimate(*estimate, folders_.texts, lab_file_, problems_);
    if (const toml::table* contract = table_.optional_table("contract"))
      exercise_.contract = read_contract(*contract, folders_.texts, lab_file_, problems_);
    if (exercise_.contract && exercise_.estimate &&
        exercise_.estimate->of == Estimate::Of::kSpeedup) {
      table_.error(table_.place_of_key("estimate"),
                   "a start with an empty body has no time that a speedup could be relative to",
                   "of = \"time\", in µs");
    }
    if (const auto note = table_.optional_text("solution_note")) {
      exercise_.solution_note = read_named_file(table_, *note, folders_.texts);
      find_text_problems(exercise_.solution_note, {(folders_.texts / note->value).string(), 1, 1},
                         folders_.texts, problems_);
    }
    if (const toml::table* factors = table_.optional_table("whole_kernel"))
      read_whole_kernel(*factors);
    for (const toml::table* check : table_.tables("check", false)) read_check(*check);
    for (const toml::table* wrong : table_.tables("wrong", false)) read_wrong(*wrong);
    table_.finish();
    return std::move(exercise_);
  }

 private:
  void read_sizes() {
    for (const toml::table* table : table_.tables("sizes", true)) {
      if (auto size = read_size(*table)) exercise_.sizes.push_back(std::move(*size));
    }
    if (table_.has("sizes") && exercise_.sizes.empty()) {
      table_.error(table_.place_of_key("sizes"), "the exercise has no size",
                   "e.g. sizes = [{ n = 4096 }]");
    }
    if (const toml::table* table = table_.optional_table("timed"))
      exercise_.timed = read_size(*table);
  }

  // None: its variables differ from those of the first size.
  std::optional<ProblemSize> read_size(const toml::table& table) {
    TomlTable size(table, "the size", lab_file_, problems_);
    ProblemSize out;
    if (const auto label = size.optional_text("label")) out.label = label->value;
    std::string made_label;
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "label") continue;
      const std::optional<int64_t> value = size.optional_whole(name);
      if (!is_identifier(name) || is_metric_name(name)) {
        size.error(size.place_of_key(name), "'" + name + "' cannot name a size variable",
                   "use a short word such as n, of letters, digits and '_'");
      }
      if (value && *value < 0) {
        size.error(size.place_of(node), "the size variable '" + name + "' is negative");
      }
      out.variables[name] = value.value_or(1);
      made_label += (made_label.empty() ? "" : ", ") + name + " = " +
                    number_text(static_cast<double>(value.value_or(1)));
    }
    if (out.variables.empty())
      size.error(size.place(), "the size has no variable", "e.g. { n = 4096 }");
    if (out.label.empty()) out.label = made_label;
    const auto names_of = [](const ProblemSize& s) {
      std::set<std::string> names;
      for (const auto& [name, value] : s.variables) names.insert(name);
      return names;
    };
    if (!exercise_.sizes.empty() && names_of(out) != names_of(exercise_.sizes.front())) {
      size.error(size.place(), "the size has other variables than the first one");
      return std::nullopt;
    }
    return out;
  }

  void read_kernel_files() {
    exercise_.whole_program = table_.optional_flag("whole_program").value_or(false);
    const Placed<std::string> kernel = table_.text("kernel");
    exercise_.kernel = kernel.value;
    if (!kernel.value.empty() &&
        !is_identifier(exercise_.whole_program ? compile::plain_name(kernel.value)
                                               : kernel.value)) {
      table_.error(kernel.place, "'" + kernel.value + "' is not the name of a function");
    }
    const Placed<std::string> reference = table_.text("reference");
    exercise_.reference_file = folders_.kernels / reference.value;
    exercise_.reference = read_named_file(table_, reference, folders_.kernels);
    if (!exercise_.reference.empty() && !exercise_.whole_program && is_identifier(kernel.value) &&
        find_word(exercise_.reference, kernel.value) == std::string::npos) {
      table_.error(kernel.place, "no kernel '" + kernel.value + "' is in " + reference.value);
    }
    // A user's own kernel has no solution: it starts out as the reference.
    if (exercise_.whole_program && !table_.has("solution")) {
      exercise_.solution_file = exercise_.reference_file;
      exercise_.solution = exercise_.skeleton = exercise_.reference;
      return;
    }
    const Placed<std::string> solution = table_.text("solution");
    exercise_.solution_file = folders_.solutions / solution.value;
    const std::string marked = read_named_file(table_, solution, folders_.solutions);
    if (!marked.empty()) {
      Result<MarkedText> split = split_marks(marked, exercise_.solution_file.string());
      if (split.ok()) {
        exercise_.solution = split->solution;
        exercise_.skeleton = split->skeleton;
      } else {
        problems_.insert(problems_.end(), split.errors().begin(), split.errors().end());
      }
    }
  }

  void read_launch() {
    exercise_.cooperative = table_.optional_flag("cooperative").value_or(false);
    exercise_.warnings_fail = table_.optional_flag("warnings_fail").value_or(false);
    if (const auto launch = table_.optional_text("launch")) {
      exercise_.launch = launch->value;
      const size_t open = launch->value.find('(');
      if (open == std::string::npos || launch->value.back() != ')' ||
          !is_identifier(launch->value.substr(0, open)) ||
          launch->value.find_first_of(";{}#\n") != std::string::npos) {
        table_.error(launch->place, "'launch' is a call of the launch function, such as launch(n)");
      }
      return;
    }
    exercise_.launch = "launch(";
    if (!exercise_.sizes.empty()) {
      for (const auto& [name, value] : exercise_.sizes.front().variables) {
        exercise_.launch += (exercise_.launch.back() == '(' ? "" : ", ") + name;
      }
    }
    exercise_.launch += ")";
  }

  void read_args() {
    std::set<std::string> names;
    bool any_output = false;
    uint32_t buffers = 0;
    for (const toml::table* table : table_.tables("args", true)) {
      TomlTable arg(*table, "the argument", lab_file_, problems_);
      KernelArg out;
      const Placed<std::string> name = arg.text("name");
      out.name = name.value;
      if (!out.name.empty() && !names.insert(out.name).second) {
        arg.error(name.place, "there are two arguments named '" + out.name + "'");
      }
      std::string kind;
      int kinds = 0;
      for (const char* known : {"buffer", "scalar", "texture", "surface", "tensor_map"}) {
        if (!arg.has(known)) continue;
        kind = known;
        ++kinds;
      }
      if (kinds != 1) {
        arg.error(
            arg.place(),
            "the argument needs one of buffer = TYPE, scalar = TYPE, texture = TYPE, surface = "
            "TYPE and tensor_map = TYPE",
            "the types are u8, u16, i32, u32, i64, f16, bf16, f32 and f64");
        continue;
      }
      out.is_buffer = kind != "scalar";
      const bool tensor = kind == "tensor_map";
      if (tensor) {
        read_tensor_map(arg, all_sizes(exercise_), out);
      } else {
        read_type(arg, kind, out);
      }
      if (out.is_buffer) {
        out.seed = buffers++;
        if (kind != "buffer" && !tensor) read_texture(arg, kind == "surface", out);
        read_buffer(arg, out);
        any_output |= out.output;
      } else {
        const auto value = arg.optional_expression("value");
        if (!value) {
          if (!arg.has("value")) arg.error(arg.place(), "the scalar has no 'value'");
        } else {
          out.value = value->value;
          prove_at_every_size(arg, *value, !is_floating(out.type),
                              [](double) { return std::string(); });
        }
      }
      arg.finish();
      exercise_.args.push_back(std::move(out));
    }
    if (!any_output && table_.has("args")) {
      table_.error(table_.place_of_key("args"),
                   "no buffer is an output, so there is nothing to compare",
                   "write output = true in the buffers that the kernel fills");
    }
  }

  void read_type(TomlTable& arg, const std::string& kind, KernelArg& out) {
    const Placed<std::string> type = arg.text(kind);
    if (const std::optional<ElementType> found = element_type_named(type.value)) {
      out.type = *found;
    } else if (!type.value.empty()) {
      arg.error(type.place, "there is no element type '" + type.value + "'",
                "the types are u8, u16, i32, u32, i64, f16, bf16, f32 and f64");
    }
  }

  // Everything except the fill and the seed, which only buffers have.
  void read_texture(TomlTable& arg, bool surface, KernelArg& out) {
    TextureArg texture;
    texture.surface = surface;
    texture.plain = !surface && arg.has("count");
    const auto take = [&arg](const std::optional<Placed<std::string>>& word, auto parse, auto& to) {
      if (!word) return;
      const auto value = parse(word->value);
      if (value.ok()) {
        to = *value;
      } else {
        arg.error(word->place, value.errors().front().message, value.errors().front().help);
      }
    };
    if (const auto channels = arg.optional_whole("channels")) {
      texture.channels = *channels >= 1 && *channels <= 4 ? static_cast<int>(*channels) : 0;
    }
    if (!surface) {
      take(arg.optional_text("address"), texture_address_named, texture.settings.address[0]);
      texture.settings.address[1] = texture.settings.address[0];
      take(arg.optional_text("filter"), texture_filter_named, texture.settings.filter);
      take(arg.optional_text("read"), texture_read_named, texture.settings.read);
      texture.settings.normalized_coordinates = arg.optional_flag("normalized").value_or(false);
    }
    const Status possible = check_texture(texture, out.type);
    if (!possible.ok()) {
      arg.error(arg.place(), possible.errors().front().message, possible.errors().front().help);
      texture.channels = 1;
    }
    out.texture = texture;
    read_extent(arg, out);
    if (!surface && arg.has("output")) {
      arg.error(arg.place_of_key("output"), "a kernel cannot write a texture", "use a surface");
    }
  }

  void read_extent(TomlTable& arg, KernelArg& out) {
    const char* const key = out.texture->plain ? "count" : "width";
    const auto width = arg.optional_expression(key);
    std::optional<Placed<std::string>> height;
    if (!out.texture->plain) height = arg.optional_expression("height");
    if (!width) {
      if (!arg.has(key)) {
        arg.error(
            arg.place(),
            "the " + std::string(out.texture->surface ? "surface" : "texture") + " has no 'width'",
            out.texture->surface ? "e.g. width = \"n\", height = \"n\""
                                 : "e.g. width = \"n\", height = \"n\"; or count = \"n\" for a "
                                   "texture over a plain buffer, read by tex1Dfetch");
      }
      return;
    }
    out.width = width->value;
    if (height) out.height = height->value;
    const auto at_least_one = [](double value) {
      return value < 1 ? "there is at least one texel along each axis" : "";
    };
    const size_t before = problems_.size();
    prove_at_every_size(arg, *width, true, at_least_one);
    if (height) prove_at_every_size(arg, *height, true, at_least_one);
    if (problems_.size() != before) return;
    for (const ProblemSize* size : all_sizes(exercise_)) {
      const Status possible = check_extent(*out.texture, out.type, extent_of(out, *size), out.name);
      if (possible.ok()) continue;
      arg.error(width->place, possible.errors().front().message + ", at " + size->label,
                possible.errors().front().help);
      return;
    }
    set_count(out);
  }

  static void set_count(KernelArg& out) {
    out.count = "(" + out.width + ")" + (out.height.empty() ? "" : " * (" + out.height + ")") +
                " * " + std::to_string(out.texture->channels);
  }

  // A buffer's count: given, or derived from the extents of an array of texels or of a tensor.
  std::optional<Placed<std::string>> read_count(TomlTable& arg, KernelArg& out) {
    if (!out.texture && !out.tensor) return arg.optional_expression("count");
    if (out.count.empty()) return std::nullopt;
    return Placed<std::string>{out.count, arg.place()};
  }

  void read_buffer(TomlTable& arg, KernelArg& out) {
    const auto count = read_count(arg, out);
    if (!count) {
      if (!out.texture && !out.tensor && !arg.has("count"))
        arg.error(arg.place(), "the buffer has no 'count'", "e.g. count = \"n\"");
    } else {
      out.count = count->value;
      const int element = size_bytes(out.type);
      prove_at_every_size(arg, *count, true, [element](double value) -> std::string {
        if (value < 1) return "a buffer has at least one element";
        if (value * element > kMaxBufferBytes) return "a buffer has at most 1 GiB";
        return {};
      });
    }
    out.output = arg.optional_flag("output").value_or(false);
    if (const auto seed = arg.optional_whole("seed")) out.seed = static_cast<uint32_t>(*seed);
    const Placed<std::string> fill = arg.text("fill");
    out.fill = fill.value;
    if (fill.value.starts_with("chase=")) {
      prove_at_every_size(
          arg, {fill.value.substr(6), shifted(fill.place, 6)}, true, [](double value) {
            return value < 0 || value > 4294967295.0 ? "a chase's step is from 0 to 2^32 - 1" : "";
          });
      out.fill = fill.value;
    } else if (fill.value.starts_with(kEachFill)) {
      const int skipped = static_cast<int>(kEachFill.size());
      append(element_problems(out, shifted(fill.place, skipped), all_sizes(exercise_)));
    } else if (fill.value.starts_with("file=")) {
      out.file_bytes = read_named_file(arg, {fill.value.substr(5), fill.place}, folders_.texts);
      const double held = static_cast<double>(out.file_bytes.size());
      if (count && held > 0) {
        prove_at_every_size(arg, *count, true, [&](double value) {
          return value * size_bytes(out.type) > held
                     ? "the file holds only " + number_text(held) + " bytes"
                     : std::string();
        });
      }
    } else if (!fill.value.empty() && fill.value != "zero" && fill.value != "none" &&
               fill.value != "iota" && fill.value != "random" && fill.value != "bits") {
      arg.error(fill.place, "there is no fill '" + fill.value + "'",
                "the fills are zero, none, iota, random, bits, chase=S, each=EXPR and file=NAME");
    }
  }

  void read_figures() {
    if (const auto width = table_.optional_expression("output_width")) {
      exercise_.output_width = width->value;
      prove_at_every_size(table_, *width, true, [](double value) {
        return value < 1 ? "the map has at least one column" : "";
      });
    }
    if (const auto bytes = table_.optional_expression("useful_bytes")) {
      exercise_.useful_bytes = bytes->value;
      prove_at_every_size(table_, *bytes, false,
                          [](double value) { return value < 0 ? "bytes are not negative" : ""; });
    }
    if (const auto gpu = table_.optional_text("model_gpu")) {
      const Result<models::GpuProfile> profile = models::find_gpu_profile(data_dir(), gpu->value);
      if (profile.ok()) {
        exercise_.model_gpu = *profile;
      } else {
        const Diagnostic& why = profile.errors().front();
        table_.error(gpu->place, why.message, why.help);
      }
    }
    if (const auto tolerance = table_.optional_number("tolerance")) {
      exercise_.tolerance = *tolerance;
      if (!(*tolerance >= 0 && *tolerance < 1)) {
        table_.error(table_.place_of_key("tolerance"), "'tolerance' is from 0 to less than 1");
      }
    }
  }

  void read_whole_kernel(const toml::table& raw) {
    TomlTable table(raw, "whole_kernel", lab_file_, problems_);
    WholeKernelFactors& factors = exercise_.whole_kernel;
    for (auto [key, factor] : {std::pair{"instructions", &factors.instructions},
                               {"memory_sectors", &factors.memory_sectors},
                               {"shared_memory", &factors.shared_memory},
                               {"ratios", &factors.ratios}}) {
      const std::optional<double> number = table.optional_number(key);
      if (!number) continue;
      if (*number >= 1 && *number <= kMostFactor) {
        *factor = *number;
      } else {
        table.error(table.place_of_key(key),
                    std::string("'") + key + "' is a factor from 1 to " + number_text(kMostFactor));
      }
    }
    table.finish();
  }

  void read_check(const toml::table& raw) {
    TomlTable table(raw, "the check", lab_file_, problems_);
    CheckRule rule;
    const Placed<std::string> id = table.text("id");
    rule.id = id.value;
    if (is_always_checked(id.value)) {
      table.error(id.place, "'" + id.value + "' is checked always; choose another id");
    } else if (std::any_of(exercise_.checks.begin(), exercise_.checks.end(),
                           [&](const CheckRule& c) { return c.id == id.value; })) {
      table.error(id.place, "there are two checks with the id '" + id.value + "'");
    }
    rule.title = table.text("title").value;
    if (const auto metric = table.optional_expression("metric")) {
      rule.metric = metric->value;
      check_names(table, *metric);
    } else if (!table.has("metric")) {
      table.error(table.place(), "the check has no 'metric'");
    }
    for (auto [key, limit] : {std::pair{"at_most", &rule.at_most}, {"at_least", &rule.at_least}}) {
      if (const auto text = table.optional_expression(key)) {
        *limit = text->value;
        check_names(table, *text);
      }
    }
    if (!table.has("at_most") && !table.has("at_least")) {
      table.error(table.place(), "the check has neither 'at_most' nor 'at_least'");
    }
    if (const auto unit = table.optional_text("unit")) rule.unit = unit->value;
    const auto one = table.optional_text("unit_one");
    rule.unit_one = one ? one->value : singular_unit(rule.unit);
    rule.all_sizes = table.optional_flag("all_sizes").value_or(false);
    rule.message = table.text("message").value;
    table.finish();
    exercise_.checks.push_back(std::move(rule));
  }

  void read_wrong(const toml::table& raw) {
    TomlTable table(raw, "the wrong kernel", lab_file_, problems_);
    WrongKernel out;
    const Placed<std::string> file = table.text("file");
    out.file = folders_.solutions / file.value;
    out.source = read_named_file(table, file, folders_.solutions);
    const Placed<std::string> fails = table.text("fails");
    out.fails = fails.value;
    const bool known = is_always_checked(fails.value) ||
                       std::any_of(exercise_.checks.begin(), exercise_.checks.end(),
                                   [&](const CheckRule& c) { return c.id == fails.value; });
    if (!fails.value.empty() && !known) {
      table.error(fails.place, "the exercise has no check '" + fails.value + "'",
                  "name one of its checks, \"correct\", \"no-findings\" or \"whole-kernel\"");
    }
    table.finish();
    exercise_.wrong.push_back(std::move(out));
  }

  // An expression's text starts after the quote.
  static SourcePlace shifted(SourcePlace place, int by = 0) {
    if (place.column > 0) place.column += 1 + by;
    return place;
  }

  void append(const Diagnostics& errors) {
    for (Diagnostic error : errors) {
      error.kind = "lab-file";
      problems_.push_back(std::move(error));
    }
  }

  // Evaluates the expression at each size; `objection` returns what is wrong with a value.
  template <typename Objection>
  void prove_at_every_size(TomlTable& table, const Placed<std::string>& text, bool whole,
                           Objection objection) {
    if (text.value.empty()) return;
    const Result<Expression> expression = Expression::parse(text.value, shifted(text.place));
    if (!expression.ok()) return append(expression.errors());
    for (const ProblemSize* size : all_sizes(exercise_)) {
      const NameLookup names = lookup_in(size->variables);
      const Result<double> value = expression->evaluate(names);
      const Result<int64_t> whole_value = expression->evaluate_whole(names);
      if (!value.ok()) return append(value.errors());
      if (whole && !whole_value.ok()) return append(whole_value.errors());
      if (const std::string why = objection(*value); !why.empty()) {
        return table.error(text.place, "\"" + text.value + "\" is " + number_text(*value) + " at " +
                                           size->label + ": " + why);
      }
    }
  }

  void check_names(TomlTable& table, const Placed<std::string>& text) {
    if (text.value.empty()) return;
    const Result<Expression> expression = Expression::parse(text.value, shifted(text.place));
    if (!expression.ok()) return append(expression.errors());
    for (const Expression::NameUse& use : expression->names()) {
      const bool variable =
          !exercise_.sizes.empty() && exercise_.sizes.front().variables.contains(use.name);
      if (is_model_metric(use.name) && !exercise_.model_gpu && !table_.has("model_gpu")) {
        table.error(use.place, "'" + use.name + "' needs a GPU by whose rules it is counted",
                    "give the exercise a 'model_gpu', e.g. \"gtx-280\"");
      }
      if (variable || is_metric_name(use.name)) continue;
      table.error(use.place, "there is no counter or size variable '" + use.name + "'",
                  "to list the names: warpshop labs --names");
    }
  }

  const LabFolders& folders_;
  const std::string& lab_file_;
  Diagnostics& problems_;
  TomlTable table_;
  Exercise exercise_;
};

}  // namespace

Exercise read_exercise(const toml::table& table, const LabFolders& folders,
                       const std::string& lab_file, Diagnostics& problems) {
  return ExerciseReader(table, folders, lab_file, problems).read();
}

std::string read_named_file(TomlTable& table, const Placed<std::string>& name,
                            const fs::path& folder) {
  if (name.value.empty()) return {};
  const fs::path relative = fs::path(name.value).lexically_normal();
  if (relative.is_absolute() || *relative.begin() == "..") {
    table.error(name.place,
                "'" + name.value + "' lies outside the lab's folder " + folder.string());
    return {};
  }
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(folder / relative, ignored))) {
    table.error(name.place, "there is no file " + (folder / relative).string());
    return {};
  }
  // A link could point at any file of the reader's, whose text would then end up in reports that
  // are handed in.
  Result<std::string> text = read_file_beneath(folder, relative);
  if (!text.ok()) {
    table.error(name.place, text.errors().front().message,
                "lay the file itself into " + folder.string());
    return {};
  }
  if (text->empty())
    table.error(name.place, "the file " + (folder / relative).string() + " is empty");
  return std::move(*text);
}

}  // namespace warpshop::lab
