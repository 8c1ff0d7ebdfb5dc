// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/build/outer_internal.h"
#include "compiler/instance/build/restrictions_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/redeclare_internal.h"

namespace bolza::instance {

using Store = InstanceTree::Store;

namespace {

/// The inner component of that name in one instance; null when there is none.
Result<const Instance*> inner_in(InstanceTree& tree, const Instance& at, std::string_view name, Diagnostics& d) {
  Store& store = tree.store();
  if (auto it = store.inner_index.find({&at, name}); it != store.inner_index.end()) return it->second;
  auto child = child_of(tree, at, name, d);
  if (!child || !*child || !(*child)->is_inner || (*child)->parent != &at) return child ? nullptr : child;
  return child;
}

std::string_view missing_message(const Definition& definition) {
  const ast::Expr* text = find_value(definition.ast->comment.annotation, "missingInnerMessage");
  return text && text->kind == ast::ExprKind::string_literal ? text->text : std::string_view{};
}

/// An inner component at the top level, of the class of the outer one.
Result<const Instance*> add_inner(InstanceTree& tree, const ast::Component& component, const TypeChain& chain,
                                  Diagnostics& d) {
  Store& store = tree.store();
  Instance& root = Store::edit(*store.root);
  std::string what = chain.definition ? full_name(*chain.definition) : std::string(name_of(chain.type));
  std::string_view message = chain.definition ? missing_message(*chain.definition) : std::string_view{};
  std::vector<Note> notes;
  if (!message.empty()) notes.push_back({{}, std::string(message)});
  if (chain.definition && chain.definition->ast->partial) {
    return d.error(codes::no_inner, component.name_span, {component.name, "its class `" + what + "` is partial"},
                   std::move(notes));
  }
  if (chain.type != Type::none) {
    return d.error(codes::no_inner, component.name_span, {component.name, "it is " + what + " without a value"},
                   std::move(notes));
  }
  d.warning(codes::inner_added, component.name_span, {component.name, what}, std::move(notes));
  Instance& c = store.make();
  c.name = component.name;
  c.declaration = &component;
  c.declared_in = root.definition;
  c.parent = &root;
  c.span = component.name_span;
  c.type = chain.type;
  c.definition = chain.definition;
  c.enclosing = chain.enclosing;
  c.class_kind = is_record(chain.kind) ? ast::ClassKind::record : chain.kind;
  c.is_connector = chain.is_connector;
  c.expandable = chain.definition && chain.definition->ast->expandable;
  c.is_inner = true;
  Environment environment;
  enter_aliases(chain, {&c}, 0, environment);
  store.pending.emplace(&c, std::move(environment));
  root.children.push_back(&c);
  store.child_index.emplace(NameIn{&root, c.name}, &c);
  return &c;
}

}  // namespace

Result<const Instance*> inner_of(InstanceTree& tree, const Instance& parent, const ast::Component& component,
                                 const Scope& scope, Diagnostics& d) {
  auto around = [](const Instance& of) {
    return of.parent ? of.parent : of.enclosing;
  };  // a package is local to `enclosing`
  for (const Instance* at = around(parent); at; at = around(*at)) {
    auto found = inner_in(tree, *at, component.name, d);
    if (!found || *found) return found;
  }
  auto chain = resolve_type(tree, scope, *component.type, false, d);
  if (!chain) return d.already_reported();
  return add_inner(tree, component, *chain, d);
}

bool check_inner_fits(InstanceTree& tree, const Instance& inner, const ast::Component& outer, const Scope& scope,
                      Diagnostics& d) {
  auto promised = resolve_type(tree, scope, *outer.type, false, d);
  if (!promised) return false;
  TypeChain given;
  given.type = inner.type;
  given.definition = inner.definition;
  given.kind = inner.class_kind;
  if (inner.type == Type::none && !inner.definition) return true;  // reported already
  auto why = plug_incompatibility(tree, given, *promised, d);
  if (!why) return false;
  std::size_t rank = outer.dimensions.size() + outer.type_dimensions.size();
  for (const AliasStep& step : promised->steps) rank += step.dimensions.size();
  if (why->empty() && rank != inner.rank())
    *why = "it has " + std::to_string(inner.rank()) + " dimensions instead of " + std::to_string(rank);
  auto stated = [](const ast::Expr* e) { return e && e->kind == ast::ExprKind::integer_literal ? e->integer : -1; };
  for (std::size_t k = 0; why->empty() && outer.type_dimensions.empty() && k < outer.dimensions.size(); ++k) {
    std::int64_t a = stated(outer.dimensions[k].index), b = stated(inner.dimensions[k].expr);
    if (a >= 0 && b >= 0 && a != b) *why = "it has the size " + std::to_string(b) + " instead of " + std::to_string(a);
  }
  if (why->empty()) return true;
  std::string what = given.definition ? full_name(*given.definition) : std::string(name_of(given.type));
  d.error(codes::does_not_fit, outer.name_span, {what, outer.name, *why}, {{inner.span, "the inner component"}});
  return false;
}

}  // namespace bolza::instance
