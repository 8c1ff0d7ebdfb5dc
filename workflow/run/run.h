// SPDX-License-Identifier: Apache-2.0
// One entry for who solves: the command line, C++ programs, servers. Other kinds of jobs: jobs.h.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "base/budget.h"
#include "workflow/run/observer.h"
#include "workflow/solve/outcome/verdict.h"
#include "workflow/solve/several/front.h"
#include "workflow/solve/several/objectives.h"
#include "workflow/solve/solve.h"

namespace bolza::workflow {

/// A problem to solve, as a person states it.
struct SolveJob {
  LoadRequest load;        ///< `load.options`: the texts that options stand in
  SolveRequest solve;      ///< options, stages, files; its `progress` and `budget` are those of observer and budget
  std::string objectives;  ///< in the place of the class's own, "" none: one sum, one after the other, or a front
  FrontRequest front;      ///< of several objectives
};

/// What became of a job.
struct Run {
  std::string class_name;                   ///< as it was asked for
  std::unique_ptr<Model> model;             ///< of the last solve; its diagnostics and their sources
  std::optional<SolveOutcome> outcome;      ///< of the last solve; none: the input is wrong, or no point was begun
  std::optional<Objectives> objectives;     ///< where they were asked for, as they were read
  std::optional<ObjectivesOutcome> points;  ///< of objectives one after the other, and of fronts
  std::size_t told = 0;                     ///< diagnostics of `model` that `loaded` was given
  bool input_is_wrong = false;              ///< a diagnostic of `model` says what
  bool is_front() const { return objectives && objectives->way == ObjectivesWay::front; }
  /// The worst of the points, where there are several. Requires  the input is right.
  Verdict verdict() const;
};

/// Reads, solves, checks and writes the files. A model that jumps becomes a sequence of modes, constraints of scenarios are
/// let go for a probability, several objectives become several solves: as the job says.
/// Errors  of the input are diagnostics of the model, `input_is_wrong`; what is not solved is a verdict. Nothing is thrown
/// but for want of memory. Runs on several threads at the same time do not disturb each other.
Run run(const SolveJob& job, const Budget& budget, Observer& observer);

}  // namespace bolza::workflow
