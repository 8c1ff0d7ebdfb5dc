// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/status.h"

#include <limits>

namespace bolza::transcribe {

abi::SolveStatus status_of(nlp::Status status) {
  switch (status) {
    case nlp::Status::solved:
      return abi::SolveStatus::solved;
    case nlp::Status::acceptable:
      return abi::SolveStatus::acceptable;
    case nlp::Status::infeasible:
      return abi::SolveStatus::infeasible;
    case nlp::Status::iteration_limit:
      return abi::SolveStatus::iteration_limit;
    case nlp::Status::time_limit:
      return abi::SolveStatus::time_limit;
    case nlp::Status::diverging:
      return abi::SolveStatus::diverging;
    case nlp::Status::evaluation_error:
      return abi::SolveStatus::evaluation_error;
    case nlp::Status::interrupted:
      return abi::SolveStatus::interrupted;
    case nlp::Status::bad_option:
      return abi::SolveStatus::refused;
    case nlp::Status::failed:
      return abi::SolveStatus::failed;
  }
  return abi::SolveStatus::failed;
}

abi::Finding said_by_engine(const nlp::Report& report) {
  abi::Finding finding;
  finding.kind = abi::Finding::Kind::of_engine;
  finding.time = std::numeric_limits<double>::quiet_NaN();
  finding.amount = report.primal_infeasibility;
  finding.text = report.message;
  return finding;
}

}  // namespace bolza::transcribe
