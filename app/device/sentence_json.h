// Sends sentences to another process as JSON that keeps their parts, so that the window at the
// other end can show them in its own language.
#pragma once

#include <nlohmann/json.hpp>

#include "core/sentence.h"

namespace warpshop::device {

// Untranslated text is a string; sentence() is {"text", "with": {placeholder: part}}, counted() is
// {"one", "more", "count", "with"}, a number is {"number"}, and the result of then() is a list.
nlohmann::json parts_of(const Sentence& sentence);

// Rebuilds the sentence `english` from its parts. If these do not produce exactly that text, or
// cannot be read, returns the text alone, so input from other programs does no harm.
Sentence sentence_from(std::string english, const nlohmann::json& parts);

}  // namespace warpshop::device
