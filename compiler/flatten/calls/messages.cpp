// SPDX-License-Identifier: Apache-2.0
// Texts and calls whose values are only known while the model runs: what changes becomes an input of an action.
#include "compiler/flatten/calls/messages_internal.h"

#include <algorithm>
#include <cstring>

#include "base/expects.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/instance/build/instantiate.h"
#include "compiler/syntax/print.h"

namespace bolza::flatten {
namespace {

instance::ValueKind value_kind_of(Basic basic) {
  switch (basic) {
    case Basic::integer:
      return instance::ValueKind::integer;
    case Basic::boolean:
      return instance::ValueKind::boolean;
    case Basic::enumeration:
      return instance::ValueKind::enumeration;
    case Basic::string:
      return instance::ValueKind::string;
    case Basic::record:
      return instance::ValueKind::record;
    case Basic::clock:
    case Basic::real:
      break;
  }
  return instance::ValueKind::real;
}

/// Rewrites an expression: texts stay, numbers that change become names of inputs. Where the message is lenient null stands
/// for what cannot be shown.
class ActionWriter {
 public:
  ActionWriter(Typer& typer, Message& out, bool lenient = false)
      : typer_(typer),
        out_(out),
        actions_(*typer.model.actions),
        lenient_(lenient) {}

  /// The expression of a text.
  Outcome<const ast::Expr*> text(const ast::Expr& expr) {
    switch (expr.kind) {
      case ast::ExprKind::string_literal:
        out_.text += expr.text;
        return &expr;
      case ast::ExprKind::additive:
        return with_operands(expr, [&](const ast::Expr& part, std::size_t) { return text(part); });
      case ast::ExprKind::if_: {
        auto made = with_operands(expr, [&](const ast::Expr& part, std::size_t k) {
          return k % 2 == 0 && k + 1 < expr.operands.size() ? number(part) : text(part);
        });
        return !made || *made ? made : literal("…", expr.span);
      }
      case ast::ExprKind::call: {
        std::size_t n_values = out_.values.size(), length = out_.text.size();
        auto made = call(expr);
        bool is_fixed = made && *made && out_.values.size() == n_values;
        auto known = is_fixed ? instance::try_evaluate(typer_.model.tree, expr, typer_.scope) : std::nullopt;
        if (known && known->strings.size() == 1) {  // a function of texts, or of records, says more than its arguments
          out_.text.resize(length);
          return literal(known->strings[0], expr.span);
        }
        return (made && *made) || !lenient_ ? made : literal("…", expr.span);
      }
      default:
        return fixed(expr);
    }
  }

  /// A call with arguments of any type.
  Outcome<const ast::Expr*> call(const ast::Expr& expr) {
    ast::Arguments* given = make(*expr.arguments);
    if (!given->iterators.empty()) return fixed(expr);
    Collected all;
    auto value = [&](const ast::Expr* argument) {
      return all.add(is_text(*argument) ? text(*argument) : number(*argument));
    };
    given->positional = list_of(given->positional, value);
    given->named = list_of(given->named, [&](ast::NamedArgument argument) {
      argument.value = value(argument.value);
      return argument;
    });
    ast::Expr* made = make(expr);
    made->arguments = given;
    return all.in(made);
  }

  std::vector<instance::ActionInput> inputs;

 private:
  /// Whether all parts of an expression could be made, and shown.
  struct Collected {
    Outcome<Done> done = Done{};
    bool shown = true;

    const ast::Expr* add(const Outcome<const ast::Expr*>& part) {
      if (!part && done) done = part.failure();
      shown = shown && part && *part != nullptr;
      return part ? *part : nullptr;
    }
    Outcome<const ast::Expr*> in(const ast::Expr* made) const {
      if (!done) return done.failure();
      return shown ? made : nullptr;
    }
  };

  template <class T>
  T* make(const T& from) {
    return new (actions_.arena().allocate(sizeof(T), alignof(T))) T(from);
  }
  template <class T, class Change>
  ast::List<T> list_of(ast::List<T> from, Change change) {
    if (from.empty()) return from;
    auto* to = static_cast<T*>(actions_.arena().allocate(from.size() * sizeof(T), alignof(T)));
    for (std::size_t k = 0; k < from.size(); ++k) new (to + k) T(change(from[k]));
    return {to, from.size()};
  }
  template <class Change>
  Outcome<const ast::Expr*> with_operands(const ast::Expr& expr, Change change) {
    ast::Expr* made = make(expr);
    std::size_t k = 0;
    Collected all;
    made->operands = list_of(expr.operands, [&](const ast::Expr* part) { return all.add(change(*part, k++)); });
    return all.in(made);
  }

