#include "random_program.h"

namespace warpshop::emulator::testing {
namespace {

class Generator {
 public:
  Generator(Random& random, const Shape& shape) : random_(random), shape_(shape) {}

  RandomProgram program() {
    RandomProgram out;
    out.space = static_cast<PrivateSpace>(below(3));
    if (shape_.control) {
      for (int n = 0; n < 2; ++n) {
        in_function_ = true;
        functions_ = n;
        left_ = 8;
        out.functions.push_back(block(0));
      }
      functions_ = 2;
    }
    in_function_ = false;
    left_ = shape_.statements;
    while (left_ > 0) {
      std::vector<Statement> more = block(0);
      out.body.insert(out.body.end(), more.begin(), more.end());
    }
    return out;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }

  std::vector<Statement> block(int depth) {
    std::vector<Statement> out;
    const int count = 1 + below(6);
    for (int n = 0; n < count && left_ > 0; ++n) out.push_back(statement(depth));
    return out;
  }

  Statement statement(int depth) {
    --left_;
    const int pick = shape_.control && depth < 4 ? below(100) : 0;
    if (pick < 55) return assign();
    Statement s;
    s.condition = condition();
    s.index = below(kR);
    s.destination = below(kR);
    if (pick < 68) {
      s.kind = Statement::Kind::kIf;
      s.bodies.push_back(block(depth + 1));
      if (below(2) == 0) s.bodies.push_back(block(depth + 1));
    } else if (pick < 77) {
      s.kind = Statement::Kind::kLoop;
      ++loops_;
      s.bodies.push_back(block(depth + 1));
      --loops_;
    } else if (pick < 81) {
      s.kind = Statement::Kind::kSwitch;
      for (int n = 0; n < 4; ++n) s.bodies.push_back(block(depth + 1));
    } else if (pick < 86 && loops_ > 0) {
      s.kind = below(2) == 0 ? Statement::Kind::kBreak : Statement::Kind::kContinue;
    } else if (pick < 88 && depth > 0) {
      s.kind = in_function_ || below(2) == 0 ? Statement::Kind::kReturn : Statement::Kind::kExit;
    } else if (pick < 91 && functions_ > 0) {
      s.kind = Statement::Kind::kCall;
      s.function = below(functions_);
    } else if (!in_function_ && pick < 94) {
      s.kind = Statement::Kind::kLoad;
    } else if (!in_function_ && pick < 97) {
      s.kind = Statement::Kind::kStore;
    } else if (!in_function_) {
      s.kind = Statement::Kind::kSum;
    } else {
      return assign();
    }
    return s;
  }

  Statement assign() {
    Statement s;
    do {
      s.operation = &operations()[random_() % operations().size()];
    } while (in_function_ &&
             (s.operation->destination != 'r' ||
              std::string(s.operation->sources).find_first_not_of('r') != std::string::npos));
    s.destination = below(count_of(s.operation->destination));
    const std::string_view classes = s.operation->sources;
    for (size_t n = 0; n < classes.size(); ++n) {
      const bool immediate = n == 1 && classes[1] == 'r' &&
                             !std::string_view(s.operation->ptx).starts_with("mov") &&
                             below(4) == 0;
      s.sources.push_back(immediate
                              ? Source{true, immediate_value()}
                              : Source{false, static_cast<uint32_t>(below(count_of(classes[n])))});
    }
    return s;
  }

  uint32_t immediate_value() {
    switch (below(3)) {
      case 0:
        return static_cast<uint32_t>(below(34));
      case 1:
        return static_cast<uint32_t>(random_());
      default:
        return 0x80000000u >> below(3);
    }
  }

  Condition condition() {
    Condition c;
    do {
      c.comparison = &comparisons()[random_() % comparisons().size()];
    } while (in_function_ && c.comparison->sources != 'r');
    c.a = below(count_of(c.comparison->sources));
    c.b = below(count_of(c.comparison->sources));
    return c;
  }

  static int count_of(char register_class) {
    return register_class == 'r'   ? kR
           : register_class == 'l' ? kL
           : register_class == 'f' ? kF
                                   : kD;
  }

  Random& random_;
  Shape shape_;
  int left_ = 0;
  int loops_ = 0;
  int functions_ = 0;
  bool in_function_ = false;
};

class Printer {
 public:
  Printer(const RandomProgram& program, int threads) : program_(program), threads_(threads) {}

