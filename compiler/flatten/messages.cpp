// Messages of assertions: texts with places for values.
#include "compiler/flatten/codes.h"
#include "compiler/flatten/effects_internal.h"

namespace bolza::flatten {
namespace {

bool is_string_conversion(const ast::Expr& expr) {
  return expr.kind == ast::ExprKind::call && expr.reference->simple() && expr.reference->parts[0].identifier == "String" &&
         !expr.arguments->positional.empty();
}

bool append(Typer& typer, const ast::Expr& expr, Message& out) {
  if (expr.kind == ast::ExprKind::string_literal) return out.text += expr.text, true;
  if (expr.kind == ast::ExprKind::additive) {
    for (const ast::Expr* part : expr.operands)
      if (!append(typer, *part, out)) return false;
    return true;
  }
  if (is_string_conversion(expr)) {
    const Node* value = typer.expression(*expr.arguments->positional[0]);
    if (value == nullptr) return false;
    if (value->kind != NodeKind::number && value->dims.empty() && is_numeric(value->basic)) {
      out.text += "{" + std::to_string(out.values.size()) + "}";
      out.values.push_back(value);
      return true;
    }
  }
  auto known = instance::try_evaluate(typer.model.tree, expr, typer.scope);
  if (known && !known->strings.empty()) return out.text += known->strings[0], true;
  typer.wrong(no_message, expr.span);
  return false;
}

}  // namespace

std::optional<Message> message_of(Typer& typer, const ast::Expr& expr) {
  Message message;
  if (!append(typer, expr, message)) return {};
  return message;
}

}  // namespace bolza::flatten
