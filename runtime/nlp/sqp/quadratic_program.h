// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// minimise g'd + ½ d'(H + shift D)d, D = diag(shift_scale),  subject to  lower <= d <= upper,  row_lower <= J d <=
/// row_upper; elastic: rows may be violated at a price of `penalty` for each unit.
///
/// Invariants: H is a lower triangle; lower <= 0 <= upper; an equality has bitwise equal bounds; no row is without bounds.
struct QuadraticProgram {
  std::size_t n = 0, m = 0;
  const Pattern* hessian_pattern = nullptr;   ///< not owned
  const Pattern* jacobian_pattern = nullptr;  ///< not owned
  std::span<const double> hessian, jacobian;  ///< [entries]
  std::span<const double> gradient;           ///< [n]
  std::span<const double> shift_scale;        ///< [n] > 0; empty: 1
  double shift = 0, penalty = 0;
  bool elastic = false;
  std::vector<double> lower, upper;          ///< [n]
  std::vector<double> row_lower, row_upper;  ///< [m]
  std::function<bool()> stop;                ///< asked before every iteration of the solver; empty: nothing stops it

  bool is_stopped() const { return stop && stop(); }
  double shift_of(std::size_t v) const { return shift_scale.empty() ? shift : shift * shift_scale[v]; }
};

enum class QuadraticOutcome : std::uint8_t {
  optimal,
  infeasible,  ///< the rows contradict each other or the bounds; an elastic program never ends so
  indefinite,  ///< H + shift D has negative curvature where the constraints leave room: `wanted_shift` may mend it
  stopped,     ///< on request, before its end
  failed       ///< no progress, or numbers that are not finite
};

struct QuadraticSolution {
  QuadraticOutcome outcome = QuadraticOutcome::failed;
  std::vector<double> d;                 ///< [n]
  std::vector<double> lambda;            ///< [m] > 0 at an active upper side
  std::vector<double> z_lower, z_upper;  ///< [n] >= 0
  double wanted_shift = 0;
  int iterations = 0;
};

/// What sequential quadratic programming needs solved; warm starts are the solver's own business.
class QuadraticSolver {
 public:
  virtual ~QuadraticSolver() = default;
  /// @param tolerance  of the optimality conditions, where the solver does not end at a vertex
  virtual QuadraticSolution solve(const QuadraticProgram& program, double tolerance) = 0;
  /// The solution of the last program was taken as a step: the next one is near.
  virtual void accept() {}
};

double dot(std::span<const double> a, std::span<const double> b);

/// y += A x, y += A' x for a matrix by places; y += S x for a symmetric one by its lower triangle.
void add_product(const Pattern& pattern, std::span<const double> values, std::span<const double> x, std::span<double> y);
void add_transposed_product(const Pattern& pattern, std::span<const double> values, std::span<const double> x,
                            std::span<double> y);
void add_symmetric_product(const Pattern& pattern, std::span<const double> values, std::span<const double> x,
                           std::span<double> y);

}  // namespace bolza::nlp
