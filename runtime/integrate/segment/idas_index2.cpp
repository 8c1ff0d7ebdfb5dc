// SPDX-License-Identifier: Apache-2.0
// A segment on IDAS with equations of index 2, x' = f(t, x, z, u, p), 0 = h(t, x, z, u, p) with a singular h_z: Hessenberg's
// form, and what becomes of it when derivatives are algebraics of their own. With the columns of M and N the left and right
// null space of h_z, M'h_x f_z N is regular. Algebraics at the start fulfil the hidden constraint M'(h_x f + h_t + h_u u') =
// 0 as well. The final conditions of the adjoint:    [SUNDIALS, (6.24), where h_z = 0 and M = N = 1]
//
// At the end 0 = N'(f_zᵀ λ + q_zᵀ w) has to hold. States move along M'(h_x dx + h_c dc) = 0 only, c = (t, u, p), so that
// with
//
//   λ = J_x − h_xᵀ M ν,   (M'h_x f_z N)ᵀ ν = N'(f_zᵀ J_x + q_zᵀ w):   J_x dx = λ dx − ν'M'h_c dc
//
// and the second term is a gradient by the inputs at the end.
#include <cmath>

#include "runtime/integrate/segment/idas_internal.h"
#include "runtime/linalg/dense_decompositions.h"

namespace bolza::integrate {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double zero_pivot = 1e-10;

/// The least-squares solution of A x = a, B x = b.
VectorXd solve_both(const MatrixXd& A, const VectorXd& a, const MatrixXd& B, const VectorXd& b) {
  MatrixXd both(A.rows() + B.rows(), A.cols());
  VectorXd value(both.rows());
  both << A, B;
  value << a, b;
  return linalg::least_squares(both, value);
}

}  // namespace

bool IdasSegment::constrain(const Point& p, Constraint& c) {
  Index nx = static_cast<Index>(n_x), nz = static_cast<Index>(n_z_), others = static_cast<Index>(n_u + n_p),
        from = 1 + nx + nz;
  c.h_x = MatrixXd::Zero(nz, nx);
  c.h_z = MatrixXd::Zero(nz, nz);
  c.f_z = MatrixXd::Zero(nx, nz);
  c.by_other = MatrixXd::Zero(nz, 1 + others);
  if (!model.at().jacobian(Part::rates, p, {}, derivative_)) return false;
  for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
    Index row = derivative_.row[e], col = derivative_.col[e];
    if (row < nx && col > nx && col < from) c.f_z(row, col - 1 - nx) += derivative_.value[e];
  }
  if (!model.at().jacobian(Part::residuals, p, {}, derivative_)) return false;
  for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
    Index row = derivative_.row[e], col = derivative_.col[e];
    if (row >= nz || col >= from + others) continue;
    double v = derivative_.value[e];
    if (col == 0) c.by_other(row, 0) += v;
    else if (col <= nx) c.h_x(row, col - 1) += v;
    else if (col < from) c.h_z(row, col - 1 - nx) += v;
    else c.by_other(row, 1 + col - from) += v;
  }
  c.M = linalg::null_space(c.h_z.transpose(), zero_pivot);
  c.N = linalg::null_space(c.h_z, zero_pivot);
  return c.M.allFinite() && c.N.allFinite();
}

// z at s with y's states, from y's z.
bool IdasSegment::find_algebraics(double s) {
  Index nx = static_cast<Index>(n_x), nz = static_cast<Index>(n_z_), nu = static_cast<Index>(n_u);
  Eigen::Map<VectorXd> z(N_VGetArrayPointer(y_.get()) + n_x, nz);
  VectorXd slope = VectorXd::Zero(nu), h(nz);
  for (std::size_t i = 0; options.linear_control && i < n_u; ++i)
    slope[static_cast<Index>(i)] = (right[i] - left[i]) / times.length;
  for (int k = 0; k < 30; ++k) {
    Point p = point(s, N_VGetArrayPointer(y_.get()));
    Constraint c;
    if (!constrain(p, c) || !model.at().value(Part::rates, p, rates_) ||
        !model.at().value(Part::residuals, p, {h.data(), n_z_}))
      return false;
    VectorXd moves =
        c.h_x * Eigen::Map<const VectorXd>(rates_.data(), nx) + c.by_other.col(0) + c.by_other.middleCols(1, nu) * slope;
    VectorXd step = solve_both(c.h_z, h, c.M.transpose() * c.h_x * c.f_z, c.M.transpose() * moves);
    if (!step.allFinite()) return false;
    z -= step;
    double size = 0;
    for (Index i = 0; i < nz; ++i)
      size = std::max(size, std::fabs(step[i]) / std::max(size_of(n_x + static_cast<std::size_t>(i)), std::fabs(z[i])));
    if (size <= 1e-12) return true;
  }
  return false;
}

// λ at the end of the segment becomes one that the algebraic equations of the adjoint allow.
bool IdasSegment::project(Backward& b) {
  Index nx = static_cast<Index>(n_x), nz = static_cast<Index>(n_z_);
  Point end = point(1, end_.data());
  Constraint c;
  if (!constrain(end, c)) return false;
  Vector back = make_vector(n_, context_.get());
  std::copy(b.lambda.begin(), b.lambda.end(), view(back.get()).begin());
  if (!weighted_gradient(end, N_VGetArrayPointer(back.get()), b.weight)) return false;  // μ is 0: f_zᵀ J_x + q_zᵀ w
  Eigen::Map<const VectorXd> by_z(gradient_.data() + 1 + n_x, nz);
  if (c.M.cols() != c.N.cols()) return false;
  MatrixXd matrix = (c.M.transpose() * c.h_x * c.f_z * c.N).transpose();
  VectorXd multiplier = c.M * VectorXd(linalg::solve(matrix, c.N.transpose() * by_z));
  if (!multiplier.allFinite()) return false;
  std::vector<double>& out = b.gradient;
  Eigen::Map<VectorXd>(b.lambda.data(), nx) -= c.h_x.transpose() * multiplier;
  VectorXd by = -(c.by_other.transpose() * multiplier);
  out[begin_input()] += by[0];
  out[length_input()] += by[0];
  for (std::size_t i = 0; i < n_u; ++i) out[(options.linear_control ? n_u : 0) + i] += by[static_cast<Index>(1 + i)];
  for (std::size_t j = 0; j < n_p; ++j) out[controls() + j] += by[static_cast<Index>(1 + n_u + j)];
  return true;
}

// μ from h_zᵀ μ = f_zᵀ λ + q_zᵀ w and N'f_zᵀ λ' = 0, what f_z and q_z do in time left out: IDAS mends it with its first
// step.
bool IdasSegment::guess_multipliers(const Point& end, N_Vector back, std::span<const double> weights) {
  Index nx = static_cast<Index>(n_x), nz = static_cast<Index>(n_z_);
  Constraint c;
  if (!constrain(end, c)) return false;
  Eigen::Map<const VectorXd> by_x(gradient_.data() + 1, nx), by_z(gradient_.data() + 1 + n_x, nz);
  MatrixXd hidden_row = c.N.transpose() * c.f_z.transpose();
  VectorXd mu = solve_both(c.h_z.transpose(), by_z, hidden_row * c.h_x.transpose(), hidden_row * by_x);
  std::copy_n(mu.data(), nz, view(back).begin() + static_cast<std::ptrdiff_t>(n_x));
  return mu.allFinite() && weighted_gradient(end, N_VGetArrayPointer(back), weights);
}

}  // namespace bolza::integrate
