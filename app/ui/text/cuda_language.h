// CUDA C++ for the editor and for code in the text: C++ with CUDA's qualifiers, types, built-in
// variables and functions. Source: CUDA C++ Programming Guide, "C++ Language Extensions".
// https://docs.nvidia.com/cuda/cuda-c-programming-guide/#c-language-extensions
#pragma once

#include <string_view>
#include <vector>

#include "TextEditor.h"
#include "window/theme.h"

namespace warpshop::ui {

const TextEditor::Language* cuda_language();
TextEditor::Palette editor_palette(const Theme& theme);

enum class CodeKind {
  kText,
  kKeyword,
  kType,
  kNumeral,
  kString,
  kComment,
  kPreprocessor,
  kBuiltin
};
struct CodeToken {
  std::string_view text;
  CodeKind kind = CodeKind::kText;
};
// One line. `in_comment` carries a comment over the line's end.
std::vector<CodeToken> tokenize_cuda(std::string_view line, bool& in_comment);
ImU32 color_of(CodeKind kind);

}  // namespace warpshop::ui
