// SPDX-License-Identifier: Apache-2.0
// One entry for each kind of job but a solve (run.h), for the command line, C++ programs and servers.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "workflow/fit/fit.h"
#include "workflow/fit/identify.h"
#include "workflow/gradient/gradient.h"
#include "workflow/run/observer.h"
#include "workflow/simulate/simulate.h"
#include "workflow/solve/outcome/verdict.h"

namespace bolza::workflow {

/// `budget`, `progress` and hooks of requests are filled in: they are those of budget and observer.
struct SimulateJob {
  LoadRequest load;
  SimulateRequest simulate;
};

struct GradientJob {
  LoadRequest load;
  GradientRequest gradient;          ///< but for its outputs
  std::vector<std::string> outputs;  ///< expressions whose gradients are asked for; empty: the objective
  bool as_written = false;           ///< the equations are not index-reduced
};

/// What became of a job.
template <class Outcome>
struct JobRun {
  std::unique_ptr<Model> model;    ///< its diagnostics and their sources
  std::optional<Outcome> outcome;  ///< none: the input is wrong, a diagnostic of `model` says what
};

JobRun<SimulateOutcome> run(const SimulateJob& job, const Budget& budget, Observer& observer);
/// The derivatives of what is maximised are those of the objective as it is written. It has nothing to give before its end,
/// so it takes no budget: who has enough of it ends the process.
JobRun<GradientResult> run(const GradientJob& job, Observer& observer);
JobRun<FitOutcome> run(const FitRequest& job, const Budget& budget, Observer& observer);
JobRun<IdentificationOutcome> run(const IdentificationRequest& job, const Budget& budget, Observer& observer);

Verdict verdict_of(const SimulateOutcome& outcome);
Verdict verdict_of(const FitOutcome& outcome);
Verdict verdict_of(const IdentificationOutcome& outcome);

}  // namespace bolza::workflow
