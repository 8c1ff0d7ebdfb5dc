// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/instance/build/fields_internal.h"
#include "compiler/instance/build/outer_internal.h"
#include "compiler/instance/build/restrictions_internal.h"
#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/instance/names/redeclare_internal.h"
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

void enter_step(const AliasStep& step, const std::vector<ArrayLevel>& levels, bool container, bool from_outside,
                Environment& out) {
  out.insert(out.end(), step.configured.begin(), step.configured.end());
  enter(step.modification, step.scope, levels, container, false, from_outside, out);
}

void enter_aliases(const TypeChain& chain, const ArrayLevel& own, std::size_t own_rank, Environment& out) {
  std::size_t rank = own_rank;
  for (const AliasStep& step : chain.steps) rank += step.dimensions.size();
  std::size_t first = own_rank;
  for (const AliasStep& step : chain.steps) {
    std::vector<ArrayLevel> levels;
    if (rank > first) {
      levels.push_back({own.instance, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(rank - first)});
      if (!own.at.empty()) levels[0].at.assign(own.at.begin() + static_cast<std::ptrdiff_t>(first), own.at.end());
    }
    enter_step(step, levels, rank > first, true, out);
    first += step.dimensions.size();
  }
}

namespace {

/// A prefix that a redeclaration leaves out is that of the original.
Variability variability_of(const ast::Component& component, const ast::Component& original, const Instance& parent) {
  Variability own = Variability::continuous;
  switch (component.variability != ast::Variability::none ? component.variability : original.variability) {
    case ast::Variability::constant:
      own = Variability::constant;
      break;
    case ast::Variability::parameter:
      own = Variability::parameter;
      break;
    case ast::Variability::discrete:
      own = Variability::discrete;
      break;
    case ast::Variability::none:
      break;
  }
  return std::min(own, parent.parent ? parent.variability : Variability::continuous);
}

ast::Causality causality_of(const ast::Component& component, const ast::Component& original, const TypeChain& chain,
                            const Instance& parent) {
  if (component.causality != ast::Causality::none) return component.causality;
  if (original.causality != ast::Causality::none) return original.causality;
  for (const AliasStep& step : chain.steps) {
    if (step.causality != ast::Causality::none) return step.causality;
  }
  return parent.parent ? parent.causality : ast::Causality::none;
}

void set_prefixes(Instance& c, const Entry& entry, const ast::Component& component, const TypeChain& chain,
                  const Instance& parent) {
  const ast::Component& original = *entry.component;
  c.variability = variability_of(component, original, parent);
  c.declared_discrete =
      component.variability == ast::Variability::discrete || original.variability == ast::Variability::discrete;
  c.causality = causality_of(component, original, chain, parent);
  ast::Connection connection = component.connection != ast::Connection::none ? component.connection : original.connection;
  c.connection = connection != ast::Connection::none ? connection
                 : parent.parent                     ? parent.connection
                                                     : ast::Connection::none;
  c.is_hidden = original.prefixes.protected_ || entry.protected_;
  c.is_protected = c.is_hidden || parent.is_protected;
  c.is_final = original.prefixes.final_ || component.prefixes.final_;
  c.is_inner = original.prefixes.inner || component.prefixes.inner;
}

constexpr std::size_t deepest = 300;  ///< of components: trees are walked by recursion

/// A component of a class that it is inside of, or one too deep: reported, and true.
bool contains_itself(const Instance& c, const ast::Component& component, const TypeChain& chain, const Instance& parent,
                     Diagnostics& d) {
  std::size_t depth = 0;
  for (const Instance* above = &parent; above; above = above->parent) {
    if (++depth > deepest) {
      d.error(codes::not_supported, component.name_span, {"components nested more than 300 deep"},
              {{chain.definition->ast->name_span, "its class"}});
      return true;
    }
    if (above->definition != chain.definition || above->class_kind == ast::ClassKind::package) continue;
    d.error(codes::component_recursion, component.name_span, {full_name(*chain.definition), path_of(c)});
    return true;
  }
  return false;
}

/// The components of an optimization class that is solved may be phases.
bool may_have_phases(const Store& store, const Instance& parent) {
  return store.root == &parent && parent.class_kind == ast::ClassKind::optimization;
}

/// Whether a component is a phase: it is of an optimization class, or is given a horizon that its class does not declare.
Result<bool> is_phase(InstanceTree& tree, const Instance& c, const Environment& given, Diagnostics& d) {
  if (!may_have_phases(tree.store(), *c.parent) || c.type != Type::none) return false;
  if (c.class_kind == ast::ClassKind::optimization) return true;
  if (c.class_kind != ast::ClassKind::model && c.class_kind != ast::ClassKind::block &&
      c.class_kind != ast::ClassKind::class_)
    return false;
  for (const Mod& mod : given) {
    if (mod.name() != "startTime" && mod.name() != "finalTime") continue;
    auto own = component_member(tree.store(), *c.definition, mod.name(), d);
    if (!own) return d.already_reported();
    if (!*own) return true;
  }
  return false;
}

bool check_kind(InstanceTree& tree, Instance& c, const ast::Component& component, const TypeChain& chain,
                const Instance& parent, Diagnostics& d) {
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
      if (parent.class_kind == ast::ClassKind::function)
        return !contains_itself(c, component, chain, parent, d);  // a function as argument
      [[fallthrough]];
    case ast::ClassKind::optimization:
      if (cls.kind == ast::ClassKind::optimization && may_have_phases(tree.store(), parent)) break;
      [[fallthrough]];
    case ast::ClassKind::package:
    case ast::ClassKind::operator_:
      d.error(codes::wrong_kind, at, {syntax::spelling(cls.kind), "the type of a component"},
              {{cls.name_span, "declared here"}});
      return false;
    case ast::ClassKind::connector:
      c.expandable = cls.expandable;
      break;
    case ast::ClassKind::class_:
    case ast::ClassKind::type: {
      auto external = tree.library().predefined("ExternalObject", d);
      if (!external) return false;
      auto object = inherits(tree.store(), *chain.definition, **external, d);
      c.external_object = object && *object;
      if (c.external_object && parent.class_kind == ast::ClassKind::function && c.causality == ast::Causality::none)
        return refuse("external objects that a function makes");
      break;
    }
    case ast::ClassKind::model:
    case ast::ClassKind::block:
      if (parent.class_kind == ast::ClassKind::function) {
        d.error(codes::wrong_kind, at, {syntax::spelling(cls.kind), "the type of a component of a function"},
                {{cls.name_span, "declared here"}});
        return false;
      }
      break;
    case ast::ClassKind::record:
    case ast::ClassKind::operator_record:
      break;
  }
  if (cls.partial) {
    d.error(codes::partial_class, at, {full_name(*chain.definition)}, {{cls.name_span, "declared here"}});
    return false;
  }
  return !contains_itself(c, component, chain, parent, d);
}

