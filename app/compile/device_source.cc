#include "compile/device_source.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "core/files.h"
#include "declarations.h"
#include "headers.h"
#include "source_kernels.h"

namespace warpshop::compile {
namespace {

namespace fs = std::filesystem;
using Kind = Declaration::Kind;
using Reason = LeftOut::Why;

// Stops headers that include each other endlessly, and input that is not a program.
constexpr size_t kMostHeaders = 1000;
constexpr size_t kMostSourceBytes = size_t{32} << 20;
constexpr int kDeepestInclude = 100;

bool keeps_conditional(std::string_view directive) {
  const std::string_view name = directive_name(directive);
  return name.starts_with("if") || name.starts_with("el") || name == "endif" || name == "define" ||
         name == "undef";
}

// The range with everything blanked except line ends, conditionals and macros.
std::string blanked(std::string_view stretch) {
  std::string text(stretch);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c == '\n' ? '\n' : ' '; });
  for (const CudaToken& token : cuda_tokens(stretch)) {
    if (token.kind != TokenKind::kDirective || !keeps_conditional(token.text)) continue;
    std::copy(token.text.begin(), token.text.end(),
              text.begin() + static_cast<ptrdiff_t>(token.at));
  }
  return text;
}

// A range of a file that the compiler should see differently.
struct Edit {
  size_t at = 0, length = 0;
  std::optional<std::string> text;  // none: blank
};

bool launches_kernels(const std::vector<CudaToken>& tokens, size_t first, size_t last) {
  return std::any_of(tokens.begin() + static_cast<ptrdiff_t>(first),
                     tokens.begin() + static_cast<ptrdiff_t>(last),
                     [](const CudaToken& token) { return token.is("<<<"); });
}

bool is_texture_reference(const std::vector<CudaToken>& tokens, size_t first) {
  if (tokens[first].is("static")) ++first;
  return first + 1 < tokens.size() &&
         (tokens[first].is("texture") || tokens[first].is("surface")) && tokens[first + 1].is("<");
}

class Cutter {
 public:
  explicit Cutter(const HeaderPath& path)
      : path_(path),
        markers_({"__global__", "__device__", "__constant__", "__shared__", "__managed__"}) {
    for (const char* macro :
         {"_CCCL_DEVICE", "_CCCL_HOST_DEVICE", "_CCCL_API", "_CCCL_DEVICE_API", "__hostdev__"})
      markers_.insert(macro);
  }

  DeviceSource run(std::string_view source, const std::string& file_name) {
    learn_macros(cuda_tokens(source), path_.folder);
    add_file(source, file_name, path_.folder, 0);
    settle_standard(file_name);
    out_.kernel_macros = std::move(facts_.macros);
    out_.kernels = joined(std::move(facts_));
    return std::move(out_);
  }

 private:
  // A file being read.
  struct File {
    std::string_view source;
    std::string name;
    fs::path folder;
    int depth = 0;
    SourceStructure structure;
    std::vector<Edit> edits = {};
    std::vector<DeviceSource::Doubtful> doubtful = {};  // offsets in this file
    std::vector<DeviceSource::Doubtful> standard = {};  // likewise
    // offsets of everything that is not a scope
    std::vector<std::pair<size_t, size_t>> declarations = {};
    std::vector<size_t> lines = {};  // offsets of their starts

    SourcePlace place(size_t at) const {
      const auto line = std::upper_bound(lines.begin(), lines.end(), at) - 1;
      return {name, static_cast<int>(line - lines.begin()) + 1, static_cast<int>(at - *line) + 1,
              0};
    }
  };

  void add_file(std::string_view source, const std::string& file_name, const fs::path& folder,
                int depth) {
    File file{source, file_name, folder, depth, SourceStructure(source)};
    file.lines.push_back(0);
    for (size_t at = source.find('\n'); at != std::string_view::npos;
         at = source.find('\n', at + 1))
      file.lines.push_back(at + 1);
    bytes_ += source.size();
    read_scope(file, 0, file.structure.tokens().size(), 0, false);
    read_kernel_facts(source, file_name, kernel_markers_, facts_);
    write(file);
  }

