#pragma once
#include "compiler/flatten/translate_internal.h"

namespace bolza::flatten {

/// A text in which `{0}`, `{1}`, … stand for values; the action makes the text, or the call, of the values.
struct Message {
  std::string text;
  std::vector<const Node*> values;  ///< scalars
  std::optional<std::uint32_t> action;
};

/// A message made of literals, texts known now, `String(x)`, functions that give texts, choices and sums of these. Nothing
/// when it was reported.
/// @param lenient  parts that cannot be computed then are shown as "…" and not reported
std::optional<Message> message_of(Typer& typer, const ast::Expr& expr, bool lenient = false);
/// The same of a call of a function without outputs, which is performed for its effect.
std::optional<Message> action_of(Typer& typer, const ast::Expr& expr);
/// Whether calls of a function do anything but compute: it prints, writes files, calls C functions that give nothing back.
bool acts(Model& model, const Instance& function);
/// Whether a function, or one that it calls, is declared impure: another call of it may give something else.
bool is_impure(Model& model, const Instance& function);
/// Modelica.Utilities.Streams.error
bool is_error(const Instance& function);

/// What a call that stands as an equation does.
struct Effect {
  enum class Kind : std::uint8_t { assertion, call, termination, reinit };
  Kind kind = Kind::assertion;
  const Node* guard = nullptr;  ///< holds where the call stands; null: always
  const Node* place = nullptr;  ///< reinit: the state
  const Node* value = nullptr;  ///< assertion: the condition; reinit: the new value
  Message message;
  ir::AssertionLevel level = ir::AssertionLevel::error;
  const Node* chosen = nullptr;  ///< assertion: the level where it is only known while the model runs
  bool in_when = true;           ///< call: made when it becomes due; else at every event while it is
  Span span;
};

/// The effect of a call; false when it was reported. Calls that do nothing add none.
bool effect_of(Typer& typer, const ast::Expr& call, bool in_when, Span span, std::vector<Effect>& out);

/// What `assert` with these arguments says: its condition, message and level; false when it was reported. The message of a
/// condition that is literally true is not looked at.
bool assertion_of(Typer& typer, const ast::Arguments& given, bool lenient, Effect& out);

/// Puts an effect into the model for every instance of the space; `fires` of the when-clause it stands in, or null.
void emit_effect(Model& model, const Space& space, const Effect& effect, const Node* fires, const NamedAxes& names);

/// The function that a name stands for; null when it is none, or was reported.
const Instance* function_named(Typer& typer, const ast::Reference& name);

/// Both conditions; null stands for true.
const Node* both(Nodes& nodes, const Node* a, const Node* b);

/// A new discrete variable for every instance of a space of `n`, which `number` counts.
const Node* new_discrete(Model& model, std::size_t n, AxisId number, const char* name, Basic basic, Span span);
/// A new discrete Boolean for every instance of a space of `n`, which `number` counts.
const Node* new_condition(Model& model, std::size_t n, AxisId number, const char* name, Span span);

/// The ids of a place for every instance of a space and every element, row-major.
std::vector<std::uint32_t> ids_in(Model& model, const Space& space, const Node& place);

/// If-equations whose condition can change, see open_branches.cpp. Conditions that are known are numbers.
void translate_open_branches(Model& model, Typer& typer, const ast::Equation& equation,
                             const std::vector<const Node*>& conditions, const Context& context);
/// When-equations, see when.cpp.
void translate_when(Model& model, const ast::Equation& equation, const Context& context);

}  // namespace bolza::flatten
