// Which functions do anything but compute. To object, as Streams.error does, is not to act: assertions do that too.
#include <algorithm>

#include "compiler/flatten/effects_internal.h"
#include "compiler/flatten/function_internal.h"
#include "compiler/instance/instantiate.h"

namespace bolza::flatten {
namespace {

/// Looks through the statements of a function and of those it calls.
class Search {
 public:
  explicit Search(Model& model) : model_(model) {}

  bool function(const Instance& f) {
    if (f.definition && (f.definition->ast->pure || is_error(f))) return false;
    bool gives = std::any_of(f.children.begin(), f.children.end(), [](const Instance* c) { return is_output(*c); });
    if (!gives && f.definition && f.definition->ast->impure) return true;
    if (f.external) return !gives;
    if (std::find(seen_.begin(), seen_.end(), &f) != seen_.end()) return false;
    seen_.push_back(&f);
    return std::any_of(f.algorithms.begin(), f.algorithms.end(),
                       [&](const auto& section) { return statements(section.node->items, section.scope); });
  }

 private:
  bool statements(ast::List<const ast::Statement*> items, const Scope& scope) {
    return std::any_of(items.begin(), items.end(), [&](const ast::Statement* s) {
      bool calls = s->kind == ast::StatementKind::call && called(*s->value->reference, scope);
      return calls || statements(s->body, scope) ||
             std::any_of(s->branches.begin(), s->branches.end(),
                         [&](const auto& branch) { return statements(branch.body, scope); });
    });
  }

  bool called(const ast::Reference& name, const Scope& scope) {
    Work work;
    Typer typer(model_, work, scope);
    const Instance* f = function_named(typer, name);
    return f != nullptr && function(*f);
  }

  Model& model_;
  std::vector<const Instance*> seen_;
};

/// Looks for calls of functions that are declared impure.
class ImpureSearch {
 public:
  explicit ImpureSearch(Model& model) : model_(model) {}

  bool function(const Instance& f) {
    if (!f.definition || f.definition->ast->pure) return false;
    if (f.definition->ast->impure) return true;
    if (f.external || std::find(seen_.begin(), seen_.end(), &f) != seen_.end()) return false;
    seen_.push_back(&f);
    for (const Instance* child : f.children)
      if (!is_input(*child) && child->binding && expression(*child->binding.expr, child->binding.scope)) return true;
    return std::any_of(f.algorithms.begin(), f.algorithms.end(),
                       [&](const auto& section) { return statements(section.node->items, section.scope); });
  }

 private:
  bool statements(ast::List<const ast::Statement*> items, const Scope& scope) {
    return std::any_of(items.begin(), items.end(), [&](const ast::Statement* s) {
      return (s->value && expression(*s->value, scope)) || statements(s->body, scope) ||
             std::any_of(s->branches.begin(), s->branches.end(), [&](const auto& branch) {
               return (branch.condition && expression(*branch.condition, scope)) || statements(branch.body, scope);
             });
    });
  }

  bool expression(const ast::Expr& e, const Scope& scope) {
    auto inside = [&](const ast::Expr* part) { return part && expression(*part, scope); };
    if (e.kind == ast::ExprKind::call && called(*e.reference, scope)) return true;
    if (std::any_of(e.operands.begin(), e.operands.end(), inside)) return true;
    for (const auto& row : e.rows)
      if (std::any_of(row.begin(), row.end(), inside)) return true;
    if (!e.arguments) return false;
    return std::any_of(e.arguments->positional.begin(), e.arguments->positional.end(), inside) ||
           std::any_of(e.arguments->named.begin(), e.arguments->named.end(), [&](const auto& n) { return inside(n.value); });
  }

  bool called(const ast::Reference& name, const Scope& scope) {
    Work work;
    Typer typer(model_, work, scope);
    const Instance* f = function_named(typer, name);
    return f != nullptr && function(*f);
  }

  Model& model_;
  std::vector<const Instance*> seen_;
};

}  // namespace

bool is_impure(Model& model, const Instance& function) {
  auto [at, is_new] = model.impure.emplace(&function, false);
  if (is_new) at->second = ImpureSearch(model).function(function);
  return at->second;
}

bool is_error(const Instance& function) {
  return function.definition && instance::full_name(*function.definition) == "Modelica.Utilities.Streams.error";
}

bool acts(Model& model, const Instance& function) {
  auto [at, is_new] = model.acts.emplace(&function, false);
  if (is_new) at->second = Search(model).function(function);
  return at->second;
}

}  // namespace bolza::flatten