  std::string text() {
    out_ = ".version 8.0\n.target sm_90\n.address_size 64\n";
    for (size_t n = 0; n < program_.functions.size(); ++n) {
      in_function_ = true;
      line(".func (.param .b32 out) f" + std::to_string(n) + "(.param .b32 in)\n{");
      declare();
      line("ld.param.b32 %r0, [in];");
      for (int i = 1; i < kR; ++i) line("mov.b32 %r" + std::to_string(i) + ", 0;");
      statements(program_.functions[n]);
      line("FINISH:\nst.param.b32 [out], %r0;\nret;\n}");
    }
    in_function_ = false;
    line(".visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3)\n{");
    declare();
    place_memory();
    line("ld.param.u64 %a, [p0];\nld.param.u64 %o, [p1];\nld.param.u64 %s, [p3];");
    line("mul.wide.u32 %v0, %t1, " + std::to_string(4 * kInputWords) + ";\nadd.u64 %a, %a, %v0;");
    line("mul.wide.u32 %v0, %t1, " + std::to_string(4 * kOutputWords) + ";\nadd.u64 %o, %o, %v0;");
    registers("ld.global", "%a");
    statements(program_.body);
    line("FINISH:");
    finish();
    return out_ + "}\n";
  }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }
  std::string label() { return "L" + std::to_string(labels_++); }

  void declare() {
    line(
        ".reg .b32 %r<8>; .reg .b64 %l<4>; .reg .f32 %f<4>; .reg .f64 %d<4>; .reg .b32 %t<2>; .reg "
        ".pred %u<1>;");
    line(".reg .b64 %v<2>; .reg .b64 %a, %o, %m, %s; .reg .b32 %c<16>;");
  }

  // %t1: this thread's number in the grid; %m: the address of its words.
  void place_memory() {
    if (program_.space == PrivateSpace::kLocal)
      line(".local .align 4 .b8 mem[" + std::to_string(4 * kMemoryWords) + "];");
    if (program_.space == PrivateSpace::kShared)
      line(".shared .align 4 .b8 mem[" + std::to_string(4 * kMemoryWords * threads_) + "];");
    line(
        "mov.u32 %t0, %ctaid.x;\nmov.u32 %t1, %ntid.x;\nmov.u32 %c0, %tid.x;\nmad.lo.u32 %t1, %t0, "
        "%t1, %c0;");
    const std::string bytes = std::to_string(4 * kMemoryWords);
    switch (program_.space) {
      case PrivateSpace::kLocal:
        line("mov.u64 %m, mem;");
        break;
      case PrivateSpace::kShared:
        line("mov.u64 %m, mem;\nmul.wide.u32 %v0, %c0, " + bytes + ";\nadd.u64 %m, %m, %v0;");
        break;
      case PrivateSpace::kGlobal:
        line("ld.param.u64 %m, [p2];\nmul.wide.u32 %v0, %t1, " + bytes + ";\nadd.u64 %m, %m, %v0;");
        break;
    }
    for (int w = 0; w < kMemoryWords; ++w)
      line("st" + space() + ".u32 [%m+" + std::to_string(4 * w) + "], " + std::to_string(w) + ";");
  }

  std::string space() const {
    return program_.space == PrivateSpace::kLocal    ? ".local"
           : program_.space == PrivateSpace::kShared ? ".shared"
                                                     : ".global";
  }

  void registers(const std::string& access, const std::string& base) {
    int offset = 0;
    const auto all = [&](char c, int count, int bytes) {
      for (int n = 0; n < count; ++n, offset += bytes) {
        const std::string name = "%" + std::string(1, c) + std::to_string(n);
        const std::string at = "[" + base + "+" + std::to_string(offset) + "]";
        line(access + (bytes == 8 ? ".b64 " : ".b32 ") +
             (access[0] == 'l' ? name + ", " + at : at + ", " + name) + ";");
      }
    };
    all('r', kR, 4);
    all('f', kF, 4);
    all('l', kL, 8);
    all('d', kD, 8);
  }

  void finish() {
    registers("st.global", "%o");
    for (int w = 0; w < kMemoryWords; ++w) {
      line("ld" + space() + ".u32 %t0, [%m+" + std::to_string(4 * w) + "];");
      line("st.global.u32 [%o+" + std::to_string(4 * (kInputWords + w)) + "], %t0;");
    }
    line("ret;");
  }

