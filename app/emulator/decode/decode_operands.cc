// Operands: registers to frame offsets, constants and special registers to their own slots,
// addresses.
#include <cstring>

#include "access/memory_ops.h"
#include "core/standard.h"
#include "decode/decoder.h"

namespace warpshop::emulator {
namespace {

uint64_t truncate(uint64_t bits, int bytes) {
  return bytes >= 8 ? bits : bits & ((uint64_t{1} << (8 * bytes)) - 1);
}

struct SpecialName {
  std::string_view name;
  Special special;
};
constexpr SpecialName kSpecials[] = {
    {"%tid.x", Special::kTidX},
    {"%tid.y", Special::kTidY},
    {"%tid.z", Special::kTidZ},
    {"%ntid.x", Special::kNtidX},
    {"%ntid.y", Special::kNtidY},
    {"%ntid.z", Special::kNtidZ},
    {"%ctaid.x", Special::kCtaidX},
    {"%ctaid.y", Special::kCtaidY},
    {"%ctaid.z", Special::kCtaidZ},
    {"%nctaid.x", Special::kNctaidX},
    {"%nctaid.y", Special::kNctaidY},
    {"%nctaid.z", Special::kNctaidZ},
    {"%laneid", Special::kLaneid},
    {"%warpid", Special::kWarpid},
    {"%nwarpid", Special::kNwarpid},
    {"%smid", Special::kSmid},
    {"%nsmid", Special::kNsmid},
    {"%gridid", Special::kGridid},
    {"%lanemask_eq", Special::kLanemaskEq},
    {"%lanemask_le", Special::kLanemaskLe},
    {"%lanemask_lt", Special::kLanemaskLt},
    {"%lanemask_ge", Special::kLanemaskGe},
    {"%lanemask_gt", Special::kLanemaskGt},
    {"%dynamic_smem_size", Special::kDynamicSharedSize},
    {"%total_smem_size", Special::kTotalSharedSize},
    {"%aggr_smem_size", Special::kTotalSharedSize},
    // Measured on an H200: the address of grid.sync()'s workspace, high and low half.
    {"%envreg1", Special::kGridWorkspaceHigh},
    {"%envreg2", Special::kGridWorkspaceLow},
    {"%clusterid.x", Special::kClusteridX},
    {"%clusterid.y", Special::kClusteridY},
    {"%clusterid.z", Special::kClusteridZ},
    {"%nclusterid.x", Special::kNclusteridX},
    {"%nclusterid.y", Special::kNclusteridY},
    {"%nclusterid.z", Special::kNclusteridZ},
    {"%cluster_ctaid.x", Special::kClusterCtaidX},
    {"%cluster_ctaid.y", Special::kClusterCtaidY},
    {"%cluster_ctaid.z", Special::kClusterCtaidZ},
    {"%cluster_nctaid.x", Special::kClusterNctaidX},
    {"%cluster_nctaid.y", Special::kClusterNctaidY},
    {"%cluster_nctaid.z", Special::kClusterNctaidZ},
    {"%cluster_ctarank", Special::kClusterCtarank},
    {"%cluster_nctarank", Special::kClusterNctarank},
    {"%is_explicit_cluster", Special::kIsExplicitCluster},
    {"%reserved_smem_offset_begin", Special::kReservedBegin},
    {"%reserved_smem_offset_end", Special::kReservedEnd},
    {"%reserved_smem_offset_cap", Special::kReservedCap},
    {"%reserved_smem_offset_0", Special::kReservedBegin},
    {"%reserved_smem_offset_1", Special::kReservedBegin},
    {"%clock", Special::kClock},
    {"%clock_hi", Special::kClockHi},
    {"%clock64", Special::kClock64},
    {"%globaltimer", Special::kGlobaltimer},
    {"%globaltimer_lo", Special::kGlobaltimerLo},
    {"%globaltimer_hi", Special::kGlobaltimerHi},
};

}  // namespace

int FunctionDecoder::register_bytes(const Operand& o) const {
  if (o.kind != Operand::Kind::kRegister) return 0;
  return register_width(function_.registers[static_cast<size_t>(o.register_index)].type);
}

// Only video instructions select parts of registers or negate them, and they strip that first.
bool FunctionDecoder::is_whole(const Operand& o) {
  if (o.kind != Operand::Kind::kRegister || (o.text.empty() && !o.negated)) return true;
  unsupported(*current_,
              o.negated ? sentence("only a predicate can be negated here")
                        : sentence("only video instructions have parts of registers as operands"));
  return false;
}

uint32_t FunctionDecoder::register_of(const Operand& o, int bytes) {
  if (o.kind == Operand::Kind::kSink) return kNoRegister;
  if (!is_whole(o)) return 0;
  if (o.kind != Operand::Kind::kRegister) {
    unsupported(*current_, sentence("a register was expected as destination"));
    return 0;
  }
  if (register_bytes(o) != bytes) {
    const ptx::Register& r = function_.registers[static_cast<size_t>(o.register_index)];
    unsupported(*current_,
                sentence("register {name} is a {type}, which does not fit this instruction",
                         {{"name", r.name}, {"type", "." + std::string(ptx::name_of(r.type))}}));
    return 0;
  }
  return register_offset_[static_cast<size_t>(o.register_index)];
}

uint32_t FunctionDecoder::destination_of(const Operand& o, int bytes) {
  const uint32_t offset = register_of(o, bytes);
  // No constant has this width, so the slot belongs to `_` alone.
  constexpr int kForSink = 100;
  if (offset != kNoRegister) return offset;
  const auto [it, fresh] = constant_offset_.try_emplace({0, kForSink + bytes}, 0);
  if (fresh) {
    out_.frame_bytes = (out_.frame_bytes + 63) / 64 * 64;
    it->second = out_.frame_bytes;
    out_.frame_bytes += bytes == 0 ? 64u : static_cast<uint32_t>(bytes) * kWarpSize;
  }
  return it->second;
}

uint64_t FunctionDecoder::constant_bits(const Operand& o, ptx::Type type) {
  const int bytes = ptx::size_bytes(type);
  switch (o.kind) {
    case Operand::Kind::kFloat32: {
      if (type != ptx::Type::kF64) return truncate(o.bits, 4);
      const auto value = static_cast<double>(bit_cast<float>(static_cast<uint32_t>(o.bits)));
      return bit_cast<uint64_t>(value);
    }
    case Operand::Kind::kFloat64:
      if (type == ptx::Type::kF32) {
        return bit_cast<uint32_t>(static_cast<float>(bit_cast<double>(o.bits)));
      }
      return o.bits;
    default:
      return type == ptx::Type::kPred ? o.bits : truncate(o.bits, bytes == 0 ? 8 : bytes);
  }
}

uint32_t FunctionDecoder::constant(uint64_t bits, int bytes) {
  const auto [it, fresh] = constant_offset_.try_emplace({bits, bytes}, 0);
  if (fresh) {
    out_.frame_bytes = (out_.frame_bytes + 63) / 64 * 64;
    it->second = out_.frame_bytes;
    out_.constants.push_back({bits, out_.frame_bytes, static_cast<uint8_t>(bytes)});
    out_.frame_bytes += bytes == 0 ? 64u : static_cast<uint32_t>(bytes) * kWarpSize;
  }
  return it->second;
}

uint32_t FunctionDecoder::special(const std::string& name, int bytes) {
  const std::optional<Special> which = find_special(name);
  if (which == Special::kReservedBegin || which == Special::kReservedEnd)
    program_.uses_reserved_shared = true;
  if (which == Special::kGridWorkspaceLow) program_.asks_for_grid_workspace = true;
  if (which && *which < kFirstDynamicSpecial) {
    const auto [it, fresh] = special_offset_.try_emplace({static_cast<int>(*which), bytes}, 0);
    if (fresh) {
      out_.frame_bytes = (out_.frame_bytes + 63) / 64 * 64;
      it->second = out_.frame_bytes;
      out_.specials.push_back({*which, out_.frame_bytes, static_cast<uint8_t>(bytes)});
      out_.frame_bytes += bytes == 0 ? 64u : static_cast<uint32_t>(bytes) * kWarpSize;
    }
    return it->second;
  }
  unsupported(*current_, sentence("special register {name} cannot be read here", {{"name", name}}));
  return 0;
}

std::optional<Special> find_special(std::string_view name) {
  for (const SpecialName& s : kSpecials) {
    if (s.name == name) return s.special;
  }
  // PTX ISA §10: for the driver and the profiler, except for those above; 0 here.
  if (name.starts_with("%envreg") || name.starts_with("%pm") || name == "%current_graph_exec")
    return Special::kZero;
  return std::nullopt;
}

uint64_t FunctionDecoder::symbol_address(const ptx::Symbol& symbol, int64_t offset) {
  const auto n = static_cast<size_t>(symbol.index);
  uint64_t address = 0;
  switch (symbol.table) {
    case ptx::Symbol::Table::kModuleVariable: {
      const ptx::Variable& v = module_.variables[n];
      if (v.space == ptx::Space::kShared) {
        address = shared_.offset.at({-1, symbol.index});
      } else {
        address = program_.variables[n].offset;
      }
      break;
    }
    case ptx::Symbol::Table::kLocalVariable: {
      const ptx::Variable& v = function_.variables[n];
      address = v.space == ptx::Space::kShared ? shared_.offset.at({out_.index, symbol.index})
                                               : variable_offset_[n];
      break;
    }
    case ptx::Symbol::Table::kParam:
      address = is_kernel() ? program_.params[n].offset_bytes : out_.param_offset[n];
      break;
    case ptx::Symbol::Table::kReturnParam:
      address = out_.return_offset[n];
      break;
    case ptx::Symbol::Table::kFunction:
      address = address_of_function(symbol.index);
      break;
    case ptx::Symbol::Table::kNone:
      break;
  }
  return address + static_cast<uint64_t>(offset);
}

uint32_t FunctionDecoder::source_of(const Operand& o, ptx::Type type) {
  const int bytes = register_width(type);
  switch (o.kind) {
    case Operand::Kind::kRegister:
      if (!is_whole(o)) return 0;
      if (register_bytes(o) != bytes) {
        const ptx::Register& r = function_.registers[static_cast<size_t>(o.register_index)];
        unsupported(
            *current_,
            sentence("register {name} is a {type}, which does not fit this instruction",
                     {{"name", r.name}, {"type", "." + std::string(ptx::name_of(r.type))}}));
        return 0;
      }
      return register_offset_[static_cast<size_t>(o.register_index)];
    case Operand::Kind::kInteger:
    case Operand::Kind::kFloat32:
    case Operand::Kind::kFloat64:
      return constant(constant_bits(o, type), bytes);
    case Operand::Kind::kSpecial:
      return special(o.text, bytes);
    case Operand::Kind::kSymbol:
      return constant(truncate(symbol_address(o.symbol, o.offset), bytes), bytes);
    default:
      unsupported(*current_, sentence("this kind of operand is not known here"));
      return 0;
  }
}

uint32_t FunctionDecoder::predicate_of(const Operand& o, uint32_t negated_flag, uint32_t& flags) {
  if (o.kind == Operand::Kind::kInteger) return constant(o.bits != 0 ? 1 : 0, 0);
  if (o.kind == Operand::Kind::kSpecial && o.text == "%is_explicit_cluster")
    return special(o.text, 0);
  if (o.kind != Operand::Kind::kRegister || register_bytes(o) != 0) {
    unsupported(*current_, sentence("a predicate register was expected"));
    return 0;
  }
  if (o.negated) flags |= negated_flag;
  return register_offset_[static_cast<size_t>(o.register_index)];
}

FunctionDecoder::Address FunctionDecoder::address_of(const Operand& o, ptx::Space space) {
  Address address;
  if (o.kind != Operand::Kind::kAddress || !o.elements.empty()) {
    unsupported(*current_, sentence("an address in brackets was expected"));
    return address;
  }
  if (o.register_index >= 0) {
    const int bytes =
        register_width(function_.registers[static_cast<size_t>(o.register_index)].type);
    if (bytes != 4 && bytes != 8) {
      unsupported(*current_, sentence("an address register has 32 or 64 bits"));
      return address;
    }
    address.base = register_offset_[static_cast<size_t>(o.register_index)];
    if (bytes == 4) address.flags |= kBase32;
    address.offset = static_cast<uint64_t>(o.offset);
    return address;
  }
  if (o.symbol.table == ptx::Symbol::Table::kNone) {
    address.offset = static_cast<uint64_t>(o.offset);
    return address;
  }
  address.offset = symbol_address(o.symbol, o.offset);
  const ptx::Space symbol_space =
      o.symbol.table == ptx::Symbol::Table::kLocalVariable
          ? function_.variables[static_cast<size_t>(o.symbol.index)].space
      : o.symbol.table == ptx::Symbol::Table::kModuleVariable
          ? module_.variables[static_cast<size_t>(o.symbol.index)].space
          : ptx::Space::kParam;
  if (symbol_space == ptx::Space::kLocal) address.flags |= kLocalFrame;
  if (space == ptx::Space::kGeneric) {
    if (symbol_space == ptx::Space::kShared) address.offset += kSharedWindow;
    if (symbol_space == ptx::Space::kLocal) address.offset += kLocalWindow;
    if (symbol_space == ptx::Space::kConst) address.offset += kConstWindow;
    if (symbol_space == ptx::Space::kParam) address.offset += kParamWindow;
  }
  return address;
}

uint32_t FunctionDecoder::register_list(const Operand& o, int bytes, ListUse use) {
  RegisterList list;
  if (o.elements.empty() || o.elements.size() > 8) {
    unsupported(*current_, sentence("a vector operand has between 1 and 8 elements"));
    program_.lists.push_back(list);
    return static_cast<uint32_t>(program_.lists.size() - 1);
  }
  list.count = static_cast<uint8_t>(o.elements.size());
  for (size_t n = 0; n < o.elements.size(); ++n) {
    const Operand& e = o.elements[n];
    if (e.kind == Operand::Kind::kSink && use == ListUse::kDestination) {
      list.offset[n] = kNoRegister;
    } else if (e.kind == Operand::Kind::kRegister || use == ListUse::kDestination) {
      list.offset[n] = register_of(e, bytes);
    } else {
      const ptx::Type type = bytes == 8   ? ptx::Type::kB64
                             : bytes == 4 ? ptx::Type::kB32
                                          : ptx::Type::kB16;
      list.offset[n] = source_of(e, type);
    }
  }
  program_.lists.push_back(list);
  return static_cast<uint32_t>(program_.lists.size() - 1);
}

}  // namespace warpshop::emulator
