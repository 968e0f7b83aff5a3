#include "lab/kernel_lab.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "compile/cuda_tokens.h"
#include "compile/kernel_name.h"
#include "core/ascii.h"
#include "core/expression.h"
#include "core/files.h"
#include "core/lines.h"
#include "core/toml_string.h"
#include "lab/value_type.h"
#include "own_kernel/device_variables.h"
#include "own_kernel/host_launch.h"
#include "own_kernel/launch_field.h"
#include "run/signature.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostBufferBytes = int64_t{1} << 30;  // as in exercise_file.cc
constexpr int64_t kMostN = int64_t{1} << 31;
constexpr double kMostBlocks = 2147483647.0 * 65535 * 65535;  // the CUDA Programming Guide, 5.0 on

// Strips qualifiers from a pointee type: "const float* __restrict__" points to float.
std::string pointed_to(std::string type) {
  for (const std::string_view word :
       {"const", "volatile", "__restrict__", "__restrict", "restrict"}) {
    for (size_t at = type.find(word); at != std::string::npos; at = type.find(word))
      type.erase(at, word.size());
  }
  std::erase(type, '*');
  const size_t begin = type.find_first_not_of(' '), end = type.find_last_not_of(' ');
  return begin == std::string::npos ? "" : type.substr(begin, end - begin + 1);
}

// From the kernel's name to the end of its body, without comments; "" if the file only declares it.
std::string body_of(const std::string& text, const compile::SourceKernel& kernel) {
  const std::string code = compile::without_comments(text);
  const size_t at = offset_of_line(code, kernel.place.line);
  if (at == std::string::npos) return {};
  const size_t open = code.find_first_of("{;", at);
  if (open == std::string::npos || code[open] == ';') return {};
  int depth = 0;
  for (size_t end = open; end < code.size(); ++end) {
    depth += code[end] == '{' ? 1 : code[end] == '}' ? -1 : 0;
    if (depth == 0) return code.substr(at, end + 1 - at);
  }
  return code.substr(at);
}

// True if the code reads elements of the pointer: name[…], with members and further indices, that
// no single '=' follows. Uses of the pointer without an index are not followed.
bool reads_elements(std::string_view code, std::string_view name) {
  const std::vector<compile::CudaToken> tokens = compile::cuda_tokens(code);
  const auto is = [&](size_t at, std::string_view text) {
    return at < tokens.size() && tokens[at].is(text);
  };
  for (size_t at = 0; at < tokens.size(); ++at) {
    if (!is(at, name) || !is(at + 1, "[")) continue;
    size_t end = at + 1;
    while (is(end, "[") || is(end, ".")) {
      int depth = 0;
      if (is(end, ".")) {
        end += 2;
        continue;
      }
      do {
        depth += is(end, "[") ? 1 : is(end, "]") ? -1 : 0;
        ++end;
      } while (depth > 0 && end < tokens.size());
    }
    if (!is(end, "=") || is(end + 1, "=")) return true;
  }
  return false;
}

KernelLabArg proposed_arg(const compile::SourceParameter& parameter, size_t index,
                          const std::string& elements) {
  KernelLabArg out;
  out.type = parameter.type;
  out.name = parameter.name.empty() ? "argument" + std::to_string(index + 1) : parameter.name;
  const auto stars = std::count(parameter.type.begin(), parameter.type.end(), '*');
  out.is_buffer = stars > 0;
  const std::string bare = pointed_to(parameter.type);
  const std::optional<ValueType> type = value_type_named(bare);
  const bool has_element = type && element_type_of(*type).has_value();
  const ElementType element = has_element ? *element_type_of(*type) : ElementType::kU8;
  if (stars > 1) {
    out.unfit = sentence("it is a pointer to pointers; a lab can only pass buffers of values");
  }
  if (out.is_buffer) {
    const bool read_only = parameter.type.find("const") != std::string::npos;
    out.element = element;
    const bool floating = is_floating(out.element);
    // The size of a type defined in the file is unknown here: reserve 64 bytes per element.
    const int each = !type ? 64 : type->count;
    out.amount = each == 1 ? elements : std::to_string(each) + " * " + elements;
    out.output = !read_only;
    // Random integers would be wild indices, and counters start at 0; bytes are mostly pixels.
    const bool bytes = type && type->element_bytes == 1 && type->kind != ValueType::Kind::kBool;
    out.fill = floating                                        ? "random"
               : read_only && bytes                            ? "bits"
               : read_only && type && type->element_bytes != 2 ? "iota"
                                                               : "zero";
    return out;
  }
  if (!type || !has_element || type->count != 1) {
    out.unfit = sentence(
        "a lab can only pass numbers by value; warpshop run --arg also passes structs and vectors");
    return out;
  }
  out.element = element;
  const bool counts =
      type->kind == ValueType::Kind::kSigned || type->kind == ValueType::Kind::kUnsigned;
  out.amount = counts && type->element_bytes >= 4 ? "n" : "1";
  return out;
}

