// One instruction of any kind, occasionally one that PTX does not allow.
#include <array>
#include <string>
#include <vector>

#include "ptx/instructions.h"
#include "random_kernel.h"

namespace warpshop::fuzz {
namespace {

using ptx::Type;

std::string numbered(std::string_view letter, uint32_t n) {
  return "%" + std::string(letter) + std::to_string(n);
}

std::string register_of(Choices& c, int bytes, bool floating) {
  switch (bytes) {
    case 0:
      return numbered("q", c.below(8));
    case 1:
    case 2:
      return numbered("h", c.below(8));
    case 8:
      return floating ? numbered("d", c.below(8)) : numbered("l", c.below(12));
    case 16:
      return numbered("x", c.below(4));
    default:
      return floating ? numbered("f", c.below(8)) : numbered("r", c.below(16));
  }
}

std::string register_of(Choices& c, Type type) {
  if (type == Type::kPred) return register_of(c, 0, false);
  return register_of(c, ptx::size_bytes(type), type == Type::kF32 || type == Type::kF64);
}

std::string source_of(Choices& c, Type type) {
  const bool number =
      type != Type::kPred && type != Type::kF32 && type != Type::kF64 && c.one_in(5);
  return number ? c.immediate() : register_of(c, type);
}

// The form's text without the "/3" at its end, which only the table uses.
std::string text_of(std::string_view form) { return std::string(form.substr(0, form.find('/'))); }

std::string lane_wise(Choices& c) {
  static const std::vector<ptx::InstructionRow> rows = [] {
    std::vector<ptx::InstructionRow> list;
    for (const ptx::InstructionRow& row : ptx::instruction_rows()) {
      if (!row.unit.empty()) list.push_back(row);
    }
    return list;
  }();
  const ptx::InstructionRow& row = rows[c.below(static_cast<uint32_t>(rows.size()))];
  std::string out = text_of(row.form) + " " + register_of(c, row.dest);
  if (row.dest == Type::kPred && c.one_in(3)) out += "|" + register_of(c, Type::kPred);
  for (int n = 0; n < row.source_count; ++n) {
    const Type type = row.sources[static_cast<size_t>(n)];
    out += ", ";
    if (type == Type::kPred && c.one_in(3)) out += "!";
    out += type == Type::kNone ? std::to_string(c.byte()) : source_of(c, type);
  }
  return out;
}

struct Space {
  std::string_view name;
  std::string_view array;
};

Space space_of(Choices& c) {
  static constexpr Space kSpaces[] = {{".global", "g"}, {".shared", "s"},     {".local", "loc"},
                                      {"", "g"},        {".shared", "dyn"},   {".const", "con"},
                                      {".param", "a6"}, {".shared::cta", "s"}};
  return kSpaces[c.below(8)];
}

// Usually in bounds and aligned to `bytes`.
std::string address(Choices& c, const Space& space, uint32_t bytes) {
  const std::string offset = "+" + std::to_string(bytes * c.below(8));
  switch (c.below(8)) {
    case 0:
    case 1:
      return "[" + std::string(space.array) + offset + "]";
    case 2:
      return "[%p" + std::to_string(c.below(8)) + offset + "]";
    case 3:
      return "[%p7]";
    case 4:
      return "[%r" + std::to_string(c.below(16)) + "+" + c.immediate() + "]";
    case 5:
      return "[%l" + std::to_string(c.below(12)) + "]";
    case 6:
      return space.name == ".shared" ? "[%r15" + offset + "]"
                                     : "[%p" + std::to_string(c.below(4)) + offset + "]";
    default:
      return "[" + c.immediate() + "]";
  }
}

std::string vector_of(Choices& c, Type type, uint32_t count) {
  std::string out = "{";
  for (uint32_t n = 0; n < count; ++n) out += (n == 0 ? "" : ", ") + register_of(c, type);
  return out + "}";
}

struct Scalar {
  std::string_view name;
  Type type;
};
constexpr Scalar kScalars[] = {{".b32", Type::kB32}, {".f32", Type::kF32}, {".u8", Type::kU8},
                               {".s8", Type::kS8},   {".u16", Type::kU16}, {".s16", Type::kS16},
                               {".b64", Type::kB64}, {".f64", Type::kF64}, {".b128", Type::kB128},
                               {".u32", Type::kU32}, {".s64", Type::kS64}, {".b8", Type::kB8}};

std::string load_or_store(Choices& c) {
  const bool store = c.one_in(2);
  const Space space = space_of(c);
  const Scalar& scalar = kScalars[c.below(12)];
  const uint32_t count = 1u << (c.one_in(3) ? c.below(4) : 0);
  const auto bytes = count * static_cast<uint32_t>(ptx::size_bytes(scalar.type));
  std::string out = store ? "st" : "ld";
  if (c.one_in(6))
    out += c.of({".volatile", ".relaxed.gpu", ".weak", ".ca", ".cg",
                 store ? ".release.cta" : ".acquire.sys"});
  out += space.name;
  if (!store && space.name == ".global" && c.one_in(4)) out += ".nc";
  if (count > 1) out += ".v" + std::to_string(count);
  out += scalar.name;
  const std::string where = address(c, space, bytes);
  const std::string value =
      count > 1 ? vector_of(c, scalar.type, count) : register_of(c, scalar.type);
  return store ? out + " " + where + ", " + value : out + " " + value + ", " + where;
}

std::string atomic(Choices& c) {
  struct Kind {
    std::string_view operation;
    std::string_view type_name;
    Type type;
  };
  static constexpr Kind kKinds[] = {
      {".add", ".u32", Type::kU32},          {".add", ".f32", Type::kF32},
      {".add", ".u64", Type::kU64},          {".add", ".f64", Type::kF64},
      {".min", ".s32", Type::kS32},          {".max", ".u64", Type::kU64},
      {".inc", ".u32", Type::kU32},          {".dec", ".u32", Type::kU32},
      {".and", ".b32", Type::kB32},          {".or", ".b64", Type::kB64},
      {".xor", ".b32", Type::kB32},          {".exch", ".b32", Type::kB32},
      {".exch", ".b64", Type::kB64},         {".exch", ".b128", Type::kB128},
      {".cas", ".b16", Type::kB16},          {".cas", ".b32", Type::kB32},
      {".cas", ".b64", Type::kB64},          {".cas", ".b128", Type::kB128},
      {".add.noftz", ".f16x2", Type::kB32},  {".add.noftz", ".f16", Type::kB16},
      {".add.noftz", ".bf16x2", Type::kB32}, {".min.noftz", ".f16x2", Type::kB32},
      {".add", ".s32", Type::kS32},          {".max", ".s64", Type::kS64}};
  const Kind& kind = kKinds[c.below(24)];
  const bool exchange = kind.operation == ".exch" || kind.operation == ".cas";
  const bool reduction = !exchange && c.one_in(2);
  const Space space = space_of(c);
  const uint32_t count = !exchange && c.one_in(8) ? 2u << c.below(3) : 1;
  std::string out = reduction ? "red" : "atom";
  if (c.one_in(4)) out += c.of({".relaxed.gpu", ".acquire.cta", ".release.sys", ".acq_rel.gpu"});
  out += std::string(space.name);
  if (count > 1) {
    out += ".v" + std::to_string(count) + std::string(kind.type_name) + std::string(kind.operation);
    const size_t noftz = out.find(".noftz");
    if (noftz == std::string::npos && kind.type == Type::kB32) out += ".noftz";
  } else {
    out += std::string(kind.operation) + std::string(kind.type_name);
  }
  out += " ";
  if (!reduction)
    out += (c.one_in(6) ? "_"
            : count > 1 ? vector_of(c, kind.type, count)
                        : register_of(c, kind.type)) +
           ", ";
  out += address(c, space, static_cast<uint32_t>(ptx::size_bytes(kind.type)) * count) + ", ";
  out += count > 1 ? vector_of(c, kind.type, count) : source_of(c, kind.type);
  if (kind.operation == ".cas") out += ", " + source_of(c, kind.type);
  return out;
}

std::string mask(Choices& c) {
  return std::string(
      c.of({"0xffffffff", "0xffffffff", "0x0000ffff", "0x55555555", "1", "0", "%r0", "%r14"}));
}
std::string r(Choices& c) { return numbered("r", c.below(16)); }
std::string l(Choices& c) { return numbered("l", c.below(12)); }
std::string q(Choices& c) { return numbered("q", c.below(8)); }

std::string collective(Choices& c) {
  switch (c.below(8)) {
    case 0:
      return "shfl.sync." + std::string(c.of({"idx", "up", "down", "bfly"})) + ".b32 " + r(c) +
             (c.one_in(2) ? "|" + q(c) : "") + ", " + r(c) + ", " + source_of(c, Type::kU32) +
             ", " + source_of(c, Type::kU32) + ", " + mask(c);
    case 1:
      return "vote.sync." + std::string(c.of({"all", "any", "uni"})) + ".pred " + q(c) + ", " +
             q(c) + ", " + mask(c);
    case 2:
      return "vote.sync.ballot.b32 " + r(c) + ", " + (c.one_in(2) ? "!" : "") + q(c) + ", " +
             mask(c);
    case 3:
      return c.one_in(2) ? "match.any.sync.b32 " + r(c) + ", " + r(c) + ", " + mask(c)
                         : "match.all.sync.b64 " + r(c) + "|" + q(c) + ", " + l(c) + ", " + mask(c);
    case 4:
      return "redux.sync." +
             std::string(c.of({"add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"})) +
             " " + r(c) + ", " + r(c) + ", " + mask(c);
    case 5:
      return "activemask.b32 " + r(c);
    case 6:
      return "bar.warp.sync " + mask(c);
    default:
      return "elect.sync " + r(c) + "|" + q(c) + ", " + mask(c);
  }
}

std::string barrier(Choices& c) {
  const std::string id = c.one_in(6) ? r(c) : std::to_string(c.one_in(4) ? c.below(17) : 0);
  const std::string count =
      c.one_in(3) ? ", " + std::string(c.of({"32", "64", "48", "0", "%r14", "%r1"})) : "";
  switch (c.below(7)) {
    case 0:
      return "bar.sync " + id + count;
    case 1:
      return "barrier.sync " + id + count;
    case 2:
      return "barrier.cta.sync.aligned " + id + count;
    case 3:
      return std::string(c.of({"bar", "barrier", "barrier.cta"})) + ".arrive " + id + ", " +
             std::string(c.of({"64", "32", "96", "%r14"}));
    case 4:
      return "bar.red.popc.u32 " + r(c) + ", " + id + count + ", " + q(c);
    case 5:
      return "barrier.cta.red." + std::string(c.of({"and", "or"})) + ".pred " + q(c) + ", " + id +
             count + ", !" + q(c);
    default:
      return std::string(c.of({"membar.gl", "fence.acq_rel.cta", "fence.sc.gpu", "nanosleep.u32 20",
                               "fence.proxy.async"}));
  }
}

std::string copies(Choices& c) {
  const std::string bytes(c.of({"4", "8", "16"}));
  switch (c.below(12)) {
    case 0:
    case 1:
    case 2:
      return "cp.async" + std::string(bytes == "16" && c.one_in(2) ? ".cg" : ".ca") +
             ".shared.global " + address(c, {".shared", "s"}, 16) + ", " +
             address(c, {".global", "g"}, 16) + ", " + bytes +
             (c.one_in(3)   ? ", " + source_of(c, Type::kU32)
              : c.one_in(3) ? ", " + q(c)
                            : "");
    case 3:
      return "cp.async.commit_group";
    case 4:
      return "cp.async.wait_group " + std::to_string(c.below(4));
    case 5:
      return "cp.async.wait_all";
    case 6:
      return "mbarrier.init.shared.b64 [bar], " + source_of(c, Type::kU32);
    case 7:
      return "mbarrier.arrive.shared.b64 " + l(c) + ", [bar]" +
             (c.one_in(3) ? ", " + std::to_string(c.below(4)) : "");
    case 8:
      return "mbarrier.test_wait.shared.b64 " + q(c) + ", [bar], " + l(c);
    case 9:
      return "mbarrier.try_wait.parity.shared.b64 " + q(c) + ", [bar], " + r(c);
    case 10:
      return "cp.async.mbarrier.arrive" + std::string(c.one_in(2) ? ".noinc" : "") +
             ".shared.b64 [bar]";
    default:
      if (c.one_in(3)) {
        return "cp.async.bulk.shared::" + std::string(c.of({"cluster", "cta"})) +
               ".global.mbarrier::complete_tx::bytes " + address(c, {".shared", "s"}, 16) + ", " +
               address(c, {".global", "g"}, 16) + ", " +
               std::string(c.of({"16", "64", "0", "%r14", "%r3"})) + ", [bar]";
      }
      return std::string(c.of({"mbarrier.inval.shared.b64 [bar]",
                               "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 8",
                               "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 8",
                               "mbarrier.pending_count.b64 %r3, %l3",
                               "mbarrier.arrive_drop.shared.b64 %l3, [bar]"}));
  }
}

std::string matrices(Choices& c) {
  switch (c.below(8)) {
    case 0: {
      const uint32_t n = 1u << c.below(3);
      return "ldmatrix.sync.aligned.m8n8.x" + std::to_string(n) +
             std::string(c.one_in(2) ? ".trans" : "") + ".shared.b16 " +
             vector_of(c, Type::kB32, n) + ", " + address(c, {".shared", "s"}, 16);
    }
    case 1: {
      const uint32_t n = 1u << c.below(3);
      return "stmatrix.sync.aligned.m8n8.x" + std::to_string(n) + ".shared.b16 " +
             address(c, {".shared", "s"}, 16) + ", " + vector_of(c, Type::kB32, n);
    }
    case 2:
      return "movmatrix.sync.aligned.m8n8.trans.b16 " + r(c) + ", " + r(c);
    case 3:
      return "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + vector_of(c, Type::kF32, 4) +
             ", " + vector_of(c, Type::kB32, 4) + ", " + vector_of(c, Type::kB32, 2) + ", " +
             vector_of(c, Type::kF32, 4);
    case 4:
      return "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 " + vector_of(c, Type::kF32, 4) +
             ", " + vector_of(c, Type::kB32, 4) + ", " + vector_of(c, Type::kB32, 2) + ", " +
             vector_of(c, Type::kF32, 4);
    case 5:
      return "mma.sync.aligned.m8n8k16.row.col" + std::string(c.one_in(2) ? ".satfinite" : "") +
             ".s32.s8.u8.s32 " + vector_of(c, Type::kB32, 2) + ", {" + r(c) + "}, {" + r(c) +
             "}, " + vector_of(c, Type::kB32, 2);
    case 6:
      return "wmma.load.a.sync.aligned." + std::string(c.of({"row", "col"})) + ".m16n16k16" +
             std::string(c.of({".global", ".shared", ""})) + ".f16 " + vector_of(c, Type::kB32, 8) +
             ", " + address(c, {"", "s"}, 32) + ", " + c.immediate();
    default:
      return "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " + vector_of(c, Type::kF32, 8) +
             ", " + vector_of(c, Type::kB32, 8) + ", " + vector_of(c, Type::kB32, 8) + ", " +
             vector_of(c, Type::kF32, 8);
  }
}

std::string textures(Choices& c) {
  const std::string texture(c.one_in(8) ? c.of({"%l0", "%l9", "%p0"}) : "%l10");
  const std::string surface(c.one_in(8) ? c.of({"%l0", "%l10", "%p0"}) : "%l11");
  const bool flat = c.one_in(2);
  const bool layered = c.one_in(6);
  const std::string geometry = std::string(layered ? "a" : "") + (flat ? "1d" : "2d");
  const Type type = c.one_in(2) ? Type::kB32 : Type::kF32;
  auto place = [&](Type t) {
    std::string list = "{";
    if (layered) list += r(c) + ", ";
    list += register_of(c, t);
    if (!flat) list += ", " + register_of(c, t);
    if (layered && !flat) list += ", " + register_of(c, t);
    return list + "}";
  };
  switch (c.below(6)) {
    case 0:
    case 1:
      return "tex." + geometry + ".v4." + std::string(type == Type::kF32 ? "f32" : "u32") +
             (type == Type::kF32 ? ".f32 " : ".s32 ") + vector_of(c, type, 4) + ", [" + texture +
             ", " + place(type) + "]";
    case 2:
      return "tld4." + std::string(c.of({"r", "g", "b", "a"})) + ".2d.v4.f32.f32 " +
             vector_of(c, Type::kF32, 4) + ", [" + texture + ", {%f0, %f1}]";
    case 3:
    case 4: {
      const Scalar& s = kScalars[c.below(9)];
      const std::string size = std::to_string(8 * ptx::size_bytes(s.type));
      const uint32_t count = 1u << c.below(3);
      const std::string values = vector_of(c, s.type, count);
      const std::string form = ".b." + geometry + (count > 1 ? ".v" + std::to_string(count) : "") +
                               ".b" + size + "." + std::string(c.of({"trap", "clamp", "zero"}));
      const std::string at = "[" + surface + ", " + place(Type::kB32) + "]";
      return c.one_in(2) ? "suld" + form + " " + values + ", " + at
                         : "sust" + form + " " + at + ", " + values;
    }
    default:
      return std::string(c.of({"txq", "suq"})) + "." +
             std::string(c.of({"width", "height", "depth", "channel_order"})) + ".b32 " + r(c) +
             ", [" + (c.one_in(2) ? texture : surface) + "]";
  }
}

std::string calls(Choices& c) {
  switch (c.below(8)) {
    case 0:
      return "{ .param .b32 x; .param .b32 y; st.param.b32 [x], " + r(c) +
             "; call (y), f0, (x); ld.param.b32 " + r(c) + ", [y]; }";
    case 1:
      return "{ .param .b32 x; .param .b32 y; st.param.b32 [x], " + r(c) +
             "; call (y), f1, (x); ld.param.b32 " + r(c) + ", [y]; }";
    case 2:
      return "{ .param .b32 x; .param .b32 y; st.param.b32 [x], " + r(c) + "; call (y), " + l(c) +
             ", (x), proto; ld.param.b32 " + r(c) + ", [y]; }";
    case 3:
      return "mov.u64 " + l(c) + ", " + std::string(c.of({"f0", "f1"}));
    case 4:
      return "{ .param .b64 x; .param .b64 y; .param .b32 z; st.param.b64 [x], %l9; st.param.b64 "
             "[y], %p5; call (z), vprintf, (x, y); ld.param.b32 " +
             r(c) + ", [z]; }";
    case 5:
      return "{ .param .b64 x; .param .b64 y; st.param.b64 [x], " + l(c) +
             "; call (y), malloc, (x); ld.param.b64 " + l(c) + ", [y]; }";
    case 6:
      return "{ .param .b64 x; st.param.b64 [x], " + l(c) + "; call free, (x); }";
    default:
      return std::string(c.of({"alloca.u64 %l4, 32", "alloca.u64 %l4, %l5", "stacksave.u64 %l6",
                               "stackrestore.u64 %l6", "alloca.u64 %l4, 16, 16"}));
  }
}

std::string moves(Choices& c) {
  switch (c.below(8)) {
    case 0:
      return "mov.u32 " + r(c) + ", %" +
             std::string(c.of({"tid.x", "ctaid.x", "laneid", "warpid", "ntid.x", "clock",
                               "lanemask_lt", "smid", "nctaid.x", "tid.y", "dynamic_smem_size",
                               "lanemask_ge", "cluster_ctaid.x", "total_smem_size"}));
    case 1:
      return "mov.b64 " + l(c) + ", {" + r(c) + ", " + r(c) + "}";
    case 2:
      return "mov.b64 {" + r(c) + ", " + r(c) + "}, " + l(c);
    case 3:
      return "mov.b128 " + numbered("x", c.below(4)) + ", {" + l(c) + ", " + l(c) + "}";
    case 4:
      return "mov.u64 " + l(c) + ", " +
             std::string(c.of({"g", "s", "loc", "con", "dyn", "fmt", "a6"}));
    case 5:
      return "cvta" + std::string(c.one_in(2) ? ".to" : "") +
             std::string(c.of({".global", ".shared", ".local", ".const"})) + ".u64 " + l(c) + ", " +
             l(c);
    case 6:
      return "isspacep" + std::string(c.of({".global", ".shared", ".local", ".const"})) + " " +
             q(c) + ", " + l(c);
    default:
      return "mov.b32 " + r(c) + ", " + c.immediate();
  }
}

std::string rare(Choices& c) {
  if (c.one_in(2)) {
    const std::string name(c.of({"vadd", "vsub", "vabsdiff", "vmin", "vmax"}));
    return c.one_in(2) ? name + "2.s32.u32.s32" + std::string(c.one_in(2) ? ".sat" : "") + " " +
                             r(c) + ", " + r(c) + ", " + r(c) + ", " + r(c)
                       : name + ".s32.u32.s32 " + r(c) + ", " + r(c) + ".b1, " + r(c) + ".h0";
  }
  return std::string(c.of({"prefetch.global.L2 [%p0]", "griddepcontrol.wait", "pmevent 3",
                           "discard.global.L2 [%p0], 128", "exit", "ret", "trap", "brkpt",
                           "createpolicy.fractional.L2::evict_last.b64 %l3, 1.0"}));
}

}  // namespace

std::string random_instruction(Choices& c) {
  std::string guard;
  if (c.one_in(6)) guard = "@" + std::string(c.one_in(2) ? "!" : "") + q(c) + " ";
  std::string text;
  switch (c.below(32)) {
    default:
      text = lane_wise(c);
      break;
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
    case 15:
    case 16:
      text = load_or_store(c);
      break;
    case 17:
    case 18:
    case 19:
      text = atomic(c);
      break;
    case 20:
    case 21:
      text = moves(c);
      break;
    case 22:
    case 23:
      text = collective(c);
      break;
    case 24:
    case 25:
      text = barrier(c);
      break;
    case 26:
      text = copies(c);
      break;
    case 27:
      text = matrices(c);
      break;
    case 28:
    case 29:
      text = textures(c);
      break;
    case 30:
      text = calls(c);
      break;
    case 31:
      text = rare(c);
      break;
  }
  if (text.front() == '{') return guard.empty() ? text : "{ " + text + " }";
  return guard + text + ";";
}

}  // namespace warpshop::fuzz
