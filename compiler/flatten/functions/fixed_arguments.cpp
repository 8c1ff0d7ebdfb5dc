// SPDX-License-Identifier: Apache-2.0
// What of a call is settled at compile time: the Strings and the external objects among its arguments.
#include "compiler/flatten/typing/typer_internal.h"

#include <algorithm>

#include "compiler/flatten/functions/function_sizes_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/evaluated_internal.h"
#include "compiler/instance/functions/external_function.h"

namespace bolza::flatten {

std::vector<const Known*> Typer::known_axes(const Instance* around) const {
  std::vector<const Known*> known;
  for (AxisId axis : model.axes_to(around))
    if (const Known* values = work.space.find(axis)) known.push_back(values);
  return known;
}

Outcome<Object> Typer::object_of(const Node& value) {
  const Node& base = value.kind == NodeKind::index ? *value.children[0] : value;
  const Instance* instance = base.kind == NodeKind::variable ? base.instance : nullptr;
  if (frame != nullptr && instance != nullptr)
    if (auto known = frame->objects.find(instance); known != frame->objects.end()) return known->second;
  if (instance == nullptr || !instance->external_object || instance->rank() > 0 || !instance->binding)
    return wrong(unsupported, value.span, {"this use of an external object"});
  std::vector<const Known*> axes = known_axes(instance->binding.scope.instance);
  for (const Known* known : axes)
    if (auto same = work.uniform(*known); !same) return same.failure();
  std::vector<std::int64_t> indices;
  for (const Known* known : axes) indices.push_back(static_cast<std::int64_t>(known->uniform()));
  std::shared_ptr<void>& object = model.objects[{instance, indices}];
  if (!object) {
    auto made = instance::construct_object(model.tree, *instance, indices, value.span, model.diagnostics);
    if (!made) return reported();
    object = std::move(*made);
    for (const ast::Expr* argument : instance->binding.expr->arguments->positional)
      note_parameters(model, *argument, instance->binding.scope);
    for (const ast::NamedArgument& argument : instance->binding.expr->arguments->named)
      note_parameters(model, *argument.value, instance->binding.scope);
  }
  return Object{instance::path_of(*instance) + dims_text(indices), object};
}

namespace {

/// What an input that is a String, or an array of such, is in this call; null for everything else.
const Texts* given_texts(const Frame* frame, const Node& base) {
  if (frame == nullptr || base.kind != NodeKind::variable) return nullptr;
  auto given = frame->texts.find(base.instance);
  return given != frame->texts.end() ? &given->second : nullptr;
}

/// Where an element is among all of an array.
std::size_t place_in(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& at) {
  std::int64_t place = 0;
  for (std::size_t d = 0; d < at.size(); ++d) place = place * dims[d] + at[d] - 1;
  return static_cast<std::size_t>(place);
}

/// Whether a String has a value now, and it is in its declaration: Strings do not change, but in functions.
bool is_known_text(const Frame* frame, const Node& base) {
  if (base.kind != NodeKind::variable || base.instance == nullptr || base.basic != Basic::string) return false;
  const Instance* top = base.instance;
  while (frame != nullptr && top->parent != nullptr && top->parent != frame->function) top = top->parent;
  bool own = frame != nullptr && top->parent == frame->function;
  if (own && is_assigned(*frame->function, top->name)) return false;
  return base.instance->variability <= instance::Variability::parameter || base.instance->binding;
}

}  // namespace

Outcome<std::optional<Texts>> Typer::texts_of(const Node& value) {
  using Found = std::optional<Texts>;
  if (value.kind == NodeKind::text && value.dims.empty()) return Found(Texts{value.text});
  if (value.basic == Basic::string && size_of(value.dims) == 0) return Found(Texts{});
  if (value.kind == NodeKind::array) {
    Texts all;
    for (const Node* element : value.children) {
      auto texts = texts_of(*element);
      if (!texts || !*texts) return texts;
      all.insert(all.end(), (*texts)->begin(), (*texts)->end());
    }
    return Found(std::move(all));
  }
  if (value.kind == NodeKind::index && !is_known_text(frame, *value.children[0]) &&
      value.children[0]->kind != NodeKind::variable)
    return texts_of_part(value);
  const Node& base = value.kind == NodeKind::index ? *value.children[0] : value;
  const Texts* given = given_texts(frame, base);
  if (!given && !is_known_text(frame, base)) return Found();
  Texts all;
  for (std::int64_t e = 0; e < size_of(value.dims); ++e) {
    auto indices = known_indices(value, e);
    if (!indices) return indices.failure();
    if (!*indices) return Found();
    const std::vector<std::int64_t>& at = **indices;
    if (given) {
      all.push_back(given->at(place_in(base.dims, at)));
      continue;
    }
    auto own = at.end() - static_cast<std::ptrdiff_t>(base.instance->rank());
    auto known = value_of(model, *base.instance, {at.begin(), own}, value.span);
    if (!known) return reported();
    all.push_back(instance::element(**known, std::span(own, at.end())).text());
  }
  return Found(std::move(all));
}

/// The texts of an array that is written out, at subscripts.
Outcome<std::optional<Texts>> Typer::texts_of_part(const Node& value) {
  auto whole = texts_of(*value.children[0]);
  if (!whole || !*whole) return whole;
  Texts all;
  for (std::int64_t e = 0; e < size_of(value.dims); ++e) {
    auto indices = known_indices(value, e);
    if (!indices) return indices.failure();
    if (!*indices) return std::optional<Texts>();
    const std::vector<std::int64_t>& at = **indices;
    all.push_back((*whole)->at(place_in(value.children[0]->dims, at)));
  }
  return std::optional(std::move(all));
}

/// Where in its base an element of a place is; where that differs in the space, it is split.
Outcome<std::optional<std::vector<std::int64_t>>> Typer::known_indices(const Node& place, std::int64_t element) {
  std::vector<std::int64_t> own = indices_at(place.dims, element);
  if (place.kind != NodeKind::index) return std::optional(std::move(own));
  Lowering lowering(nodes(), model.dag(), model.diagnostics, work, model.structural_leaves());
  auto at = lowering.base_indices(place, Indices(own.begin(), own.end()));
  if (!at) return at.failure();
  own.clear();
  for (const Scalar& index : *at) {
    if (!index.is_known()) return std::optional<std::vector<std::int64_t>>();
    auto same = work.uniform(index.known);
    if (!same) return same.failure();
    own.push_back(static_cast<std::int64_t>(*same));
  }
  return std::optional(std::move(own));
}

/// Strings and external objects among the arguments: they shape the Program.
Outcome<Done> Typer::fixed_arguments(const Call& call, CallShape& shape) {
  for (const Call::Argument& argument : call.arguments)
    if (auto done = fixed_argument(*argument.input, *argument.value, shape); !done) return done;
  return Done{};
}

/// The same in an argument or, for the interpreter, in a part of one.
Outcome<Done> Typer::fixed_argument(const Instance& input, const Node& value, CallShape& shape) {
  if (input.external_object) {
    auto object = object_of(value);
    if (!object) return object.failure();
    shape.objects[&input] = std::move(*object);
    return Done{};
  }
  if (input.type == instance::Type::none && shape.interpreted && value.kind != NodeKind::function) {
    for (const Instance* field : input.children) {
      if (field->type != instance::Type::none && field->type != instance::Type::string) continue;
      auto part = member(&value, field->name, value.span);
      if (!part) return part.failure();
      if (auto done = fixed_argument(*field, *part, shape); !done) return done;
    }
    return Done{};
  }
  if (input.type != instance::Type::string) return Done{};
  auto texts = texts_of(value);
  if (!texts) return texts.failure();
  bool matters = shape.function->external != nullptr || shape.interpreted;
  if (!*texts && matters)
    return wrong(not_known_at_compile_time, value.span, {"the String `" + std::string(input.name) + "`"});
  if (*texts) shape.texts[&input] = std::move(**texts);
  return Done{};
}

}  // namespace bolza::flatten
