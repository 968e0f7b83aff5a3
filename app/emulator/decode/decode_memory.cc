// ld, st, atom, red, cvta, isspacep.
#include <algorithm>
#include <iterator>

#include "access/cluster_access.h"
#include "access/memory_ops.h"
#include "decode/decoder.h"
#include "lanes/lane_forms.h"
#include "state/warp.h"

namespace warpshop::emulator {
namespace {

const MicroOp* is_space(Warp& warp, const MicroOp* op) {
  const uint64_t* a = warp.reg<uint64_t>(op->a);
  uint32_t yes = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const uint64_t window = a[lane] & kWindowMask;
    bool match = op->imm == 0 ? window == 0 : window == op->imm;
    // .shared::cta: not the memory of another block of the cluster.
    if (op->flags != 0) match = match && owner_of(warp, a[lane]) == warp.block;
    yes |= static_cast<uint32_t>(match) << lane;
  }
  uint32_t* p = warp.reg<uint32_t>(op->d);
  *p = (*p & ~warp.mask) | (yes & warp.mask);
  return op + 1;
}

bool is_signed(ptx::Type type) {
  return type == ptx::Type::kS8 || type == ptx::Type::kS16 || type == ptx::Type::kS32 ||
         type == ptx::Type::kS64;
}

// True if a load or store has two operands, or three with .L2::cache_hint. Cache policies,
// operators and hints only affect timing: the emulator's memory has no caches.
bool has_operands(const ptx::Instruction& i) {
  return i.operands.size() == (has_modifier(i, "L2::cache_hint") ? 3u : 2u);
}

// PTX ISA "ld", "st": .v8, and .v4 of 64-bit elements.
Sentence wide_global() { return sentence("32 bytes at once are only for .global"); }

// The number of elements in an access's vector operand: 1 without .v2, .v4 or .v8.
size_t vector_width(const ptx::Instruction& i) {
  return has_modifier(i, "v8") ? 8 : has_modifier(i, "v4") ? 4 : has_modifier(i, "v2") ? 2 : 1;
}

// True if a vector has .vN elements and at most 32 bytes; scalars have no braces.
bool fits_vector(const ptx::Instruction& i, const ptx::Operand& value, int element_bytes) {
  const size_t width = vector_width(i);
  if (value.kind != ptx::Operand::Kind::kVector) return width == 1;
  return width > 1 && value.elements.size() == width &&
         width * static_cast<size_t>(element_bytes) <= 32;
}
// MemoryFlags that say where an access goes.
uint32_t place_flags(const ptx::Instruction& i, ptx::Space space) {
  return space_flag(space) | (has_modifier(i, "shared::cluster") ? uint32_t{kClusterSpace} : 0u);
}
// MemoryFlags of a load or store.
uint32_t strength(const ptx::Instruction& i) {
  if (has_modifier(i, "volatile")) return kVolatile;
  return is_strong(i) ? uint32_t{kStrong} : 0u;
}
Sentence wrong_vector() {
  return sentence(
      "a vector of as many elements as .v2, .v4 or .v8 says, and of 32 bytes at most, was "
      "expected");
}

AccessPath path_of(const ptx::Instruction& i, AccessKind kind) {
  if (i.opcode == "ldmatrix" || i.opcode == "stmatrix") return AccessPath::kMatrix;
  if (i.opcode == "wgmma") return AccessPath::kProduct;
  if (i.opcode == "mbarrier") return AccessPath::kBarrier;
  if (i.opcode != "cp") return AccessPath::kOrdinary;
  if (kind == AccessKind::kAtomic) return AccessPath::kBarrier;  // the object that it arrives at
  return has_modifier(i, "bulk") ? AccessPath::kBulk : AccessPath::kAsyncCopy;
}

}  // namespace

std::optional<AtomicOperation> atomic_operation(const ptx::Instruction& i) {
  static constexpr std::pair<std::string_view, AtomicOperation> kNames[] = {
      {"add", AtomicOperation::kAdd},       {"min", AtomicOperation::kMin},
      {"max", AtomicOperation::kMax},       {"inc", AtomicOperation::kInc},
      {"dec", AtomicOperation::kDec},       {"and", AtomicOperation::kAnd},
      {"or", AtomicOperation::kOr},         {"xor", AtomicOperation::kXor},
      {"exch", AtomicOperation::kExchange}, {"cas", AtomicOperation::kCompareAndSwap}};
  for (const auto& [name, operation] : kNames) {
    if (has_modifier(i, name)) return operation;
  }
  return std::nullopt;
}