// The value of an expression of a lab file; empty if it is none.
std::optional<double> value_at(const std::string& text, double n) {
  const Result<Expression> expression = Expression::parse(text);
  if (!expression.ok()) return std::nullopt;
  const Result<double> value = expression->evaluate(
      [n](std::string_view name) { return name == "n" ? std::optional(n) : std::nullopt; });
  return value.ok() ? std::optional(*value) : std::nullopt;
}

// Fills a form with what a launch of the program states.
class FormFiller {
 public:
  FormFiller(const HostLaunch& launch, KernelLabForm& form) : launch_(launch), form_(form) {}

  void fill() {
    choose_size();
    fill_dimensions(launch_.grid, form_.grid, sentence("Blocks"));
    fill_dimensions(launch_.block, form_.block, sentence("Threads of a block"));
    if (launch_.shared_bytes) {
      form_.dynamic_shared_bytes = launch_.shared_bytes->over_n(sizes_);
      said(sentence("Dynamic shared memory"), launch_.line);
    }
    for (size_t i = 0; i < form_.args.size(); ++i) {
      if (launch_.arguments[i] && form_.args[i].unfit.empty())
        fill_argument(form_.args[i], *launch_.arguments[i]);
    }
    reduce();
  }

 private:
  // The size is the largest constant in integer arguments and the grid, else the largest integer
  // argument. Other constants of the same value are sizes as well, such as a square's height,
  // unless they describe the block.
  void choose_size() {
    std::vector<const HostNumber*> numbers;
    for (size_t i = 0; i < form_.args.size(); ++i) {
      const std::optional<HostNumber>& number = launch_.arguments[i];
      if (number && number->whole && !form_.args[i].is_buffer &&
          !is_floating(form_.args[i].element))
        numbers.push_back(&*number);
    }
    const size_t integers = numbers.size();
    for (const HostNumber& number : launch_.grid) numbers.push_back(&number);
    int line = 0;
    for (const HostNumber* number : numbers) {
      for (const auto& [name, constant] : number->names) {
        if (!constant.whole || constant.value <= n_) continue;
        sizes_ = {name};
        n_ = constant.value;
        line = constant.line;
      }
    }
    for (const HostNumber* number : numbers) {
      for (const auto& [name, constant] : number->names) {
        if (constant.whole && constant.value == n_ &&
            std::none_of(
                launch_.block.begin(), launch_.block.end(),
                [&key = name](const HostNumber& block) { return block.names.contains(key); }))
          sizes_.insert(name);
      }
    }
    for (size_t i = 0; i < integers && sizes_.empty(); ++i) {
      if (numbers[i]->value <= std::max(n_, 1.0)) continue;
      n_ = numbers[i]->value;
      line = launch_.line;
    }
    if (line > 0) said("n", line);
    if (n_ == 0 && launch_.grid.size() == 1 && launch_.block.size() == 1)
      n_ = launch_.grid[0].value * launch_.block[0].value;
    if (n_ == 0) n_ = value_at(form_.n, 0).value_or(1);
    form_.n = plain_number(n_);
  }