  // Learns the macros of a file and of the program headers it includes, which may mark later
  // declarations.
  void learn_macros(const std::vector<CudaToken>& tokens, const fs::path& folder) {
    for (const CudaToken& token : tokens) {
      if (token.kind != TokenKind::kDirective) continue;
      const std::string_view directive = directive_name(token.text);
      if (directive == "define") {
        const std::vector<CudaToken> words = cuda_tokens(token.text.substr(1));
        if (words.size() < 2) continue;
        macros_.insert(std::string(words[1].text));
        const auto braces = [&](std::string_view brace) {
          return std::count_if(words.begin(), words.end(),
                               [&](const CudaToken& word) { return word.is(brace); });
        };
        if (braces("{") != braces("}")) macros_have_braces_ = true;
        for (MarkerSet* set : {&markers_, &kernel_markers_}) {
          const bool marks =
              std::any_of(words.begin() + 2, words.end(),
                          [&](const CudaToken& word) { return set->count(word.text) != 0; });
          if (marks) set->insert(std::string(words[1].text));
        }
      } else if (directive == "include") {
        const FoundHeader found = find_header(include_of(token.text), folder, path_);
        if (found.kind != FoundHeader::Kind::kProgram ||
            !learned_.insert(found.path.lexically_normal()).second)
          continue;
        if (learned_.size() > kMostHeaders || learned_bytes_ > kMostSourceBytes) continue;
        const Result<std::string> text = read_file(found.path);
        if (!text.ok()) continue;
        learned_bytes_ += text->size();
        learn_macros(cuda_tokens(*text), found.path.parent_path());
      }
    }
  }

  bool is_marked(const File& file, size_t first, size_t last) const {
    const std::vector<CudaToken>& tokens = file.structure.tokens();
    return std::any_of(tokens.begin() + static_cast<ptrdiff_t>(first),
                       tokens.begin() + static_cast<ptrdiff_t>(last), [&](const CudaToken& token) {
                         return token.kind == TokenKind::kName && markers_.count(token.text) != 0;
                       });
  }

  void read_scope(File& file, size_t at, size_t end, int depth, bool in_class) {
    if (depth > kDeepestScope) return;
    const std::vector<CudaToken>& tokens = file.structure.tokens();
    while (at < end) {
      if (tokens[at].is(";")) {
        ++at;
        continue;
      }
      if (in_class && at + 1 < end && tokens[at + 1].is(":") &&
          (tokens[at].is("public") || tokens[at].is("private") || tokens[at].is("protected"))) {
        at += 2;
        continue;
      }
      const Declaration d = file.structure.read(at, end, in_class);
      // The compiler says what is wrong with a statement here, which is no part of the host's code
      // either. Braces of macros only seem to close nothing.
      if (!in_class && file.structure.is_statement(d) &&
          !(tokens[at].is("}") && macros_have_braces_)) {
        at = d.last;
        continue;
      }
      if (d.kind == Kind::kScope) {
        read_scope(file, d.body_first, d.body_last, depth + 1, false);
      } else {
        read_declaration(file, d, depth, in_class);
      }
      at = d.last;
    }
  }

  void read_declaration(File& file, const Declaration& d, int depth, bool in_class) {
    const std::vector<CudaToken>& tokens = file.structure.tokens();
    const size_t from = tokens[d.first].at;
    const size_t to = file.structure.end_offset(d);
    if (!in_class) file.declarations.emplace_back(from, to);
    // A # inside of a line is no C++: without what stands before it, it would become a directive.
    const auto end = tokens.begin() + static_cast<ptrdiff_t>(std::min(d.last + 1, tokens.size()));
    if (std::any_of(tokens.begin() + static_cast<ptrdiff_t>(d.first), end,
                    [](const CudaToken& token) { return token.is("#"); }))
      return;
    const std::string name = d.name == kNoToken ? std::string() : std::string(tokens[d.name].text);
    // The contents of a function's body do not tell what side the function is for.
    const size_t head = d.kind == Kind::kFunction && d.parameters != kNoToken
                            ? file.structure.closing(d.parameters, d.last)
                            : d.last;
    const bool marked = is_marked(file, d.first, head);
    const auto part = [&](Reason why) {
      return LeftOut{why, name, file.place(from), file.place(to > from ? to - 1 : to).line};
    };
    const auto cut = [&](Reason why) {
      file.edits.push_back({from, to - from, std::nullopt});
      if (!in_class) out_.left_out.push_back(part(why));
    };
    const auto doubt = [&](Reason why = Reason::kNotForGpu) {
      if (!in_class) file.doubtful.push_back({from, to - from, part(why)});
    };
    switch (d.kind) {
      case Kind::kFunction:
        if (marked) {
          device_functions_.insert(name);
          if (launches_kernels(tokens, head, d.last)) doubt(Reason::kLaunchesKernels);
        } else if (d.is_constexpr || d.is_defaulted || is_for_a_trait(tokens, d, in_class)) {
          doubt();
        } else if (!(d.is_instantiation && device_functions_.count(name) != 0)) {
          cut(Reason::kHostFunction);
        }
        break;
      case Kind::kVariable:
        if (marked || in_class) break;
        if (d.is_constant) {
          doubt();
        } else {
          cut(is_texture_reference(tokens, d.first) ? Reason::kTextureReference
                                                    : Reason::kHostVariable);
        }
        break;
      case Kind::kMacroCall:
        if (markers_.count(name) != 0) break;
        if (macros_.count(name) != 0) {
          doubt();
        } else {
          cut(Reason::kHostFunction);
        }
        break;
      case Kind::kClass:
        read_scope(file, d.body_first, d.body_last, depth + 1, true);
        if (!marked) doubt();
        break;
      case Kind::kOther:
        if (!marked) doubt();
        break;
      case Kind::kScope:
        break;
    }
  }