/// Public components of a function are its inputs and outputs.
bool check_port(const Instance& c, const ast::Component& component, Diagnostics& d) {
  const Instance& function = *c.parent;
  bool local = c.causality == ast::Causality::none && component.variability == ast::Variability::none;
  bool is_function = function.class_kind == ast::ClassKind::function && !function.parent;
  if (!is_function || !local || c.is_hidden || component.prefixes.redeclare) return true;
  d.error(codes::not_in_this_kind, component.name_span, {"function", "public components that are neither input nor output"});
  return false;
}

/// Whether a component is a member of a connector, or of a record in one.
bool is_in_connector(const Instance& c) {
  const Instance* around = c.parent;
  while (around && !around->is_connector && around->class_kind == ast::ClassKind::record) around = around->parent;
  return around && around->is_connector;
}

bool check_prefixes(const Instance& c, const ast::Component& component, Diagnostics& d) {
  auto refuse = [&](std::string_view what) {
    d.error(codes::wrong_prefix, component.name_span, {component.name, what});
    return false;
  };
  bool flow = component.connection != ast::Connection::none;
  std::string kind = component.connection == ast::Connection::stream ? "stream" : "flow";
  if (flow && component.causality != ast::Causality::none) return refuse("both " + kind + " and input or output");
  if (flow && c.variability < Variability::discrete) return refuse("both " + kind + " and parameter or constant");
  if (flow && c.type != Type::real && c.type != Type::none) return refuse(kind + ", because it is not Real");
  if (kind == "stream" && !is_in_connector(c)) return refuse("stream, because it is in no connector");
  bool part = c.type == Type::none && (c.class_kind == ast::ClassKind::model || c.class_kind == ast::ClassKind::block);
  bool already = c.parent->parent && c.parent->declaration && c.parent->class_kind != ast::ClassKind::function;
  if (already && component.connection != ast::Connection::none && c.parent->connection != ast::Connection::none) {
    return refuse("flow or stream, because `" + path_of(*c.parent) + "` is");
  }
  if (already && component.causality != ast::Causality::none && c.parent->causality != ast::Causality::none) {
    return refuse("input or output, because `" + path_of(*c.parent) + "` is");
  }
  if (part && component.variability != ast::Variability::none)
    return refuse("constant, parameter or discrete, because it is " + describe(c));
  bool fixed = component.variability == ast::Variability::constant || component.variability == ast::Variability::parameter;
  if (c.is_connector && fixed) return refuse("constant or parameter, because it is a connector");
  if (part && flow) return refuse(kind + ", because it is " + describe(c));
  if (part && component.causality != ast::Causality::none) return refuse("input or output, because it is " + describe(c));
  return true;
}