uint32_t FunctionDecoder::add_site(const Instruction& i, ptx::Space space, AccessKind kind,
                                   int element_bytes, int elements) {
  AccessSite site;
  site.instruction = current_index_;
  site.function = out_.index;
  site.space = space;
  site.kind = kind;
  site.path = path_of(i, kind);
  site.element_bytes = static_cast<uint8_t>(element_bytes);
  site.elements = static_cast<uint8_t>(elements);
  site.read_only = has_modifier(i, "nc") || i.opcode == "ldu" || space == ptx::Space::kConst;
  site.ptx_line = i.ptx_line;
  site.source = i.source;
  site.text = i.text;
  const bool may_be_shared = space == ptx::Space::kShared || space == ptx::Space::kGeneric;
  if (may_be_shared && element_bytes < 4) program_.shared_granule_bytes = 1;
  const bool may_be_global = space == ptx::Space::kGlobal || space == ptx::Space::kGeneric;
  if (may_be_global && kind != AccessKind::kLoad && element_bytes < 4)
    program_.global_granule_bytes = 1;
  const bool is_volatile = has_modifier(i, "volatile");
  const bool orders =
      has_modifier(i, "acquire") || has_modifier(i, "release") || has_modifier(i, "acq_rel");
  const bool ordered = orders || is_volatile;
  if (ordered && i.opcode != "mbarrier" && (may_be_global || has_modifier(i, "shared::cluster")))
    program_.orders_by_flags = true;
  if (may_be_global && ordered) {
    // Without a fence, a volatile access is a relaxed one: it orders no others. PTX ISA §8.
    if (orders && !has_modifier(i, "cta")) program_.orders_blocks = true;
    if (is_volatile) program_.has_volatile = true;
    program_.orders_warps = true;
  }
  program_.sites.push_back(std::move(site));
  return static_cast<uint32_t>(program_.sites.size() - 1);
}

void FunctionDecoder::decode_load(const Instruction& i) {
  const ptx::Space space = space_of(i);
  if (!has_operands(i))
    return unsupported(i, sentence("a destination and an address were expected"));
  if (space == ptx::Space::kParam && i.operands[1].register_index < 0)
    return decode_param_access(i, false);
  const ptx::Type type = type_of(i);
  const int element = ptx::size_bytes(type);
  const Operand& dest = i.operands[0];
  if (!fits_vector(i, dest, element)) return unsupported(i, wrong_vector());
  const bool list = dest.kind == Operand::Kind::kVector;
  const int elements = list ? static_cast<int>(dest.elements.size()) : 1;
  const Operand* first = &dest;
  if (list) {
    first = nullptr;
    for (const Operand& e : dest.elements) {
      if (e.kind == Operand::Kind::kRegister) first = &e;
    }
    if (first == nullptr) first = &dest.elements[0];
  }
  const int width =
      first->kind == Operand::Kind::kRegister ? register_bytes(*first) : register_width(type);
  if (elements * element > 16 && space != ptx::Space::kGlobal) return unsupported(i, wide_global());
  const Handler run = find_load(element, is_signed(type), width);
  if (run == nullptr) return unsupported(i, sentence("this type does not fit its register"));
  const Address address = address_of(i.operands[1], space);
  MicroOp op;
  op.run = run;
  op.instruction = current_index_;
  op.a = address.base;
  op.imm = address.offset;
  op.flags = address.flags | place_flags(i, space) | strength(i) | (list ? uint32_t{kList} : 0u);
  op.d = list ? register_list(dest, width, ListUse::kDestination) : destination_of(dest, width);
  op.site = add_site(i, space, AccessKind::kLoad, element, elements);
  if (space == ptx::Space::kShared && !list && element == 4 && width == 4 && op.a != kNoRegister &&
      op.d != kNoRegister && (op.flags & kClusterSpace) == 0) {
    if (const Handler sooner = find_shared_word_load((address.flags & kBase32) != 0))
      op.run = sooner;
  }
  out_.code.push_back(op);
}

