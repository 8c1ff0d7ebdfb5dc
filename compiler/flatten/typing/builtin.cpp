// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/builtin_internal.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/run_time_sizes_internal.h"
#include "compiler/flatten/typing/cardinality_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/instance/functions/external_function.h"
#include "compiler/instance/library/codes.h"
#include "compiler/ir/apply.h"
#include "compiler/syntax/print.h"

namespace bolza::flatten {

using ir::Op;

namespace {

struct MathRow {
  std::string_view name;
  Op op;
  std::size_t arguments;
};

constexpr std::array math_rows{
    MathRow{"abs", Op::abs, 1},      MathRow{"sign", Op::sign, 1},   MathRow{"sqrt", Op::sqrt, 1},
    MathRow{"exp", Op::exp, 1},      MathRow{"log", Op::log, 1},     MathRow{"log10", Op::log10, 1},
    MathRow{"sin", Op::sin, 1},      MathRow{"cos", Op::cos, 1},     MathRow{"tan", Op::tan, 1},
    MathRow{"asin", Op::asin, 1},    MathRow{"acos", Op::acos, 1},   MathRow{"atan", Op::atan, 1},
    MathRow{"sinh", Op::sinh, 1},    MathRow{"cosh", Op::cosh, 1},   MathRow{"tanh", Op::tanh, 1},
    MathRow{"asinh", Op::asinh, 1},  MathRow{"acosh", Op::acosh, 1}, MathRow{"atanh", Op::atanh, 1},
    MathRow{"floor", Op::floor, 1},  MathRow{"ceil", Op::ceil, 1},   MathRow{"integer", Op::floor, 1},
    MathRow{"atan2", Op::atan2, 2},  MathRow{"mod", Op::mod, 2},     MathRow{"rem", Op::rem, 2},
    MathRow{"div", Op::quotient, 2}, MathRow{"fabs", Op::abs, 1},    MathRow{"pow", Op::pow, 2},
    MathRow{"fmod", Op::rem, 2},
};

constexpr std::array events_only{"reinit", "terminate", "assert"};

}  // namespace

std::optional<Op> math_operator(std::string_view name, std::size_t arguments) {
  for (const MathRow& row : math_rows)
    if (row.name == name && row.arguments == arguments && name != "integer") return row.op;
  return {};
}

std::optional<Op> external_operator(const instance::Instance& function) {
  if (function.external == nullptr) return {};
  instance::ExternalClause clause = instance::clause_of(function);
  std::vector<const instance::Instance*> inputs;
  for (const instance::Instance* child : function.children)
    if (child->causality == ast::Causality::input) inputs.push_back(child);
  auto is_number = [](const instance::Instance* c) { return c && c->type == instance::Type::real && c->rank() == 0; };
  if (!is_number(clause.result) || inputs.size() != clause.arguments.size()) return {};
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (!is_number(inputs[k]) || clause.arguments[k].component != inputs[k]) return {};
  return math_operator(clause.function, inputs.size());
}

Outcome<Done> Typer::arguments(const ast::Expr& expr, std::size_t least, std::size_t most, std::vector<const Node*>& out) {
  const ast::Arguments& given = *expr.arguments;
  if (!given.named.empty())
    return wrong(no_such_argument, given.named[0].name_span, {given.named[0].name, expr.reference->parts.back().identifier});
  if (given.positional.size() < least || given.positional.size() > most)
    return wrong(argument_count, expr.span,
                 {expr.reference->parts.back().identifier, std::to_string(least), std::to_string(given.positional.size())});
  for (const ast::Expr* argument : given.positional) {
    auto node = expression(*argument);
    if (!node) return node.failure();
    out.push_back(node);
  }
  return Done{};
}

namespace {

bool is_literal(const ast::Expr& expr) {
  const ast::Expr& e = expr.kind == ast::ExprKind::unary ? *expr.operands[0] : expr;
  return e.kind == ast::ExprKind::integer_literal || e.kind == ast::ExprKind::real_literal;
}

}  // namespace

/// `log(0)`, `acos(2)` written so are mistakes; where values come from elsewhere, the branch they stand in may not count.
Outcome<Done> Typer::check_literals(Op op, const std::vector<const Node*>& x, const ast::Expr& expr) {
  const auto& given = expr.arguments->positional;
  if (!std::all_of(given.begin(), given.end(), [](const ast::Expr* a) { return is_literal(*a); })) return Done{};
  std::array<double, 2> values{};
  for (std::size_t k = 0; k < x.size(); ++k) {
    auto value = number_now(*x[k]);
    if (!value) return value.failure();
    values[k] = *value;
  }
  if (x.size() > 2 || std::isfinite(ir::apply(op, values[0], values[1]))) return Done{};
  return wrong(
      instance::codes::undefined_result, expr.span,
      {"`" + syntax::print(expr) + "`", "its argument is outside of what `" + std::string(ir::row_of(op).name) + "` takes"});
}

Typed Typer::builtin(std::string_view name, const ast::Expr& expr) {
  if (!expr.arguments->iterators.empty()) {
    if (name == "array") return comprehension(*expr.arguments->positional[0], expr.arguments->iterators, expr.span);
    return reduction(name, expr);
  }
  if (std::find(events_only.begin(), events_only.end(), name) != events_only.end())
    return wrong(no_output, expr.span, {name});
  for (const MathRow& row : math_rows) {
    if (row.name != name) continue;
    std::vector<const Node*> x;
    if (auto given = arguments(expr, row.arguments, row.arguments, x); !given) return given.failure();
    for (const Node* a : x)
      if (!is_numeric(a->basic)) return wrong(operand_type, a->span, {name, "numeric", type_text(*a)});
    if (x.size() == 2 && !x[0]->dims.empty() && !x[1]->dims.empty())
      if (auto same = check_same_dims(x[0], x[1], "element-wise call", expr.span); !same) return same.failure();
    if (auto defined = check_literals(row.op, x, expr); !defined) return defined.failure();
    bool keeps = row.op == Op::abs || row.op == Op::mod || row.op == Op::rem || row.op == Op::quotient;
    bool integers = std::all_of(x.begin(), x.end(), [](const Node* a) { return a->basic == Basic::integer; });
    bool integer = name == "integer" || name == "sign" || (keeps && integers);
    return nodes().apply(row.op, x, integer ? Basic::integer : Basic::real, expr.span);
  }
  if (name == "cardinality" && expr.arguments->positional.size() == 1 &&
      expr.arguments->positional[0]->kind == ast::ExprKind::name)
    return cardinality_of(*expr.arguments->positional[0], expr.span);
  if (name == "der") {
    std::vector<const Node*> x;
    if (auto given = arguments(expr, 1, 1, x); !given) return given.failure();
    bool named = expr.arguments->positional.size() == 1 && expr.arguments->positional[0]->kind == ast::ExprKind::name;
    if (named && x[0]->basic != Basic::real && x[0]->basic != Basic::record)
      return wrong(derivative_of_discrete, x[0]->span, {syntax::print(*expr.arguments->positional[0])});
    return derivative(x[0], expr.span);
  }
  if (name == "homotopy") return homotopy(expr);
  if (name == "noEvent" || name == "smooth") {
    std::vector<const Node*> x;
    if (auto given = arguments(expr, name == "noEvent" ? 1 : 2, name == "noEvent" ? 1 : 2, x); !given)
      return given.failure();
    if (name == "noEvent") return without_events(x[0], expr.span);
    auto order = instance::try_evaluate(model.tree, *expr.arguments->positional[0], scope);
    bool kinks =
        order && order->scalar() && order->integer() == 0;  // integrators lose their order there: events are cheaper
    return kinks ? Typed(x[1]) : without_events(x[1], expr.span);
  }
  if (name == "semiLinear") {
    std::vector<const Node*> x;
    if (auto given = arguments(expr, 3, 3, x); !given) return given.failure();
    const Node* positive =
        nodes().apply(Op::greater_equal, {x[0], nodes().number(0, Basic::real, expr.span)}, Basic::boolean, expr.span);
    auto forward = multiply(x[1], x[0], false, expr.span), back = forward ? multiply(x[2], x[0], false, expr.span) : forward;
    if (!back) return back;
    return without_events(nodes().choose(NodeKind::select, positive, forward, back, expr.span), expr.span);
  }
  if (name == "min" || name == "max") {
    std::vector<const Node*> x;
    if (auto given = arguments(expr, 1, 2, x); !given) return given.failure();
    if (x.size() == 1) return fold(name, x[0], expr.span);
    if (auto same = check_same_dims(x[0], x[1], "minimum or maximum", expr.span); !same) return same.failure();
    bool integers = x[0]->basic == Basic::integer && x[1]->basic == Basic::integer;
    return nodes().apply(name == "min" ? Op::min : Op::max, x, integers ? Basic::integer : Basic::real, expr.span);
  }
  if (auto node = clock_operator(name, expr)) return *node;
  if (auto node = event_operator(name, expr)) return *node;
  if (auto node = stream_operator(name, expr)) return *node;
  if (auto node = graph_operator(name, expr)) return *node;
  if (auto node = array_builtin(name, expr)) return *node;
  return wrong(unsupported, expr.span, {"the operator `" + std::string(name) + "`"});
}

Typed Typer::cardinality_of(const ast::Expr& argument, Span span) {
  auto connector = instance::lookup(model.tree, scope, *argument.reference, model.diagnostics);
  if (!connector) return reported();
  if (connector->kind != instance::ResolvedKind::component || !connector->component().is_connector)
    return wrong(connect_not_connector, argument.span, {"no connector"});
  if (connector->removed) return nodes().number(0, Basic::integer, span);
  auto of = place(*connector, span);
  auto n = of ? cardinality(model, work, *of) : of.failure();
  if (!n) return n.failure();
  return nodes().number(static_cast<double>(*n), Basic::integer, span);
}

/// s·actual + (1 − s)·simplified while the share s is below 1, then exactly `actual`.
Typed Typer::homotopy(const ast::Expr& expr) {
  std::array<const ast::Expr*, 2> given{};
  for (std::size_t k = 0; k < expr.arguments->positional.size() && k < 2; ++k) given[k] = expr.arguments->positional[k];
  for (const ast::NamedArgument& argument : expr.arguments->named)
    if (argument.name == "actual" || argument.name == "simplified") given[argument.name == "simplified"] = argument.value;
  std::size_t n = expr.arguments->positional.size() + expr.arguments->named.size();
  if (n != 2 || !given[0] || !given[1]) return wrong(argument_count, expr.span, {"homotopy", "2", std::to_string(n)});
  auto actual = expression(*given[0]), simplified = actual ? expression(*given[1]) : actual;
  if (!simplified) return simplified;
  for (const Node* x : {actual, simplified})
    if (!is_numeric(x->basic)) return wrong(operand_type, x->span, {"homotopy", "numeric", type_text(*x)});
  if (auto same = check_same_dims(actual, simplified, "homotopy", expr.span); !same) return same.failure();
  if (frame != nullptr || actual->level < Level::continuous) return actual;
  auto apply = [&](Op op, const Node* a, const Node* b, Basic basic) { return nodes().apply(op, {a, b}, basic, expr.span); };
  const Node *share = nodes().flag(Flag::homotopy, expr.span), *one = nodes().number(1, Basic::real, expr.span);
  const Node* rest = apply(Op::sub, one, share, Basic::real);
  auto own = multiply(share, actual, false, expr.span), other = multiply(rest, simplified, false, expr.span);
  auto reached = without_events(apply(Op::greater_equal, share, one, Basic::boolean), expr.span);
  if (!own || !other || !reached) return !own ? own : !other ? other : reached;
  return nodes().choose(NodeKind::select, reached, actual, apply(Op::add, own, other, Basic::real), expr.span);
}

std::optional<Typed> Typer::array_builtin(std::string_view name, const ast::Expr& expr) {
  Span span = expr.span;
  auto integer = [&](std::int64_t v) { return nodes().number(static_cast<double>(v), Basic::integer, span); };
  std::vector<const Node*> x;
  auto sizes_from = [&](std::size_t first) -> Outcome<std::vector<std::int64_t>> {
    std::vector<std::int64_t> dims;
    for (std::size_t k = first; k < x.size(); ++k) {
      auto size = known_integer(x[k]);
      if (!size) return size.failure();
      dims.push_back(std::max<std::int64_t>(*size, 0));
    }
    return dims;
  };
  if (name == "zeros" || name == "ones") {
    if (auto given = arguments(expr, 1, 32, x); !given) return given.failure();
    auto dims = sizes_from(0);
    return dims ? fill(integer(name == "ones"), *dims, span) : dims.failure();
  }
  if (name == "fill") {
    if (auto given = arguments(expr, 2, 32, x); !given) return given.failure();
    auto dims = sizes_from(1);
    return dims ? fill(x[0], *dims, span) : dims.failure();
  }
  if (name == "size") {
    if (auto given = arguments(expr, 1, 2, x); !given) return given.failure();
    if (x.size() == 1) {
      if (auto sized = sized_now(*x[0]); !sized) return sized.failure();
      std::vector<double> sizes(x[0]->dims.begin(), x[0]->dims.end());
      auto rank = static_cast<std::int64_t>(sizes.size());
      return nodes().table(std::move(sizes), {rank}, Basic::integer, span);
    }
    auto d = known_integer(x[1]);
    if (!d) return d.failure();
    if (*d < 1 || *d > static_cast<std::int64_t>(x[0]->dims.size()))
      return wrong(subscript_out_of_range, x[1]->span, {std::to_string(*d), "2", std::to_string(x[0]->dims.size())});
    return size_node(x[0]->dims[static_cast<std::size_t>(*d - 1)], span);
  }
  if (name == "cat") {
    if (auto given = arguments(expr, 2, 1000, x); !given) return given.failure();
    auto d = known_integer(x[0]);
    return d ? concatenate(*d, {x.begin() + 1, x.end()}, span) : d.failure();
  }
  if (name == "linspace") {
    if (auto given = arguments(expr, 3, 3, x); !given) return given.failure();
    auto n = known_integer(x[2]);
    if (!n) return n.failure();
    if (*n < 2) return wrong(operand_type, span, {"linspace", "at least 2 points", std::to_string(*n)});
    return generate({*n}, span, [&](const std::vector<const Node*>& at) {
      auto apply = [&](Op op, const Node* a, const Node* b) { return nodes().apply(op, {a, b}, Basic::real, span); };
      const Node* share = apply(Op::div, apply(Op::sub, at[0], integer(1)), integer(*n - 1));
      return apply(Op::add, x[0], apply(Op::mul, apply(Op::sub, x[1], x[0]), share));
    });
  }
  if (name == "identity") {
    if (auto given = arguments(expr, 1, 1, x); !given) return given.failure();
    auto n = known_integer(x[0]);
    if (!n) return n.failure();
    if (*n < 0) return wrong(instance::codes::bad_dimension, x[0]->span, {"`" + std::to_string(*n) + "`"});
    return generate({*n, *n}, span, [&](const std::vector<const Node*>& at) {
      return nodes().choose(NodeKind::choice, nodes().apply(Op::equal, {at[0], at[1]}, Basic::boolean, span), integer(1),
                            integer(0), span);
    });
  }
  constexpr std::array one_array{"ndims",    "scalar",    "vector", "matrix", "transpose",
                                 "diagonal", "symmetric", "skew",   "sum",    "product"};
  constexpr std::array two_arrays{"outerProduct", "cross", "promote"};
  bool is_one = std::find(one_array.begin(), one_array.end(), name) != one_array.end();
  bool is_two = std::find(two_arrays.begin(), two_arrays.end(), name) != two_arrays.end();
  if (name == "array") {
    if (auto given = arguments(expr, 1, 100000, x); !given) return given.failure();
    for (const Node* e : x)
      if (auto same = check_same_dims(x[0], e, "array constructor", span); !same) return same.failure();
    return nodes().array(x, span);
  }
  if (!is_one && !is_two) return {};
  if (auto given = arguments(expr, is_one ? 1 : 2, is_one ? 1 : 2, x); !given) return given.failure();
  const Node* a = x[0];
  std::size_t rank = a->dims.size();
  auto wrong_rank = [&](const Node* node, std::size_t wanted) {
    return wrong(expected_type, node->span, {wanted == 2 ? "a matrix" : "a vector", type_text(*node)});
  };
  auto at_index = [&](const Node* node, std::vector<const Node*> at) { return nodes().index(node, std::move(at), span); };
  if (name == "ndims") return integer(static_cast<std::int64_t>(rank));
  if (name == "sum" || name == "product") return fold(name, a, span);
  for (const Node* array : x)
    if (auto sized = sized_now(*array); !sized) return sized.failure();
  if (name == "scalar") {
    if (size_of(a->dims) != 1) return wrong(expected_type, a->span, {"an array of one element", type_text(*a)});
    return nodes().element(a, std::vector<std::int64_t>(rank, 1));
  }
  if (name == "vector") {
    std::int64_t longest = 1, beyond_one = 0;
    for (std::int64_t d : a->dims) {
      longest = std::max(longest, d);
      beyond_one += d > 1;
    }
    if (beyond_one > 1) return wrong(expected_type, a->span, {"an array with one dimension larger than 1", type_text(*a)});
    return rank == 1 ? Typed(a) : reshape(a, {size_of(a->dims)}, span);
  }
  if (name == "matrix") {
    if (rank <= 2) return promote(a, 2, span);
    return reshape(a, {a->dims[0], a->dims[1]}, span);
  }
  if (name == "promote") {
    auto wanted = known_integer(x[1]);
    return wanted ? promote(a, static_cast<std::size_t>(*wanted), span) : wanted.failure();
  }
  if (name == "transpose") {
    if (rank < 2) return wrong_rank(a, 2);
    std::vector<std::int64_t> dims = a->dims;
    std::swap(dims[0], dims[1]);
    return generate(dims, span, [&](std::vector<const Node*> at) {
      std::swap(at[0], at[1]);
      return at_index(a, at);
    });
  }
  if (name == "diagonal") {
    if (rank != 1) return wrong_rank(a, 1);
    return generate({a->dims[0], a->dims[0]}, span, [&](const std::vector<const Node*>& at) {
      return nodes().choose(NodeKind::choice, nodes().apply(Op::equal, {at[0], at[1]}, Basic::boolean, span),
                            at_index(a, {at[0]}), integer(0), span);
    });
  }
  if (name == "symmetric") {
    if (rank != 2) return wrong_rank(a, 2);
    return generate(a->dims, span, [&](const std::vector<const Node*>& at) {
      return at_index(a, {nodes().apply(Op::min, {at[0], at[1]}, Basic::integer, span),
                          nodes().apply(Op::max, {at[0], at[1]}, Basic::integer, span)});
    });
  }
  if (name == "outerProduct") {
    for (const Node* v : x)
      if (v->dims.size() != 1) return wrong_rank(v, 1);
    return generate({a->dims[0], x[1]->dims[0]}, span, [&](const std::vector<const Node*>& at) {
      return nodes().apply(Op::mul, {at_index(a, {at[0]}), at_index(x[1], {at[1]})}, Basic::real, span);
    });
  }
  for (const Node* v : x)
    if (v->dims != std::vector<std::int64_t>{3}) return wrong(expected_type, v->span, {"a vector of 3", type_text(*v)});
  auto e = [&](const Node* v, std::int64_t k) { return nodes().element(v, {k}); };
  auto times = [&](const Node* p, const Node* q) { return nodes().apply(Op::mul, {p, q}, Basic::real, span); };
  auto minus = [&](const Node* p, const Node* q) { return nodes().apply(Op::sub, {p, q}, Basic::real, span); };
  if (name == "cross") {
    const Node* b = x[1];
    return nodes().array(
        {minus(times(e(a, 2), e(b, 3)), times(e(a, 3), e(b, 2))), minus(times(e(a, 3), e(b, 1)), times(e(a, 1), e(b, 3))),
         minus(times(e(a, 1), e(b, 2)), times(e(a, 2), e(b, 1)))},
        span);
  }
  const Node* zero = integer(0);
  return nodes().array({nodes().array({zero, negate(e(a, 3), span), e(a, 2)}, span),
                        nodes().array({e(a, 3), zero, negate(e(a, 1), span)}, span),
                        nodes().array({negate(e(a, 2), span), e(a, 1), zero}, span)},
                       span);
}

}  // namespace bolza::flatten
