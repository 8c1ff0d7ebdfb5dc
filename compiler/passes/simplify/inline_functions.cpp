// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/simplify/inline_functions.h"

#include <algorithm>

#include "compiler/derive/inline.h"
#include "compiler/ir/canonical.h"
#include "compiler/ir/node_map.h"
#include "compiler/ir/substitute.h"

namespace bolza::passes {

using ir::Op;

namespace {

class Inlining {
 public:
  Inlining(ir::Expressions& expressions, derive::InlineLimits limits) : expressions_(expressions), limits_(limits) {}

  void in(ir::Section& section) {
    bool changed = false;
    for (ir::Group& group : section.groups) {
      if (!calls(group.roots)) continue;
      group.roots = inlined(group.roots);
      group = ir::canonical(expressions_.dag, group);
      changed = true;
    }
    if (changed) section.groups = ir::join_equal_shapes(std::move(section.groups));
  }

  void in(ir::Term& term) {
    if (!calls(std::span(&term.root, 1))) return;
    term.root = inlined(std::span(&term.root, 1))[0];
    Span span = term.span;
    term = ir::canonical(expressions_.dag, term);
    term.span = span;
  }

  std::vector<ExprId> inlined(std::span<const ExprId> roots) {
    ir::Dag& dag = expressions_.dag;
    ir::NodeMap<ExprId> made;
    ir::NodeMap<std::vector<ExprId>> outputs;
    std::vector<ExprId> operands;
    for (ExprId e : ir::reachable(dag, roots)) {
      if (dag.op(e) == Op::output) {
        made[e] = (*outputs.find(dag.operands(e)[0]))[dag.index(e)];
        continue;
      }
      operands.clear();
      for (ExprId operand : dag.operands(e)) operands.push_back(*made.find(operand));
      if (dag.op(e) == Op::call) {
        outputs[e] = outputs_of(dag.program(e), operands);
        made[e] = e;  // only outputs are read
        continue;
      }
      made[e] = operands.empty() ? e : ir::with_operands(dag, e, operands);
    }
    std::vector<ExprId> result;
    for (ExprId root : roots) result.push_back(*made.find(root));
    return result;
  }

 private:
  /// A call is inlined once, however many equations and assertions read its outputs.
  const std::vector<ExprId>& outputs_of(ir::ProgramId program, std::span<const ExprId> arguments) {
    ExprId call = expressions_.dag.call(program, arguments);
    if (!known_.contains(call)) known_[call] = derive::call_or_inline(expressions_, program, arguments, nullptr, limits_);
    return *known_.find(call);
  }

  bool calls(std::span<const ExprId> roots) const {
    for (ExprId e : ir::reachable(expressions_.dag, roots))
      if (expressions_.dag.op(e) == Op::call) return true;
    return false;
  }

  ir::Expressions& expressions_;
  derive::InlineLimits limits_;
  ir::NodeMap<std::vector<ExprId>> known_;  ///< outputs of calls
};

derive::InlineLimits limits_of(const System& system, bool late) {
  return {.late = late, .keeps_smooth = system.flat.optimization && !system.keeps_events()};
}

void inline_everywhere(System& system, bool late) {
  Inlining inlining(system.flat.expressions, limits_of(system, late));
  for (ir::Section* section : sections_of(system.flat)) inlining.in(*section);
  for (ir::Term* term : terms_of(system.flat)) inlining.in(*term);
}

}  // namespace

Result<Done> inline_functions(System& system, Diagnostics&) {
  inline_everywhere(system, false);
  return Done{};
}

Result<Done> inline_reduced(System& system, Diagnostics&) {
  const auto& programs = system.flat.expressions.programs;
  bool waited = std::any_of(programs.begin(), programs.end(), [](const ir::Program& program) {
    return program.inlining == ir::Inlining::after_index_reduction || !program.derivatives.empty();
  });
  if (waited) inline_everywhere(system, true);
  return Done{};
}

Applied inlined_as_reduced(System& system, Composer& composer, const Applied& applied) {
  Applied result{Inlining(system.flat.expressions, limits_of(system, true)).inlined(applied.roots), applied.slots,
                 applied.data};
  return composer.canonical(result);
}

}  // namespace bolza::passes
