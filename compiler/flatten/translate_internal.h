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
std::optional<Context> enter_loop(Model& model, const ast::Iterator& iterator, const ast::Expr* body, const Context& context,
                                  Work& work);
Typer typer_in(Model& model, Work& work, const Context& context);
/// The value of a binding or attribute for the element at all indices of `target`; levels and `each` seen to.
/// Needs a space of all elements of `target` (`space_of(model, target, true)`).
const Node* value_for(Model& model, Work& work, const Instance& target, const instance::ScopedExpr& given, bool is_binding,
                      Indices& indices);

/// The same as a scalar node; its indices become axes of the work's space.
const Node* element_for(Model& model, Work& work, const Instance& target, const instance::ScopedExpr& given,
                        bool is_binding);
/// The element of a component at its own axes.
const Node* own_element(Model& model, Work& work, const Instance& instance);

/// One id after the other for every scalar and array that is a variable, in the order of declaration.
void lay_out_variables(Model& model);
/// Attributes and bindings of what was laid out. Bindings of unknowns become equations.
void fill_variables(Model& model);
/// Gives derivatives, timed values and auxiliary variables their places behind the others, in all columns and terms.
void settle_ids(Model& model);

/// Equality of two values of equal type and size: rows of the target. Records field by field.
void equate(Model& model, Work& work, Typer& typer, const Node* left, const Node* right, const Target& target);

class Connections;
void translate_equations(Model& model, Connections& connections);
void translate_algorithms(Model& model, const Instance& component);
void translate_optimization(Model& model);
void translate_annotations(Model& model);
void warn_of_contradictions(Model& model);
/// Marks the parameters that decided what the model is: their values cannot be changed afterwards. Those of sizes, ranges
/// and conditions, and what those are computed from.
void mark_evaluated(Model& model);

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

/// Whether the component is an input of the model itself (a control when it has no binding).
bool is_top_level_input(const Instance& instance);

}  // namespace bolza::flatten
