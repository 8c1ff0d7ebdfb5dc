// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/result.h"
#include "compiler/flatten/given_horizon.h"
#include "compiler/instance/instance.h"
#include "compiler/ir/flat_model.h"

namespace bolza::flatten {

/// What `inStream` and `actualStream` are where flows change their signs: as the specification has it, or twice
/// differentiable.
enum class Flows : std::uint8_t { as_stated, exact, smooth };  ///< `as_stated`: smooth in optimisation problems

/// Turns an instance tree into a flat model: variables with ids, equations as groups of equal shape, connections, functions
/// as Programs, the optimisation problem. Nothing is scalarised but integers: an equation of an array component, of a
/// for-loop or between arrays is translated once for all its instances.
///
/// The tree stays in use where the flat model has `actions`.
///
/// @param max_scalars  that the model may have, see ir::FlatModel
/// @param rounding  tables of straight lines have round corners, over so much of the distances of their points, 0.5 at most
/// @param horizon  in the place of startTime and finalTime; a final time that is free is fixed by it, with W359
///
/// Errors  E3xx, every mistake that stands on its own; then there is no model. W3xx for the lints of the dialects.
/// Cost    linear in the number of scalar variables and equation instances (integers only); expressions are translated once
///         per distinct shape.
Result<ir::FlatModel> flatten(instance::InstanceTree& tree, Diagnostics& diagnostics, const GivenHorizon& horizon = {},
                              std::uint32_t max_scalars = ir::FlatModel::usual_scalars, double rounding = 0,
                              Flows flows = Flows::as_stated);

}  // namespace bolza::flatten
