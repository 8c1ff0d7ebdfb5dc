// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/variables/variables_internal.h"

#include <algorithm>
#include <limits>

#include "base/expects.h"
#include "compiler/flatten/equations/equate_internal.h"
#include "compiler/flatten/groups/equation_leaves_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/values_internal.h"
#include "compiler/flatten/variables/phases_internal.h"
#include "compiler/flatten/variables/streams_internal.h"

namespace bolza::flatten {
namespace {

using instance::ClassAttribute;
using instance::ScopedExpr;

ir::Variable special(const char* name, ir::VariableKind kind, std::uint32_t id) {
  ir::Variable variable;
  variable.name = {{name, 0}};
  variable.kind = kind;
  variable.first = ir::VariableId(std::size_t{id});
  return variable;
}

ir::ValueType type_of(const Instance& instance) {
  switch (instance.type) {
    case instance::Type::integer:
    case instance::Type::clock:
      return ir::ValueType::integer;
    case instance::Type::boolean:
      return ir::ValueType::boolean;
    case instance::Type::enumeration:
      return ir::ValueType::enumeration;
    case instance::Type::none:
    case instance::Type::real:
    case instance::Type::string:
      break;
  }
  return ir::ValueType::real;
}

/// `input Real u = plant.u` hands the control to a component's input that nothing else determines: u stays a control.
bool hands_down(Model& model, const Instance& input) {
  const ast::Expr& expr = *input.binding.expr;
  if (expr.kind != ast::ExprKind::name) return false;
  Diagnostics quiet;
  auto resolved = instance::lookup(model.tree, input.binding.scope, *expr.reference, quiet);
  if (!resolved || resolved->kind != instance::ResolvedKind::component || resolved->removed) return false;
  const Instance& target = resolved->component();
  return target.causality == ast::Causality::input && !target.binding && target.parent != input.parent;
}

ir::VariableKind variable_kind_of(Model& model, const Instance& instance) {
  if (model.set_at_start.contains(&instance)) return ir::VariableKind::discrete;
  if (instance.variability <= instance::Variability::parameter) return ir::VariableKind::parameter;
  if (is_top_level_input(instance) && (!instance.binding || hands_down(model, instance))) return ir::VariableKind::input;
  return is_discrete(model, instance) ? ir::VariableKind::discrete : ir::VariableKind::unknown;
}

void lay_out(Model& model, const Instance& instance) {
  if (instance.type == instance::Type::none || instance.type == instance::Type::string) return;
  if (instance.variability == instance::Variability::constant) return;
  ir::Variable variable;
  std::vector<const Instance*> path;
  for (const Instance* i = &instance; i->parent != nullptr; i = i->parent) path.push_back(i);
  for (std::size_t k = path.size(); k-- > 0;) {
    variable.name.push_back({std::string(path[k]->name), static_cast<std::uint32_t>(path[k]->rank())});
    for (const instance::Dimension& d : path[k]->dimensions)
      variable.dimensions.push_back(static_cast<std::uint32_t>(d.size));
  }
  std::int64_t size = size_of(instance::all_dimensions(instance));
  if (size == 0) return;
  if (size + model.flat.n_scalars > model.flat.max_scalars) {
    model.diagnostics.error(too_many_scalars, instance.span,
                            {"`" + instance::path_of(instance) + "`", std::to_string(model.flat.max_scalars)});
    model.too_large = true;
    return;
  }
  variable.size = static_cast<std::uint32_t>(size);
  variable.first = ir::VariableId(std::size_t{model.flat.n_scalars});
  variable.kind = variable_kind_of(model, instance);
  variable.type = type_of(instance);
  variable.is_final = instance.is_final;
  variable.is_protected = instance.is_protected;
  variable.description = std::string(instance.description());
  variable.span = instance.span;
  if (instance.enumeration) variable.enumeration = instance::literals_of(*instance.enumeration);
  if (auto phase = model.first_phase.find(path.back()); phase != model.first_phase.end()) {
    variable.first_phase = phase->second;
    variable.n_phases = number_of_phases(*path.back());
  }
  model.first_id.emplace(&instance, model.flat.n_scalars);
  model.flat.n_scalars += variable.size;
  model.flat.variables.push_back(std::move(variable));
}

// ---------------------------------------------------------------- attributes

/// Value of an attribute for every element, computed now.
Outcome<std::vector<double>> attribute_numbers(Model& model, const Instance& instance, const ScopedExpr& given) {
  std::vector<double> numbers;
  Space space = space_of(model, instance, true);
  AxisId place = model.nodes.new_axis();
  std::vector<double> places(space.n);
  for (std::size_t i = 0; i < space.n; ++i) places[i] = static_cast<double>(i);
  space.axes.emplace_back(place, Known(places));
  numbers.resize(space.n);
  auto done = every_part(space, [&](Work& work) -> Outcome<Done> {
    Indices indices;
    auto node = value_for(model, work, instance, given, false, indices);
    if (!node) return node.failure();
    Lowering lowering(model.nodes, model.dag(), model.diagnostics, work, model.structural_leaves());
    Scalar value = lowering.element(*node, indices);
    if (value.failed()) return value.failure();
    if (!value.is_known()) return model.diagnostics.error(not_known_at_compile_time, given.span, {"the result of a call"});
    const Known* at = work.space.find(place);
    for (std::size_t i = 0; i < work.space.n; ++i) numbers[static_cast<std::size_t>((*at)[i])] = value.known[i];
    return Done{};
  });
  if (!done) return done.failure();
  return numbers;
}

/// That a value is of the variable's type; an Integer passes for a Real.
Outcome<Done> check_type(Model& model, const Instance& instance, const Node& value, Span span) {
  bool fits = true;
  switch (instance.type) {
    case instance::Type::real:
      fits = is_numeric(value.basic);
      break;
    case instance::Type::integer:
      fits = value.basic == Basic::integer;
      break;
    case instance::Type::boolean:
      fits = value.basic == Basic::boolean;
      break;
    case instance::Type::enumeration:
      fits = value.basic == Basic::enumeration &&
             (value.definition == nullptr || value.definition == instance.enumeration ||
              instance::literals_of(*value.definition) == instance::literals_of(*instance.enumeration));
      break;
    case instance::Type::clock:
      fits = value.basic == Basic::clock;
      break;
    case instance::Type::string:
    case instance::Type::none:
      break;
  }
  if (fits) return Done{};
  std::string own = instance.enumeration                       ? "of `" + instance::full_name(*instance.enumeration) + "`"
                    : instance.type == instance::Type::integer ? "an Integer"
                    : instance.type == instance::Type::boolean ? "a Boolean"
                    : instance.type == instance::Type::clock   ? "a Clock"
                                                               : "a Real";
  std::string other = value.basic == Basic::enumeration && value.definition
                          ? "of `" + instance::full_name(*value.definition) + "`"
                          : type_text(value);
  return model.diagnostics.error(binding_type, span, {instance::path_of(instance), own, other});
}

/// Whether terms read nothing but time and parameters.
bool reads_time_only(const Model& model, const ir::ElementValues& values) {
  auto known = [&](ir::VariableId v) {
    ir::VariableKind kind = ir::variable_of(model.flat, v).kind;
    return kind == ir::VariableKind::time || kind == ir::VariableKind::start_time || kind == ir::VariableKind::final_time ||
           kind == ir::VariableKind::parameter;
  };
  return std::all_of(values.terms.begin(), values.terms.end(),
                     [&](const ir::Term& term) { return std::all_of(term.slots.begin(), term.slots.end(), known); });
}

/// Terms for the elements of one part.
Outcome<ir::ElementValues> part_values(Model& model, Work& work, const Instance& instance, const ScopedExpr& given,
                                       bool is_binding, bool in_time) {
  Indices indices;
  auto node = value_for(model, work, instance, given, is_binding, indices);
  if (!node) return node.failure();
  if (node->level > Level::parameter && !in_time)
    return model.diagnostics.error(value_varies, given.span, {instance::path_of(instance)});
  if (is_binding)
    if (auto good = check_type(model, instance, *node, given.span); !good) return good.failure();
  return lower_values(model, work, *node, indices, ExpressionPlace::attribute);
}

/// Terms for all elements, parts put together in order.
/// @param in_time  they may depend on time
Outcome<ir::ElementValues> element_values(Model& model, const Instance& instance, const ScopedExpr& given, bool is_binding,
                                          bool in_time = false) {
  Space space = space_of(model, instance, true);
  std::size_t n = space.n;
  AxisId place = model.nodes.new_axis();
  std::vector<double> places(n);
  for (std::size_t i = 0; i < n; ++i) places[i] = static_cast<double>(i);
  space.axes.emplace_back(place, Known(places));
  ir::ElementValues all;
  auto done = every_part(space, [&](Work& work) -> Outcome<Done> {
    auto values = part_values(model, work, instance, given, is_binding, in_time);
    if (!values) return values.failure();
    if (work.space.n == n) {
      all = std::move(*values);
      return Done{};
    }
    all.terms.resize(n);
    const Known* at = work.space.find(place);
    for (std::size_t i = 0; i < work.space.n; ++i)
      all.terms[static_cast<std::size_t>((*at)[i])] = values->terms[values->terms.size() == 1 ? 0 : i];
    return Done{};
  });
  if (!done) return done.failure();
  if (in_time && !reads_time_only(model, all))
    return model.diagnostics.error(guess_varies, given.span, {instance::path_of(instance)});
  return all;
}

/// "" where the value is not a String.
Result<std::string> text_attribute(Model& model, const ScopedExpr& given) {
  auto value = instance::evaluate(model.tree, given, model.diagnostics);
  if (!value) return model.diagnostics.already_reported();
  return value->strings.empty() ? "" : value->strings[0];
}

void state_select(Model& model, ir::Variable& variable, const ScopedExpr& given) {
  auto value = instance::evaluate(model.tree, given, model.diagnostics);
  if (!value) return;
  switch (value->numbers.empty() ? 3 : static_cast<int>(value->numbers[0])) {
    case 1:
      variable.state_select_never = true;
      break;
    case 2:
      variable.state_select_avoid = true;
      break;
    case 4:
      variable.state_select_prefer = true;
      break;
    case 5:
      variable.state_select_always = true;
      break;
    default:
      break;
  }
}

/// 0 for the model itself; what has no instance (a type's own attribute) counts as deepest.
std::uint32_t depth_of(const Instance* instance) {
  if (!instance) return std::numeric_limits<std::uint32_t>::max();
  std::uint32_t depth = 0;
  for (const Instance* i = instance; i->parent; i = i->parent) ++depth;
  return depth;
}

/// `fixed = 1`, `start = "1"`: a literal of another type than the attribute has. True: it was reported.
bool is_of_other_type(Model& model, const instance::GivenAttribute& attribute, bool is_truth) {
  const ast::Expr* expr = attribute.value.expr;
  if (expr == nullptr) return false;
  bool number = expr->kind == ast::ExprKind::integer_literal || expr->kind == ast::ExprKind::real_literal;
  bool text = expr->kind == ast::ExprKind::string_literal;
  if (!text && !(is_truth && number)) return false;
  model.diagnostics.error(binding_type, attribute.value.span,
                          {attribute.name, is_truth ? "a Boolean" : "a number", text ? "a String" : "a number"});
  return true;
}

void fill_attribute(Model& model, const Instance& instance, ir::Variable& variable,
                    const instance::GivenAttribute& attribute) {
  constexpr std::array<std::string_view, ir::attribute_count> numeric{"start", "min", "max", "nominal", "initialGuess"};
  std::string_view name = attribute.name;
  auto known = std::find(numeric.begin(), numeric.end(), name);
  bool is_truth = name == "fixed" || name == "free" || name == "selectable";
  if ((is_truth || known != numeric.end()) && is_of_other_type(model, attribute, is_truth)) return;
  if (known != numeric.end()) {
    bool in_time = name == "initialGuess" && instance.variability > instance::Variability::parameter;
    auto values = element_values(model, instance, attribute.value, false, in_time);
    if (values) variable.attributes[static_cast<std::size_t>(known - numeric.begin())] = std::move(*values);
    if (name == "start") variable.start_depth = depth_of(attribute.value.scope.instance);
  } else if (name == "fixed" || name == "free") {
    auto numbers = attribute_numbers(model, instance, attribute.value);
    if (!numbers) return;
    bool uniform = std::all_of(numbers->begin(), numbers->end(), [&](double v) { return v == (*numbers)[0]; });
    if (name == "free") {
      variable.free = std::any_of(numbers->begin(), numbers->end(), [](double v) { return v != 0; });
      if (!uniform) model.diagnostics.error(free_differs, attribute.value.span, {instance::path_of(instance)});
    } else {
      for (std::size_t i = 0; i < (uniform ? 1 : numbers->size()); ++i) variable.fixed.push_back((*numbers)[i] != 0);
    }
  } else if (name == "selectable") {
    auto numbers = attribute_numbers(model, instance, attribute.value);
    if (!numbers) return;
    for (double v : *numbers) variable.selectable.push_back(v != 0);
  } else if (name == "unit") {
    if (auto text = text_attribute(model, attribute.value)) variable.unit = std::move(*text);
  } else if (name == "displayUnit") {
    if (auto text = text_attribute(model, attribute.value)) variable.display_unit = std::move(*text);
  } else if (name == "quantity") {
    if (auto text = text_attribute(model, attribute.value)) variable.quantity = std::move(*text);
  } else if (name == "stateSelect") {
    state_select(model, variable, attribute.value);
  }
}

ir::Variable& variable_at(Model& model, std::uint32_t first) {
  auto at = std::lower_bound(model.flat.variables.begin(), model.flat.variables.end(), first,
                             [](const ir::Variable& v, std::uint32_t id) { return v.first.value < id; });
  return *at;
}

/// Whether the value is that of a setting of the run.
bool set_by_user(const Model& model, const Instance& instance) {
  return instance.binding && instance.binding.span.file &&
         model.tree.sources().path(instance.binding.span.file) == instance::settings_source;
}

void fill(Model& model, const Instance& instance, std::uint32_t first) {
  ir::Variable variable = variable_at(model, first);
  for (const instance::GivenAttribute& attribute : instance.attributes) fill_attribute(model, instance, variable, attribute);
  bool is_parameter = instance.variability <= instance::Variability::parameter && !model.set_at_start.contains(&instance);
  if (is_parameter) {
    if (variable.free && set_by_user(model, instance)) {
      variable.free = false;
      model.diagnostics.warning(free_parameter_set, instance.binding.span, {instance::path_of(instance)});
    }
    if (variable.fixed.empty()) variable.fixed = {true};
    if (instance.binding && !variable.free) {
      auto values = element_values(model, instance, instance.binding, true);
      if (values) variable.binding = std::move(*values);
    } else if (instance.binding && variable.free &&
               !variable.attributes[static_cast<std::size_t>(ir::Attribute::initial_guess)].present()) {
      auto values = element_values(model, instance, instance.binding, true);  // a free parameter's value is its guess
      if (values) variable.attributes[static_cast<std::size_t>(ir::Attribute::initial_guess)] = std::move(*values);
    }
  }
  variable_at(model, first) = std::move(variable);
}

/// Bindings of variables that are not parameters; what is set at the start alone keeps its value.
void binding_equation(Model& model, const Instance& instance) {
  Context context = context_of(model, instance, scope_of(instance));
  context.space = space_of(model, instance, true);
  NamedAxes names = context.names;
  for (std::size_t d = 0; d < instance.rank(); ++d)
    names.emplace_back(std::string(instance.name), model.axis_of(instance, d));
  for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
    const Node* place = own_element(model, work, instance);
    Typed value = !instance.binding ? Typed(model.nodes.previous(place, instance.span))
                                    : element_for(model, work, instance, instance.binding, true);
    if (!value) return value.failure();
    if (instance.binding)
      if (auto good = check_type(model, instance, *value, instance.binding.span); !good) return good;
    bool changes = instance.declared_discrete && instance.type == instance::Type::real && instance.binding;
    if (changes && !model.assigned_in_when.contains(&instance))
      return model.diagnostics.error(discrete_not_set, instance.span, {instance::path_of(instance)});
    emit_equation(model, work.space, {place, value}, false, instance.binding ? instance.binding.span : instance.span, names);
    return Done{};
  });
}

}  // namespace

