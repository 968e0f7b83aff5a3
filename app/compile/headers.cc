#include "headers.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace warpshop::compile {
namespace {

namespace fs = std::filesystem;

// C++ library headers that assets/prelude/std takes from libcu++.
constexpr std::string_view kStandard[] = {
    "type_traits", "utility",    "tuple",    "array",    "complex",
    "algorithm",   "functional", "numeric",  "bit",      "initializer_list",
    "ratio",       "chrono",     "iterator", "optional", "variant",
    "span",        "concepts",   "bitset",   "atomic"};

// Toolkit and system headers that contain nothing for device code.
constexpr std::string_view kHost[] = {"iostream",
                                      "ostream",
                                      "istream",
                                      "fstream",
                                      "sstream",
                                      "iomanip",
                                      "ios",
                                      "string",
                                      "vector",
                                      "list",
                                      "deque",
                                      "map",
                                      "set",
                                      "unordered_map",
                                      "unordered_set",
                                      "queue",
                                      "stack",
                                      "memory",
                                      "random",
                                      "thread",
                                      "mutex",
                                      "condition_variable",
                                      "future",
                                      "filesystem",
                                      "regex",
                                      "locale",
                                      "exception",
                                      "stdexcept",
                                      "system_error",
                                      "new",
                                      "typeinfo",
                                      "typeindex",
                                      "string_view",
                                      "forward_list",
                                      "valarray",
                                      "any",
                                      "memory_resource",
                                      "execution",
                                      "ranges",
                                      "charconv",
                                      "codecvt",
                                      "shared_mutex",
                                      "strstream",
                                      "csignal",
                                      "cerrno",
                                      "cctype",
                                      "clocale",
                                      "csetjmp",
                                      "cwchar",
                                      "cwctype",
                                      "cfenv",
                                      "cstdarg",
                                      "ctime",
                                      "signal.h",
                                      "errno.h",
                                      "ctype.h",
                                      "locale.h",
                                      "setjmp.h",
                                      "wchar.h",
                                      "fenv.h",
                                      "stdarg.h",
                                      "getopt.h",
                                      "unistd.h",
                                      "fcntl.h",
                                      "dirent.h",
                                      "pthread.h",
                                      "sched.h",
                                      "omp.h",
                                      "mpi.h",
                                      "malloc.h",
                                      "memory.h",
                                      "strings.h",
                                      "windows.h",
                                      "conio.h",
                                      "direct.h",
                                      "io.h",
                                      "tchar.h",
                                      "dlfcn.h",
                                      "libgen.h",
                                      "semaphore.h",
                                      "termios.h",
                                      "values.h",
                                      "pwd.h",
                                      "poll.h",
                                      "process.h",
                                      "glob.h",
                                      "netdb.h",
                                      "cuda_gl_interop.h",
                                      "cudaGL.h",
                                      "cudaEGL.h",
                                      "cuda_egl_interop.h",
                                      "cudaVDPAU.h",
                                      "cuda_vdpau_interop.h",
                                      "nvrtc.h",
                                      "cuda_profiler_api.h",
                                      "cudaProfiler.h",
                                      "cudaTypedefs.h",
                                      "curand.h",
                                      "cublas.h",
                                      "cublas_v2.h",
                                      "cublasLt.h",
                                      "cublasXt.h",
                                      "cusparse.h",
                                      "cusolverDn.h",
                                      "cusolverSp.h",
                                      "cusolver_common.h",
                                      "cudnn.h",
                                      "nccl.h",
                                      "nvml.h",
                                      "nvToolsExt.h",
                                      "cuda_occupancy.h",
                                      "helper_cuda.h",
                                      "helper_functions.h",
                                      "helper_timer.h",
                                      "helper_string.h",
                                      "helper_image.h",
                                      "helper_cuda_drvapi.h",
                                      "helper_gl.h",
                                      "helper_cusolver.h",
                                      "helper_multiprocess.h",
                                      "exception.h",
                                      "cutil.h",
                                      "cutil_inline.h",
                                      "png.h",
                                      "jpeglib.h",
                                      "zlib.h",
                                      "freeglut.h",
                                      "gtest/gtest.h",
                                      "benchmark/benchmark.h"};

// Folders of host headers; Thrust's algorithms launch kernels of their own.
constexpr std::string_view kHostFolders[] = {
    "sys/",     "GL/",         "GLFW/",      "SDL/",  "SDL2/",    "X11/",          "boost/",
    "opencv2/", "Eigen/",      "nvtx3/",     "arpa/", "netinet/", "experimental/", "thrust/",
    "bits/",    "cub/device/", "cub/agent/", "cudf/", "linux/",   "asm/"};

// Headers in those folders that are for device code.
constexpr std::string_view kDevice[] = {"thrust/complex.h", "thrust/tuple.h", "thrust/pair.h",
                                        "thrust/functional.h", "thrust/swap.h"};

template <size_t N>
bool one_of(std::string_view name, const std::string_view (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_host(std::string_view name) {
  if (one_of(name, kDevice)) return false;
  return one_of(name, kHost) ||
         std::any_of(std::begin(kHostFolders), std::end(kHostFolders),
                     [&](std::string_view folder) { return name.starts_with(folder); });
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// What comes with nvcc's headers, which include <cmath> of GCC.
struct NamesOfHeader {
  std::string_view header;
  std::vector<std::string_view> names;
};
const std::vector<NamesOfHeader>& names_of_headers() {
  static const std::vector<NamesOfHeader> kNames = {
      {"algorithm", {"min", "max", "clamp", "swap"}},
      {"limits", {"numeric_limits"}},
      {"utility", {"pair", "make_pair", "move", "forward", "declval"}},
      {"type_traits", {"conditional",    "conditional_t",     "decay",
                       "decay_t",        "enable_if",         "enable_if_t",
                       "false_type",     "integral_constant", "is_arithmetic",
                       "is_convertible", "is_floating_point", "is_floating_point_v",
                       "is_integral",    "is_integral_v",     "is_same",
                       "is_same_v",      "is_unsigned",       "make_signed",
                       "make_unsigned",  "remove_const",      "remove_cv",
                       "remove_cv_t",    "remove_reference",  "remove_reference_t",
                       "true_type"}},
      {"cstdint",
       {"int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
        "uintptr_t"}},
      {"cstddef", {"size_t", "ptrdiff_t", "nullptr_t"}},
      {"cmath", {"abs",      "acos",  "asin",  "atan", "atan2", "ceil", "cos",  "cosh",
                 "exp",      "fabs",  "floor", "fma",  "fmax",  "fmin", "fmod", "hypot",
                 "isfinite", "isinf", "isnan", "log",  "log10", "log2", "pow",  "round",
                 "sin",      "sinh",  "sqrt",  "tan",  "tanh",  "trunc"}}};
  return kNames;
}

}  // namespace

std::string_view standard_header_of(std::string_view name) {
  for (const NamesOfHeader& header : names_of_headers()) {
    if (std::find(header.names.begin(), header.names.end(), name) != header.names.end())
      return header.header;
  }
  return {};
}

IncludeDirective include_of(std::string_view directive) {
  const size_t open = directive.find_first_of("<\"");
  if (open == std::string_view::npos) return {};
  const bool quoted = directive[open] == '"';
  const size_t close = directive.find(quoted ? '"' : '>', open + 1);
  if (close == std::string_view::npos) return {};
  const std::string_view name = directive.substr(open + 1, close - open - 1);
  // The system would open what stands before a zero byte, and #line cannot name what has a line's
  // end.
  if (std::any_of(name.begin(), name.end(),
                  [](char c) { return static_cast<unsigned char>(c) < ' '; }))
    return {};
  return {std::string(name), quoted};
}

FoundHeader find_header(const IncludeDirective& include, const fs::path& folder,
                        const HeaderPath& path) {
  using Kind = FoundHeader::Kind;
  std::vector<fs::path> own = path.program;
  // <x.h> is also searched beside the file, since the compiler searches that folder too.
  own.insert(own.begin(), folder);
  if (!include.quoted && is_host(include.name)) return {Kind::kHost, {}};
  for (const fs::path& dir : own) {
    if (is_file(dir / include.name)) return {Kind::kProgram, dir / include.name};
  }
  if (is_host(include.name)) return {Kind::kHost, {}};
  if (one_of(include.name, kStandard)) return {Kind::kStandard, {}};
  for (const fs::path& dir : path.libraries) {
    if (is_file(dir / include.name)) return {Kind::kLibrary, dir / include.name};
  }
  return {Kind::kMissing, {}};
}

}  // namespace warpshop::compile