  // True for a function template without a body, whose only use may be in decltype or sizeof:
  //   template <class C> static yes test(decltype(&C::apply));
  //   template <class C> static no test(...);
  // A member that does not compile would take its class with it, so it must not be able to object
  // and may name nothing of std that is for the host.
  static bool is_for_a_trait(const std::vector<CudaToken>& tokens, const Declaration& d,
                             bool in_class) {
    if (!d.is_template || d.is_friend || d.last == 0 || !tokens[d.last - 1].is(";")) return false;
    if (!in_class) return true;
    bool is_static = false;
    for (size_t at = d.first; at + 2 < d.last; ++at) {
      is_static = is_static || tokens[at].is("static");
      if (tokens[at].is("std") && tokens[at + 1].is("::") &&
          standard_header_of(tokens[at + 2].text).empty())
        return false;
    }
    return is_static;
  }

  // Handles headers between declarations; those inside one are left to the compiler.
  void read_headers(File& file) {
    for (const CudaToken& token : file.structure.all()) {
      if (token.kind != TokenKind::kDirective) continue;
      const std::string_view directive = directive_name(token.text);
      if (directive == "pragma" && token.text.find("once") != std::string_view::npos) {
        if (file.depth > 0) file.edits.push_back({token.at, token.text.size(), std::nullopt});
        continue;
      }
      if (directive != "include" && directive != "include_next" && directive != "import") continue;
      const IncludeDirective include = include_of(token.text);
      if (include.name.empty()) continue;
      const bool inside = std::any_of(
          file.declarations.begin(), file.declarations.end(),
          [&](const auto& range) { return range.first < token.at && token.at < range.second; });
      const FoundHeader found = find_header(include, file.folder, path_);
      const auto leave_out = [&](Reason why) {
        file.edits.push_back({token.at, token.text.size(), std::nullopt});
        const LeftOut out{why, include.name, file.place(token.at), file.place(token.at).line};
        const bool known = std::any_of(
            out_.left_out.begin(), out_.left_out.end(),
            [&](const LeftOut& other) { return other.why == why && other.name == include.name; });
        if (!known) out_.left_out.push_back(out);
      };
      switch (found.kind) {
        case FoundHeader::Kind::kLibrary:
          included_.insert(include.name);
          break;
        case FoundHeader::Kind::kStandard:
          included_.insert(include.name);
          file.standard.push_back({token.at, token.text.size(), {}});
          break;
        case FoundHeader::Kind::kHost:
          leave_out(Reason::kHostHeader);
          break;
        case FoundHeader::Kind::kMissing:
          leave_out(Reason::kMissingHeader);
          break;
        case FoundHeader::Kind::kProgram:
          if (!inside)
            file.edits.push_back(
                {token.at, token.text.size(), found.path.string() + '\n' + include.name});
          break;
      }
    }
  }

