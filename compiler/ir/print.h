// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "compiler/ir/flat_model.h"
#include "compiler/ir/problem.h"

namespace bolza::ir {

/// The shortest decimal text that reads back as the same double: "0.1", "1e-06", "Inf".
std::string to_text(double value);

/// What a leaf (slot, datum, weight, direction) is called; never asked for numbers.
using LeafName = std::function<std::string(Op op, std::uint32_t k)>;

struct PrintOptions {
  std::size_t limit = 400;  ///< longer texts are cut in the middle of their tree and show "…"
};

/// An expression in Modelica's spelling with the fewest parentheses. Calls print as name(arguments), later outputs as
/// name(arguments)[k]. Cost: the length of the text, whatever the size of the expression.
std::string to_text(const Expressions& expressions, ExprId root, const LeafName& leaf, PrintOptions options = {});

/// Leaves named s1, d1, w1, v1 (slot, datum, weight, direction; from 1).
std::string to_text(const Expressions& expressions, ExprId root, PrintOptions options = {});

/// With the names and numbers of one instance of a group, or of a term.
std::string to_text(const FlatModel& model, const Group& group, std::size_t root, std::size_t instance,
                    PrintOptions options = {});
std::string to_text(const FlatModel& model, const Term& term, PrintOptions options = {});

/// The statements of a Program, indented.
std::string to_text(const Expressions& expressions, ProgramId program);

struct ListOptions {
  std::size_t instances = 3;  ///< of a group that are written out; the others are counted. 0: all of them
};

/// The flat model as readable text: variables with their attributes, equations, initial equations, assertions, the
/// optimisation problem. Rows that several instances add to are written as sums.
std::string to_text(const FlatModel& model, ListOptions options = {});

/// The standard form as readable text: numbers of variables, functions with their rows, patterns of repetition.
std::string to_text(const Problem& problem, ListOptions options = {});

}  // namespace bolza::ir
