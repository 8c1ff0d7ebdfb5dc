// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {

/// The links of a problem's phases: equalities between states at the start of a phase that is not the first, parameters and
/// values of phases before it; and between times of phases. Each determines one variable, the last of its kind: a state
/// that has no fixed value, a free time of the latest phase that no phase before has. An equality that all variables are
/// taken of already is none. Cost  linear in the rows, but where several states of a phase share several rows.
std::vector<Link> links_between_phases(const ShootingNodes& nodes);

}  // namespace bolza::transcribe
