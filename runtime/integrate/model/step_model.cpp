// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/model/step_model.h"

#include <cmath>

namespace bolza::integrate {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Part = nonlinear::ModelAt::Part;

StepModel::StepModel(ReducedModel& model, InputLaw inputs)
    : n_x(model.model().n_x),
      n_q(model.model().n_q),
      n_u(model.model().n_u),
      n_p(model.model().n_global),
      n(n_x + n_q),
      model_(model),
      series_(model),
      inputs_(std::move(inputs)),
      u_(n_u),
      slope_(n_u) {}

bool StepModel::move_to(double t, const Eigen::VectorXd& y) {
  inputs_(t, y.data(), model_.z().data(), u_, {});
  return model_.move_to(t, {y.data(), n_x}, u_);
}

bool StepModel::rates(double t, const Eigen::VectorXd& y, Eigen::VectorXd& F) {
  ++evaluations;
  F.resize(static_cast<Eigen::Index>(n));
  return move_to(t, y) && model_.rates({F.data(), n});
}

bool StepModel::jacobian(double t, const Eigen::VectorXd& y, RateJacobian& J, Eigen::VectorXd& slope) {
  ++jacobians;
  if (!move_to(t, y) || !model_.rate_jacobian(J)) return false;
  inputs_(t, y.data(), model_.z().data(), u_, slope_);
  slope = Eigen::Map<const Eigen::VectorXd>(slope_.data(), static_cast<Eigen::Index>(n_u));
  return true;
}

bool StepModel::pull_back(double t, const VectorXd& y, const VectorXd& weight, VectorXd& out) {
  out.setZero(static_cast<Index>(columns()));
  return move_to(t, y) && model_.add_gradient(Part::rates, {weight.data(), n}, {}, {out.data(), columns()}) &&
         out.allFinite();
}

bool StepModel::series(double t, const Eigen::VectorXd& y, std::size_t K, SeriesModel::Derivatives derivatives,
                       std::vector<Eigen::VectorXd>& c) {
  evaluations += K;
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(n_u), static_cast<Eigen::Index>(K));
  if (input_series_) {
    input_series_(t, u);
  } else {
    inputs_(t, y.data(), model_.z().data(), u_, {});
    inputs_(t, y.data(), model_.z().data(), u_, slope_);
    for (std::size_t i = 0; i < n_u; ++i) {
      u(static_cast<Eigen::Index>(i), 0) = u_[i];
      if (K > 1) u(static_cast<Eigen::Index>(i), 1) = slope_[i];
    }
  }
  return series_.expand(t, y, u, K, derivatives, c);
}

bool StepModel::second(const Eigen::VectorXd& weight, const Eigen::VectorXd& direction, Eigen::VectorXd& out) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(columns()), 1);
  bool good = model_.second_adjoint(nonlinear::ModelAt::Part::rates, {weight.data(), n}, {}, {}, direction, sum);
  out = sum.col(0);
  return good && out.allFinite();
}

bool StepModel::second(const VectorXd& weight, const MatrixXd& weight_dot, const MatrixXd& moves, MatrixXd& out) {
  out.setZero(static_cast<Index>(columns()), moves.cols());
  return model_.second_adjoint(Part::rates, {weight.data(), n}, {}, weight_dot, moves, out) && out.allFinite();
}

// Along one direction, by differences.
bool StepModel::differenced_third(double t, const VectorXd& y, const VectorXd& weight, const VectorXd& direction,
                                  const VectorXd& move, VectorXd& out) {
  constexpr double share = 4e-4;  // of the sizes: truncation share⁴, rounding 1e-16/share
  Index nx = static_cast<Index>(n_x), nu = static_cast<Index>(n_u);
  inputs_(t, y.data(), model_.z().data(), u_, {});
  VectorXd x = y.head(nx), u = Eigen::Map<const VectorXd>(u_.data(), nu);
  const bolza_model& m = model_.model();
  std::vector<double>& shared = model_.at().shared;
  const std::vector<double> kept = shared;
  double fastest = std::fabs(move[0]) / std::max(1.0, std::fabs(t));
  auto watch = [&](Index column, double now, double size) {
    fastest = std::max(fastest, std::fabs(move[column]) / std::max(std::fabs(now), size));
  };
  for (Index i = 0; i < nx; ++i) watch(1 + i, x[i], nonlinear::size_of(m.x[i]));
  for (Index i = 0; i < nu; ++i) watch(1 + nx + i, u[i], nonlinear::size_of(m.u[i]));
  for (std::size_t j = 0; j < n_p; ++j) watch(1 + nx + nu + static_cast<Index>(j), kept[j], kept[j] == 0 ? 1 : 0);
  double h = share / fastest;
  bool good = true;
  VectorXd there;
  out.setZero(static_cast<Index>(columns()));
  for (auto [steps, factor] : {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
    double by = steps * h;
    for (std::size_t j = 0; j < n_p; ++j) shared[j] = kept[j] + by * move[1 + nx + nu + static_cast<Index>(j)];
    VectorXd moved_x = x + by * move.segment(1, nx), moved_u = u + by * move.segment(1 + nx, nu);
    good = good && model_.move_to(t + by * move[0], {moved_x.data(), n_x}, {moved_u.data(), n_u}) &&
           second(weight, direction, there);
    if (!good) break;
    out += factor * there;
  }
  shared = kept;
  out /= 12 * h;
  return good && out.allFinite();
}

bool StepModel::third(double t, const VectorXd& y, const VectorXd& weight, const VectorXd& direction, const MatrixXd& moves,
                      MatrixXd& out) {
  if (!move_to(t, y)) return false;
  if (model_.has_third()) return model_.third({weight.data(), n}, direction, moves, out);
  out.setZero(static_cast<Index>(columns()), moves.cols());
  for (Index k = 0; k < moves.cols(); ++k) {
    VectorXd slope;
    if (moves.col(k).isZero(0)) continue;
    if (!differenced_third(t, y, weight, direction, moves.col(k), slope)) return false;
    out.col(k) = slope;
  }
  return move_to(t, y);
}

bool StepModel::series_second(double t, const VectorXd& y, const std::vector<VectorXd>& weight, const MatrixXd& moves,
                              const MatrixXd& slope_moves, MatrixXd& by, MatrixXd& by_slope) {
  std::vector<VectorXd> c;
  return series(t, y, weight.size(), SeriesModel::Derivatives::second, c) &&
         series_.second(weight, moves, slope_moves, by, by_slope);
}

}  // namespace bolza::integrate
