// NVRTC in a child process: whatever a source does to it, this process goes on, says what happened,
// and compiles the next one.
#include "nvrtc_child.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "../lab/temporary_folder.h"
#include "code_that_varies.h"
#include "compile/compiler.h"
#include "compile/locked_nvrtc.h"
#include "compiler_backend.h"
#include "core/descriptor.h"

namespace warpshop::compile {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// NVRTC 13.0 crashes on a constant address here.
constexpr const char* kCrash =
    "__global__ void k() { asm volatile(\"prefetch.global.L2 [%0];\" :: \"l\"(0ull)); }\n";
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // which catches signals itself
#else
constexpr bool kSanitized = false;
#endif
constexpr const char* kGood = "__global__ void k(int* p) { *p = 1; }\n";
// Seconds of work in one pass of the compiler, which does not ask for the time meanwhile.
constexpr const char* kLong =
    "__global__ void k(float* p, const int* q) {\n  float a[8192];\n  #pragma unroll\n"
    "  for (int i = 0; i < 8192; ++i) a[i] = q[i] * p[i];\n  #pragma unroll\n"
    "  for (int i = 0; i < 8192; ++i) p[q[i]] = a[q[i + 1] & 8191];\n}\n";

Compiler new_compiler() {
  Result<Compiler> loaded = Compiler::load();
  EXPECT_TRUE(loaded.ok());
  return std::move(*loaded);
}

CompileInput student_input(const std::string& source) {
  CompileInput input;
  input.source = source;
  input.file_name = "student.cu";
  return input;
}

Diagnostic only_error(const Result<CompileOutput>& output) {
  EXPECT_FALSE(output.ok());
  if (output.ok()) return {};
  EXPECT_EQ(output.errors().size(), 1U) << render(output.errors());
  return output.errors().front();
}

// proc_pid_children(5), without those of other tests' compilers.
std::set<pid_t> children(const std::set<pid_t>& others = {}) {
  std::set<pid_t> out;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(task.path() / "children");
    for (pid_t pid = 0; list >> pid;) {
      if (!others.contains(pid)) out.insert(pid);
    }
  }
  return out;
}

// The numbers of a process's open descriptors.
std::set<int> descriptors_of(const std::string& process) {
  std::set<int> out;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + process + "/fd"))
    out.insert(std::stoi(entry.path().filename().string()));
  return out;
}

// Until it is a zombie; it is left to its owner to reap.
void kill_and_wait(pid_t child) {
  ::kill(child, SIGKILL);
  siginfo_t info{};
  EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
}

TEST(NvrtcChild, ACrashOfTheCompilerIsToldAndTheNextTextCompiles) {
  const Compiler compiler = new_compiler();
  for (const char* instruction : {"discard.global.L2 [a], 128", "prefetch.global.L2 [a]",
                                  "applypriority.global.L2::evict_normal [a], 128"}) {
    const Diagnostic error = only_error(compiler.compile(student_input(
        "__global__ void k(int* p) {\n  *p = 1;\n  asm volatile(\"{ .reg .b64 a; mov.u64 a, 0; " +
        std::string(instruction) + "; }\");\n}\n")));
    EXPECT_THAT(
        error.message.english(),
        HasSubstr(kSanitized ? "the compiler crashed on this source"
                             : "the compiler crashed on this source: it was killed by signal 11"));
    EXPECT_THAT(error.help.english(), HasSubstr("inline assembly"));
    EXPECT_EQ(error.place.file, "student.cu");
    EXPECT_EQ(error.place.line, 3);
    EXPECT_TRUE(compiler.compile(student_input(kGood)).ok());
  }
}

TEST(NvrtcChild, TheLimitEndsAPassThatDoesNotAskForTheTime) {
  const Compiler compiler = new_compiler();
  ASSERT_TRUE(compiler.compile(student_input(kGood)).ok());
  rusage before{}, after{};
  ::getrusage(RUSAGE_CHILDREN, &before);
  CompileInput input = student_input(kLong);
  input.most_seconds = 0.5;
  const Diagnostic error = only_error(compiler.compile(input));
  ::getrusage(RUSAGE_CHILDREN, &after);
  EXPECT_THAT(error.message.english(), HasSubstr("has not finished"));
  EXPECT_EQ(error.place.line, 3);
  const auto seconds = [](const rusage& used) {
    return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  };
  // With its start, and the quarter of a second in which NVRTC may end by itself.
  EXPECT_LT(seconds(after) - seconds(before), 2.0);
  EXPECT_TRUE(compiler.compile(student_input(kGood)).ok());
}