void FunctionDecoder::decode_store(const Instruction& i) {
  if (has_modifier(i, "async")) return decode_store_to_block(i);
  const ptx::Space space = space_of(i);
  if (!has_operands(i) || has_modifier(i, "bulk")) {
    return unsupported(i, sentence("an address and a source were expected"));
  }
  if (space == ptx::Space::kParam) return decode_param_access(i, true);
  const ptx::Type type = type_of(i);
  const int element = ptx::size_bytes(type);
  const Operand& source = i.operands[1];
  if (!fits_vector(i, source, element)) return unsupported(i, wrong_vector());
  const bool list = source.kind == Operand::Kind::kVector;
  const int elements = list ? static_cast<int>(source.elements.size()) : 1;
  int width = register_width(type);
  if (!list && source.kind == Operand::Kind::kRegister) width = register_bytes(source);
  if (list) {
    for (const Operand& e : source.elements) {
      if (e.kind == Operand::Kind::kRegister) width = register_bytes(e);
    }
  }
  if (elements * element > 16 && space != ptx::Space::kGlobal) return unsupported(i, wide_global());
  const Handler run = find_store(element, width);
  if (run == nullptr) return unsupported(i, sentence("this type does not fit its register"));
  const Address address = address_of(i.operands[0], space);
  MicroOp op;
  op.run = run;
  op.instruction = current_index_;
  op.a = address.base;
  op.imm = address.offset;
  op.flags = address.flags | place_flags(i, space) | strength(i) | (list ? uint32_t{kList} : 0u);
  if (list) {
    op.d = register_list(source, width, ListUse::kSource);
  } else if (source.kind == Operand::Kind::kRegister) {
    op.d = register_of(source, width);
  } else {
    op.d = source_of(source, type);
  }
  if ((op.flags & kStrong) != 0 && space != ptx::Space::kShared) program_.has_strong_stores = true;
  op.site = add_site(i, space, AccessKind::kStore, element, elements);
  out_.code.push_back(op);
}

void FunctionDecoder::decode_param_access(const Instruction& i, bool store) {
  const ptx::Type type = type_of(i);
  const int element = ptx::size_bytes(type);
  const Operand& value = i.operands[store ? 1 : 0];
  const Operand& where = i.operands[store ? 0 : 1];
  if (!fits_vector(i, value, element)) return unsupported(i, wrong_vector());
  const bool list = value.kind == Operand::Kind::kVector;
  const int elements = list ? static_cast<int>(value.elements.size()) : 1;
  if (where.kind != Operand::Kind::kAddress || where.register_index >= 0 ||
      where.symbol.table == ptx::Symbol::Table::kNone) {
    return unsupported(i, sentence("the address of a parameter was expected"));
  }
  const bool kernel_param = is_kernel() && where.symbol.table == ptx::Symbol::Table::kParam;
  if (store && kernel_param) return unsupported(i, sentence("kernel parameters cannot be written"));
  int width = register_width(type);
  const Operand& first = list ? value.elements[0] : value;
  if (first.kind == Operand::Kind::kRegister) width = register_bytes(first);
  const uint64_t offset = symbol_address(where.symbol, where.offset);
  const uint64_t end = kernel_param ? program_.param_bytes : out_.param_bytes;
  if (offset > end || end - offset < static_cast<uint64_t>(element * elements)) {
    return unsupported(i, sentence("it reaches outside the parameters"));
  }
  const Handler run = kernel_param ? find_load_param(element, is_signed(type), width)
                      : store      ? find_store_frame(element, width)
                                   : find_load_frame(element, is_signed(type), width);
  if (run == nullptr) return unsupported(i, sentence("this type does not fit its register"));
  MicroOp op;
  op.run = run;
  op.instruction = current_index_;
  op.imm = offset;
  op.flags = list ? uint32_t{kList} : 0u;
  if (list) {
    op.d = register_list(value, width, store ? ListUse::kSource : ListUse::kDestination);
  } else if (store && value.kind == Operand::Kind::kRegister) {
    op.d = register_of(value, width);
  } else {
    op.d = store ? source_of(value, type) : destination_of(value, width);
  }
  out_.code.push_back(op);
}

