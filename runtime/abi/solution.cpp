// SPDX-License-Identifier: Apache-2.0
#include "runtime/abi/solution.h"

namespace bolza::abi {

const char* name_of(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::acceptable:
      return "acceptable";
    case SolveStatus::infeasible:
      return "infeasible";
    case SolveStatus::iteration_limit:
      return "iteration_limit";
    case SolveStatus::time_limit:
      return "time_limit";
    case SolveStatus::diverging:
      return "diverging";
    case SolveStatus::unbounded:
      return "unbounded";
    case SolveStatus::evaluation_error:
      return "evaluation_error";
    case SolveStatus::interrupted:
      return "interrupted";
    case SolveStatus::failed:
      return "failed";
    case SolveStatus::refused:
      return "refused";
  }
  return "failed";
}

}  // namespace bolza::abi
