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
#include "cli/sensitivity_page.h"
#include "runtime/result/file.h"
#include "workflow/install_paths.h"
#include "workflow/sensitivity/sensitivity_json.h"
#include "workflow/verify/certificate_json.h"
#include "workflow/verify/receipt.h"
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
  request.load.file = arguments.verify.model;
  request.tolerance = arguments.verify.tolerance;
  request.sensitivity = sensitivity_request(arguments);
  return request;
}

Result<Done> write_receipt(const Arguments& arguments, workflow::VerifyRun& run) {
  Diagnostics& diagnostics = run.model->diagnostics;
  auto text = workflow::receipt_of(*run.model, request_of(arguments), *run.outcome);
  if (!text) return diagnostics.already_reported();
  return result::write_file(arguments.verify.receipt, *text, diagnostics);
}

int check_again(const Arguments& arguments) {
  workflow::ReceiptRun found = workflow::check_receipt(arguments.verify.receipt, load_request(arguments));
  if (!found.run.outcome && found.different.empty())
    return refuse_input(found.run.model->diagnostics, found.run.model->sources, arguments);
  bool holds = found.different.empty();
  if (arguments.print.json) {
    nlohmann::json report = found.run.outcome ? workflow::certificate_json(*found.run.outcome) : nlohmann::json::object();
    report["receipt_holds"] = holds;
    if (!holds) report["different"] = found.different;
    print_json(report);
  } else {
    std::printf("%s: %s\n", printable(arguments.verify.receipt).c_str(), holds ? "holds" : "does not hold");
    for (const std::string& difference : found.different) std::printf("  different    %s\n", difference.c_str());
    if (found.run.outcome) print_certificate(arguments.verify.receipt, *found.run.outcome);
  }
  return holds ? exit_code(found.run.outcome->proof) : not_solved;
}

}  // namespace

int run_verify(const Arguments& arguments) {
  workflow::EarlyOpening libraries({"bolza_solver"});
  if (arguments.file.empty()) return check_again(arguments);
  workflow::VerifyRun run = workflow::verify_result(request_of(arguments));
  if (!run.outcome || (!arguments.verify.receipt.empty() && !write_receipt(arguments, run)))
    return refuse_input(run.model->diagnostics, run.model->sources, arguments);
  if (arguments.print.json) {
    nlohmann::json report = workflow::certificate_json(*run.outcome);
    const workflow::OptimumSensitivity& sensitivity = run.outcome->sensitivity;
    if (!sensitivity.parameters.empty()) report["sensitivity"] = workflow::sensitivity_json(run.model->abi(), sensitivity);
    if (!sensitivity.why.empty()) report["no_trajectories"] = sensitivity.why;
    print_json(report);
    return exit_code(run.outcome->proof);
  }
  print_diagnostics(run.model->diagnostics, run.model->sources, arguments);
  print_certificate(arguments.file, *run.outcome);
  print_sensitivity(run.outcome->sensitivity);
  if (!arguments.verify.receipt.empty()) std::printf("  receipt      %s\n", arguments.verify.receipt.c_str());
  return exit_code(run.outcome->proof);
}

}  // namespace bolza::cli
