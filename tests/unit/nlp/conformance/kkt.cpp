// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/nlp/conformance/kkt.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace bolza::nlp::testing {
namespace {

std::size_t place(std::int32_t k) { return static_cast<std::size_t>(k); }
double outside(double lower, double value, double upper) { return std::max({0.0, lower - value, value - upper}); }
double product(double multiplier, double distance) { return multiplier == 0 ? 0 : std::abs(multiplier * distance); }

/// Largest |w_v dg_r/dw_v| of each row, |g_r| and 1.
std::vector<double> sizes_of_rows(const Nlp& nlp, const Iterate& it, const double* g, const double* jacobian) {
  std::vector<double> size(nlp.m(), 1.0);
  for (std::size_t r = 0; r < nlp.m(); ++r) size[r] = std::max(size[r], std::abs(g[r]));
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k)
    size[place(nlp.jacobian.row[k])] =
        std::max(size[place(nlp.jacobian.row[k])], std::abs(jacobian[k] * it.w[place(nlp.jacobian.col[k])]));
  return size;
}

/// Each component of the Lagrangian's gradient relative to the largest term of them all and to what it changes by where the
/// variable is doubled.
double stationarity(FormulaNlp& problem, const Iterate& it) {
  const Nlp& nlp = problem.nlp;
  const double *gradient = problem.gradient(), *jacobian = problem.jacobian(), *hessian = problem.hessian(1, it.lambda);
  std::vector<double> slope(gradient, gradient + nlp.n()), size(nlp.n(), 0.0);
  double largest = 1, worst = 0;
  for (double s : slope) largest = std::max(largest, std::abs(s));
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k) {
    double term = jacobian[k] * it.lambda[place(nlp.jacobian.row[k])];
    slope[place(nlp.jacobian.col[k])] += term;
    largest = std::max(largest, std::abs(term));
  }
  for (std::size_t k = 0; hessian && k < nlp.hessian.size(); ++k)
    if (nlp.hessian.row[k] == nlp.hessian.col[k])
      size[place(nlp.hessian.row[k])] = std::abs(hessian[k] * it.w[place(nlp.hessian.row[k])]);
  for (std::size_t v = 0; v < nlp.n(); ++v) largest = std::max({largest, it.z_lower[v], it.z_upper[v]});
  for (std::size_t v = 0; v < nlp.n(); ++v)
    worst = std::max(worst, std::abs(slope[v] - it.z_lower[v] + it.z_upper[v]) / std::max(largest, size[v]));
  return worst;
}

/// Objectives are those of points that satisfy the constraints within the engine's tolerance, 1e-8: multipliers of hundreds
/// make 1e-6 of it. Residuals are relative to the terms that cancel; engines measure them scaled, the scales of the examples
/// go to 1e-3.
constexpr double objective_tolerance = 2e-6, residual_tolerance = 2e-5;

bool reaches(double objective, double optimum) {
  return std::abs(objective - optimum) <= objective_tolerance * std::max(1.0, std::abs(optimum));
}

}  // namespace

KktError kkt_error(FormulaNlp& problem, const Iterate& it) {
  const Nlp& nlp = problem.nlp;
  problem.move_to(it.w);
  double f = 0;
  const double *g = problem.constraints(), *gradient = problem.gradient(), *jacobian = problem.jacobian();
  if (!problem.objective(f) || !g || !gradient || !jacobian) return {INFINITY, INFINITY, INFINITY, INFINITY};
  KktError error;
  double scale = std::max(1.0, std::abs(f));
  auto side = [&](double multiplier, double distance, double size) {  // of one bound or one side of a row
    if (std::isinf(distance)) error.sign = std::max(error.sign, multiplier / size);
    else error.complementarity = std::max(error.complementarity, product(multiplier, distance) / scale);
  };
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    error.primal = std::max(error.primal, outside(nlp.lower[v], it.w[v], nlp.upper[v]) / std::max(1.0, std::abs(it.w[v])));
    error.sign = std::max({error.sign, -it.z_lower[v], -it.z_upper[v]});
    double size = std::max(1.0, std::abs(gradient[v]));
    side(it.z_lower[v], it.w[v] - nlp.lower[v], size), side(it.z_upper[v], nlp.upper[v] - it.w[v], size);
  }
  std::vector<double> size = sizes_of_rows(nlp, it, g, jacobian);
  for (std::size_t r = 0; r < nlp.m(); ++r) {
    error.primal = std::max(error.primal, outside(nlp.row_lower[r], g[r], nlp.row_upper[r]) / size[r]);
    if (nlp.row_lower[r] == nlp.row_upper[r]) continue;
    side(std::max(0.0, it.lambda[r]), nlp.row_upper[r] - g[r], scale / size[r]);
    side(std::max(0.0, -it.lambda[r]), g[r] - nlp.row_lower[r], scale / size[r]);
  }
  error.stationarity = stationarity(problem, it);
  return error;
}

std::string wrong_lengths(const Nlp& nlp, const Report& report) {
  const Iterate& it = report.iterate;
  if (it.w.size() != nlp.n() || it.lambda.size() != nlp.m() || it.z_lower.size() != nlp.n() || it.z_upper.size() != nlp.n())
    return "the iterate has not the lengths of the problem";
  bool finite = std::all_of(it.w.begin(), it.w.end(), [](double w) { return std::isfinite(w); });
  return finite ? "" : "the point is not finite";
}

std::string complaint_about(FormulaNlp& problem, const EngineCase& the_case, const Report& report,
                            std::span<const double> optima) {
  if (std::string wrong = wrong_lengths(problem.nlp, report); !wrong.empty()) return wrong;
  std::ostringstream text;
  if (report.status != Status::solved && report.status != Status::acceptable) {
    text << name_of(report.status) << " after " << report.iterations << " iterations: " << report.message;
    return text.str();
  }
  if (std::none_of(optima.begin(), optima.end(), [&](double f) { return reaches(report.objective, f); }))
    text << "the objective is " << report.objective << " instead of " << optima.front() << "; ";
  if (the_case.hessian == Hessian::lbfgs && problem.evaluations.hessian > 0) text << "asks for second derivatives; ";
  KktError error = kkt_error(problem, report.iterate);
  auto check = [&](const char* what, double value) {
    if (!(value <= residual_tolerance)) text << what << " " << value << " > " << residual_tolerance << "; ";
  };
  check("infeasible by", error.primal), check("not stationary by", error.stationarity);
  check("not complementary by", error.complementarity), check("multipliers of the wrong sign by", error.sign);
  return text.str();
}

}  // namespace bolza::nlp::testing
