#include "cli/main_cli.h"

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "core/charconv.h"
#include "device/worker.h"
#include "lab/lab.h"
#include "terminal.h"

namespace warpshop::cli {
namespace {

constexpr double kMostSeconds = 1e6;

constexpr const char* kExitStatuses =
    "Exit status: 0 all passed, 1 a check failed or a kernel is faulty, 2 wrong usage or input,\n"
    "3 the tool itself failed, 130 interrupted.";

// A number of seconds, rejecting "nan" and "inf".
std::string expect_seconds(const std::string& text) {
  const std::optional<double> value = parse_number<double>(text);
  const bool is_one = value && *value > 0 && *value <= kMostSeconds;
  return is_one ? std::string() : text + ": expected seconds, above 0 and at most 1,000,000";
}

std::string expect_seed(const std::string& text) {
  return parse_number<uint64_t>(text)
             ? std::string()
             : text + ": expected a whole number from 0 to 18446744073709551615";
}

void add_gpu(CLI::App& verb, std::string& gpu) {
  verb.add_option("--gpu", gpu, "the GPU whose rules apply: see warpshop gpus")
      ->type_name("ID")
      ->capture_default_str();
}

CLI::Option* add_html(CLI::App& verb, std::string& file) {
  return verb
      .add_option("--html", file,
                  "also write the result as a piece of HTML, for a notebook or a page")
      ->type_name("FILE");
}

void add_budget(CLI::App& verb, uint64_t& budget) {
  verb.add_option("--budget", budget, "thread instructions after which a kernel is terminated")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

void add_seed(CLI::App& verb, uint64_t& seed) {
  verb.add_option("--seed", seed, "seed for shuffling the order of blocks and warps; 0: ascending")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
}

// --device, --worker and --worker-wait, for every verb that runs kernels.
void add_device(CLI::App& verb, DeviceOptions& options) {
  verb.add_option("--device", options.device,
                  "where the kernel runs: the emulator always; cuda: a GPU beside it")
      ->type_name("D")
      ->check([](const std::string& text) {
        const bool known = text == "auto" || text == "emulator" || text == "cuda" ||
                           (text.starts_with("cuda:") && text.size() > 5);
        return known ? std::string() : text + ": expected auto, emulator, cuda or cuda:N";
      })
      ->capture_default_str();
  verb.add_option("--worker", options.worker,
                  "command that starts the GPU worker: 'ssh HOST warpshop worker', 'srun "
                  "--gres=gpu:1 warpshop worker'; else $WARPSHOP_WORKER, or this machine's")
      ->type_name("COMMAND");
  verb.add_option("--time-limit", options.time_limit_s,
                  "seconds after which a kernel on the GPU is killed, excluding compilation")
      ->type_name("S")
      ->check(expect_seconds)
      ->capture_default_str();
  verb.add_option("--worker-wait", options.wait_s, "seconds to wait for the worker to start")
      ->type_name("S")
      ->check(expect_seconds)
      ->capture_default_str();
}

void add_profile(CLI::App& verb, std::string& profile) {
  verb.add_option("--profile", profile,
                  "also compare with this profile of the same kernel, a CSV of Nsight Compute: "
                  "docs/profiles.md")
      ->type_name("PROFILE.csv");
}

// --labs, for every verb that opens labs.
void add_lab_folders(CLI::App& verb) {
  verb.add_option_function<std::string>("--labs", lab::use_lab_folders,
                                        "your own labs: a lab's folder, or a folder of labs, "
                                        "several with ':' between them; else $WARPSHOP_LABS")
      ->type_name("DIR");
}

void add_labs(CLI::App& app, LabsOptions& options) {
  CLI::App* verb = app.add_subcommand("labs", "List the labs and their steps");
  add_lab_folders(*verb);
  verb->add_flag("--json", options.json, "as JSON, for scripts");
  verb->add_option("--skeleton", options.skeleton, "print the text that a student starts from")
      ->type_name("LAB/STEP");
  verb->add_option("--prove", options.prove,
                   "run every skeleton, solution and wrong kernel of a lab")
      ->type_name("LAB");
  verb->add_option("--gpu", options.gpu, "the GPU of --prove")
      ->type_name("ID")
      ->capture_default_str();
  verb->add_flag("--names", options.names, "list the counters and figures that checks may use");
  CLI::App* create = verb->add_subcommand("new", "Create a lab: a folder that loads and proves");
  create->add_option("id", options.new_id, "name of its folder: lower-case letters, digits and '-'")
      ->type_name("ID")
      ->required();
  add_lab_folders(*create);
  create
      ->add_option("--dir", options.new_dir,
                   "the folder that it is made in; default: that of --labs or $WARPSHOP_LABS, else "
                   "labs/ of your data: see warpshop doctor")
      ->type_name("DIR");
  create->add_option("--title", options.new_title, "its title; default: derived from the id")
      ->type_name("TEXT");
  create->callback([&options] { options.create = true; });
  verb->footer(
      "Examples:\n"
      "  warpshop labs                                    what there is to learn, and what you "
      "passed\n"
      "  warpshop labs --skeleton coalescing/stride > my.cu   start an exercise in your own "
      "editor\n"
      "  warpshop labs --prove coalescing                 does the lab keep its promises?\n"
      "  warpshop labs new warp-votes                     create your own lab\n"
      "  warpshop labs --labs ~/course                    your course's labs as well");
}

void add_check(CLI::App& app, CheckOptions& options) {
  CLI::App* verb = app.add_subcommand("check", "Run an exercise's kernel and judge it");
  add_lab_folders(*verb);
  verb->add_option("place", options.place, "a lab (all its exercises) or one step")
      ->type_name("LAB[/STEP]")
      ->required();
  CLI::Option* file =
      verb->add_option("--file", options.file, "check this file; - for standard input")
          ->type_name("F.cu");
  CLI::Option* solution =
      verb->add_flag("--solution", options.solution, "check the worked solution");
  CLI::Option* start = verb->add_flag("--start", options.start, "check the untouched skeleton");
  file->excludes(solution)->excludes(start);
  solution->excludes(start);
  add_gpu(*verb, options.gpu);
  add_device(*verb, options.device);
  add_budget(*verb, options.budget);
  add_seed(*verb, options.seed);
  verb->add_option("--inputs", options.inputs,
                   "seed of the random inputs, such as a grading's; 0: the lab's own")
      ->type_name("SEED")
      ->check(expect_seed);
  verb->add_flag("--predict", options.predict, "also predict the kernels' times");
  add_profile(*verb, options.profile);
  verb->add_flag("--json", options.json, "everything that is known about the run, as JSON");
  add_html(*verb, options.html);
  verb->footer(
      "Without --file, --solution or --start, your own text is checked: the one that the window "
      "edits.\n\n"
      "Examples:\n"
      "  warpshop check coalescing/stride                 how far is my kernel?\n"
      "  warpshop check coalescing/stride --file my.cu    the same for a file\n"
      "  warpshop check coalescing --solution             every worked solution of the lab\n"
      "  warpshop check coalescing/stride --json | jq .passed");
}

void add_watch(CLI::App& app, WatchOptions& options) {
  CLI::App* verb = app.add_subcommand(
      "watch", "Work in your own editor: check at each save, one thing at a time");
  add_lab_folders(*verb);
  verb->add_option("place", options.place, "a lab, or the step to begin with")
      ->type_name("LAB[/STEP]")
      ->required();
  CLI::Option* file =
      verb->add_option("file", options.file, "this file only, for one step")->type_name("F.cu");
  verb->add_option("--dir", options.dir,
                   "the folder of your files, as DIR/LAB/STEP.cu; default: those that the window "
                   "edits")
      ->type_name("DIR")
      ->excludes(file);
  add_gpu(*verb, options.gpu);
  add_budget(*verb, options.budget);
  verb->footer(
      "Files that do not exist yet are written with the text to start from; yours are never "
      "changed.\nKeys: t text, h hint, n next, l list, s solution, r check again, q quit. Progress "
      "is that "
      "of the window.\n\n"
      "Examples:\n"
      "  warpshop watch coalescing                        the lab, from the first step not passed\n"
      "  warpshop watch coalescing --dir ~/gpu            your files are ~/gpu/coalescing/*.cu\n"
      "  warpshop watch coalescing/stride my.cu           one exercise, in any file");
}

void add_report(CLI::App& app, ReportOptions& options) {
  CLI::App* verb =
      app.add_subcommand("report", "Write a lab as one HTML page: text, kernel, maps, checks");
  add_lab_folders(*verb);
  verb->add_option("place", options.text.place, "a lab (all its steps) or one step")
      ->type_name("LAB[/STEP]")
      ->required();
  verb->add_option("-o,--out", options.out,
                   "output file; - for standard output; default: LAB-report.html")
      ->type_name("FILE.html");
  CLI::Option* file =
      verb->add_option("--file", options.text.file, "report on this file; - for standard input")
          ->type_name("F.cu");
  CLI::Option* solution =
      verb->add_flag("--solution", options.text.solution, "report on the worked solutions");
  CLI::Option* start =
      verb->add_flag("--start", options.text.start, "report on the untouched skeletons");
  file->excludes(solution)->excludes(start);
  solution->excludes(start);
  verb->add_option("--author", options.author, "the author's name on the page")->type_name("NAME");
  CLI::Option* lecture =
      verb->add_flag("--lecture", options.lecture,
                     "the handout of the lab's lecture: its scenes and their pictures");
  lecture->excludes(file)->excludes(solution)->excludes(start);
  verb->add_flag("--notes", options.notes,
                 "with --lecture: also the speaker's notes and the page for instructors")
      ->needs(lecture);
  add_gpu(*verb, options.gpu);
  verb->footer(
      "The page needs no network and no program but a browser; screen readers get every picture in "
      "words and as a table.\n\n"
      "Examples:\n"
      "  warpshop report coalescing                       my work on the lab, for handing in\n"
      "  warpshop report coalescing/stride -o stride.html --author 'Ada Lovelace'\n"
      "  warpshop report tiling --solution --gpu k40c -o - | less\n"
      "  warpshop report tiling --lecture --notes         what to say at each scene, to print");
}

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App* verb =
      app.add_subcommand("run", "Run any kernel, or a list of cases, and count its accesses");
  verb->add_option("file", options.file, "a .cu or .ptx file")->type_name("F.cu");
  verb->add_option("--kernel", options.kernel, "the __global__ function")->type_name("K");
  verb->add_option("--grid", options.grid, "blocks")->type_name("X,Y,Z")->capture_default_str();
  verb->add_option("--block", options.block, "threads per block")
      ->type_name("X,Y,Z")
      ->capture_default_str();
  verb->add_option("--shared", options.shared, "bytes of dynamic shared memory")
      ->type_name("N")
      ->capture_default_str();
  verb->add_flag("--cooperative", options.cooperative,
                 "cooperative launch: all blocks resident at once, for grid.sync()");
  verb->add_option("--cluster", options.cluster,
                   "blocks per cluster; default: the kernel's __cluster_dims__")
      ->type_name("X,Y,Z");
  verb->add_flag("--large-clusters", options.large_clusters,
                 "allow more than 8 blocks per cluster, up to 16 on 9.0");
  verb->add_option("--arg", options.args, "the kernel's next argument: f32[1024]=random, i32=5, …")
      ->type_name("ARG")
      ->allow_extra_args(false);
  verb->add_option("--option", options.compiler_options, "a compiler option: -DTILE=16")
      ->type_name("OPT")
      ->allow_extra_args(false);
  CLI::Option* spec = verb->add_option("--spec", options.spec, "run the cases of this file instead")
                          ->type_name("CASES.json");
  verb->add_option("--only", options.only, "only the cases whose name matches")->type_name("REGEX");
  verb->add_option("--jobs", options.jobs, "concurrent cases; 0: one per core")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--out", options.out, "file for the results; default: standard output")
      ->type_name("RESULTS.json");
  verb->add_option("--dump", options.dump, "write each buffer after the run as NAME.INDEX.bin")
      ->type_name("DIR");
  verb->add_flag("--predict", options.predict, "predict times; with --spec, do nothing else");
  verb->add_flag("--counters", options.counters,
                 "with --spec and --device cuda: also read the GPU's own counters");
  add_profile(*verb, options.profile);
  add_gpu(*verb, options.gpu);
  add_device(*verb, options.device);
  add_budget(*verb, options.budget);
  add_seed(*verb, options.seed);
  verb->add_flag("--json", options.json, "everything that is known about the run, as JSON");
  add_html(*verb, options.html)->excludes(spec);
  verb->add_flag("--list", options.list,
                 "list the file's kernels and their parameters, and run nothing")
      ->excludes(spec);
  verb->footer(
      "Without --kernel, run lists the file's kernels. Host code is ignored.\n\n"
      "Arguments: TYPE[COUNT]=FILL is a buffer, TYPE=VALUE a value, ptr=0 a null pointer, {FIELD; "
      "FIELD} a struct; types\n"
      "i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 bool, C's names, vectors (float4=1,2,3,4), "
      "arrays in structs (f32x16=…);\n"
      "fills zero none iota random f32 f64 u8 bits chase=S file=PATH. Give them in the kernel's "
      "order.\n\n"
      "Examples:\n"
      "  warpshop run saxpy.cu --kernel saxpy --grid 16 --block 256 \\\n"
      "      --arg f32=2 --arg f32[4096]=iota --arg f32[4096]=random --arg i32=4096\n"
      "  warpshop run tile.cu --kernel transpose --grid 8,8 --block 32,8 --option -DPAD=1 \\\n"
      "      --arg f32[65536]=random --arg f32[65536]=none --arg i32=256\n"
      "  warpshop run saxpy.cu --kernel saxpy … --profile saxpy.csv   beside Nsight Compute's "
      "figures\n"
      "  warpshop run --spec cases.json --only 'transpose.*' --out results.json");
}

void add_grade(CLI::App& app, GradeCommandOptions& options) {
  CLI::App* verb =
      app.add_subcommand("grade", "Check a folder of submissions, one folder per student");
  add_lab_folders(*verb);
  verb->add_option("folder", options.folder,
                   "holds STUDENT/LAB/STEP.cu or STUDENT/LAB-STEP.cu; with --one, without STUDENT/")
      ->type_name("DIR")
      ->required();
  CLI::Option* one = verb->add_flag("--one", options.one, "the folder is one student's submission");
  verb->add_option("--out", options.out, "folder for the results; default: DIR-grades")
      ->type_name("DIR");
  verb->add_option("--exercise", options.exercises,
                   "LAB or LAB/STEP; default: all that were handed in")
      ->type_name("NAME")
      ->allow_extra_args(false);
  CLI::Option* format =
      verb->add_option("--format", options.formats,
                       "also write results for: gradescope, classroom50, lms (canvas and moodle); "
                       "=FILE: a place of your own, also for junit, csv, json and html")
          ->type_name("NAME[=FILE]")
          ->allow_extra_args(false);
  verb->add_option("--points", options.points,
                   "what exercises are worth: LAB=10, LAB/STEP=10, LAB/STEP=CHECK:8,CHECK:2, "
                   "LAB/STEP=passed:10; default: 1 per check")
      ->type_name("NAME=N")
      ->allow_extra_args(false);
  verb->add_option("--id-column", options.id_column,
                   "gradebooks: the column that holds the folders' names; default: SIS Login ID in "
                   "Canvas, username in Moodle")
      ->type_name("COLUMN");
  verb->add_option("--columns", options.columns, "gradebooks: one column per exercise or per lab")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"exercise", "lab"}))
      ->capture_default_str();
  add_gpu(*verb, options.gpu);
  add_device(*verb, options.device);
  verb->add_option("--jobs", options.jobs, "concurrent submissions; 0: one per core")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--limit-time", options.limit_s,
                   "processor time per submission, in seconds; wall time: four times that")
      ->type_name("S")
      ->check(expect_seconds)
      ->capture_default_str();
  verb->add_option("--limit-memory", options.limit_mib, "MiB of memory per submission")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_budget(*verb, options.budget);
  verb->add_option("--inputs", options.inputs,
                   "seed of the random inputs; 0: those that students see; default: a secret one, "
                   "kept with the results")
      ->type_name("SEED")
      ->check(expect_seed);
  CLI::Option* group = verb->add_option("--group", options.group, "only every Nth student, from K")
                           ->type_name("K/N");
  CLI::Option* slurm =
      verb->add_option("--slurm", options.slurm,
                       "run as a Slurm job array; value: additional sbatch options")
          ->type_name("OPTIONS")
          ->expected(0, 1);
  verb->add_option("--groups", options.groups,
                   "tasks in the job array; 0: one per student, up to 64")
      ->type_name("N")
      ->needs(slurm);
  slurm->excludes(group)->excludes(one);
  group->excludes(one)->excludes(format);  // a group alone writes no results
  verb->callback([&options, slurm] { options.use_slurm = slurm->count() > 0; });
  verb->footer(
      "Every submission is compiled and run in its own process, without network, with limits.\n"
      "Rerun the same command to continue an interrupted grading. docs/grading.md describes the "
      "results.\n\n"
      "Examples:\n"
      "  warpshop grade submissions                            everything that was handed in\n"
      "  warpshop grade submissions --exercise coalescing      one lab\n"
      "  warpshop grade submissions --slurm='--partition=lab'  a task for each group of students\n"
      "  warpshop grade submissions --format lms               gradebooks for Canvas and Moodle\n"
      "  warpshop grade ada --one --exercise coalescing --format gradescope   one submission");
}

