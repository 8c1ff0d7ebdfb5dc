// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/program.h"

#include "base/content_hash.h"
#include "base/expects.h"

namespace bolza::ir {
namespace {

std::size_t count(const Program& program, const std::vector<Program::Port>& ports) {
  std::size_t n = 0;
  for (const Program::Port& port : ports) n += port.is_array ? program.arrays[port.id].size : 1;
  return n;
}

/// Checks one Program's statements against its locals, arrays and blocks.
class Check {
 public:
  Check(const Expressions& all, const Program& program) : all_(all), program_(program), entered_(program.blocks.size(), 0) {}

  void run() {
    expects(!program_.blocks.empty(), "a Program has a body");
    expects(!program_.foreign || (program_.blocks.size() == 1 && program_.blocks[0].empty()),
            "a foreign Program has no statements");
    for (const auto& ports : {program_.inputs, program_.outputs})
      for (const Program::Port& port : ports) {
        expects(port.id < (port.is_array ? program_.arrays.size() : program_.locals.size()), "ports name locals and arrays");
        expects(!port.is_array || !program_.arrays[port.id].fixed, "an array that a port names changes");
      }
    for (const LocalArray& a : program_.arrays)
      expects(!a.fixed || a.fixed->values.size() == a.size, "a fixed array has as many numbers as elements");
    for (const auto& block : program_.blocks)
      for (const Statement& s : block) statement(s);
    expects(entered_[0] == 0, "the body of a Program is entered from outside only");
    given();
    for (std::size_t b = 1; b < entered_.size(); ++b) expects(entered_[b] <= 1, "blocks are entered from one place");
  }

 private:
  void statement(const Statement& s) {
    switch (s.kind) {
      case StatementKind::assign:
        local(s.target);
        expression(s.value);
        break;
      case StatementKind::load:
        local(s.target);
        array(s.array);
        expression(s.index);
        break;
      case StatementKind::store:
        array(s.array);
        expects(!program_.arrays[s.array].fixed, "nothing is stored into a fixed array");
        expression(s.index);
        expression(s.value);
        break;
      case StatementKind::call:
        call(s);
        break;
      case StatementKind::branch:
        expression(s.value);
        block(s.body);
        block(s.otherwise);
        break;
      case StatementKind::loop_for:
        local(s.target);
        expression(s.from);
        expression(s.step);
        expression(s.to);
        block(s.body);
        break;
      case StatementKind::loop_while:
        expression(s.value);
        block(s.body);
        break;
      case StatementKind::exit_loop:
      case StatementKind::exit_program:
        break;
      case StatementKind::check:
        expression(s.value);
        for (ExprId e : s.arguments) expression(e);
        break;
      case StatementKind::push:
        expression(s.value);
        break;
      case StatementKind::pop:
        local(s.target);
        break;
    }
  }

  void given() {
    std::size_t n = argument_count(program_), m = output_count(program_);
    for (const GivenDerivative& derivative : program_.derivatives) {
      expects(derivative.program.index() < all_.programs.size(), "given derivatives exist");
      const Program& tangent = all_.programs[derivative.program.index()];
      expects(derivative.arguments.size() == n && argument_count(tangent) == 2 * n && output_count(tangent) == m,
              "a given derivative has the arguments and outputs of a tangent");
    }
    for (const GivenInverse& inverse : program_.inverses) {
      expects(inverse.program.index() < all_.programs.size() && inverse.argument < n && m == 1, "given inverses exist");
      const Program& back = all_.programs[inverse.program.index()];
      expects(argument_count(back) == n && output_count(back) == 1, "an inverse has the arguments of its Program");
    }
  }

  void call(const Statement& s) {
    expects(s.program.index() < all_.programs.size(), "calls name existing Programs");
    const Program& callee = all_.programs[s.program.index()];
    expects(s.arguments.size() == argument_count(callee), "a call gives every argument");
    expects(s.targets.size() == output_count(callee), "a call takes every output");
    for (ExprId e : s.arguments) expression(e);
    for (std::uint32_t target : s.targets) local(target);
  }

  void local(std::uint32_t id) { expects(id < program_.locals.size(), "statements name existing locals"); }
  void array(std::uint32_t id) { expects(id < program_.arrays.size(), "statements name existing arrays"); }

  void block(BlockId id) {
    if (!id) return;  // no block: nothing to do
    expects(id.index() < entered_.size(), "statements name existing blocks");
    ++entered_[id.index()];
  }

  void expression(ExprId root) {
    expects(bool(root) && root.index() < all_.dag.size(), "statements have their expressions");
    for (ExprId e : reachable(all_.dag, std::span(&root, 1))) {
      Op op = all_.dag.op(e);
      if (op == Op::slot) local(all_.dag.index(e));
      expects(op != Op::datum && op != Op::weight && op != Op::direction, "the only leaves of a Program are its locals");
      expects(op != Op::call && op != Op::output, "a Program calls by statements, not inside expressions");
    }
  }

  const Expressions& all_;
  const Program& program_;
  std::vector<int> entered_;
};

}  // namespace

LocalArray fixed_array(std::string name, std::vector<double> values, ScalarType type) {
  auto size = static_cast<std::uint32_t>(values.size());
  std::string digest = to_text(content_hash({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}));
  return {std::move(name), size, type, std::make_shared<FixedNumbers>(std::move(values), std::move(digest))};
}

LocalArray beside(const LocalArray& array, std::string name) {
  return {std::move(name), array.fixed ? 0 : array.size, ScalarType::real, {}};
}

void forget_annotations(Program& program) {
  program.inlining = Inlining::automatic;
  program.smooth_order.reset();
  program.kinked_table.clear();
  program.derivatives.clear();
  program.inverses.clear();
}

std::size_t argument_count(const Program& program) { return count(program, program.inputs); }
std::size_t output_count(const Program& program) { return count(program, program.outputs); }

void verify(const Expressions& expressions) {
  for (const Program& program : expressions.programs) Check(expressions, program).run();
}

}  // namespace bolza::ir
