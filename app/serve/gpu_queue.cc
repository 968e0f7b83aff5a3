#include "gpu_queue.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "compile/remote.h"
#include "core/child_process.h"

namespace warpshop::serve {
namespace {

using Json = nlohmann::json;

constexpr size_t kMostJobBytes = size_t{8} << 20;  // of a job
constexpr size_t kMostWaiting = 4;                 // of a student
constexpr ptrdiff_t kMostGpuSockets = 4;           // likewise: each may be reading a job
constexpr double kMostGpuSeconds = 10;
constexpr int kMostLaunches = 51;
constexpr uint64_t kMostBufferBytes = uint64_t{4} << 30;
constexpr auto kBetweenStarts = std::chrono::seconds(30);

// The reason why a job may not run on a shared GPU; no value if it may.
std::optional<Diagnostic> tame(device::Job& job) {
  job.time_limit_s = std::clamp(job.time_limit_s, 0.1, kMostGpuSeconds);
  job.launches = std::clamp(job.launches, 1, kMostLaunches);
  uint64_t bytes = 0;
  for (const device::JobArg& arg : job.args) {
    if (arg.size_bytes > kMostBufferBytes) bytes = kMostBufferBytes;
    bytes += arg.is_buffer ? arg.size_bytes : 0;
  }
  if (bytes > kMostBufferBytes)
    return make_error("gpu-memory", sentence("the class's GPU gives each job up to {gib} GiB",
                                             {{"gib", kMostBufferBytes >> 30}}));
  std::vector<device::KernelSource*> kernels = {&job.student};
  if (job.reference) kernels.push_back(&*job.reference);
  for (device::KernelSource* kernel : kernels) {
    kernel->include_dirs.clear();
    compile::CompileInput input;
    input.source = kernel->source;
    input.file_name = kernel->file_name;
    input.options = kernel->options;
    const Result<compile::CompileInput> allowed = compile::input_of(compile::request_of(input));
    if (!allowed.ok()) return allowed.errors().front();
  }
  return std::nullopt;
}

}  // namespace

GpuQueue::GpuQueue(const std::vector<std::string>& commands,
                   std::function<void(std::function<void()>)> post,
                   std::function<void(const Json&)> changed,
                   std::function<void(const std::string&)> log)
    : post_(std::move(post)), changed_(std::move(changed)), log_(std::move(log)) {
  for (const std::string& command : commands) {
    device::WorkerOptions options;
    if (const Result<std::vector<std::string>> words = split_command(command); words.ok())
      options.command = *words;
    threads_.emplace_back([this, options] { work(options); });
  }
}

GpuQueue::~GpuQueue() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (const JobPtr& job : running_) job->stop.request();
  }
  there_is_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

SocketHandlers GpuQueue::socket(StudentId student) {
  auto client = std::make_shared<Client>();
  client->student = student;
  SocketHandlers out;
  out.most_bytes = kMostJobBytes;
  out.opened = [this, client](std::shared_ptr<Socket> socket) {
    const std::lock_guard lock(mutex_);
    const auto of_student = std::count_if(
        clients_.begin(), clients_.end(),
        [&](const std::shared_ptr<Client>& other) { return other->student == client->student; });
    if (of_student >= kMostGpuSockets) return socket->close(1008, "too many sockets");
    client->socket = std::move(socket);
    clients_.push_back(client);
    if (!hello_.empty()) client->socket->send(hello_);
  };
  out.message = [this, client](std::string_view line) { received(client, line); };
  out.closed = [this, client] { closed(client); };
  return out;
}

void GpuQueue::drop(StudentId student) {
  const std::lock_guard lock(mutex_);
  for (const std::shared_ptr<Client>& client : clients_) {
    if (client->student == student) client->socket->close(1008, "removed");
  }
}

void GpuQueue::received(const std::shared_ptr<Client>& client, std::string_view line) {
  const auto refuse = [&](uint64_t id, const Diagnostics& errors) {
    client->socket->send(device::error_line(id, errors, false));
  };
  Result<device::Message> message = device::read_message(line);
  if (!message.ok()) return refuse(0, message.errors());
  if (message->kind == device::Message::Kind::kQuit) return client->socket->close(1000, "quit");
  if (message->kind != device::Message::Kind::kJob)
    return refuse(message->id, {make_error("gpu-protocol", sentence("a job is expected"))});
  auto job = std::make_shared<Job>();
  job->client = client;
  job->id = message->id;
  job->job = std::move(message->job);
  if (const std::optional<Diagnostic> refused = tame(job->job)) return refuse(job->id, {*refused});
  {
    const std::lock_guard lock(mutex_);
    const auto of_student = static_cast<size_t>(std::count_if(
        waiting_.begin(), waiting_.end(),
        [&](const JobPtr& other) { return other->client->student == client->student; }));
    if (of_student >= kMostWaiting) {
      return refuse(job->id,
                    {make_error("gpu-busy", sentence("{count} jobs of yours are waiting for the "
                                                     "class's GPU already",
                                                     {{"count", of_student}}))});
    }
    waiting_.push_back(std::move(job));
  }
  there_is_work_.notify_one();
  tell();
}

