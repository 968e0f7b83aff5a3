// In a browser, the class's server compiles: POST api/compile (compile/remote.h).
//
// The page's main thread asks, since it can give up a request that is no longer wanted; the thread
// that compiles waits. The page may answer itself: Module.compileRequest(bytes) returns bytes, or a
// promise of them. Module.compileAddress is the server's address if the page is not in lab/.
#include <emscripten.h>
#include <emscripten/threading.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>

#include "compile/compiler.h"

namespace warpshop::compile {
namespace {

constexpr double kStopPollMs = 20;  // how quickly a stop request takes effect
constexpr int kMostBusyAnswers = 20;
constexpr std::chrono::seconds kLongestPause{5};

// Written by the main thread, which sets `done` last. What it refers to by its number is in the
// page until it is taken or given up.
struct Call {
  std::atomic<int32_t> done{0};
  int32_t status = 0;  // of HTTP; 0: no answer
  int32_t size = 0;    // of the answer
  int32_t pause_s = 0;
};

}  // namespace

// clang-format off
EM_JS(void, page_ask, (Call* call, const char* request, size_t size), {
  const bytes = HEAPU8.slice(request, request + size);
  const calls = Module["compileCalls"] = Module["compileCalls"] || new Map();
  const entry = {controller: new AbortController(), answer: new Uint8Array(0)};
  calls.set(call, entry);
  const finish = (status, answer, pause) => {
    if (calls.get(call) !== entry) return;  // given up
    entry.answer = answer;
    HEAP32[(call >> 2) + 1] = status;
    HEAP32[(call >> 2) + 2] = answer.length;
    HEAP32[(call >> 2) + 3] = pause;
    Atomics.store(HEAP32, call >> 2, 1);
    Atomics.notify(HEAP32, call >> 2);
  };
  const ask = async () => {
    if (Module["compileRequest"]) return finish(200, await Module["compileRequest"](bytes), 0);
    const address = Module["compileAddress"] || new URL("../api/compile", document.baseURI);
    const response = await fetch(address, {
      method: "POST",
      body: bytes,
      headers: {"Content-Type": "application/octet-stream"},
      credentials: "same-origin",
      signal: entry.controller.signal
    });
    const pause = parseInt(response.headers.get("Retry-After") || "1", 10) || 1;
    finish(response.status, new Uint8Array(await response.arrayBuffer()), pause);
  };
  ask().catch((error) => finish(0, entry.answer, 0));
})

EM_JS(void, page_take, (Call* call, char* answer), {
  HEAPU8.set(Module["compileCalls"].get(call).answer, answer);
  Module["compileCalls"].delete(call);
})

EM_JS(void, page_give_up, (Call* call), {
  const entry = Module["compileCalls"].get(call);
  Module["compileCalls"].delete(call);
  entry.controller.abort();
})
// clang-format on

namespace {

// These run on the main thread.
void ask_there(Call* call, const std::string* request) {
  page_ask(call, request->data(), request->size());
}
void take_there(Call* call, std::string* answer) { page_take(call, answer->data()); }
void give_up_there(Call* call) { page_give_up(call); }

void ask(Call* call, const std::string& request) {
  emscripten_sync_run_in_main_runtime_thread(EM_FUNC_SIG_VII, &ask_there, call, &request);
}
std::string take(Call* call) {
  std::string answer(static_cast<size_t>(call->size), '\0');
  emscripten_sync_run_in_main_runtime_thread(EM_FUNC_SIG_VII, &take_there, call, &answer);
  return answer;
}
void give_up(Call* call) {
  emscripten_sync_run_in_main_runtime_thread(EM_FUNC_SIG_VI, &give_up_there, call);
}

bool is_stopped(const StopFlag* stop) { return stop != nullptr && stop->requested(); }

Diagnostic stopped() { return make_error("stopped", sentence("compiling was stopped")); }

Diagnostic no_answer(int status) {
  if (status == 0) {
    return make_error("nvrtc", sentence("the class's server, which compiles, cannot be reached"),
                      sentence("your text is kept: go on, and run it again when the network is "
                               "back"));
  }
  if (status == 401 || status == 403) {
    return make_error("nvrtc", sentence("the class's server no longer knows you"),
                      sentence("reload the page and join the class again; your text is kept"));
  }
  if (status == 429) {
    return make_error("nvrtc", sentence("the class's server has too much to compile"),
                      sentence("wait a moment and run it again"));
  }
  return make_error("nvrtc",
                    sentence("the class's server did not compile: it answered with HTTP status "
                             "{status}",
                             {{"status", status}}),
                    sentence("run it again; if that does not help, tell your lecturer"));
}

// Waits for `call`. False: stopped.
bool wait(Call& call, const StopFlag* stop) {
  while (call.done.load() == 0) {
    if (is_stopped(stop)) return false;
    emscripten_futex_wait(&call.done, 0, kStopPollMs);
  }
  return true;
}

Result<std::string> answer_of_server(const std::string& request, const StopFlag* stop) {
  for (int tries = 0;; ++tries) {
    Call call;
    ask(&call, request);
    if (!wait(call, stop)) {
      give_up(&call);
      return stopped();
    }
    std::string answer = take(&call);
    if (call.status == 200) return answer;
    if (call.status != 429 || tries == kMostBusyAnswers) return no_answer(call.status);
    const auto pause =
        std::min<std::chrono::milliseconds>(std::chrono::seconds(call.pause_s), kLongestPause);
    const auto until = std::chrono::steady_clock::now() + pause;
    while (std::chrono::steady_clock::now() < until) {
      if (is_stopped(stop)) return stopped();
      std::this_thread::sleep_for(std::chrono::milliseconds(static_cast<int>(kStopPollMs)));
    }
  }
}

}  // namespace

Result<Compiler> Compiler::load() {
  return remote(answer_of_server, {.library_path = "", .version = "", .include_paths = {}});
}

}  // namespace warpshop::compile
