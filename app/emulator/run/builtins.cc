#include "run/builtins.h"

#include <cstdio>
#include <cstring>
#include <string>

#include "memory/access_check.h"
#include "run/launch_state.h"
#include "run/paths.h"

namespace warpshop::emulator {
namespace {

// A run may print this much; the rest is dropped and said once. The runtime's own buffer holds 1 MiB
// (cudaLimitPrintfFifoSize).
constexpr uint64_t kPrintLimit = 1 << 20;

// Bytes of any space behind a generic address; false when the address leads nowhere.
bool read_generic(Warp& warp, int lane, uint64_t address, void* to, size_t bytes) {
  const Launch& launch = *warp.worker->launch;
  switch (address & kWindowMask) {
    case kSharedWindow: {
      const uint64_t offset = address & ~kWindowMask;
      if (offset + bytes > launch.shared_bytes) return false;
      std::memcpy(to, warp.worker->block.shared.data() + offset, bytes);
      return true;
    }
    case kLocalWindow: {
      const uint64_t offset = address & ~kWindowMask;
      if (offset + bytes > launch.local_stride) return false;
      std::memcpy(to, warp.local.data() + size_t{launch.local_stride} * static_cast<size_t>(lane) + offset, bytes);
      return true;
    }
    case kConstWindow: {
      const uint64_t offset = address & ~kWindowMask;
      if (offset + bytes > launch.program->const_image.size()) return false;
      std::memcpy(to, launch.program->const_image.data() + offset, bytes);
      return true;
    }
    default: {
      const Region* region = launch.find(address, bytes);
      if (region == nullptr) return false;
      std::memcpy(to, region->data + (address - region->base), bytes);
      return true;
    }
  }
}

std::string read_text(Warp& warp, int lane, uint64_t address, size_t limit = 4096) {
  std::string text;
  char c = 0;
  while (text.size() < limit && read_generic(warp, lane, address + text.size(), &c, 1) && c != 0) text.push_back(c);
  return text;
}

// Reads arguments as vprintf's caller packed them: each at its natural alignment, at least 4 bytes.
class PackedArguments {
 public:
  PackedArguments(Warp& warp, int lane, uint64_t address) : warp_(warp), lane_(lane), address_(address) {}
  template <typename T>
  T next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value{};
    read_generic(warp_, lane_, address_ + offset_, &value, sizeof value);
    offset_ += sizeof(T);
    return value;
  }

 private:
  Warp& warp_;
  int lane_;
  uint64_t address_;
  uint64_t offset_ = 0;
};

template <typename T>
std::string format_one(const std::string& spec, int width, int precision, int stars, T value) {
  char text[512];
  int n = 0;
  if (stars == 0) n = std::snprintf(text, sizeof text, spec.c_str(), value);
  if (stars == 1) n = std::snprintf(text, sizeof text, spec.c_str(), width, value);
  if (stars == 2) n = std::snprintf(text, sizeof text, spec.c_str(), width, precision, value);
  return {text, static_cast<size_t>(std::min<int>(std::max(n, 0), sizeof text - 1))};
}

std::string format(Warp& warp, int lane, const std::string& pattern, uint64_t arguments_at) {
  PackedArguments arguments(warp, lane, arguments_at);
  std::string out;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      out.push_back(pattern[i]);
      continue;
    }
    std::string spec = "%";
    int stars[2] = {0, 0};
    int star_count = 0;
    bool is_long = false;
    for (++i; i < pattern.size(); ++i) {
      const char c = pattern[i];
      if (c == '*') {
        if (star_count < 2) stars[star_count++] = std::clamp(arguments.next<int>(), -400, 400);
        spec.push_back('*');
      } else if (std::strchr("-+ #0123456789.", c) != nullptr) {
        spec.push_back(c);
      } else if (std::strchr("lzjt", c) != nullptr) {
        is_long = true;
      } else if (c != 'h' && c != 'L') {
        break;
      }
    }
    if (i >= pattern.size()) return out + spec;
    const char conversion = pattern[i];
    if (spec.size() > 24) spec.resize(24);
    const auto one = [&](auto value, const char* suffix) {
      return format_one(spec + suffix, stars[0], stars[1], star_count, value);
    };
    const std::string with_long = std::string("ll") + conversion;
    const std::string plain(1, conversion);
    switch (conversion) {
      case '%': out.push_back('%'); break;
      case 'd':
      case 'i': out += is_long ? one(arguments.next<long long>(), with_long.c_str()) : one(arguments.next<int>(), plain.c_str()); break;
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        out += is_long ? one(arguments.next<unsigned long long>(), with_long.c_str())
                       : one(arguments.next<unsigned>(), plain.c_str());
        break;
      case 'c': out += one(arguments.next<int>(), "c"); break;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A': out += one(arguments.next<double>(), plain.c_str()); break;
      case 'p': out += one(reinterpret_cast<void*>(arguments.next<uint64_t>()), "p"); break;
      case 's': out += one(read_text(warp, lane, arguments.next<uint64_t>()).c_str(), "s"); break;
      default: out += spec + conversion;
    }
  }
  return out;
}

