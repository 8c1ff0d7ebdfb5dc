// SPDX-License-Identifier: Apache-2.0
// One stage of a request while it runs: its method, its guess and its progress.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "runtime/integrate/method_options.h"
#include "runtime/transcribe/options.h"
#include "runtime/transcribe/shooting/shooting_options.h"
#include "workflow/model.h"
#include "workflow/solve/attempts/hand_over.h"
#include "workflow/solve/attempts/retries.h"
#include "workflow/solve/mesh/time_mesh.h"
#include "workflow/solve/outcome/outcome.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// Passes the engine's progress on with the stage's name.
struct ProgressRelay {
  const SolveRequest* request;
  std::string stage;
};

/// A stage's method with what it has to tell while it runs.
struct StageRun {
  Model& model;
  const SolverLibrary& library;
  const driver::Options& options;
  const SolveRequest& request;
  Budget budget;
  bool in_whole_numbers = false;  ///< some variables take no others, and are not relaxed
  Effort effort = {};
  const abi::Solution* failed = nullptr;  ///< see RetryTask
  ProgressRelay progress{&request, ""};
  const abi::Solution* file = nullptr;  ///< the guess of `--init-from`, for the first stage
  std::optional<HandOver> handed = {};  ///< by the stage before
  integrate::MethodOptions integrator = {};
  TimeMesh* times = nullptr;                       ///< features of time
  std::vector<std::vector<double>> features = {};  ///< meshes of phases that have them; none: as the options say
  std::unique_ptr<Model> written = nullptr;        ///< what shooting integrates where the stage's form is not `explicit`

  /// Reads what the stage needs besides the model.
  Result<Done> prepare();
  bool mesh_is_asked() const { return options.has("mesh") || options.has("phase-mesh"); }
  /// Second derivatives cost an integration for each state of an interval, and a block as large as all of them: single
  /// shooting learns them from gradients where nobody asks for exact ones and states are many.
  bool has_many_states() const;
  transcribe::TranscribeOptions transcription();
  transcribe::ShootingOptions shooting() const;
  void announce(const transcribe::TranscribeOptions& t);
  void announce_refinement(const transcribe::TranscribeOptions& t);
  /// All attempts and searches, from a guess or from none.
  RetryOutcome solve(const abi::Solution* guess);
  /// One solve of shooting from a solution before it.
  abi::Solution solve_once(const transcribe::TranscribeOptions& how, const abi::Solution& from);

 private:
  /// A result of the same method goes on with its mesh, and with its kind of control.
  void take_mesh_of_file(transcribe::TranscribeOptions& t) const;
  /// The relaxed problem with all there is to find a solution, then whole numbers from there.
  RetryOutcome solve_in_whole_numbers(transcribe::TranscribeOptions t, const abi::Solution* guess);
  RetryOutcome solve_continuous(transcribe::TranscribeOptions t, const abi::Solution* guess);
  /// With what the stage before has handed over besides trajectories.
  void start_with_multipliers(const abi::Solution* guess, transcribe::TranscribeOptions& t);
  bool takes_lbfgs(const std::string& engine) const;
  /// Without controls few variables are left, and one integration from all of them is what finds the way through events.
  bool has_controls() const;
  /// Gauss-Newton matrices of integrals of squares are those of one integration.
  bool takes_squares_of_integrals() const;
  abi::Solution solve_by(const transcribe::TranscribeOptions& how, const abi::Solution* guess);
};

}  // namespace bolza::workflow
