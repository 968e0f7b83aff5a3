// Shared by the verbs: see commands.h.
#include "commands.h"

#include "cli/main_cli.h"
#include "core/files.h"
#include "terminal.h"

namespace warpshop::cli {

bool is_tools_fault(const Diagnostic& problem) {
  return is_machines_fault(problem) || problem.kind.name().starts_with("gpu-");
}

int fail(const Diagnostics& diagnostics) {
  print_error(render(diagnostics) + "\n");
  for (const Diagnostic& diagnostic : diagnostics) {
    if (is_tools_fault(diagnostic)) return kToolFailed;
  }
  return kInputError;
}

int write_result(const std::string& file, const std::string& content) {
  const Status written = write_file_atomically(file, content);
  if (written.ok()) return kAllPassed;
  print_error(render(written.errors()) + "\n");
  return kToolFailed;
}

Result<models::GpuProfile> gpu_named(const std::string& id) {
  return models::find_gpu_profile(data_dir(), id);
}

Result<lab::Lab> lab_named(const std::string& id) { return lab::load_lab(lab::lab_places(), id); }

LabPlace split_place(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return {text, ""};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

Result<const lab::Step*> step_named(const lab::Lab& lab, const std::string& id) {
  if (const lab::Step* step = lab.find_step(id)) return step;
  std::string known;
  for (const lab::Step& step : lab.steps) known += (known.empty() ? "" : ", ") + step.id;
  return make_error("usage", "the lab '" + lab.id + "' has no step '" + id + "'",
                    "its steps are " + known);
}

}  // namespace warpshop::cli