  void fill_dimensions(const std::vector<HostNumber>& stated, std::string& field,
                       const Sentence& title) {
    if (stated.empty()) return;
    field.clear();
    for (size_t i = 0; i < stated.size(); ++i) {
      std::string text = stated[i].over_n(sizes_);
      // A grid of a plain number that covers n follows n.
      const double threads = i < launch_.block.size() ? launch_.block[i].value : 1;
      const bool covers =
          &stated == &launch_.grid && n_ > 1 && stated[i].value == std::ceil(n_ / threads);
      if (stated[i].names.empty() && covers && threads > 1)
        text = "(n + " + plain_number(threads - 1) + ") / " + plain_number(threads);
      field += (i == 0 ? "" : ", ") + text;
    }
    said(title, launch_.line);
  }

  void fill_argument(KernelLabArg& arg, const HostNumber& number) {
    const double amount =
        arg.is_buffer ? std::floor(number.value / size_bytes(arg.element)) : number.value;
    if (arg.is_buffer && amount < 1) return;
    if (!arg.is_buffer && !is_floating(arg.element) && !number.whole) return;
    arg.amount = plain_number(amount);
    std::vector<std::string> over;
    if (number.depends_on(sizes_)) {
      const int divisor = arg.is_buffer ? size_bytes(arg.element) : 1;
      if (auto text = number.in_lab_file(sizes_, divisor)) over.push_back(std::move(*text));
    } else if (arg.is_buffer || !is_floating(arg.element)) {
      over = {"n", "n * n"};
    }
    for (std::string& text : over) {
      if (n_ <= 1 || value_at(text, n_) != amount) continue;
      arg.amount = std::move(text);
      break;
    }
    said(arg.name, number.line);
  }

  // Halves n until the launch is one for an emulator, if the grid follows n.
  void reduce() {
    const bool plane = launch_.grid.size() > 1 && launch_.grid[1].value > 1;
    if (form_.grid.find('n') == std::string::npos) return;
    const double most = plane ? kMostPlaneN : kMostRowN;
    double n = n_;
    while (n > most) n = std::floor(n / 2);
    if (n == n_) return;
    form_.program_n = static_cast<int64_t>(n_);
    form_.n = plain_number(n);
  }

  void said(Sentence field, int line) { form_.origins.push_back({std::move(field), line}); }

  static constexpr double kMostRowN = 1 << 20, kMostPlaneN = 512;  // a run of some seconds at most
  const HostLaunch& launch_;
  KernelLabForm& form_;
  std::set<std::string> sizes_;  // the constants that are n
  double n_ = 0;
};

