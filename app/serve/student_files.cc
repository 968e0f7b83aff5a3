#include "student_files.h"

#include <algorithm>
#include <utility>

#include "core/utf8.h"
#include "static_files.h"

namespace warpshop::serve {
namespace {

constexpr auto kDeepest = 8;
constexpr size_t kMostPathBytes = 240;
// Typing saves every second: keep one of these versions per minute.
constexpr int64_t kBetweenVersions_s = 60;
constexpr int64_t kMostVersions = 40;  // of a file

struct Current {
  int64_t version = 0;
  int64_t at = 0;
  bool deleted = true;
  std::string bytes;
};

Current current_of(Database& database, StudentId student, const std::string& path) {
  Query query = database.query(
      "SELECT version, at, deleted, bytes FROM files WHERE student = ? AND path = ?");
  query.bind(student).bind(path);
  if (!query.step()) return {};
  return {query.number(0), query.number(1), query.number(2) != 0, query.text(3)};
}

// The number of a path's next version. Texts that were kept after a conflict have numbers too.
int64_t next_version(Database& database, StudentId student, const std::string& path,
                     const Current& current) {
  Query query = database.query("SELECT max(version) FROM versions WHERE student = ? AND path = ?");
  query.bind(student).bind(path);
  return std::max(current.version, query.step() ? query.number(0) : 0) + 1;
}

void keep_version(Database& database, StudentId student, const std::string& path, int64_t version,
                  int64_t at, std::string_view why, const std::string& bytes) {
  database
      .query(
          "INSERT OR REPLACE INTO versions (student, path, version, at, kept, bytes) VALUES (?, "
          "?, ?, ?, ?, ?)")
      .bind(student)
      .bind(path)
      .bind(version)
      .bind(at)
      .bind(why)
      .bind_bytes(bytes)
      .run();
}

void keep_current(Database& database, StudentId student, const std::string& path,
                  const Current& current, std::string_view why) {
  if (current.version == 0 || current.deleted) return;
  if (why == "replaced") {
    Query last = database.query(
        "SELECT max(at) FROM versions WHERE student = ? AND path = ? AND kept = 'replaced'");
    last.bind(student).bind(path);
    if (last.step() && current.at - last.number(0) < kBetweenVersions_s) return;
  }
  keep_version(database, student, path, current.version, current.at, why, current.bytes);
}

// Deletes the oldest first, and replaced versions before those kept after a conflict.
void drop_old_versions(Database& database, StudentId student, const std::string& path,
                       size_t most_bytes) {
  database
      .query(
          "DELETE FROM versions WHERE student = ?1 AND path = ?2 AND kept = 'replaced' AND "
          "version <= (SELECT version FROM versions WHERE student = ?1 AND path = ?2 AND kept = "
          "'replaced' ORDER BY version DESC LIMIT 1 OFFSET ?3)")
      .bind(student)
      .bind(path)
      .bind(kMostVersions)
      .run();
  for (;;) {
    {
      Query all = database.query("SELECT sum(length(bytes)) FROM versions WHERE student = ?");
      all.bind(student);
      if (!all.step() || all.number(0) <= static_cast<int64_t>(most_bytes)) return;
    }
    database
        .query(
            "DELETE FROM versions WHERE rowid = (SELECT rowid FROM versions WHERE student = ? "
            "ORDER BY kept != 'replaced', at, version LIMIT 1)")
        .bind(student)
        .run();
  }
}

}  // namespace

bool is_file_path(const std::string& path) {
  return is_plain_path(path) && path.size() <= kMostPathBytes && valid_utf8(path) == path &&
         std::count(path.begin(), path.end(), '/') <= kDeepest;
}

void StudentFiles::list(StudentId student, Done<std::vector<FileEntry>> done) {
  store_.run<std::vector<FileEntry>>(
      [student](Database& database) {
        std::vector<FileEntry> out;
        Query query = database.query(
            "SELECT path, length(bytes), version, at FROM files WHERE student = ? AND deleted = 0 "
            "ORDER BY path");
        query.bind(student);
        while (query.step())
          out.push_back({query.text(0), query.number(1), query.number(2), query.number(3), {}});
        return out;
      },
      std::move(done));
}

void StudentFiles::get(StudentId student, const std::string& path,
                       Done<std::optional<FileText>> done) {
  store_.run<std::optional<FileText>>(
      [=](Database& database) -> std::optional<FileText> {
        Current current = current_of(database, student, path);
        if (current.deleted) return std::nullopt;
        return FileText{current.version, std::move(current.bytes)};
      },
      std::move(done));
}

void StudentFiles::put(StudentId student, const std::string& path, std::optional<int64_t> from,
                       std::string bytes, Done<Put> done) {
  store_.run<Put>(
      [=, this, bytes = std::move(bytes)](Database& database) -> Put {
        const Current current = current_of(database, student, path);
        if (!current.deleted && current.bytes == bytes) return current.version;  // sent again
        {
          Query query = database.query(
              "SELECT count(*), sum(length(bytes)) FROM files WHERE student = ? AND deleted = 0 "
              "AND "
              "path != ?");
          query.bind(student).bind(path);
          if (!query.step() || query.number(0) >= limits_.student_files)
            return FileRefused::kTooManyFiles;
          if (static_cast<uint64_t>(query.number(1)) + bytes.size() > limits_.student_bytes)
            return FileRefused::kTooManyBytes;
        }
        // Greater than any that a browser may still know.
        const int64_t next =
            std::max(next_version(database, student, path, current), from.value_or(0) + 1);
        if (from && !current.deleted && *from != current.version) {
          keep_version(database, student, path, next, now_s(), "conflict", bytes);
          drop_old_versions(database, student, path, limits_.student_bytes);
          return FileConflict{current.version, next, current.bytes};
        }
        keep_current(database, student, path, current, from ? "replaced" : "overwritten");
        database
            .query(
                "INSERT OR REPLACE INTO files (student, path, version, at, deleted, bytes) "
                "VALUES (?, ?, ?, ?, 0, ?)")
            .bind(student)
            .bind(path)
            .bind(next)
            .bind(now_s())
            .bind_bytes(bytes)
            .run();
        drop_old_versions(database, student, path, limits_.student_bytes);
        return next;
      },
      std::move(done));
}

void StudentFiles::erase(StudentId student, const std::string& path, std::optional<int64_t> from,
                         Done<Put> done) {
  store_.run<Put>(
      [=, this](Database& database) -> Put {
        const Current current = current_of(database, student, path);
        if (current.deleted) return FileRefused::kNotThere;
        if (from && *from != current.version)
          return FileConflict{current.version, 0, current.bytes};
        keep_current(database, student, path, current, "deleted");
        database
            .query(
                "UPDATE files SET deleted = 1, bytes = x'', at = ? WHERE student = ? AND path = ?")
            .bind(now_s())
            .bind(student)
            .bind(path)
            .run();
        drop_old_versions(database, student, path, limits_.student_bytes);
        return current.version;
      },
      std::move(done));
}

void StudentFiles::versions(StudentId student, const std::string& path,
                            Done<std::vector<FileEntry>> done) {
  store_.run<std::vector<FileEntry>>(
      [=](Database& database) {
        std::vector<FileEntry> out;
        Query query = database.query(
            "SELECT length(bytes), version, at, kept FROM versions WHERE student = ? AND path = ? "
            "ORDER BY version DESC");
        query.bind(student).bind(path);
        while (query.step())
          out.push_back({path, query.number(0), query.number(1), query.number(2), query.text(3)});
        return out;
      },
      std::move(done));
}

void StudentFiles::version(StudentId student, const std::string& path, int64_t version,
                           Done<std::optional<FileText>> done) {
  store_.run<std::optional<FileText>>(
      [=](Database& database) -> std::optional<FileText> {
        Query query = database.query(
            "SELECT version, bytes FROM versions WHERE student = ? AND path = ? AND version = ?");
        query.bind(student).bind(path).bind(version);
        if (!query.step()) return std::nullopt;
        return FileText{query.number(0), query.text(1)};
      },
      std::move(done));
}

}  // namespace warpshop::serve