void add_progress(CLI::App& app, ProgressOptions& options) {
  CLI::App* verb = app.add_subcommand("progress", "Move your work to another machine as one file");
  add_lab_folders(*verb);
  verb->require_subcommand(1);
  CLI::App* to = verb->add_subcommand("export", "Write your texts and progress into a file");
  to->add_option("file", options.file, "the file")->type_name("FILE.json")->required();
  CLI::App* from = verb->add_subcommand("import", "Merge texts and progress from a file");
  from->add_option("file", options.file, "the file")->type_name("FILE.json")->required();
  from->callback([&options] { options.import_file = true; });
  verb->footer(
      "Examples:\n"
      "  warpshop progress export my-work.json     on the old machine\n"
      "  warpshop progress import my-work.json     on the new one; texts there are kept in "
      "history/");
}

void add_hand_in(CLI::App& app, HandInOptions& options) {
  CLI::App* verb = app.add_subcommand(
      "hand-in", "Write your kernels into an archive or a folder for your teacher");
  verb->add_option("place", options.place,
                   "receives LAB/STEP.cu for every exercise you have started")
      ->type_name("FILE.zip|DIR")
      ->required();
  verb->add_option("--lab", options.lab, "only this lab")->type_name("LAB");
  verb->footer(
      "For each exercise it takes the last version that passed, else your latest text, and says "
      "which.\n\n"
      "Examples:\n"
      "  warpshop hand-in ada.zip                 all labs, as one archive\n"
      "  warpshop hand-in ada --lab coalescing    one lab, into the folder ada/");
}

