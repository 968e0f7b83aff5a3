#include "sqlite.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>

#include "core/descriptor.h"

namespace warpshop::serve {
namespace {

constexpr int kBusyMs = 10'000;

[[noreturn]] void fail(sqlite3* database, int code) {
  throw DatabaseError(code, database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code));
}

}  // namespace

bool DatabaseError::is_full() const {
  const int basic = code_ & 0xff;
  return basic == SQLITE_FULL || basic == SQLITE_IOERR;
}

Query::~Query() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void Query::check(int code) const {
  if (code != SQLITE_OK) fail(database_, code);
}

Query& Query::bind(int64_t value) {
  check(sqlite3_bind_int64(statement_, ++bound_, value));
  return *this;
}

Query& Query::bind(double value) {
  check(sqlite3_bind_double(statement_, ++bound_, value));
  return *this;
}

Query& Query::bind(std::string_view text) {
  check(sqlite3_bind_text64(statement_, ++bound_, text.data() != nullptr ? text.data() : "",
                            text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Query& Query::bind_bytes(std::string_view bytes) {
  check(sqlite3_bind_blob64(statement_, ++bound_, bytes.data() != nullptr ? bytes.data() : "",
                            bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

bool Query::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) fail(database_, sqlite3_extended_errcode(database_));
  return false;
}

void Query::run() {
  while (step()) {
  }
}

int64_t Query::number(int column) const { return sqlite3_column_int64(statement_, column); }

double Query::real(int column) const { return sqlite3_column_double(statement_, column); }

std::string Query::text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_, column));
  return bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size);
}

bool Query::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Database::Database(const std::filesystem::path& file, uint64_t most_bytes) {
  // SQLite would create it, and the files beside it, with the permissions of the umask.
  const Descriptor created(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  const int code =
      sqlite3_open_v2(file.c_str(), &database_,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code != SQLITE_OK) {
    const std::string what =
        database_ != nullptr ? sqlite3_errmsg(database_) : sqlite3_errstr(code);
    sqlite3_close(database_);
    throw DatabaseError(code, what);
  }
  sqlite3_extended_result_codes(database_, 1);
  sqlite3_busy_timeout(database_, kBusyMs);
  try {
    // What was acknowledged survives a power cut as well.
    execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;");
    if (most_bytes > 0) {
      int64_t page = 4096;
      {
        Query size = query("PRAGMA page_size");
        if (size.step()) page = size.number(0);
      }
      const auto pages = std::max<int64_t>(static_cast<int64_t>(most_bytes) / page, 64);
      execute(("PRAGMA max_page_count=" + std::to_string(pages)).c_str());
    }
  } catch (...) {
    for (const auto& [key, statement] : prepared_) sqlite3_finalize(statement);
    sqlite3_close(database_);
    throw;
  }
}

Database::~Database() {
  for (const auto& [key, statement] : prepared_) sqlite3_finalize(statement);
  sqlite3_close(database_);
}

void Database::execute(const char* sql) {
  const int code = sqlite3_exec(database_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(database_, sqlite3_extended_errcode(database_));
}

Query Database::query(const char* sql) {
  sqlite3_stmt*& statement = prepared_[sql];
  if (statement == nullptr) {
    const int code =
        sqlite3_prepare_v3(database_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) {
      prepared_.erase(sql);
      fail(database_, code);
    }
  }
  return Query(database_, statement);
}

int64_t Database::changes() const { return sqlite3_changes(database_); }

}  // namespace warpshop::serve