void GpuQueue::closed(const std::shared_ptr<Client>& client) {
  {
    const std::lock_guard lock(mutex_);
    client->socket.reset();
    clients_.remove(client);
    waiting_.remove_if([&](const JobPtr& job) { return job->client == client; });
    for (const JobPtr& job : running_) {
      if (job->client == client) job->stop.request();
    }
  }
  tell();
}

// The student whose last turn was longest ago and who has no job running; of their jobs, the first.
GpuQueue::JobPtr GpuQueue::next() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (ending_) return nullptr;
    auto best = waiting_.end();
    for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
      const StudentId student = (*at)->client->student;
      if (std::any_of(running_.begin(), running_.end(),
                      [&](const JobPtr& job) { return job->client->student == student; }))
        continue;
      if (best == waiting_.end() || turn_[student] < turn_[(*best)->client->student]) best = at;
    }
    if (best != waiting_.end()) {
      JobPtr job = *best;
      waiting_.erase(best);
      running_.push_back(job);
      turn_[job->client->student] = ++turns_;
      return job;
    }
    there_is_work_.wait(lock);
  }
}

void GpuQueue::finished(const JobPtr& job) {
  {
    const std::lock_guard lock(mutex_);
    running_.remove(job);
  }
  there_is_work_.notify_all();
  tell();
}

void GpuQueue::work(device::WorkerOptions options) {
  device::WorkerClient client(std::move(options));
  bool counted = false;
  for (;;) {
    const Result<device::Hello> hello = client.hello();
    if (!hello.ok()) {
      log_("a GPU worker did not start: " + hello.errors().front().message.english());
      std::unique_lock lock(mutex_);
      if (there_is_work_.wait_for(lock, kBetweenStarts, [this] { return ending_; })) return;
      continue;
    }
    if (!std::exchange(counted, true)) {
      log_("a GPU worker is ready");
      const std::string line = device::line_of(*hello);
      {
        const std::lock_guard lock(mutex_);
        ++ready_;
        if (hello_.empty()) {
          hello_ = line;
          for (const std::shared_ptr<Client>& waiting : clients_) send(waiting, line);
        }
      }
      tell();
    }
    const JobPtr job = next();
    if (!job) return;
    tell();
    const Result<device::JobResult> result = client.run(
        job->job, &job->stop,
        [&](std::string_view stage) { send(job->client, device::stage_line(job->id, stage)); });
    if (!result.ok() && !job->stop.requested())
      log_("a job on the GPU failed: " + std::string(result.errors().front().kind.name()));
    send(job->client, result.ok() ? device::line_of(job->id, *result)
                                  : device::error_line(job->id, result.errors(), false));
    finished(job);
  }
}

// On any thread.
void GpuQueue::send(const std::shared_ptr<Client>& client, std::string line) {
  post_([client, line = std::move(line)]() mutable {
    if (client->socket) client->socket->send(std::move(line));
  });
}

void GpuQueue::tell() {
  Json queue = Json::array();
  const std::lock_guard lock(mutex_);
  for (const JobPtr& job : running_)
    queue.push_back({{"student", job->client->student}, {"state", "running"}});
  // Places are counted in turns: a student's second job comes after everybody's first.
  std::map<StudentId, int> nth;
  std::vector<std::pair<int, JobPtr>> order;
  for (const JobPtr& job : waiting_) order.emplace_back(nth[job->client->student]++, job);
  std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    return std::pair(a.first, turn_[a.second->client->student]) <
           std::pair(b.first, turn_[b.second->client->student]);
  });
  int place = 0;
  for (const auto& [round, job] : order) {
    ++place;
    queue.push_back({{"student", job->client->student}, {"state", "waiting"}});
    send(job->client, Json{{"type", "queue"}, {"id", job->id}, {"place", place}}.dump() + "\n");
  }
  post_([this, message = Json{{"type", "gpu"}, {"queue", queue}, {"workers", ready_}}] {
    changed_(message);
  });
}

}  // namespace warpshop::serve
