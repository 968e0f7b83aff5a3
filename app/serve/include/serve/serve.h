// `warpshop serve`: the lab in the browsers of a class. docs/serving.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/stop.h"

namespace warpshop::serve {

struct ServeOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 8080;
  std::string title;                 // of the class
  std::string code;                  // to join; empty: the one kept, or a new one
  std::filesystem::path data;        // what is kept; empty: class/ in user_dir()
  bool one_user = false;             // nobody joins: the browser is the only student
  bool compile_only = false;         // keeps nothing, for other servers
  int compilers = 0;                 // 0: one per core
  std::vector<std::string> workers;  // commands that start GPU workers
  std::vector<std::string> origins;  // further "https://HOST" of pages that may use it
  std::vector<std::string> hosts;    // names of this server, for one_user; "*": any
  std::vector<std::string> proxies;  // addresses of proxies, beside this machine's own
  int compile_seconds = 10;
  uint64_t memory_bytes = uint64_t{2} << 30;  // of one compilation
  uint64_t data_bytes = 0;                    // of the file that is kept; 0: no limit
  size_t connections = 4096;
};

// Serves until `stop`. `say` writes to the terminal; `log` gets one line per event, without names
// or texts of members. Error: the reason why it cannot serve.
Status serve(const ServeOptions& options, const StopFlag& stop,
             const std::function<void(const std::string&)>& say,
             const std::function<void(const std::string&)>& log);

}  // namespace warpshop::serve
