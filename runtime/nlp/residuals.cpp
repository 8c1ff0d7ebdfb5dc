// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/residuals.h"

#include <algorithm>
#include <cmath>

#include "runtime/nlp/scale.h"

namespace bolza::nlp {
namespace {

double violation(double lower, double value, double upper) { return std::max({0.0, lower - value, value - upper}); }

double slack_times_multiplier(double lower, double value, double upper, double below, double above) {
  double low = below > 0 && std::isfinite(lower) ? below * std::abs(value - lower) : 0;
  double high = above > 0 && std::isfinite(upper) ? above * std::abs(upper - value) : 0;
  return std::max(low, high);
}

}  // namespace

double gap_of(const Nlp& nlp, const Iterate& it, const double* g) {
  double sum = 0, of_equations = 0;
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    if (std::isfinite(nlp.lower[v])) sum += it.z_lower[v] * std::abs(it.w[v] - nlp.lower[v]);
    if (std::isfinite(nlp.upper[v])) sum += it.z_upper[v] * std::abs(nlp.upper[v] - it.w[v]);
  }
  for (std::size_t r = 0; r < nlp.m(); ++r) {
    double side = it.lambda[r] > 0 ? nlp.row_upper[r] : nlp.row_lower[r];
    double part = std::isfinite(side) ? it.lambda[r] * (g[r] - side) : 0;
    if (nlp.row_lower[r] < nlp.row_upper[r]) sum += std::abs(part);
    else of_equations += part;
  }
  return sum + std::abs(of_equations);
}

std::vector<double> slope_of_lagrangian(const Nlp& nlp, const Iterate& it, const double* gradient, const double* jacobian) {
  std::vector<double> slope(gradient, gradient + nlp.n());
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k)
    slope[static_cast<std::size_t>(nlp.jacobian.col[k])] +=
        jacobian[k] * it.lambda[static_cast<std::size_t>(nlp.jacobian.row[k])];
  for (std::size_t v = 0; v < nlp.n(); ++v) slope[v] += it.z_upper[v] - it.z_lower[v];
  return slope;
}

void measure_residuals(const Nlp& nlp, Report& report) {
  const Iterate& it = report.iterate;
  Residuals own, scaled;
  auto look = [](double Residuals::* part, double value, double scale, Residuals& physical, Residuals& divided) {
    physical.*part = std::max(physical.*part, value);
    divided.*part = std::max(divided.*part, value / scale);
  };
  std::vector<double> variable = usable_scales(nlp.scale), row = usable_scales(nlp.row_scale);
  double objective = usable_scales({nlp.objective_scale})[0];
  nlp.functions->move_to(it.w);
  const double* g = nlp.functions->constraints();
  for (std::size_t v = 0; v < nlp.n(); ++v)
    look(&Residuals::primal, violation(nlp.lower[v], it.w[v], nlp.upper[v]), variable[v], own, scaled);
  for (std::size_t r = 0; g && r < nlp.m(); ++r)
    look(&Residuals::primal, violation(nlp.row_lower[r], g[r], nlp.row_upper[r]), row[r], own, scaled);
  if (!g) own.primal = scaled.primal = INFINITY;
  report.primal_infeasibility = own.primal;
  report.scaled.primal = scaled.primal;
  if (it.lambda.size() != nlp.m() || it.z_lower.size() != nlp.n()) return;
  for (std::size_t v = 0; v < nlp.n(); ++v)
    look(&Residuals::complementarity,
         slack_times_multiplier(nlp.lower[v], it.w[v], nlp.upper[v], it.z_lower[v], it.z_upper[v]), objective, own, scaled);
  for (std::size_t r = 0; g && r < nlp.m(); ++r)
    look(&Residuals::complementarity,
         slack_times_multiplier(nlp.row_lower[r], g[r], nlp.row_upper[r], -it.lambda[r], it.lambda[r]), objective, own,
         scaled);
  if (g) report.gap = gap_of(nlp, it, g);
  const double* gradient = nlp.functions->gradient();
  const double* jacobian = nlp.functions->jacobian();
  if (gradient && jacobian) {
    std::vector<double> slope = slope_of_lagrangian(nlp, it, gradient, jacobian);
    for (std::size_t v = 0; v < nlp.n(); ++v)
      look(&Residuals::dual, std::abs(slope[v]), objective / variable[v], own, scaled);
  } else {
    own.dual = scaled.dual = INFINITY;
  }
  report.dual_infeasibility = own.dual;
  report.complementarity = own.complementarity;
  report.scaled = scaled;
}

}  // namespace bolza::nlp
