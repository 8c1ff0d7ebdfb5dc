// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "runtime/verify/stored_phase.h"
#include "runtime/verify/totals.h"

namespace bolza::verify {

/// Radau IIA of one order: the points, A = ∫ of the Lagrange polynomials up to each, whose last row has the weights.
struct RadauRule {
  explicit RadauRule(Eigen::Index stages);
  std::vector<double> places;  ///< [S] in (0, 1], the last is 1
  Eigen::MatrixXd A;           ///< [S × S]
  Eigen::RowVectorXd b;        ///< [S]
};

/// Stages that a piece of a model with so many states has at most.
Eigen::Index most_stages_of(std::size_t states);

/// What acts on a costate within a piece: a multiplier's amount times the derivative of its limit.
struct Impulse {
  std::size_t piece = 0;
  double place = 0;         ///< in the piece, 0 … 1
  double from = 0, to = 0;  ///< the same of a stretch over which it acts evenly; equal: it acts at `place`
  Eigen::RowVectorXd row;   ///< amount · derivatives by time, states, controls, parameters, as TotalSlopes::rows
  bool is_path = false;     ///< of a path constraint, else of a bound
};

/// λ over one piece.
struct PieceCostates {
  Eigen::VectorXd start;   ///< at its beginning
  Eigen::MatrixXd stages;  ///< [n_x × S]
};

/// Every piece of a stored trajectory integrated anew from its stored states with its stored controls, by one step of Radau
/// IIA with more stages than the solve had points; and backwards, exactly for that step. All pieces are evaluated at once.
class OwnFlow {
 public:
  /// `phase` must outlive it.
  explicit OwnFlow(const StoredPhase& phase);
  ~OwnFlow();

  /// False: it did not converge in some piece, or something is not finite or singular; `message` says where.
  /// Cost  some 2 (n_x + n_z + n_u) + 8 evaluations at S points of every piece, LU factors of order S n_x for each.
  bool integrate(std::string& message);

  const RadauRule& rule() const { return rule_; }
  Eigen::Index stages() const { return rule_.A.rows(); }
  /// time, x, z, u at the stages of all pieces, those of piece i from column S i on [1 + n_x + n_z + n_u × S · pieces].
  const Eigen::MatrixXd& points() const { return points_; }
  /// f and q there [n_x + n_q × S · pieces].
  const Eigen::MatrixXd& rates() const { return rates_; }
  /// Derivatives there, with columns of parameters.
  const std::vector<TotalSlopes>& slopes() const { return slopes_; }
  /// Weight of a stage in an integral over the phase, h b.
  double weight(std::size_t piece, Eigen::Index stage) const;
  /// Our states at a place of a piece [n_x].
  Eigen::VectorXd state_at(std::size_t piece, double place) const;
  /// How far our own polynomials are from the equations between their stages, of sizes of states: our error, about.
  double own_error() const { return own_error_; }

  /// λ over a piece from λ at its end: −λ' = (f_xᵀ λ + Σ w q_x), impulses added where they act.
  /// @param weights  w [n_q]     @param impulses  those of the piece with place > 0
  PieceCostates backwards(std::size_t piece, const Eigen::VectorXd& end, const Eigen::VectorXd& weights,
                          const std::vector<const Impulse*>& impulses) const;
  /// Derivatives of the states at the stages by those at the beginning and by controls at the stages, and by parameters
  /// held over the piece: X = from_start δx + from_controls δu + … [S n_x × …].
  struct Sensitivity {
    Eigen::MatrixXd from_start, from_controls;
  };
  Sensitivity sensitivity(std::size_t piece) const;
  /// M⁻¹ B of a piece, M = I − h A ⊗ f_x [S n_x × S n_x].
  Eigen::MatrixXd solve(std::size_t piece, const Eigen::MatrixXd& right) const;

 private:
  struct Lu;
  void begin();
  void factor();
  double correct();
  void estimate_error();
  Eigen::MatrixXd nodes_of(std::size_t piece) const;

  const StoredPhase& phase_;
  RadauRule rule_;
  Eigen::MatrixXd points_, rates_, starts_;
  std::vector<TotalSlopes> slopes_;
  std::unique_ptr<Lu> lu_;
  double own_error_ = 0;
};

}  // namespace bolza::verify
