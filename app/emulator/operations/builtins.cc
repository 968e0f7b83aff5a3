#include "operations/builtins.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "access/column_stores.h"
#include "checks/note_finding.h"
#include "operations/paths.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"
#include "state/print_buffer.h"
#include "state/regions.h"

namespace warpshop::emulator {
namespace {

// Reads bytes at a generic address of any space; false if the address is invalid.
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
      std::memcpy(
          to, warp.local.data() + size_t{launch.local_stride} * static_cast<size_t>(lane) + offset,
          bytes);
      return true;
    }
    case kConstWindow: {
      const uint64_t offset = address & ~kWindowMask;
      if (offset + bytes > launch.program->const_image.size()) return false;
      std::memcpy(to, launch.program->const_image.data() + offset, bytes);
      return true;
    }
    default: {
      const std::optional<Region> region = region_of_global(*warp.worker, 0, address, bytes);
      if (!region) return false;
      if (region->stores_may_wait) flush_columns(*warp.worker);
      std::memcpy(to, region->data + (address - region->base), bytes);
      return true;
    }
  }
}

std::string read_text(Warp& warp, int lane, uint64_t address, size_t limit = 4096) {
  std::string text;
  char c = 0;
  while (text.size() < limit && read_generic(warp, lane, address + text.size(), &c, 1) && c != 0)
    text.push_back(c);
  return text;
}

// Reads arguments as packed by vprintf's caller: each at its natural alignment, at least 4 bytes.
class PackedArguments {
 public:
  PackedArguments(Warp& warp, int lane, uint64_t address)
      : warp_(warp), lane_(lane), address_(address) {}
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

// Widths and precisions are capped here: no number is longer, and a kernel must not be able to
// waste the host's time and memory.
constexpr int kWidestField = 4096;

// One conversion: %[flags][width][.precision][size]type, CUDA C++ Programming Guide, "Formatted
// Output".
struct Conversion {
  std::string flags;
  int width = 0;
  int precision = -1;  // none
  int halves = 0;      // h, hh
  bool is_long = false;
  char type = 0;  // 0: the text ended before it
};

int next_number(const std::string& pattern, size_t& i, PackedArguments& arguments) {
  if (i < pattern.size() && pattern[i] == '*') {
    ++i;
    return std::clamp(arguments.next<int>(), -kWidestField, kWidestField);
  }
  int value = 0;
  for (; i < pattern.size() && pattern[i] >= '0' && pattern[i] <= '9'; ++i) {
    value = std::min(value * 10 + (pattern[i] - '0'), kWidestField);
  }
  return value;
}

// Parses from after the '%'; leaves `i` after the type.
Conversion next_conversion(const std::string& pattern, size_t& i, PackedArguments& arguments) {
  Conversion c;
  const auto is_one_of = [&](std::string_view set) {
    return i < pattern.size() && set.find(pattern[i]) != set.npos;
  };
  for (; is_one_of("-+ #0"); ++i) {
    if (c.flags.find(pattern[i]) == std::string::npos) c.flags.push_back(pattern[i]);
  }
  c.width = next_number(pattern, i, arguments);
  if (is_one_of(".")) {
    ++i;
    c.precision = next_number(pattern, i, arguments);
  }
  for (; is_one_of("hlLqjzt"); ++i) {
    if (pattern[i] == 'h') ++c.halves;
    if (std::string_view("lqjzt").find(pattern[i]) != std::string_view::npos) c.is_long = true;
  }
  if (i < pattern.size()) c.type = pattern[i++];
  return c;
}

// The host's printf gets our own format string, which always has a width, a precision and one
// value.
template <typename T>
std::string format_one(const Conversion& c, const char* size, T value) {
  const std::string spec = "%" + c.flags + "*.*" + size + c.type;
  char text[3 * kWidestField];  // the longest is a double with 309 digits before its precision
  const int n = std::snprintf(text, sizeof text, spec.c_str(), c.width, c.precision, value);
  return {text, static_cast<size_t>(std::clamp<int>(n, 0, sizeof text - 1))};
}

template <typename Long, typename Int, typename Short, typename Char>
std::string format_integer(const Conversion& c, PackedArguments& arguments) {
  if (c.is_long) return format_one(c, "ll", static_cast<Long>(arguments.next<Long>()));
  const Int value = arguments.next<Int>();
  if (c.halves == 0) return format_one(c, "", value);
  return format_one(c, "",
                    c.halves == 1 ? Int{static_cast<Short>(value)} : Int{static_cast<Char>(value)});
}

struct Formatted {
  std::string text;
  int32_t arguments = 0;  // parsed
};

bool takes_value(char conversion) {
  return std::string_view("diuoxXceEfFgGaAps").find(conversion) != std::string_view::npos;
}

// `keep` = false: only counts the arguments.
Formatted format(Warp& warp, int lane, const std::string& pattern, uint64_t arguments_at,
                 bool keep) {
  PackedArguments arguments(warp, lane, arguments_at);
  Formatted out;
  // Output longer than the buffer is dropped as a whole.
  for (size_t i = 0; i < pattern.size() && out.text.size() <= kPrintLimit;) {
    if (pattern[i] != '%') {
      out.text.push_back(pattern[i++]);
      continue;
    }
    const size_t start = i++;
    const Conversion c = next_conversion(pattern, i, arguments);
    if (!keep) {
      out.arguments += takes_value(c.type);
      continue;
    }
    ++out.arguments;
    switch (c.type) {
      case 'd':
      case 'i':
        out.text += format_integer<long long, int, int16_t, int8_t>(c, arguments);
        break;
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        out.text += format_integer<unsigned long long, unsigned, uint16_t, uint8_t>(c, arguments);
        break;
      case 'c':
        out.text += format_one(c, "", arguments.next<int>());
        break;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        out.text += format_one(c, "", arguments.next<double>());
        break;
      case 'p':
        out.text += format_one(c, "", reinterpret_cast<void*>(arguments.next<uint64_t>()));
        break;
      case 's':
        out.text += format_one(c, "", read_text(warp, lane, arguments.next<uint64_t>()).c_str());
        break;
      default:
        --out.arguments;
        out.text += c.type == '%' ? "%" : pattern.substr(start, i - start);
    }
  }
  return out;
}

void set_result(Warp& warp, const CallSite& site, int lane, int32_t value) {
  if (uint8_t* to = builtin_result(warp, site, lane)) std::memcpy(to, &value, sizeof value);
}

void print(Warp& warp, const CallSite& site) {
  EmulationThread& worker = *warp.worker;
  LivePrints* prints = worker.launch->options->prints;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t pattern_at = builtin_argument(warp, site, lane, 0, 8);
    if (pattern_at == 0) {
      set_result(warp, site, lane, -1);
      continue;
    }
    const std::string pattern = read_text(warp, lane, pattern_at);
    // A loop that never ends prints millions of lines that are never shown.
    Formatted formatted = format(warp, lane, pattern, builtin_argument(warp, site, lane, 1, 8),
                                 !worker.printed.full());
    const uint32_t thread = warp.index * kWarpSize + static_cast<uint32_t>(lane);
    if (prints != nullptr) prints->add(worker.block.linear, thread, formatted.text);
    worker.printed.add(worker.block.linear, thread, formatted.text);
    // vprintf returns the number of arguments, not of characters: CUDA C++ Programming Guide,
    // "Formatted Output".
    set_result(warp, site, lane, formatted.arguments);
  }
}

}  // namespace

