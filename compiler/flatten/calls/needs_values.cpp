// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/calls/needs_values_internal.h"

#include <algorithm>

#include "compiler/flatten/calls/function_search_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/builtin_internal.h"

namespace bolza::flatten {
namespace {

std::optional<bool> needs_them_itself(const Instance& f) {
  if (f.external) return !external_operator(f);
  bool has_texts = std::any_of(f.children.begin(), f.children.end(), [](const Instance* c) {
    return c->type == instance::Type::string && c->variability != instance::Variability::constant;
  });
  return has_texts ? std::optional(true) : std::nullopt;
}

constexpr FunctionSearch::Property property{.own = needs_them_itself, .of_recursive = true, .in_assertions = false};

}  // namespace

bool needs_values(Model& model, const Instance& function) {
  return FunctionSearch(model, property, model.needs_values).has(function);
}

}  // namespace bolza::flatten
