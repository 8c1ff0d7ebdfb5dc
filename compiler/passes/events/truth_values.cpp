// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/events/truth_values.h"

#include "compiler/ir/substitute.h"

namespace bolza::passes {

using ir::ExprId;
using ir::Op;

namespace {

ExprId differ(ir::Dag& dag, ExprId a, ExprId b) { return dag.sub(dag.add(a, b), dag.mul(dag.number(2), dag.mul(a, b))); }

}  // namespace

Blended blended_operator(ir::Dag& dag, ExprId e, std::span<const ExprId> x) {
  switch (dag.op(e)) {
    case Op::logical_not:
      return {dag.sub(dag.one(), x[0]), true};
    case Op::logical_and:
      return {dag.mul(x[0], x[1]), true};
    case Op::logical_or:
      return {dag.sub(dag.add(x[0], x[1]), dag.mul(x[0], x[1])), true};
    case Op::equal:
      return {dag.sub(dag.one(), differ(dag, x[0], x[1])), true};
    case Op::not_equal:
      return {differ(dag, x[0], x[1]), true};
    case Op::no_event:
      return {x[0], true};
    case Op::select:
      return {dag.add(x[2], dag.mul(x[0], dag.sub(x[1], x[2])))};
    default:
      return {ir::with_operands(dag, e, x)};
  }
}

}  // namespace bolza::passes
