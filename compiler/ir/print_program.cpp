// SPDX-License-Identifier: Apache-2.0
// Programs as text, with Modelica's keywords.
#include <algorithm>

#include "base/numbers.h"
#include "compiler/ir/print.h"

namespace bolza::ir {
namespace {

class ProgramPrinter {
 public:
  ProgramPrinter(const Expressions& all, ProgramId id) : all_(all), program_(all.programs[id.index()]) {}

  std::string run() {
    text_ = "function " + program_.name + "(" + ports(program_.inputs) + ") -> (" + ports(program_.outputs) + ")\n";
    for (const LocalArray& array : program_.arrays)
      text_ += "  array " + array.name + "[" + std::to_string(array.size) + "]" + numbers(array) + "\n";
    struct Frame {
      BlockId block;
      std::string end;
      std::size_t depth, next = 0;
    };
    std::vector<Frame> stack{{BlockId(0), "", 1}};  // no recursion: nesting is the user's
    while (!stack.empty()) {
      Frame& frame = stack.back();
      std::string indent(frame.depth * 2, ' ');
      std::size_t deeper = frame.depth + 1;
      const auto& statements = frame.block ? program_.blocks[frame.block.index()] : none_;
      if (frame.next == statements.size()) {
        if (!frame.end.empty()) text_ += indent.substr(2) + frame.end + "\n";
        stack.pop_back();
        continue;
      }
      const Statement& s = statements[frame.next++];
      text_ += indent + line(s) + "\n";
      if (s.kind == StatementKind::loop_for || s.kind == StatementKind::loop_while) stack.push_back({s.body, "end", deeper});
      if (s.kind == StatementKind::branch) {
        stack.push_back({s.otherwise, "end", deeper});
        stack.push_back({s.body, "else", deeper});
      }
    }
    return text_ + "end " + program_.name + ";\n";
  }

 private:
  std::string line(const Statement& s) const {
    switch (s.kind) {
      case StatementKind::assign:
        return local(s.target) + " := " + expression(s.value) + ";";
      case StatementKind::load:
        return local(s.target) + " := " + element(s) + ";";
      case StatementKind::store:
        return element(s) + " := " + expression(s.value) + ";";
      case StatementKind::call:
        return call(s);
      case StatementKind::branch:
        return "if " + expression(s.value) + " then";
      case StatementKind::loop_for:
        return "for " + local(s.target) + " in " + expression(s.from) + ":" + expression(s.step) + ":" + expression(s.to) +
               " loop";
      case StatementKind::loop_while:
        return "while " + expression(s.value) + " loop";
      case StatementKind::exit_loop:
        return "break;";
      case StatementKind::exit_program:
        return "return;";
      case StatementKind::check:
        return check(s);
      case StatementKind::push:
        return "push " + expression(s.value) + ";";
      case StatementKind::pop:
        return local(s.target) + " := pop;";
    }
    return "";
  }

  std::string call(const Statement& s) const {
    std::string text = "(";
    for (std::size_t i = 0; i < s.targets.size(); ++i) text += (i ? ", " : "") + local(s.targets[i]);
    text += ") := " + all_.programs[s.program.index()].name + "(";
    for (std::size_t i = 0; i < s.arguments.size(); ++i) text += (i ? ", " : "") + expression(s.arguments[i]);
    return text + ");";
  }

  std::string check(const Statement& s) const {
    std::string text = "assert(" + expression(s.value) + ", \"" + s.text + "\"";
    for (ExprId e : s.arguments) text += ", " + expression(e);
    return text + (s.level == AssertionLevel::warning ? ", warning);" : ");");
  }

  /// The first of the numbers that a fixed array has.
  static std::string numbers(const LocalArray& array) {
    constexpr std::size_t shown = 8;
    if (!array.fixed) return "";
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(array.size, shown); ++i)
      text += (i > 0 ? ", " : " = {") + exact_text(array.fixed->values[i]);
    return text + (array.size > shown ? ", ...}" : "}");
  }

  std::string element(const Statement& s) const { return program_.arrays[s.array].name + "[" + expression(s.index) + "]"; }
  std::string local(std::uint32_t k) const {
    const std::string& name = program_.locals[k].name;
    return name.empty() ? "local" + std::to_string(k) : name;
  }
  std::string expression(ExprId e) const {
    return to_text(all_, e, [this](Op, std::uint32_t k) { return local(k); });
  }

  std::string ports(const std::vector<Program::Port>& list) const {
    std::string text;
    for (const Program::Port& port : list)
      text += (text.empty() ? "" : ", ") + (port.is_array ? program_.arrays[port.id].name + "[:]" : local(port.id));
    return text;
  }

  const Expressions& all_;
  const Program& program_;
  const std::vector<Statement> none_;
  std::string text_;
};

}  // namespace

std::string to_text(const Expressions& expressions, ProgramId program) { return ProgramPrinter(expressions, program).run(); }

}  // namespace bolza::ir
