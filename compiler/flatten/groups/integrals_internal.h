// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// Integrals as numbers of a problem: the values at the end of states that start at 0, with the integrands as derivatives.
/// Equal integrands of one phase have one state. Gives the provisional ids of these values, one for each integrand.
/// Cost: one state and one equation for each integrand that is new.
std::vector<std::uint32_t> final_integrals(Model& model, const ir::ElementValues& integrands);

/// Whether one of the integrands names no variable that its declaration puts into a phase, although there are phases.
bool names_no_phase(const Model& model, const ir::ElementValues& integrands);
/// Whether some of the integrands name variables of more than one phase.
bool names_several_phases(const Model& model, const ir::ElementValues& integrands);

/// integral(a + b) as integral(a) + integral(b), and likewise of differences, sums over iterators, and products with
/// parameters; null where the integrand is none of these.
const Node* sum_of_integrals(Nodes& nodes, const Node& integral);

/// Calls the states what they are, `integral(lap[2].u^2)`. Requires that ids are those of the flat model.
void name_integrals(Model& model);

}  // namespace bolza::flatten
