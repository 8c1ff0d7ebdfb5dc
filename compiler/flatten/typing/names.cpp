// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/typer_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/nonuniform_arrays_internal.h"
#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/library/codes.h"

namespace bolza::flatten {
namespace {

Basic basic_of(const Instance& instance) {
  switch (instance.type) {
    case instance::Type::none:
      return Basic::record;
    case instance::Type::real:
      return Basic::real;
    case instance::Type::integer:
      return Basic::integer;
    case instance::Type::boolean:
      return Basic::boolean;
    case instance::Type::string:
      return Basic::string;
    case instance::Type::enumeration:
      return Basic::enumeration;
    case instance::Type::clock:
      return Basic::clock;
  }
  return Basic::real;
}

Level level_of(const Model& model, const Instance& instance) {
  if (model.set_at_start.contains(&instance)) return Level::discrete;
  if (instance.variability == instance::Variability::continuous && is_discrete(model, instance)) return Level::discrete;
  switch (instance.variability) {
    case instance::Variability::constant:
      return Level::constant;
    case instance::Variability::parameter:
      return Level::parameter;
    case instance::Variability::discrete:
      return Level::discrete;
    case instance::Variability::continuous:
      return Level::continuous;
  }
  return Level::continuous;
}

/// Whether the constant belongs to a package: then it has a value of its own, in no component.
bool stands_alone(const Instance& instance) {
  const Instance* top = &instance;
  while (top->parent != nullptr) {
    if (top->parent->rank() > 0) return false;
    top = top->parent;
  }
  return true;
}

}  // namespace

std::vector<std::int64_t> Typer::dimensions_of(const Instance& instance) {
  if (frame == nullptr) return instance::all_dimensions(instance);
  std::vector<std::int64_t> dims;
  std::vector<const Instance*> path;
  for (const Instance* i = &instance; i != nullptr && i->parent != nullptr; i = i->parent) path.push_back(i);
  for (std::size_t k = path.size(); k-- > 0;) {
    auto known = frame->dims.find(path[k]);
    if (known != frame->dims.end()) dims.insert(dims.end(), known->second.begin(), known->second.end());
    else
      for (const instance::Dimension& d : path[k]->dimensions) dims.push_back(d.size);
  }
  return dims;
}

Typed Typer::constant_value(const Instance& component, const instance::Value& value, Span span) {
  if (value.kind == instance::ValueKind::string && !value.scalar() && value.size() > 0) {
    std::vector<const Node*> elements;
    for (std::int64_t k = 1; k <= value.dimensions[0]; ++k) {
      auto element = constant_value(component, instance::element(value, std::span(&k, 1)), span);
      if (!element) return element;
      elements.push_back(element);
    }
    return nodes().array(std::move(elements), span);
  }
  if (value.kind == instance::ValueKind::string) {
    Node node;
    node.kind = NodeKind::text;
    node.basic = Basic::string;
    if (value.scalar()) node.text = value.text();
    node.dims = value.dimensions;
    node.span = span;
    return nodes().add(std::move(node));
  }
  if (value.kind != instance::ValueKind::record) {
    const Node* table = nodes().table(value.numbers, value.dimensions, basic_of(component), span);
    if (component.enumeration == nullptr) return table;
    Node typed = *table;
    typed.definition = component.enumeration;
    return nodes().add(std::move(typed));
  }
  Node node;
  node.kind = NodeKind::record;
  node.basic = Basic::record;
  node.instance = &component;
  node.dims = value.dimensions;
  node.span = span;
  for (const Instance* child : component.children) {
    const instance::Value* field = value.field(child->name);
    if (field == nullptr) return wrong(no_such_member, span, {child->name, instance::type_name(value)});
    auto part = constant_value(*child, *field, span);
    if (!part) return part;
    node.children.push_back(part);
  }
  return nodes().add(std::move(node));
}

/// Arrays over Boolean or an enumeration are indexed by its values, not by numbers.
Outcome<Done> Typer::check_subscript(const instance::Dimension& dimension, const Node* subscript) {
  if (subscript == nullptr || dimension.index == instance::Type::integer) return Done{};
  bool boolean = dimension.index == instance::Type::boolean;
  if (boolean ? subscript->basic == Basic::boolean
              : subscript->basic == Basic::enumeration && subscript->definition == dimension.enumeration)
    return Done{};
  std::string wanted = boolean ? "a Boolean" : "a literal of `" + instance::full_name(*dimension.enumeration) + "`";
  return wrong(expected_type, subscript->span, {wanted + " as subscript", type_text(*subscript)});
}

Typed Typer::variable_place(const instance::Resolved& resolved, Span span, std::vector<const Node*>& subscripts) {
  const Instance& component = resolved.component();
  if (!instance::complete_constant(model.tree, component, model.diagnostics)) return reported();
  const Node* base = nullptr;
  if (component.variability == instance::Variability::constant && stands_alone(component) &&
      (frame == nullptr || component.parent == nullptr || component.parent != frame->function || component.binding)) {
    if (component.attribute("unit")) model.flat.unit_constants.emplace(span.file.value, span.begin);
    auto value = value_of(model, component, {}, span);
    if (!value) return reported();
    auto constant = constant_value(component, **value, span);
    if (!constant) return constant;
    base = constant;
  } else {
    Node node;
    node.kind = NodeKind::variable;
    node.basic = basic_of(component);
    node.level = frame != nullptr ? Level::continuous : level_of(model, component);
    node.instance = &component;
    node.definition = component.enumeration;
    node.dims = dimensions_of(component);
    node.span = span;
    base = nodes().add(std::move(node));
  }
  for (AxisId axis : model.axes_to(resolved.path[0].instance->parent)) subscripts.push_back(nodes().axis(axis, span));
  for (const instance::PathPart& part : resolved.path) {
    std::vector<std::int64_t> dims;
    if (frame != nullptr && frame->dims.contains(part.instance)) dims = frame->dims.at(part.instance);
    else
      for (const instance::Dimension& d : part.instance->dimensions) dims.push_back(d.size);
    std::size_t first = subscripts.size();
    if (auto done = subscript_nodes(dims, part.subscripts, span, subscripts); !done) return done.failure();
    for (std::size_t d = 0; d < part.instance->dimensions.size() && first + d < subscripts.size(); ++d)
      if (auto fits = check_subscript(part.instance->dimensions[d], subscripts[first + d]); !fits) return fits.failure();
  }
  return base;
}

Typed Typer::place(const instance::Resolved& resolved, Span span) {
  if (resolved.removed) return wrong(removed_component, span, {instance::path_of(resolved.component())});
  if (auto k = first_nonuniform(resolved)) return place_through(resolved, *k, span);
  const Instance* first = resolved.path[0].instance;
  if (inputs != nullptr) {
    if (auto given = inputs->find(first); given != inputs->end()) {
      Typed node = given->second;
      if (!resolved.path[0].subscripts.empty()) node = subscripted(node, resolved.path[0].subscripts, span);
      for (std::size_t k = 1; node && k < resolved.path.size(); ++k) {
        node = member(node, resolved.path[k].instance->name, span);
        if (node && !resolved.path[k].subscripts.empty()) node = subscripted(node, resolved.path[k].subscripts, span);
      }
      return node;
    }
  }
  bool scalar = std::all_of(resolved.path.begin(), resolved.path.end(),
                            [](const instance::PathPart& part) { return part.instance->rank() == 0; });
  if (frame != nullptr && scalar && !names_target)
    for (const auto* known : {&frame->values, &frame->settled, &frame->now})
      if (auto value = known->find(&resolved.component()); value != known->end())
        return nodes().number(value->second, basic_of(resolved.component()), span);
  if (known_text(resolved.component())) return own_component(resolved.component(), span);
  std::vector<const Node*> subscripts;
  auto base = variable_place(resolved, span, subscripts);
  if (!base) return base;
  bool alone = base->kind != NodeKind::variable;
  if (alone && base->dims.size() < subscripts.size()) return wrong(too_many_subscripts, span, {dims_text(base->dims)});
  return nodes().index(base, std::move(subscripts), span);
}

/// What a String of the function holds in this call: an input, or a local that nothing assigns; null where that is not
/// known.
const std::string* Typer::known_text(const Instance& instance) const {
  if (frame == nullptr || instance.rank() > 0) return nullptr;
  if (auto given = frame->texts.find(&instance); given != frame->texts.end()) return &given->second.front();
  auto settled = frame->settled_texts.find(&instance);
  return settled != frame->settled_texts.end() ? &settled->second : nullptr;
}

const Node* Typer::own_component(const Instance& instance, Span span) {
  Node node;
  if (const std::string* text = known_text(instance)) {
    node.kind = NodeKind::text;
    node.basic = Basic::string;
    node.text = *text;
    node.span = span;
    return nodes().add(std::move(node));
  }
  node.kind = NodeKind::variable;
  node.basic = basic_of(instance);
  node.level = level_of(model, instance);
  node.instance = &instance;
  node.definition = instance.enumeration;
  node.dims = dimensions_of(instance);
  node.span = span;
  std::vector<const Node*> subscripts;
  for (AxisId axis : model.axes_to(instance.parent)) subscripts.push_back(nodes().axis(axis, span));
  return nodes().index(nodes().add(std::move(node)), std::move(subscripts), span);
}

const Node* Typer::final_value(const Node* of, Span span) {
  if (of->level <= Level::timed) return of;
  const Node* base = of->kind == NodeKind::index ? of->children[0] : of;
  bool variable = base->kind == NodeKind::variable && base->instance && base->basic != Basic::record;
  return variable ? nodes().timed(of, final_time(model, span), span) : of;
}

/// A component with a condition that is there, in an expression: others let it pass.
Outcome<Done> Typer::use_of_conditional(const Instance& component, Span span) {
  std::string path = instance::path_of(component);
  if (model.tree.library().options().strict) return wrong(instance::codes::conditional_used, span, {path});
  model.diagnostics.warning(conditional_in_expression, span, {path});
  return Done{};
}

Typed Typer::name(const ast::Reference& reference, Span span) {
  if (!reference.global)
    for (std::size_t k = iterators.size(); k-- > 0;) {
      if (iterators[k].first != reference.parts[0].identifier) continue;
      if (reference.parts.size() == 1 && reference.parts[0].subscripts.empty()) return iterators[k].second;
      return wrong(iterator_is_scalar, span, {reference.parts[0].identifier});
    }
  auto resolved = instance::lookup(model.tree, scope, reference, model.diagnostics);
  if (!resolved) return reported();
  switch (resolved->kind) {
    case instance::ResolvedKind::component:
      if (!resolved->removed)
        for (const instance::PathPart& part : resolved->path)
          if (part.instance->declaration && part.instance->declaration->condition)
            if (auto let = use_of_conditional(*part.instance, span); !let) return let.failure();
      if (auto found = place(*resolved, span); found && final_values) return final_value(found, span);
      else return found;
    case instance::ResolvedKind::enumeration_literal: {
      Node node;
      node.basic = Basic::enumeration;
      node.definition = resolved->definition;
      node.value = static_cast<double>(resolved->literal);
      node.span = span;
      return nodes().add(std::move(node));
    }
    case instance::ResolvedKind::time: {
      if (final_values) return final_time(model, span);
      Node node;
      node.kind = NodeKind::variable;
      node.level = Level::continuous;
      node.span = span;
      return nodes().add(std::move(node));
    }
    case instance::ResolvedKind::class_:
      if (resolved->definition->ast->kind == ast::ClassKind::function)
        return wrong(unsupported, span, {"a function as an argument"});
      [[fallthrough]];
    case instance::ResolvedKind::builtin_type:
    case instance::ResolvedKind::builtin_function:
      return wrong(not_a_value, span, {reference.parts.back().identifier});
  }
  expects(false, "every kind of name is translated");
  return reported();
}

Outcome<Done> Typer::subscript_nodes(const std::vector<std::int64_t>& dims, ast::List<ast::Subscript> given, Span span,
                                     std::vector<const Node*>& out) {
  if (given.size() > dims.size()) return wrong(too_many_subscripts, span, {dims_text(dims)});
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (d >= given.size() || given[d].whole()) {
      out.push_back(nullptr);
      continue;
    }
    ends.push_back(dims[d]);
    auto node = expression(*given[d].index);
    ends.pop_back();
    if (!node) return node.failure();
    bool good = node->dims.size() <= 1 &&
                (node->basic == Basic::integer || node->basic == Basic::boolean || node->basic == Basic::enumeration);
    if (!good) return wrong(expected_type, given[d].index->span, {"an Integer subscript", type_text(*node)});
    out.push_back(node);
  }
  return Done{};
}

