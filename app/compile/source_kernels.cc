// Finds a source's kernels, their parameters, and their launches in host code.
#include "source_kernels.h"

#include <algorithm>

#include "compile/device_source.h"
#include "core/ascii.h"
#include "core/lines.h"
#include "declarations.h"

namespace warpshop::compile {
namespace {

// Collapses white space to single blanks.
std::string on_one_line(std::string_view text) {
  std::string out;
  for (const char c : trimmed(text)) {
    const bool blank = is_white_space(c);
    if (!blank) out += c;
    if (blank && !out.empty() && out.back() != ' ') out += ' ';
  }
  return out;
}

SourceParameter parameter_of(std::string_view source, size_t at, size_t end,
                             const std::string& file_name) {
  const std::string_view all = trimmed(source.substr(at, end - at));
  const auto start = static_cast<size_t>(all.data() - source.data());
  SourceParameter out;
  out.place = place_in_text(source, start, all.size(), file_name);
  const std::string_view text = trimmed(all.substr(0, all.find('=')));
  const std::string_view declared = trimmed(text.substr(0, text.find('[')));
  size_t name = declared.size();
  while (name > 0 && is_word_character(declared[name - 1])) --name;
  const std::string_view type = trimmed(declared.substr(0, name));
  if (type.empty()) {
    out.type = on_one_line(declared);
    return out;
  }
  out.type = on_one_line(type) + (text.find('[') == std::string_view::npos ? "" : "*");
  out.name = declared.substr(name);
  return out;
}

// "k<16, float>" from the tokens between its name and the following bracket.
std::string instance_text(const std::vector<CudaToken>& tokens, size_t name, size_t end) {
  std::string out;
  for (size_t n = name; n < end; ++n) {
    const bool word = tokens[n].kind == TokenKind::kName || tokens[n].kind == TokenKind::kNumber;
    if (word && !out.empty() && is_word_character(out.back())) out += ' ';
    out += tokens[n].text;
    if (tokens[n].is(",")) out += ' ';
  }
  return out;
}

// The names of the parameters of "template <typename T, int TILE = 16>"; `first`: its `template`.
// Those of an unnamed parameter are empty.
std::vector<std::string> template_parameters_at(const std::vector<CudaToken>& tokens, size_t first,
                                                size_t end) {
  std::vector<std::string> out;
  if (first + 1 >= end || !tokens[first].is("template") || !tokens[first + 1].is("<")) return out;
  int depth = 0;
  bool named = true;  // until a default value
  size_t words = 0;   // of this parameter
  for (size_t n = first + 1; n < end; ++n) {
    const CudaToken& token = tokens[n];
    depth += token.is("<") || token.is("(") ? 1 : token.is(">") || token.is(")") ? -1 : 0;
    if (depth == 0) return out;
    if (depth == 1 && (token.is("<") || token.is(","))) {
      out.emplace_back();
      named = true;
      words = 0;
    } else if (depth == 1 && token.is("=")) {
      named = false;
    } else if (depth == 1 && named && token.kind == TokenKind::kName && words++ > 0) {
      out.back() = token.text;
    }
  }
  return {};
}

// The arguments of "stencil<float, 16>".
std::vector<std::string> template_arguments(std::string_view instance) {
  std::vector<std::string> out;
  const size_t open = instance.find('<');
  if (open == std::string_view::npos) return out;
  int depth = 0;
  size_t from = open + 1;
  for (size_t at = open; at < instance.size(); ++at) {
    const char c = instance[at];
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    if (!(depth == 0 || (depth == 1 && c == ','))) continue;
    out.push_back(on_one_line(instance.substr(from, at - from)));
    from = at + 1;
    if (depth == 0) break;
  }
  return out;
}

// Enough to say which; each costs counting the lines before it.
constexpr size_t kMostMacros = 32;

bool same_kernel(const SourceKernel& a, const SourceKernel& b) {
  return a.name == b.name && a.scope == b.scope &&
         std::equal(
             a.parameters.begin(), a.parameters.end(), b.parameters.begin(), b.parameters.end(),
             [](const SourceParameter& x, const SourceParameter& y) { return x.type == y.type; });
}

// Whether a macro's text has a kernel's name: before its parameters, or as the macro's own
// parameter. `words`: "define", the macro's name, and so on. Without one, it only marks kernels.
bool names_kernel(const std::vector<CudaToken>& words, const MarkerSet& markers) {
  std::set<std::string_view> own;
  size_t n = 2;
  if (words[2].is("(") && words[2].at == words[1].end()) {
    while (++n < words.size() && !words[n].is(")")) own.insert(words[n].text);
  }
  bool after_marker = false;
  bool has_type = false;  // what the kernel returns
  for (; n < words.size(); ++n) {
    const CudaToken& word = words[n];
    if (word.kind != TokenKind::kName) continue;
    if (markers.count(word.text) != 0) {
      after_marker = true;
    } else if (after_marker) {
      const bool has_parameters =
          n + 1 < words.size() && words[n + 1].is("(") && !word.text.starts_with("__");
      const bool ends_a_name =
          n + 1 == words.size() || words[n + 1].is("(") || words[n + 1].text.starts_with("#");
      if (has_parameters || (own.contains(word.text) && ends_a_name && has_type)) return true;
      has_type = true;
    }
    // The arguments of __launch_bounds__ name nothing.
    if (word.text.starts_with("__") && n + 1 < words.size() && words[n + 1].is("(")) {
      int depth = 0;
      while (++n < words.size()) {
        depth += words[n].is("(") ? 1 : words[n].is(")") ? -1 : 0;
        if (depth == 0) break;
      }
    }
  }
  return false;
}

class KernelReader {
 public:
  KernelReader(std::string_view source, const std::string& file_name, const MarkerSet& markers,
               KernelFacts& facts)
      : source_(source),
        code_(without_comments(source)),
        file_name_(file_name),
        structure_(source),
        markers_(markers),
        facts_(facts) {
    for (const CudaToken& token : structure_.all()) {
      if (token.kind != TokenKind::kDirective || directive_name(token.text) != "define") continue;
      const std::vector<CudaToken> words = cuda_tokens(token.text.substr(1));
      const bool marks = words.size() > 2 &&
                         std::any_of(words.begin() + 2, words.end(), [&](const CudaToken& word) {
                           return markers_.count(word.text) != 0;
                         });
      if (!marks) continue;
      markers_.insert(std::string(words[1].text));
      if (facts_.macros.size() < kMostMacros && names_kernel(words, markers_)) {
        facts_.macros.push_back({std::string(words[1].text),
                                 place_in_text(source_, token.at, token.text.size(), file_name_)});
      }
    }
  }