Builtin find_builtin(std::string_view name) {
  if (name == "vprintf") return Builtin::kPrintf;
  if (name == "__assertfail") return Builtin::kAssertFail;
  if (name == "malloc") return Builtin::kMalloc;
  if (name == "free") return Builtin::kFree;
  return Builtin::kNone;
}

uint64_t builtin_argument_bytes(std::string_view name, size_t index) {
  // vprintf(format, arguments); __assertfail(condition, file, line, function, size of a character).
  return find_builtin(name) == Builtin::kAssertFail && index == 2 ? 4 : 8;
}

uint64_t builtin_result_bytes(std::string_view name) {
  return find_builtin(name) == Builtin::kMalloc ? 8 : 4;
}

uint64_t builtin_argument(Warp& warp, const CallSite& site, int lane, size_t index, int bytes) {
  uint64_t value = 0;
  if (index < site.argument_offsets.size()) {
    std::memcpy(&value,
                warp.params.data() +
                    size_t{warp.worker->launch->param_stride} * static_cast<size_t>(lane) +
                    warp.param_base + site.argument_offsets[index],
                static_cast<size_t>(bytes));
  }
  return value;
}

uint8_t* builtin_result(Warp& warp, const CallSite& site, int lane) {
  if (site.result_offset == kNoRegister) return nullptr;
  return warp.params.data() +
         size_t{warp.worker->launch->param_stride} * static_cast<size_t>(lane) + warp.param_base +
         site.result_offset;
}

const MicroOp* call_builtin(Warp& warp, const MicroOp* op) {
  const CallSite& site = warp.worker->launch->program->calls[op->imm];
  switch (static_cast<Builtin>(site.builtin)) {
    case Builtin::kPrintf:
      print(warp, site);
      return op + 1;
    case Builtin::kMalloc:
      call_malloc(warp, op, site);
      return op + 1;
    case Builtin::kFree:
      call_free(warp, op, site);
      return op + 1;
    default:
      break;
  }
  const int lane = std::countr_zero(warp.mask);
  if (Finding* f = note_finding(warp, op, FindingKind::kAssert, ptx::Space::kGeneric, "", lane,
                                static_cast<uint64_t>(std::popcount(warp.mask)))) {
    const std::string condition = read_text(warp, lane, builtin_argument(warp, site, lane, 0, 8));
    const std::string function = read_text(warp, lane, builtin_argument(warp, site, lane, 3, 8));
    const auto line = static_cast<uint32_t>(builtin_argument(warp, site, lane, 2, 4));
    f->message = sentence("assertion `{condition}` failed in {function}, line {line}",
                          {{"condition", condition}, {"function", function}, {"line", line}});
    f->cause = sentence("the condition does not hold for this thread: look at its indices");
  }
  // A failed assertion ends the kernel, as on the device.
  fail_launch(warp);
  return control::finish(warp);
}

}  // namespace warpshop::emulator
