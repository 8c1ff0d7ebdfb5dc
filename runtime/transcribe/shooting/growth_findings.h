// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "runtime/transcribe/shooting/growth.h"

namespace bolza::transcribe {

/// Why one integration over the horizon to this tolerance says nothing of where it ends; empty: it does say something.
std::optional<abi::Finding> unstable(const Growth& growth, double rtol);

/// The same where errors grow by the steps of an explicit method and not by the model, which is stiff. Empty: by the model,
/// or the method is none of those, or not along this trajectory.
/// @param at, functions  single shooting, at the variables of interest
/// @param implicit  the same problem with an implicit integrator
/// Cost  two integrations with four sensitivities.
std::optional<abi::Finding> stiff(ShootingNodes& at, nlp::Functions& functions, const MakeProblem& implicit);

/// Why iterations of the classical form were ended.
abi::Finding creeping(const Growth& growth);

}  // namespace bolza::transcribe
