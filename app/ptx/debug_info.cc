#include "ptx/debug_info.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>

#include "debug_sections.h"

namespace warpshop::ptx {
namespace {

// DWARF 2.0, section 7.
enum Tag : uint64_t {
  kTagArray = 0x01,
  kTagClass = 0x02,
  kTagEnumeration = 0x04,
  kTagParameter = 0x05,
  kTagBlock = 0x0b,
  kTagMember = 0x0d,
  kTagPointer = 0x0f,
  kTagReference = 0x10,
  kTagStruct = 0x13,
  kTagTypedef = 0x16,
  kTagUnion = 0x17,
  kTagInlined = 0x1d,
  kTagSubrange = 0x21,
  kTagBase = 0x24,
  kTagConst = 0x26,
  kTagFunction = 0x2e,
  kTagVariable = 0x34,
  kTagVolatile = 0x35,
  kTagRestrict = 0x37,
  kTagRvalueReference = 0x42,
};
enum Attribute : uint64_t {
  kAtLocation = 0x02,
  kAtName = 0x03,
  kAtByteSize = 0x0b,
  kAtLowPc = 0x11,
  kAtHighPc = 0x12,
  kAtUpperBound = 0x2f,
  kAtAbstractOrigin = 0x31,
  kAtAddressClass = 0x33,
  kAtCount = 0x37,
  kAtMemberPlace = 0x38,
  kAtLine = 0x3b,
  kAtEncoding = 0x3e,
  kAtSpecification = 0x47,
  kAtType = 0x49,
};
constexpr uint64_t kOpAddress = 0x03, kOpPlusConstant = 0x23, kOpRegister = 0x90;
constexpr uint64_t kClassLocal = 6;
constexpr int kDeepest = 64;  // nested types

struct Value {
  uint64_t number = 0;
  std::string text;
  std::string reference;  // the symbol in place of a number, "$L__tmp3"
  size_t block = 0;       // offset of an expression's bytes in .debug_info
  uint64_t block_bytes = 0;
};

struct Entry {
  uint64_t tag = 0;
  size_t parent = 0;  // index in `entries`
  std::map<uint64_t, Value> attributes;
  const Value* find(uint64_t attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? nullptr : &found->second;
  }
  uint64_t number(uint64_t attribute) const {
    const Value* value = find(attribute);
    return value ? value->number : 0;
  }
};

struct Abbreviation {
  uint64_t tag = 0;
  bool children = false;
  std::vector<std::pair<uint64_t, uint64_t>> attributes;  // (attribute, form)
};

struct LabelPlace {
  int function = -1;
  int position = 0;
};

Type scalar_of(uint64_t encoding, uint64_t bytes) {
  // DW_ATE_boolean 2, float 4, signed 5, signed char 6, unsigned 7, unsigned char 8.
  const bool is_float = encoding == 4, is_signed = encoding == 5 || encoding == 6;
  switch (bytes) {
    case 1:
      return is_signed ? Type::kS8 : Type::kU8;
    case 2:
      return is_float ? Type::kF16 : is_signed ? Type::kS16 : Type::kU16;
    case 4:
      return is_float ? Type::kF32 : is_signed ? Type::kS32 : Type::kU32;
    case 8:
      return is_float ? Type::kF64 : is_signed ? Type::kS64 : Type::kU64;
    default:
      return Type::kNone;
  }
}

class Dwarf {
 public:
  Dwarf(std::string_view text, const Module& module)
      : module_(module), sections_(read_debug_sections(text)) {
    for (size_t f = 0; f < module.functions.size(); ++f) {
      const Function& function = module.functions[f];
      for (const Label& label : function.labels) {
        labels_[label.name] = {static_cast<int>(f), label.position};
      }
    }
  }