void add_gpus(CLI::App& app, GpusOptions& options) {
  CLI::App* gpus = app.add_subcommand("gpus", "List the GPUs whose rules can be simulated");
  gpus->add_flag("--json", options.json, "as JSON, for scripts");
  gpus->add_option("ids", options.ids, "GPUs to compare, number by number: ids, or files .toml");
  gpus->add_option("--write", options.write,
                   "write a profile of this machine's GPU (or the worker's), so that it can be "
                   "simulated; the name without .toml becomes its id")
      ->type_name("FILE");
  add_device(*gpus, options.device);
  gpus->footer(
      "Examples:\n"
      "  warpshop gpus gtx-280 h200\n"
      "  warpshop check coalescing --gpu h200\n"
      "  warpshop gpus --write my-gpu.toml        from the driver and from measurements\n"
      "  warpshop gpus my-gpu.toml h200           both, number by number");
}

void add_other(CLI::App& app) {
  CLI::App* worker = app.add_subcommand(
      "worker", "Run kernels on this machine's GPUs for a lab that talks on standard input");
  worker->footer("docs/worker-protocol.md describes the messages.");
  CLI::App* doctor =
      app.add_subcommand("doctor", "Check this machine: compiler, GPU, display, folders");
  doctor->footer("Example:\n  warpshop doctor || echo 'see the lines that start with fail'");
}

