#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <string>

#include "cli/main_cli.h"
#include "commands.h"
#include "core/stop.h"
#include "serve/serve.h"
#include "terminal.h"

namespace warpshop::cli {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

void log_line(const std::string& text) {
  static std::mutex mutex;  // several threads have something to say
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  char time[32];
  (void)std::strftime(time, sizeof time, "%Y-%m-%d %H:%M:%S ", &parts);
  const std::lock_guard lock(mutex);
  print_error(time + text + "\n");
}

}  // namespace

void add_serve(CLI::App& app, ServeCommandOptions& options) {
  CLI::App* verb = app.add_subcommand(
      "serve", "Serve the lab to a class: in the browser, without installing anything");
  serve::ServeOptions& serve = options.serve;
  verb->add_option("--port", serve.port, "port; 0: any that is free")->capture_default_str();
  verb->add_option("--address", serve.address,
                   "address to listen on; 0.0.0.0 lets other machines in")
      ->type_name("IP")
      ->capture_default_str();
  verb->add_option("--class", serve.title, "title of the class; default: as the last time")
      ->type_name("TITLE");
  verb->add_option("--code", serve.code, "join code; default: as the last time, else a new one")
      ->type_name("CODE");
  verb->add_option("--data", serve.data,
                   "folder for what is kept; default: class/ in your data folder")
      ->type_name("DIR");
  verb->add_flag("--one-user", serve.one_user,
                 "nobody joins: for yourself, or behind a proxy that knows its people");
  verb->add_flag("--compile-only", serve.compile_only,
                 "only compile, for another server: keeps nothing");
  verb->add_option("--compilers", serve.compilers, "compilations at once; 0: one per core")
      ->check(CLI::Range(0, 256))
      ->capture_default_str();
  verb->add_option("--worker", serve.workers,
                   "command that starts a GPU worker for the class: 'ssh HOST warpshop worker', "
                   "'srun --gres=gpu:1 warpshop worker', or local; may be repeated")
      ->type_name("COMMAND")
      ->allow_extra_args(false);
  verb->add_option("--origin", serve.origins,
                   "further address of the pages, https://HOST, behind a proxy that hides it")
      ->type_name("URL")
      ->allow_extra_args(false);
  verb->add_option("--host", serve.hosts,
                   "with --one-user: a name of this server beside localhost; * for any")
      ->type_name("NAME")
      ->allow_extra_args(false);
  verb->add_option("--proxy", serve.proxies,
                   "address of a proxy on another machine, whose X-Forwarded-For is believed")
      ->type_name("IP")
      ->allow_extra_args(false);
  verb->add_option("--limit-seconds", serve.compile_seconds,
                   "processor time of one compilation, in seconds")
      ->check(CLI::Range(1, 600))
      ->capture_default_str();
  verb->add_option("--limit-memory", options.memory_mib, "memory of one compilation, in MiB")
      ->check(CLI::Range(256, 65536))
      ->capture_default_str();
  verb->add_option("--limit-data", options.data_mib,
                   "size of the file with all that is kept, in MiB; 0: as the disk allows")
      ->check(CLI::Range(0, 1 << 20))
      ->capture_default_str();
  verb->add_option("--limit-connections", serve.connections,
                   "open connections, half of them from one address")
      ->check(CLI::Range(16, 100000))
      ->capture_default_str();
  verb->footer(
      "Examples:\n"
      "  warpshop serve --one-user                            the lab in your own browser\n"
      "  warpshop serve --address 0.0.0.0 --class 'GPU 101'   a room full of students\n"
      "  warpshop serve --compile-only --port 8081            another machine that compiles\n\n"
      "docs/serving.md: certificates, proxies, clusters, limits, security.");
}

int serve_command(const ServeCommandOptions& options) {
  serve::ServeOptions serve = options.serve;
  serve.memory_bytes = options.memory_mib * kMiB;
  serve.data_bytes = options.data_mib * kMiB;
  for (std::string& worker : serve.workers) {
    if (worker == "local") worker.clear();  // this program's own
  }
  ::signal(SIGPIPE, SIG_IGN);
  const Interrupt interrupt;
  // As a service manager ends it. A second one ends it at once, like a second Ctrl-C.
  ::signal(SIGTERM, [](int) { ::raise(SIGINT); });
  const Status served = serve::serve(
      serve, *interrupt.flag(),
      [](const std::string& line) {
        print(line + "\n");
        std::fflush(stdout);
      },
      log_line);
  if (!served.ok()) return fail(served.errors());
  print("Ended. All work that was saved is there the next time.\n");
  return kAllPassed;
}

}  // namespace warpshop::cli
