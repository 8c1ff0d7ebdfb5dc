// SPDX-License-Identifier: Apache-2.0
// Adjoint, tangent and second derivatives of Runge–Kutta steps.
#include <cmath>

#include "runtime/integrate/index.h"
#include "runtime/integrate/steps/runge_kutta_steps.h"

namespace bolza::integrate {
namespace {

using Part = nonlinear::ModelAt::Part;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

/// Columns at a stage: t, x, z, u, p.
struct RungeKuttaSteps::Stages {
  std::vector<VectorXd> multiplier, by;  // of (f, q, h), and the gradient by the columns that they give
  std::vector<MatrixXd> moves;           // [columns × m] how the stage's point moves
  std::vector<MatrixXd> rates;           // [(n_x + n_q) × m] how K and q move
};

/// Σ_j a_ij K_j.
VectorXd RungeKuttaSteps::inner(const RungeKuttaStep& step, std::size_t i) const {
  VectorXd sum = VectorXd::Zero(at(n_x_));
  for (std::size_t j = 0; j < s_; ++j)
    sum += form_.a[i * s_ + j] * Eigen::Map<const VectorXd>(step.K.data() + j * n_x_, at(n_x_));
  return sum;
}

/// ψ of Sᵀψ = ∂J/∂(K, Z).
VectorXd RungeKuttaSteps::multipliers(const RungeKuttaStep& step, const VectorXd& l, const VectorXd& w) {
  Index nx = at(n_x_), nz = at(n_z_), offset = at(s_ * n_x_);
  VectorXd rhs = VectorXd::Zero(at(s_ * (n_x_ + n_z_)));
  for (std::size_t i = 0; i < s_; ++i) {
    double hb = step.h * form_.b[i];
    rhs.segment(at(i) * nx, nx) += hb * l;
    if (n_q_ == 0) continue;
    VectorXd by = hb * (D_[i].transpose() * of_rows({}, w, {}));
    rhs.segment(offset + at(i) * nz, nz) += by.segment(1 + nx, nz);
    for (std::size_t j = 0; j < s_; ++j) rhs.segment(at(j) * nx, nx) += step.h * form_.a[i * s_ + j] * by.segment(1, nx);
  }
  return solve_transposed(rhs, step.h);
}

bool RungeKuttaSteps::pull_back(const RungeKuttaStep& step, std::span<double> lambda, std::span<const double> weight,
                                std::vector<StageGradient>& stages, double& by_length, Stages& s) {
  Index nx = at(n_x_), nz = at(n_z_), nq = at(n_q_), offset = at(s_ * n_x_);
  Eigen::Map<VectorXd> l(lambda.data(), nx);
  Eigen::Map<const VectorXd> w(weight.data(), nq);
  VectorXd psi = multipliers(step, l, w), before = l;
  if (!psi.allFinite()) return false;
  by_length = 0;
  stages.resize(s_);
  s.multiplier.resize(s_);
  s.by.resize(s_);
  for (std::size_t i = 0; i < s_; ++i) {
    double hb = step.h * form_.b[i];
    VectorXd& multiplier = s.multiplier[i];
    multiplier.resize(at(n_x_ + n_q_ + n_z_));
    multiplier << psi.segment(at(i) * nx, nx), hb * w, -psi.segment(offset + at(i) * nz, nz);
    s.by[i].noalias() = D_[i].transpose() * multiplier;
    const VectorXd& by = s.by[i];
    auto chi = by.segment(1, nx);
    by_length += chi.dot(inner(step, i)) + form_.b[i] * (before.dot(slope_[i].head(nx)) + w.dot(slope_[i].segment(nx, nq)));
    l += chi;
    stages[i].t = step.t + form_.c[i] * step.h;
    stages[i].by.assign(1 + n_u_ + n_p_, 0);
    stages[i].by[0] = by[0];
    for (std::size_t k = 0; k < n_u_ + n_p_; ++k) stages[i].by[1 + k] = by[1 + nx + nz + at(k)];
  }
  return l.allFinite();
}

/// The same stage by stage backwards: χ_i = f_xᵀ ψ_i + h b_i q_xᵀ w, ψ_i = h b_i λ⁺ + h Σ_j a_ji χ_j.
bool RungeKuttaSteps::pull_back_by_products(const RungeKuttaStep& step, std::span<double> lambda,
                                            std::span<const double> weight, std::vector<StageGradient>& stages,
                                            double& by_length) {
  Index nx = at(n_x_), nq = at(n_q_);
  Eigen::Map<VectorXd> l(lambda.data(), nx);
  Eigen::Map<const VectorXd> w(weight.data(), nq);
  std::vector<VectorXd> chi(s_);
  VectorXd multiplier(nx + nq), by(at(1 + n_x_ + n_u_ + n_p_)), sum = VectorXd::Zero(nx);
  by_length = 0;
  stages.resize(s_);
  for (std::size_t i = s_; i-- > 0;) {
    double hb = step.h * form_.b[i];
    multiplier << hb * l, hb * w;
    for (std::size_t j = i + 1; j < s_; ++j)
      if (double a = form_.a[j * s_ + i]; a != 0) multiplier.head(nx) += step.h * a * chi[j];
    stages[i].t = step.t + form_.c[i] * step.h;
    stages[i].by.assign(1 + n_u_ + n_p_, 0);
    chi[i] = VectorXd::Zero(nx);
    if (multiplier.isZero(0)) continue;  // the last stage where it is the first one of the next step
    if (nq) {
      if (!evaluate(step, i)) return false;
      by_length += form_.b[i] * w.dot(slope_[i].tail(nq));
    } else {
      stage_state(step, i);
    }
    by.setZero();
    if (!model_.vjp(Part::rates, {t_, x_.data(), z_.data(), u_.data()}, {multiplier.data(), n_x_ + n_q_},
                    {by.data(), static_cast<std::size_t>(by.size())}))
      return false;
    chi[i] = by.segment(1, nx);
    sum += chi[i];
    by_length += chi[i].dot(inner(step, i)) + form_.b[i] * l.dot(Eigen::Map<const VectorXd>(step.K.data() + i * n_x_, nx));
    stages[i].by[0] = by[0];
    for (std::size_t k = 0; k < n_u_ + n_p_; ++k) stages[i].by[1 + k] = by[1 + nx + at(k)];
  }
  l += sum;
  return l.allFinite();
}

bool RungeKuttaSteps::adjoint(const RungeKuttaStep& step, std::span<double> lambda, std::span<const double> weight,
                              std::vector<StageGradient>& stages, double& by_length) {
  if (by_products_) return pull_back_by_products(step, lambda, weight, stages, by_length);
  Stages at_stages;
  return pull_back(step, lambda, weight, stages, by_length, at_stages);
}

bool RungeKuttaSteps::push_forward(const RungeKuttaStep& step, Directions& d, Stages& s) {
  Index nx = at(n_x_), nz = at(n_z_), nq = at(n_q_), nu = at(n_u_), np = at(n_p_), offset = at(s_ * n_x_), m = d.x.cols();
  MatrixXd rhs(at(s_ * (n_x_ + n_z_)), m);
  s.moves.resize(s_);
  s.rates.resize(s_);
  for (std::size_t i = 0; i < s_; ++i) {  // with K and Z held
    MatrixXd& moves = s.moves[i];
    moves = MatrixXd::Zero(D_[i].cols(), m);
    moves.row(0) = d.direct[i].row(0);
    moves.middleRows(1, nx) = d.x + inner(step, i) * d.length;
    moves.bottomRows(nu + np) = d.direct[i].bottomRows(nu + np);
    MatrixXd fixed = D_[i] * moves;
    rhs.middleRows(at(i) * nx, nx) = fixed.topRows(nx);
    rhs.middleRows(offset + at(i) * nz, nz) = -fixed.bottomRows(nz);
  }
  MatrixXd y = solve(rhs, step.h);
  if (!y.allFinite()) return false;
  for (std::size_t i = 0; i < s_; ++i) {
    for (std::size_t j = 0; j < s_; ++j)
      s.moves[i].middleRows(1, nx) += step.h * form_.a[i * s_ + j] * y.middleRows(at(j) * nx, nx);
    s.moves[i].middleRows(1 + nx, nz) = y.middleRows(offset + at(i) * nz, nz);
    s.rates[i].resize(nx + nq, m);
    MatrixXd rows = nq ? MatrixXd(D_[i] * s.moves[i]) : MatrixXd(nx, m);
    s.rates[i] << y.middleRows(at(i) * nx, nx), rows.middleRows(nx, nq);
    d.q += step.h * form_.b[i] * s.rates[i].bottomRows(nq) + form_.b[i] * slope_[i].segment(nx, nq) * d.length;
  }
  for (std::size_t i = 0; i < s_; ++i)
    d.x += step.h * form_.b[i] * s.rates[i].topRows(nx) + form_.b[i] * slope_[i].head(nx) * d.length;
  return true;
}

bool RungeKuttaSteps::tangent(const RungeKuttaStep& step, Directions& d) {
  Stages at_stages;
  return differentiate(step) && push_forward(step, d, at_stages);
}

/// Adds ∇²(multiplier' (f, q, h)) moves at stage i.
bool RungeKuttaSteps::curvature(const RungeKuttaStep& step, std::size_t i, const VectorXd& multiplier, const MatrixXd& moves,
                                MatrixXd& out) {
  stage_state(step, i);
  nonlinear::ModelAt::Point point{t_, x_.data(), z_.data(), u_.data()};
  auto add = [&](Part part, std::size_t first, std::size_t count) {
    if (count == 0) return true;
    if (!model_.hessian(part, point, {multiplier.data() + first, count}, second_)) return false;
    for (std::size_t e = 0; e < second_.value.size(); ++e) {
      Index r = second_.row[e], c = second_.col[e];
      out.row(r) += second_.value[e] * moves.row(c);
      if (r != c) out.row(c) += second_.value[e] * moves.row(r);
    }
    return true;
  };
  return add(Part::rates, 0, n_x_ + n_q_) && add(Part::residuals, n_x_ + n_q_, n_z_);
}

bool RungeKuttaSteps::second(const RungeKuttaStep& step, std::span<double> lambda, std::span<const double> weight,
                             std::vector<StageGradient>& stages, double& by_length, Directions& d, Moved& moved) {
  Index nx = at(n_x_), nz = at(n_z_), nq = at(n_q_), nu = at(n_u_), np = at(n_p_), offset = at(s_ * n_x_), m = d.x.cols();
  VectorXd l = Eigen::Map<VectorXd>(lambda.data(), nx);  // at the end
  Eigen::Map<const VectorXd> w(weight.data(), nq);
  Stages s;
  if (!differentiate(step) || !pull_back(step, lambda, weight, stages, by_length, s) || !push_forward(step, d, s))
    return false;
  MatrixXd w_dot = moved.weight.size() ? moved.weight : MatrixXd::Zero(nq, m);
  std::vector<MatrixXd> bent(s_), hbw_dot(s_);
  MatrixXd rhs = MatrixXd::Zero(at(s_ * (n_x_ + n_z_)), m);
  for (std::size_t i = 0; i < s_; ++i) {
    double hb = step.h * form_.b[i];
    bent[i] = MatrixXd::Zero(D_[i].cols(), m);
    if (!curvature(step, i, s.multiplier[i], s.moves[i], bent[i])) return false;
    hbw_dot[i] = hb * w_dot + form_.b[i] * w * d.length;
    MatrixXd own = bent[i] + D_[i].transpose() * of_rows({}, hbw_dot[i], {});  // by the columns, ψ held
    rhs.middleRows(at(i) * nx, nx) += hb * moved.lambda + form_.b[i] * l * d.length;
    rhs.middleRows(offset + at(i) * nz, nz) += own.middleRows(1 + nx, nz);
    for (std::size_t j = 0; j < s_; ++j)
      rhs.middleRows(at(j) * nx, nx) +=
          form_.a[i * s_ + j] * (step.h * own.middleRows(1, nx) + s.by[i].segment(1, nx) * d.length);
  }
  MatrixXd psi_dot = solve_transposed(rhs, step.h);
  if (!psi_dot.allFinite()) return false;
  moved.by.resize(s_);
  moved.by_length = Eigen::RowVectorXd::Zero(m);
  MatrixXd lambda_dot = moved.lambda;
  for (std::size_t i = 0; i < s_; ++i) {
    MatrixXd multiplier_dot(D_[i].rows(), m), inner_dot = MatrixXd::Zero(nx, m);
    multiplier_dot << psi_dot.middleRows(at(i) * nx, nx), hbw_dot[i], -psi_dot.middleRows(offset + at(i) * nz, nz);
    MatrixXd by = D_[i].transpose() * multiplier_dot + bent[i];
    for (std::size_t j = 0; j < s_; ++j) inner_dot += form_.a[i * s_ + j] * s.rates[j].topRows(nx);
    auto chi_dot = by.middleRows(1, nx);
    moved.by_length +=
        inner(step, i).transpose() * chi_dot + s.by[i].segment(1, nx).transpose() * inner_dot +
        form_.b[i] * (slope_[i].head(nx).transpose() * lambda_dot + l.transpose() * s.rates[i].topRows(nx) +
                      slope_[i].segment(nx, nq).transpose() * w_dot + w.transpose() * s.rates[i].bottomRows(nq));
    moved.lambda += chi_dot;
    moved.by[i].resize(1 + nu + np, m);
    moved.by[i] << by.row(0), by.bottomRows(nu + np);
  }
  return moved.lambda.allFinite();
}

}  // namespace bolza::integrate
