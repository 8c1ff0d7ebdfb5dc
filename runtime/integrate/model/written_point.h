// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <optional>
#include <string>
#include <vector>

#include "runtime/integrate/model/reduced_model.h"

namespace bolza::integrate {

/// Why the equations `written` of a model cannot be integrated in the place of `model`, whose index is reduced; empty: they
/// can. Both are forms of one class: variables are found by their names.
std::string objection_to_written(const bolza_model& model, const bolza_model& written);

/// Where equations that are integrated as they were written begin: consistent states and algebraics of theirs as functions
/// of (t, x, u, p) of the same model with its index reduced.
///
/// The reduced model knows the hidden constraints: initial equations that stem from an equation of the model, differentiated
/// or not. With c(t, x, u, p) = 0 these, states are moved onto them, x̂ = x + Mμ, c(t, x̂, u, p) = 0, M = W²c_xᵀ held; so
/// consistent states stay, and derivatives are those along the constraints, however x moves. What is a state as written and
/// not in the reduced model follows from x̂. Columns of derivatives: 0 time, then x, u, p, as in ReducedModel.
class WrittenPoint {
 public:
  /// @param model, written  outlive it   Requires  there is no objection.
  WrittenPoint(ReducedModel& model, const bolza_model& written);

  /// x̂ and what follows from it. False: constraints or algebraics cannot be solved for; the model's `trouble` says why.
  /// @param hold  M is not chosen again though it were time
  bool move_to(double t, std::span<const double> x, std::span<const double> u, bool hold);
  const std::vector<double>& x() const { return x_; }  ///< [n_x] of the written equations
  const std::vector<double>& z() const { return z_; }  ///< [n_z] of theirs
  /// How x() moves. [n_x as written × columns]. Requires `move_to`.
  bool jacobian(Eigen::MatrixXd& by);

  /// The written state that each state of the model is.
  const std::vector<std::size_t>& place() const { return place_; }
  /// The same states in some order, and no hidden constraints?
  bool is_same() const { return rows_.empty() && dependent_.empty(); }
  /// Can `second` be had? What is not a state of the model has none.
  bool has_second() const { return dependent_.empty(); }
  /// How λᵀ dx()/d(columns) moves with directions of the columns [columns × m], λ held. `out` [columns × m] is added to.
  bool second(const Eigen::VectorXd& lambda, const Eigen::MatrixXd& direction, Eigen::MatrixXd& out);

 private:
  /// A value of the reduced model.
  struct Source {
    enum class What : std::uint8_t { state, algebraic, input, time, output, rate, shared, guess } what = What::guess;
    std::size_t index = 0;
    double sign = 1, offset = 0;
  };
  Source source_of(const bolza_variable& variable) const;
  bool value_of(const Source& source, double& value);
  bool gradient_of(const Source& source, std::span<double> gradient);
  bool constraints(std::span<const double> x, std::span<const double> u, double t, Eigen::VectorXd& c, Eigen::MatrixXd& by);
  void choose(const Eigen::MatrixXd& by);
  bool project(std::span<const double> u, bool hold);
  Eigen::MatrixXd by_x(const Eigen::MatrixXd& by) const { return by.middleCols(1, size_.size()); }

  ReducedModel& model_;
  std::vector<Source> states_, algebraics_;
  std::vector<std::size_t> place_, dependent_, rows_;  // rows_: hidden constraints among the initial equations
  Eigen::VectorXd size_;                               // [n_x]
  Eigen::MatrixXd M_, by_;                             // [n_x × rows], constraints by the columns where we stand
  double t_ = 0;
  std::vector<double> moved_, x_, z_;  // x̂; as written
};

}  // namespace bolza::integrate