  DebugInfo read() {
    const auto info = sections_.find(".debug_info");
    const auto abbreviations = sections_.find(".debug_abbrev");
    if (info == sections_.end() || abbreviations == sections_.end()) return {};
    info_ = &info->second;
    read_abbreviations(abbreviations->second);
    read_entries();
    for (size_t n = 0; n < entries_.size(); ++n) {
      if (entries_[n].tag == kTagFunction) add_function(n);
    }
    for (size_t n = 0; n < entries_.size(); ++n) {
      if (entries_[n].tag == kTagVariable || entries_[n].tag == kTagParameter) add_variable(n);
    }
    return std::move(out_);
  }

 private:
  void read_abbreviations(const DebugSection& section) {
    DebugReader in(section, 0);
    while (in.good() && !in.at_end()) {
      const uint64_t code = in.uleb();
      if (code == 0) continue;
      Abbreviation& a = abbreviations_[code];
      a = {};
      a.tag = in.uleb();
      a.children = in.number(1) != 0;
      while (in.good()) {
        const uint64_t attribute = in.uleb(), form = in.uleb();
        if (attribute == 0 && form == 0) break;
        a.attributes.emplace_back(attribute, form);
      }
    }
  }

  // Returns false for an unknown form, after which nothing more can be decoded.
  bool read_value(DebugReader& in, uint64_t form, Value& value) {
    if (const DebugSection::Reference* reference = in.reference()) {
      value.reference = reference->name;
      value.number = reference->addend;
      const bool known =
          form == 0x01 || form == 0x06 || form == 0x07 || form == 0x17 || form == 0x0e;
      if (!known) return false;
      if (form == 0x0e) {
        const auto strings = sections_.find(".debug_str");
        if (strings != sections_.end())
          value.text = DebugReader(strings->second, reference->addend).text();
      }
      in.skip(form == 0x01 || form == 0x07 ? 8 : 4);
      return in.good();
    }
    const auto block = [&](uint64_t bytes) {
      value.block = in.at();
      value.block_bytes = bytes;
      in.skip(bytes);
    };
    switch (form) {
      case 0x01:
        value.number = in.number(8);
        break;  // addr
      case 0x03:
        block(in.number(2));
        break;  // block2
      case 0x04:
        block(in.number(4));
        break;  // block4
      case 0x05:
      case 0x12:
        value.number = in.number(2);
        break;  // data2, ref2
      case 0x06:
      case 0x10:
      case 0x13:
      case 0x17:
      case 0x0e:
        value.number = in.number(4);
        break;
      case 0x07:
      case 0x14:
        value.number = in.number(8);
        break;  // data8, ref8
      case 0x08:
        value.text = in.text();
        break;  // string
      case 0x09:
      case 0x18:
        block(in.uleb());
        break;  // block, exprloc
      case 0x0a:
        block(in.number(1));
        break;  // block1
      case 0x0b:
      case 0x0c:
      case 0x11:
        value.number = in.number(1);
        break;  // data1, flag, ref1
      case 0x0d:
        value.number = static_cast<uint64_t>(in.sleb());
        break;  // sdata
      case 0x0f:
      case 0x15:
        value.number = in.uleb();
        break;  // udata, ref_udata
      case 0x19:
        value.number = 1;
        break;  // flag_present
      default:
        return false;
    }
    return in.good();
  }

  void read_entries() {
    DebugReader in(*info_, 0);
    while (in.good() && !in.at_end()) {
      unit_ = in.at();
      const uint64_t length = in.number(4);
      const size_t end = std::min<uint64_t>(unit_ + 4 + length, info_->bytes.size());
      in.skip(2 + 4 + 1);  // version, abbreviations, size of an address
      std::vector<size_t> above;
      while (in.good() && in.at() < end) {
        const size_t at = in.at();
        const uint64_t code = in.uleb();
        if (code == 0) {
          if (above.empty()) break;
          above.pop_back();
          continue;
        }
        const auto abbreviation = abbreviations_.find(code);
        if (abbreviation == abbreviations_.end()) return;
        Entry entry;
        entry.tag = abbreviation->second.tag;
        entry.parent = above.empty() ? std::numeric_limits<size_t>::max() : above.back();
        for (const auto& [attribute, form] : abbreviation->second.attributes) {
          Value& value = entry.attributes[attribute];
          if (!read_value(in, form, value)) return;
          const bool relative =
              form == 0x11 || form == 0x12 || form == 0x13 || form == 0x14 || form == 0x15;
          if (relative) value.number += unit_;
        }
        by_offset_[at] = entries_.size();
        if (abbreviation->second.children) above.push_back(entries_.size());
        entries_.push_back(std::move(entry));
      }
      if (in.at() < end) in.skip(end - in.at());
    }
  }

