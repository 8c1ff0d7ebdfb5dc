// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/groups/equation_leaves_internal.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/expects.h"
#include "compiler/flatten/calls/lower_call_internal.h"
#include "compiler/flatten/calls/structural_leaves_internal.h"
#include "compiler/flatten/groups/group_builder_internal.h"
#include "compiler/flatten/groups/integrals_internal.h"
#include "compiler/flatten/model/auxiliaries_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/ir/canonical.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::Op;

namespace {

/// Column of ids from row-major positions.
std::vector<std::uint32_t> ids_from(std::uint32_t first, const Known& position, std::size_t n) {
  if (position.is_uniform()) return {first + static_cast<std::uint32_t>(position.uniform())};
  std::vector<std::uint32_t> ids(n);
  for (std::size_t i = 0; i < n; ++i) ids[i] = first + static_cast<std::uint32_t>(position[i]);
  return ids;
}

/// Larger arrays are not written out for a subscript that varies.
constexpr std::int64_t most_chosen_among = 1000;

ir::ValueType value_type_of(Basic basic) {
  switch (basic) {
    case Basic::integer:
    case Basic::clock:
      return ir::ValueType::integer;
    case Basic::boolean:
      return ir::ValueType::boolean;
    case Basic::enumeration:
      return ir::ValueType::enumeration;
    default:
      return ir::ValueType::real;
  }
}

bool has_value_at_compile_time(const Node& node) {
  return node.instance != nullptr && (node.instance->variability == instance::Variability::constant);
}

}  // namespace

Outcome<std::vector<std::uint32_t>> ids_of(Model& model, Lowering& lowering, const Node& place, const Indices& indices) {
  if (place.kind == NodeKind::index) {
    auto at = lowering.base_indices(place, indices);
    return at ? ids_of(model, lowering, *place.children[0], *at) : at.failure();
  }
  if (place.kind == NodeKind::auxiliary && place.axes.empty())
    return std::vector<std::uint32_t>{provisional::auxiliary | static_cast<std::uint32_t>(place.value)};
  if (place.kind == NodeKind::auxiliary) {
    Scalar at = lowering.axis(place.axes[0]);
    if (at.failed()) return at.failure();
    return ids_from(provisional::auxiliary | static_cast<std::uint32_t>(place.value), at.known, lowering.work.space.n);
  }
  expects(place.kind == NodeKind::variable, "a place is a variable, perhaps with subscripts");
  if (auto inside = in_range(lowering, place, indices); !inside) return inside.failure();
  auto first = model.first_id.find(place.instance);
  if (first == model.first_id.end())
    return model.diagnostics.error(not_a_variable, place.span, {instance::path_of(*place.instance)});
  Scalar at = position(lowering, place.dims, indices);
  if (at.failed()) return at.failure();
  if (!at.is_known()) return model.diagnostics.error(not_known_at_compile_time, place.span, {"the subscript"});
  return ids_from(first->second, at.known, lowering.work.space.n);
}

Outcome<std::vector<std::uint32_t>> ids_in(Model& model, const Space& given, const Node& place) {
  Space space = given;
  std::vector<AxisId> axes;
  for (std::int64_t d : place.dims) {
    axes.push_back(model.nodes.new_axis());
    if (space.n > 0) space = extend_to(space, axes.back(), d);
  }
  std::vector<double> numbers(space.n);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  AxisId number = model.nodes.new_axis();
  space.axes.emplace_back(number, Known(std::move(numbers)));
  std::vector<std::uint32_t> ids(space.n);
  auto done = every_part(space, [&](Work& work) -> Outcome<Done> {
    Lowering lowering(model.nodes, model.dag(), model.diagnostics, work, model.structural_leaves());
    Indices indices;
    for (AxisId axis : axes) indices.push_back(lowering.axis(axis));
    auto part = ids_of(model, lowering, place, indices);
    if (!part) return part.failure();
    const Known& at = *work.space.find(number);
    for (std::size_t i = 0; i < work.space.n; ++i) ids[static_cast<std::size_t>(at[i])] = (*part)[part->size() == 1 ? 0 : i];
    return Done{};
  });
  if (!done) return done.failure();
  return ids;
}

