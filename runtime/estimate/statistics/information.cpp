// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/information.h"

#include <algorithm>
#include <cmath>

#include "runtime/estimate/prior.h"
#include "runtime/linalg/dense_decompositions.h"

namespace bolza::estimate {
namespace {

// What of the Fisher matrix neither the Jacobian nor the priors explain, as rows. Differences below `noise` of a diagonal
// entry are rounding.
Eigen::MatrixXd unexplained(const Eigen::MatrixXd& fisher, const Eigen::MatrixXd& explained, double noise) {
  std::vector<Eigen::Index> own;
  for (Eigen::Index i = 0; i < fisher.rows(); ++i)
    if (fisher(i, i) - explained(i, i) > noise * fisher(i, i)) own.push_back(i);
  auto n = static_cast<Eigen::Index>(own.size());
  Eigen::MatrixXd block(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      auto a = own[static_cast<std::size_t>(i)], b = own[static_cast<std::size_t>(j)];
      block(i, j) = fisher(a, b) - explained(a, b);
    }
  Eigen::MatrixXd few, rows;
  rows_of(block, few);
  rows.setZero(few.rows(), fisher.cols());
  for (Eigen::Index j = 0; j < n; ++j) rows.col(own[static_cast<std::size_t>(j)]) = few.col(j);
  return rows;
}

// √ of what each measurement counts. Where a robust loss is linear it counts less.
Eigen::VectorXd root_weights(const Estimation& estimation, const Likelihood& likelihood) {
  Eigen::VectorXd root(static_cast<Eigen::Index>(estimation.n_measurements()));
  Eigen::Index row = 0;
  for (const Experiment& e : estimation.experiments)
    for (const Measurement& m : e.measurements) {
      double limit = estimation.observables[m.observable].huber;
      double r = std::fabs(likelihood.residuals[static_cast<std::size_t>(row)]);
      root[row++] = std::sqrt(m.weight * (limit > 0 && r > limit ? limit / r : 1));
    }
  return root;
}

}  // namespace

double prior_information(const Parameter& parameter, double theta) { return prior_term(parameter, theta).curvature; }

bool rows_of(const Eigen::MatrixXd& hessian, Eigen::MatrixXd& rows) {
  rows.resize(0, hessian.cols());
  if (hessian.size() == 0) return true;
  Eigen::VectorXd size = hessian.diagonal().cwiseAbs().cwiseSqrt();  // unit diagonal, so that units do not matter
  for (double& s : size) s = s > 0 ? s : 1;
  Eigen::MatrixXd scaled = size.cwiseInverse().asDiagonal() * hessian * size.cwiseInverse().asDiagonal();
  auto eigen = linalg::spectrum(0.5 * (scaled + scaled.transpose()));
  if (!eigen) return false;
  double rounding = 1e-14 * static_cast<double>(hessian.rows()) * eigen->values.cwiseAbs().maxCoeff();
  Eigen::VectorXd root = eigen->values.cwiseMax(0).cwiseSqrt();
  rows = root.asDiagonal() * eigen->vectors.transpose() * size.asDiagonal();
  return eigen->values.minCoeff() >= -1e4 * rounding;
}

Information information_of(const Estimation& estimation, const Likelihood& likelihood, std::span<const double> theta) {
  Information out;
  auto n = static_cast<Eigen::Index>(theta.size());
  out.prior.setZero(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    auto k = static_cast<std::size_t>(i);
    out.prior[i] = prior_information(estimation.parameters[k], theta[k]);
  }
  Eigen::MatrixXd measured(0, n);
  if (likelihood.jacobian.rows() > 0) measured = root_weights(estimation, likelihood).asDiagonal() * likelihood.jacobian;
  Eigen::MatrixXd explained = measured.transpose() * measured;
  explained.diagonal() += out.prior;
  Eigen::MatrixXd rest = unexplained(likelihood.fisher, explained, 1e-8);
  out.n_measurements = static_cast<std::size_t>(measured.rows());
  out.rows.resize(measured.rows() + rest.rows(), n);
  out.rows << measured, rest;
  return out;
}

Eigen::MatrixXd with_priors(const Information& information) {
  Eigen::Index m = information.rows.rows(), n = information.rows.cols();
  Eigen::MatrixXd rows(m + n, n);
  rows.topRows(m) = information.rows;
  rows.bottomRows(n) = information.prior.cwiseSqrt().asDiagonal();
  return rows;
}

bool hessian_by_differences(const GradientAt& gradient, std::span<const double> theta, const Box& box, double step,
                            Eigen::MatrixXd& hessian) {
  auto n = static_cast<Eigen::Index>(theta.size());
  hessian.resize(n, n);
  std::vector<double> at(theta.begin(), theta.end());
  Eigen::VectorXd below, above;
  for (Eigen::Index i = 0; i < n; ++i) {
    auto k = static_cast<std::size_t>(i);
    double h = step * box.scale(k, theta[k]);
    double low = std::max(theta[k] - h, box.lower[k]), high = std::min(theta[k] + h, box.upper[k]);
    at[k] = low;
    if (!gradient(at, below)) return false;
    at[k] = high;
    if (!gradient(at, above)) return false;
    at[k] = theta[k];
    hessian.col(i) = (above - below) / (high - low);
  }
  hessian = (0.5 * (hessian + hessian.transpose())).eval();
  return hessian.allFinite();
}

}  // namespace bolza::estimate
