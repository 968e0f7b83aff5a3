// The students' files over HTTP: a version is an ETag, so that If-Match and If-None-Match mean what
// they mean everywhere.
#include <string>
#include <utility>

#include "api.h"
#include "api_answers.h"
#include "core/charconv.h"

namespace warpshop::serve {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMostVersion = int64_t{1} << 52;  // JavaScript's numbers are exact up to here

std::optional<int64_t> version_of(std::string_view text) {
  if (text.starts_with("W/")) text.remove_prefix(2);
  if (text.starts_with('"') && text.ends_with('"') && text.size() >= 2)
    text = text.substr(1, text.size() - 2);
  const std::optional<int64_t> version = parse_number<int64_t>(text);
  return version && *version >= 0 && *version <= kMostVersion ? version : std::nullopt;
}

Response bytes(int status, int64_t version, std::string content) {
  Response response;
  response.status = status;
  response.type = "application/octet-stream";
  response.headers.emplace_back("ETag", "\"" + std::to_string(version) + "\"");
  // A student's file is never a page of this server.
  response.headers.emplace_back("Content-Disposition", "attachment");
  response.body = std::move(content);
  return response;
}

Response failed(const Diagnostics& errors) {
  return problem(errors.front().kind == "disk-full" ? 507 : 500, errors.front().message);
}

Response put_answer(const Result<StudentFiles::Put>& outcome) {
  if (!outcome.ok()) return failed(outcome.errors());
  if (const auto* version = std::get_if<int64_t>(&outcome.value())) {
    Response response = json(200, {{"version", *version}});
    response.headers.emplace_back("ETag", "\"" + std::to_string(*version) + "\"");
    return response;
  }
  if (const auto* conflict = std::get_if<FileConflict>(&outcome.value())) {
    Response response = bytes(409, conflict->version, conflict->bytes);
    response.headers.emplace_back("X-Kept-As", std::to_string(conflict->kept_as));
    return response;
  }
  switch (std::get<FileRefused>(outcome.value())) {
    case FileRefused::kTooManyFiles:
      return problem(507, "you have too many files here");
    case FileRefused::kTooManyBytes:
      return problem(507, "your files here are too large");
    case FileRefused::kNotThere:
      break;
  }
  return problem(404, "no such file");
}

Json json_of(const std::vector<FileEntry>& entries) {
  Json out = Json::array();
  for (const FileEntry& entry : entries) {
    Json one = {
        {"path", entry.path}, {"size", entry.size}, {"version", entry.version}, {"at", entry.at}};
    if (!entry.kept.empty()) one["kept"] = entry.kept;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

void Api::list_files(const Caller& caller, Request&, const Reply& reply) {
  parts_.files->list(caller.session.student,
                     [reply](const Result<std::vector<FileEntry>>& entries) {
                       if (!entries.ok()) return reply(failed(entries.errors()));
                       reply(json(200, {{"files", json_of(*entries)}}));
                     });
}

void Api::file(const Caller& caller, Request& request, const Reply& reply) {
  const StudentId student = caller.session.student;
  const std::string path = request.path.substr(std::string_view("/api/files/").size());
  if (!is_file_path(path)) return reply(problem(422, "this path cannot be used"));
  if (request.method == "GET" || request.method == "HEAD") {
    return parts_.files->get(student, path, [reply](const Result<std::optional<FileText>>& text) {
      if (!text.ok()) return reply(failed(text.errors()));
      if (!text.value()) return reply(problem(404, "no such file"));
      reply(bytes(200, text.value()->version, text.value()->bytes));
    });
  }
  std::optional<int64_t> from;
  if (const std::string_view match = request.header("if-match"); !match.empty()) {
    from = version_of(match);
    if (!from) return reply(problem(400, "If-Match: a version is expected"));
  } else if (request.header("if-none-match") == "*") {
    from = 0;
  }
  const auto done = [reply](const Result<StudentFiles::Put>& outcome) {
    reply(put_answer(outcome));
  };
  if (request.method == "DELETE") return parts_.files->erase(student, path, from, done);
  parts_.files->put(student, path, from, std::move(request.body), done);
}

void Api::versions(const Caller& caller, Request& request, const Reply& reply) {
  const std::string path = request.path.substr(std::string_view("/api/versions/").size());
  if (!is_file_path(path)) return reply(problem(422, "this path cannot be used"));
  const std::string wanted = query_value(request.query, "version");
  if (wanted.empty()) {
    return parts_.files->versions(caller.session.student, path,
                                  [reply](const Result<std::vector<FileEntry>>& entries) {
                                    if (!entries.ok()) return reply(failed(entries.errors()));
                                    reply(json(200, {{"versions", json_of(*entries)}}));
                                  });
  }
  parts_.files->version(caller.session.student, path, version_of(wanted).value_or(0),
                        [reply](const Result<std::optional<FileText>>& text) {
                          if (!text.ok()) return reply(failed(text.errors()));
                          if (!text.value()) return reply(problem(404, "no such version"));
                          reply(bytes(200, text.value()->version, text.value()->bytes));
                        });
}

}  // namespace warpshop::serve
