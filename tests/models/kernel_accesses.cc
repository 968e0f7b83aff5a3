#include "kernel_accesses.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace warpshop::models {
namespace {

constexpr auto kG = AccessSpace::kGlobal;
constexpr auto kS = AccessSpace::kShared;
constexpr auto kLd = AccessOperation::kLoad;
constexpr auto kSt = AccessOperation::kStore;

int64_t scramble(int64_t value) {
  auto x = static_cast<uint32_t>(value);
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  x ^= x >> 16;
  return x;
}

// One thread's indices, as the kernels see them.
struct Thread {
  int64_t tx, ty, bx, by;  // threadIdx, blockIdx
  int64_t i;               // blockIdx.x * blockDim.x + threadIdx.x
};

// Executes a kernel once per warp; at each step, the kernel says what every lane does.
class Walk {
 public:
  Walk(const HardwareCase& c, const AccessVisitor& visit) : c_(c), visit_(visit) {}

  bool run() {
    const int64_t threads = c_.block[0] * c_.block[1];
    for (int64_t by = 0; by < c_.grid[1]; ++by) {
      for (int64_t bx = 0; bx < c_.grid[0]; ++bx) {
        for (int64_t first = 0; first < threads; first += kLanes) {
          lanes_.clear();
          for (int64_t t = first; t < std::min<int64_t>(first + kLanes, threads); ++t) {
            const int64_t tx = t % c_.block[0];
            lanes_.push_back({tx, t / c_.block[0], bx, by, bx * c_.block[0] + tx});
          }
          if (!walk_warp()) return false;
        }
      }
    }
    return true;
  }

 private:
  using Address = std::function<int64_t(const Thread&)>;
  using Predicate = std::function<bool(const Thread&)>;

  int64_t define(const std::string& name, int64_t otherwise) const {
    const auto at = c_.defines.find(name);
    return at == c_.defines.end() ? otherwise : std::stoll(at->second);
  }
  int64_t element_bytes() const {
    static const std::map<std::string, int64_t> kBytes = {{"unsigned char", 1}, {"short", 2},
                                                          {"float", 4},         {"double", 8},
                                                          {"float2", 8},        {"float4", 16}};
    const auto at = c_.defines.find("Element");
    return at == c_.defines.end() ? 4 : kBytes.at(at->second);
  }

  // One warp instruction; `address` is in bytes.
  void access(AccessSpace space, AccessOperation operation, int64_t width, const Address& address,
              const Predicate& active = nullptr) {
    WarpRequest request{.active_mask = 0, .width_bytes = static_cast<uint32_t>(width)};
    for (size_t lane = 0; lane < lanes_.size(); ++lane) {
      if (active && !active(lanes_[lane])) continue;
      request.active_mask |= 1U << lane;
      request.address[lane] = static_cast<uint64_t>(address(lanes_[lane]));
    }
    if (request.active_mask != 0) visit_(space, operation, request);
  }
  bool any(const Predicate& predicate) const {
    return std::any_of(lanes_.begin(), lanes_.end(), predicate);
  }

  // `for (j = start; j < end; j += step)`: calls `body` with each
  // lane's j as long as any lane is in the loop.
  void loop(const Address& start, int64_t end, int64_t step,
            const std::function<void(const Address& j, const Predicate& inside)>& body) {
    for (int64_t turn = 0;; ++turn) {
      const Address j = [&](const Thread& t) { return start(t) + turn * step; };
      const Predicate inside = [&](const Thread& t) { return j(t) < end; };
      if (!any(inside)) return;
      body(j, inside);
    }
  }

  bool walk_warp() {
    const std::string& k = c_.kernel;
    if (k.starts_with("k_shared_") || k == "k_reduce") return walk_shared();
    if (k.starts_with("k_transpose_") || k == "k_copy") return walk_transpose();
    if (k.starts_with("k_matmul_")) return walk_matmul();
    if (k.starts_with("k_conv_")) return walk_convolution();
    return walk_global();
  }

