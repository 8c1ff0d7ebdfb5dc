// SPDX-License-Identifier: Apache-2.0
// Which functions do anything but compute. To object, as Streams.error does, is not to act: assertions do that too.
#include "compiler/flatten/calls/side_effects_internal.h"

#include <algorithm>

#include "compiler/flatten/calls/function_search_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {
namespace {

std::optional<bool> has_them_itself(const Instance& f) {
  if (f.definition && (f.definition->ast->pure || is_error(f))) return false;
  bool gives = std::any_of(f.children.begin(), f.children.end(), [](const Instance* c) { return is_output(*c); });
  if (!gives && f.definition && f.definition->ast->impure) return true;
  return f.external ? std::optional(!gives) : std::nullopt;
}

/// Declared impure, or a C function of nothing, which would be a constant else.
std::optional<bool> says_impure(const Instance& f) {
  if (!f.definition || f.definition->ast->pure) return false;
  if (f.definition->ast->impure) return true;
  if (!f.external) return std::nullopt;
  return std::none_of(f.children.begin(), f.children.end(), [](const Instance* c) { return is_input(*c); });
}

constexpr FunctionSearch::Property side_effects{.own = has_them_itself, .in_expressions = false, .in_declarations = false};
constexpr FunctionSearch::Property impurity{.own = says_impure};

}  // namespace

bool is_impure(Model& model, const Instance& function) {
  return FunctionSearch(model, impurity, model.impure).has(function);
}

bool is_error(const Instance& function) {
  return function.definition && instance::full_name(*function.definition) == "Modelica.Utilities.Streams.error";
}

bool has_side_effects(Model& model, const Instance& function) {
  return FunctionSearch(model, side_effects, model.side_effects).has(function);
}

}  // namespace bolza::flatten
