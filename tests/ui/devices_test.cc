// Devices and their links, with the tests' worker, whose GPU is the emulator.
#include "work/devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "lab/runner.h"

namespace warpshop::ui {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const std::string kWorker = std::string("env WARPSHOP_LIBNVML=none.so ") + WARPSHOP_FAKE_WORKER;

constexpr const char* kScale =
    "__global__ void scale(const float* in, float* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  BODY\n"
    "}\n"
    "__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }\n";

// The tests' own lab, one of its runs on the emulator, and a folder for the workers' files.
class DevicesTest : public ::testing::Test {
 protected:
  DevicesTest() : devices_(false, [] {}) {
    std::string pattern = (fs::temp_directory_path() / "warpshop-devices-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    fs::copy(WARPSHOP_TESTS_DIR "/lab/data", folder_ / "data", fs::copy_options::recursive);
    fs::create_directory_symlink(WARPSHOP_SOURCE_DIR "/assets", folder_ / "data/assets");
    ::setenv("WARPSHOP_DATA", (folder_ / "data").c_str(), 1);
    labs_ = std::make_shared<lab::LabLibrary>(lab::load_labs(folder_ / "data"));
  }
  ~DevicesTest() override {
    ::unsetenv("WARPSHOP_DATA");
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  MeasureJob job(const std::string& body, uint64_t run, uint64_t budget = 1'000'000) {
    MeasureJob out;
    out.run = run;
    out.labs = labs_;
    out.step = labs_->labs.front().find_step("scale");
    lab::RunRequest request;
    request.lab = &labs_->labs.front();
    request.step = out.step;
    request.source = kScale;
    request.source.replace(request.source.find("BODY"), 4, body);
    request.file_name = "scale.cu";
    request.gpu = models::find_gpu_profile(folder_ / "data", "h200").value();
    request.instruction_budget = budget;
    Result<lab::Runner> runner = lab::Runner::create();
    EXPECT_TRUE(runner.ok());
    out.of = std::make_shared<PreparedResult>(prepare(runner->run(request), false));
    return out;
  }

  template <typename Done>
  bool wait_for(Done done, double seconds = 30) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!done()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }
  bool wait_until_ready() {
    return wait_for([this] { return devices_.chosen().state == LinkState::kReady; });
  }
  // All updates of a run; in the last one the run is finished.
  std::vector<MeasureUpdate> updates_of(uint64_t run) {
    std::vector<MeasureUpdate> all;
    const bool done = wait_for([&] {
      for (MeasureUpdate& update : devices_.poll()) {
        if (update.run == run) all.push_back(std::move(update));
      }
      return !all.empty() && all.back().finished;
    });
    EXPECT_TRUE(done);
    return all;
  }
  std::string script(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << "#!/bin/sh\n" << text;
    return "sh " + (folder_ / name).string();
  }

  fs::path folder_;
  std::shared_ptr<const lab::LabLibrary> labs_;
  Devices devices_;
};

// A browser's: only who chooses the class's GPU has jobs in its queue.
TEST_F(DevicesTest, AClassesGpuIsUsedByThoseWhoChooseIt) {
  ::setenv("WARPSHOP_WORKER", kWorker.c_str(), 1);
  Devices of_class(
      true, [] {}, true);
  of_class.use({}, kAutomatic, -1);
  ASSERT_EQ(of_class.rows().size(), 2U);
  EXPECT_EQ(of_class.rows()[1].name, "The class's GPU");
  EXPECT_FALSE(of_class.measures());

  of_class.use({}, kHere, -1);
  EXPECT_TRUE(wait_for([&] { return of_class.chosen().state == LinkState::kReady; }));
  EXPECT_THAT(of_class.chosen().where, HasSubstr("shared by the class"));
  ::unsetenv("WARPSHOP_WORKER");
}

TEST_F(DevicesTest, AJobThatWaitsForOthersShowsItsPlace) {
  const std::string queue = script("queue", kWorker + R"( | while IFS= read -r line; do
    case $line in
      *'"type":"result"'*) echo '{"type":"queue","id":1,"place":3}'; sleep 2 ;;
    esac
    printf '%s\n' "$line"
  done
)");
  devices_.use({queue}, queue, -1);
  ASSERT_TRUE(wait_until_ready());
  devices_.measure(job("out[i] = 2 * in[i];", 1));
  EXPECT_TRUE(wait_for([this] { return devices_.chosen().place_in_queue == 3; }));
  EXPECT_FALSE(updates_of(1).back().measured.sizes.empty());
  EXPECT_EQ(devices_.chosen().place_in_queue, 0);
}

TEST_F(DevicesTest, TryingAgainAsksAWorkerThatHadNoGpuAnew) {
  const std::string driver = (folder_ / "driver").string();
  const std::string worker = script("later",
                                    "test -e " + driver + " && exec " + kWorker + R"(
echo '{"type":"hello","protocol":)" + std::to_string(device::kProtocolVersion) +
                                        R"(,"version":"","host":"","driver":"","nvrtc":"",)"
                                        R"("gpus":[],"problems":[]}'
cat
)");
  devices_.use({worker}, worker, -1);
  ASSERT_TRUE(wait_for([this] { return devices_.chosen().state == LinkState::kRefused; }));
  std::ofstream(driver).close();
  devices_.connect(worker);
  EXPECT_TRUE(wait_until_ready());
}

TEST_F(DevicesTest, TheEmulatorIsAlwaysThereAndAWorkersGpuOnceItSaysHello) {
  devices_.use({kWorker}, kAutomatic, -1);
  ASSERT_EQ(devices_.rows().size(), 2U);
  EXPECT_TRUE(devices_.rows()[0].chosen);  // no driver here: "auto" is the emulator
  EXPECT_FALSE(devices_.measures());
  EXPECT_EQ(devices_.rows()[1].name, kWorker);
  EXPECT_EQ(devices_.rows()[1].state, LinkState::kOff);

  devices_.use({kWorker}, kWorker, -1);
  ASSERT_TRUE(wait_until_ready());
  const DeviceRow row = devices_.chosen();
  EXPECT_EQ(row.name, "Fake GPU");
  EXPECT_EQ(row.gpu, 0);
  EXPECT_THAT(row.where, HasSubstr("4 GiB"));
  EXPECT_THAT(row.where, HasSubstr(kWorker));

  devices_.use({}, kWorker, -1);  // removed from the list
  ASSERT_EQ(devices_.rows().size(), 1U);
  EXPECT_FALSE(devices_.measures());
}

TEST_F(DevicesTest, EachSizeIsToldOfAsItComes) {
  devices_.use({kWorker}, kWorker, -1);
  devices_.measure(job("if (i < n) out[i] = 2 * in[i];", 7));
  const std::vector<MeasureUpdate> updates = updates_of(7);
  std::vector<size_t> sizes;
  for (const MeasureUpdate& update : updates) sizes.push_back(update.measured.sizes.size());
  EXPECT_EQ(sizes, (std::vector<size_t>{0, 1, 2, 2, 2}));  // start, two sizes, counters, end
  EXPECT_EQ(updates.back().measured.stage.state, lab::StageState::kPassed);
  EXPECT_TRUE(updates.back().measured.sizes[1]->correct);

  lab::RunResult result = job("if (i < n) out[i] = 2 * in[i];", 8).of->result;
  lab::put_measured(updates.back().measured, result);
  EXPECT_TRUE(result.passed);
  EXPECT_EQ(result.checks.back().id, "gpu-correct");
  const size_t checks = result.checks.size();
  lab::put_measured(updates.back().measured, result);  // again: nothing is added twice
  EXPECT_EQ(result.checks.size(), checks);
}

TEST_F(DevicesTest, AFaultEndsTheWorkerWhichIsReadyAgainForTheNext) {
  devices_.use({kWorker}, kWorker, -1);
  devices_.measure(job("if (i < n) out[(1ll << 40) + i] = in[i];", 1));
  const std::vector<MeasureUpdate> updates = updates_of(1);
  const lab::Measured& measured = updates.back().measured;
  ASSERT_EQ(measured.problems.size(), 1U);
  EXPECT_EQ(measured.problems.front().kind.name(), "gpu-fault");
  EXPECT_EQ(measured.problems.front().place.line, 3);  // the emulator's finding
  EXPECT_THAT(measured.problems.front().help, HasSubstr("out-of-bounds"));
  EXPECT_EQ(measured.stage.summary, "faults");
  ASSERT_TRUE(wait_until_ready());
  EXPECT_THAT(devices_.chosen().detail, HasSubstr("address"));  // the reason remains visible
  devices_.measure(job("if (i < n) out[i] = 2 * in[i];", 2));
  EXPECT_EQ(updates_of(2).back().measured.stage.state, lab::StageState::kPassed);
  EXPECT_TRUE(devices_.chosen().detail.empty());
}

TEST_F(DevicesTest, AConnectionThatBreaksInAJobIsMadeAgainAndSaid) {
  // The first worker dies with the job that it has accepted.
  const std::string breaks = script(
      "breaks", "if mkdir " + (folder_ / "once").string() + " 2>/dev/null; then echo quit | " +
                    kWorker + " | head -n 1; read -r job; exit 255; fi\nexec " + kWorker + "\n");
  devices_.use({breaks}, breaks, -1);
  devices_.measure(job("if (i < n) out[i] = 2 * in[i];", 1));
  const std::vector<MeasureUpdate> updates = updates_of(1);
  const lab::Measured& measured = updates.back().measured;
  EXPECT_EQ(measured.stage.state, lab::StageState::kPassed);
  ASSERT_EQ(measured.problems.size(), 1U);
  EXPECT_EQ(measured.problems.front().severity, Severity::kWarning);
  EXPECT_THAT(measured.problems.front().message, HasSubstr("tried again"));
}

TEST_F(DevicesTest, AConnectionThatIsGoneForGoodLeavesWhatWasReceived) {
  const std::string breaks =
      script("gone", "if mkdir " + (folder_ / "once").string() + " 2>/dev/null; then " + kWorker +
                         " | while IFS= read -r line; do echo \"$line\"; case $line in "
                         "*'\"type\":\"result\"'*) exit 255;; esac; done; exit 255; fi\n"
                         "echo 'Connection refused' >&2; exit 255\n");
  devices_.use({breaks}, breaks, -1);
  devices_.measure(job("if (i < n) out[i] = 2 * in[i];", 1));
  const std::vector<MeasureUpdate> updates = updates_of(1);
  const lab::Measured& measured = updates.back().measured;
  ASSERT_EQ(measured.sizes.size(), 2U);
  EXPECT_TRUE(measured.sizes[0].has_value());
  EXPECT_FALSE(measured.sizes[1].has_value());
  EXPECT_EQ(measured.problems.back().kind.name(), "gpu-lost");
  ASSERT_TRUE(wait_for([this] { return devices_.chosen().state == LinkState::kRefused; }));
  EXPECT_THAT(devices_.chosen().help, HasSubstr("sshd"));
}

TEST_F(DevicesTest, AnIdleWorkerThatDiesIsStartedAgain) {
  const std::string tells =
      script("tells", "echo $$ > " + (folder_ / "pid").string() + "\nexec " + kWorker + "\n");
  devices_.use({tells}, tells, -1);
  ASSERT_TRUE(wait_until_ready());
  int pid = 0;
  std::ifstream(folder_ / "pid") >> pid;
  ASSERT_GT(pid, 0);
  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  ASSERT_TRUE(wait_for([&] {
    int now = 0;
    std::ifstream(folder_ / "pid") >> now;
    return now != pid && now > 0 && devices_.chosen().state == LinkState::kReady;
  }));
  EXPECT_THAT(devices_.chosen().detail, HasSubstr("killed by signal 9"));
}

TEST_F(DevicesTest, StopEndsAKernelThatHangs) {
  devices_.use({kWorker}, kWorker, -1);
  ASSERT_TRUE(wait_until_ready());
  devices_.measure(job("if (out[i] != 5) while (*(volatile const float*)in != 7) {}", 1, 100'000));
  ASSERT_TRUE(wait_for([this] { return devices_.chosen().state == LinkState::kMeasuring; }));
  devices_.stop();
  const std::vector<MeasureUpdate> updates = updates_of(1);
  EXPECT_EQ(updates.back().measured.stage.state, lab::StageState::kStopped);
}

TEST_F(DevicesTest, ANewerRunTakesOverWithoutKillingTheWorker) {
  devices_.use({kWorker}, kWorker, -1);
  ASSERT_TRUE(wait_until_ready());
  const MeasureJob first = job("if (i < n) out[i] = 2 * in[i];", 1);
  MeasureJob second = first;
  second.run = 2;
  devices_.measure(first);
  devices_.measure(second);
  EXPECT_EQ(updates_of(2).back().measured.sizes.size(), 2U);
  EXPECT_TRUE(devices_.chosen().detail.empty());
}

struct Refusal {
  const char* name;
  std::string command;
  const char* detail;
  const char* help;
};

TEST_F(DevicesTest, WhatCannotBeUsedSaysWhyAndTheFix) {
  const std::string fake = std::string("env FAKE_CUDA=");
  const Refusal kCases[] = {
      {"no driver", fake + "no-driver " + kWorker, "no NVIDIA driver", "emulator"},
      {"no GPU", fake + "no-gpu " + kWorker, "finds no NVIDIA GPU", "emulator"},
      {"a driver that is too old", fake + "old-driver " + kWorker, "driver", "newer NVIDIA driver"},
      {"a driver older than the compiler", fake + "older-driver " + kWorker,
       "older than the compiler", "newer NVIDIA driver"},
      {"a GPU that is too old", fake + "old-gpu " + kWorker, "6.0", "emulator"},
      {"another version",
       "echo {\\\"type\\\":\\\"hello\\\",\\\"protocol\\\":99,\\\"version\\\":\\\"7.0\\\"}",
       "version 99", "same version of Warpshop"},
      {"no worker", "echo Welcome", "not a Warpshop worker", "login script"},
      {"a password",
       script("password", "echo 'me@host: Permission denied (publickey,password).' >&2; exit 255"),
       "Permission denied", "ssh-copy-id"},
      {"Slurm is down",
       script("down", "echo 'srun: error: Unable to contact slurm controller' >&2; exit 1"),
       "slurm controller", "Slurm is down"},
  };
  for (const Refusal& c : kCases) {
    SCOPED_TRACE(c.name);
    devices_.use({c.command}, c.command, -1);
    ASSERT_TRUE(wait_for([this] { return devices_.chosen().state == LinkState::kRefused; }));
    EXPECT_THAT(devices_.chosen().detail, HasSubstr(c.detail));
    EXPECT_THAT(devices_.chosen().help, HasSubstr(c.help));
    // A run reports the same, and its result from the emulator remains.
    devices_.measure(job("if (i < n) out[i] = 2 * in[i];", 1));
    const std::vector<MeasureUpdate> updates = updates_of(1);
    EXPECT_EQ(updates.back().measured.stage.state, lab::StageState::kFailed);
    lab::RunResult result = job("if (i < n) out[i] = 2 * in[i];", 1).of->result;
    lab::put_measured(updates.back().measured, result);
    EXPECT_TRUE(result.passed);
  }
}

TEST_F(DevicesTest, ABusyGpuIsSaidWithTheFixAndTheWorkerStays) {
  const std::string busy = "env FAKE_CUDA=busy " + kWorker;
  devices_.use({busy}, busy, -1);
  devices_.measure(job("if (i < n) out[i] = 2 * in[i];", 1));
  const std::vector<MeasureUpdate> updates = updates_of(1);
  const lab::Measured& measured = updates.back().measured;
  ASSERT_EQ(measured.problems.size(), 1U);
  EXPECT_EQ(measured.problems.front().kind.name(), "gpu-busy");
  EXPECT_THAT(measured.problems.front().help, HasSubstr("choose another GPU"));
  EXPECT_EQ(measured.stage.summary, "not run");
  ASSERT_TRUE(wait_until_ready());
}

TEST(WorkerCommand, IsCheckedBeforeItIsKept) {
  struct Command {
    const char* text;
    size_t words;  // 0 if refused
    const char* message;
  };
  const Command kCases[] = {
      {"sh -c 'warpshop worker'", 3, ""},
      {"/bin/sh", 1, ""},
      {"", 0, "command"},
      {"   ", 0, "command"},
      {"sh 'open", 0, "unclosed"},
      {"no-such-program-here worker", 0, "no program 'no-such-program-here'"},
      {"/no/such/path worker", 0, "no program '/no/such/path'"},
      {"/tmp", 0, "no program '/tmp'"},
  };
  for (const Command& c : kCases) {
    SCOPED_TRACE(c.text);
    const Result<std::vector<std::string>> words = worker_command(c.text);
    EXPECT_EQ(words.ok(), c.words > 0);
    if (words.ok()) {
      EXPECT_EQ(words->size(), c.words);
    } else {
      EXPECT_THAT(words.errors().front().message, HasSubstr(c.message));
    }
  }
}

}  // namespace
}  // namespace warpshop::ui