  void test(const Condition& c) {
    const std::string reg = "%" + std::string(1, c.comparison->sources);
    line(std::string(c.comparison->ptx) + " %u0, " + reg + std::to_string(c.a) + ", " + reg +
         std::to_string(c.b) + ";");
  }

  void statements(const std::vector<Statement>& list) {
    for (const Statement& s : list) statement(s);
  }

  void assign(const Statement& s) {
    std::string text;
    for (const char* c = s.operation->ptx; *c != 0; ++c) {
      if (*c != '$') {
        text.push_back(*c);
        continue;
      }
      const int n = *++c - '0';
      if (n == 0) {
        text += "%" + std::string(1, s.operation->destination) + std::to_string(s.destination);
      } else {
        const Source& source = s.sources[static_cast<size_t>(n - 1)];
        if (!source.is_immediate) text += "%" + std::string(1, s.operation->sources[n - 1]);
        text += std::to_string(source.value);
      }
    }
    line(text);
  }

  void statement(const Statement& s) {
    const std::string index = "%r" + std::to_string(s.index);
    const std::string destination = "%r" + std::to_string(s.destination);
    switch (s.kind) {
      case Statement::Kind::kAssign:
        assign(s);
        break;
      case Statement::Kind::kIf: {
        const std::string other = label(), join = label();
        test(s.condition);
        line("@!%u0 bra " + other + ";");
        statements(s.bodies[0]);
        if (s.bodies.size() > 1) line("bra " + join + ";");
        line(other + ":");
        if (s.bodies.size() > 1) {
          statements(s.bodies[1]);
          line(join + ":");
        }
        break;
      }
      case Statement::Kind::kLoop: {
        const std::string counter = "%c" + std::to_string(loops_.size() + 1);
        const std::string head = label(), next = label(), end = label();
        line("and.b32 " + counter + ", " + index + ", 7;\n" + head + ":");
        line("setp.eq.u32 %u0, " + counter + ", 0;\n@%u0 bra " + end + ";");
        loops_.push_back({next, end});
        statements(s.bodies[0]);
        loops_.pop_back();
        line(next + ":\nsub.u32 " + counter + ", " + counter + ", 1;\nbra " + head + ";\n" + end +
             ":");
        break;
      }
      case Statement::Kind::kBreak:
      case Statement::Kind::kContinue:
        test(s.condition);
        line("@%u0 bra " +
             (s.kind == Statement::Kind::kBreak ? loops_.back().end : loops_.back().next) + ";");
        break;
      case Statement::Kind::kReturn:
        test(s.condition);
        line("@%u0 bra FINISH;");
        break;
      case Statement::Kind::kExit: {
        const std::string stay = label();
        test(s.condition);
        line("@!%u0 bra " + stay + ";");
        finish();
        line(stay + ":");
        break;
      }
      case Statement::Kind::kSwitch: {
        const std::string targets = label(), join = label();
        std::string names;
        std::vector<std::string> arms;
        for (int n = 0; n < 4; ++n) {
          arms.push_back(label());
          names += (n == 0 ? "" : ", ") + arms.back();
        }
        line("and.b32 %t0, " + index + ", 3;\n" + targets + ": .branchtargets " + names +
             ";\nbrx.idx %t0, " + targets + ";");
        for (size_t n = 0; n < 4; ++n) {
          line(arms[n] + ":");
          statements(s.bodies[n]);
          if (n != 2) line("bra " + join + ";");  // the third falls through into the fourth
        }
        line(join + ":");
        break;
      }
      case Statement::Kind::kCall:
        line("{ .param .b32 x; .param .b32 y; st.param.b32 [x], " + index + "; call (y), f" +
             std::to_string(s.function) + ", (x); ld.param.b32 " + destination + ", [y]; }");
        break;
      case Statement::Kind::kLoad:
      case Statement::Kind::kStore:
        line("and.b32 %t0, " + index + ", " + std::to_string(kMemoryWords - 1) +
             ";\nmul.wide.u32 %v0, %t0, 4;\nadd.u64 %v0, %m, %v0;");
        line(s.kind == Statement::Kind::kLoad
                 ? "ld" + space() + ".u32 " + destination + ", [%v0];"
                 : "st" + space() + ".u32 [%v0], " + destination + ";");
        break;
      case Statement::Kind::kSum:
        line("and.b32 %t0, " + index + ", " + std::to_string(kSumWords - 1) +
             ";\nmul.wide.u32 %v0, %t0, 4;\nadd.u64 %v0, %s, %v0;");
        line("red.global.add.u32 [%v0], " + destination + ";");
        break;
    }
  }

