// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "runtime/linalg/sparse_factors.h"
#include "runtime/nlp/nlp.h"

namespace bolza::transcribe {

/// What is active at a solution, and how far everything is from changing: in units of scales, so that distances and
/// multipliers can be compared.
struct ActiveSet {
  enum class Side : std::uint8_t { none, lower, upper };
  std::vector<Side> variable, row;                 ///< [n], [m]; equalities have none
  std::vector<double> to_lower, to_upper;          ///< [n] distances, over the variable's scale
  std::vector<double> row_to_lower, row_to_upper;  ///< [m] over the row's scale; infinite of equalities
  std::vector<double> multiplier;                  ///< [n] z_upper − z_lower, times scale over the objective's
  std::vector<double> row_multiplier;              ///< [m] the same of rows
};

/// By the larger of distance and multiplier: at a solution the product of the two is what the barrier left.
ActiveSet active_set(const nlp::Nlp& nlp, const nlp::Iterate& iterate, const double* constraints);

/// The conditions of Karush, Kuhn and Tucker at a solution, linearised with the active set held: bounds and sides that are
/// active are equations, others are not there. Factored once, along the chain of mesh intervals (runtime/kkt) where the
/// problem is one and its factors are good, else by a sparse LU. Everything in units of scales.
class HeldActiveSet {
 public:
  /// Null: derivatives are not finite, or the matrix is singular: the solution is not one point.
  /// @param nlp  without fixed variables; its functions are evaluated at the iterate
  /// Cost  one evaluation of derivatives, one factorisation: linear in the mesh.
  static std::unique_ptr<HeldActiveSet> at(const nlp::Nlp& nlp, const nlp::Iterate& iterate);
  ~HeldActiveSet();

  const ActiveSet& active() const { return active_; }
  double objective_scale() const { return objective_scale_; }

  /// How a parameter enters: derivatives by it with variables and multipliers as they are, in physical units.
  struct Change {
    std::vector<double> gradient;              ///< [n] of ∇f + Jᵀλ
    std::vector<double> lower, upper;          ///< [n] of bounds; 0 of those that are infinite
    std::vector<double> rows;                  ///< [m] of the rows' values
    std::vector<double> row_lower, row_upper;  ///< [m] of their sides
  };
  /// How the solution follows, in scaled units.
  struct Response {
    std::vector<double> w;                           ///< [n]
    std::vector<double> multiplier, row_multiplier;  ///< as in ActiveSet
    std::vector<double> to_lower, to_upper;          ///< as in ActiveSet
    std::vector<double> row_to_lower, row_to_upper;
    bool good = true;  ///< false: the system was solved badly
  };
  Response respond(const Change& change) const;

 private:
  struct Factors;
  HeldActiveSet(const nlp::Nlp& nlp, ActiveSet active);
  bool factor(const double* hessian, const double* jacobian);
  std::vector<double> jacobian_times(const std::vector<double>& w) const;

  const nlp::Nlp& nlp_;
  ActiveSet active_;
  double objective_scale_ = 1;
  std::vector<double> hessian_, jacobian_, sigma_, delta_;  // scaled
  std::unique_ptr<Factors> factors_;
};

}  // namespace bolza::transcribe