  const Entry* entry_at(const Value* reference) const {
    if (reference == nullptr) return nullptr;
    const auto found = by_offset_.find(reference->number);
    return found == by_offset_.end() ? nullptr : &entries_[found->second];
  }

  // Also follows an inlined or declared entry to its origin.
  const Value* find_through(const Entry& entry, uint64_t attribute) const {
    const Entry* at = &entry;
    for (int n = 0; n < 4 && at != nullptr; ++n) {
      if (const Value* value = at->find(attribute)) return value;
      const Value* next = at->find(kAtAbstractOrigin);
      at = entry_at(next ? next : at->find(kAtSpecification));
    }
    return nullptr;
  }

  std::optional<LabelPlace> label(const Value* value) const {
    if (value == nullptr) return std::nullopt;
    const auto found = labels_.find(value->reference);
    if (found == labels_.end()) return std::nullopt;
    return found->second;
  }

  // --- Types ---

  int type_of(const Value* reference, int depth = 0) {
    if (reference == nullptr || depth > kDeepest) return -1;
    const auto offset = by_offset_.find(reference->number);
    if (offset == by_offset_.end()) return -1;
    if (const auto known = types_.find(offset->second); known != types_.end()) return known->second;
    types_[offset->second] = -1;  // for a struct that refers to itself through a pointer
    DebugType type = make_type(offset->second, depth);
    out_.types.push_back(std::move(type));
    return types_[offset->second] = static_cast<int>(out_.types.size()) - 1;
  }

  std::string name_of_type(int type) const {
    return type < 0 ? "void" : out_.types[static_cast<size_t>(type)].name;
  }

