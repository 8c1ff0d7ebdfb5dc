// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/nodes/lower_internal.h"

#include <algorithm>
#include <array>

#include "base/expects.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/run_time_sizes_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/ir/apply.h"
#include "compiler/ir/program.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::Op;

constexpr std::size_t most_operands = 3;  // nothing is allocated for them: this is the inner loop of flattening

Scalar Lowering::apply(Op op, std::span<const Scalar> operands) {
  bool all_known = true;
  for (const Scalar& x : operands) {
    if (x.failed()) return x;
    all_known &= x.is_known();
  }
  expects(operands.size() <= most_operands, "operators have up to three operands");
  if (all_known) {
    std::array<Known, most_operands> known;
    for (std::size_t k = 0; k < operands.size(); ++k) known[k] = operands[k].known;
    return apply_known(op, std::span(known).first(operands.size()), work.space.n);
  }
  std::array<ExprId, most_operands> expressions;
  for (std::size_t k = 0; k < operands.size(); ++k) expressions[k] = expression(operands[k]);
  return dag.make(op, std::span(expressions).first(operands.size()));
}

ExprId Lowering::expression(const Scalar& scalar) {
  expects(!scalar.failed(), "only scalars that have not failed become expressions");
  if (!scalar.is_known()) return scalar.expr;
  return scalar.known.is_uniform() ? dag.number(scalar.known.uniform()) : leaves_->datum(scalar.known);
}

Scalar Lowering::axis(AxisId axis) {
  for (std::size_t k = bindings_.size(); k-- > 0;)
    if (bindings_[k].first == axis) return bindings_[k].second;
  const Known* known = work.space.find(axis);
  if (known != nullptr) return *known;
  return Work::written_out();
}

Scalar Lowering::structural(const Node& node, const Indices& indices) {
  Leaves* saved = leaves_;
  leaves_ = &leaves_->structural();
  Scalar result = element(node, indices);
  leaves_ = saved;
  return result;
}

Outcome<Done> in_range(Lowering& lowering, const Node& node, const Indices& indices) {
  for (std::size_t d = 0; d < indices.size(); ++d) {
    if (indices[d].failed()) return indices[d].failure();
    if (!indices[d].is_known() || is_run_time_size(node.dims[d])) continue;
    double least = indices[d].known.least(lowering.work.space.n),
           greatest = indices[d].known.greatest(lowering.work.space.n);
    double size = static_cast<double>(node.dims[d]);
    if (least >= 1 && greatest <= size) continue;
    auto bad = static_cast<std::int64_t>(least < 1 ? least : greatest);
    return lowering.diagnostics.error(subscript_out_of_range, node.span,
                                      {std::to_string(bad), std::to_string(d + 1), std::to_string(node.dims[d])});
  }
  return Done{};
}

Scalar position(Lowering& lowering, const std::vector<std::int64_t>& dims, const Indices& indices) {
  Scalar at = 0.0;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    at = lowering.apply(Op::mul, at, static_cast<double>(dims[d]));
    at = lowering.apply(Op::add, at, lowering.apply(Op::sub, indices[d], 1.0));
  }
  return at;
}

