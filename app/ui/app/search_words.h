// Synonyms for actions, so that people can search for the word they know.
#pragma once

#include <string>
#include <string_view>

namespace warpshop::ui {

// In English and German together, since many people know
// a program's terms in both. "" if an action has none.
std::string search_words(std::string_view action_id);

}  // namespace warpshop::ui
