#include "run/debug_build.h"

#include <algorithm>
#include <set>

#include "core/ascii.h"
#include "core/cpp_text.h"

namespace warpshop::lab {
namespace {

constexpr std::string_view kProbe = "warpshop_shape_";

struct Declaration {
  std::vector<std::string> names;
  size_t end = 0;  // after its ';'; 0: none
};

// Parses the declaration after `__shared__` at `at`.
Declaration declaration_at(std::string_view text, size_t at) {
  Declaration out;
  int brackets = 0, angles = 0;  // depth; '<' inside brackets is an operator
  std::string word;
  bool initial = false;  // after '=': no names until the next ','
  while (at < text.size()) {
    if (const size_t past = past_unread(text, at); past != at) {
      at = past;
      continue;
    }
    const char c = text[at];
    const bool outside = brackets == 0 && angles == 0;
    if (is_word_character(c)) {
      size_t end = at;
      while (end < text.size() && is_word_character(text[end])) ++end;
      if (outside && !initial) word = text.substr(at, end - at);
      at = end;
      continue;
    }
    if (std::string_view("[,;=").find(c) != std::string_view::npos && outside && !word.empty()) {
      out.names.push_back(std::exchange(word, ""));
    }
    if (c == '=' && outside) initial = true;
    if (c == ',' && outside) initial = false;
    if (c == ';' && brackets == 0) {
      out.end = at + 1;
      return out;
    }
    if (std::string_view("[({").find(c) != std::string_view::npos) ++brackets;
    if (std::string_view("])}").find(c) != std::string_view::npos && --brackets < 0) return out;
    if (brackets == 0 && !initial) angles += c == '<' ? 1 : c == '>' && angles > 0 ? -1 : 0;
    ++at;
  }
  return out;
}

SharedShape shape_of(const ptx::DebugInfo& info, std::string name, int type) {
  SharedShape out;
  out.name = std::move(name);
  while (type >= 0 && info.types[static_cast<size_t>(type)].kind == ptx::DebugType::Kind::kArray) {
    const ptx::DebugType& array = info.types[static_cast<size_t>(type)];
    out.counts.insert(out.counts.end(), array.counts.begin(), array.counts.end());
    type = array.element;
  }
  if (type < 0) return out;
  const ptx::DebugType& element = info.types[static_cast<size_t>(type)];
  out.element = element.name;
  out.scalar = element.scalar;
  out.element_bytes = element.size_bytes;
  return out;
}

std::vector<SharedShape> shapes_of(const ptx::DebugInfo& info) {
  std::vector<SharedShape> out;
  std::set<std::string> known;
  for (const ptx::DebugFunction& function : info.functions) {
    for (const ptx::DebugVariable& v : function.variables) {
      if (!v.name.starts_with(kProbe) || v.type < 0) continue;
      const ptx::DebugType& pointer = info.types[static_cast<size_t>(v.type)];
      std::string name = v.name.substr(kProbe.size());
      if (pointer.element < 0 || !known.insert(name).second) continue;
      out.push_back(shape_of(info, std::move(name), pointer.element));
    }
  }
  return out;
}

}  // namespace

std::string with_shape_probes(std::string_view source) {
  std::string out;
  int depth = 0;  // of braces: a declaration outside functions gets no companion
  size_t at = 0;
  while (at < source.size()) {
    if (const size_t past = past_unread(source, at); past != at) {
      out += source.substr(at, past - at);
      at = past;
      continue;
    }
    const char c = source[at];
    if (!is_word_character(c)) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      out += c;
      ++at;
      continue;
    }
    size_t end = at;
    while (end < source.size() && is_word_character(source[end])) ++end;
    if (depth > 0 && source.substr(at, end - at) == "__shared__") {
      if (const Declaration d = declaration_at(source, end); d.end > 0) {
        out += source.substr(at, d.end - at);
        for (const std::string& name : d.names)
          out += " decltype(" + name + ")* " + std::string(kProbe) + name + ";";
        at = d.end;
        continue;
      }
    }
    out += source.substr(at, end - at);
    at = end;
  }
  return out;
}

Result<DebugBuild> build_debug(const compile::Compiler& compiler, compile::CompileInput input,
                               const std::string& kernel) {
  input.options.emplace_back("--device-debug");
  const std::string plain = input.source;
  input.source = with_shape_probes(plain);
  Result<CompiledFilePtr> file = compile_cuda(compiler, input);
  if (!file.ok() && input.source != plain) {
    input.source = plain;  // a declaration was misparsed: names without shapes are better than none
    file = compile_cuda(compiler, input);
  }
  if (!file.ok()) return file.errors();
  Result<CompiledKernel> found = find_kernel(*file, kernel);
  if (!found.ok()) return found.errors();
  DebugBuild out{std::move(*found), ptx::read_debug_info((*file)->ptx, *(*file)->module), {}};
  out.shapes = shapes_of(out.info);
  for (ptx::DebugFunction& function : out.info.functions) {
    std::erase_if(function.variables,
                  [](const ptx::DebugVariable& v) { return v.name.starts_with(kProbe); });
  }
  return out;
}

}  // namespace warpshop::lab