  void run() {
    read_scope(0, structure_.tokens().size(), 0, "");
    find_launches();
  }

 private:
  void read_scope(size_t at, size_t end, int depth, const std::string& scope) {
    if (depth > kDeepestScope) return;
    const std::vector<CudaToken>& tokens = structure_.tokens();
    while (at < end) {
      const Declaration d = structure_.read(at, end, false);
      at = d.last;
      if (d.kind == Declaration::Kind::kScope) {
        read_scope(d.body_first, d.body_last, depth + 1,
                   d.name == kNoToken ? scope : scope + std::string(tokens[d.name].text) + "::");
      } else if (d.kind == Declaration::Kind::kFunction && d.name != kNoToken &&
                 d.parameters != kNoToken) {
        read_function(d, scope);
      }
    }
  }

  void read_function(const Declaration& d, const std::string& scope) {
    const std::vector<CudaToken>& tokens = structure_.tokens();
    const std::string name(tokens[d.name].text);
    if (d.is_instantiation || (d.is_template && d.name + 1 != d.parameters)) {
      facts_.uses.push_back({name, instance_text(tokens, d.name, d.parameters), std::nullopt});
      return;
    }
    const bool is_kernel =
        std::any_of(tokens.begin() + static_cast<ptrdiff_t>(d.first),
                    tokens.begin() + static_cast<ptrdiff_t>(d.name),
                    [&](const CudaToken& token) { return markers_.count(token.text) != 0; });
    if (!is_kernel) return;
    SourceKernel kernel;
    kernel.name = name;
    kernel.scope = scope;
    kernel.place = place_in_text(source_, tokens[d.name].at, name.size(), file_name_);
    kernel.parameters = parameters_at(code_, tokens[d.parameters].at, file_name_);
    kernel.is_defined = tokens[d.last - 1].is("}");
    kernel.is_template = d.is_template;
    kernel.template_parameters = template_parameters_at(tokens, d.first, d.name);
    const auto known =
        std::find_if(facts_.kernels.begin(), facts_.kernels.end(),
                     [&](const SourceKernel& other) { return same_kernel(other, kernel); });
    if (known == facts_.kernels.end()) {
      facts_.kernels.push_back(std::move(kernel));
    } else if (kernel.is_defined) {  // after a declaration
      *known = std::move(kernel);
    }
  }