  /// A text that is known now. Where those of the components of an array differ the space is split.
  Outcome<const ast::Expr*> fixed(const ast::Expr& expr) {
    std::vector<const Known*> axes = typer_.known_axes(typer_.scope.instance);
    bool uniform = std::all_of(axes.begin(), axes.end(), [](const Known* known) { return known->is_uniform(); });
    std::vector<std::string> texts;
    std::vector<double> which;
    for (std::size_t i = 0; i < (uniform ? 1 : typer_.work.space.n); ++i) {
      std::vector<std::int64_t> indices;
      for (const Known* known : axes) indices.push_back(static_cast<std::int64_t>((*known)[i]));
      auto known = instance::try_evaluate(typer_.model.tree, expr, typer_.scope, {.indices = indices});
      bool found = known && known->strings.size() == 1;
      if (!found) {
        auto at_iterators = element_text(expr);
        if (!at_iterators || *at_iterators) return at_iterators;
      }
      if (!found && !lenient_) return typer_.model.diagnostics.error(no_message, expr.span);
      std::string text = found ? known->strings[0] : "…";
      auto at = std::find(texts.begin(), texts.end(), text);
      which.push_back(static_cast<double>(at - texts.begin()));
      if (at == texts.end()) texts.push_back(std::move(text));
    }
    if (auto same = typer_.work.uniform(Known(std::move(which))); !same) return same.failure();
    return literal(texts.at(0), expr.span);
  }

  /// The element of an array of texts at subscripts that iterators say; null where that is not known.
  Outcome<const ast::Expr*> element_text(const ast::Expr& expr) {
    const ast::Expr* none = nullptr;
    bool depends = !typer_.iterators.empty() || typer_.frame != nullptr;
    if (expr.kind != ast::ExprKind::name || !depends) return none;
    Diagnostics before = typer_.model.diagnostics;
    auto node = typer_.expression(expr);
    if (!node && node.failure().restarts()) return node.failure();
    if (!node) typer_.model.diagnostics = std::move(before);
    if (!node || node->basic != Basic::string) return none;
    auto texts = typer_.texts_of(*node);
    if (!texts) return texts.failure();
    return *texts && (*texts)->size() == 1 ? literal((**texts)[0], expr.span) : none;
  }

  const ast::Expr* literal(std::string_view text, Span span) {
    out_.text += text;
    ast::Expr made;
    made.kind = ast::ExprKind::string_literal;
    made.span = span;
    made.text = kept(text);
    return make(made);
  }

  std::string_view kept(std::string_view text) {
    auto* to = static_cast<char*>(actions_.arena().allocate(text.size() + 1, 1));
    std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }

  /// Numbers, Booleans, enumerations, records and arrays of them: known ones stay as they are written.
  Outcome<const ast::Expr*> number(const ast::Expr& expr) {
    std::optional<Diagnostics> before;
    if (lenient_) before = typer_.model.diagnostics;
    auto node = typer_.expression(expr);
    if (!node && (!lenient_ || node.failure().restarts())) return node.failure();
    if (!node) {  // a text is no reason to refuse
      typer_.model.diagnostics = std::move(*before);
      return nullptr;
    }
    bool shown = node->basic != Basic::record && node->basic != Basic::string;
    if (node->level == Level::constant || !shown)
      if (auto known = instance::try_evaluate(typer_.model.tree, expr, typer_.scope)) {
        if (shown && known->size() == 1) out_.text += instance::print(*known);
        return &expr;
      }
    instance::ActionInput input;
    std::size_t n_values = out_.values.size();
    std::string mark = "{" + std::to_string(n_values) + "}";
    auto value = input_value(*node, input, expr.span);
    if (!value) {
      out_.values.resize(n_values);
      if (!lenient_ || value.failure().restarts()) return value.failure();
      typer_.model.diagnostics = std::move(*before);
      return nullptr;
    }
    if (node->basic != Basic::record) out_.text += mark;
    input.name = kept("$" + std::to_string(inputs.size()));
    input.value = std::move(*value);
    inputs.push_back(std::move(input));
    return named(inputs.back().name, expr.span);
  }

