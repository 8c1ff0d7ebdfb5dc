// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/context_internal.h"

#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/iterators_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

Context context_of(Model& model, const Instance& component, const Scope& scope) {
  Context context;
  context.scope = scope;
  const Instance* place = scope.instance ? scope.instance : &component;
  context.space = space_of(model, *place, true);
  std::vector<const Instance*> path;
  for (const Instance* i = place; i != nullptr; i = i->parent) path.push_back(i);
  for (std::size_t k = path.size(); k-- > 0;)
    for (std::size_t d = 0; d < path[k]->rank(); ++d)
      context.names.emplace_back(std::string(path[k]->name), model.axis_of(*path[k], d));
  return context;
}

namespace {

void add_mention(const ast::Expr* expr, std::string_view iterator, Subscripted& out) {
  if (expr && mentions_as_subscript(*expr, iterator)) out.push_back(expr);
}

void add_all(const Subscripted& from, Subscripted& to) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

Subscripted subscripted_by(ast::List<const ast::Equation*> body, std::string_view iterator) {
  Subscripted out;
  for (const ast::Equation* equation : body) {
    for (const ast::Expr* side : {equation->left, equation->right}) add_mention(side, iterator, out);
    for (const auto& branch : equation->branches) {
      add_mention(branch.condition, iterator, out);
      add_all(subscripted_by(branch.body, iterator), out);
    }
    add_all(subscripted_by(equation->body, iterator), out);
  }
  return out;
}

Subscripted subscripted_by(ast::List<const ast::Statement*> body, std::string_view iterator) {
  Subscripted out;
  for (const ast::Statement* s : body) {
    for (const ast::Expr* side : {s->target, s->value}) add_mention(side, iterator, out);
    for (const auto& branch : s->branches) {
      add_mention(branch.condition, iterator, out);
      add_all(subscripted_by(branch.body, iterator), out);
    }
    add_all(subscripted_by(s->body, iterator), out);
  }
  return out;
}

Typer typer_in(Model& model, Work& work, const Context& context) {
  Typer typer(model, work, context.scope);
  typer.iterators = context.iterators;
  return typer;
}

Outcome<Context> enter_loop(Model& model, const ast::Iterator& iterator, const Subscripted& body, const Context& context,
                            Work& work) {
  Typer typer = typer_in(model, work, context);
  auto range = typer.range_of(iterator, body);
  if (!range) return range.failure();
  auto values = typer.range_values(*range);
  if (!values) return values.failure();
  Context inner = context;
  AxisId axis = model.nodes.new_axis();
  inner.space = extend_each(work.space, axis, std::move(*values));
  Node node = *model.nodes.axis(axis, iterator.span, range->basic);
  node.definition = range->definition;
  inner.iterators.emplace_back(iterator.name, model.nodes.add(std::move(node)));
  std::string_view shown = iterator.name.starts_with('$') ? iterator.name.substr(1) : iterator.name;  // of fields
  inner.names.emplace_back(std::string(shown), axis);
  return inner;
}

}  // namespace bolza::flatten