  // Launches occur inside function bodies, which are not parsed, so search all tokens.
  void find_launches() {
    const std::vector<CudaToken>& tokens = structure_.all();
    for (size_t n = 1; n < tokens.size(); ++n) {
      if (!tokens[n].is("<<<")) continue;
      const size_t name = name_before(tokens, n);
      if (name == kNoToken) continue;
      size_t depth = 0, end = n + 1;
      for (; end + 2 < tokens.size(); ++end) {
        if (tokens[end].is("(") || tokens[end].is("{")) ++depth;
        if ((tokens[end].is(")") || tokens[end].is("}")) && depth > 0) --depth;
        if (depth == 0 && tokens[end].is(">") && tokens[end + 1].is(">") && tokens[end + 2].is(">"))
          break;
        if (tokens[end].is(";")) break;
      }
      if (end + 2 >= tokens.size() || !tokens[end].is(">")) continue;
      facts_.uses.push_back({std::string(tokens[name].text),
                             name + 1 == n ? std::string() : instance_text(tokens, name, n),
                             SourceLaunch{on_one_line(std::string_view(code_).substr(
                                              tokens[n].end(), tokens[end].at - tokens[n].end())),
                                          place_in_text(source_, tokens[name].at,
                                                        tokens[name].text.size(), file_name_)}});
    }
  }

  std::string_view source_;
  std::string code_;
  std::string file_name_;
  SourceStructure structure_;
  MarkerSet markers_;
  KernelFacts& facts_;
};

}  // namespace

void read_kernel_facts(std::string_view source, const std::string& file_name,
                       const MarkerSet& markers, KernelFacts& facts) {
  KernelReader(source, file_name, markers, facts).run();
}

std::vector<SourceKernel> joined(KernelFacts facts) {
  for (KernelFacts::Use& use : facts.uses) {
    for (SourceKernel& kernel : facts.kernels) {
      if (kernel.name != use.kernel) continue;
      if (use.launch) kernel.launches.push_back(*use.launch);
      const bool known = std::find(kernel.instances.begin(), kernel.instances.end(),
                                   use.instance) != kernel.instances.end();
      if (kernel.is_template && !use.instance.empty() && !known)
        kernel.instances.push_back(use.instance);
    }
  }
  return std::move(facts.kernels);
}

std::string SourceKernel::signature() const {
  std::string out = scope + name + "(";
  for (size_t n = 0; n < parameters.size(); ++n) {
    out += (n == 0 ? "" : ", ") + parameters[n].type;
    if (!parameters[n].name.empty()) out += " " + parameters[n].name;
  }
  return out + ")";
}

std::vector<SourceParameter> SourceKernel::parameters_of(std::string_view instance) const {
  const std::vector<std::string> arguments = template_arguments(instance);
  std::vector<SourceParameter> out = parameters;
  for (SourceParameter& parameter : out) {
    std::string type;
    for (size_t at = 0; at < parameter.type.size();) {
      size_t end = at;
      while (end < parameter.type.size() && is_word_character(parameter.type[end])) ++end;
      if (end == at) {
        type += parameter.type[at++];
        continue;
      }
      const std::string word = parameter.type.substr(at, end - at);
      const auto named = std::find(template_parameters.begin(), template_parameters.end(), word);
      const auto which = static_cast<size_t>(named - template_parameters.begin());
      const bool given = named != template_parameters.end() && which < arguments.size();
      type += given ? arguments[which] : word;
      at = end;
    }
    parameter.type = std::move(type);
  }
  return out;
}

std::vector<SourceKernel> kernels_of(std::string_view source, const std::string& file_name) {
  KernelFacts facts;
  KernelReader(source, file_name, {"__global__"}, facts).run();
  return joined(std::move(facts));
}

std::vector<SourceParameter> parameters_at(std::string_view code, size_t open,
                                           const std::string& file_name) {
  std::vector<SourceParameter> out;
  int depth = 0;
  size_t from = open + 1;
  for (size_t at = open; at < code.size(); ++at) {
    const char c = code[at];
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
    if (!(depth == 0 || (depth == 1 && c == ','))) continue;
    const std::string_view text = trimmed(code.substr(from, at - from));
    if (!text.empty() && text != "void") out.push_back(parameter_of(code, from, at, file_name));
    from = at + 1;
    if (depth == 0) break;
  }
  return out;
}

}  // namespace warpshop::compile