// Lists what is wrong with the form; `n`: its parsed number.
Diagnostics mistakes_in(const KernelLabForm& form, int64_t& n) {
  Diagnostics out;
  const auto add = [&out](const Sentence& field, Sentence what, Sentence help = {}) {
    out.push_back(make_error(
        "usage", sentence("{field}: {what}", {{"field", field}, {"what", std::move(what)}}),
        std::move(help)));
  };
  const Sentence blocks = sentence("Blocks"), threads = sentence("Threads of a block"),
                 shared = sentence("Dynamic shared memory");
  const auto [end, error] = std::from_chars(form.n.data(), form.n.data() + form.n.size(), n);
  if (error != std::errc{} || end != form.n.data() + form.n.size() || n < 1 || n > kMostN) {
    add("n", sentence("expected a whole number from 1 to 2,147,483,648, not '{text}'",
                      {{"text", form.n}}));
    n = 1;
  }
  struct Field {
    const Sentence& name;
    const std::string& text;
    double most = 0;  // of blocks or threads; 0: neither
  };
  for (const Field& field : {Field{blocks, form.grid, kMostBlocks},
                             {threads, form.block, 1024},
                             {shared, form.dynamic_shared_bytes}}) {
    if (field.text.find_first_of(";{}#\n\\") != std::string::npos) {
      add(field.name, sentence("expected an expression, not '{text}'", {{"text", field.text}}));
    } else if (field.most > 0 && field.text.find_first_not_of(' ') == std::string::npos) {
      add(field.name, sentence("this field is empty"),
          sentence("as between <<< and >>>, such as (n + 255) / 256"));
    } else if (field.most > 0) {
      if (Sentence mistake = mistake_in_dimensions(field.text, n, field.most); !mistake.empty())
        add(field.name, std::move(mistake));
    }
  }
  for (const KernelLabVariable& variable : form.variables) {
    if (variable.value.find_first_of(";#\n\\") == std::string::npos &&
        variable.value.find("*/") == std::string::npos)
      continue;
    add(variable.name, sentence("expected an initialiser, such as {example}, not '{text}'",
                                {{"example", "{0.5, 2}"}, {"text", variable.value}}));
  }
  bool any_output = false;
  for (const KernelLabArg& arg : form.args) {
    if (!arg.unfit.empty()) {
      add(arg.name, arg.unfit);
      continue;
    }
    any_output |= arg.is_buffer && arg.output;
    const Result<Expression> expression = Expression::parse(arg.amount);
    if (!expression.ok()) {
      add(arg.name, expression.errors().front().message, expression.errors().front().help);
      continue;
    }
    const std::map<std::string, int64_t> sizes{{"n", n}};
    const NameLookup names = lookup_in(sizes);
    if (!arg.is_buffer && is_floating(arg.element)) {
      if (const Result<double> value = expression->evaluate(names); !value.ok())
        add(arg.name, value.errors().front().message);
      continue;
    }
    const Result<int64_t> value = expression->evaluate_whole(names);
    if (!value.ok()) {
      add(arg.name, value.errors().front().message, value.errors().front().help);
    } else if (arg.is_buffer &&
               (*value < 1 || *value > kMostBufferBytes / size_bytes(arg.element))) {
      add(arg.name, sentence("a buffer must have at least one element and at most 1 GiB"));
    }
  }
  if (out.empty() && !any_output) {
    add(form.kernel,
        sentence("no buffer is compared, so nothing would show whether a change is correct"));
  }
  return out;
}

// A name for the launch function that is free in the file.
std::string launch_name(const std::string& text) {
  std::string name = "launch";
  while (find_word(text, name) != std::string::npos) name += "_here";
  return name;
}

// The file's text followed by a launch function.
std::string with_launch(const std::string& text, const std::string& name,
                        const KernelLabForm& form) {
  std::string out = text;
  if (!out.empty() && out.back() != '\n') out += '\n';
  out +=
      "\n// How Warpshop launches it, for the size n: blocks, threads of a block, bytes of dynamic "
      "shared memory.\n"
      "__host__ __device__ Launch " +
      name + "(int n) {\n  return {dim3(" + form.grid + "), dim3(" + form.block + ")";
  const std::string& bytes = form.dynamic_shared_bytes;
  if (bytes.find_first_not_of(" 0") != std::string::npos) out += ", (unsigned)(" + bytes + ")";
  return out + "};\n}\n";
}

