#include "work/devices.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/child_process.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

// Waiting in a cluster's queue may take long; "Stop" ends it.
constexpr double kFarStartLimitS = 3600;
constexpr double kStartLimitS = 60;

bool is_program(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

bool program_is_here(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name);
  const char* path = std::getenv("PATH");
  std::string folders = path != nullptr ? path : "/usr/bin:/bin";
  for (size_t begin = 0; begin <= folders.size();) {
    const size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder = folders.substr(begin, end - begin);
    if (is_program(std::filesystem::path(folder.empty() ? "." : folder) / name)) return true;
    begin = end + 1;
  }
  return false;
}

std::string memory_text(uint64_t bytes) {
  return std::to_string((bytes + (uint64_t{1} << 29)) >> 30) + " GiB";
}

}  // namespace

Result<std::vector<std::string>> worker_command(const std::string& text) {
  Result<std::vector<std::string>> words = split_command(text);
  if (!words.ok()) return words;
  if (!program_is_here(words->front())) {
    return make_error(
        "usage", tr("there is no program '{}' on this machine", words->front()),
        tr("the command's first word is what is started here: ssh, srun, or a full path"));
  }
  return words;
}

Devices::Devices(bool here, std::function<void()> wake, bool shared)
    : here_(here), shared_(shared), wake_(std::move(wake)) {}

std::string Devices::here_text() const {
  return std::string(shared_ ? tr("shared by the class") : tr("this machine"));
}

DeviceLink& Devices::link_of(const std::string& place) {
  std::unique_ptr<DeviceLink>& link = links_[place];
  if (link == nullptr) {
    device::WorkerOptions options;
    options.start_limit_s = place == kHere && !shared_ ? kStartLimitS : kFarStartLimitS;
    const char* own = std::getenv("WARPSHOP_WORKER");
    if (place == kHere && own != nullptr) {
      // As on the command line, this overrides how this machine's worker is started.
      Result<std::vector<std::string>> words = split_command(own);
      if (words.ok()) options.command = *words;
    } else if (place != kHere) {
      // If the command line is invalid, try to start it as it is: the error then names it.
      Result<std::vector<std::string>> words = split_command(place);
      options.command = words.ok() ? *words : std::vector<std::string>{place};
    }
    link = std::make_unique<DeviceLink>(std::move(options), wake_);
  }
  return *link;
}

void Devices::use(const std::vector<std::string>& workers, const std::string& place, int gpu) {
  places_.clear();
  if (here_) places_.emplace_back(kHere);
  for (const std::string& worker : workers) {
    if (std::find(places_.begin(), places_.end(), worker) == places_.end())
      places_.push_back(worker);
  }
  place_ = place == kAutomatic ? (here_ && !shared_ ? kHere : kEmulatorAlone) : place;
  if (std::find(places_.begin(), places_.end(), place_) == places_.end()) place_ = kEmulatorAlone;
  gpu_ = gpu;
  link_ = nullptr;
  std::erase_if(links_, [this](const auto& link) {
    return std::find(places_.begin(), places_.end(), link.first) == places_.end();
  });
  if (place_ == kEmulatorAlone) return;
  link_ = &link_of(place_);
  const LinkState state = link_->status().state;
  if (state == LinkState::kOff || state == LinkState::kRefused) link_->connect();
}

void Devices::connect(const std::string& place) {
  if (std::find(places_.begin(), places_.end(), place) != places_.end()) link_of(place).connect();
}

std::vector<DeviceRow> Devices::rows() const {
  DeviceRow emulator;
  emulator.place = kEmulatorAlone;
  emulator.name = tr("Emulator alone");
  emulator.where = tr("nothing is measured; times are predicted");
  emulator.state = LinkState::kReady;
  emulator.chosen = place_ == kEmulatorAlone;
  std::vector<DeviceRow> out = {emulator};
  for (const std::string& place : places_) {
    const auto link = links_.find(place);
    const LinkStatus status = link == links_.end() ? LinkStatus{} : link->second->status();
    DeviceRow row;
    row.place = place;
    row.name = place != kHere ? place
               : shared_      ? std::string(tr("The class's GPU"))
                              : std::string(tr("This machine's GPU"));
    row.state = status.state;
    row.place_in_queue = status.place_in_queue;
    if (status.problem) {
      row.detail = tr(status.problem->message);
      row.help = tr(status.problem->help);
    }
    if (!status.hello || status.hello->gpus.empty()) {
      row.chosen = place == place_;
      out.push_back(row);
      continue;
    }
    const device::Hello& hello = *status.hello;
    const device::GpuInfo* first = hello.first_usable();
    for (const device::GpuInfo& gpu : hello.gpus) {
      DeviceRow one = row;
      one.gpu = gpu.index;
      one.name = gpu.name;
      one.where = memory_text(gpu.memory_bytes) + " · " +
                  (place == kHere ? here_text() : hello.host + " · " + place);
      const bool meant = gpu_ >= 0          ? gpu.index == gpu_
                         : first == nullptr ? &gpu == &hello.gpus.front()
                                            : &gpu == first;
      one.chosen = place == place_ && meant;
      if (!gpu.usable()) {
        one.state = LinkState::kRefused;
        one.detail = tr(gpu.problems.front().message);
        one.help = tr(gpu.problems.front().help);
      }
      out.push_back(std::move(one));
    }
  }
  return out;
}

DeviceRow Devices::chosen() const {
  std::vector<DeviceRow> all = rows();
  for (DeviceRow& row : all) {
    if (row.chosen) return row;
  }
  // A GPU that the worker no longer has.
  DeviceRow row;
  row.place = place_;
  row.gpu = gpu_;
  row.name = "GPU " + std::to_string(gpu_);
  row.where = place_ == kHere ? here_text() : place_;
  row.state = LinkState::kRefused;
  row.detail = tr("there is no such GPU any more");
  row.help = tr("choose another one");
  row.chosen = true;
  return row;
}

void Devices::measure(MeasureJob job) {
  if (link_ == nullptr) return;
  job.gpu = gpu_;
  link_->measure(std::move(job));
}

void Devices::drop() {
  if (link_ != nullptr) link_->drop();
}

void Devices::stop() {
  if (link_ != nullptr) link_->stop();
}

bool Devices::busy() const { return link_ != nullptr && link_->busy(); }

bool Devices::measuring() const {
  if (link_ == nullptr) return false;
  const LinkState state = link_->status().state;
  return state == LinkState::kStarting || state == LinkState::kMeasuring ||
         state == LinkState::kRetrying;
}

std::vector<MeasureUpdate> Devices::poll() {
  return link_ == nullptr ? std::vector<MeasureUpdate>{} : link_->poll();
}

}  // namespace warpshop::ui