  struct LoopLabels {
    std::string next, end;
  };

  const RandomProgram& program_;
  int threads_;
  std::string out_;
  int labels_ = 0;
  bool in_function_ = false;
  std::vector<LoopLabels> loops_;
};

enum class Flow { kNext, kBreak, kContinue, kReturn };

class Executor {
 public:
  Executor(const RandomProgram& program, LaneState& lane, std::array<uint32_t, kSumWords>& sums)
      : program_(program), lane_(lane), sums_(sums) {}

  Flow run(const std::vector<Statement>& list) {
    for (const Statement& s : list) {
      const Flow flow = run(s);
      if (flow != Flow::kNext) return flow;
    }
    return Flow::kNext;
  }

 private:
  bool holds(const Condition& c) {
    return c.comparison->host(lane_.at(c.comparison->sources, c.a),
                              lane_.at(c.comparison->sources, c.b));
  }

  Flow run(const Statement& s) {
    const auto index = static_cast<uint32_t>(lane_.r[static_cast<size_t>(s.index)]);
    Bits& destination = lane_.r[static_cast<size_t>(s.destination)];
    switch (s.kind) {
      case Statement::Kind::kAssign: {
        Bits in[4] = {};
        for (size_t n = 0; n < s.sources.size(); ++n) {
          const Source& source = s.sources[n];
          in[n] = source.is_immediate
                      ? source.value
                      : lane_.at(s.operation->sources[n], static_cast<int>(source.value));
        }
        lane_.at(s.operation->destination, s.destination) = s.operation->host(in);
        return Flow::kNext;
      }
      case Statement::Kind::kIf:
        if (holds(s.condition)) return run(s.bodies[0]);
        return s.bodies.size() > 1 ? run(s.bodies[1]) : Flow::kNext;
      case Statement::Kind::kLoop:
        for (uint32_t left = index & 7; left > 0; --left) {
          const Flow flow = run(s.bodies[0]);
          if (flow == Flow::kReturn) return flow;
          if (flow == Flow::kBreak) break;
        }
        return Flow::kNext;
      case Statement::Kind::kBreak:
        return holds(s.condition) ? Flow::kBreak : Flow::kNext;
      case Statement::Kind::kContinue:
        return holds(s.condition) ? Flow::kContinue : Flow::kNext;
      case Statement::Kind::kReturn:
      case Statement::Kind::kExit:
        return holds(s.condition) ? Flow::kReturn : Flow::kNext;
      case Statement::Kind::kSwitch: {
        const Flow flow = run(s.bodies[index & 3]);
        return flow == Flow::kNext && (index & 3) == 2 ? run(s.bodies[3]) : flow;
      }
      case Statement::Kind::kCall: {
        LaneState inner;
        inner.r[0] = index;
        Executor callee(program_, inner, sums_);
        callee.run(program_.functions[static_cast<size_t>(s.function)]);
        destination = inner.r[0];
        return Flow::kNext;
      }
      case Statement::Kind::kLoad:
        destination = lane_.memory[index % kMemoryWords];
        return Flow::kNext;
      case Statement::Kind::kStore:
        lane_.memory[index % kMemoryWords] = static_cast<uint32_t>(destination);
        return Flow::kNext;
      case Statement::Kind::kSum:
        sums_[index % kSumWords] += static_cast<uint32_t>(destination);
        return Flow::kNext;
    }
    return Flow::kNext;
  }

  const RandomProgram& program_;
  LaneState& lane_;
  std::array<uint32_t, kSumWords>& sums_;
};

}  // namespace

Bits& LaneState::at(char register_class, int index) {
  const auto n = static_cast<size_t>(index);
  return register_class == 'r'   ? r[n]
         : register_class == 'l' ? l[n]
         : register_class == 'f' ? f[n]
                                 : d[n];
}

RandomProgram random_program(Random& random, const Shape& shape) {
  return Generator(random, shape).program();
}

std::string ptx_of(const RandomProgram& program, int threads_of_a_block) {
  return Printer(program, threads_of_a_block).text();
}

void execute(const RandomProgram& program, LaneState& lane, std::array<uint32_t, kSumWords>& sums) {
  for (size_t w = 0; w < lane.memory.size(); ++w) lane.memory[w] = static_cast<uint32_t>(w);
  Executor(program, lane, sums).run(program.body);
}

}  // namespace warpshop::emulator::testing
