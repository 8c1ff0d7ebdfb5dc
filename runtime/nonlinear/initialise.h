#pragma once
#include <span>
#include <string>
#include <vector>

#include "runtime/abi/solution.h"
#include "runtime/nonlinear/model_at.h"
#include "runtime/nonlinear/newton.h"

namespace bolza::nonlinear {

/// A point at the start of a phase with its verdict.
struct InitialPoint {
  std::vector<double> x, z;  ///< consistent when converged, else the best point found
  NewtonReport report;
  abi::Finding finding;  ///< the worst equation, when not converged
  bool converged() const { return report.converged(); }
};

/// Consistent values at t0: 0 = h(t0, x, z, u), 0 = initial(t0, x, z, u); states with `fixed` keep their start, the others
/// end near their guess (least change relative to nominal values where the equations leave a choice).
/// @param u  [n_u]            @param x, z  guesses; empty: from the model
/// Errors  as a status: not finite, inconsistent (more equations than they can fulfil), stalled. Cost: a few sparse
/// factorisations.
InitialPoint initialise(ModelAt& model, double t0, std::span<const double> u, std::span<const double> x = {},
                        std::span<const double> z = {});

/// Solves 0 = h(t, x, z, u) for z, which holds the guess. Requires n_z rows of full rank near the solution.
NewtonReport solve_algebraics(ModelAt& model, double t, std::span<const double> x, std::span<const double> u,
                              std::vector<double>& z, const NewtonOptions& options = {});

/// The worst row of a failed solution of `part`'s rows as a finding.
abi::Finding finding_of(const ModelAt& model, const NewtonReport& report, double t, std::size_t algebraic_rows);

}  // namespace bolza::nonlinear
