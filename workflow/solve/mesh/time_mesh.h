// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "runtime/transcribe/options.h"
#include "workflow/model.h"
#include "workflow/solve/mesh/time_points.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// What the mesh of a solution lacks of the features of what depends on time alone.
struct TimeLacks {
  std::vector<std::vector<double>> add;      ///< [phases] fractions of the horizon
  std::vector<std::vector<double>> look_at;  ///< [phases] times at which limits of such terms may be broken
  std::size_t intervals = 0;                 ///< that a term is not resolved in, as far as there was no room for more points
  std::string text;                          ///< of the term that is off most
  double time = 0;                           ///< and where
  bool any() const;                          ///< whether there are points to be added
};

/// The meshes of a solution with the points that they lack. [phases] fractions of the horizon
std::vector<std::vector<double>> with_points(const abi::Solution& solution, const TimeLacks& lacks);

/// Puts the features of what depends on time alone (TimeTerms) onto meshes. Without such terms everything costs nothing.
class TimeMesh {
 public:
  /// The model has to be compiled.
  explicit TimeMesh(Model& model);

  /// The meshes that the options ask for, with the features that are known before there is a solution: those between fixed
  /// times, of terms without free parameters that are not as dense everywhere. Empty: they are to stay as they are.
  /// @return [phases] fractions of the horizon
  std::vector<std::vector<double>> before(const SolverLibrary& library, const transcribe::TranscribeOptions& options);
  /// What the mesh of a solution lacks, at its times and parameters. What is known not to change is not looked at again.
  /// @param most  points to be added to a phase     @param leave_dense  see TimeSearch
  TimeLacks lacks(const abi::Solution& solution, std::size_t most, bool leave_dense);

 private:
  TimePoints look(std::size_t phase, const std::vector<double>& parameters, std::vector<double> mesh, TimeSearch how);
  std::vector<double> corners(std::size_t phase, double t0, double tf) const;

  Model& model_;
  std::deque<TimeTerms> terms_;      ///< [phases]
  std::vector<TimePoints> settled_;  ///< [phases] what was found before, where nothing can change
  std::vector<char> is_settled_;     ///< [phases]
};

}  // namespace bolza::workflow
