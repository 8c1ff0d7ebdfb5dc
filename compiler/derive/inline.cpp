// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/inline.h"

#include <algorithm>
#include <cmath>

#include "base/expects.h"
#include "compiler/derive/without_exits.h"
#include "compiler/ir/substitute.h"

namespace bolza::derive {

using ir::BlockId;
using ir::Dag;
using ir::Expressions;
using ir::ExprId;
using ir::Op;
using ir::Program;
using ir::ProgramId;
using ir::Statement;
using ir::StatementKind;

namespace {

/// What all nested executions share.
struct Budget {
  std::size_t statements, last_node, copied;
  InlineLimits limits;
  std::uint32_t depth = 0;
  std::vector<InlinedCheck> checks;
};

struct State {
  std::vector<ExprId> locals;
  std::vector<std::vector<ExprId>> arrays;
};

class Execution {
 public:
  Execution(Expressions& all, Program program, Budget& budget, ExprId path)
      : all_(all),
        dag_(all.dag),
        program_(std::move(program)),
        budget_(budget),
        path_(path) {}

  std::optional<std::vector<ExprId>> run(std::span<const ExprId> arguments) {
    state_.locals.assign(program_.locals.size(), dag_.zero());
    for (const ir::LocalArray& array : program_.arrays)
      state_.arrays.emplace_back(array.fixed ? 0 : array.size, dag_.zero());
    std::size_t next = 0;
    for (const Program::Port& port : program_.inputs) {
      if (!port.is_array) state_.locals[port.id] = arguments[next++];
      else
        for (ExprId& x : state_.arrays[port.id]) x = arguments[next++];
    }
    if (!block(BlockId(std::size_t{0}))) return std::nullopt;
    std::vector<ExprId> outputs;
    for (const Program::Port& port : program_.outputs) {
      if (!port.is_array) outputs.push_back(state_.locals[port.id]);
      else outputs.insert(outputs.end(), state_.arrays[port.id].begin(), state_.arrays[port.id].end());
    }
    return outputs;
  }

 private:
  ExprId value(ExprId e) { return ir::substitute(dag_, e, {.slots = state_.locals}); }

  bool block(BlockId id) {
    if (!id) return true;
    for (const Statement& s : program_.blocks[id.index()])
      if (!spend() || !statement(s)) return false;
    return true;
  }

  bool spend() {
    if (budget_.statements == 0 || dag_.size() > budget_.last_node) return false;
    --budget_.statements;
    return true;
  }

  /// Branches in each other each keep what was before them.
  bool spend_on_copy() {
    std::size_t n = state_.locals.size();
    for (const auto& array : state_.arrays) n += array.size();
    if (budget_.copied < n) return false;
    budget_.copied -= n;
    return true;
  }

  bool statement(const Statement& s) {
    switch (s.kind) {
      case StatementKind::assign:
        state_.locals[s.target] = value(s.value);
        return true;
      case StatementKind::load:
        return load(s);
      case StatementKind::store:
        return store(s);
      case StatementKind::call:
        return call(s);
      case StatementKind::branch:
        return branch_on(s);
      case StatementKind::loop_for:
        return loop_for(s);
      case StatementKind::loop_while:
        return loop_while(s);
      case StatementKind::check:
        check(s);
        return true;
      case StatementKind::exit_loop:
      case StatementKind::exit_program:
      case StatementKind::push:
      case StatementKind::pop:
        return false;
    }
    return false;
  }

  /// The element that a statement names, where its index is a literal.
  std::optional<std::size_t> element(const Statement& s) {
    ExprId index = value(s.index);
    if (!dag_.is_number(index) || dag_.value(index) < 0 || dag_.value(index) >= program_.arrays[s.array].size) return {};
    return static_cast<std::size_t>(dag_.value(index));
  }

  bool load(const Statement& s) {
    std::optional<std::size_t> at = element(s);
    if (!at) return false;
    const auto& fixed = program_.arrays[s.array].fixed;
    state_.locals[s.target] = fixed ? dag_.number(fixed->values[*at]) : state_.arrays[s.array][*at];
    return true;
  }

  bool store(const Statement& s) {
    std::optional<std::size_t> at = element(s);
    if (at) state_.arrays[s.array][*at] = value(s.value);
    return at.has_value();
  }

  bool branch_on(const Statement& s) {
    ExprId condition = value(s.value);
    if (dag_.is_number(condition)) return block(dag_.value(condition) != 0 ? s.body : s.otherwise);
    if (!spend_on_copy()) return false;
    State before = state_;
    ExprId path = path_;
    std::size_t first_node = dag_.size();
    path_ = dag_.make(Op::logical_and, path, condition);
    if (!block(s.body)) return false;
    std::swap(before, state_);  // now state_ is what was before, `before` the result of the first branch
    path_ = dag_.make(Op::logical_and, path, dag_.make(Op::logical_not, condition));
    if (!block(s.otherwise) || dag_.size() - first_node > budget_.limits.branched) return false;
    path_ = path;
    for (std::size_t k = 0; k < state_.locals.size(); ++k)
      state_.locals[k] = dag_.select(condition, before.locals[k], state_.locals[k]);
    for (std::size_t a = 0; a < state_.arrays.size(); ++a)
      for (std::size_t i = 0; i < state_.arrays[a].size(); ++i)
        state_.arrays[a][i] = dag_.select(condition, before.arrays[a][i], state_.arrays[a][i]);
    return true;
  }