void lay_out_variables(Model& model) {
  model.flat.variables = {special("time", ir::VariableKind::time, 0), special("startTime", ir::VariableKind::start_time, 1),
                          special("finalTime", ir::VariableKind::final_time, 2)};
  model.flat.n_scalars = 3;
  for_each_component(model.tree.root(), [&](const Instance& instance) {
    if (instance.is_phase) lay_out_phases(model, instance);
    bool is_time =
        instance.class_attribute == ClassAttribute::start_time || instance.class_attribute == ClassAttribute::final_time;
    if (instance.class_attribute == ClassAttribute::none || (is_time && instance.parent->is_phase)) {
      lay_out(model, instance);
      if (const Instance* in_stream = add_stream(model, instance)) lay_out(model, *in_stream);
    } else if (is_time) model.first_id.emplace(&instance, instance.class_attribute == ClassAttribute::start_time ? 1 : 2);
  });
}

std::vector<double> known_attribute(Model& model, const Instance& instance, std::string_view name, double otherwise) {
  std::vector<double> unknown(static_cast<std::size_t>(size_of(instance::all_dimensions(instance))), otherwise);
  const ScopedExpr* given = instance.attribute(name);
  if (given == nullptr) return unknown;
  Diagnostics before = model.diagnostics;
  auto numbers = attribute_numbers(model, instance, *given);
  if (numbers) return *numbers;
  model.diagnostics = std::move(before);
  return unknown;
}

