// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "runtime/linalg/entry_matrix.h"
#include "runtime/linalg/factors.h"
#include "runtime/nonlinear/model_at.h"

namespace bolza::transcribe {

/// One branch of solutions z of 0 = h(t, x, z, u), by Newton's method with the exact ∂h/∂z and nothing that would lead from
/// one branch to another: no damping, no search, no start other than the one given.
class AlgebraicBranch {
 public:
  struct Inputs {
    double t = 0;
    std::vector<double> x, u;
  };
  /// @param shared  values of the run     @param size  of the algebraics [n_z], > 0: norms are relative to them
  AlgebraicBranch(const bolza_problem& problem, const bolza_model& model, std::vector<double> shared,
                  std::vector<double> size);

  /// The largest |a_i − b_i| / size_i, and whose it is.
  struct Distance {
    std::size_t index = 0;
    double value = 0;
  };
  Distance distance(std::span<const double> a, std::span<const double> b) const;

  /// The solution next to z at these inputs: Newton's steps, each shorter than half of the one before. None: they are not,
  /// or a value is not finite.     Cost  a few Jacobians and factorisations.
  std::optional<std::vector<double>> solution_at(const Inputs& at, std::vector<double> z);

  /// z at `to` on the branch that has z at `from`: t, x and u move along a line, in steps that are as long as Newton's
  /// method contracts fourfold from the solution before (P. Deuflhard, Newton Methods for Nonlinear Problems, 2004,
  /// section 5.1). None: the branch ends on the way, or it takes more than 500 steps.
  std::optional<std::vector<double>> follow(const Inputs& from, std::span<const double> z, const Inputs& to);

 private:
  std::optional<double> step(const Inputs& at, std::vector<double>& z);
  std::optional<std::vector<double>> contracted(const Inputs& at, std::vector<double> z, double contraction,
                                                double& contracted_by);

  nonlinear::ModelAt at_;
  std::vector<double> size_, residual_;
  nonlinear::Derivative jacobian_;
  std::vector<std::size_t> entry_;  // of the Jacobian, by place of the matrix
  linalg::EntryMatrix<double> by_z_;
  linalg::Factors<double> factors_;
};

}  // namespace bolza::transcribe
