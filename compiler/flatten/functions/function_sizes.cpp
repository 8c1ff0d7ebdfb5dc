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

/// Whether a statement gives a variable or a part of it a value.
bool assigns(ast::List<const ast::Statement*> items, std::string_view name) {
  auto is_target = [&](const ast::Expr* target) {
    return target && target->kind == ast::ExprKind::name && target->reference->parts[0].identifier == name;
  };
  return std::any_of(items.begin(), items.end(), [&](const ast::Statement* s) {
    if (s->target && s->target->kind == ast::ExprKind::tuple)
      if (std::any_of(s->target->operands.begin(), s->target->operands.end(), is_target)) return true;
    return is_target(s->target) || assigns(s->body, name) ||
           std::any_of(s->branches.begin(), s->branches.end(), [&](const auto& b) { return assigns(b.body, name); });
  });
}

}  // namespace

bool is_assigned(const Instance& function, std::string_view name) {
  return std::any_of(function.algorithms.begin(), function.algorithms.end(),
                     [&](const auto& algorithm) { return assigns(algorithm.node->items, name); });
}

namespace {

bool names_whole(const ast::Expr* target, std::string_view name) {
  return target && target->kind == ast::ExprKind::name && target->reference->simple() &&
         target->reference->parts[0].identifier == name;
}

/// The first statement of the function that gives the whole of a variable a value, whatever happens before; null: none.
instance::Scoped<ast::Expr> first_value(const Instance& function, std::string_view name) {
  for (const auto& algorithm : function.algorithms)
    for (const ast::Statement* s : algorithm.node->items)
      if (s->kind == ast::StatementKind::assign && names_whole(s->target, name)) return {s->value, algorithm.scope};
  return {};
}

/// Variables as the statements give them their first values.
std::vector<const Instance*> in_order_of_statements(const Instance& function, std::vector<const Instance*> variables) {
  auto place = [&](const Instance* variable) {
    std::size_t k = 0;
    for (const auto& algorithm : function.algorithms)
      for (const ast::Statement* s : algorithm.node->items) {
        if (names_whole(s->target, variable->name)) return k;
        ++k;
      }
    return k;
  };
  std::stable_sort(variables.begin(), variables.end(),
                   [&](const Instance* a, const Instance* b) { return place(a) < place(b); });
  return variables;
}

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
    if (!in_whole && waits(component)) {  // as large as what it is first given
      auto first = first_value(*frame_.function, component.name);
      if (first.node == nullptr) return unknown(component);
      Typer typer(model_, work_, first.scope, &frame_);
      auto given = typer.expression(*first.node);
      if (!given && given.failure().is(Again::How::split)) return unknown(component);
      if (!given) return given.failure();
      value = given;
      if (value->dims.size() != component.rank()) return unknown(component);
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

  /// Whether the size of a local variable or an output is what its first value has: `Real x[:]`.
  static bool waits(const Instance& component) {
    bool own = component.parent != nullptr && component.parent->parent == nullptr;
    return own && !component.binding && is_open(component);
  }

  /// Notes the value of a local Integer or Boolean that keeps what its declaration gives it, where that follows from sizes.
  void settle(const Instance& local) {
    bool counts = local.type == instance::Type::integer || local.type == instance::Type::boolean;
    bool is_text = local.type == instance::Type::string;
    if ((!counts && !is_text) || local.rank() > 0 || !local.binding || is_output(local)) return;
    if (is_assigned(*frame_.function, local.name)) return;
    std::set<const Instance*> asked = frame_.asked;
    Diagnostics before = model_.diagnostics;
    Typer typer(model_, work_, local.binding.scope, &frame_);
    auto node = typer.expression(*local.binding.expr);
    if (is_text && node)
      if (auto texts = typer.texts_of(*node); texts && *texts && (*texts)->size() == 1)
        frame_.settled_texts[&local] = (**texts)[0];
    auto value = !is_text && node && Typer::is_structural(*node) ? typer.known(*node)
                                                                 : Outcome<std::optional<Known>>(std::optional<Known>());
    frame_.asked = std::move(asked);
    model_.diagnostics = std::move(before);
    if (value && *value && (*value)->is_uniform()) frame_.settled[&local] = (*value)->uniform();
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
  std::vector<const Instance*> waiting;
  for (const Instance* child : frame.function->children) {
    if (is_input(*child) || (frame.interpreted && !is_output(*child))) continue;
    if (Sizes::waits(*child)) {
      waiting.push_back(child);
      continue;
    }
    if (auto done = sizes.find(*child); !done) return done;
    sizes.settle(*child);
  }
  for (const Instance* child : in_order_of_statements(*frame.function, std::move(waiting)))
    if (auto done = sizes.find(*child); !done) return done;
  if (shape.fields.empty()) return Done{};
  for (const Instance* child : frame.function->children)
    if (auto done = sizes.check(*child, used_at); !done) return done;
  return Done{};
}

}  // namespace bolza::flatten
