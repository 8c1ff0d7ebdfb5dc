// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "base/printable.h"
#include "cli/certificate_page.h"
#include "cli/commands.h"
#include "cli/model_arguments.h"
#include "cli/print.h"
#include "workflow/install_paths.h"
#include "workflow/verify/verify_result.h"

namespace bolza::cli {
namespace {

int exit_code(workflow::Proof proof) {
  switch (proof) {
    case workflow::Proof::verified:
      return fine;
    case workflow::Proof::incomplete:
      return warned;
    case workflow::Proof::refused:
      return not_solved;
  }
  return our_bug;
}

workflow::VerifyRequest request_of(const Arguments& arguments) {
  workflow::VerifyRequest request;
  request.result = arguments.file;
  request.load = load_request(arguments);
  request.load.file = arguments.model;
  request.tolerance = arguments.tolerance;
  return request;
}

}  // namespace

int run_verify(const Arguments& arguments) {
  workflow::EarlyOpening libraries({"bolza_solver"});
  workflow::VerifyRun run = workflow::verify_result(request_of(arguments));
  if (!run.outcome) return refuse_input(run.model->diagnostics, run.model->sources, arguments);
  if (arguments.json) {
    print_json(certificate_json(*run.outcome));
    return exit_code(run.outcome->proof);
  }
  print_diagnostics(run.model->diagnostics, run.model->sources, arguments);
  print_certificate(arguments.file, *run.outcome);
  return exit_code(run.outcome->proof);
}

}  // namespace bolza::cli