std::size_t depth_of(const Instance* instance) {
  std::size_t depth = 0;
  for (; instance; instance = instance->parent) ++depth;
  return depth == 0 ? 1000 : depth;
}

/// Own dimensions: those of the redeclaration, else of the original.
std::size_t set_dimensions(Instance& c, const CountingDeclaration& counting, const ast::Component& original,
                           const TypeChain& chain, const Scope& scope) {
  const ast::Component& component = *counting.component;
  bool own = !component.dimensions.empty() || !component.type_dimensions.empty();
  const ast::Component& sized = own ? component : original;
  const Scope& sizes = own ? counting.scope : scope;
  for (const ast::Subscript& s : sized.dimensions) c.dimensions.push_back({-1, s.index, sizes});
  for (const ast::Subscript& s : sized.type_dimensions) c.dimensions.push_back({-1, s.index, sizes});
  std::size_t rank = c.dimensions.size();
  for (const AliasStep& step : chain.steps) {
    for (const ast::Subscript& s : step.dimensions) c.dimensions.push_back({-1, s.index, step.scope});
  }
  return rank;
}

/// Whether the value of a member was given where its record is declared, and the record's value later: that overrides it.
bool given_by_declaration(const Instance& record, const ScopedExpr& member) {
  const ast::Modification* own = record.declaration ? record.declaration->modification : nullptr;
  if (!own || own->value == record.binding.expr || member.scope.instance != record.parent) return false;
  return own->span.file == member.span.file && own->span.begin <= member.span.begin && member.span.end <= own->span.end;
}

/// Whether a class extends another, at any depth.
bool extends_class(Store& store, const Definition& derived, const Definition& base) {
  Diagnostics aside;
  auto bases = bases_of(store, derived, aside);
  return bases && std::any_of(bases->begin(), bases->end(), [&](const Base& one) {
           return one.definition && (one.definition == &base || extends_class(store, *one.definition, base));
         });
}

/// Whether the record's value was given where a class is extended that gave the value of the member: that overrides it.
bool given_by_base(Store& store, const ScopedExpr& whole, const ScopedExpr& member) {
  const Definition *outer = whole.scope.lexical, *inner = member.scope.lexical;
  return outer && inner && outer != inner && whole.scope.instance == member.scope.instance &&
         extends_class(store, *outer, *inner);
}

/// A scalar that sizes may depend on. Given alongside the whole record it says what the record has to have.
bool is_structural(const Instance& c) {
  bool counts = c.type == Type::integer || c.type == Type::boolean || c.type == Type::enumeration;
  return counts && c.rank() == 0 && c.variability <= Variability::parameter;
}

