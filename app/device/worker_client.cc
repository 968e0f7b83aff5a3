#include "device/worker_client.h"

#include <chrono>
#include <optional>

#include "core/child_process.h"
#include "job_answer.h"

namespace warpshop::device {
namespace {

using Clock = ChildProcess::Clock;

constexpr size_t kLongestHello = size_t{1} << 20;

Clock::time_point after(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Error messages of ssh and srun, and what to do about them.
struct Symptom {
  const char* text;
  Sentence help;
};

Sentence help_for(const std::string& text) {
  static const std::vector<Symptom> kSymptoms = {
      {"Permission denied",
       sentence("log in with a key: ssh-copy-id HOST, and ssh-add if the key has a password")},
      {"Host key verification failed",
       sentence("log in once by hand, ssh HOST, and accept its key")},
      {"Could not resolve hostname", sentence("check the host's name")},
      {"Connection refused", sentence("is the host up and running sshd?")},
      {"Connection timed out", sentence("is the host up and reachable from here?")},
      {"command not found",
       sentence("install Warpshop there, or give its full path in the command")},
      {"Unable to contact slurm controller",
       sentence("Slurm is down: ask the cluster's administrator")},
      {"Invalid partition", sentence("check the partition's name: sinfo lists them")},
      {"Requested node configuration is not available",
       sentence("request what the partition has: sinfo -o '%P %G'")},
  };
  for (const Symptom& symptom : kSymptoms) {
    if (text.find(symptom.text) != std::string::npos) return symptom.help;
  }
  return {};
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

}  // namespace

Result<GpuInfo> usable_gpu(const Hello& hello, int index) {
  if (has_errors(hello.problems)) return hello.problems;
  const GpuInfo* info = index >= 0 ? hello.find_gpu(index) : hello.first_usable();
  if (info == nullptr && index < 0 && !hello.gpus.empty()) return hello.gpus.front().problems;
  if (info == nullptr) {
    return make_error(
        "gpu-none",
        hello.gpus.empty()
            ? sentence("the driver finds no NVIDIA GPU")
            : sentence("there is no GPU {index} there; {count} are available, numbered from 0",
                       {{"index", index}, {"count", hello.gpus.size()}}),
        sentence("the emulator needs no GPU: --device emulator"));
  }
  if (!info->usable()) return info->problems;
  return *info;
}

struct WorkerClient::State {
  WorkerOptions options;
  std::optional<ChildProcess> child;
  Hello hello;
  uint64_t next_id = 1;

  // Asks an idle worker to exit, which also ends a cluster's job.
  ~State() {
    if (child && child->write(quit_line(), after(1))) child->finish(after(3));
  }

  // How the worker ended, with the end of its standard error.
  Diagnostic lost(Sentence when) {
    const Sentence how = child->finish(after(2));
    std::string said = child->error_tail();
    while (!said.empty() && said.back() == '\n') said.pop_back();
    child.reset();
    const std::vector<SentencePart> parts = {{"command", joined(options.command)},
                                             {"ended", how},
                                             {"when", std::move(when)},
                                             {"said", said}};
    return make_error("gpu-lost",
                      said.empty()
                          ? sentence("the GPU worker ({command}) {ended} {when}", parts)
                          : sentence("the GPU worker ({command}) {ended} {when}: {said}", parts),
                      help_for(said));
  }

  Result<Hello> start(const StopFlag* stop) {
    if (child) return hello;
    ChildOptions child_options;
    child_options.environment = {{"SSH_ASKPASS_REQUIRE", "never"}};
    Result<ChildProcess> started = ChildProcess::start(options.command, child_options);
    if (!started.ok()) return started.errors();
    child = std::move(*started);
    std::string line;
    switch (child->read_line(line, after(options.start_limit_s), stop, kLongestHello)) {
      case ChildProcess::Read::kLine:
        break;
      case ChildProcess::Read::kStopped:
        child.reset();
        return make_error("stopped", sentence("stopped while the GPU worker started"));
      case ChildProcess::Read::kTimeout: {
        Diagnostic error = lost(sentence("without answering in time"));
        error.message.then(sentence("(on a cluster the job may still be queued; check squeue)"));
        return error;
      }
      default:
        return lost(sentence("before it said hello"));
    }
    const Result<Message> message = read_message(line);
    if (!message.ok() || message.value().kind != Message::Kind::kHello) {
      child.reset();
      return make_error(
          "gpu-protocol",
          sentence("'{command}' is not a Warpshop worker; it said: {line}",
                   {{"command", joined(options.command)}, {"line", line.substr(0, 200)}}),
          sentence("the command must start `warpshop worker`, and nothing before it (such as a "
                   "login script) may write to standard output"));
    }
    hello = message.value().hello;
    if (hello.protocol != kProtocolVersion) {
      child.reset();
      return make_error(
          "gpu-protocol",
          sentence(
              "the worker (Warpshop {program}) speaks version {theirs} of the worker protocol, and "
              "this is version {ours}",
              {{"program", hello.version}, {"theirs", hello.protocol}, {"ours", kProtocolVersion}}),
          sentence("install the same version of Warpshop at both ends"));
    }
    return hello;
  }

  // One attempt. `was_lost`: the connection broke, so a retry may succeed.
  Result<JobResult> run_once(const Job& job, const StopFlag* stop,
                             const std::function<void(std::string_view)>& on_stage,
                             bool& was_lost) {
    was_lost = false;
    const Result<Hello> ready = start(stop);
    if (!ready.ok()) {
      was_lost = ready.errors().front().kind == "gpu-lost";
      return ready.errors();
    }
    const uint64_t id = next_id++;
    Clock::time_point deadline = after(options.compile_limit_s + job.time_limit_s);
    if (!child->write(line_of(id, job), deadline)) {
      was_lost = true;
      return lost(sentence("before it accepted the job"));
    }
    std::string line;
    for (;;) {
      const ChildProcess::Read read = child->read_line(line, deadline, stop);
      if (read == ChildProcess::Read::kStopped) {
        child.reset();
        return make_error("stopped", sentence("stopped while the GPU worked"));
      }
      if (read == ChildProcess::Read::kTimeout) {
        child.reset();
        return make_error("gpu-timeout",
                          sentence("the GPU worker did not answer in time and was killed"));
      }
      if (read != ChildProcess::Read::kLine) {
        was_lost = true;
        return lost(sentence("in the middle of a job"));
      }
      const Result<Message> message = read_message(line);
      if (!message.ok()) {
        child.reset();
        return message.errors();
      }
      const Message& m = message.value();
      if (m.kind == Message::Kind::kError && (m.id == id || m.id == 0)) {
        if (m.fatal) child.reset();
        return m.errors;
      }
      if (m.id != id) continue;
      if (m.kind == Message::Kind::kQueue) {  // its time begins with its turn
        deadline = after(options.compile_limit_s + job.time_limit_s);
        if (on_stage) on_stage(std::string(kWaiting) + std::to_string(m.place));
      }
      if (m.kind == Message::Kind::kStage && on_stage) on_stage(m.stage);
      if (m.kind != Message::Kind::kResult) continue;
      const Status answer = check_answer(job, m.result);
      if (answer.ok()) return m.result;
      child.reset();
      return answer.errors();
    }
  }
};

WorkerClient::WorkerClient(WorkerOptions options) : state_(std::make_unique<State>()) {
  if (options.command.empty()) options.command = {own_program().string(), "worker"};
  state_->options = std::move(options);
}
WorkerClient::WorkerClient(WorkerClient&&) noexcept = default;
WorkerClient& WorkerClient::operator=(WorkerClient&&) noexcept = default;
WorkerClient::~WorkerClient() = default;

Result<Hello> WorkerClient::hello(const StopFlag* stop) { return state_->start(stop); }

std::optional<Diagnostic> WorkerClient::ended() {
  if (!state_->child || !state_->child->wait_status(Clock::now())) return std::nullopt;
  return state_->lost(sentence("while it waited for work"));
}

Result<JobResult> WorkerClient::run(const Job& job, const StopFlag* stop,
                                    const std::function<void(std::string_view)>& on_stage) {
  Diagnostics lost;
  for (int tries = 0;; ++tries) {
    bool was_lost = false;
    Result<JobResult> result = state_->run_once(job, stop, on_stage, was_lost);
    if (result.ok()) {
      // Reports a lost connection even if the retry succeeded.
      result->warnings.insert(result->warnings.begin(), lost.begin(), lost.end());
      return result;
    }
    if (!was_lost || tries >= state_->options.retries) return result;
    if (on_stage) on_stage(kConnectionLost);
    Diagnostic warning = result.errors().front();
    warning.severity = Severity::kWarning;
    warning.message.then(sentence("tried again"), "; ");
    lost.push_back(std::move(warning));
  }
}

}  // namespace warpshop::device