  // Appends the file to the output, with its own headers inlined where they are included.
  void write(File& file) {
    read_headers(file);
    std::stable_sort(file.edits.begin(), file.edits.end(),
                     [](const Edit& a, const Edit& b) { return a.at < b.at; });
    std::vector<std::pair<size_t, size_t>> moved;  // (offset in the file, offset in the output)
                                                   // from there on
    size_t at = 0;
    const auto copy = [&](size_t to) {
      if (to <= at) return;
      moved.emplace_back(at, out_.text.size());
      out_.text += file.source.substr(at, to - at);
      at = to;
    };
    for (const Edit& edit : file.edits) {
      if (edit.at < at) continue;  // inside something left out
      copy(edit.at);
      at = edit.at + edit.length;
      if (edit.text) {
        add_header(file, edit);
      } else {
        moved.emplace_back(edit.at, out_.text.size());
        out_.text += blanked(file.source.substr(edit.at, edit.length));
      }
    }
    copy(file.source.size());
    const auto place = [&](std::vector<DeviceSource::Doubtful>& parts,
                           std::vector<DeviceSource::Doubtful>& to) {
      for (DeviceSource::Doubtful& part : parts) {
        const auto stretch =
            std::upper_bound(moved.begin(), moved.end(), part.at,
                             [](size_t offset, const auto& m) { return offset < m.first; });
        if (stretch == moved.begin()) continue;
        part.at = std::prev(stretch)->second + (part.at - std::prev(stretch)->first);
        to.push_back(std::move(part));
      }
    };
    place(file.doubtful, out_.doubtful);
    place(file.standard, standard_);
  }

  void add_header(const File& file, const Edit& edit) {
    const size_t split = edit.text->find('\n');
    const fs::path path = edit.text->substr(0, split);
    const std::string name = edit.text->substr(split + 1);
    std::error_code error;
    const fs::path known_as = fs::weakly_canonical(path, error);
    if (once_.count(known_as) != 0) return;
    Result<std::string> text = read_file(path);
    if (!text.ok() || file.depth >= kDeepestInclude || ++headers_ > kMostHeaders ||
        bytes_ > kMostSourceBytes || text->find('\0') != std::string::npos) {
      out_.text += file.source.substr(edit.at, edit.length);
      return;
    }
    // A header that guards itself, by any means, contributes nothing when included recursively.
    if (std::find(open_.begin(), open_.end(), known_as) != open_.end()) return;
    if (has_pragma_once(*text)) once_.insert(known_as);
    open_.push_back(known_as);
    out_.text += "#line 1 \"" + name + "\"\n";
    const auto kept = std::make_shared<std::string>(std::move(*text));
    add_file(*kept, name, path.parent_path(), file.depth + 1);
    open_.pop_back();
    const int line = file.place(edit.at + edit.length).line;
    out_.text += "\n#line " + std::to_string(line + 1) + " \"" + file.name + "\"";
  }

  static bool has_pragma_once(std::string_view text) {
    for (const CudaToken& token : cuda_tokens(text)) {
      if (token.kind == TokenKind::kDirective && directive_name(token.text) == "pragma" &&
          token.text.find("once") != std::string_view::npos)
        return true;
    }
    return false;
  }

  // libcu++ takes seconds to compile, so leave out its stand-ins if device code uses no name from
  // std. Otherwise add what nvcc has without an include.
  void settle_standard(const std::string& file_name) {
    const std::vector<CudaToken> tokens = cuda_tokens(out_.text);
    bool used = false;
    std::set<std::string_view> missing;
    for (size_t n = 0; n + 2 < tokens.size(); ++n) {
      if (!tokens[n].is("std") || !tokens[n + 1].is("::") ||
          (n >= 2 && tokens[n - 1].is("::") && tokens[n - 2].is("cuda")))
        continue;
      used = true;
      const std::string_view header = standard_header_of(tokens[n + 2].text);
      if (!header.empty() && included_.count(header) == 0) missing.insert(header);
    }
    if (!used) {
      for (const DeviceSource::Doubtful& include : standard_) {
        out_.text.replace(include.at, include.length,
                          blanked(std::string_view(out_.text).substr(include.at, include.length)));
      }
    }
    if (missing.empty()) return;
    std::string includes;
    for (const std::string_view header : missing)
      includes += "#include <" + std::string(header) + ">\n";
    includes += "#line 1 \"" + file_name + "\"\n";
    out_.text.insert(0, includes);
    for (DeviceSource::Doubtful& part : out_.doubtful) part.at += includes.size();
  }

  const HeaderPath& path_;
  MarkerSet markers_;  // of everything for the GPU
  MarkerSet kernel_markers_ = {"__global__"};
  std::set<std::string, std::less<>> macros_;
  bool macros_have_braces_ = false;  // that they do not close themselves
  std::set<std::string, std::less<>> device_functions_;
  std::set<fs::path> once_;
  std::vector<fs::path> open_;
  std::vector<DeviceSource::Doubtful> standard_;
  std::set<std::string, std::less<>> included_;  // of libraries and the standard
  KernelFacts facts_;
  std::set<fs::path> learned_;
  size_t learned_bytes_ = 0;
  size_t headers_ = 0;
  size_t bytes_ = 0;
  DeviceSource out_;
};