/// @param at  of an element of a nonuniform array: its indices in the value
void set_binding(InstanceTree& tree, Instance& c, const std::vector<std::int64_t>& at, const ast::Component& component,
                 bool counts, const Selection& selection, const Scope& scope, Diagnostics& d) {
  const Instance& parent = *c.parent;
  ScopedExpr from_whole;
  bool is_fixed = component.variability == ast::Variability::constant && component.binding() && selection.values.empty();
  if (parent.parent && parent.binding && !is_fixed) {
    from_whole = parent.binding;
    if (!from_whole.whole) from_whole.whole = &parent;
  }
  if (!selection.values.empty()) {
    const GivenValue& given = selection.values.front();
    if (from_whole && !given_by_declaration(parent, given.value) && !given_by_base(tree.store(), from_whole, given.value) &&
        depth_of(given.value.scope.instance) <= depth_of(from_whole.scope.instance)) {
      if (is_structural(c) && !given.breaks) {
        c.binding = of_element(tree, given.value, at);
        tree.store().given_twice.emplace_back(&c, std::move(from_whole));
        return;
      }
      d.error(codes::part_of_whole, given.value.span, {path_of(c), path_of(*from_whole.whole)},
              {{from_whole.span, "the whole is given here"}});
    } else if (!from_whole) {
      if (!given.breaks) c.binding = of_element(tree, given.value, at);
      return;
    }
  }
  if (from_whole) c.binding = from_whole;
  else if (counts && component.binding()) {
    ScopedExpr value{
        .expr = component.binding(), .scope = scope, .final_ = component.prefixes.final_, .span = component.span};
    c.binding = of_element(tree, std::move(value), at);
  }
}

bool check_value(const Instance& c, Diagnostics& d) {
  if (!c.binding || c.type != Type::none) return true;
  if (c.class_kind != ast::ClassKind::model && c.class_kind != ast::ClassKind::block) return true;
  d.error(codes::value_for_class, c.binding.span, {path_of(c), "a component of " + describe(c)});
  return false;
}

bool check_modified(const Instance& c, const ast::Component& component, const Selection& selection, Diagnostics& d) {
  std::string name = path_of(c);
  if (component.prefixes.final_ && !selection.hits.empty()) {
    d.error(codes::final_modified, selection.hits[0]->argument->span, {name},
            {{component.name_span, "declared final here"}});
    return false;
  }
  if (component.prefixes.protected_ && !selection.hits.empty() && selection.hits[0]->from_outside) {
    d.error(codes::protected_modified, selection.hits[0]->argument->span, {component.name, path_of(*c.parent)},
            {{component.name_span, "declared here"}});
    return false;
  }
  return check_final(selection, name, d);
}

}  // namespace

