// SQLite for one thread at a time: statements are prepared once; errors are exceptions, which
// store.h turns into messages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace warpshop::serve {

class DatabaseError : public std::runtime_error {
 public:
  DatabaseError(int code, const std::string& what) : std::runtime_error(what), code_(code) {}
  bool is_full() const;  // no space left

 private:
  int code_;
};

// A prepared statement with its values, to be stepped through. Values are bound in order.
class Query {
 public:
  Query(sqlite3* database, sqlite3_stmt* statement) : database_(database), statement_(statement) {}
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  Query& bind(int64_t value);
  Query& bind(double value);
  Query& bind(std::string_view text);
  Query& bind_bytes(std::string_view bytes);

  bool step();  // true: there is a row
  void run();   // to its end

  int64_t number(int column) const;
  double real(int column) const;
  std::string text(int column) const;  // or bytes
  bool is_null(int column) const;

 private:
  void check(int code) const;
  sqlite3* database_;
  sqlite3_stmt* statement_;
  int bound_ = 0;
};

class Database {
 public:
  // Creates the file, readable only by its owner. `most_bytes`: maximum size; 0: no limit.
  Database(const std::filesystem::path& file, uint64_t most_bytes);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const char* sql);  // several statements
  // `sql` is a literal; each is prepared once.
  Query query(const char* sql);
  int64_t changes() const;  // rows that the last statement changed

 private:
  sqlite3* database_ = nullptr;
  std::map<const void*, sqlite3_stmt*> prepared_;
};

}  // namespace warpshop::serve