// A better message for an unknown verb than the parser's. Empty: let the parser handle it.
std::string unknown_verb(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  const std::string verb = argv[1];
  for (const char* known : {"help", "labs", "check", "watch", "report", "run", "grade", "progress",
                            "hand-in", "serve", "gpus", "doctor", "worker"}) {
    if (verb == known) return {};
  }
  std::string meant;
  if (verb.ends_with(".cu")) {
    meant = "to run a kernel: warpshop run " + verb + "; ";
  } else if (std::filesystem::path(verb).is_relative() && verb.find('/') != std::string::npos) {
    meant = "to open a step: warpshop --lab " + verb + "; ";
  }
  return "warpshop: unknown verb '" + verb + "'\n  help: " + meant +
         "the verbs are labs, check, watch, report, run, grade, progress, hand-in, serve, gpus, "
         "doctor and worker; warpshop --help shows examples\n";
}

// Files that the standard library and the compiler need open at once, plus some.
bool enough_descriptors() {
  constexpr rlim_t kNeeded = 32;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= kNeeded) return true;
  files.rlim_cur = std::min<rlim_t>(files.rlim_max, 1024);
  if (files.rlim_cur >= kNeeded && ::setrlimit(RLIMIT_NOFILE, &files) == 0) return true;
  print_error("warpshop: this shell lets a program open " + std::to_string(files.rlim_max) +
              " files, and " + std::to_string(kNeeded) +
              " are needed\n  help: ulimit -n 1024, in a new shell\n");
  return false;
}

