// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/result.h"
#include "workflow/solve/indirect/arc_structure.h"

namespace bolza::workflow {

/// The structure with the arcs of some controls as the option `arcs` says: `u: max, singular, min; v: free`. Times are those
/// that were found where a control has as many arcs as are given, else evenly spread; what is not named stays as it was
/// found.   Errors  E926 at `where` with what is expected: a control of the model, one of the words; bounds for `max` and
/// `min`, `singular` where H is affine in the control and `free` where it is not.
Result<ArcStructure> with_given_arcs(passes::OptimalitySystem& system, const ArcStructure& found, const std::string& text,
                                     Span where, Diagnostics& diagnostics);

}  // namespace bolza::workflow
