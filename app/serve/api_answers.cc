#include "api_answers.h"

#include <algorithm>

#include "core/json_text.h"

namespace warpshop::serve {

using Json = nlohmann::json;

Response json(int status, const Json& body) {
  Response response;
  response.status = status;
  response.body = json_text(body);
  return response;
}

Response problem(int status, const std::string& message) {
  return json(status, {{"message", message}});
}

Response redirect(const std::string& relative) {
  Response response;
  response.status = 302;
  response.headers.emplace_back("Location", relative);
  return response;
}

Json body_of(const Request& request) {
  // Ours are flat: a deep one would take the stack.
  bool deep = false;
  Json out = Json::parse(
      request.body,
      [&](int depth, Json::parse_event_t, Json&) {
        deep = deep || depth > 4;
        return !deep;
      },
      false);
  return deep || !out.is_object() ? Json::object() : out;
}

std::string text_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

int64_t number_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

std::string query_value(std::string_view query, std::string_view key) {
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    std::string value;
    if (pair.size() > key.size() && pair.starts_with(key) && pair[key.size()] == '=' &&
        decode_percent(pair.substr(key.size() + 1), value))
      return value;
  }
  return {};
}

}  // namespace warpshop::serve
