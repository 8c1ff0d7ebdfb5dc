// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

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

bool is_input(const Instance& instance);
bool is_output(const Instance& instance);
/// Whether the component is an input of the model itself (a control when it has no binding).
bool is_top_level_input(const Instance& instance);

/// The scalars and arrays of a component, depth first: itself, or those of its fields.
std::vector<const Instance*> leaves_of(const Instance& component);
/// Whether it is a parameter of a record that is none itself: it stays what it is where the record is assigned as a whole.
bool is_part_parameter(const Instance& field);

/// Whether the variable changes at events only: by its type, its declaration, or because a when-clause sets it.
bool is_discrete(const Model& model, const Instance& instance);
/// The unit that the declaration of a function's variable states, "" when none.
std::string unit_of(Model& model, const Instance& variable);
/// The instances of an array component's ancestors (and itself, with `own`): one axis per dimension, outermost first.
Space space_of(Model& model, const Instance& instance, bool own);

}  // namespace bolza::flatten
