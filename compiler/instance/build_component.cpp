#include <algorithm>

#include "compiler/instance/build_internal.h"
#include "compiler/instance/class_lookup_internal.h"
#include "compiler/instance/codes.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

using Store = InstanceTree::Store;

bool check_final(const Selection& selection, std::string_view name, Diagnostics& d) {
  for (std::size_t i = 1; i < selection.hits.size(); ++i) {
    const Mod& weaker = *selection.hits[i];
    if (!weaker.final_ || weaker.parallel) continue;
    const Mod& stronger = *selection.hits[i - 1];
    d.error(codes::final_modified, stronger.argument->span, {name}, {{weaker.argument->span, "made final here"}});
    return false;
  }
  return true;
}

void enter_aliases(const TypeChain& chain, const Instance& instance, std::size_t own_rank, Environment& out) {
  std::size_t rank = own_rank;
  for (const AliasStep& step : chain.steps) rank += step.dimensions.size();
  std::size_t at = own_rank;
  for (const AliasStep& step : chain.steps) {
    std::vector<Level> levels;
    if (rank > at) levels.push_back({&instance, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(rank - at)});
    enter(step.modification, step.scope, levels, rank > at, false, true, out);
    at += step.dimensions.size();
  }
}

namespace {

Variability variability_of(const ast::Component& component, const Instance& parent) {
  Variability own = Variability::continuous;
  switch (component.variability) {
    case ast::Variability::constant: own = Variability::constant; break;
    case ast::Variability::parameter: own = Variability::parameter; break;
    case ast::Variability::discrete: own = Variability::discrete; break;
    case ast::Variability::none: break;
  }
  return std::min(own, parent.parent ? parent.variability : Variability::continuous);
}

ast::Causality causality_of(const ast::Component& component, const TypeChain& chain, const Instance& parent) {
  if (component.causality != ast::Causality::none) return component.causality;
  for (const AliasStep& step : chain.steps) {
    if (step.causality != ast::Causality::none) return step.causality;
  }
  return parent.parent ? parent.causality : ast::Causality::none;
}

void set_prefixes(Instance& c, const Entry& entry, const TypeChain& chain, const Instance& parent) {
  const ast::Component& component = *entry.component;
  c.variability = variability_of(component, parent);
  c.declared_discrete = component.variability == ast::Variability::discrete;
  c.causality = causality_of(component, chain, parent);
  c.connection = component.connection != ast::Connection::none ? component.connection : parent.parent ? parent.connection : ast::Connection::none;
  c.is_protected = component.prefixes.protected_ || entry.protected_ || parent.is_protected;
  c.is_final = component.prefixes.final_;
  c.is_inner = component.prefixes.inner;
}

constexpr std::size_t deepest = 300;  ///< of components: trees are walked by recursion

/// A component of a class that it is inside of, or one too deep: told, and true.
bool contains_itself(const Instance& c, const ast::Component& component, const TypeChain& chain, const Instance& parent, Diagnostics& d) {
  std::size_t depth = 0;
  for (const Instance* above = &parent; above; above = above->parent) {
    if (++depth > deepest) {
      d.error(codes::not_supported, component.name_span, {"components nested more than 300 deep"}, {{chain.definition->ast->name_span, "its class"}});
      return true;
    }
    if (above->definition != chain.definition || above->class_kind == ast::ClassKind::package) continue;
    d.error(codes::component_recursion, component.name_span, {full_name(*chain.definition), path_of(c)});
    return true;
  }
  return false;
}

bool check_kind(InstanceTree& tree, const Instance& c, const ast::Component& component, const TypeChain& chain, const Instance& parent,
                Diagnostics& d) {
  Span at = component.type->span;
  if (chain.type != Type::none) return true;
  const ast::Class& cls = *chain.definition->ast;
  auto refuse = [&](std::string_view what) {
    d.error(codes::not_supported, component.name_span, {what}, {{cls.name_span, "its class"}});
    return false;
  };
  switch (cls.kind) {
    case ast::ClassKind::function:
    case ast::ClassKind::operator_function:
      if (parent.class_kind == ast::ClassKind::function) return !contains_itself(c, component, chain, parent, d);  // a function as argument
      [[fallthrough]];
    case ast::ClassKind::package:
    case ast::ClassKind::operator_:
    case ast::ClassKind::optimization:
      d.error(codes::wrong_kind, at, {syntax::spelling(cls.kind), "the type of a component"}, {{cls.name_span, "declared here"}});
      return false;
    case ast::ClassKind::operator_record: return refuse("operator record `" + full_name(*chain.definition) + "`");
    case ast::ClassKind::connector:
      if (cls.expandable) return refuse("expandable connector `" + full_name(*chain.definition) + "`");
      break;
    case ast::ClassKind::class_: {
      auto external = tree.library().predefined("ExternalObject", d);
      if (!external) return false;
      auto object = inherits(tree.store(), *chain.definition, **external, d);
      if (object && *object) return refuse("external object `" + full_name(*chain.definition) + "`");
      break;
    }
    case ast::ClassKind::model:
    case ast::ClassKind::block:
    case ast::ClassKind::record:
    case ast::ClassKind::type: break;
  }
  if (cls.partial) {
    d.error(codes::partial_class, at, {full_name(*chain.definition)}, {{cls.name_span, "declared here"}});
    return false;
  }
  return !contains_itself(c, component, chain, parent, d);
}

bool check_prefixes(const Instance& c, const ast::Component& component, Diagnostics& d) {
  auto refuse = [&](std::string_view what) {
    d.error(codes::wrong_prefix, component.name_span, {component.name, what});
    return false;
  };
  if (component.connection == ast::Connection::stream) {
    d.error(codes::not_supported, component.name_span, {"stream variable `" + std::string(component.name) + "`"});
    return false;
  }
  bool flow = component.connection == ast::Connection::flow;
  if (flow && component.causality != ast::Causality::none) return refuse("both flow and input or output");
  if (flow && c.variability < Variability::discrete) return refuse("both flow and parameter or constant");
  if (flow && c.type != Type::real && c.type != Type::none) return refuse("flow, because it is not Real");
  bool part = c.type == Type::none && (c.class_kind == ast::ClassKind::model || c.class_kind == ast::ClassKind::block);
  if (part && flow) return refuse("flow, because it is " + describe(c));
  if (part && component.causality != ast::Causality::none) return refuse("input or output, because it is " + describe(c));
  return true;
}

std::size_t depth_of(const Instance* instance) {
  std::size_t depth = 0;
  for (; instance; instance = instance->parent) ++depth;
  return depth == 0 ? 1000 : depth;
}

void set_dimensions(Instance& c, const ast::Component& component, const TypeChain& chain, const Scope& scope) {
  for (const ast::Subscript& s : component.dimensions) c.dimensions.push_back({-1, s.index, scope});
  for (const ast::Subscript& s : component.type_dimensions) c.dimensions.push_back({-1, s.index, scope});
  for (const AliasStep& step : chain.steps) {
    for (const ast::Subscript& s : step.dimensions) c.dimensions.push_back({-1, s.index, step.scope});
  }
}

void set_binding(Instance& c, const ast::Component& component, const Selection& selection, const Scope& scope, Diagnostics& d) {
  const Instance& parent = *c.parent;
  ScopedExpr from_whole;
  if (parent.parent && parent.binding) {
    from_whole = parent.binding;
    if (!from_whole.whole) from_whole.whole = &parent;
  }
  if (!selection.values.empty()) {
    const GivenValue& given = selection.values.front();
    if (from_whole && depth_of(given.value.scope.instance) <= depth_of(from_whole.scope.instance)) {
      d.error(codes::part_of_whole, given.value.span, {path_of(c), path_of(*from_whole.whole)}, {{from_whole.span, "the whole is given here"}});
    } else if (!from_whole) {
      if (!given.breaks) c.binding = given.value;
      return;
    }
  }
  if (from_whole) c.binding = from_whole;
  else if (component.binding()) {
    c.binding = {.expr = component.binding(), .scope = scope, .final_ = component.prefixes.final_, .span = component.span};
  }
}

bool check_value(const Instance& c, Diagnostics& d) {
  if (!c.binding || c.type != Type::none) return true;
  if (c.class_kind != ast::ClassKind::model && c.class_kind != ast::ClassKind::block) return true;
  d.error(codes::value_for_class, c.binding.span, {path_of(c), "a component of " + describe(c)});
  return false;
}

bool check_modified(const Instance& c, const ast::Component& component, const Selection& selection, const ast::Argument* redeclaration,
                    Diagnostics& d) {
  std::string name = path_of(c);
  if (redeclaration || component.prefixes.redeclare) {
    d.error(codes::not_supported, redeclaration ? redeclaration->span : component.name_span, {"redeclaration of `" + name + "`"});
    return false;
  }
  if (component.prefixes.outer) {
    d.error(codes::not_supported, component.name_span, {"outer component `" + name + "`"});
    return false;
  }
  if (component.prefixes.final_ && !selection.hits.empty()) {
    d.error(codes::final_modified, selection.hits[0]->argument->span, {name}, {{component.name_span, "declared final here"}});
    return false;
  }
  if (component.prefixes.protected_ && !selection.hits.empty() && selection.hits[0]->from_outside) {
    d.warning(codes::protected_modified, selection.hits[0]->argument->span, {component.name, path_of(*c.parent)},
              {{component.name_span, "declared here"}});
  }
  return check_final(selection, name, d);
}

}  // namespace

