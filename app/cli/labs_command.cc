#include <nlohmann/json.hpp>

#include "cli/main_cli.h"
#include "commands.h"
#include "core/files.h"
#include "lab/left_over.h"
#include "lab/metric_names.h"
#include "lab/new_lab.h"
#include "lab/progress.h"
#include "lab/proof.h"
#include "lab/translation.h"
#include "run_json.h"
#include "terminal.h"

namespace warpshop::cli {
namespace {

int print_names(const Paint& paint) {
  size_t width = 0;
  for (const lab::MetricName& name : lab::metric_names()) width = std::max(width, name.name.size());
  for (const lab::MetricName& name : lab::metric_names()) {
    print("  " + pad_right(name.name, width) + "  " + paint.quiet(pad_right(name.unit, 11)) + "  " +
          name.meaning + "\n");
  }
  print("  " + pad_right("reference.NAME", width) + "  " + pad_right("", 11) +
        "  any of them, of the reference's run\n");
  return kAllPassed;
}

int print_skeleton(const std::string& text) {
  const LabPlace place = split_place(text);
  const Result<lab::Lab> lab = lab_named(place.lab);
  if (!lab.ok()) return fail(lab.errors());
  const Result<const lab::Step*> step = step_named(*lab, place.step);
  if (!step.ok()) return fail(step.errors());
  if (!(*step)->exercise) {
    return fail({make_error("usage", "the step " + text + " is for reading and has no skeleton")});
  }
  print((*step)->exercise->skeleton);
  return kAllPassed;
}

int prove(const LabsOptions& options, const Paint& paint) {
  const Result<lab::Lab> lab = lab_named(options.prove);
  if (!lab.ok()) return fail(lab.errors());
  const Result<models::GpuProfile> gpu = gpu_named(options.gpu);
  if (!gpu.ok()) return fail(gpu.errors());
  Result<lab::Runner> runner = lab::Runner::create();
  if (!runner.ok()) return fail(runner.errors());
  const Interrupt interrupt;
  ProgressLine progress("proving " + lab->id);
  bool all = true;
  lab::prove_lab(*runner, *lab, *gpu, interrupt.flag(), [&](const lab::ProofItem& item) {
    all = all && item.holds;
    progress.say("proving " + item.step);
    print((item.holds ? paint.good("✓") : paint.bad("✗")) + " " +
          pad_right(item.step + " " + item.what, 44) + "  " + item.found + "\n");
    if (!item.message.empty()) print("      " + paint.quiet(item.message) + "\n");
  });
  if (interrupt.requested()) return kInterrupted;
  for (const std::filesystem::path& file : lab::left_over_files(*lab)) {
    print(paint.strong("unused") + ": " + file.string() + "  " +
          paint.quiet("not referenced in the lab") + "\n");
  }
  print(all ? paint.good("proved") + ": solutions pass; skeletons, wrong kernels and cheats fail\n"
            : paint.bad("not proved") + "\n");
  return all ? kAllPassed : kCheckFailed;
}

int create(const LabsOptions& options, const Paint& paint) {
  const std::filesystem::path below =
      options.new_dir.empty() ? lab::new_labs_folder() : std::filesystem::path(options.new_dir);
  const lab::LabPlaces places = lab::lab_places();
  const auto files = lab::create_lab(places, below, options.new_id, options.new_title);
  if (!files.ok()) return fail(files.errors());
  for (const auto& file : *files) print(file.string() + "\n");
  // Whether the lab is found without --labs: the folder given by --dir may not be on the search
  // path.
  const bool found = lab::load_lab(lab::lab_places(), options.new_id).ok();
  const std::string with = found ? "" : " --labs " + below.string();
  print(paint.good("started") + ": it proves as it is; now make it yours, file by file\n" +
        "  warpshop labs" + with + " --prove " + options.new_id + "\n" + "  warpshop --lab " +
        options.new_id + with + "\n" + "  the guide: " + lab::lab_guide().string() + "\n");
  return kAllPassed;
}

Json labs_json(const lab::LabLibrary& library) {
  Json labs = Json::array();
  for (const lab::Lab& lab : library.labs) {
    Json steps = Json::array();
    for (const lab::Step& step : lab.steps) {
      steps.push_back(
          {{"id", step.id}, {"title", step.title}, {"exercise", step.exercise.has_value()}});
    }
    labs.push_back({{"id", lab.id}, {"title", lab.title}, {"own", lab.own}, {"steps", steps}});
  }
  return {{"labs", labs}};
}

void print_labs(const lab::LabLibrary& library, const Paint& paint) {
  const lab::LoadedProgress progress = lab::load_progress();
  if (!progress.problems.empty()) print_error(render(progress.problems) + "\n");
  for (const lab::Lab& lab : library.labs) {
    print(paint.strong(pad_right(lab.id, 24)) + " " + lab.summary +
          (lab.own ? paint.quiet("  (your own: " + lab.folder.string() + ")") : "") + "\n");
    for (const lab::Step& step : lab.steps) {
      const lab::StepProgress* done = progress.progress.find(lab, step);
      const bool passed = done != nullptr && done->passed;
      print("  " + (passed ? paint.good("✓") : std::string(" ")) + " " + pad_right(step.id, 20) +
            " " + step.title + (step.exercise ? "" : paint.quiet("  (reading)")) + "\n");
    }
  }
}

}  // namespace

int labs_command(const LabsOptions& options) {
  const Paint paint = Paint::for_standard_output();
  if (options.create) return create(options, paint);
  if (options.names) return print_names(paint);
  if (!options.skeleton.empty()) return print_skeleton(options.skeleton);
  if (!options.prove.empty()) return prove(options, paint);
  lab::LabLibrary library = lab::load_labs(lab::lab_places());
  for (const lab::Lab& lab : library.labs) {
    const Diagnostics problems = lab::translation_problems(lab);
    library.problems.insert(library.problems.end(), problems.begin(), problems.end());
  }
  if (options.json) {
    print(dumped(labs_json(library)));
  } else {
    print_labs(library, paint);
  }
  return library.problems.empty() ? kAllPassed : fail(library.problems);
}

}  // namespace warpshop::cli
