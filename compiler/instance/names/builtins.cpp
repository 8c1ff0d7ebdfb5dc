// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "compiler/instance/lookup.h"

namespace bolza::instance {

namespace {

/// Sorted.
constexpr auto functions = std::to_array<std::string_view>({
    "Connections.branch",
    "Connections.isRoot",
    "Connections.potentialRoot",
    "Connections.root",
    "Connections.rooted",
    "Connections.uniqueRoot",
    "Connections.uniqueRootIndices",
    "abs",
    "acos",
    "activeState",
    "actualStream",
    "array",
    "asin",
    "assert",
    "atan",
    "atan2",
    "backSample",
    "cardinality",
    "cat",
    "ceil",
    "change",
    "cos",
    "cosh",
    "cross",
    "delay",
    "der",
    "diagonal",
    "div",
    "edge",
    "exp",
    "fill",
    "firstTick",
    "floor",
    "getInstanceName",
    "hold",
    "homotopy",
    "identity",
    "inStream",
    "initial",
    "initialState",
    "integer",
    "integral",
    "interval",
    "isPresent",
    "linspace",
    "log",
    "log10",
    "matrix",
    "max",
    "min",
    "mod",
    "ndims",
    "noClock",
    "noEvent",
    "ones",
    "outerProduct",
    "pre",
    "previous",
    "product",
    "promote",
    "pure",
    "reinit",
    "rem",
    "rooted",
    "sample",
    "scalar",
    "semiLinear",
    "shiftSample",
    "sign",
    "sin",
    "sinh",
    "size",
    "skew",
    "smooth",
    "spatialDistribution",
    "sqrt",
    "subSample",
    "sum",
    "superSample",
    "symmetric",
    "tan",
    "tanh",
    "terminal",
    "terminate",
    "ticksInState",
    "timeInState",
    "transition",
    "transpose",
    "vector",
    "zeros",
});
static_assert(std::is_sorted(functions.begin(), functions.end()));

}  // namespace

std::string_view builtin_function(std::string_view name) {
  auto it = std::lower_bound(functions.begin(), functions.end(), name);
  return it != functions.end() && *it == name ? *it : std::string_view{};
}

bool is_builtin_function(std::string_view name) { return !builtin_function(name).empty(); }

std::vector<std::string> literals_of(const Definition& enumeration) {
  std::vector<std::string> out;
  for (const ast::EnumerationLiteral& literal : enumeration.ast->literals) out.emplace_back(literal.name);
  return out;
}

}  // namespace bolza::instance
