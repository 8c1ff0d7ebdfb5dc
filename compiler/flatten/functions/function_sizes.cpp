// SPDX-License-Identifier: Apache-2.0
// The sizes of what a function has: those of its inputs from a call, the others from them, in the order of declaration.
#include "compiler/flatten/functions/function_sizes_internal.h"

#include <algorithm>

#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

Outcome<Done> sizes_of_fields(Typer& typer, const Instance& function, const Instance& input, const Node& value,
                              FieldSizes& into) {
  for (const Instance* field : input.children) {
    bool is_record = field->type == instance::Type::none;
    if (field->rank() == 0 && !is_record) continue;
    auto part = typer.member(&value, field->name, value.span);
    if (!part) return part.failure();
    std::vector<std::int64_t> own(part->dims.begin() + static_cast<std::ptrdiff_t>(value.dims.size()), part->dims.end());
    if (own.size() != field->rank())
      return typer.model.diagnostics.error(
          argument_type, value.span,
          {instance::path_of(*field), function.name, std::to_string(field->rank()), type_text(*part)});
    for (std::size_t d = 0; d < own.size(); ++d)
      if (field->dimensions[d].size >= 0 && field->dimensions[d].size != own[d])
        return typer.model.diagnostics.error(
            sizes_differ, value.span,
            {"argument", "`" + instance::path_of(*field) + "` " + dims_text({field->dimensions[d].size}), dims_text(own)});
    into[field] = std::move(own);
    if (!is_record) continue;
    if (auto done = sizes_of_fields(typer, function, *field, *part, into); !done) return done;
  }
  return Done{};
}

namespace {

class Sizes {
 public:
  Sizes(Model& model, Frame& frame) : model_(model), frame_(frame) {}

  /// The sizes of a component and of all that is in it.
  /// @param value  of a field whose record is given as a whole, with `outer` dimensions in front of its own
  Outcome<Done> find(const Instance& component, const Node* value = nullptr, std::size_t outer = 0) {
    bool is_record = component.type == instance::Type::none && !component.children.empty();
    bool in_whole = value != nullptr;
    if (!in_whole && component.binding && (is_record || is_open(component))) {
      Typer typer(model_, work_, component.binding.scope, &frame_);
      auto given = typer.expression(*component.binding.expr);
      if (!given && given.failure().is(Again::How::split)) return unknown(component);
      if (!given) return given.failure();
      value = given;
      if (value->dims.size() < component.rank()) return unknown(component);
      outer = value->dims.size() - component.rank();
    }
    std::vector<std::int64_t> dims;
    double elements = 1;
    for (std::size_t d = 0; d < component.rank(); ++d) {
      bool declared = component.dimensions[d].expr != nullptr && !in_whole;
      auto size = size_along(component, d, declared ? nullptr : value, outer);
      if (!size) return size.failure();
      dims.push_back(*size);
      elements *= static_cast<double>(std::max<std::int64_t>(*size, 0));
    }
    if (elements > static_cast<double>(most_elements))
      return model_.diagnostics.error(too_many_elements, component.span, {"`" + instance::path_of(component) + "`"});
    frame_.dims[&component] = dims;
    return component.children.empty() ? Done{} : find_in_fields(component, dims, value);
  }

  /// What the declaration of an input's field says about its size, where that is known: it has to be the argument's.
  Outcome<Done> check(const Instance& input, Span used_at) {
    std::set<const Instance*> asked = frame_.asked;
    Diagnostics before = model_.diagnostics;
    for (const Instance* field : input.children) {
      for (std::size_t d = 0; d < field->rank(); ++d) {
        const instance::Dimension& declared = field->dimensions[d];
        if (declared.size >= 0 || declared.expr == nullptr || !frame_.dims.contains(field)) continue;
        Typer typer(model_, work_, declared.scope, &frame_);
        auto size = typer.known_integer(typer.expression(*declared.expr));
        frame_.asked = asked;
        model_.diagnostics = before;
        std::int64_t given = frame_.dims.at(field)[d];
        if (!size || *size == given) continue;
        return model_.diagnostics.error(
            sizes_differ, used_at,
            {"argument", "`" + instance::path_of(*field) + "` " + dims_text({*size}), dims_text({given})});
      }
      if (auto done = check(*field, used_at); !done) return done;
    }
    return Done{};
  }

 private:
  static bool is_open(const Instance& component) {
    return std::any_of(component.dimensions.begin(), component.dimensions.end(),
                       [](const instance::Dimension& d) { return d.size < 0 && d.expr == nullptr; });
  }

  Reported unknown(const Instance& component) {
    return model_.diagnostics.error(size_of_local, component.span, {instance::path_of(component), frame_.function->name});
  }

  Outcome<std::int64_t> size_along(const Instance& component, std::size_t d, const Node* value, std::size_t outer) {
    const instance::Dimension& declared = component.dimensions[d];
    if (declared.size >= 0) return declared.size;
    if (value != nullptr) return value->dims[outer + d];
    if (declared.expr == nullptr) return unknown(component);
    if (work_.space.n == 0) return std::int64_t{0};
    Typer typer(model_, work_, declared.scope, &frame_);
    auto size = typer.known_integer(typer.expression(*declared.expr));
    if (size) return *size;
    if (size.failure().is(Again::How::split)) return unknown(component);  // it differs between the elements of an array
    return size.failure();
  }

  Outcome<Done> find_in_fields(const Instance& record, const std::vector<std::int64_t>& dims, const Node* value) {
    Space around = work_.space;
    for (std::size_t d = 0; d < dims.size() && work_.space.n > 0; ++d)
      work_.space = extend_to(work_.space, model_.axis_of(record, d), dims[d]);
    Outcome<Done> done = Done{};
    for (const Instance* field : record.children) {
      if (!done) break;
      bool matters = field->rank() > 0 || field->type == instance::Type::none;
      if (!matters) continue;
      Typer typer(model_, work_, {}, &frame_);
      if (value == nullptr) {
        done = find(*field);
        continue;
      }
      auto part = typer.member(value, field->name, record.span);
      done = part ? find(*field, part, value->dims.size()) : part.failure();
    }
    work_.space = std::move(around);
    return done;
  }

  Model& model_;
  Frame& frame_;
  Work work_;
};

}  // namespace

Outcome<Done> find_sizes(Model& model, Frame& frame, const CallShape& shape, Span used_at) {
  std::size_t input = 0;
  for (const Instance* child : frame.function->children)
    if (is_input(*child)) frame.dims[child] = shape.dims[input++];
  frame.dims.insert(shape.fields.begin(), shape.fields.end());
  Sizes sizes(model, frame);
  for (const Instance* child : frame.function->children) {
    if (is_input(*child) || (frame.interpreted && !is_output(*child))) continue;
    if (auto done = sizes.find(*child); !done) return done;
  }
  if (shape.fields.empty()) return Done{};
  for (const Instance* child : frame.function->children)
    if (auto done = sizes.check(*child, used_at); !done) return done;
  return Done{};
}

}  // namespace bolza::flatten