uint64_t argument(Warp& warp, const CallSite& site, int lane, size_t index, int bytes) {
  uint64_t value = 0;
  if (index < site.argument_offsets.size()) {
    std::memcpy(&value,
                warp.params.data() + size_t{warp.worker->launch->param_stride} * static_cast<size_t>(lane) +
                    warp.param_base + site.argument_offsets[index],
                static_cast<size_t>(bytes));
  }
  return value;
}

void set_result(Warp& warp, const CallSite& site, int lane, int32_t value) {
  if (site.result_offset == kNoRegister) return;
  std::memcpy(warp.params.data() + size_t{warp.worker->launch->param_stride} * static_cast<size_t>(lane) +
                  warp.param_base + site.result_offset,
              &value, sizeof value);
}

void print(Warp& warp, const CallSite& site) {
  Worker& worker = *warp.worker;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (worker.printed_bytes > kPrintLimit) {
      set_result(warp, site, lane, -1);
      continue;
    }
    const std::string text = format(warp, lane, read_text(warp, lane, argument(warp, site, lane, 0, 8)),
                                    argument(warp, site, lane, 1, 8));
    worker.printed_bytes += text.size();
    worker.printed[worker.block.linear] += text;
    set_result(warp, site, lane, static_cast<int32_t>(text.size()));
  }
}

}  // namespace

Builtin find_builtin(std::string_view name) {
  if (name == "vprintf") return Builtin::kPrintf;
  if (name == "__assertfail") return Builtin::kAssertFail;
  return Builtin::kNone;
}

uint64_t builtin_argument_bytes(std::string_view name, size_t index) {
  // vprintf(format, arguments); __assertfail(condition, file, line, function, size of a character).
  return find_builtin(name) == Builtin::kAssertFail && index == 2 ? 4 : 8;
}

const MicroOp* call_builtin(Warp& warp, const MicroOp* op) {
  const CallSite& site = warp.worker->launch->program->calls[op->imm];
  if (static_cast<Builtin>(site.builtin) == Builtin::kPrintf) {
    print(warp, site);
    return op + 1;
  }
  const int lane = std::countr_zero(warp.mask);
  if (Finding* f = note_finding(warp, op, FindingKind::kAssert, ptx::Space::kGeneric, "", lane,
                                static_cast<uint64_t>(std::popcount(warp.mask)))) {
    const std::string condition = read_text(warp, lane, argument(warp, site, lane, 0, 8));
    const std::string function = read_text(warp, lane, argument(warp, site, lane, 3, 8));
    const auto line = static_cast<uint32_t>(argument(warp, site, lane, 2, 4));
    f->message = "assertion `" + condition + "` failed in " + function + ", line " + std::to_string(line);
    f->cause = "the condition does not hold for this thread: look at its indices";
  }
  // A failed assertion ends the kernel, as on the device.
  fail_launch(warp);
  return control::finish(warp);
}

}  // namespace warpshop::emulator
