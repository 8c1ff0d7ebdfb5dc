// Calls that stand as statements: assertions, errors, printing.
#include "compiler/flatten/codes.h"
#include "compiler/flatten/effects_internal.h"
#include "compiler/flatten/statements_internal.h"

namespace bolza::flatten {
namespace {

/// The literal parts of a message; what is only known at run time is left out.
std::string literal_parts(Model& model, const ast::Expr& expr, const Scope& scope) {
  if (expr.kind == ast::ExprKind::string_literal) return std::string(expr.text);
  if (expr.kind == ast::ExprKind::additive) {
    std::string text;
    for (const ast::Expr* part : expr.operands) text += literal_parts(model, *part, scope);
    return text;
  }
  auto known = instance::try_evaluate(model.tree, expr, scope);
  return known && !known->strings.empty() ? known->strings[0] : "…";
}

}  // namespace

bool StatementWriter::call(const ast::Statement& s) {
  const ast::Reference& name = *s.value->reference;
  const ast::Arguments& given = *s.value->arguments;
  bool is_assert = name.simple() && name.parts[0].identifier == "assert";
  const Instance* function = is_assert ? nullptr : function_named(typer_, name);
  bool objects = function && is_error(*function), at_event = writer_.section && typer_.in_when && writer_.loop_bindings == 0;
  if (function && (acts(model_, *function) || (objects && at_event))) return effect(s);
  if (name.simple() && (name.parts[0].identifier == "terminate" || name.parts[0].identifier == "reinit"))
    return typer_.wrong(unsupported, s.span, {"`" + std::string(name.parts[0].identifier) + "` among other statements"}),
           false;
  if (!is_assert && !objects) {
    const Node* value = typer_.statement(*s.value);
    if (value == nullptr) return false;
    bool checks = value->kind == NodeKind::call && value->instance == nullptr && value->dims.empty();
    if (!checks) return true;  // its results are dropped
    Scalar holds = lowering_.scalar(*value);
    if (holds.failed()) return false;
    require(lowering_.expression(holds), "an assertion of `" + std::string(name.parts.back().identifier) + "` does not hold",
            s.span);
    return true;
  }
  ir::ExprId holds = model_.dag().zero();
  std::size_t message = 0;
  if (is_assert) {
    if (given.positional.empty()) return typer_.wrong(argument_count, s.span, {"assert", "2", "0"}), false;
    const Node* condition = typer_.boolean_condition(*given.positional[0]);
    Scalar value = condition ? lowering_.scalar(*condition) : Scalar();
    if (value.failed()) return false;
    holds = lowering_.expression(value);
    message = 1;
  }
  bool has_text = given.positional.size() > message;
  require(holds, has_text ? literal_parts(model_, *given.positional[message], typer_.scope) : "", s.span);
  return true;
}

/// A call for its effect: in a when-statement its arguments are noted when it is reached, and it is made when the event is
/// settled. Elsewhere when and how often a statement is reached is not defined.
bool StatementWriter::effect(const ast::Statement& s) {
  if (!writer_.section || !typer_.in_when || writer_.loop_bindings > 0) {
    model_.diagnostics.warning(print_ignored, s.span);
    return true;
  }
  auto message = action_of(typer_, *s.value);
  if (!message) return false;
  AlgorithmSection::Call call{.span = s.span};
  auto note = [&](const char* name, Basic basic, ir::ExprId value) {
    std::uint32_t local = writer_.new_local(name, scalar_type_of(basic));
    ir::Statement zero{ir::StatementKind::assign, s.span};
    zero.target = local, zero.value = model_.dag().zero();
    writer_.prologue.push_back(std::move(zero));
    writer_.assign(local, value, s.span);
    return local;
  };
  for (const Node* node : message->values) {
    Scalar value = lowering_.scalar(*node);
    if (value.failed()) return false;
    call.locals.push_back(note("argument", node->basic, lowering_.expression(value)));
  }
  call.due = note("due", Basic::boolean, model_.dag().one());
  call.message = std::move(*message);
  writer_.section->calls.push_back(std::move(call));
  return true;
}

/// A condition that must hold: where it does not, the Program fails, or says so when it has nothing else to say.
void StatementWriter::require(ir::ExprId condition, std::string text, Span span) {
  if (writer_.holds) {
    ir::Dag& dag = model_.dag();
    return writer_.assign(*writer_.holds, dag.make(ir::Op::logical_and, dag.slot(*writer_.holds), condition), span);
  }
  ir::Statement check{ir::StatementKind::check, span};
  check.value = condition;
  check.text = std::move(text);
  writer_.push(std::move(check));
}

}  // namespace bolza::flatten
