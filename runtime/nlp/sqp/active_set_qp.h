// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "runtime/nlp/sqp/quadratic_program.h"

namespace bolza::nlp {

/// A dense quadratic program by the dual active-set method of Goldfarb and Idnani [GI], a range-space method: from the
/// minimum without constraints, violated ones are taken into the working set one by one, those of the last program first.
/// H must be positive definite where the constraints leave room: elsewhere it is made so by rows of the working set, which
/// does not move the solution. Elastic and contradictory programs are solved by the interior-point method on dense factors.
/// Cost O(n³) for each program and O(n² + n m) for each change of the working set; memory n² + n m.
std::unique_ptr<QuadraticSolver> active_set_solver();

}  // namespace bolza::nlp
