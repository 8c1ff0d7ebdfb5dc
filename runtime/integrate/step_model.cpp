#include "runtime/integrate/step_model.h"

namespace bolza::integrate {

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

bool StepModel::jacobian(double t, const Eigen::VectorXd& y, Eigen::MatrixXd& J, Eigen::VectorXd& slope) {
  ++jacobians;
  if (!move_to(t, y) || !model_.rate_jacobian(J)) return false;
  inputs_(t, y.data(), model_.z().data(), u_, slope_);
  slope = Eigen::Map<const Eigen::VectorXd>(slope_.data(), static_cast<Eigen::Index>(n_u));
  return J.allFinite();
}

bool StepModel::series(double t, const Eigen::VectorXd& y, std::size_t K, bool differentiable,
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
  return series_.expand(t, y, u, K, differentiable, c);
}

bool StepModel::second(const Eigen::VectorXd& weight, const Eigen::VectorXd& direction, Eigen::VectorXd& out) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(columns()), 1);
  bool good = model_.second_adjoint(nonlinear::ModelAt::Part::rates, {weight.data(), n}, {}, {}, direction, sum);
  out = sum.col(0);
  return good && out.allFinite();
}

}  // namespace bolza::integrate
