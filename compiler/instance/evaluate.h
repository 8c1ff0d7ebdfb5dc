// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>

#include "compiler/instance/value.h"

namespace bolza::instance {

/// Value of an iterator while an expression below it is evaluated.
struct IteratorValue {
  std::string_view name;
  Value value;
};

/// Array indices (1-based) of the scope's instance: those of all its array ancestors and its own, outermost first.
/// Empty when they are not known: then only what is the same for all elements can be evaluated.
using Indices = std::span<const std::int64_t>;

struct EvaluationContext {
  std::span<const IteratorValue> iterators;
  Indices indices;
};

/// Computes an expression at compile time: literals, constants, parameters through their bindings (or start values, with a
/// warning), array constructors, ranges, reductions, built-in functions, and functions by interpreting their algorithm.
/// Errors  E23x: depends on time or on a variable, on a free parameter, on one without value, on itself; sizes; domains;
///         too many steps (2 million).
Result<Value> evaluate(InstanceTree& tree, const ast::Expr& expr, const Scope& scope, Diagnostics& diagnostics,
                       const EvaluationContext& context = {});
/// All outputs of a call of `function`.
Result<std::vector<Value>> evaluate_call(InstanceTree& tree, const Instance& function, const ast::Expr& call,
                                         const Scope& scope, Diagnostics& diagnostics);
/// Whether the last message is one of the function itself: a failed assertion, an external function that fails or is
/// missing.
bool is_own_failure(const Diagnostics& diagnostics);
/// Whether the last message says that a function whose arguments are known was broken off: at an operation that is not
/// defined, or after too many steps.
bool is_broken_off(const Diagnostics& diagnostics);
/// The value of a binding or attribute as written, levels first (see ScopedExpr); with `whole`, of the whole record.
Result<Value> evaluate(InstanceTree& tree, const ScopedExpr& expr, Diagnostics& diagnostics);
/// The same without messages; empty when it cannot be computed.
std::optional<Value> try_evaluate(InstanceTree& tree, const ast::Expr& expr, const Scope& scope,
                                  const EvaluationContext& context = {});
std::optional<Value> try_evaluate(InstanceTree& tree, const ScopedExpr& expr);

/// Value of a constant or parameter of one element (`indices` of all array ancestors, not the own ones; empty: the same for
/// all elements). Has the component's own dimensions; records have their fields.
Result<Value> value_of(InstanceTree& tree, const Instance& component, Indices indices, Span used_at,
                       Diagnostics& diagnostics);

/// Whether an output, or a field of one, ends with what it is declared with. What statements give the whole around it counts
/// for Reals and Strings only: the others make sizes, which have to agree. Cost: the statements.
bool keeps_declared_value(const Instance& function, const Instance& field);

/// Dimensions of an expression, which need not be evaluable itself: only sizes are evaluated.
Result<std::vector<std::int64_t>> shape_of(InstanceTree& tree, const ast::Expr& expr, const Scope& scope,
                                           Diagnostics& diagnostics, const EvaluationContext& context = {});

}  // namespace bolza::instance
