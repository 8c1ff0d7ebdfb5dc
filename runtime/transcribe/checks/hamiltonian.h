// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/integrate/model/reduced_model.h"
#include "runtime/transcribe/mesh/interpolate.h"

namespace bolza::transcribe {

/// H = Σ λ_a f_a(t, x, z, u) + Σ w_q q(t, x, z, u) of one phase, w the derivatives of the minimised objective by the phase's
/// integrals, z from the model's equations at (t, x, u).
class Hamiltonian {
 public:
  /// Compiles the Jacobian of the point function, for w.
  Hamiltonian(bolza_problem& problem, std::size_t phase, const abi::Solution& solution);

  integrate::ReducedModel& reduced() { return reduced_; }
  const bolza_model& model() const { return model_; }
  /// w [n_q]; 1 where it is not constant.
  const std::vector<double>& weights() const { return weights_; }
  /// Whether all w are constant, so that H is what it says.
  bool known() const { return known_; }

  /// f, q at values whose z belong to them. [n_x + n_q] False: not finite.
  bool rates_at(double t, const PhaseValues& v, std::span<double> rows);
  /// f, q with other controls than v.u and the z that belong to those. False: not solvable or not finite.
  bool rates_with(double t, const PhaseValues& v, const std::vector<double>& u, std::span<double> rows);
  /// H of such rates. @param costate  λ [n_x]
  double value(std::span<const double> costate, std::span<const double> rows) const;

 private:
  const bolza_model& model_;
  integrate::ReducedModel reduced_;
  std::vector<double> weights_;
  bool known_ = true;
};

/// Adds H along the trajectories of every phase that has costates and whose objective is a linear function of its integrals;
/// not where there are delays, of whose later effect H knows nothing. A value that is not finite leaves it out.
/// Cost  an evaluation of rates at every sample.
void add_hamiltonian(bolza_problem& problem, abi::Solution& solution);

}  // namespace bolza::transcribe