std::string lab_toml(const std::string& id, const std::string& title, const std::string& file_name,
                     int order, const std::string& launch, int64_t n, const KernelLabForm& form) {
  std::string useful;
  std::string out =
      "# Made by Warpshop from " + file_name +
      ".\n# Help, \"How to write a lab\", explains every key. A window that shows the lab follows "
      "each change.\n"
      "format = 1\nid = " +
      toml_string(id) + "\ntitle = " + toml_string(title) + "\nsummary = " +
      toml_string("Your kernel " + form.kernel +
                  ", compared with what it was when you opened it.") +
      "\norder = " + std::to_string(order) +
      "\n\n[[step]]\nid = \"kernel\"\ntitle = " + toml_string(form.kernel) +
      "\ntext = \"kernel.md\"\n\n[step.exercise]\nkernel = " + toml_string(form.kernel) +
      "\nwhole_program = true\nlaunch = " + toml_string(launch + "(n)") +
      "\nreference = " + toml_string(file_name) + "\nargs = [\n";
  for (const KernelLabArg& arg : form.args) {
    const std::string element(name_of(arg.element));
    if (!arg.is_buffer) {
      out += "  { name = " + toml_string(arg.name) + ", scalar = \"" + element +
             "\", value = " + toml_string(arg.amount) + " },\n";
      continue;
    }
    out += "  { name = " + toml_string(arg.name) + ", buffer = \"" + element +
           "\", count = " + toml_string(arg.amount) + ", fill = " + toml_string(arg.fill) +
           (arg.output ? ", output = true" : "") + " },\n";
    const int times = arg.output && arg.is_updated ? 2 : 1;
    useful += (useful.empty() ? "" : " + ") + std::to_string(times * size_bytes(arg.element)) +
              " * (" + arg.amount + ")";
  }
  out += "]\nsizes = [{ n = " + std::to_string(n) +
         " }]\n"
         "tolerance = 1e-5  # relative: sums may be made in another order\n"
         "useful_bytes = " +
         toml_string(useful) + "  # every buffer once; twice if it is read and written\n";
  return out;
}

std::string step_text(const std::string& file_name, const fs::path& folder,
                      const KernelLabForm& form, const std::string& launch) {
  return "Your kernel `" + form.kernel + "` of `" + file_name +
         "`, as it was when you opened it. Change it: each run compares it with what it was, its "
         "results, its counters and its times.\n\n"
         "- Host code stays in the file and is left out.\n"
         "- `" +
         launch + "`, at the end, says how many blocks and threads run it.\n" +
         variables_text(form.variables) +
         "- Sizes, buffers and what they hold are in `lab.toml`, in the folder\n\n```\n" +
         folder.string() +
         "\n```\n\n"
         "The window follows what you save there. To make an exercise of it, add checks, hints and "
         "a solution: “How to write a lab” in the Help menu explains how.\n";
}

std::string id_from(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char small = lower(c);
    if (is_lab_id(std::string("a") + small)) {
      out += small;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  while (!out.empty() && (out.back() == '-')) out.pop_back();
  return out.substr(0, 40);
}

// Quoted #includes found beside the file, and recursively theirs.
std::set<std::string> own_headers(const fs::path& folder, const std::string& text) {
  std::set<std::string> out;
  std::vector<std::string> due = {text};
  while (!due.empty()) {
    const std::string code = std::move(due.back());
    due.pop_back();
    for (size_t at = code.find("#include"); at != std::string::npos;
         at = code.find("#include", at + 1)) {
      const size_t open = code.find_first_not_of(" \t", at + 8);
      if (open == std::string::npos || code[open] != '"') continue;
      const size_t close = code.find('"', open + 1);
      if (close == std::string::npos) continue;
      const std::string name = code.substr(open + 1, close - open - 1);
      std::error_code ignored;
      // Headers in other folders show up in the compiler's message: a lab is a single folder.
      if (fs::path(name).has_parent_path() || !fs::is_regular_file(folder / name, ignored) ||
          !out.insert(name).second)
        continue;
      if (const Result<std::string> header = read_file(folder / name); header.ok())
        due.push_back(*header);
    }
  }
  return out;
}

}  // namespace

Result<KernelFile> read_kernel_file(const fs::path& path) {
  Result<std::string> text = read_file(path);
  if (!text.ok()) return text.errors();
  KernelFile file{fs::absolute(path).lexically_normal(), std::move(*text), {}};
  file.kernels = compile::kernels_of(file.text, path.filename().string());
  std::erase_if(file.kernels, [](const auto& kernel) { return !kernel.is_defined; });
  if (file.kernels.empty()) {
    return make_error_at({path.filename().string()}, "usage", sentence("the file has no kernel"),
                         sentence("a kernel is a function with __global__ before it"));
  }
  return file;
}

