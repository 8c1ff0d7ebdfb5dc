// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "runtime/abi/aligned.h"
#include "runtime/integrate/method_table.h"

namespace bolza::integrate {

/// What a step passed over: a pulse of a state in the right-hand sides, so short that neither the method nor its error test
/// evaluated it. Long steps are looked at by their dense output, at so many times in a run (fewer where there are very many
/// rows) and 16 times in a step at least. What counts is local and matters: the second differences of a row are somewhere
/// fifty times what they are in the middle, and the integral of its right-hand side along the step is off what the state did
/// by ten times the error that it may have. Residuals of algebraic equations have to leave zero there instead.
class StepScan {
 public:
  StepScan() = default;
  /// @param setup  outlives this    @param begin, end  seconds, of the run    @param looks  in it, where rows are few
  StepScan(const Setup& setup, double begin, double end, std::size_t looks);

  /// Was anything passed over so far?
  bool any() const { return short_ > 0; }
  /// Is a step of this length looked at?
  bool looks_at(double length) const { return length >= shortest_; }
  /// Seconds that steps which nobody looks at may take together; infinity without looks.
  double together() const { return shortest_; }
  /// Where what the step from `begin` to `end` passed over begins, at most one look before it; none: it passed over nothing.
  /// Steps from there on are short, see `longest_step`. Cost: a value of the model and of the dense output at each look.
  std::optional<double> passed(Integrator& integrator, double begin, double end);
  /// Seconds that a step from t may take; infinity where nothing was passed over.
  double longest_step(double t) const { return t < until_ ? short_ : std::numeric_limits<double>::infinity(); }

 private:
  using Looks = std::pair<std::size_t, std::size_t>;  ///< first and last
  bool read(Integrator& integrator, double begin, double end);
  void place(double begin, double spacing, std::size_t n, double from, double length);
  void set_weights(double from, double apart);
  bool evaluate(nonlinear::ModelAt::Part part, std::vector<double>& out);
  std::optional<Looks> look();
  std::optional<Looks> local_change(const double* row) const;
  bool state_is_off(std::size_t row) const;
  bool residual_is_off(std::size_t row, Looks change);

  const Setup* setup_ = nullptr;
  double spacing_ = 0, shortest_ = std::numeric_limits<double>::infinity();
  double until_ = -std::numeric_limits<double>::infinity(), short_ = 0;
  std::size_t n_ = 0, ld_ = 0;                             ///< intervals between the looks of a section; from row to row
  std::vector<double> nodes_;                              ///< [variables][nodes] of the step's dense output
  std::vector<double> weights_;                            ///< [nodes + 1][ld] of Lagrange at the looks; their sums
  double weights_from_ = -1, weights_apart_ = 0;           ///< what they are of: that of the step before, mostly
  abi::AlignedDoubles points_;                             ///< [1 + n_x + n_z + n_u][ld] the model's points
  std::vector<double> integrals_, rates_, residuals_, u_;  ///< [n_q][ld], [n_x + n_q][ld], [n_z][ld], [n_u]
  std::vector<State> at_nodes_;
  double spacing_here_ = 0;
};

}  // namespace bolza::integrate