Result<const Instance*> make_child(InstanceTree& tree, Instance& parent, const Entry& entry, Diagnostics& d) {
  Store& store = tree.store();
  const ast::Component& component = *entry.component;
  Scope scope{&parent, entry.lexical};
  Instance& c = store.make();
  c.name = component.name, c.declaration = &component, c.declared_in = entry.lexical, c.parent = &parent, c.span = component.name_span;
  const ast::Argument* redeclaration = nullptr;
  Selection selection = select(*entry.environment, component.name, false, &redeclaration);
  if (component.modification && store.checked.insert(component.modification).second) check_single_modification(component.modification, d);
  bool good = check_modified(c, component, selection, redeclaration, d);
  auto chain = good ? resolve_type(tree, scope, *component.type, false, d) : Result<TypeChain>(d.already_reported());
  if (!chain) {
    store.broken.insert(&c);
    return &c;
  }
  c.type = chain->type;
  c.definition = chain->definition, c.enclosing = chain->enclosing;
  c.enumeration = c.type == Type::enumeration ? chain->definition : nullptr;
  c.class_kind = chain->kind, c.is_connector = chain->is_connector;
  set_prefixes(c, entry, *chain, parent);
  set_dimensions(c, component, *chain, scope);
  set_binding(c, component, selection, scope, d);
  good = check_kind(tree, c, component, *chain, parent, d) && check_prefixes(c, component, d) && check_value(c, d);
  if (!good) {
    store.broken.insert(&c);
    return &c;
  }
  std::size_t own_rank = component.dimensions.size() + component.type_dimensions.size();
  auto rank = static_cast<std::uint32_t>(c.dimensions.size());
  Environment environment;
  inside(selection, {&c, 0, rank}, environment);
  std::vector<Level> levels;
  if (rank > 0) levels.push_back({&c, 0, rank});
  enter(component.modification, scope, levels, rank > 0, c.is_final, true, environment);
  enter_aliases(*chain, c, own_rank, environment);
  if (c.type == Type::none) store.pending.emplace(&c, std::move(environment));
  else if (!set_attributes(tree, c, environment, d)) store.broken.insert(&c);
  return &c;
}

}  // namespace bolza::instance
