// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/sbml/additions.h"
#include "compiler/sbml/quantities_internal.h"

namespace bolza::sbml {

/// Puts parameters, rules and initial assignments into a model.
/// Errors  E802 a name is taken or cannot be determined so, E804 not there, E805 a formula cannot be read.
Result<Done> add(const Additions& additions, Model& model, Diagnostics& diagnostics);

}  // namespace bolza::sbml