  bool walk_global() {
    const std::string& k = c_.kernel;
    const int64_t w = element_bytes();
    const int64_t stride = define("STRIDE", 1);
    const int64_t offset = define("OFFSET", 0);
    const Address dense = [w](const Thread& t) { return t.i * w; };
    const Address spread = [=](const Thread& t) { return (t.i * stride + offset) * w; };
    if (k == "k_load_stride") {
      access(kG, kLd, w, spread);
      access(kG, kSt, w, dense);
    } else if (k == "k_store_stride") {
      access(kG, kLd, w, dense);
      access(kG, kSt, w, spread);
    } else if (k == "k_gather") {
      const int64_t mask = define("MASK", 0xFFFF);
      access(kG, kLd, w, [=](const Thread& t) { return (scramble(t.i) & mask) * w; });
      access(kG, kSt, w, dense);
    } else if (k == "k_scatter") {
      access(kG, kLd, w, dense);
      access(kG, kSt, w,
             [=](const Thread& t) { return ((t.i & ~int64_t{31}) | ((t.i * 7 + 3) & 31)) * w; });
    } else if (k == "k_partial" || k == "k_every_other") {
      const int64_t limit = define("LIMIT", 20);
      const bool odd = k == "k_every_other";
      const Predicate active = [=](const Thread& t) {
        return odd ? (t.tx & 1) != 0 : (t.tx & 31) < limit;
      };
      access(kG, kLd, w, dense, active);
      access(kG, kSt, w, dense, active);
    } else if (k == "k_broadcast") {
      const int64_t group = define("GROUP", 32);
      access(kG, kLd, w, [=](const Thread& t) { return t.i / group * w; });
      access(kG, kSt, w, dense);
    } else if (k == "k_aos") {
      for (int64_t member = 0; member < 3; ++member) {
        access(kG, kLd, 4, [=](const Thread& t) { return t.i * 12 + member * 4; });
      }
      access(kG, kSt, 4, dense);
    } else if (k == "k_soa") {
      for (int array = 0; array < 3; ++array) access(kG, kLd, 4, dense);
      access(kG, kSt, 4, dense);
    } else if (k == "k_atomic") {
      const int64_t mask = define("MASK", 0xFFFF);
      // MASK 0: all lanes use the same pointer, and one elected lane adds for the whole warp.
      const Predicate elected = [&](const Thread& t) {
        return mask != 0 || t.i == lanes_.front().i;
      };
      access(
          kG, AccessOperation::kReduction, 4,
          [=](const Thread& t) { return (scramble(t.i) & mask) * 4; }, elected);
    } else if (k == "k_grid_stride") {
      loop([](const Thread& t) { return t.i; }, c_.args[2], c_.grid[0] * c_.block[0],
           [&](const Address& j, const Predicate& inside) {
             const Address at = [&](const Thread& t) { return j(t) * w; };
             access(kG, kLd, w, at, inside);
             access(kG, kSt, w, at, inside);
           });
    } else if (k == "k_fma_chain" || k == "k_uneven_loop") {
      access(kG, kSt, 4, dense);
    } else if (k == "k_divergent") {
      access(kG, kLd, 4, dense);
      access(kG, kSt, 4, dense);
    } else if (k == "k_loads_in_flight") {
      const int64_t loads = define("LOADS", 1);
      const int64_t distance = c_.args[2];
      for (const AccessOperation operation : {kLd, kSt}) {
        for (int64_t l = 0; l < loads; ++l) {
          access(kG, operation, 4, [=, this](const Thread& t) {
            return (t.bx * c_.block[0] * loads + t.tx + l * distance) * 4;
          });
        }
      }
    } else {
      return false;
    }
    return true;
  }