KernelLabForm proposed_form(const KernelFile& file, const compile::SourceKernel& kernel) {
  KernelLabForm form;
  const std::optional<HostLaunch> launch = first_launch(file.text, kernel);
  form.kernel = launch && !launch->instance.empty() ? launch->instance
                : kernel.instances.empty()          ? kernel.scope + kernel.name
                                                    : kernel.instances.front();
  const std::string body = body_of(file.text, kernel);
  const bool plane = body.find("Idx.y") != std::string::npos;
  form.grid = plane ? "(n + 15) / 16, (n + 15) / 16" : "(n + 255) / 256";
  form.block = plane ? "16, 16" : "256";
  form.n = plane ? "512" : "65536";
  const std::string elements = plane ? "n * n" : "n";
  const std::vector<compile::SourceParameter> parameters = kernel.parameters_of(form.kernel);
  for (size_t i = 0; i < parameters.size(); ++i) {
    KernelLabArg arg = proposed_arg(parameters[i], i, elements);
    arg.is_updated = arg.output && reads_elements(body, parameters[i].name);
    form.args.push_back(std::move(arg));
  }
  if (launch) FormFiller(*launch, form).fill();
  form.variables = proposed_variables(file.text, form.n);
  for (const KernelLabVariable& variable : form.variables) {
    if (variable.line > 0) form.origins.push_back({variable.name, variable.line});
  }
  return form;
}

Result<std::string> create_kernel_lab(const LabPlaces& places, const fs::path& below,
                                      const KernelFile& file, const KernelLabForm& form) {
  int64_t n = 1;
  if (Diagnostics mistakes = mistakes_in(form, n); !mistakes.empty()) return mistakes;
  int order = 0;
  std::set<std::string> taken;
  for (const Lab& lab : load_labs(places).labs) {
    order = std::max(order, lab.order);
    taken.insert(lab.id);
  }
  const std::string stem =
      id_from(file.path.stem().string() + "-" + compile::plain_name(form.kernel));
  std::string id = stem.empty() ? "kernel" : stem;
  std::error_code ignored;
  std::string title = file.path.filename().string();
  for (int more = 2; taken.contains(id) || fs::exists(below / id, ignored); ++more) {
    id = stem + "-" + std::to_string(more);
    title = file.path.filename().string() + " (" + std::to_string(more) + ")";
  }
  const fs::path folder = below / id;
  const std::string file_name = file.path.filename().string(), launch = launch_name(file.text);
  const std::string text = with_launch(with_variables(file.text, form.variables), launch, form);
  std::vector<std::pair<fs::path, std::string>> files = {
      {folder / "kernels" / file_name, text},
      {folder / "kernel.md", step_text(file_name, folder, form, launch)},
  };
  for (const std::string& header : own_headers(file.path.parent_path(), file.text)) {
    const Result<std::string> content = read_file(file.path.parent_path() / header);
    if (content.ok()) files.emplace_back(folder / "kernels" / header, *content);
  }
  // Written last, so that a window watching the folder finds a complete lab.
  files.emplace_back(folder / "lab.toml",
                     lab_toml(id, title, file_name, order + 10, launch, n, form));
  Diagnostics problems;
  for (const auto& [path, content] : files) {
    const Status written = write_file_atomically(path, content);
    if (!written.ok())
      problems.insert(problems.end(), written.errors().begin(), written.errors().end());
    if (!problems.empty()) break;
  }
  if (problems.empty()) {
    const Result<Lab> lab = load_lab(LabPlaces{places.data, {folder}}, id);
    if (lab.ok()) return id;
    problems = lab.errors();
  }
  fs::remove_all(folder, ignored);
  return problems;
}

const Lab* kernel_lab_of(const LabLibrary& labs, const KernelFile& file,
                         const std::string& kernel) {
  const Lab* out = nullptr;
  for (const Lab& lab : labs.labs) {
    const Step* step = lab.own ? lab.find_step("kernel") : nullptr;
    if (step == nullptr || !step->exercise || !step->exercise->whole_program ||
        step->exercise->kernel != kernel ||
        step->exercise->reference_file.filename() != file.path.filename())
      continue;
    if (out == nullptr || lab.order >= out->order) out = &lab;
  }
  return out;
}

}  // namespace warpshop::lab