void FunctionDecoder::decode_atomic(const Instruction& i, bool reduction) {
  if (has_modifier(i, "async")) return decode_store_to_block(i);
  const auto operation = atomic_operation(i);
  const ptx::Type type = type_of(i);
  const size_t sources = operation == AtomicOperation::kCompareAndSwap ? 2 : 1;
  const size_t first = reduction ? 0 : 1;
  if (!operation || i.operands.size() < first + 1 + sources) {
    return unsupported(i, sentence("this atomic is not known"));
  }
  const bool vector = i.operands[first + 1].kind == Operand::Kind::kVector;
  if (vector || find_vector_atomic(AtomicOperation::kAdd, type) != nullptr) {
    if (vector || type != ptx::Type::kF32) return decode_vector_atomic(i, reduction, *operation);
  }
  const Handler run =
      type == ptx::Type::kB128 ? find_atomic_128(*operation) : find_atomic(*operation, type);
  const int bytes = ptx::size_bytes(type);
  if (run == nullptr) {
    return unsupported(i, sentence("this atomic is not known for {type}",
                                   {{"type", "." + std::string(ptx::name_of(type))}}));
  }
  const ptx::Space space = space_of(i);
  const Address address = address_of(i.operands[first], space);
  MicroOp op;
  op.run = run;
  op.instruction = current_index_;
  op.a = address.base;
  op.imm = address.offset;
  op.flags = address.flags | place_flags(i, space);
  op.d = kNoRegister;
  bool used = false;
  if (!reduction) {
    op.d = register_of(i.operands[0], bytes);
    used = op.d != kNoRegister && i.operands[0].register_index >= 0 &&
           is_read(i.operands[0].register_index);
  }
  op.b = source_of(i.operands[first + 1], type);
  op.c = sources == 2 ? source_of(i.operands[first + 2], type) : kNoRegister;
  // The back end turns an atomic with an unused result into a reduction; exchanges stay atomics.
  const bool reducible =
      *operation != AtomicOperation::kExchange && *operation != AtomicOperation::kCompareAndSwap;
  op.site = add_site(i, space, used || !reducible ? AccessKind::kAtomic : AccessKind::kReduction,
                     bytes, 1);
  if (!reduction && !used && reducible) {
    program_.sites.back().backend_note =
        sentence("no instruction reads the old value: the compiler makes it a reduction");
  }
  out_.code.push_back(op);
}

// Operands and results are lists, with a single element for scalars.
void FunctionDecoder::decode_vector_atomic(const Instruction& i, bool reduction,
                                           AtomicOperation operation) {
  const ptx::Type type = type_of(i);
  const int element = ptx::size_bytes(type);
  const size_t first = reduction ? 0 : 1;
  const ptx::Space space = space_of(i);
  const Handler run = find_vector_atomic(operation, type);
  if (run == nullptr)
    return unsupported(i, sentence("this atomic is not known for {type}",
                                   {{"type", "." + std::string(ptx::name_of(type))}}));
  auto as_list = [&](const Operand& o, ListUse use) {
    if (o.kind == Operand::Kind::kVector) return register_list(o, element, use);
    Operand list;
    list.kind = Operand::Kind::kVector;
    list.elements.push_back(o);
    return register_list(list, element, use);
  };
  const Operand& source = i.operands[first + 1];
  const bool vector = source.kind == Operand::Kind::kVector;
  const int elements = vector ? static_cast<int>(source.elements.size()) : 1;
  if (vector && (space == ptx::Space::kShared || elements * element > 16 ||
                 source.elements.size() != vector_width(i))) {
    return unsupported(i, sentence("vector atomics work on global memory, on 16 bytes at most"));
  }
  const Address address = address_of(i.operands[first], space);
  MicroOp op;
  op.run = run;
  op.instruction = current_index_;
  op.a = address.base;
  op.imm = address.offset;
  op.flags = address.flags | place_flags(i, space);
  op.b = as_list(source, ListUse::kSource);
  op.d = kNoRegister;
  bool used = false;
  if (!reduction && i.operands[0].kind != Operand::Kind::kSink) {
    op.d = as_list(i.operands[0], ListUse::kDestination);
    if (program_.lists[op.d].count != elements)
      return unsupported(i, sentence("results and operands differ in number"));
    auto read = [&](const Operand& o) {
      return o.register_index >= 0 && is_read(o.register_index);
    };
    used = read(i.operands[0]);
    for (const Operand& e : i.operands[0].elements) used = used || read(e);
  }
  op.site =
      add_site(i, space, used ? AccessKind::kAtomic : AccessKind::kReduction, element, elements);
  out_.code.push_back(op);
}