  bool walk_shared() {
    const std::string& k = c_.kernel;
    const int64_t w = element_bytes();
    const int64_t words = define("WORDS", 2048);
    const int64_t stride = define("STRIDE", 1);
    const Address dense = [w](const Thread& t) { return t.i * w; };
    const Address tx = [](const Thread& t) { return t.tx; };
    const int64_t offset = define("OFFSET", 0);
    const Address spread = [=](const Thread& t) {
      return ((t.tx * stride + offset) & (words - 1)) * w;
    };
    if (k == "k_shared_load" || k == "k_shared_random" || k == "k_shared_broadcast") {
      loop(tx, words, c_.block[0], [&](const Address& j, const Predicate& inside) {
        const Address at = [&](const Thread& t) { return j(t) * w; };
        access(kG, kLd, w, at, inside);
        access(kS, kSt, w, at, inside);
      });
      const int64_t mask = define("MASK", words - 1);
      const int64_t group = define("GROUP", 32);
      if (k == "k_shared_load") access(kS, kLd, w, spread);
      if (k == "k_shared_random")
        access(kS, kLd, w, [=](const Thread& t) { return (scramble(t.i) & mask) * w; });
      if (k == "k_shared_broadcast") {
        access(kS, kLd, w,
               [=](const Thread& t) { return (t.tx / group * stride & (words - 1)) * w; });
      }
      access(kG, kSt, w, dense);
    } else if (k == "k_shared_store") {
      access(kG, kLd, w, dense);
      access(kS, kSt, w, spread);
      access(kS, kLd, w, spread);
      access(kG, kSt, w, dense);
    } else if (k == "k_shared_column" || k == "k_shared_swizzle") {
      const bool swizzle = k == "k_shared_swizzle";
      const int64_t pitch = 32 + (swizzle ? 0 : define("PAD", 0));
      const Address row = [=](const Thread& t) { return (t.ty * 32 + t.tx) * w; };
      access(kG, kLd, w, row);
      access(kS, kSt, w,
             [=](const Thread& t) { return (t.ty * pitch + (swizzle ? t.tx ^ t.ty : t.tx)) * w; });
      access(kS, kLd, w,
             [=](const Thread& t) { return (t.tx * pitch + (swizzle ? t.ty ^ t.tx : t.ty)) * w; });
      access(kG, kSt, w, row);
    } else if (k == "k_shared_atomic") {
      const int64_t bins = define("BINS", 64);
      const auto each_bin = [&](AccessSpace space, AccessOperation operation) {
        loop(tx, bins, c_.block[0], [&](const Address& j, const Predicate& inside) {
          access(
              space, operation, 4, [&](const Thread& t) { return j(t) * 4; }, inside);
        });
      };
      each_bin(kS, kSt);
      access(kS, AccessOperation::kCountingAdd, 4,
             [=](const Thread& t) { return (scramble(t.i) & (bins - 1)) * 4; });
      each_bin(kS, kLd);
      each_bin(kG, AccessOperation::kReduction);
    } else if (k == "k_reduce") {
      const int64_t n = c_.block[0];
      access(kG, kLd, 4, dense);
      access(kS, kSt, 4, [](const Thread& t) { return t.tx * 4; });
      const bool sequential = define("SEQ", 1) != 0;
      for (int64_t d = sequential ? n / 2 : 1; sequential ? d > 0 : d < n;
           d = sequential ? d / 2 : d * 2) {
        const Address at = [=](const Thread& t) { return (sequential ? t.tx : 2 * d * t.tx) * 4; };
        const Address other = [=](const Thread& t) { return at(t) + d * 4; };
        const Predicate active = [=](const Thread& t) {
          return sequential ? t.tx < d : 2 * d * t.tx < n;
        };
        access(kS, kLd, 4, at, active);
        access(kS, kLd, 4, other, active);
        access(kS, kSt, 4, at, active);
      }
      const Predicate first = [](const Thread& t) { return t.tx == 0; };
      access(
          kS, kLd, 4, [](const Thread&) { return int64_t{0}; }, first);
      access(
          kG, kSt, 4, [](const Thread& t) { return t.bx * 4; }, first);
    } else {
      return false;
    }
    return true;
  }

  bool walk_transpose() {
    const std::string& k = c_.kernel;
    const int64_t w = element_bytes();
    const int64_t n = c_.args[2];
    const int64_t tile = define("TILE", 32);
    const int64_t rows = define("ROWS", 8);
    const int64_t pitch = tile + define("PAD", 1);
    const bool diagonal = k == "k_transpose_diagonal";
    const bool tiled = diagonal || k == "k_transpose_tiled";
    const auto block_x = [&](const Thread& t) {
      return diagonal ? (t.bx + t.by) % c_.grid[0] : t.bx;
    };
    const auto block_y = [&](const Thread& t) { return diagonal ? t.bx : t.by; };
    if (!tiled) {
      for (int64_t r = 0; r < tile; r += rows) {
        const Address row = [=](const Thread& t) {
          return ((t.by * tile + t.ty + r) * n + t.bx * tile + t.tx) * w;
        };
        const Address column = [=](const Thread& t) {
          return ((t.bx * tile + t.tx) * n + t.by * tile + t.ty + r) * w;
        };
        access(kG, kLd, w, k == "k_transpose_gather" ? column : row);
        access(kG, kSt, w, k == "k_transpose_naive" ? column : row);
      }
      return k == "k_copy" || k == "k_transpose_naive" || k == "k_transpose_gather";
    }
    for (int64_t r = 0; r < tile; r += rows) {
      access(kG, kLd, w, [&](const Thread& t) {
        return ((block_y(t) * tile + t.ty + r) * n + block_x(t) * tile + t.tx) * w;
      });
      access(kS, kSt, w, [&](const Thread& t) { return ((t.ty + r) * pitch + t.tx) * w; });
    }
    for (int64_t r = 0; r < tile; r += rows) {
      access(kS, kLd, w, [&](const Thread& t) { return (t.tx * pitch + t.ty + r) * w; });
      access(kG, kSt, w, [&](const Thread& t) {
        return ((block_x(t) * tile + t.ty + r) * n + block_y(t) * tile + t.tx) * w;
      });
    }
    return true;
  }