Typed Typer::subscripted(const Node* base, ast::List<ast::Subscript> given, Span span) {
  std::vector<const Node*> subscripts;
  if (auto done = subscript_nodes(base->dims, given, span, subscripts); !done) return done.failure();
  return nodes().index(base, std::move(subscripts), span);
}

namespace {

/// Whether an expression reads a variable of the function.
bool reads_variable_of(const Node& node, const Instance& function) {
  if (node.kind == NodeKind::variable)
    for (const Instance* i = node.instance; i != nullptr; i = i->parent)
      if (i == &function) return true;
  auto part = [&](const Node* p) { return p != nullptr && reads_variable_of(*p, function); };
  if (node.call)
    for (const Call::Argument& argument : node.call->arguments)
      if (part(argument.value)) return true;
  return std::any_of(node.children.begin(), node.children.end(), part) ||
         std::any_of(node.subscripts.begin(), node.subscripts.end(), part);
}

/// A parameter of the record that a call gives, from what the function says of it: `output C c(n = p.n)`. It does not depend
/// on the rest of the arguments. Null when the function does not say it in terms of its inputs.
const Node* declared_field(Typer& typer, const Node& record, const Instance& field) {
  const Call& call = *record.call;
  const instance::ScopedExpr& given = field.binding;
  bool plain = field.variability <= instance::Variability::parameter && given && !given.whole && given.levels.empty() &&
               given.scope.instance == call.function && call.dims.empty();
  bool recursive = typer.frame != nullptr && typer.frame->function == call.function;
  if (!plain || recursive || !instance::keeps_declared_value(*call.function, field)) return nullptr;
  std::map<const Instance*, const Node*> inputs;
  for (const Call::Argument& argument : call.arguments) inputs[argument.input] = argument.value;
  Diagnostics before = typer.model.diagnostics;
  Work work = typer.work;
  Typer inside(typer.model, work, given.scope, typer.frame);
  inside.inputs = &inputs;
  auto value = inside.expression(*given.expr);
  if (!value) {
    typer.model.diagnostics = std::move(before);
    return nullptr;
  }
  return reads_variable_of(*value, *call.function) ? nullptr : static_cast<const Node*>(value);
}

}  // namespace

