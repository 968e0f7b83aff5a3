// Serves pages and the web edition from memory; a changed file is noticed at its next request.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "http.h"

namespace warpshop::serve {

class StaticFiles {
 public:
  // The response to GET or HEAD of the file, with an ETag, in the smallest encoding that the client
  // accepts: FILE.br and FILE.gz may lie beside FILE. 404 if there is none below `root`.
  Response get(const std::filesystem::path& root, std::string_view relative,
               const Request& request);

 private:
  struct Kept {
    std::filesystem::file_time_type time;
    uintmax_t size = 0;
    std::string etag;
    std::shared_ptr<const std::string> bytes;
  };
  const Kept* find(const std::filesystem::path& file);
  std::map<std::string, Kept> kept_;
};

// True for a relative path of plain names: not for "", "..", "a//b", "a/./b" and the like.
bool is_plain_path(std::string_view path);

}  // namespace warpshop::serve
