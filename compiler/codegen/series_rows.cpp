// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/series_rows_internal.h"

#include "compiler/codegen/schedule_internal.h"

namespace bolza::codegen {

using ir::Op;

std::uint32_t rows_beside(Op op) {
  switch (op) {
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::asinh:
    case Op::acosh:
    case Op::atanh:
    case Op::atan2:
      return 1;
    case Op::pow:
      return series_power_rows;
    case Op::number:
    case Op::slot:
    case Op::datum:
    case Op::weight:
    case Op::direction:
    case Op::neg:
    case Op::abs:
    case Op::sign:
    case Op::sqrt:
    case Op::exp:
    case Op::log:
    case Op::log10:
    case Op::floor:
    case Op::ceil:
    case Op::logical_not:
    case Op::no_event:
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::min:
    case Op::max:
    case Op::mod:
    case Op::rem:
    case Op::quotient:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::select:
    case Op::call:
    case Op::output:
      break;
  }
  return 0;
}

std::size_t series_rows(const ir::Expressions& expressions, const KernelShape& shape) {
  Schedule schedule = make_schedule(expressions.dag, shape.outputs, shape.slots);
  std::size_t rows = 0;
  for (ir::ExprId e : schedule.order) rows += 1 + rows_beside(expressions.dag.op(e));
  return rows;
}

}  // namespace bolza::codegen