  DebugType make_type(size_t index, int depth) {
    const Entry& entry = entries_[index];
    DebugType type;
    const Value* name = entry.find(kAtName);
    type.name = name ? name->text : "";
    type.size_bytes = entry.number(kAtByteSize);
    switch (entry.tag) {
      case kTagBase:
        type.kind = DebugType::Kind::kScalar;
        type.scalar = scalar_of(entry.number(kAtEncoding), type.size_bytes);
        type.is_bool = entry.number(kAtEncoding) == 2;
        if (type.scalar == Type::kNone) type.kind = DebugType::Kind::kUnknown;
        break;
      case kTagEnumeration:
        type.kind = DebugType::Kind::kScalar;
        type.scalar = scalar_of(5, type.size_bytes);
        break;
      case kTagPointer:
      case kTagReference:
      case kTagRvalueReference: {
        type.kind = DebugType::Kind::kPointer;
        type.scalar = Type::kB64;
        type.size_bytes = 8;
        // The target may point back here, as in a list node.
        const Value* target = entry.find(kAtType);
        const auto to = target ? by_offset_.find(target->number) : by_offset_.end();
        const bool structure = to != by_offset_.end() && (entries_[to->second].tag == kTagStruct ||
                                                          entries_[to->second].tag == kTagClass);
        if (structure) {
          const Value* its = entries_[to->second].find(kAtName);
          type.name = (its ? its->text : "struct") + "*";
        } else {
          type.element = type_of(target, depth + 1);
          type.name = name_of_type(type.element) + (entry.tag == kTagPointer ? "*" : "&");
        }
        break;
      }
      case kTagTypedef:
      case kTagConst:
      case kTagVolatile:
      case kTagRestrict: {
        const int of = type_of(entry.find(kAtType), depth + 1);
        if (of >= 0) type = out_.types[static_cast<size_t>(of)];
        if (entry.tag == kTagTypedef && name) type.name = name->text;
        if (entry.tag == kTagConst)
          type.name = type.kind == DebugType::Kind::kPointer ? type.name + " const"
                                                             : "const " + name_of_type(of);
        break;
      }
      case kTagArray: {
        type.kind = DebugType::Kind::kArray;
        type.element = type_of(entry.find(kAtType), depth + 1);
        type.name = name_of_type(type.element);
        uint64_t count = 1;
        for (size_t n = index + 1; n < entries_.size() && entries_[n].parent == index; ++n) {
          if (entries_[n].tag != kTagSubrange) continue;
          const Value* bound = entries_[n].find(kAtUpperBound);
          // NVRTC writes the number of elements (DW_AT_count); other compilers the last index.
          type.counts.push_back(bound ? bound->number + 1 : entries_[n].number(kAtCount));
          type.name +=
              "[" + (type.counts.back() > 0 ? std::to_string(type.counts.back()) : "") + "]";
          count *= std::min<uint64_t>(type.counts.back(), uint64_t{1} << 32);
        }
        if (type.element >= 0)
          type.size_bytes = count * out_.types[static_cast<size_t>(type.element)].size_bytes;
        break;
      }
      case kTagStruct:
      case kTagClass:
      case kTagUnion: {
        type.kind = DebugType::Kind::kStruct;
        if (type.name == "__half" || type.name == "__nv_bfloat16") {
          type.kind = DebugType::Kind::kScalar;
          type.scalar = type.name == "__half" ? Type::kF16 : Type::kBf16;
          break;
        }
        for (size_t n = index + 1; n < entries_.size(); ++n) {
          const Entry& child = entries_[n];
          if (child.parent == std::numeric_limits<size_t>::max() || child.parent < index) break;
          if (child.parent != index || child.tag != kTagMember) continue;
          DebugType::Member member;
          member.name = child.find(kAtName) ? child.find(kAtName)->text : "";
          member.offset_bytes = member_place(child.find(kAtMemberPlace));
          member.type = type_of(child.find(kAtType), depth + 1);
          type.members.push_back(std::move(member));
        }
        break;
      }
      default:
        break;
    }
    return type;
  }

  // A number, or a DW_OP_plus_uconst expression.
  uint64_t member_place(const Value* value) const {
    if (value == nullptr) return 0;
    if (value->block_bytes == 0) return value->number;
    DebugReader in(*info_, value->block);
    return in.number(1) == kOpPlusConstant ? in.uleb() : 0;
  }

  // --- Variables ---

  void add_function(size_t index) {
    const Entry& entry = entries_[index];
    const std::optional<LabelPlace> low = label(entry.find(kAtLowPc));
    if (!low) return;
    DebugFunction& function = out_.functions.emplace_back();
    function.function = low->function;
    if (const Value* name = find_through(entry, kAtName)) function.name = name->text;
  }

  void add_variable(size_t index) {
    const Entry& entry = entries_[index];
    const Value* name = find_through(entry, kAtName);
    if (name == nullptr || name->text.empty()) return;
    // The innermost scope that has code.
    std::optional<LabelPlace> low, high;
    for (size_t at = entry.parent; at < entries_.size() && !(low && high);
         at = entries_[at].parent) {
      const Entry& scope = entries_[at];
      const bool code =
          scope.tag == kTagBlock || scope.tag == kTagFunction || scope.tag == kTagInlined;
      if (!code) return;  // of a member or a type
      low = label(scope.find(kAtLowPc));
      high = label(scope.find(kAtHighPc));
    }
    if (!low || !high || low->function != high->function) return;
    const auto function =
        std::find_if(out_.functions.begin(), out_.functions.end(),
                     [&](const DebugFunction& f) { return f.function == low->function; });
    if (function == out_.functions.end()) return;
    DebugVariable variable;
    variable.name = name->text;
    if (const Value* line = find_through(entry, kAtLine))
      variable.line = static_cast<int>(std::min<uint64_t>(line->number, 1 << 30));
    variable.type = type_of(find_through(entry, kAtType));
    variable.is_parameter = entry.tag == kTagParameter;
    variable.first = low->position;
    variable.last = high->position;
    if (const Value* location = entry.find(kAtLocation))
      add_places(*location, entry.number(kAtAddressClass), variable, low->function);
    function->variables.push_back(std::move(variable));
  }