Scalar EquationLeaves::variable(Lowering& lowering, const Node& node, const Indices& indices) {
  if (node.kind == NodeKind::derivative) return derivative(lowering, node, indices);
  if (node.kind == NodeKind::timed) return timed(lowering, node, indices);
  if (node.kind == NodeKind::flag) return flag(node);
  if (node.kind == NodeKind::sample) return sample(lowering, node);
  if (node.kind == NodeKind::delayed) return delayed(lowering, node, indices);
  if (node.kind == NodeKind::transported) return transported(lowering, node);
  if (node.kind == NodeKind::clocked) return clocked(lowering, node, indices);
  if (node.kind == NodeKind::integral) return integral(lowering, node);
  if (node.kind == NodeKind::previous || node.kind == NodeKind::auxiliary) {
    bool before = node.kind == NodeKind::previous;
    auto ids = ids_of(model_, lowering, before ? *node.children[0] : node, indices);
    if (!ids) return ids.failure();
    if (before)
      for (std::uint32_t& id : *ids) id |= provisional::previous;
    return slot_of(std::move(*ids));
  }
  if (node.instance == nullptr) return slot_of({0});
  bool at_run_time =
      std::any_of(indices.begin(), indices.end(), [](const Scalar& index) { return !index.failed() && !index.is_known(); });
  if (at_run_time) return element_at_run_time(lowering, node, indices);
  if (has_value_at_compile_time(node)) return known_value(model_, lowering, node, indices);
  auto ids = ids_of(model_, lowering, node, indices);
  return ids ? slot_of(std::move(*ids)) : ids.failure();
}

/// der(expression): an auxiliary variable that equals it has a derivative.
Scalar EquationLeaves::derivative_of_expression(Lowering& lowering, const Node& of, const Indices& indices) {
  if (place_ != ExpressionPlace::equation && place_ != ExpressionPlace::initial_equation)
    return model_.diagnostics.error(flatten::derivative_of_expression, of.span);
  auto n = static_cast<std::uint32_t>(builder_.n());
  std::vector<std::pair<AxisId, Scalar>> bindings = lowering.bindings();
  std::vector<const Node*> at;
  for (const Scalar& index : indices) {
    if (!index.is_known()) return model_.diagnostics.error(not_known_at_compile_time, of.span, {"the subscript"});
    bindings.emplace_back(model_.nodes.new_axis(), index);
    at.push_back(model_.nodes.axis(bindings.back().first, of.span));
  }
  const Node* element = model_.nodes.index(&of, std::move(at), of.span);
  std::uint32_t own = add_auxiliaries(model_, {.size = n, .span = of.span, .stem = "$differentiated"});
  AuxiliaryRun rate{.size = n, .span = of.span, .stem = "$rate", .kind = ir::VariableKind::derivative};
  rate.of = own;
  sums_.push_back({model_.nodes.reduce(Op::add, element, {}, {}, {}, of.span), std::move(bindings), own & ~provisional::kind,
                   PendingSum::Variables::there});
  std::uint32_t first = add_auxiliaries(model_, rate);
  std::vector<std::uint32_t> ids(n);
  for (std::uint32_t i = 0; i < n; ++i) ids[i] = first + i;
  return slot_of(std::move(ids));
}

Scalar EquationLeaves::derivative(Lowering& lowering, const Node& node, const Indices& indices) {
  const Node& of = *node.children[0];
  const Node& place = of.kind == NodeKind::index ? *of.children[0] : of;
  if (place.kind != NodeKind::variable) return derivative_of_expression(lowering, of, indices);
  auto ids = ids_of(model_, lowering, *node.children[0], indices);
  if (!ids) return ids.failure();
  for (std::uint32_t& id : *ids) id |= provisional::derivative;
  return slot_of(std::move(*ids));
}

