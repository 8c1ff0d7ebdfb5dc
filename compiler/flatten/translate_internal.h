#pragma once
#include "compiler/flatten/emit_internal.h"
#include "compiler/flatten/type_internal.h"

namespace bolza::flatten {

/// Where an equation, statement or constraint stands.
struct Context {
  Scope scope;
  Space space;
  std::vector<std::pair<std::string_view, const Node*>> iterators;
  NamedAxes names;
  bool initial = false;
};

/// The instances of a component's class, with what its origins tell.
Context context_of(Model& model, const Instance& component, const Scope& scope);
/// The context inside a for-loop over one iterator; `body`: where the iterator is a subscript when it has no range.
/// Nothing when it failed or asks for a split.
std::optional<Context> enter_loop(Model& model, const ast::Iterator& iterator, const Subscripted& body,
                                  const Context& context, Work& work);
/// The expressions of the equations in which the iterator is a subscript.
Subscripted subscripted_by(ast::List<const ast::Equation*> body, std::string_view iterator);
Subscripted subscripted_by(ast::List<const ast::Statement*> body, std::string_view iterator);
Typer typer_in(Model& model, Work& work, const Context& context);
/// The value of a binding or attribute for the element at all indices of `target`; levels and `each` seen to.
/// Needs a space of all elements of `target` (`space_of(model, target, true)`).
const Node* value_for(Model& model, Work& work, const Instance& target, const instance::ScopedExpr& given, bool is_binding,
                      Indices& indices);

/// The same as a scalar node; its indices become axes of the work's space.
const Node* element_for(Model& model, Work& work, const Instance& target, const instance::ScopedExpr& given,
                        bool is_binding);
/// The element of a component at its own axes.
/// Errors E383, E384 of constants, and those of their evaluation.
void check_constants(Model& model);
const Node* own_element(Model& model, Work& work, const Instance& instance);

/// One id after the other for every scalar and array that is a variable, in the order of declaration.
void lay_out_variables(Model& model);
/// Attributes and bindings of what was laid out. Bindings of unknowns become equations.
void fill_variables(Model& model);
/// Gives derivatives, timed values and auxiliary variables their places behind the others, in all columns and terms.
void settle_ids(Model& model);

/// Two values that an equation sets equal: of equal type and size, no records.
struct Sides {
  const Node* left = nullptr;
  const Node* right = nullptr;
};
/// Takes records apart and checks types and sizes; parameters of records are left out. False when it was reported.
bool sides_of(Typer& typer, const Node* left, const Node* right, Span span, std::vector<Sides>& out);
/// Rows of an equation, discrete or not; `initial`: of the initial equations.
void emit_equation(Model& model, const Space& space, const Sides& sides, bool initial, Span span, const NamedAxes& names);

/// Whether the text is `initial()`.
bool is_initial_call(const ast::Expr& expr);
/// Notes the variables that when-clauses set: they are discrete.
void find_assigned_in_when(Model& model);
/// Reports discrete Reals that nothing sets.
void check_discrete_variables(Model& model);

class Connections;
void translate_equations(Model& model, Connections& connections);
void translate_algorithms(Model& model, const Instance& component);
void translate_optimization(Model& model);
void translate_annotations(Model& model);
void warn_of_contradictions(Model& model);
/// Marks the parameters that decided what the model is: their values cannot be changed afterwards. Those of sizes, ranges
/// and conditions, and what those are computed from.
void mark_evaluated(Model& model);
/// Notes the parameters that an expression names, because its value shapes the model.
void note_parameters(Model& model, const ast::Expr& expr, const Scope& scope);

/// Calls `visit` for the instance and all below it, in the order of declaration; not below removed components.
template <class Visit>
void for_each_component(const Instance& instance, Visit visit) {
  std::vector<const Instance*> todo{&instance};
  while (!todo.empty()) {
    const Instance* next = todo.back();
    todo.pop_back();
    if (next->removed) continue;
    visit(*next);
    for (std::size_t k = next->children.size(); k-- > 0;) todo.push_back(next->children[k]);
  }
}

/// The k-th (from 0) of an array along its first dimension.
const Node* row_of(Nodes& nodes, const Node* array, std::size_t k);
/// Whether the component is an input of the model itself (a control when it has no binding).
bool is_top_level_input(const Instance& instance);

}  // namespace bolza::flatten