  bool loop_for(const Statement& s) {
    ExprId from = value(s.from), step = value(s.step), to = value(s.to);
    ExprId trips = dag_.make(Op::floor, dag_.add(dag_.div(dag_.sub(to, from), step), dag_.number(1e-9)));
    if (!dag_.is_number(trips)) return false;
    for (double i = 0; i <= dag_.value(trips); ++i) {
      if (!spend()) return false;
      state_.locals[s.target] = dag_.add(from, dag_.mul(dag_.number(i), step));
      if (!block(s.body)) return false;
    }
    return true;
  }

  bool loop_while(const Statement& s) {
    for (;;) {
      ExprId go = value(s.value);
      if (!dag_.is_number(go) || !spend()) return false;
      if (dag_.value(go) == 0) return true;
      if (!block(s.body)) return false;
    }
  }

  void check(const Statement& s) {
    ExprId condition = value(s.value);
    ExprId holds = dag_.make(Op::logical_or, dag_.make(Op::logical_not, path_), condition);
    if (!dag_.is_number(holds) || dag_.value(holds) == 0) budget_.checks.push_back({holds, s.text, s.span});
  }

  bool call(const Statement& s);

  Expressions& all_;
  Dag& dag_;
  const Program program_;
  Budget& budget_;
  ExprId path_;  // the condition under which the statement in hand is executed
  State state_;
};

bool decides(const Dag& dag, const Program& program) {
  for (const auto& block : program.blocks)
    for (const Statement& s : block) {
      if (s.kind == StatementKind::branch || s.kind == StatementKind::loop_while) return true;
      if (!s.value) continue;
      for (ExprId e : ir::reachable(dag, std::span(&s.value, 1)))
        if (dag.op(e) == Op::select || ir::row_of(dag.op(e)).smoothness == ir::Smoothness::discontinuous) return true;
    }
  return false;
}

bool stays_call(const Dag& dag, const Program& program, const InlineLimits& limits) {
  if (program.foreign || program.inlining == ir::Inlining::never || !program.inverses.empty()) return true;
  if (program.inlining == ir::Inlining::after_index_reduction && !limits.late) return true;
  if (limits.keeps_smooth && program.smooth_order.value_or(0) > 0 && decides(dag, program)) return true;
  auto matters = [&](const ir::GivenDerivative& given) {
    using Takes = ir::GivenDerivative::Takes;
    return !limits.late || std::all_of(given.arguments.begin(), given.arguments.end(), [](const auto& argument) {
      return argument.takes != Takes::assumed && argument.takes != Takes::same;
    });
  };
  return std::any_of(program.derivatives.begin(), program.derivatives.end(), matters);
}

std::optional<std::vector<ExprId>> execute(Expressions& all, ProgramId id, std::span<const ExprId> arguments, Budget& budget,
                                           ExprId path) {
  if (budget.depth >= 50 || stays_call(all.dag, all.programs[id.index()], budget.limits)) return std::nullopt;
  ++budget.depth;
  Program plain = without_exits(all, all.programs[id.index()]);
  auto outputs = Execution(all, std::move(plain), budget, path).run(arguments);
  --budget.depth;
  return outputs;
}

bool Execution::call(const Statement& s) {
  std::vector<ExprId> arguments;
  for (ExprId e : s.arguments) arguments.push_back(value(e));
  std::size_t known_checks = budget_.checks.size();
  auto outputs = execute(all_, s.program, arguments, budget_, path_);
  if (!outputs) {  // a call node inside an inlined body
    budget_.checks.resize(known_checks);
    ExprId node = dag_.call(s.program, arguments);
    outputs.emplace();
    for (std::uint32_t k = 0; k < s.targets.size(); ++k) outputs->push_back(dag_.output(node, k));
  }
  for (std::size_t k = 0; k < s.targets.size(); ++k) state_.locals[s.targets[k]] = (*outputs)[k];
  return true;
}

}  // namespace

std::optional<std::vector<ExprId>> inline_program(Expressions& expressions, ProgramId program,
                                                  std::span<const ExprId> arguments, std::vector<InlinedCheck>* checks,
                                                  InlineLimits limits) {
  expects(arguments.size() == argument_count(expressions.programs[program.index()]), "a call gives every argument");
  Budget budget{limits.statements, expressions.dag.size() + limits.nodes, limits.copied, limits, 0, {}};
  auto outputs = execute(expressions, program, arguments, budget, expressions.dag.one());
  if (outputs && checks) checks->insert(checks->end(), budget.checks.begin(), budget.checks.end());
  return outputs;
}

std::vector<ExprId> call_or_inline(Expressions& expressions, ProgramId program, std::span<const ExprId> arguments,
                                   std::vector<InlinedCheck>* checks, InlineLimits limits) {
  if (auto outputs = inline_program(expressions, program, arguments, checks, limits)) return *outputs;
  ExprId node = expressions.dag.call(program, arguments);
  std::vector<ExprId> outputs;
  for (std::uint32_t k = 0; k < output_count(expressions.programs[program.index()]); ++k)
    outputs.push_back(expressions.dag.output(node, k));
  return outputs;
}

}  // namespace bolza::derive
