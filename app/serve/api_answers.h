// Builds responses of the API and reads JSON from its requests.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "http.h"

namespace warpshop::serve {

Response json(int status, const nlohmann::json& body);
Response problem(int status, const std::string& message);  // {"message": …}
Response redirect(const std::string& relative);

// The request's JSON object; empty if it has none.
nlohmann::json body_of(const Request& request);
std::string text_in(const nlohmann::json& object, const char* key);  // empty: it has none
int64_t number_in(const nlohmann::json& object, const char* key);    // 0: it has none
std::string query_value(std::string_view query, std::string_view key);

}  // namespace warpshop::serve