  bool walk_matmul() {
    const std::string& k = c_.kernel;
    const int64_t n = c_.args[3];
    if (k == "k_matmul_rows" || k == "k_matmul_columns") {
      const bool rows = k == "k_matmul_rows";
      const auto x = [&](const Thread& t) { return t.bx * c_.block[0] + t.tx; };
      const auto y = [&](const Thread& t) { return t.by * c_.block[1] + t.ty; };
      const auto row = [&](const Thread& t) { return rows ? y(t) : x(t); };
      const auto column = [&](const Thread& t) { return rows ? x(t) : y(t); };
      for (int64_t kk = 0; kk < n; ++kk) {
        access(kG, kLd, 4, [&](const Thread& t) { return (row(t) * n + kk) * 4; });
        access(kG, kLd, 4, [&](const Thread& t) { return (kk * n + column(t)) * 4; });
      }
      access(kG, kSt, 4, [&](const Thread& t) { return (row(t) * n + column(t)) * 4; });
    } else if (k == "k_matmul_tiled") {
      const int64_t tile = define("TILE", 16);
      const Address c_at = [=](const Thread& t) {
        return ((t.by * tile + t.ty) * n + t.bx * tile + t.tx) * 4;
      };
      const Address own = [=](const Thread& t) { return (t.ty * tile + t.tx) * 4; };
      for (int64_t p = 0; p < n / tile; ++p) {
        access(kG, kLd, 4,
               [=](const Thread& t) { return ((t.by * tile + t.ty) * n + p * tile + t.tx) * 4; });
        access(kS, kSt, 4, own);
        access(kG, kLd, 4,
               [=](const Thread& t) { return ((p * tile + t.ty) * n + t.bx * tile + t.tx) * 4; });
        access(kS, kSt, 4, own);
        for (int64_t kk = 0; kk < tile; ++kk) {
          access(kS, kLd, 4, [=](const Thread& t) { return (kk * tile + t.tx) * 4; });
        }
        // The back end merges four neighbouring loads of As[ty][k] into one of 16 bytes.
        for (int64_t kk = 0; kk < tile; kk += 4) {
          access(kS, kLd, 16, [=](const Thread& t) { return (t.ty * tile + kk) * 4; });
        }
      }
      access(kG, kSt, 4, c_at);
    } else if (k == "k_matmul_register") {
      const int64_t work = define("WORK", 8);
      const int64_t height = 32 / work;
      const int64_t joined =
          work == 4 ? 4 : 2;  // NVRTC's unroll factor, which limits what the back end can merge
      for (int64_t p = 0; p < n; p += 32) {
        loop(
            [](const Thread& t) { return t.ty; }, 32, height,
            [&](const Address& r, const Predicate& inside) {
              const Address own = [&](const Thread& t) { return (r(t) * 32 + t.tx) * 4; };
              access(
                  kG, kLd, 4,
                  [&](const Thread& t) { return ((t.by * 32 + r(t)) * n + p + t.tx) * 4; }, inside);
              access(kS, kSt, 4, own, inside);
              access(
                  kG, kLd, 4,
                  [&](const Thread& t) { return ((p + r(t)) * n + t.bx * 32 + t.tx) * 4; }, inside);
              access(kS, kSt, 4, own, inside);
            });
        for (int64_t kk = 0; kk < 32; ++kk) {
          access(kS, kLd, 4, [=](const Thread& t) { return (kk * 32 + t.tx) * 4; });
        }
        for (int64_t kk = 0; kk < 32; kk += joined) {
          for (int64_t v = 0; v < work; ++v) {
            access(kS, kLd, 4 * joined,
                   [=](const Thread& t) { return ((t.ty + v * height) * 32 + kk) * 4; });
          }
        }
      }
      for (int64_t v = 0; v < work; ++v) {
        access(kG, kSt, 4, [=](const Thread& t) {
          return ((t.by * 32 + t.ty + v * height) * n + t.bx * 32 + t.tx) * 4;
        });
      }
    } else {
      return false;
    }
    return true;
  }