// Strong accesses may order a block's threads in shared memory (locks.h), and blocks in global
// memory: to be called after one.
void FunctionDecoder::decode_order(const Instruction& i) {
  const ptx::Space space = space_of(i);
  const bool polls_grid = i.opcode == "ld" && has_modifier(i, "acquire");
  if (!program_.may_have_locks || out_.code.empty() ||
      (space != ptx::Space::kShared && space != ptx::Space::kGeneric && !polls_grid &&
       !(space == ptx::Space::kGlobal && program_.may_order_blocks)))
    return;
  const bool atomic = i.opcode == "atom" || i.opcode == "red";
  if (!atomic && strength(i) == 0) return;
  const MicroOp access = out_.code.back();
  if (access.site == kNoSite || access.instruction != current_index_) return;
  MicroOp& op = emit(after_ordered_access);
  op.imm = access.site;
  op.d = kNoRegister;
  if (!has_modifier(i, "cas") || i.operands.size() < 3) return;
  op.d = access.d;
  op.b = access.b;
  op.e = static_cast<uint32_t>(ptx::size_bytes(type_of(i)));
}

void FunctionDecoder::decode_cvta(const Instruction& i) {
  if (i.operands.size() != 2 || !has_modifier(i, "u64"))
    return unsupported(i, sentence("cvta of 64-bit addresses was expected"));
  // Generic and device addresses of global memory are equal; other spaces each have a window.
  const LaneForm* form = find_lane_form(has_modifier(i, "to") ? "sub.u64" : "add.u64", 64, 64);
  MicroOp op;
  op.run = form->run;
  op.instruction = current_index_;
  op.e = kNoRegister;
  const ptx::Space space = space_of(i);
  const Operand& source = i.operands[1];
  if (source.kind == Operand::Kind::kSymbol &&
      source.symbol.table == ptx::Symbol::Table::kLocalVariable &&
      function_.variables[static_cast<size_t>(source.symbol.index)].space == ptx::Space::kLocal) {
    return unsupported(
        i, sentence("the address of a local variable must be moved to a register first"));
  }
  op.a = source_of(source, ptx::Type::kU64);
  op.b = constant(window_of(space), 8);
  op.d = destination_of(i.operands[0], 8);
  out_.code.push_back(op);
}

// mapa{.shared::cluster}.{u32,u64} d, address, rank
// getctarank{.shared::cluster}.{u32,u64} d, address
void FunctionDecoder::decode_cluster_address(const Instruction& i) {
  const bool maps = i.opcode == "mapa";
  if (i.operands.size() != (maps ? 3u : 2u))
    return unsupported(i, sentence("a destination, an address and perhaps a rank were expected"));
  const ptx::Type type = type_of(i);
  const bool generic = !has_modifier(i, "shared::cluster");
  const int bytes = ptx::size_bytes(type);
  MicroOp op;
  op.run = maps ? map_address : rank_of_address;
  op.instruction = current_index_;
  op.d = destination_of(i.operands[0], maps ? bytes : 4);
  op.a = source_of(i.operands[1], type);
  if (maps) op.b = source_of(i.operands[2], ptx::Type::kU32);
  op.flags = bytes == 8 ? kGenericAddress : 0;
  if (generic && bytes == 4) return unsupported(i, sentence("a generic address has 64 bits"));
  program_.maps_cluster = program_.maps_cluster || maps;
  out_.code.push_back(op);
}

// Cache policies are opaque and only hints: zero here.
void FunctionDecoder::decode_cache_policy(const Instruction& i) {
  if (i.operands.empty() || i.operands[0].kind != Operand::Kind::kRegister) {
    return unsupported(i, sentence("a register was expected as destination"));
  }
  MicroOp op;
  op.run = find_lane_form("mov.b64", 64, 64)->run;
  op.instruction = current_index_;
  op.e = kNoRegister;
  op.a = constant(0, 8);
  op.d = register_of(i.operands[0], 8);
  out_.code.push_back(op);
}

void FunctionDecoder::decode_isspacep(const Instruction& i) {
  if (i.operands.size() != 2)
    return unsupported(i, sentence("a predicate and an address were expected"));
  MicroOp op;
  op.run = is_space;
  op.instruction = current_index_;
  op.d = destination_of(i.operands[0], 0);
  op.a = source_of(i.operands[1], ptx::Type::kU64);
  op.imm = window_of(space_of(i));
  op.flags = op.imm == kSharedWindow && !has_modifier(i, "shared::cluster") ? 1 : 0;
  out_.code.push_back(op);
}

}  // namespace warpshop::emulator
