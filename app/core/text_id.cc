#include "core/text_id.h"

#include <cstdio>

namespace warpshop {

uint64_t text_hash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string text_id(std::string_view text) {
  char out[40];
  std::snprintf(out, sizeof out, "%016llx-%zx", static_cast<unsigned long long>(text_hash(text)),
                text.size());
  return out;
}

}  // namespace warpshop
