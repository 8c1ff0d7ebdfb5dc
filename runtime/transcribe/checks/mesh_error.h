#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::transcribe {

/// How well a solution satisfies the model between its collocation points, interval by interval.
struct MeshError {
  bool known = false;                         ///< false: the trajectories are not those of a transcription with polynomials
  std::vector<std::vector<double>> interval;  ///< [phases][N]
  std::vector<std::size_t> order;  ///< [phases] p: halving an interval divides its error by 2^p where all is smooth
  double objective = 0;            ///< of the objective, from the local errors and the costates; same units, never negative
  double largest = 0;
  std::string name;  ///< of the state, integral, variable or constraint that is worst
  double time = 0;   ///< where
};

/// Estimates the local error of every mesh interval [t_i, t_i + h]. With the polynomials x̃, ũ of the solution and z from
/// h(t, x̃, z, ũ) = 0,
///
///   x̂(t) = x̃(t_i) + ∫ f(s, x̃, z, ũ) ds,     error = max over states and check points of |x̂ − x̃| / size        [PR2015,
///   section 3.2]
///
/// where f is integrated through s + 2 Lobatto points for s collocation points: x̂ is one order better than x̃ inside the
/// interval, so that the difference is x̃'s own local error to leading order. Integrals Q count as states. Bounds and path
/// constraints that the polynomials violate between their points count as ∫ violation dt / ((tf − t0) size), those of
/// states alone as 0.3 of the largest violation / size where that is more: an overshoot beside a switch of the
/// control makes the interval short, not the work endless. The objective is off by the sum of |λ (x̂ − x̃)| at the right ends
/// of the intervals, λ the costates, and of what its integrals are off and controls gain outside their bounds (to first
/// order; what state constraints gain between the points is not in it). Sizes: nominal, else the largest value of the
/// trajectory, at least 1e-3. Needs the value kernels of rates and residuals (Jacobians too with algebraics).     Errors a
/// point where z cannot be solved for keeps the interpolated z; a value that is not finite is an infinite error.     Cost (2
/// s + 2) evaluations per interval.
MeshError mesh_error(bolza_problem& problem, const abi::Solution& solution);

/// Mesh fractions for all phases where intervals with an error above `tol` are cut into 2 to 4 equal parts, as many as their
/// order asks for. At most `most` intervals: the worst are cut first. The present mesh when nothing may or need be cut.
std::vector<double> refined_mesh(const MeshError& error, const abi::Solution& solution, double tol, std::size_t most);

}  // namespace bolza::transcribe
