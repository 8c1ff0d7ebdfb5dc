#include "compiler/passes/inline_functions.h"

#include "compiler/derive/inline.h"
#include "compiler/ir/canonical.h"
#include "compiler/ir/node_map.h"
#include "compiler/ir/substitute.h"

namespace bolza::passes {

using ir::Op;

namespace {

class Inlining {
 public:
  explicit Inlining(ir::Expressions& expressions) : expressions_(expressions) {}

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

 private:
  bool calls(std::span<const ExprId> roots) const {
    for (ExprId e : ir::reachable(expressions_.dag, roots))
      if (expressions_.dag.op(e) == Op::call) return true;
    return false;
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
        outputs[e] = derive::call_or_inline(expressions_, dag.program(e), operands);
        made[e] = e;  // only outputs are read
        continue;
      }
      made[e] = operands.empty() ? e : ir::with_operands(dag, e, operands);
    }
    std::vector<ExprId> result;
    for (ExprId root : roots) result.push_back(*made.find(root));
    return result;
  }

  ir::Expressions& expressions_;
};

}  // namespace

Result<Done> inline_functions(System& system, Diagnostics&) {
  Inlining inlining(system.flat.expressions);
  for (ir::Section* section : sections_of(system.flat)) inlining.in(*section);
  for (ir::Term* term : terms_of(system.flat)) inlining.in(*term);
  return Done{};
}

}  // namespace bolza::passes
