// Sentences on their way to another process, taken apart: the window at the other end says them in its own language.
#pragma once

#include <nlohmann/json.hpp>

#include "core/sentence.h"

namespace warpshop::device {

// A text that is the same in every language is a string; sentence() is {"text", "with": {place: part}}, counted()
// {"one", "more", "count", "with"}, a number {"number"}; what then() joined is a list.
nlohmann::json parts_of(const Sentence& sentence);

// A sentence that reads `english`, out of its parts; where these say something else, or nothing that can be read, the
// text alone. What other programs wrote does no harm.
Sentence sentence_from(std::string english, const nlohmann::json& parts);

}  // namespace warpshop::device