  /// What the action gets: the numbers in it are values of the message, texts and objects are known now.
  Outcome<instance::Value> input_value(const Node& node, instance::ActionInput& input, Span span) {
    instance::Value value{.kind = value_kind_of(node.basic), .dimensions = node.dims, .definition = node.definition};
    bool is_record = node.basic == Basic::record && node.instance != nullptr;
    if (node.basic == Basic::record && !is_record) return typer_.wrong(no_message, span);
    if (is_record && node.instance->external_object) {
      auto object = typer_.object_of(node);
      if (!object) return object.failure();
      value.object = object->pointer.get();
      input.objects.push_back(std::move(object->pointer));
      return value;
    }
    if (is_record) {
      value.definition = node.instance->definition;
      for (const Instance* field : node.instance->children) {
        auto part = typer_.member(&node, field->name, node.span);
        if (!part) return part.failure();
        auto inner = input_value(*part, input, span);
        if (!inner) return inner;
        value.fields.push_back({std::string(field->name), std::move(*inner)});
      }
      return value;
    }
    if (node.basic == Basic::string) {
      auto texts = typer_.texts_of(node);
      if (!texts) return texts.failure();
      if (!*texts) return typer_.wrong(no_message, span);
      value.strings = std::move(**texts);
      return value;
    }
    std::int64_t n = size_of(node.dims);
    for (std::int64_t e = 0; e < n; ++e)
      out_.values.push_back(node.dims.empty() ? &node : typer_.nodes().element(&node, indices_at(node.dims, e)));
    value.numbers.resize(static_cast<std::size_t>(n));
    return value;
  }

  const ast::Expr* named(std::string_view name, Span span) {
    const ast::NamePart* part = make(ast::NamePart{.identifier = name, .span = span, .subscripts = {}});
    ast::Expr made;
    made.kind = ast::ExprKind::name;
    made.span = span;
    made.reference = make(ast::Reference{.global = false, .parts = {part, 1}, .span = span});
    return make(made);
  }

  bool is_text(const ast::Expr& expr) {
    switch (expr.kind) {
      case ast::ExprKind::string_literal:
        return true;
      case ast::ExprKind::additive:
      case ast::ExprKind::array:
        return std::any_of(expr.operands.begin(), expr.operands.end(), [&](const ast::Expr* e) { return is_text(*e); });
      case ast::ExprKind::if_:
        return is_text(*expr.operands.back());
      case ast::ExprKind::call:
      case ast::ExprKind::name:
        return names_text(*expr.reference);
      default:
        return false;
    }
  }

  /// Whether a component, or the first output of a function, is a String.
  bool names_text(const ast::Reference& reference) {
    for (const auto& [name, node] : typer_.iterators)
      if (reference.parts[0].identifier == name) return false;
    Diagnostics quiet;
    auto resolved = instance::lookup(typer_.model.tree, typer_.scope, reference, quiet);
    if (!resolved || resolved->removed) return false;
    switch (resolved->kind) {
      case instance::ResolvedKind::builtin_type:
        return resolved->type == instance::Type::string;
      case instance::ResolvedKind::builtin_function:
        return resolved->name == "getInstanceName";
      case instance::ResolvedKind::component:
        return resolved->component().type == instance::Type::string;
      case instance::ResolvedKind::class_:
        break;
      case instance::ResolvedKind::enumeration_literal:
      case instance::ResolvedKind::time:
        return false;
    }
    auto made = instance::instance_of(typer_.model.tree, *resolved->definition, resolved->enclosing, reference.span, quiet);
    if (!made) return false;
    for (const Instance* child : (*made)->children)
      if (is_output(*child)) return child->type == instance::Type::string;
    return false;
  }

  Typer& typer_;
  Message& out_;
  instance::Actions& actions_;
  bool lenient_;
};

}  // namespace

Outcome<Message> message_of(Typer& typer, const ast::Expr& expr, bool lenient) {
  Message message;
  ActionWriter writer(typer, message, lenient);
  auto text = writer.text(expr);
  if (!text) return text.failure();
  expects(*text != nullptr, "a lenient message says where something cannot be shown");
  if (!message.values.empty())
    message.action = typer.model.actions->add(**text, typer.scope, std::move(writer.inputs), false);
  return message;
}

Outcome<Message> action_of(Typer& typer, const ast::Expr& expr) {
  Message message;
  ActionWriter writer(typer, message);
  auto call = writer.call(expr);
  if (!call) return call.failure();
  message.text = syntax::print(expr);
  message.action = typer.model.actions->add(**call, typer.scope, std::move(writer.inputs), true);
  return message;
}

}  // namespace bolza::flatten
