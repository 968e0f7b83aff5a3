// Other names for actions, so that people find them by the word that they know.
#pragma once

#include <string_view>

namespace warpshop::ui {

// In English and in German at once: many know a program's words in both. "" for an action without
// any.
std::string_view search_words(std::string_view action_id);

}  // namespace warpshop::ui
