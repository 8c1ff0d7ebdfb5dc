// Which functions do anything but compute. To object, as Streams.error does, is not to act: assertions do that too.
#include <algorithm>

#include "compiler/flatten/effects_internal.h"
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

}  // namespace

bool is_error(const Instance& function) {
  return function.definition && instance::full_name(*function.definition) == "Modelica.Utilities.Streams.error";
}

bool acts(Model& model, const Instance& function) {
  auto [at, is_new] = model.acts.emplace(&function, false);
  if (is_new) at->second = Search(model).function(function);
  return at->second;
}

}  // namespace bolza::flatten