Scalar EquationLeaves::timed(Lowering& lowering, const Node& node, const Indices& indices) {
  if (place_ == ExpressionPlace::equation || place_ == ExpressionPlace::initial_equation ||
      place_ == ExpressionPlace::discrete || place_ == ExpressionPlace::attribute)
    return model_.diagnostics.error(
        timed_in_equation, node.span, {},
        {{{}, "it belongs into the section `constraint`; the start of a state is `Real x(start = 1, fixed = true)`"}});
  if (place_ == ExpressionPlace::integrand)
    return model_.diagnostics.error(integral_misplaced, node.span, {},
                                    {{{},
                                      "the value of one time can be a free parameter: `parameter Real x0(free = true); "
                                      "constraint x(startTime) = x0`, and `x0` in the integrand"}});
  auto of = ids_of(model_, lowering, *node.children[0], indices);
  if (!of) return of.failure();
  auto terms = own_term(lowering, *node.children[1], {});
  if (!terms) return terms.failure();
  std::vector<std::uint32_t> slots;
  for (const ir::Term& term : terms->terms) slots.push_back(time_slot(model_, term));
  std::size_t n = std::max(of->size(), slots.size());
  std::vector<std::uint32_t> ids(n);
  for (std::size_t i = 0; i < n; ++i)
    ids[i] = provisional::timed | timed_value(model_, (*of)[of->size() == 1 ? 0 : i], slots[slots.size() == 1 ? 0 : i]);
  return slot_of(std::move(ids));
}

/// An expression inside this one that gets slots and data of its own.
Outcome<ir::ElementValues> EquationLeaves::own_term(Lowering& lowering, const Node& node, const Indices& indices,
                                                    ExpressionPlace place) {
  GroupBuilder builder(model_, builder_.n());
  EquationLeaves leaves(model_, builder, place);
  Lowering inner(model_.nodes, model_.dag(), model_.diagnostics, lowering.work, leaves);
  for (const auto& [axis, value] : lowering.bindings()) inner.bind(axis, value);
  Scalar value = inner.element(node, indices);
  if (value.failed()) return value.failure();
  return builder.finish_values(inner.expression(value), node.span);
}

Scalar EquationLeaves::flag(const Node& node) {
  using ir::VariableKind;
  constexpr std::array names{"initial()", "terminal()", "homotopy()"};
  constexpr std::array kinds{VariableKind::initial_flag, VariableKind::terminal_flag, VariableKind::homotopy};
  auto flag = static_cast<std::size_t>(node.value);
  std::uint32_t& id = model_.flags[flag];
  ir::ValueType type = flag == static_cast<std::size_t>(Flag::homotopy) ? ir::ValueType::real : ir::ValueType::boolean;
  if (id == 0) id = add_auxiliaries(model_, {0, 1, node.span, names[flag], kinds[flag], type});
  return slot_of({id});
}

namespace {

/// The auxiliary variable of every instance for the terms that set it apart; `make` is called for new ones.
template <class Make>
std::vector<std::uint32_t> shared_auxiliaries(Model& model, const std::vector<ir::ElementValues>& parts, AuxiliaryRun run,
                                              Make make) {
  std::size_t n = 1;
  for (const ir::ElementValues& part : parts) n = std::max(n, part.terms.size());
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<ir::Term> terms;
    for (const ir::ElementValues& part : parts)
      terms.push_back(ir::canonical(model.dag(), part.terms[part.terms.size() == 1 ? 0 : i]));
    auto [at, is_new] = model.auxiliary_of.emplace(key_of(terms), 0);
    if (is_new) make(at->second = add_auxiliaries(model, run), terms);
    ids.push_back(at->second);
  }
  return ids;
}

/// The delays `id` and `id` + 1; terms: in0, in1, x, positiveVelocity, places, values.
void add_transport(Model& model, std::uint32_t id, const std::vector<ir::Term>& terms) {
  std::size_t n = (terms.size() - 4) / 2;
  ir::Term none;
  none.root = model.dag().number(0);
  none.span = terms[0].span;
  ir::Transport transport{static_cast<std::uint32_t>(model.flat.delays.size()), {}, {}};
  transport.places.assign(terms.begin() + 4, terms.begin() + 4 + static_cast<std::ptrdiff_t>(n));
  transport.values.assign(terms.end() - static_cast<std::ptrdiff_t>(n), terms.end());
  model.flat.delays.push_back({ir::VariableId(std::size_t{id}), terms[0], terms[2], none});
  model.flat.delays.push_back({ir::VariableId(std::size_t{id} + 1), terms[1], terms[3], none});
  model.flat.transports.push_back(std::move(transport));
}

}  // namespace

