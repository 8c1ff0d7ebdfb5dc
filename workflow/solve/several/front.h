// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workflow/solve/outcome/verdict.h"
#include "workflow/solve/several/objectives.h"
#include "workflow/solve/solve.h"

namespace bolza::workflow {

/// One solve with one objective and limits on others, with all that is reported of it.
struct ObjectivePoint {
  std::string name;            ///< "anchor time", "point 3", "1. time"
  std::vector<double> values;  ///< of the objectives as written; not finite where there is no solution
  std::vector<double> limits;  ///< on them; infinite: none
  abi::SolveStatus status = abi::SolveStatus::failed;
  Warnings warnings;   ///< of the solution
  int iterations = 0;  ///< of all solves that the point took
  double seconds = 0;
  bool dominated = false, knee = false;
  std::string result;                               ///< file, "" none
  std::map<std::string, double> parameters, final;  ///< of the solution, or the last iterate, by name
  bool solved() const { return abi::is_solution(status); }
  Verdict verdict() const { return verdict_of(status, !warnings.empty()); }
};

struct FrontRequest {
  double slack = 1e-4;  ///< by which an earlier objective may be exceeded, relative to it
  int points = 0;       ///< between the anchors, along every objective but the first
};

/// What was solved, up to an interruption or the end of the time.
struct ObjectivesOutcome {
  std::vector<ObjectivePoint> points;
  std::unique_ptr<Model> model;         ///< of the last solve: its diagnostics, where `outcome` is absent
  std::optional<SolveOutcome> outcome;  ///< of the last solve
  bool complete = false;                ///< else it was interrupted, had no time, or an anchor failed
  std::string table;                    ///< of a front: the file that its points are to be written to
  bool agree = false;                   ///< of a front: one point is the optimum of all objectives, there are no others
};

/// Minimises the objectives in their order, the earlier ones held within the slack. A solve that fails ends the order.
ObjectivesOutcome solve_in_order(const Model& base, const Objectives& objectives, const FrontRequest& front,
                                 const SolveRequest& request);

/// The anchors (each objective first, then the others in their order), then the first one with evenly spaced limits on the
/// others (epsilon constraints), every point from the solution of its neighbour. A point that fails is named, and the rest
/// goes on. Writes `<stem>-<number>.mat` for every point, `<stem>.csv` being the request's output.
/// Errors  are in the outcome's model.
ObjectivesOutcome solve_front(const Model& base, const Objectives& objectives, const FrontRequest& front,
                              const SolveRequest& request);

}  // namespace bolza::workflow