Scalar Lowering::element(const Node& node, const Indices& indices) {
  switch (node.kind) {
    case NodeKind::number:
      return node.value;
    case NodeKind::text:
      return diagnostics.error(string_in_expression, node.span);
    case NodeKind::table:
      return from_table(node, indices);
    case NodeKind::axis:
      return axis(node.axes[0]);
    case NodeKind::variable:
    case NodeKind::derivative:
    case NodeKind::timed:
    case NodeKind::previous:
    case NodeKind::auxiliary:
    case NodeKind::sample:
    case NodeKind::flag:
    case NodeKind::delayed:
    case NodeKind::transported:
    case NodeKind::clocked:
    case NodeKind::integral: {
      auto inside = in_range(*this, node, indices);
      return inside ? leaves_->variable(*this, node, indices) : inside.failure();
    }
    case NodeKind::apply: {
      auto other = leaves_->instead(*this, node, indices);
      return other ? *other : element_wise(node, indices);
    }
    case NodeKind::choice:
      return choice(node, indices);
    case NodeKind::select:
      return leaves_->select(*this, node, indices);
    case NodeKind::array:
      return from_array(node, indices);
    case NodeKind::comprehension:
      return from_comprehension(node, indices);
    case NodeKind::index: {
      auto at = base_indices(node, indices);
      return at ? element(*node.children[0], *at) : at.failure();
    }
    case NodeKind::reduce:
      return has_run_time_size(node.counts) ||
                     (node.has_sum && node.op == Op::add && size_of(node.counts) > longest_written_sum)
                 ? leaves_->long_sum(*this, node, indices)
                 : reduction(node);
    case NodeKind::call:
      return leaves_->call(*this, node, indices);
    case NodeKind::function:
    case NodeKind::record:
      return diagnostics.error(record_in_expression, node.span, {type_text(node)});
    case NodeKind::extremum:
      return diagnostics.error(extremum_not_monotone, node.span);
  }
  expects(false, "every kind of node has its elements");
  return 0.0;
}

Scalar Lowering::element_wise(const Node& node, const Indices& indices) {
  const Indices none;
  std::array<Scalar, most_operands> operands{0.0, 0.0, 0.0};
  expects(node.children.size() <= most_operands, "operators have up to three operands");
  for (std::size_t k = 0; k < node.children.size(); ++k) {
    const Node& child = *node.children[k];
    operands[k] = element(child, child.dims.empty() ? none : indices);
    if (operands[k].failed()) return operands[k];
  }
  Scalar result = apply(node.op, std::span(operands).first(node.children.size()));
  if (node.basic != Basic::integer || !result.is_known()) return result;
  double least = result.known.least(work.space.n), greatest = result.known.greatest(work.space.n);
  if (least >= -ir::largest_integer && greatest <= ir::largest_integer) return result;
  return diagnostics.error(instance::codes::undefined_result, node.span,
                           {"this Integer", "it is beyond the Integers from -2^53 to 2^53"});
}

Scalar Lowering::choice(const Node& node, const Indices& indices) {
  Scalar condition = structural(*node.children[0]);
  if (condition.failed()) return condition;
  if (!condition.is_known()) return leaves_->select(*this, node, indices);
  if (!condition.known.is_uniform()) return work.split_by(condition.known);
  const Node& value = *node.children[condition.known.uniform() != 0 ? 1 : 2];
  return element(value, value.dims.empty() ? Indices{} : indices);
}

Scalar Lowering::from_table(const Node& node, const Indices& indices) {
  if (auto inside = in_range(*this, node, indices); !inside) return inside.failure();
  Scalar at = position(*this, node.dims, indices);
  if (at.failed()) return at;
  if (!at.is_known()) return leaves_->element_at_run_time(*this, node, indices);
  if (at.known.is_uniform()) return node.numbers[static_cast<std::size_t>(at.known.uniform())];
  std::vector<double> each(work.space.n);
  for (std::size_t i = 0; i < each.size(); ++i) each[i] = node.numbers[static_cast<std::size_t>(at.known[i])];
  return Known(std::move(each));
}

Scalar Lowering::from_array(const Node& node, const Indices& indices) {
  if (auto inside = in_range(*this, node, indices); !inside) return inside.failure();
  const Scalar& first = indices[0];
  if (!first.is_known()) return leaves_->element_at_run_time(*this, node, indices);
  if (!first.known.is_uniform()) return work.split_by(first.known);
  const Node& child = *node.children[static_cast<std::size_t>(first.known.uniform()) - 1];
  return element(child, child.dims.empty() ? Indices{} : Indices(indices.begin() + 1, indices.end()));
}