// True if a function of ours and one of libcu++, seen through `using namespace std`, match a call.
// In the host's library both are the same function.
bool has_two_of_a_function(const Diagnostics& errors) {
  return std::any_of(errors.begin(), errors.end(), [](const Diagnostic& error) {
    const std::string message = error.message.english();
    return message.find("more than one instance of overloaded function") != std::string::npos &&
           message.find("cuda::std::") != std::string::npos;
  });
}

bool uses_namespace_std(std::string_view declaration) {
  const std::vector<CudaToken> tokens = cuda_tokens(declaration);
  return tokens.size() > 2 && tokens[0].is("using") && tokens[1].is("namespace") &&
         tokens[2].is("std");
}

}  // namespace

DeviceSource device_source(std::string_view source, const std::string& file_name,
                           const HeaderPath& path) {
  return Cutter(path).run(source, file_name);
}

bool leave_out_refused(DeviceSource& source, const Diagnostics& errors) {
  const bool two = has_two_of_a_function(errors);
  const auto text_of = [&](const DeviceSource::Doubtful& part) {
    return std::string_view(source.text).substr(part.at, part.length);
  };
  const auto has_error = [&](const DeviceSource::Doubtful& part) {
    if (two && uses_namespace_std(text_of(part))) return true;
    return std::any_of(errors.begin(), errors.end(), [&](const Diagnostic& error) {
      return error.severity == Severity::kError && error.place.file == part.left_out.place.file &&
             error.place.line >= part.left_out.place.line &&
             error.place.line <= part.left_out.last_line;
    });
  };
  // The compiler may give up after the first of many calls of one macro.
  std::set<std::string> macros;
  for (const DeviceSource::Doubtful& part : source.doubtful) {
    if (has_error(part) && text_of(part).starts_with(part.left_out.name + "("))
      macros.insert(part.left_out.name);
  }
  const auto refused = [&](const DeviceSource::Doubtful& part) {
    return has_error(part) || macros.count(part.left_out.name) != 0;
  };
  const auto first = std::stable_partition(source.doubtful.begin(), source.doubtful.end(),
                                           [&](const auto& part) { return !refused(part); });
  if (first == source.doubtful.end()) return false;
  for (auto part = first; part != source.doubtful.end(); ++part) {
    source.text.replace(part->at, part->length,
                        blanked(std::string_view(source.text).substr(part->at, part->length)));
    source.left_out.push_back(part->left_out);
  }
  source.doubtful.erase(first, source.doubtful.end());
  return true;
}

Diagnostic LeftOut::diagnostic() const {
  Diagnostic out = make_error_at(place, "left-out", {});
  out.severity = why == Reason::kMissingHeader ? Severity::kWarning : Severity::kNote;
  switch (why) {
    case Reason::kHostFunction:
      out.message = sentence(
          "'{name}' is left out: without __global__ or __device__ it is host code (to line {line})",
          {{"name", name}, {"line", last_line}});
      break;
    case Reason::kHostVariable:
      out.message = sentence(
          "the variable '{name}' is left out: it lives on the host, where kernels cannot read it",
          {{"name", name}});
      break;
    case Reason::kLaunchesKernels:
      out.message = sentence(
          "'{name}' is left out: it launches a kernel on the GPU, and dynamic parallelism is "
          "unsupported (to line {line})",
          {{"name", name}, {"line", last_line}});
      break;
    case Reason::kTextureReference:
      out.message =
          sentence("the texture reference '{name}' is left out: CUDA has had none since version 12",
                   {{"name", name}});
      out.help = sentence("pass a texture object, cudaTextureObject_t, to the kernel");
      break;
    case Reason::kHostHeader:
      out.message =
          sentence("the header {name} is left out: it is for host code", {{"name", name}});
      break;
    case Reason::kMissingHeader:
      out.message = sentence("the header {name} is left out: it was not found", {{"name", name}});
      out.help = sentence(
          "if kernels need it, put it next to the file, or add its folder with the compiler option "
          "-IFOLDER");
      break;
    case Reason::kNotForGpu:
      out.message = sentence(
          "'{name}' is left out: it does not compile for the GPU, and nothing marks it as device "
          "code (to line {line})",
          {{"name", name}, {"line", last_line}});
      break;
  }
  return out;
}

}  // namespace warpshop::compile
