#include "grade/slurm.h"

#include <algorithm>
#include <set>

#include "core/child_process.h"
#include "core/files.h"

namespace warpshop::grade {
namespace {

struct Symptom {
  const char* text;
  const char* help;
};
constexpr Symptom kSymptoms[] = {
    {"No such file or directory", "is Slurm installed on this machine? sbatch must be in the PATH"},
    {"Unable to contact slurm controller", "Slurm is down: ask the cluster's administrator"},
    {"Invalid partition", "sinfo lists the partitions: --slurm='--partition=NAME'"},
    {"Invalid account", "request an account on the cluster: --slurm='--account=NAME'"},
    {"Requested node configuration is not available",
     "request what the partition offers: sinfo -o '%P %G %c %m'"},
    {"Invalid job array specification", "the cluster allows only smaller arrays: --groups N"},
    {"Job violates accounting/QOS policy", "request less: --groups N, or fewer options in --slurm"},
    {"Socket timed out", "Slurm's controller is busy: try again later; existing grades are kept"},
};

std::string help_for(const std::string& text) {
  for (const Symptom& symptom : kSymptoms) {
    if (text.find(symptom.text) != std::string::npos) return symptom.help;
  }
  return "existing grades are kept; rerun the same command to continue";
}

// Quotes a word for a POSIX shell.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string joined(const std::vector<int>& numbers) {
  std::string out;
  for (const int number : numbers) out += (out.empty() ? "" : ",") + std::to_string(number);
  return out;
}

// Runs one array job until all its tasks have ended. A failing task is not an error here.
Status submit_and_wait(const std::vector<int>& groups, const GradeOptions& options,
                       const SlurmOptions& slurm) {
  std::string script = "#!/bin/sh\nexec";
  for (const std::string& word : slurm.command) script += " " + quoted(word);
  script += " --group \"$SLURM_ARRAY_TASK_ID/" + std::to_string(slurm.groups) + "\"\n";
  const std::filesystem::path file = options.out / "slurm-task.sh";
  const Status written = write_file_atomically(file, script);
  if (!written.ok()) return written;

  std::vector<std::string> command = {"sbatch",
                                      "--wait",
                                      "--parsable",
                                      "--requeue",
                                      "--job-name=warpshop-grade",
                                      "--array=" + joined(groups),
                                      "--output=" + (options.out / "slurm-%a.log").string()};
  command.insert(command.end(), slurm.sbatch.begin(), slurm.sbatch.end());
  command.push_back(file.string());
  Result<ChildProcess> child = ChildProcess::start(command);
  if (!child.ok()) {
    Diagnostic error = child.errors().front();
    error.help = help_for("No such file or directory");
    return error;
  }
  child->close_input();
  std::string job;
  std::string line;
  for (;;) {
    const auto read =
        child->read_line(line, ChildProcess::Clock::now() + std::chrono::hours(24), slurm.stop);
    if (read == ChildProcess::Read::kLine) {
      if (job.empty()) {
        job = line.substr(0, line.find(';'));
        if (slurm.say) slurm.say("job " + job + ", tasks " + joined(groups));
      }
      continue;
    }
    if (read == ChildProcess::Read::kTimeout) continue;
    if (read == ChildProcess::Read::kStopped) {
      const auto end = ChildProcess::Clock::now() + std::chrono::seconds(10);
      // It may have been submitted already, although its number has not been read.
      if (job.empty() && child->read_line(line, end) == ChildProcess::Read::kLine)
        job = line.substr(0, line.find(';'));
      if (job.empty()) return make_error("stopped", "stopped before a job was submitted");
      Result<ChildProcess> cancel = ChildProcess::start({"scancel", job});
      if (cancel.ok()) cancel->finish(ChildProcess::Clock::now() + std::chrono::seconds(10));
      return make_error("stopped", "stopped; the job " + job + " was cancelled");
    }
    break;
  }
  child->wait_status(ChildProcess::Clock::now() + std::chrono::seconds(10));
  if (!job.empty()) return success();
  std::string said = child->error_tail();
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return make_error("slurm", "Slurm rejected the job: " + said, help_for(said));
}

}  // namespace

std::vector<int> incomplete_groups(const Class& submissions, const GradeOptions& options,
                                   int groups) {
  std::set<int> out;
  const Result<GradeResult> known = gather(submissions, options);
  if (!known.ok()) return {};
  for (const Grade& grade : known.value().grades) {
    // A task of the same user could not read it either.
    if (grade.verdict != Verdict::kNoVerdict || grade.fingerprint.empty()) continue;
    const auto at =
        std::lower_bound(submissions.students.begin(), submissions.students.end(), grade.student);
    out.insert(static_cast<int>((at - submissions.students.begin()) % groups));
  }
  return {out.begin(), out.end()};
}

Status run_on_slurm(const Class& submissions, const GradeOptions& options,
                    const SlurmOptions& slurm) {
  std::error_code ignored;
  std::filesystem::create_directories(options.out, ignored);
  std::vector<int> groups = incomplete_groups(submissions, options, slurm.groups);
  for (int round = 0; round < slurm.rounds && !groups.empty(); ++round) {
    if (round > 0 && slurm.say) {
      slurm.say(std::to_string(groups.size()) + " groups are incomplete; running them again");
    }
    const Status done = submit_and_wait(groups, options, slurm);
    if (!done.ok()) return done;
    groups = incomplete_groups(submissions, options, slurm.groups);
  }
  if (groups.empty()) return success();
  return make_error("slurm",
                    "the groups " + joined(groups) + " did not finish in " +
                        std::to_string(slurm.rounds) + " rounds",
                    "their messages are in " + (options.out / "slurm-GROUP.log").string() +
                        "; rerun the same command to continue");
}

}  // namespace warpshop::grade