Outcome<std::size_t> Lowering::bind_comprehension(const Node& node, const Indices& indices) {
  if (auto inside = in_range(*this, node, indices); !inside) return inside.failure();
  std::vector<Scalar> values;
  for (std::size_t k = 0; k < node.axes.size(); ++k) {
    const Node* range = node.children[k + 1];
    values.push_back(range ? structural(*range, {indices[k]}) : indices[k]);
    if (values.back().failed()) return values.back().failure();
  }
  for (std::size_t k = 0; k < values.size(); ++k) bind(node.axes[k], values[k]);
  return values.size();
}

Scalar Lowering::from_comprehension(const Node& node, const Indices& indices) {
  auto bound = bind_comprehension(node, indices);
  if (!bound) return bound.failure();
  Scalar result = element(*node.children[0], Indices(indices.begin() + static_cast<std::ptrdiff_t>(*bound), indices.end()));
  unbind(*bound);
  return result;
}

Outcome<Indices> Lowering::base_indices(const Node& node, const Indices& indices) {
  const Node& base = *node.children[0];
  Indices at;
  auto next = indices.begin();
  for (std::size_t d = 0; d < base.dims.size(); ++d) {
    const Node* subscript = d < node.subscripts.size() ? node.subscripts[d] : nullptr;
    if (subscript == nullptr) {
      at.push_back(*next++);
      continue;
    }
    auto end = next + static_cast<std::ptrdiff_t>(subscript->dims.size());
    bool varies = subscript->level > Level::parameter && leaves_ != &leaves_->structural();
    at.push_back(varies ? element(*subscript, Indices(next, end)) : structural(*subscript, Indices(next, end)));
    next = end;
    if (at.back().failed()) return at.back().failure();
    if (subscript->basic == Basic::boolean) at.back() = apply(Op::add, at.back(), 1.0);
  }
  return at;
}

Outcome<Done> Lowering::each_term(const Node& node, const std::function<Outcome<Done>(const Scalar&)>& term) {
  std::int64_t terms = size_of(node.counts);
  for (std::int64_t t = 0; t < terms; ++t) {
    std::vector<std::int64_t> at = indices_at(node.counts, t);
    for (std::size_t k = 0; k < node.axes.size(); ++k) {
      const Node* range = node.children[k + 1];
      Scalar index = static_cast<double>(at[k]);
      bind(node.axes[k], range ? structural(*range, {index}) : index);
    }
    auto failed = std::find_if(bindings_.end() - static_cast<std::ptrdiff_t>(node.axes.size()), bindings_.end(),
                               [](const auto& bound) { return bound.second.failed(); });
    if (failed != bindings_.end()) {
      Failure why = failed->second.failure();
      unbind(node.axes.size());
      return why;
    }
    Outcome<Done> done = term(scalar(*node.children[0]));
    unbind(node.axes.size());
    if (!done) return done;
  }
  return Done{};
}

Scalar Lowering::written_sum(const Node& node) {
  if (has_run_time_size(node.counts))
    return diagnostics.error(not_known_at_compile_time, node.span, {"the number of terms"});
  if (has_run_time_size(node.counts))
    return diagnostics.error(not_known_at_compile_time, node.span, {"the number of terms"});
  Scalar sum = 0.0;
  auto done = each_term(node, [&](const Scalar& term) -> Outcome<Done> {
    sum = apply(Op::add, sum, term);
    if (sum.failed()) return sum.failure();
    return Done{};
  });
  return done ? sum : done.failure();
}

Scalar Lowering::reduction(const Node& node) {
  std::optional<Scalar> sum;
  auto done = each_term(node, [&](const Scalar& term) -> Outcome<Done> {
    if (term.failed()) return term.failure();
    sum = sum ? apply(node.op, *sum, term) : term;
    return Done{};
  });
  if (!done) return done.failure();
  return sum ? *sum : of_no_terms(node.op);
}

double Lowering::of_no_terms(Op op) {
  constexpr double largest = 1.7976931348623157e308;
  switch (op) {
    case Op::mul:
      return 1;
    case Op::min:
      return largest;
    case Op::max:
      return -largest;
    default:
      return 0;
  }
}

}  // namespace bolza::flatten
