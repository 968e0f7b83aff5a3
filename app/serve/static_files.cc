#include "static_files.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/ascii.h"
#include "core/crc32.h"
#include "core/files.h"

namespace warpshop::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kTypes = {{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".wasm", "application/wasm"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".txt", "text/plain; charset=utf-8"},
    {".toml", "text/plain; charset=utf-8"},
    {".woff2", "font/woff2"},
    {".ttf", "font/ttf"},
    {".webmanifest", "application/manifest+json"},
    {".map", "application/json"},
    {".data", "application/octet-stream"},
}};

std::string_view type_of(const fs::path& file) {
  const std::string extension = file.extension().string();
  for (const auto& [end, type] : kTypes) {
    if (extension == end) return type;
  }
  return "application/octet-stream";
}

// "gzip, deflate;q=0, br": q=0 refuses.
bool accepts(std::string_view accepted, std::string_view encoding) {
  while (!accepted.empty()) {
    const size_t end = std::min(accepted.find(','), accepted.size());
    std::string_view item = accepted.substr(0, end);
    accepted.remove_prefix(std::min(end + 1, accepted.size()));
    while (item.starts_with(' ')) item.remove_prefix(1);
    const size_t name = std::min(item.find_first_of("; "), item.size());
    if (item.substr(0, name) != encoding) continue;
    const size_t q = item.find("q=");
    return q == item.npos || item.find_first_of("123456789", q) != item.npos;
  }
  return false;
}

// A name with a hash of its contents: lab.3f9a0c12.wasm. Such a file never changes.
bool is_hashed(std::string_view name) {
  for (size_t at = name.find('.'); at != name.npos; at = name.find('.', at + 1)) {
    const size_t end = name.find('.', at + 1);
    if (end == name.npos) return false;
    const std::string_view part = name.substr(at + 1, end - at - 1);
    if (part.size() >= 8 && std::all_of(part.begin(), part.end(), [](char c) {
          return is_digit(c) || (c >= 'a' && c <= 'f');
        }))
      return true;
  }
  return false;
}

}  // namespace

bool is_plain_path(std::string_view path) {
  if (path.empty() || path.size() > 1024) return false;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (part.empty() || part == "." || part == ".." || part.size() > 255) return false;
    at = end + 1;
  }
  return std::none_of(path.begin(), path.end(),
                      [](unsigned char c) { return c < 0x20 || c == 0x7f || c == '\\'; });
}

const StaticFiles::Kept* StaticFiles::find(const fs::path& file) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  if (error || !fs::is_regular_file(file, error)) return nullptr;
  const uintmax_t size = fs::file_size(file, error);
  if (error) return nullptr;
  Kept& kept = kept_[file.string()];
  if (kept.bytes && kept.time == time && kept.size == size) return &kept;
  Result<std::string> bytes = read_file(file);
  if (!bytes.ok()) {
    kept_.erase(file.string());
    return nullptr;
  }
  char etag[40];
  std::snprintf(etag, sizeof etag, "\"%zx-%08x\"", bytes->size(),
                static_cast<unsigned>(crc32(*bytes)));
  kept = {time, size, etag, std::make_shared<const std::string>(std::move(*bytes))};
  return &kept;
}

Response StaticFiles::get(const fs::path& root, std::string_view relative, const Request& request) {
  const Response none = {.status = 404, .body = R"({"message":"no such file"})"};
  if (!is_plain_path(relative)) return none;
  const fs::path file = root / fs::path(relative);
  const Kept* kept = find(file);
  if (kept == nullptr) return none;
  Response out;
  out.type = type_of(file);
  const std::string_view accepted = request.header("accept-encoding");
  for (const auto& [encoding, end] : {std::pair("br", ".br"), std::pair("gzip", ".gz")}) {
    if (!accepts(accepted, encoding)) continue;
    const Kept* smaller = find(fs::path(file.string() + end));
    if (smaller == nullptr) continue;
    kept = smaller;
    out.headers.emplace_back("Content-Encoding", encoding);
    break;
  }
  out.headers.emplace_back("Vary", "Accept-Encoding");
  out.headers.emplace_back("ETag", kept->etag);
  out.headers.emplace_back("Cache-Control", is_hashed(file.filename().string())
                                                ? "public, max-age=31536000, immutable"
                                                : "no-cache");
  if (request.header("if-none-match").find(kept->etag) != std::string_view::npos) {
    out.status = 304;
    return out;
  }
  out.shared = kept->bytes;
  return out;
}

}  // namespace warpshop::serve