Typed Typer::member(const Node* record, std::string_view name, Span span) {
  if (record->basic != Basic::record || record->instance == nullptr)
    return wrong(no_such_member, span, {name, type_text(*record)});
  const Instance* child = record->instance->child(name);
  if (child == nullptr) return wrong(no_such_member, span, {name, type_text(*record)});
  auto again = [&](const Node* part) { return member(part, name, span); };
  switch (record->kind) {
    case NodeKind::variable: {
      Node node = *record;
      node.instance = child;
      node.basic = basic_of(*child);
      node.definition = child->enumeration;
      node.dims = dimensions_of(*child);
      if (frame == nullptr) node.level = level_of(model, *child);
      return nodes().add(std::move(node));
    }
    case NodeKind::call: {
      if (const Node* given = declared_field(*this, *record, *child)) return given;
      Node node = *record;
      node.instance = child;
      node.basic = basic_of(*child);
      node.definition = child->enumeration;
      Frame& callee = frame_of(model, record->call->program);
      auto own = callee.dims.find(child);
      if (own != callee.dims.end()) node.dims.insert(node.dims.end(), own->second.begin(), own->second.end());
      else
        for (const instance::Dimension& d : child->dimensions) node.dims.push_back(d.size);
      return nodes().add(std::move(node));
    }
    case NodeKind::record:
      for (std::size_t k = 0; k < record->instance->children.size(); ++k)
        if (record->instance->children[k] == child) return record->children[k];
      break;
    case NodeKind::index: {
      auto base = again(record->children[0]);
      return base ? Typed(nodes().index(base, record->subscripts, span)) : base;
    }
    case NodeKind::comprehension: {
      auto body = again(record->children[0]);
      if (!body) return body;
      std::vector<std::int64_t> sizes(record->dims.begin(),
                                      record->dims.begin() + static_cast<std::ptrdiff_t>(record->axes.size()));
      return nodes().comprehension(body, record->axes, {record->children.begin() + 1, record->children.end()}, sizes, span);
    }
    case NodeKind::choice:
    case NodeKind::select: {
      auto yes = again(record->children[1]), no = yes ? again(record->children[2]) : yes;
      return no ? Typed(nodes().choose(record->kind, record->children[0], yes, no, span)) : no;
    }
    case NodeKind::array: {
      std::vector<const Node*> parts;
      for (const Node* part : record->children) {
        auto made = again(part);
        if (!made) return made;
        parts.push_back(made);
        if (parts.back()->dims != parts[0]->dims)
          return wrong(sizes_differ, span, {"array of records", dims_text(parts[0]->dims), dims_text(parts.back()->dims)});
      }
      return nodes().array(std::move(parts), span);
    }
    case NodeKind::function:
    case NodeKind::number:
    case NodeKind::text:
    case NodeKind::table:
    case NodeKind::axis:
    case NodeKind::apply:
    case NodeKind::reduce:
    case NodeKind::integral:
    case NodeKind::extremum:
    case NodeKind::auxiliary:
    case NodeKind::sample:
    case NodeKind::flag:
    case NodeKind::delayed:
    case NodeKind::transported:
    case NodeKind::clocked:
      return wrong(no_such_member, span, {name, type_text(*record)});
    case NodeKind::derivative:
    case NodeKind::timed:
    case NodeKind::previous: {
      auto inner = again(record->children[0]);
      if (!inner) return inner;
      Node node = *record;
      node.basic = inner->basic;
      node.dims = inner->dims;
      node.instance = nullptr;
      node.children[0] = inner;
      return nodes().add(std::move(node));
    }
  }
  expects(false, "every kind of node has its members");
  return reported();
}

}  // namespace bolza::flatten