namespace {

/// `outer T c;`: the name leads to the inner component. With `inner outer` the caller makes that component, too.
Result<const Instance*> make_outer(InstanceTree& tree, Instance& parent, const ast::Component& component, const Scope& scope,
                                   const Selection& selection, Diagnostics& d) {
  if (!component.prefixes.inner && (!selection.hits.empty() || component.binding())) {
    Span at = selection.hits.empty() ? component.span : selection.hits.front()->span();
    return d.error(codes::outer_modified, at, {component.name}, {{component.name_span, "declared here"}});
  }
  auto inner = inner_of(tree, parent, component, scope, d);
  if (!inner || !check_inner_fits(tree, **inner, component, scope, d)) return d.already_reported();
  tree.store().child_index.emplace(NameIn{&parent, component.name}, *inner);
  return inner;
}

/// The root has nothing around it: its outer components become inner ones.
void warn_of_outer_at_root(const Instance& c, Diagnostics& d) {
  d.warning(codes::inner_added, c.span, {c.name, c.definition ? full_name(*c.definition) : std::string(name_of(c.type))});
}

/// Whether the elements of an array become components of their own. Those of records that are given as a whole, of inputs
/// and outputs of functions, and in record constructors, do not.
bool is_known_nonuniform(Store& store, const Instance& array) {
  if (store.nonuniform.empty() || array.type != Type::none || array.parent->binding) return false;
  const Instance* root = array.parent;
  while (root->parent) root = root->parent;
  if (root->class_kind == ast::ClassKind::record) return false;
  if (root->class_kind == ast::ClassKind::function && array.causality != ast::Causality::none) return false;
  return store.nonuniform.contains(key_of(array));
}

constexpr std::size_t most_components = 500'000;

/// One message, however many components are asked for after it.
Reported too_many(const Store& store, Diagnostics& d) {
  const Definition* model = store.root ? store.root->definition : nullptr;
  return d.error(codes::too_many_components, model ? model->ast->name_span : Span{},
                 {model ? full_name(*model) : "the model"});
}

/// @param element  null: the component itself, with all its dimensions
Result<const Instance*> make(InstanceTree& tree, Instance& parent, const Entry& entry, const ElementOf* element,
                             Diagnostics& d) {
  Store& store = tree.store();
  const ast::Component& original = *entry.component;
  Scope scope{&parent, entry.lexical};
  Selection selection = select(*entry.environment, original.name, false);
  bool at_root = store.root == &parent, outer = original.prefixes.outer && !at_root && !element;
  if (outer) {
    auto inner = make_outer(tree, parent, original, scope, selection, d);
    if (!inner) return d.already_reported();
    if (!original.prefixes.inner) return static_cast<const Instance*>(nullptr);
  }
  if (store.instances.size() > most_components) return too_many(store, d);
  Instance& c = store.make();
  c.name = element ? element->name : original.name;
  c.declaration = &original;
  c.declared_in = entry.lexical;
  c.parent = &parent;
  c.span = original.name_span;
  if (outer) store.inner_index.emplace(NameIn{&parent, c.name}, &c);
  if (original.modification && store.checked.insert(original.modification).second)
    check_single_modification(original.modification, d);
  auto broken = [&] {
    store.broken.insert(&c);
    return static_cast<const Instance*>(&c);
  };
  if (!check_modified(c, original, selection, d)) return broken();
  if (original.type->simple() && original.type->parts[0].identifier == original.name) {
    d.error(codes::named_like_type, original.name_span, {original.name});
    return broken();
  }
  auto counting = counting_declaration(tree, original, scope, selection, path_of(c), d);
  if (!counting) return broken();
  const ast::Component& component = *counting->component;
  auto chain = resolve_type(tree, counting->scope, *component.type, false, d);
  if (!chain || !check_component_fits(tree, *counting, *chain, original, scope, selection, d)) return broken();
  c.type = chain->type;
  c.definition = chain->definition;
  c.enclosing = chain->enclosing;
  c.enumeration = c.type == Type::enumeration ? chain->definition : nullptr;
  c.class_kind = is_record(chain->kind) ? ast::ClassKind::record : chain->kind;
  c.is_connector = chain->is_connector;
  set_prefixes(c, entry, component, *chain, parent);
  if (at_root && original.prefixes.outer && !c.is_inner) {
    c.is_inner = true;
    warn_of_outer_at_root(c, d);
  }
  std::size_t own_rank = set_dimensions(c, *counting, original, *chain, scope);
  if (original.field && !set_domain(tree, c, original, selection, scope, d)) return broken();
  auto rank = static_cast<std::uint32_t>(c.dimensions.size());
  ArrayLevel own{element ? element->array : &c, 0, rank};
  if (element) {
    own.at = element->at;
    c.dimensions.clear();
  }
  set_binding(tree, c, own.at, original, !counting->by || !original.constrained_by, selection, scope, d);
  if (!check_kind(tree, c, component, *chain, parent, d) || !check_prefixes(c, original, d) || !check_port(c, original, d) ||
      !check_value(c, d))
    return broken();
  if (rank > 0 && !element && is_known_nonuniform(store, c)) {
    c.is_nonuniform = true;
    store.nonuniform_entries.emplace(&c, entry);
  }
  Environment environment;
  inside(selection, own, environment);
  std::vector<ArrayLevel> levels;
  if (rank > 0) levels.push_back(own);
  enter_declarations(*counting, original, scope, selection, levels, c.is_final, environment);
  enter_aliases(*chain, own, own_rank, environment);
  auto phase = is_phase(tree, c, environment, d);
  if (!phase) return broken();
  c.is_phase = *phase;
  if (c.type == Type::none) store.pending.emplace(&c, std::move(environment));
  else if (!set_attributes(tree, c, environment, d)) store.broken.insert(&c);
  return &c;
}

}  // namespace

Result<const Instance*> make_child(InstanceTree& tree, Instance& parent, const Entry& entry, Diagnostics& d) {
  return make(tree, parent, entry, nullptr, d);
}

Result<const Instance*> make_element(InstanceTree& tree, Instance& parent, const Entry& entry, const ElementOf& element,
                                     Diagnostics& d) {
  return make(tree, parent, entry, &element, d);
}

}  // namespace bolza::instance
