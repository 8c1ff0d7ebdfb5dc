// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/integrate/model/derivative_matrix.h"
#include "runtime/integrate/model/rate_jacobian.h"
#include "runtime/integrate/model/total_entries.h"
#include "runtime/linalg/entry_matrix.h"
#include "runtime/nonlinear/model_at.h"
#include "runtime/nonlinear/row_hessians.h"
#include "runtime/nonlinear/series_at.h"

namespace bolza::integrate {

/// A model with its algebraics solved for: everything is a function of (t, x, u, p), z = Z(t, x, u, p) from h = 0, with
/// total derivatives by the implicit function theorem. p are the n_global first shared values. Columns of derivatives: 0
/// time, then x, u, p.
class ReducedModel {
 public:
  ReducedModel(const bolza_problem& problem, const bolza_model& model);
  /// Works on a model at a point that belongs to somebody else.
  explicit ReducedModel(nonlinear::ModelAt& at);

  nonlinear::ModelAt& at() { return at_; }
  const bolza_model& model() const { return at_.model(); }
  const bolza_problem& problem() const { return at_.problem(); }
  std::size_t columns() const { return 1 + model().n_x + model().n_u + model().n_global; }
  std::size_t rate_rows() const { return model().n_x + model().n_q; }

  /// Moves to a point and solves for z, from the z of the point before (or the anchor). False: not solvable or not finite.
  bool move_to(double t, std::span<const double> x, std::span<const double> u);
  /// The next solve starts from here.
  void start_from(std::span<const double> z) {
    z_.assign(z.begin(), z.end());
    factorised_ = false;
  }
  /// Forgets z: the next solve starts from the model's guesses.
  void forget();
  /// From now on every solve starts from these z, so that values do not depend on what was evaluated before (an integrator
  /// that repeats its steps must find them the same); empty: from the z of the point before again.
  void anchor(std::vector<double> z) { anchor_ = std::move(z); }
  const std::vector<double>& z() const { return z_; }
  const std::vector<double>& u() const { return u_; }
  /// While it lives, solves start from `z`; nothing is anchored when that is empty.
  struct Anchored {
    ReducedModel& model;
    Anchored(ReducedModel& m, const std::vector<double>& z) : model(m) { model.anchor(z); }
    ~Anchored() { model.anchor({}); }
  };

  /// f, q at the point. [n_x + n_q]
  bool rates(std::span<double> rows);
  /// Any part's rows at the point.
  bool rows(nonlinear::ModelAt::Part part, std::span<double> rows);

  /// Adds Σ weight_r d row_r + Σ z_weight_i d z_i to `gradient` [columns]. z_weight may be empty.
  bool add_gradient(nonlinear::ModelAt::Part part, std::span<const double> weight, std::span<const double> z_weight,
                    std::span<double> gradient);
  /// Total derivatives of f, q. [(n_x + n_q) × columns]
  bool rate_jacobian(Eigen::MatrixXd& jacobian);
  /// The same as products.
  bool rate_jacobian(RateJacobian& jacobian);
  /// How its S moves along y(direction): of the Jacobian's Taylor coefficients, or, for Programs and where there are few
  /// rows, as total derivatives, row by row of second ones; then the columns of z and the rows of h are 0.
  /// @param few  rows that are taken one by one
  bool jacobian_along(const RateJacobian& jacobian, const Eigen::VectorXd& direction, RateJacobian::Sparse& S_dot,
                      Eigen::Index few = 16);
  /// Factors of h_z at the point; null where it is singular. [n_z × n_z]
  std::shared_ptr<const linalg::Factors<double>> residual_by_z();

  /// A place of a nonzero: row of (f, q), column as above.
  using Place = TotalEntries::Place;
  /// The places of total derivatives of f and q that may not be zero, in a fixed order.
  const std::vector<Place>& rate_places();
  /// Their values at the point, and f, q.
  bool rate_entries(std::span<double> rows, std::vector<double>& entries);

  /// Are the kernels of second derivatives there? Compiles them.
  bool has_second() const;
  /// How a weighted gradient g = Σ weight_r d row_r + Σ z_weight_i dz_i of a part moves along directions: adds
  /// ∂g/∂(columns) · direction + Σ weight_dot_r d row_r to `out`. [columns × m] each, weights [rows × m]; those that are
  /// empty are 0. Cost: one Hessian kernel, whatever m.
  bool second_adjoint(nonlinear::ModelAt::Part part, std::span<const double> weight, std::span<const double> z_weight,
                      const Eigen::MatrixXd& weight_dot, const Eigen::MatrixXd& direction, Eigen::MatrixXd& out);

  /// Are kernels of Taylor coefficients of second derivatives there? Compiles them; Programs have none.
  bool has_third();
  /// Third derivatives of f and q: how second_adjoint(rates, weight, directions `moves`) itself moves along `d` [columns],
  /// weight and moves held; exact. `d` has no part by parameters. [columns × m], overwritten. Cost: two kernels.
  bool third(std::span<const double> weight, const Eigen::VectorXd& d, const Eigen::MatrixXd& moves, Eigen::MatrixXd& out);

  /// Two columns of a matrix of directions.
  struct Pair {
    Eigen::Index first, second;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  /// ∇²row[direction_i, direction_j] of f and q for pairs (i, j) of directions [columns × m]: rows first … first + count.
  /// `out` [count × pairs] is overwritten. Cost: a Hessian kernel over as many lanes as there are rows and algebraics.
  bool second_along(const Eigen::MatrixXd& direction, const std::vector<Pair>& pairs, std::size_t first, std::size_t count,
                    Eigen::MatrixXd& out);

 private:
  void make_places();
  bool factorise();  // h_z at the point
  Eigen::MatrixXd with_algebraics(const Eigen::MatrixXd& direction) const;
  bool bend(nonlinear::ModelAt::Part part, std::size_t first, std::size_t count, const Eigen::MatrixXd& y,
            const std::vector<Pair>& pairs, Eigen::MatrixXd& out);
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::VectorXd solve_transposed(const Eigen::VectorXd& b) const;
  std::ptrdiff_t column_of(std::size_t kernel_column) const;  // -1 - i: algebraic i
  nonlinear::ModelAt::Point point() const { return {t_, x_.data(), z_.data(), u_.data()}; }

  std::unique_ptr<nonlinear::ModelAt> own_;
  nonlinear::ModelAt& at_;
  double t_ = 0;
  std::vector<double> x_, z_, u_, h_, anchor_;
  bool factorised_ = false;
  std::optional<TotalEntries> totals_;
  std::vector<double> by_y_;  // by what kernels differentiate by: columns with z
  nonlinear::Derivative residual_, derivative_, second_;
  nonlinear::RowHessians rate_rows_, residual_rows_;
  std::optional<DerivativeMatrix> derivatives_;
  struct Line;  // a part along a line through the point
  bool make_lines(bool jacobians, bool hessians);
  void set_line(nonlinear::SeriesAt& series, const Eigen::VectorXd& y) const;
  bool jacobian_along_by_rows(const RateJacobian& jacobian, const Eigen::VectorXd& direction, RateJacobian::Sparse& S_dot);
  bool along_line(Line& line, const Eigen::VectorXd& y, std::span<const double> weight, std::span<const double> weight_dot);
  std::shared_ptr<Line> rates_line_, residuals_line_;
  linalg::EntryMatrix<double> by_z_;  // h_z
  std::vector<std::size_t> by_z_entry_;
  std::shared_ptr<linalg::Factors<double>> algebraic_;  // of h_z
};

}  // namespace bolza::integrate
