// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/simulate_report.h"

namespace bolza::integrate {

const char* name_of(SimulateStatus status) {
  switch (status) {
    case SimulateStatus::finished:
      return "finished";
    case SimulateStatus::bad_method:
      return "the method cannot take the model";
    case SimulateStatus::initialisation:
      return "no consistent initial values";
    case SimulateStatus::nonfinite:
      return "a value is not finite";
    case SimulateStatus::error_test:
      return "the error test failed again and again";
    case SimulateStatus::convergence:
      return "Newton's method did not converge";
    case SimulateStatus::too_many_steps:
      return "too many steps";
    case SimulateStatus::too_much_accuracy:
      return "more accuracy was asked than double precision has";
    case SimulateStatus::time_limit:
      return "time limit";
    case SimulateStatus::interrupted:
      return "interrupted";
    case SimulateStatus::failed:
      return "the integrator failed";
    case SimulateStatus::assertion:
      return "an assertion does not hold";
    case SimulateStatus::event_iteration:
      return "the iteration of an event does not end";
    case SimulateStatus::chattering:
      return "events follow each other without end";
    case SimulateStatus::singular_states:
      return "another choice of states is needed";
  }
  return "";
}

}  // namespace bolza::integrate