  void add_places(const Value& location, uint64_t address_class, DebugVariable& variable,
                  int function) {
    if (location.block_bytes > 0) {
      if (auto place =
              place_of(*info_, location.block, location.block_bytes, address_class, function)) {
        place->first = variable.first;
        place->last = variable.last;
        variable.places.push_back(std::move(*place));
      }
      return;
    }
    const auto section = sections_.find(".debug_loc");
    if (section == sections_.end()) return;
    DebugReader in(section->second, location.number);
    while (in.good() && !in.at_end()) {
      const DebugSection::Reference* from = in.reference();
      const std::string first = from ? from->name : "";
      in.skip(8);
      const DebugSection::Reference* to = in.reference();
      const std::string last = to ? to->name : "";
      in.skip(8);
      if (from == nullptr || to == nullptr) return;  // two zeros end the list
      const uint64_t bytes = in.number(2);
      const auto begin = labels_.find(first), end = labels_.find(last);
      if (begin != labels_.end() && end != labels_.end() && begin->second.function == function) {
        if (auto place = place_of(section->second, in.at(), bytes, address_class, function)) {
          place->first = begin->second.position;
          place->last = end->second.position;
          variable.places.push_back(std::move(*place));
        }
      }
      in.skip(bytes);
    }
  }

  std::optional<DebugPlace> place_of(const DebugSection& section, size_t at, uint64_t bytes,
                                     uint64_t address_class, int function) const {
    DebugReader in(section, at);
    const uint64_t operation = in.number(1);
    DebugPlace place;
    if (operation == kOpRegister) {
      const std::string name = in.register_name();
      const std::vector<Register>& registers =
          module_.functions[static_cast<size_t>(function)].registers;
      const auto found = std::find_if(registers.begin(), registers.end(),
                                      [&](const Register& r) { return r.name == name; });
      if (found == registers.end()) return std::nullopt;
      place.kind = DebugPlace::Kind::kRegister;
      place.register_index = static_cast<int>(found - registers.begin());
      return place;
    }
    if (operation != kOpAddress || in.reference() == nullptr) return std::nullopt;
    place.variable = in.reference()->name;
    place.offset_bytes = in.reference()->addend;
    in.skip(8);
    if (in.at() < at + bytes && in.number(1) == kOpPlusConstant) place.offset_bytes += in.uleb();
    if (address_class == kClassLocal) place.kind = DebugPlace::Kind::kLocal;
    return place;
  }

  const Module& module_;
  std::map<std::string, DebugSection, std::less<>> sections_;
  std::unordered_map<std::string, LabelPlace> labels_;
  const DebugSection* info_ = nullptr;
  size_t unit_ = 0;
  std::map<uint64_t, Abbreviation> abbreviations_;
  std::vector<Entry> entries_;
  std::map<uint64_t, size_t> by_offset_;  // offset in .debug_info → index in `entries_`
  std::map<size_t, int> types_;           // index of the entry → index in out_.types
  DebugInfo out_;
};

}  // namespace

const DebugFunction* DebugInfo::of(int function) const {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const DebugFunction& f) { return f.function == function; });
  return found == functions.end() ? nullptr : &*found;
}

DebugInfo read_debug_info(std::string_view text, const Module& module) {
  return Dwarf(text, module).read();
}

}  // namespace warpshop::ptx