  bool walk_convolution() {
    const std::string& k = c_.kernel;
    const int64_t width = c_.args[2];
    const int64_t height = c_.args[3];
    const auto clamp = [](int64_t v, int64_t high) { return std::clamp<int64_t>(v, 0, high); };
    if (k == "k_conv_naive") {
      for (int64_t j = -2; j <= 2; ++j) {
        for (int64_t i = -2; i <= 2; ++i) {
          access(kG, kLd, 1, [=](const Thread& t) {
            return clamp(t.by * 16 + t.ty + j, height - 1) * width +
                   clamp(t.bx * 16 + t.tx + i, width - 1);
          });
        }
      }
      access(kG, kSt, 1,
             [=](const Thread& t) { return (t.by * 16 + t.ty) * width + t.bx * 16 + t.tx; });
      return true;
    }
    const bool four = k == "k_conv_four";
    if (!four && k != "k_conv_shared") return false;
    const int64_t w = four ? 4 : 1;        // uchar4 or unsigned char
    const int64_t pitch = four ? 18 : 20;  // of the tile
    const int64_t margin = four ? 1 : 2;   // to the left of the tile
    loop([](const Thread& t) { return t.ty * 16 + t.tx; }, 20 * pitch, 256,
         [&](const Address& e, const Predicate& inside) {
           access(
               kG, kLd, w,
               [&](const Thread& t) {
                 const int64_t y = clamp(t.by * 16 - 2 + e(t) / pitch, height - 1);
                 return (y * width + clamp(t.bx * 16 - margin + e(t) % pitch, width - 1)) * w;
               },
               inside);
           access(
               kS, kSt, w, [&](const Thread& t) { return e(t) * w; }, inside);
         });
    for (int64_t j = 0; j < 5; ++j) {
      for (int64_t i = 0; i < (four ? 3 : 5); ++i) {
        access(kS, kLd, w, [=](const Thread& t) { return ((t.ty + j) * pitch + t.tx + i) * w; });
      }
    }
    access(kG, kSt, w,
           [=](const Thread& t) { return ((t.by * 16 + t.ty) * width + t.bx * 16 + t.tx) * w; });
    return true;
  }

  const HardwareCase& c_;
  const AccessVisitor& visit_;
  std::vector<Thread> lanes_;
};

nlohmann::json read_json(const std::string& file) {
  std::ifstream in(std::string(WARPSHOP_TESTS_DIR) + "/hardware/cases/" + file);
  return nlohmann::json::parse(in);
}

}  // namespace

std::vector<HardwareCase> load_hardware_cases() {
  std::map<std::string, nlohmann::json> truth;
  for (const auto& row : read_json("truth.json")) truth[row["name"]] = row;
  std::vector<HardwareCase> cases;
  for (const auto& row : read_json("cases.json")) {
    HardwareCase c;
    c.name = row["name"];
    c.kernel = row["kernel"];
    for (const std::string option : row["options"]) {
      const size_t equals = option.find('=');
      c.defines[option.substr(2, equals - 2)] = option.substr(equals + 1);
    }
    c.grid = {row["grid"][0], row["grid"][1]};
    c.block = {row["block"][0], row["block"][1]};
    for (const auto& arg : row["args"]) c.args.push_back(arg.value("i32", int64_t{0}));
    c.counters = truth.at(c.name)["counters"].get<std::map<std::string, double>>();
    cases.push_back(std::move(c));
  }
  return cases;
}

bool for_each_access(const HardwareCase& hardware_case, const AccessVisitor& visit) {
  return Walk(hardware_case, visit).run();
}

}  // namespace warpshop::models
