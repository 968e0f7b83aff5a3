#include "context.h"

#include <algorithm>
#include <cstdio>

namespace warpshop::ptx {

Context::Context(std::string_view source, const std::string& name, Module& target,
                 Diagnostics& module_diagnostics)
    : text(source),
      file(name),
      tokens(tokens_from(source, file, module_diagnostics)),
      module(target),
      diagnostics(module_diagnostics) {}

const Token& Context::token(size_t ahead) const {
  return tokens[std::min(position + ahead, tokens.size() - 1)];
}

bool Context::accept(char mark) {
  if (!at(mark)) return false;
  advance();
  return true;
}

bool Context::accept(std::string_view word) {
  if (!token().is(word)) return false;
  advance();
  return true;
}

bool Context::expect(char mark, std::string_view what_for) {
  if (accept(mark)) return true;
  return fail("expected '" + std::string(1, mark) + "' " + std::string(what_for) + ", found " +
              shown(token()));
}

bool Context::fail(std::string message, std::string help) {
  return fail_at(token(), std::move(message), std::move(help));
}

bool Context::fail_at(const Token& where, std::string message, std::string help) {
  Diagnostics& list = function != nullptr ? function->problems : diagnostics;
  if (list.size() >= kMostProblems) return false;
  const size_t length = std::min<size_t>(where.text.size(), 80);
  list.push_back(make_error_at({file, where.line, where.column, static_cast<int>(length)}, "ptx",
                               std::move(message), std::move(help)));
  return false;
}

void Context::note_at(const Token& where, std::string message) {
  if (diagnostics.size() >= kMostProblems) return;
  const size_t length = std::min<size_t>(where.text.size(), 80);
  diagnostics.push_back({Severity::kNote,
                         "ptx",
                         {file, where.line, where.column, static_cast<int>(length)},
                         std::move(message),
                         ""});
}

void Context::skip_statement() {
  int depth = 0;
  for (; !at_end(); advance()) {
    if (at('{')) ++depth;
    if (at('}') && depth-- == 0) return;
    if (at(';') && depth == 0) {
      advance();
      return;
    }
  }
}

void Context::skip_unknown_directive() {
  int depth = 0;
  int line_at = token().line;
  for (advance(); !at_end(); advance()) {
    if (depth == 0 && (token().line != line_at && !at('{'))) return;
    if (at('}') && depth == 0) return;
    if (at('{')) ++depth;
    if (at('}') && --depth == 0) {
      advance();
      return;
    }
    if (at(';') && depth == 0) {
      advance();
      return;
    }
    line_at = token().line;
  }
}

void Context::skip_braces() {
  int depth = 0;
  for (; !at_end(); advance()) {
    if (at('{')) ++depth;
    if (at('}') && --depth <= 0) {
      advance();
      return;
    }
  }
}

std::string shown(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end of the text";
  std::string out = "'";
  for (char c : token.text.substr(0, 40)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned>(byte));
      out += escaped;
    }
  }
  return out + (token.text.size() > 40 ? "…'" : "'");
}

}  // namespace warpshop::ptx