// The verb's status, unless writing its results to standard output failed.
int written(int status) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0) return status;
  print_error(std::string("warpshop: cannot write to standard output") +
              (errno != 0 ? std::string(": ") + std::strerror(errno) : "") + "\n");
  return kToolFailed;
}

int run_verb(int argc, char** argv, bool has_window) {
  if (const std::string message = unknown_verb(argc, argv); !message.empty()) {
    print_error(message);
    return kInputError;
  }
  CLI::App app("Warpshop: what a kernel asks of a GPU's memory. Without a verb it opens the lab.",
               "warpshop");
  app.require_subcommand(1);
  add_lab_folders(app);
  app.set_version_flag("--version", "warpshop " WARPSHOP_VERSION);
  app.footer(
      std::string(
          "Examples:\n"
          "  warpshop                                         open the lab\n"
          "  warpshop --lab coalescing                        open that lab; --lab LAB --help "
          "lists the window's options\n"
          "  warpshop labs                                    what there is to learn\n"
          "  warpshop check coalescing --start                a lab as a student finds it\n"
          "  warpshop check coalescing/stride --file my.cu    judge a kernel\n"
          "  warpshop watch coalescing                        work in your own editor\n"
          "  warpshop VERB --help                             more examples\n\n") +
      kExitStatuses);
  LabsOptions labs;
  CheckOptions check;
  WatchOptions watch;
  ReportOptions report;
  RunOptions run;
  GpusOptions gpus;
  add_labs(app, labs);
  add_check(app, check);
  add_watch(app, watch);
  add_report(app, report);
  add_run(app, run);
  GradeCommandOptions grade;
  ProgressOptions progress;
  add_grade(app, grade);
  add_progress(app, progress);
  HandInOptions hand_in;
  add_hand_in(app, hand_in);
  ServeCommandOptions serve;
  add_serve(app, serve);
  add_gpus(app, gpus);
  add_other(app);
  try {
    if (argc > 1 && std::string_view(argv[1]) == "help") throw CLI::CallForHelp();
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kAllPassed : kInputError;
  }
  if (app.got_subcommand("labs")) return labs_command(labs);
  if (app.got_subcommand("check")) return check_command(check);
  if (app.got_subcommand("watch")) return watch_command(watch);
  if (app.got_subcommand("report")) return report_command(report);
  if (app.got_subcommand("run")) return run_command(run);
  if (app.got_subcommand("grade")) return grade_command(grade);
  if (app.got_subcommand("progress")) return progress_command(progress);
  if (app.got_subcommand("hand-in")) return hand_in_command(hand_in);
  if (app.got_subcommand("serve")) return serve_command(serve);
  if (app.got_subcommand("gpus")) return gpus_command(gpus);
  if (app.got_subcommand("worker")) return device::serve_worker();
  return doctor_command(has_window);
}

}  // namespace

int main_cli(int argc, char** argv, bool has_window) {
  try {
    if (!enough_descriptors()) return kToolFailed;
    const int status = run_verb(argc, argv, has_window);
    return written(status);
  } catch (const std::exception& error) {
    // Our own code returns its errors; exceptions come from libraries or from running out of
    // memory.
    print_error(std::string("warpshop: ") + error.what() + "\n");
    return kToolFailed;
  }
}

}  // namespace warpshop::cli
