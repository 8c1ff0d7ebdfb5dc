// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/norm.h"

#include <cmath>

namespace bolza::ir {
namespace {

/// A square, or a product of squares and positive numbers.
bool is_square(const Dag& dag, ExprId e) {
  if (dag.is_number(e)) return dag.value(e) >= 0;
  std::span<const ExprId> x = dag.operands(e);
  switch (dag.op(e)) {
    case Op::pow:
      return dag.is_number(x[1]) && dag.value(x[1]) > 0 && std::fmod(dag.value(x[1]), 2) == 0;
    case Op::mul:
      return x[0] == x[1] || (is_square(dag, x[0]) && is_square(dag, x[1]));
    case Op::div:
      return is_square(dag, x[0]) && is_square(dag, x[1]);
    default:
      return false;
  }
}

bool is_sum_of_squares(const Dag& dag, ExprId e) {
  if (dag.op(e) != Op::add) return !dag.is_number(e) && is_square(dag, e);
  std::span<const ExprId> x = dag.operands(e);
  return is_sum_of_squares(dag, x[0]) && is_sum_of_squares(dag, x[1]);
}

}  // namespace

bool is_norm(const Dag& dag, ExprId e) {
  std::span<const ExprId> x = dag.operands(e);
  if (dag.op(e) == Op::pow && !(dag.is_number(x[1], 0.5))) return false;
  return (dag.op(e) == Op::sqrt || dag.op(e) == Op::pow) && is_sum_of_squares(dag, x[0]);
}

}  // namespace bolza::ir
