// CUDA C++ for the editor and for code in the lab text: C++ with CUDA's qualifiers, types, built-in
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
// Splits one line. `in_comment` carries the state of a block comment from line to line.
std::vector<CodeToken> tokenize_cuda(std::string_view line, bool& in_comment);
ImU32 color_of(CodeKind kind);

}  // namespace warpshop::ui
