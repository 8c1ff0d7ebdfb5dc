// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/estimate/statistics/closed_form.h"

#include <cmath>

#include "runtime/estimate/statistics/information.h"

namespace bolza::estimate::testing {

ClosedForm::ClosedForm(Formula formula, const std::vector<std::string>& names) : formula(std::move(formula)) {
  for (const std::string& name : names) estimation.parameters.push_back({.name = name});
  estimation.observables.push_back({.name = "y"});
  estimation.experiments.push_back({.name = "e"});
}

void ClosedForm::measure(const std::vector<double>& x, const std::vector<double>& y) {
  auto& list = estimation.experiments[0].measurements;
  list.clear();
  for (std::size_t i = 0; i < x.size(); ++i) list.push_back({.time = x[i], .value = y[i]});
}

Likelihood ClosedForm::at(std::span<const double> theta) const {
  const Observable& o = estimation.observables[0];
  const auto& list = estimation.experiments[0].measurements;
  auto rows = static_cast<Eigen::Index>(list.size()), n = static_cast<Eigen::Index>(theta.size());
  Likelihood out;
  out.jacobian.setZero(rows, n), out.gradient.setZero(n);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Measurement& m = list[static_cast<std::size_t>(i)];
    std::vector<Complex> p;
    for (std::size_t k = 0; k < theta.size(); ++k) p.emplace_back(from_scale(theta[k], estimation.parameters[k].scale));
    double y = formula(m.time, p).real(), slope = slope_of(y, o.scale);
    out.simulated.push_back(y), out.sigma.push_back(o.number);
    double residual = (to_scale(y, o.scale) - to_scale(m.value, o.scale)) / o.number;
    out.residuals.push_back(residual);
    for (std::size_t k = 0; k < theta.size(); ++k) {
      double h = 1e-30, size = slope_of(p[k].real(), estimation.parameters[k].scale);
      std::vector<Complex> moved = p;
      moved[k] += Complex(0, h);
      out.jacobian(i, static_cast<Eigen::Index>(k)) = formula(m.time, moved).imag() / h * size / slope / o.number;
    }
    out.gradient += m.weight * residual * out.jacobian.row(i).transpose();
    out.fisher.setZero(n, n);
    out.sum_of_squares += m.weight * residual * residual;
    out.log_likelihood -= m.weight * (0.5 * residual * residual + std::log(o.number) + 0.5 * std::log(2 * std::acos(-1.0)) +
                                      std::log(std::fabs(slope_of(m.value, o.scale))));
  }
  for (Eigen::Index i = 0; i < rows; ++i)
    out.fisher += list[static_cast<std::size_t>(i)].weight * out.jacobian.row(i).transpose() * out.jacobian.row(i);
  for (std::size_t k = 0; k < theta.size(); ++k) {
    auto i = static_cast<Eigen::Index>(k);
    out.fisher(i, i) += prior_information(estimation.parameters[k], theta[k]);
  }
  out.value = -out.log_likelihood, out.good = true;
  return out;
}

std::vector<double> ClosedForm::fitted(std::vector<double> theta) const {
  for (int k = 0; k < 200; ++k) {
    Likelihood here = at(theta);
    Eigen::Map<const Eigen::VectorXd> r(here.residuals.data(), here.jacobian.rows());
    Eigen::VectorXd step = here.jacobian.colPivHouseholderQr().solve(-r);
    double length = 1, before = here.sum_of_squares;
    std::vector<double> next = theta;
    for (; length > 1e-10; length /= 2) {
      for (std::size_t i = 0; i < theta.size(); ++i) next[i] = theta[i] + length * step[static_cast<Eigen::Index>(i)];
      if (at(next).sum_of_squares <= before) break;
    }
    if (length <= 1e-10) break;
    theta = next;
    if (before - at(theta).sum_of_squares <= 1e-16 * before) break;
  }
  return theta;
}

}  // namespace bolza::estimate::testing