TEST(NvrtcChild, AStopEndsACompilationAtOnce) {
  const Compiler compiler = new_compiler();
  StopFlag stop;
  CompileInput input = student_input(kLong);
  input.stop = &stop;
  std::thread later([&] {
    std::this_thread::sleep_for(200ms);
    stop.request();
  });
  const Diagnostic error = only_error(compiler.compile(input));
  later.join();
  EXPECT_EQ(error.kind, DiagnosticKind("stopped"));
  // Nor does it wait for its turn.
  EXPECT_EQ(only_error(compiler.compile(input)).kind, DiagnosticKind("stopped"));
  input.stop = nullptr;
  input.source = kGood;
  EXPECT_TRUE(compiler.compile(input).ok());
}

TEST(NvrtcChild, MoreMemoryThanAllowedIsSaid) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory cannot be limited";
  NvrtcJob job{kLong, "student.cu", {"--gpu-architecture=sm_90", "--std=c++17"}, {}, 60, {}};
  NvrtcChild child(uint64_t{32} << 20);
  const auto outcome = child.run(job, nullptr);
  const auto* none = std::get_if<NoAnswer>(&outcome);
  ASSERT_NE(none, nullptr) << std::get<NvrtcAnswer>(outcome).log;
  EXPECT_EQ(none->why, NoAnswer::Why::kMemory) << none->how;
  job.text = kGood;
  EXPECT_TRUE(std::holds_alternative<NvrtcAnswer>(child.run(job, nullptr)));
}

TEST(NvrtcChild, ACompilerThatWaitsForAPipeIsTerminated) {
  const TemporaryFolder folder;
  const std::filesystem::path pipe = folder.path() / "pipe.h";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Compiler compiler = new_compiler();
  CompileInput input = student_input("#include \"pipe.h\"\n" + std::string(kGood));
  input.include_dirs = {folder.path().string()};
  input.most_seconds = 1;
  EXPECT_THAT(only_error(compiler.compile(input)).message.english(), HasSubstr("waits for"));
  EXPECT_TRUE(compiler.compile(student_input(kGood)).ok());
}

TEST(NvrtcChild, AChildThatIsKilledIsReplaced) {
  const std::set<pid_t> others = children();
  const Compiler compiler = new_compiler();
  ASSERT_EQ(children(others).size(), 1U);
  kill_and_wait(*children(others).begin());  // idle: as if nothing had happened
  EXPECT_TRUE(compiler.compile(student_input(kGood)).ok());

  const pid_t child = *children(others).begin();
  std::thread later([child] {
    std::this_thread::sleep_for(200ms);
    ::kill(child, SIGKILL);
  });
  const Diagnostic error = only_error(compiler.compile(student_input(kLong)));
  later.join();
  EXPECT_EQ(error.kind, DiagnosticKind("nvrtc")) << "not the source's fault";
  EXPECT_THAT(error.message.english(), HasSubstr("killed by signal 9"));
  EXPECT_TRUE(compiler.compile(student_input(kGood)).ok());
}

TEST(NvrtcChild, NothingIsLeftBehind) {
  const std::set<pid_t> others = children();
  const std::set<int> before = descriptors_of("self");
  {
    // Inherited by every child that does not close it.
    const Descriptor inherited(::open("/dev/null", O_RDONLY));  // NOLINT: without O_CLOEXEC
    const Compiler compiler = new_compiler();
    const Compiler copy = compiler;  // NOLINT(performance-unnecessary-copy-initialization)
    for (int n = 0; n < 3; ++n) {
      ASSERT_TRUE(copy.compile(student_input(kGood)).ok());
      EXPECT_EQ(children(others).size(), 1U);
      // Its own: the folder that it was started in, and what it waits with.
      EXPECT_THAT(descriptors_of(std::to_string(*children(others).begin())),
                  testing::Each(testing::Le(5)));
      EXPECT_FALSE(compiler.compile(student_input(kCrash)).ok());
    }
  }
  EXPECT_EQ(children(others), std::set<pid_t>()) << "zombies, or a child that goes on";
  EXPECT_EQ(descriptors_of("self"), before);
}

