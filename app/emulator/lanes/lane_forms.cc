#include "lanes/lane_forms.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <unordered_map>

#include "lanes/lane_tables.h"
#include "ptx/instructions.h"

namespace warpshop::emulator {
namespace {

using ptx::Type;

// One instruction set's forms.
struct Forms {
  std::unordered_map<std::string_view, LaneForm> plain;
  struct ByWidth {
    LaneForm form[3][3];  // by width of destination and source: 16, 32, 64; run is null if not
                          // allowed
    int natural_dest = 0;
    int natural_source = 0;
  };
  std::unordered_map<std::string_view, ByWidth> convert;
};

struct Isa {
  std::string_view name;
  bool supported = false;
  const Handler* integer = nullptr;
  const Handler* floating = nullptr;
  const Handler* select = nullptr;
  const Handler* fast_convert = nullptr;
  const Handler* bits = nullptr;
  const Handler* half = nullptr;
};

// Best first.
const std::vector<Isa>& isas() {
  static const std::vector<Isa> all = [] {
    std::vector<Isa> list;
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                      __builtin_cpu_supports("popcnt");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
    list.push_back({"avx512", avx512, lanes_avx512::kInteger, lanes_avx512::kFloat,
                    lanes_avx512::kSelect, lanes_avx512::kFastConvert, lanes_avx512::kBits,
                    lanes_avx512::kHalf});
    list.push_back({"avx2", avx2, lanes_avx2::kInteger, lanes_avx2::kFloat, lanes_avx2::kSelect,
                    lanes_avx2::kFastConvert, lanes_avx2::kBits, lanes_avx2::kHalf});
    constexpr std::string_view kBase = "x86-64";
#else
    constexpr std::string_view kBase = "generic";
#endif
    list.push_back({kBase, true, lanes_base::kInteger, lanes_base::kFloat, lanes_base::kSelect,
                    lanes_base::kFastConvert, lanes_base::kBits, lanes_base::kHalf});
    return list;
  }();
  return all;
}

int width_index(int bits) { return bits <= 16 ? 0 : bits == 32 ? 1 : 2; }

int natural_width_bits(Type type) {
  const int bits = 8 * ptx::size_bytes(type);
  return bits == 8 ? 16 : bits;
}

bool is_signed_integer(Type type) {
  return type == Type::kS8 || type == Type::kS16 || type == Type::kS32 || type == Type::kS64;
}

// The type of a register of this width that holds a value of `type`.
Type type_in_register(Type type, int width_bits) {
  if (8 * ptx::size_bytes(type) == width_bits) return type;
  const bool is_signed = is_signed_integer(type);
  switch (width_bits) {
    case 16:
      return is_signed ? Type::kS16 : Type::kU16;
    case 32:
      return is_signed ? Type::kS32 : Type::kU32;
    default:
      return is_signed ? Type::kS64 : Type::kU64;
  }
}

LaneForm form_of_row(const ptx::InstructionRow& row, Handler run) {
  LaneForm form;
  form.form = row.form;
  form.run = run;
  form.dest = row.dest;
  form.source_count = row.source_count;
  bool predicates_only = true;
  for (int i = 0; i < row.source_count; ++i) {
    form.source[i] = row.sources[i];
    if (row.sources[i] == Type::kNone) form.immediate_source = i;
    if (row.sources[i] != Type::kPred) predicates_only = false;
  }
  if (row.source_count == 5) form.far_source = 4;
  form.pair = (row.dest == Type::kPred && !predicates_only) || form.far_source >= 0;
  return form;
}

void add_convert(Forms& forms, const ptx::InstructionRow& row,
                 const lanes_base::ConvertRow& handlers) {
  Forms::ByWidth& entry = forms.convert[row.form];
  entry.natural_dest = natural_width_bits(row.dest);
  entry.natural_source = natural_width_bits(row.sources[0]);
  for (int d = 0; d < 3; ++d) {
    for (int s = 0; s < 3; ++s) {
      LaneForm& form = entry.form[d][s] = form_of_row(row, handlers.run[d][s]);
      form.dest = type_in_register(row.dest, 16 << d);
      for (int i = 0; i < row.source_count; ++i)
        form.source[i] = type_in_register(row.sources[i], 16 << s);
    }
  }
}

void add_fast_convert(Forms& forms, const ptx::InstructionRow& row, Handler run) {
  Forms::ByWidth& entry = forms.convert.at(row.form);
  entry.form[width_index(entry.natural_dest)][width_index(entry.natural_source)].run = run;
}

Forms make_forms(const Isa& isa) {
  std::map<std::string_view, const Handler*> next = {{"Integer", isa.integer},
                                                     {"Float", isa.floating},
                                                     {"Select", isa.select},
                                                     {"FastConvert", isa.fast_convert},
                                                     {"Bits", isa.bits},
                                                     {"Carry", lanes_base::kCarry},
                                                     {"Compare", lanes_base::kCompare},
                                                     {"Round", lanes_base::kRound},
                                                     {"Half", isa.half},
                                                     {"Approx", lanes_base::kApprox}};
  const lanes_base::ConvertRow* next_convert = lanes_base::kConvert;
  Forms forms;
  for (const ptx::InstructionRow& row : ptx::instruction_rows()) {
    if (row.unit.empty()) continue;
    if (row.unit == "Convert") {
      add_convert(forms, row, *next_convert++);
    } else if (row.unit == "FastConvert") {
      add_fast_convert(forms, row, *next["FastConvert"]++);
    } else {
      forms.plain.emplace(row.form, form_of_row(row, *next[row.unit]++));
    }
  }
  return forms;
}

// Created on first use, never destroyed.
const Forms& forms_of(std::string_view name) {
  static std::mutex mutex;
  static auto& made = *new std::map<std::string_view, Forms>;
  const std::lock_guard lock(mutex);
  if (const auto found = made.find(name); found != made.end()) return found->second;
  for (const Isa& isa : isas()) {
    if (isa.name == name && isa.supported)
      return made.emplace(isa.name, make_forms(isa)).first->second;
  }
  std::abort();  // callers get names from lane_isas()
}

const LaneForm* find_in(const Forms& forms, std::string_view form, int dest_width_bits,
                        int source_width_bits) {
  if (const auto found = forms.plain.find(form); found != forms.plain.end()) return &found->second;
  const auto found = forms.convert.find(form);
  if (found == forms.convert.end()) return nullptr;
  const Forms::ByWidth& entry = found->second;
  const int dest = width_index(dest_width_bits == 0 ? entry.natural_dest : dest_width_bits);
  const int source = width_index(source_width_bits == 0 ? entry.natural_source : source_width_bits);
  const LaneForm& chosen = entry.form[dest][source];
  return chosen.run == nullptr ? nullptr : &chosen;
}

}  // namespace

std::vector<std::string_view> lane_isas() {
  std::vector<std::string_view> names;
  for (const Isa& isa : isas()) {
    if (isa.supported) names.push_back(isa.name);
  }
  return names;
}

std::string_view lane_isa() {
  static const std::string_view chosen = [] {
    const std::vector<std::string_view> names = lane_isas();
    const char* forced = std::getenv("WARPSHOP_ISA");
    if (forced != nullptr) {
      for (const std::string_view name : names) {
        if (name == forced) return name;
      }
    }
    return names.front();
  }();
  return chosen;
}

const LaneForm* find_lane_form(std::string_view form, int dest_width_bits, int source_width_bits) {
  static const Forms& forms = forms_of(lane_isa());
  return find_in(forms, form, dest_width_bits, source_width_bits);
}

const LaneForm* find_lane_form_of(std::string_view isa, std::string_view form, int dest_width_bits,
                                  int source_width_bits) {
  return find_in(forms_of(isa), form, dest_width_bits, source_width_bits);
}

}  // namespace warpshop::emulator
