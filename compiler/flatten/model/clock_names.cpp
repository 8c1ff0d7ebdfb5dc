// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/model/clock_names_internal.h"

#include <algorithm>
#include <array>

#include "compiler/instance/lookup.h"

namespace bolza::flatten {

bool is_clock(Model& model, const Scope& scope, const ast::Expr& expr) {
  if (expr.kind == ast::ExprKind::if_) return is_clock(model, scope, *expr.operands.back());
  if (expr.kind == ast::ExprKind::call && expr.reference->simple()) {
    constexpr std::array<std::string_view, 4> conversions{"subSample", "superSample", "shiftSample", "backSample"};
    std::string_view name = expr.reference->parts[0].identifier;
    if (name == "Clock") return true;
    if (std::find(conversions.begin(), conversions.end(), name) == conversions.end()) return false;
    const auto& given = expr.arguments->positional;
    return !given.empty() && is_clock(model, scope, *given[0]);
  }
  if (expr.kind != ast::ExprKind::name) return false;
  Diagnostics quiet;
  auto resolved = instance::lookup(model.tree, scope, *expr.reference, quiet);
  return resolved && resolved->kind == instance::ResolvedKind::component && !resolved->removed &&
         resolved->component().type == instance::Type::clock;
}

}  // namespace bolza::flatten
