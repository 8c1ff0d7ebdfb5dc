#include <algorithm>

#include "compiler/flatten/function_internal.h"
#include "compiler/flatten/type_internal.h"
#include "compiler/instance/instantiate.h"

namespace bolza::flatten {
namespace {

/// Looks through the text of a function and of those it calls.
class Search {
 public:
  explicit Search(Model& model) : model_(model) {}

  bool function(const Instance& f) {
    if (std::find(under_way_.begin(), under_way_.end(), &f) != under_way_.end()) return true;  // it calls itself
    if (auto known = model_.needs_values.find(&f); known != model_.needs_values.end()) return known->second;
    under_way_.push_back(&f);
    bool needs = declarations(f);
    for (const auto& section : f.algorithms) needs = needs || statements(section.node->items, section.scope);
    under_way_.pop_back();
    return model_.needs_values[&f] = needs;
  }

 private:
  bool declarations(const Instance& f) {
    if (f.external) {
      std::string_view name = f.external->function.empty() ? f.name : f.external->function;
      return !math_operator(name, static_cast<std::size_t>(std::count_if(f.children.begin(), f.children.end(),
                                                                         [](const Instance* c) { return is_input(*c); })));
    }
    for (const Instance* child : f.children) {
      if (child->variability == instance::Variability::constant) continue;
      if (child->type == instance::Type::string) return true;
      if (!is_input(*child) && child->binding && expression(*child->binding.expr, child->binding.scope)) return true;
    }
    return false;
  }

  bool statements(ast::List<const ast::Statement*> items, const Scope& scope) {
    return std::any_of(items.begin(), items.end(), [&](const ast::Statement* s) { return statement(*s, scope); });
  }

  bool statement(const ast::Statement& s, const Scope& scope) {
    if (s.value && s.value->kind == ast::ExprKind::call && s.value->reference->simple() &&
        s.value->reference->parts[0].identifier == "assert")
      return false;
    if (s.value && expression(*s.value, scope)) return true;
    for (const auto& branch : s.branches)
      if ((branch.condition && expression(*branch.condition, scope)) || statements(branch.body, scope)) return true;
    return statements(s.body, scope);
  }

  bool expression(const ast::Expr& e, const Scope& scope) {
    if (e.kind == ast::ExprKind::call && call(e, scope)) return true;
    auto inside = [&](const ast::Expr* part) { return part && expression(*part, scope); };
    if (std::any_of(e.operands.begin(), e.operands.end(), inside)) return true;
    for (const auto& row : e.rows)
      if (std::any_of(row.begin(), row.end(), inside)) return true;
    if (!e.arguments) return false;
    return std::any_of(e.arguments->positional.begin(), e.arguments->positional.end(), inside) ||
           std::any_of(e.arguments->named.begin(), e.arguments->named.end(), [&](const auto& n) { return inside(n.value); });
  }

  bool call(const ast::Expr& e, const Scope& scope) {
    Diagnostics quiet;
    auto resolved = instance::lookup(model_.tree, scope, *e.reference, quiet);
    if (!resolved || resolved->kind != instance::ResolvedKind::class_) return false;
    auto made = instance::instance_of(model_.tree, *resolved->definition, resolved->enclosing, e.span, quiet);
    return made && (*made)->class_kind == ast::ClassKind::function && function(**made);
  }

  Model& model_;
  std::vector<const Instance*> under_way_;
};

}  // namespace

bool needs_values(Model& model, const Instance& function) { return Search(model).function(function); }

}  // namespace bolza::flatten
