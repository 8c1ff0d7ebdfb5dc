#include "compiler/flatten/connections_internal.h"

namespace bolza::flatten {
namespace {

/// The connect equations of the whole model, by connector.
class Count {
 public:
  explicit Count(Model& model) : model_(model) {
    for_each_component(model.tree.root(), [&](const Instance& instance) {
      for (const auto& equation : instance.equations) visit(*equation.node, equation.scope);
    });
  }

 private:
  void visit(const ast::Equation& equation, const Scope& scope) {
    if (equation.kind == ast::EquationKind::connect) {
      auto a = side(*equation.left, scope), b = side(*equation.right, scope);
      if (!a || !b || a->removed || b->removed) return;
      for (const auto& s : {*a, *b}) model_.connects.push_back({&s.component(), subscripts_of(model_, s, scope)});
      return;
    }
    for (const auto& branch : equation.branches)
      for (const ast::Equation* inner : branch.body) visit(*inner, scope);
    for (const ast::Equation* inner : equation.body) visit(*inner, scope);
  }

  std::optional<instance::Resolved> side(const ast::Expr& expr, const Scope& scope) {
    Diagnostics quiet;
    if (expr.kind != ast::ExprKind::name) return {};
    auto resolved = instance::lookup(model_.tree, scope, *expr.reference, quiet);
    if (!resolved || resolved->kind != instance::ResolvedKind::component) return {};
    return *resolved;
  }

 public:
  /// Values of the subscripts of the path; 0 where one is not known or a whole dimension is meant.
  static std::vector<std::int64_t> subscripts_of(Model& model, const instance::Resolved& resolved, const Scope& scope) {
    std::vector<std::int64_t> out;
    for (const instance::PathPart& part : resolved.path)
      for (std::size_t d = 0; d < part.instance->rank(); ++d) {
        const ast::Expr* index = d < part.subscripts.size() ? part.subscripts[d].index : nullptr;
        auto value = index ? instance::try_evaluate(model.tree, *index, scope) : std::nullopt;
        out.push_back(value && value->scalar() ? value->integer() : 0);
      }
    return out;
  }

 private:
  Model& model_;
};

}  // namespace

std::int64_t cardinality(Model& model, const instance::Resolved& connector, const std::vector<std::int64_t>& wanted) {
  if (!model.connects_counted) {
    model.connects_counted = true;
    Count all(model);
  }
  std::int64_t n = 0;
  for (const auto& [instance, subscripts] : model.connects) {
    if (instance != &connector.component()) continue;
    bool same = true;  // from the end: paths may begin at different ancestors
    for (std::size_t k = 1; k <= std::min(wanted.size(), subscripts.size()); ++k) {
      std::int64_t a = wanted[wanted.size() - k], b = subscripts[subscripts.size() - k];
      same &= a == 0 || b == 0 || a == b;
    }
    n += same ? 1 : 0;
  }
  return n;
}

}  // namespace bolza::flatten
