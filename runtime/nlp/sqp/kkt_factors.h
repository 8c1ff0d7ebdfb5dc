// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <span>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// Factors of the symmetric matrix of a barrier step, K = [H + diag(sigma), J'; J, -diag(delta)], whose places stay the
/// same.
class KktFactors {
 public:
  struct Inertia {
    std::size_t negative = 0;  ///< eigenvalues below 0
    bool singular = false;
  };
  virtual ~KktFactors() = default;
  /// False: there are no factors (out of memory, a value that is not finite, or singular; `inertia` tells the last).
  /// @param sigma  [n]     @param delta  [m] >= 0
  virtual bool factor(std::span<const double> hessian, std::span<const double> jacobian, std::span<const double> sigma,
                      std::span<const double> delta) = 0;
  /// Of the last matrix. A step is one of descent where exactly m eigenvalues are negative.
  virtual Inertia inertia() const = 0;
  /// rhs := K⁻¹ rhs.  [n + m]     Requires  the last `factor` succeeded.
  virtual void solve(std::span<double> rhs) = 0;
  /// Of the last solve: what its equations are off by, relative to its sides; 0: nobody looked.
  virtual double residual() const { return 0; }
  /// From now on more is done for every matrix, if there is more: the caller was not content.
  virtual void take_more_care() {}
};

using MakeKktFactors = std::unique_ptr<KktFactors> (*)(std::size_t n, std::size_t m, const Pattern& hessian,
                                                       const Pattern& jacobian);

/// Dense, by the Schur complement of H + diag(sigma), which must be positive definite. Cost O((n + m)³).
std::unique_ptr<KktFactors> dense_kkt_factors(std::size_t n, std::size_t m, const Pattern& hessian, const Pattern& jacobian);

/// Sparse, by MUMPS with pivots. Waits until no other thread uses MUMPS, and keeps others waiting while it lives.
std::unique_ptr<KktFactors> mumps_kkt_factors(std::size_t n, std::size_t m, const Pattern& hessian, const Pattern& jacobian);

}  // namespace bolza::nlp