/// All constants of components, also those that nothing uses: their values are there, and follow from constants only.
void check_constants(Model& model) {
  for_each_component(model.tree.root(), [&](const Instance& instance) {
    const ScopedExpr& given = instance.binding;
    bool scalar_type = instance.type != instance::Type::none && instance.type != instance::Type::string;
    if (instance.variability != instance::Variability::constant || !scalar_type || !given) return;
    bool good = true;
    for_each_part(space_of(model, instance, true), [&](Work& work) -> Outcome<Done> {
      Indices indices;
      auto value = value_for(model, work, instance, given, true, indices);
      if (!value) {
        good = good && !value.failure().reported();
        return value.failure();
      }
      good = false;
      if (value->level > Level::constant)
        return model.diagnostics.error(
            constant_varies, given.span,
            {instance::path_of(instance), value->level == Level::parameter ? "a parameter" : "a variable"});
      auto fits = check_type(model, instance, *value, given.span);
      good = bool(fits);
      return fits;
    });
    Space around = space_of(model, instance, false);
    std::vector<AxisId> axes = model.axes_to(instance.parent);
    for (std::size_t i = 0; good && i < around.n; ++i) {
      std::vector<std::int64_t> at;
      for (AxisId axis : axes) at.push_back(static_cast<std::int64_t>((*around.find(axis))[i]));
      good = bool(instance::value_of(model.tree, instance, at, given.span, model.diagnostics));
    }
  });
}

void fill_variables(Model& model) {
  for_each_component(model.tree.root(), [&](const Instance& instance) {
    bool problem_attribute = instance.class_attribute != ClassAttribute::none &&
                             instance.class_attribute != ClassAttribute::start_time &&
                             instance.class_attribute != ClassAttribute::final_time;
    if (problem_attribute) return;
    if (instance.type == instance::Type::string && instance.variability <= instance::Variability::parameter &&
        instance.binding) {
      auto value = instance::try_evaluate(model.tree, instance.binding);
      if (value && value->scalar() && !value->strings.empty())
        model.flat.strings[instance::path_of(instance)] = value->text();
      return;
    }
    auto id = model.first_id.find(&instance);
    if (id == model.first_id.end()) return;
    fill(model, instance, id->second);
    if (auto stream = model.streams.find(&instance); stream != model.streams.end())
      fill(model, *stream->second.in_stream, model.first_id.at(stream->second.in_stream));
    bool varies = instance.variability > instance::Variability::parameter;
    if ((varies && instance.binding) || model.set_at_start.contains(&instance)) binding_equation(model, instance);
  });
}

}  // namespace bolza::flatten