Scalar EquationLeaves::sample(Lowering& lowering, const Node& node) {
  std::vector<ir::ElementValues> parts;
  for (const Node* child : node.children) {
    auto terms = own_term(lowering, *child, {});
    if (!terms) return terms.failure();
    parts.push_back(std::move(*terms));
  }
  return slot_of(shared_auxiliaries(model_, parts,
                                    {0, 1, node.span, "$sample", ir::VariableKind::sample, ir::ValueType::boolean},
                                    [&](std::uint32_t id, const std::vector<ir::Term>& terms) {
                                      model_.flat.samples.push_back({ir::VariableId(std::size_t{id}), terms[0], terms[1]});
                                    }));
}

Scalar EquationLeaves::delayed(Lowering& lowering, const Node& node, const Indices& indices) {
  std::vector<ir::ElementValues> parts;
  for (const Node* child : node.children) {
    auto terms = own_term(lowering, *child, child->dims.empty() ? Indices{} : indices);
    if (!terms) return terms.failure();
    parts.push_back(std::move(*terms));
  }
  return slot_of(shared_auxiliaries(model_, parts, {0, 1, node.span, "$delay", ir::VariableKind::delayed},
                                    [&](std::uint32_t id, const std::vector<ir::Term>& terms) {
                                      model_.flat.delays.push_back(
                                          {ir::VariableId(std::size_t{id}), terms[0], terms[1], terms[2]});
                                    }));
}

Scalar EquationLeaves::transported(Lowering& lowering, const Node& node) {
  std::vector<ir::ElementValues> parts;
  for (const Node* child : node.children)
    for (std::int64_t e = 0; e < size_of(child->dims); ++e) {
      Indices at;
      if (!child->dims.empty()) at.push_back(static_cast<double>(e + 1));
      auto terms = own_term(lowering, *child, at);
      if (!terms) return terms.failure();
      parts.push_back(std::move(*terms));
    }
  std::vector<std::uint32_t> ids =
      shared_auxiliaries(model_, parts, {0, 2, node.span, "$transported", ir::VariableKind::delayed},
                         [&](std::uint32_t id, const std::vector<ir::Term>& terms) { add_transport(model_, id, terms); });
  for (std::uint32_t& id : ids) id += node.value == 0 ? 0 : 1;
  return slot_of(std::move(ids));
}

Scalar EquationLeaves::clocked(Lowering& lowering, const Node& node, const Indices& indices) {
  std::array<ir::ElementValues, 2> parts;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Node* child = node.children[k];
    if (child == nullptr) continue;
    auto terms = own_term(lowering, *child, child->dims.empty() ? Indices{} : indices, ExpressionPlace::discrete);
    if (!terms) return terms.failure();
    parts[k] = std::move(*terms);
  }
  ClockUse use;
  use.op = static_cast<ClockOperator>(node.value);
  use.factor = node.counts[0];
  use.resolution = node.counts[1];
  use.method = node.text;
  use.type = value_type_of(node.basic);
  use.is_clock = node.basic == Basic::clock;
  use.span = node.span;
  bool continuous = use.op == ClockOperator::hold && node.basic == Basic::real;
  auto n = static_cast<std::uint32_t>(builder_.n());
  std::uint32_t first = add_auxiliaries(
      model_, {0, n, node.span, "$clocked", continuous ? ir::VariableKind::unknown : ir::VariableKind::discrete, use.type});
  std::vector<std::uint32_t> ids;
  for (std::uint32_t i = 0; i < n; ++i) {
    auto term = [&](const ir::ElementValues& values) {
      return values.present() ? std::optional(values.terms[values.terms.size() == 1 ? 0 : i]) : std::nullopt;
    };
    use.result = first + i;
    use.operand = term(parts[0]);
    use.other = term(parts[1]);
    model_.clock_uses.push_back(use);
    ids.push_back(use.result);
  }
  return slot_of(std::move(ids));
}

