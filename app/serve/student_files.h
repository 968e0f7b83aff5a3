// Stores the students' data folders: files with versions, so that two browsers of one student, or
// one that was offline, overwrite nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/result.h"
#include "members.h"
#include "store.h"

namespace warpshop::serve {

struct FileLimits {
  size_t file_bytes = size_t{1} << 20;
  size_t student_bytes = size_t{20} << 20;  // and once more for older versions
  int64_t student_files = 2000;
};

struct FileEntry {
  std::string path;
  int64_t size = 0;
  int64_t version = 0;  // 1, 2, … per path; goes on after a deletion
  int64_t at = 0;       // seconds since 1970
  std::string kept;     // of an older version: "replaced", "conflict", "deleted"
};

struct FileText {
  int64_t version = 0;
  std::string bytes;
};

// The file has another version than the one the browser started from. The browser's text is kept as
// version `kept_as`.
struct FileConflict {
  int64_t version = 0;
  int64_t kept_as = 0;  // 0: there was no text
  std::string bytes;
};

enum class FileRefused { kTooManyFiles, kTooManyBytes, kNotThere };

class StudentFiles {
 public:
  StudentFiles(Store& store, const FileLimits& limits) : store_(store), limits_(limits) {}

  template <typename Value>
  using Done = std::function<void(Result<Value>)>;
  void list(StudentId student, Done<std::vector<FileEntry>> done);
  void get(StudentId student, const std::string& path, Done<std::optional<FileText>> done);
  // `from`: the version that the text was based on; 0: the file is new; no value: replace any
  // version, which is then kept as an older one. Returns the new version, or the reason against it.
  using Put = std::variant<int64_t, FileConflict, FileRefused>;
  void put(StudentId student, const std::string& path, std::optional<int64_t> from,
           std::string bytes, Done<Put> done);
  void erase(StudentId student, const std::string& path, std::optional<int64_t> from,
             Done<Put> done);
  void versions(StudentId student, const std::string& path, Done<std::vector<FileEntry>> done);
  void version(StudentId student, const std::string& path, int64_t version,
               Done<std::optional<FileText>> done);

 private:
  Store& store_;
  const FileLimits limits_;
};

// True for a path that is valid in the browser's file system and in a real one: relative, UTF-8,
// without control characters, at most 8 folders deep.
bool is_file_path(const std::string& path);

}  // namespace warpshop::serve