TEST(NvrtcChild, ALongTextHoldsUpNoOther) {
  const Compiler compiler = new_compiler();
  StopFlag stop;
  CompileInput input = student_input(kLong);
  input.stop = &stop;
  std::optional<Result<CompileOutput>> long_one;
  std::thread other([&] { long_one.emplace(compiler.compile(input)); });
  std::this_thread::sleep_for(200ms);  // it is at work
  EXPECT_TRUE(compiler.compile(student_input(kGood)).ok());
  stop.request();
  other.join();
  EXPECT_FALSE(long_one->ok()) << "the short one came after the long one";
}

TEST(NvrtcChild, ThreadsGetEachItsOwn) {
  const Compiler compiler = new_compiler();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int n = 0; n < 4; ++n) {
        const std::string name = "k" + std::to_string(10 * t + n);
        const auto output =
            compiler.compile(student_input("extern \"C\" __global__ void " + name + "() {}\n"));
        ASSERT_TRUE(output.ok());
        EXPECT_THAT(output->ptx, HasSubstr(".entry " + name + "("));
        if (n == 2) {  // and a crash in between harms only its own text
          EXPECT_FALSE(compiler.compile(student_input(kCrash)).ok());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Nor does it matter where the text's file is, in which folder the program was started, or what it
// may cost.
TEST(NvrtcChild, MakesTheSameOfATextWheneverItIsAsked) {
  if (!addresses_can_be_fixed()) GTEST_SKIP() << "memory is not where it was";
  const std::filesystem::path here = std::filesystem::current_path();
  const TemporaryFolder folder;
  std::set<std::vector<uint8_t>> cubins;
  for (int n = 0; n < 6; ++n) {
    const std::filesystem::path other =
        folder.path() / ("other" + std::string(static_cast<size_t>(n) * 17, '_'));
    std::filesystem::create_directories(other);
    std::filesystem::current_path(other);
    const Compiler compiler = new_compiler();
    std::filesystem::current_path(here);
    for (int earlier = 0; earlier < n; ++earlier) {
      const std::string name = "other" + std::string(static_cast<size_t>(earlier) * 1000, '_');
      ASSERT_TRUE(compiler.compile(student_input("__global__ void " + name + "() {}\n")).ok());
    }
    CompileInput input = student_input(kCodeThatVaries);
    input.include_dirs = {other.string()};
    input.most_seconds = n % 2 == 0 ? 20 : 1e12;
    const auto output = compiler.compile(input);
    ASSERT_TRUE(output.ok());
    cubins.insert(output->cubin);
  }
  EXPECT_EQ(cubins.size(), 1U);
}

Result<LockedNvrtc> locked(const TemporaryFolder& folder) {
  folder.write("forbidden", "text");
  return LockedNvrtc::start({}, folder.path() / "forbidden");
}

TEST(LockedNvrtc, MakesTheSameOfATextAsAWindow) {
  if (!addresses_can_be_fixed()) GTEST_SKIP() << "memory is not where it was";
  const auto wanted = new_compiler().compile(student_input(kCodeThatVaries));
  ASSERT_TRUE(wanted.ok());
  const TemporaryFolder folder;
  Result<LockedNvrtc> nvrtc = locked(folder);
  ASSERT_TRUE(nvrtc.ok()) << render(nvrtc.errors());
  for (int n = 0; n < 3; ++n) {
    const std::filesystem::path student =
        folder.path() / ("ada" + std::string(static_cast<size_t>(n) * 29, 'a'));
    std::filesystem::create_directories(student);
    const Descriptor place(::open(student.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(nvrtc->open(place.get(), n == 0 ? -1 : place.get()).ok());
    for (int time = 0; time <= n; ++time) {
      const auto output = nvrtc->compiler().compile(student_input(kCodeThatVaries));
      ASSERT_TRUE(output.ok());
      EXPECT_EQ(output->cubin, wanted->cubin);
      EXPECT_EQ(output->ptx, wanted->ptx);
    }
  }
}

// Relative names start at the folder that is given, and messages name files as they do.
TEST(LockedNvrtc, ReadsWhatItMayAndNothingElse) {
  if (sandbox_support().landlock_abi == 0) GTEST_SKIP() << "this kernel has no Landlock";
  const TemporaryFolder folder;
  Result<LockedNvrtc> nvrtc = locked(folder);
  ASSERT_TRUE(nvrtc.ok()) << render(nvrtc.errors());
  folder.write("ada/mine.h", "__device__ int mine(int x) { int unused; return 3 * x; }\n");
  folder.write("bob/his.h", "");
  const Descriptor ada(::open((folder.path() / "ada").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  ASSERT_TRUE(nvrtc->open(ada.get(), ada.get()).ok());
  const auto own = nvrtc->compiler().compile(
      student_input("#include \"mine.h\"\n__global__ void k(int* p) { *p = mine(*p); }\n"));
  ASSERT_TRUE(own.ok()) << render(own.errors());
  ASSERT_EQ(own->warnings.size(), 1U);
  EXPECT_EQ(own->warnings.front().place.file, "mine.h");
  EXPECT_THAT(own->ptx, HasSubstr("\"mine.h\""));
  EXPECT_THAT(own->ptx, HasSubstr("\"student.cu\""));
  for (const char* other :
       {"../bob/his.h", "/etc/passwd", "/proc/self/maps", "/proc/self/fd/5/.."}) {
    const auto output = nvrtc->compiler().compile(
        student_input("#include \"" + std::string(other) + "\"\n" + std::string(kGood)));
    EXPECT_FALSE(output.ok()) << other;
  }
  // Without such a folder, none of its files either.
  ASSERT_TRUE(nvrtc->open(ada.get()).ok());
  EXPECT_FALSE(nvrtc->compiler().compile(student_input("#include \"mine.h\"\n")).ok());
}

// The child's own mapping of NVRTC's code, if this system has large pages.
TEST(LockedNvrtc, RunsItsCodeFromLargePages) {
  std::ifstream modes("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string enabled;
  std::getline(modes, enabled);
  if (enabled.empty() || enabled.find("[never]") != std::string::npos)
    GTEST_SKIP() << "this system has no large pages";
  const std::set<pid_t> others = children();
  const TemporaryFolder folder;
  Result<LockedNvrtc> nvrtc = locked(folder);
  ASSERT_TRUE(nvrtc.ok()) << render(nvrtc.errors());
  ASSERT_EQ(children(others).size(), 1U);
  std::ifstream maps("/proc/" + std::to_string(*children(others).begin()) + "/smaps");
  uint64_t largest_kib = 0;
  bool is_code = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.find('-') < line.find(' ')) is_code = line.find(" r-xp ") != std::string::npos;
    if (is_code && line.starts_with("AnonHugePages:"))
      largest_kib = std::max<uint64_t>(largest_kib, std::stoull(line.substr(line.find(' '))));
  }
  EXPECT_GE(largest_kib, 32U << 10) << "NVRTC 13.0 has 74 MiB of code";
  // And it still runs.
  ASSERT_TRUE(nvrtc->open().ok());
  EXPECT_TRUE(nvrtc->compiler().compile(student_input(kGood)).ok());
}

TEST(LockedNvrtc, ACrashIsToldAndTheNextChannelWorks) {
  const TemporaryFolder folder;
  Result<LockedNvrtc> nvrtc = locked(folder);
  ASSERT_TRUE(nvrtc.ok()) << render(nvrtc.errors());
  ASSERT_TRUE(nvrtc->open().ok());
  EXPECT_FALSE(nvrtc->compiler().compile(student_input(kCrash)).ok());
  ASSERT_TRUE(nvrtc->no_answer());
  EXPECT_EQ(nvrtc->no_answer()->why, NoAnswer::Why::kCrashed);
  ASSERT_TRUE(nvrtc->open().ok());
  EXPECT_TRUE(nvrtc->compiler().compile(student_input(kGood)).ok());
  EXPECT_FALSE(nvrtc->no_answer());
}

// Passes jobs on, and knows their targets and which had less declared before the text.
class Watched : public NvrtcRunner {
 public:
  NvrtcOutcome run(const NvrtcJob& job, const StopFlag* stop) override {
    targets.push_back(job.options.front());
    minimal.push_back(std::find(job.options.begin(), job.options.end(), "--minimal") !=
                      job.options.end());
    few.push_back(std::any_of(job.options.begin(), job.options.end(), [](const std::string& one) {
      return one.ends_with("/few_instructions.h");
    }));
    return child_.run(job, stop);
  }
  uint64_t most_bytes() const override { return child_.most_bytes(); }

  std::vector<std::string> targets;
  std::vector<bool> minimal, few;

 private:
  NvrtcChild child_;
};

TEST(NvrtcChild, AWarpGroupsInstructionNeedsOneCompilation) {
  auto library = load_nvrtc();
  ASSERT_TRUE(library.ok());
  const auto runner = std::make_shared<Watched>();
  const Compiler compiler = compiler_of(std::move(*library), runner);
  const auto targets_of = [&](const std::string& source) {
    runner->targets.clear();
    EXPECT_TRUE(compiler.compile(student_input(source)).ok());
    return runner->targets;
  };
  using testing::ElementsAre;
  EXPECT_THAT(targets_of("__global__ void k() { asm volatile(\"wgmma.fence.sync.aligned;\"); }\n"),
              ElementsAre("--gpu-architecture=sm_90a"));
  EXPECT_THAT(targets_of("// wgmma. would be next\n__global__ void k() {}\n"),
              ElementsAre("--gpu-architecture=sm_90"));
  // Hidden from whoever only looks at the text.
  EXPECT_THAT(targets_of("#define NAME \"wg\" \"mma\"\n__global__ void k() {\n"
                         "  asm volatile(NAME \".fence.sync.aligned;\");\n}\n"),
              ElementsAre("--gpu-architecture=sm_90", "--gpu-architecture=sm_90a"));
}

// Most texts name nothing of the runtime and no texture: NVRTC then parses fewer declarations.
// Where a header names one, the text is compiled again.
TEST(NvrtcChild, ATextGetsTheRuntimesNamesIfItUsesThem) {
  auto library = load_nvrtc();
  ASSERT_TRUE(library.ok());
  if ((*library)->major < 13) GTEST_SKIP() << "this NVRTC always declares them";
  const auto runner = std::make_shared<Watched>();
  const Compiler compiler = compiler_of(std::move(*library), runner);
  const TemporaryFolder folder;
  folder.write("failure.h", "__device__ int failure() { return cudaErrorUnknown; }\n");
  const auto minimal_of = [&](const std::string& source, bool compiles) {
    runner->minimal.clear();
    CompileInput input = student_input(source);
    input.include_dirs = {folder.path().string()};
    EXPECT_EQ(compiler.compile(input).ok(), compiles) << source;
    return runner->minimal;
  };
  using testing::ElementsAre;
  for (const char* source :
       {"#include <cuda_fp16.h>\n__global__ void k(__half* p) { *p = __hadd(*p, *p); }\n",
        "__global__ void k(int* p) { int texel = *p, surfer = 1, cudas = 2; *p = texel + surfer + "
        "cudas; }\n",
        "__global__ void k() { printf(\"%d\", 1); assert(threadIdx.x < 3); }\n"})
    EXPECT_THAT(minimal_of(source, true), ElementsAre(true)) << source;
  for (const char* source :
       {"__global__ void k(cudaError_t* p) { *p = cudaSuccess; }\n",
        "__global__ void k(cudaTextureObject_t t, float* p) { *p = tex2D<float>(t, 1, 2); }\n",
        "__global__ void k(cudaSurfaceObject_t s) { surf2Dwrite(1, s, 0, 0); }\n"})
    EXPECT_THAT(minimal_of(source, true), ElementsAre(false)) << source;
  EXPECT_THAT(
      minimal_of("#include \"failure.h\"\n__global__ void k(int* p) { *p = failure(); }\n", true),
      ElementsAre(true, false));
  // Other mistakes cost no second compilation.
  EXPECT_THAT(minimal_of("__global__ void k(int* p) { *p = q; }\n", false), ElementsAre(true));
}

// Two thirds of <cuda/ptx> are left out of texts that cannot need them, with the same result. Where
// the compiler misses one, the text is compiled again.
TEST(NvrtcChild, ATextGetsAllInstructionsIfItNamesARareOne) {
  auto library = load_nvrtc();
  ASSERT_TRUE(library.ok());
  if ((*library)->major < 13) GTEST_SKIP() << "its headers were not tried";
  const auto runner = std::make_shared<Watched>();
  const Compiler compiler = compiler_of(std::move(*library), runner);
  const TemporaryFolder folder;
  folder.write("mine.h", "#define LOAD cuda::ptx::ld\n");
  const auto compile = [&](const std::string& source) {
    runner->few.clear();
    CompileInput input = student_input(source);
    // What a folder's headers need is not known.
    if (source.find("mine.h") != std::string::npos) input.include_dirs = {folder.path().string()};
    return compiler.compile(input);
  };
  const auto few_of = [&](const std::string& source, bool compiles) {
    EXPECT_EQ(compile(source).ok(), compiles) << source;
    return runner->few;
  };
  const auto kernel = [](const std::string& body, const std::string& headers = "") {
    return headers + "#include <cuda/ptx>\n__global__ void k(int* p, uint64_t* b) { " + body +
           " }\n";
  };
  using testing::ElementsAre;
  const std::string common =
      "__shared__ uint64_t bar; cuda::ptx::mbarrier_init(&bar, 1); int held = *p, ldx = 1; "
      "*p = held + ldx;";
  const auto with_few = compile(kernel(common, "#include <mma.h>\n#include <cuda_fp16.h>\n"));
  EXPECT_THAT(runner->few, ElementsAre(true));
  // The word in a comment keeps them.
  const auto with_all =
      compile(kernel(common, "#include <mma.h>\n#include <cuda_fp16.h>\n") + "// ld\n");
  EXPECT_THAT(runner->few, ElementsAre(false));
  ASSERT_TRUE(with_few.ok() && with_all.ok());
  EXPECT_EQ(with_few->ptx, with_all->ptx);
  EXPECT_EQ(with_few->cubin, with_all->cubin);

  for (const std::string& source :
       {kernel("*p = cuda::ptx::ld(cuda::ptx::space_global, p);"),
        kernel("*p = cuda::ptx::ld_nc(cuda::ptx::space_global, p);"),
        kernel("*p = sizeof(__nv_fp8_e4m3);"),
        kernel("*p = LOAD(cuda::ptx::space_global, p);", "#include \"mine.h\" // <mma.h>\n"),
        kernel("*p = LOAD(cuda::ptx::space_global, p);", "#include <mine.h>\n"),
        kernel("*p = _CCCL_HAS_NVFP8();"), kernel("*p = 1;\n#ifdef _CUDA_PTX_LD_H_\n#endif\n"),
        kernel("*p = 1;", "#include <cuda/std/limits>\n"), kernel("*p = 1;", "#include <array>\n"),
        std::string("// #include <cuda/ptx>\n__global__ void k(int* p) { *p = 1; }\n")})
    EXPECT_THAT(few_of(source, true), ElementsAre(false)) << source;

  // Hidden from whoever only looks at the text.
  const std::string join = "#define JOIN(a, b) a##b\n";
  EXPECT_THAT(few_of(kernel("*p = cuda::ptx::JOIN(l, d)(cuda::ptx::space_global, p);", join), true),
              ElementsAre(true, false));
  EXPECT_THAT(few_of(kernel("*p = sizeof(JOIN(__nv_f, p8_e4m3));", join), true),
              ElementsAre(true, false));
  EXPECT_THAT(
      few_of(kernel("cuda::ptx::JOIN(multi, mem_st)(cuda::ptx::sem_weak, b, *b);", join), true),
      ElementsAre(true, false));
  // sm_90 does not have it, so that it does not compile with all of them either.
  EXPECT_THAT(
      few_of(kernel("cuda::ptx::JOIN(tc, gen05_shift_down)(cuda::ptx::cta_group_1, 1u);", join),
             false),
      ElementsAre(true, false));
  // Other mistakes cost no second compilation.
  EXPECT_THAT(few_of(kernel("*p = q; cuda::ptx::mbarrier_inti(b, 1);"), false), ElementsAre(true));
}

TEST(NvrtcChild, FramesKeepAllBytes) {
  const std::vector<std::string> fields = {"", std::string("a\0b\n 7", 6), "12 3\n", ""};
  const std::string frame = frame_of(fields);
  const size_t end = frame.find('\n');
  const auto lengths = lengths_of(std::string_view(frame).substr(0, end));
  ASSERT_TRUE(lengths);
  EXPECT_EQ(fields_of(*lengths, std::string_view(frame).substr(end + 1)), fields);
  for (const char* damaged : {"", "1  2", "-1", "1x", "99999999999", " 1", "999999999 999999999"})
    EXPECT_FALSE(lengths_of(damaged)) << damaged;

  NvrtcJob job{"t",        "n", {"-a", "-b"}, {"k<1>"}, std::numeric_limits<double>::infinity(),
               {"/a", "."}};
  const std::optional<NvrtcJob> read = job_of(fields_of(job));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->options, job.options);
  EXPECT_EQ(read->instances, job.instances);
  EXPECT_EQ(read->folders, job.folders);
  EXPECT_EQ(read->most_seconds, job.most_seconds);
  EXPECT_FALSE(job_of({"t", "n", "20", "0", "3", "-a"})) << "an option is missing";
  EXPECT_FALSE(answer_of({"0", "0", "", ""}));
}

}  // namespace
}  // namespace warpshop::compile