Scalar EquationLeaves::integral(Lowering& lowering, const Node& node) {
  auto misplaced = [&](const char* instead) -> Scalar {
    return model_.diagnostics.error(integral_misplaced, node.span, {}, {{{}, instead}});
  };
  if (place_ == ExpressionPlace::integrand) return misplaced("give the inner one a state: `der(J) = …`");
  if (model_.flat.optimization && model_.flat.optimization->is_static)
    return misplaced("with `static = true` the problem is one point, which has no time to integrate over");
  auto integrands = own_term(lowering, *node.children[0], {}, ExpressionPlace::integrand);
  if (!integrands) return integrands.failure();
  if (names_no_phase(model_, *integrands)) return misplaced("name variables of a phase in it: it ends when that phase does");
  if (names_several_phases(model_, *integrands))
    if (const Node* sum = sum_of_integrals(model_.nodes, node)) return lowering.element(*sum, {});
  return slot_of(final_integrals(model_, *integrands));
}

Scalar EquationLeaves::call(Lowering& lowering, const Node& node, const Indices& indices) {
  return lower_call(model_, lowering, node, indices);
}

Scalar EquationLeaves::select(Lowering& lowering, const Node& node, const Indices& indices) {
  std::array<Scalar, 3> operands{0.0, 0.0, 0.0};
  for (std::size_t k = 0; k < 3; ++k) {
    const Node& child = *node.children[k];
    operands[k] = lowering.element(child, child.dims.empty() ? Indices{} : indices);
    if (operands[k].failed()) return operands[k];
  }
  return lowering.apply(Op::select, operands);
}

Scalar EquationLeaves::long_sum(Lowering& lowering, const Node& node, const Indices&) {
  bool rows_of_its_own = (place_ == ExpressionPlace::equation || place_ == ExpressionPlace::initial_equation ||
                          place_ == ExpressionPlace::path) &&
                         node.level == Level::continuous;
  if (!rows_of_its_own) return lowering.written_sum(node);
  auto n = static_cast<std::uint32_t>(builder_.n());
  sums_.push_back({&node, lowering.bindings(), model_.n_auxiliary});
  std::vector<std::uint32_t> ids(n);
  for (std::uint32_t i = 0; i < n; ++i) ids[i] = provisional::auxiliary | (model_.n_auxiliary + i);
  model_.n_auxiliary += n;
  return slot_of(std::move(ids));
}

/// An element whose place is only known while the model runs: chosen among all along the first such dimension.
Scalar EquationLeaves::element_at_run_time(Lowering& lowering, const Node& node, const Indices& indices) {
  auto open = std::find_if(indices.begin(), indices.end(), [](const Scalar& index) { return !index.is_known(); });
  auto d = static_cast<std::size_t>(open - indices.begin());
  if (open == indices.end() || size_of(node.dims) > most_chosen_among)
    return lowering.diagnostics.error(not_known_at_compile_time, node.span, {"the subscript"});
  Indices at = indices;
  Scalar chosen = std::nan("");  // what is outside has no value
  for (std::int64_t k = node.dims[d]; k >= 1; --k) {
    at[d] = static_cast<double>(k);
    Scalar value = lowering.element(node, at);
    if (value.failed()) return value;
    std::array<Scalar, 1> is_here{lowering.apply(Op::equal, indices[d], static_cast<double>(k))};
    std::array<Scalar, 3> operands{lowering.apply(Op::no_event, is_here), value, chosen};
    chosen = lowering.apply(Op::select, operands);
    if (chosen.failed()) return chosen;
  }
  return chosen;
}

Leaves& EquationLeaves::structural() { return model_.structural_leaves(); }

Outcome<ir::ElementValues> lower_values(Model& model, Work& work, const Node& node, const Indices& indices,
                                        ExpressionPlace place) {
  GroupBuilder builder(model, work.space.n);
  EquationLeaves leaves(model, builder, place);
  Lowering lowering(model.nodes, model.dag(), model.diagnostics, work, leaves);
  Scalar value = lowering.element(node, indices);
  if (value.failed()) return value.failure();
  return builder.finish_values(lowering.expression(value), node.span);
}

}  // namespace bolza::flatten
