// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Differentiates equations that constrain states until the highest derivatives can be computed, and chooses states.
///
/// Pantelides' algorithm on integers (pantelides.h), derivatives of shapes (time_derivative.h), dummy derivatives [DUMMY]:
/// for every differentiated equation one derivative of its variables becomes an ordinary algebraic. Which one is decided by
/// the Jacobian of the constraints (choose_columns.h) at PassOptions::point, else at the start values, else at a generic
/// point: first stateSelect, then size of the pivot, then a variable with fixed start or a start is kept as a state rather
/// than one without, a variable nearer to the top rather than one of a component. New variables der(der(x)) are appended. In
/// an optimisation, constraints without a choice that is good everywhere are invariants (dummy_derivatives.h): their highest
/// derivatives are equations, they themselves and their lower derivatives initial equations; they demote nothing.
///
/// Fills System::structure (index, choices, counts), System::variable_index. With Form::original only finds the index.
/// Errors  E408 structurally singular, E409 index beyond reach, E417, E420 what cannot be differentiated,
///         E418 StateSelect.always, E419 dependent constraints, E427 StateSelect.never without anything in its place;
///         warning W407
/// Cost    about linear in the equations and what is added.
Result<Done> reduce_index(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
