// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "workflow/run/jobs.h"
#include "workflow/run/run.h"
#include "workflow/study/plan.h"
#include "workflow/study/record.h"

namespace bolza::workflow {

/// What is done at every point of a study; settings, guesses and files are those of the point.
struct StudyJob {
  std::variant<SolveJob, SimulateJob, FitRequest> what;
  double seconds = std::numeric_limits<double>::infinity();  ///< after which a point ends with what it has
  std::vector<std::string> results;  ///< names of those that are kept; empty: all, as far as `most_results`
};
/// Values that a record keeps where none are named.
inline constexpr std::size_t most_results = 200;

/// Files of a point; "" none.
struct PointFiles {
  std::string trajectory;  ///< is written
  std::string guess;       ///< is read: the trajectory of the point before
};

/// Errors  E988: the job has files of its own, or what its plan or `--keep-trajectories` ask for does not go with it.
Result<Done> check_job(const StudyJob& job, const Plan& plan, bool keeps_trajectories, Diagnostics& diagnostics);

/// Does the job at one point, in this process. `ready` is called when its kernels are compiled.
/// Errors  all are in the record: its kind, status and message.
PointRecord run_point(const StudyJob& job, const Plan& plan, std::size_t point, const PointFiles& files,
                      const std::function<void()>& ready);

/// The model of a point, or what is wrong with it in its diagnostics.
std::unique_ptr<Model> model_at(const StudyJob& job, const Plan& plan, std::size_t point);
/// Whether a diagnostic is about the text of the model, which is the same at every point, and not about values.
bool has_wrong_text(const Model& model);
/// A digest of every text that a model was read from.
std::string digest_of_model(const Model& model);
/// A digest of the tables that the job reads besides the model.
std::string digest_of_files(const StudyJob& job);

}  // namespace bolza::workflow
