// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/accuracy.h"

#include <algorithm>
#include <cmath>

#include "runtime/nlp/residuals.h"
#include "runtime/nlp/solve.h"
#include "runtime/transcribe/shooting/growth.h"

namespace bolza::transcribe {
namespace {

constexpr double finer = 1e-2;  ///< of a tolerance: the least that going on with another one asks for
constexpr double worst = 1e-4;  ///< error of integrations, scaled, with which nothing is a solution

/// f, ∇L without bounds, and rows at a point.
struct Values {
  double f = 0;
  std::vector<double> slope, rows;
  bool known = false;
};

Values values_of(const nlp::Nlp& nlp, const nlp::Iterate& it) {
  Values out;
  nlp::Functions& functions = *nlp.functions;
  functions.move_to(it.w);
  if (!functions.objective(out.f)) return out;
  const double* g = functions.constraints();
  if (!g) return out;
  out.rows.assign(g, g + nlp.m());
  const double *gradient = functions.gradient(), *jacobian = gradient ? functions.jacobian() : nullptr;
  if (!jacobian) return out;
  out.slope = nlp::slope_of_lagrangian(nlp, it, gradient, jacobian);
  out.known = true;
  return out;
}

/// A tolerance of integration that leaves next to nothing of what the engine is to see.
double wanted_rtol(double rtol, double tol, double scaled_error) {
  return std::clamp(0.1 * rtol * tol / scaled_error, least_rtol, finer * rtol);
}

bool stopped_short(const nlp::Report& report) {
  return report.status == nlp::Status::acceptable || report.status == nlp::Status::failed;
}

}  // namespace

// Errors of an integrator scatter by a factor of ten about its tolerance, and pass through zero.
double tolerance_of_reference(double rtol) { return std::max(0.1 * least_rtol, 1e-3 * rtol); }

double IntegrationError::scaled(const nlp::Nlp& nlp) const {
  double most = 0;
  for (std::size_t v = 0; v < slope.size(); ++v)
    if (nlp.lower[v] < nlp.upper[v]) most = std::max(most, slope[v] * nlp.scale[v] / nlp.objective_scale);
  for (std::size_t r = 0; r < rows.size(); ++r) most = std::max(most, rows[r] / nlp.row_scale[r]);
  return most;
}

IntegrationError integration_error(const nlp::Nlp& nlp, const nlp::Nlp& exact, const nlp::Iterate& iterate) {
  IntegrationError error;
  if (iterate.lambda.size() != nlp.m() || iterate.w.size() != nlp.n()) return error;
  Values own = values_of(nlp, iterate), other = values_of(exact, iterate);
  if (!own.known || !other.known) return error;
  error.objective = std::fabs(own.f - other.f);
  for (std::size_t v = 0; v < nlp.n(); ++v) error.slope.push_back(std::fabs(own.slope[v] - other.slope[v]));
  for (std::size_t r = 0; r < nlp.m(); ++r) error.rows.push_back(std::fabs(own.rows[r] - other.rows[r]));
  error.known = true;
  return error;
}

namespace {

/// Largest product of a multiplier and a distance from its side, beyond what an error of the row makes of it.
double product(double multiplier, double distance, double error) {
  return multiplier > 0 && std::isfinite(distance) ? multiplier * std::max(0.0, std::fabs(distance) - error) : 0;
}

/// Multipliers of inequalities times their distances: within the tolerance, but for the error of the rows.
bool is_complementary(const IntegrationError& error, const nlp::Nlp& nlp, const nlp::Iterate& it,
                      const std::vector<double>& rows, double tol, double share) {
  double most = 0;
  for (std::size_t v = 0; v < nlp.n(); ++v)
    most = std::max(
        {most, product(it.z_lower[v], it.w[v] - nlp.lower[v], 0), product(it.z_upper[v], nlp.upper[v] - it.w[v], 0)});
  for (std::size_t r = 0; r < nlp.m(); ++r) {
    if (nlp.row_lower[r] == nlp.row_upper[r]) continue;
    double off = share * error.rows[r];
    most = std::max({most, product(-it.lambda[r], rows[r] - nlp.row_lower[r], off),
                     product(it.lambda[r], nlp.row_upper[r] - rows[r], off)});
  }
  return most <= (tol + share * error.scaled(nlp)) * nlp.objective_scale;
}

}  // namespace

bool is_within(const IntegrationError& error, const nlp::Nlp& nlp, const nlp::Iterate& it, double tol, double share) {
  if (!error.known) return false;
  Values at = values_of(nlp, it);
  if (!at.known) return false;
  double largest = error.scaled(nlp);
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    double unit = nlp.objective_scale / nlp.scale[v];
    if (nlp.lower[v] < nlp.upper[v] && std::fabs(at.slope[v]) > (tol + share * largest) * unit) return false;
  }
  for (std::size_t r = 0; r < nlp.m(); ++r) {
    double violation = std::max(nlp.row_lower[r] - at.rows[r], at.rows[r] - nlp.row_upper[r]);
    if (violation > tol * nlp.row_scale[r] + share * std::max(error.rows[r], largest * nlp.row_scale[r])) return false;
  }
  return is_complementary(error, nlp, it, at.rows, tol, share);
}

AccurateReport solve_accurately(const MakeProblem& make, ShootingProblem& at, const nlp::EngineOptions& engine,
                                const nlp::Iterate* start, bool may_tighten) {
  constexpr double share = 3;  // the error is known to a factor of two or three
  constexpr int most_rounds = 3;
  AccurateReport out{nlp::solve(at.nodes->nlp, engine, start), 0};
  for (int round = 0; round < most_rounds && stopped_short(out.report); ++round) {
    double rtol = at.nodes->rtol;
    ShootingProblem exact = make(tolerance_of_reference(rtol));
    if (!exact.nodes || !exact.nodes->objection().empty()) return out;
    IntegrationError error = integration_error(at.nodes->nlp, exact.nodes->nlp, out.report.iterate);
    if (!is_within(error, at.nodes->nlp, out.report.iterate, engine.tol, share)) return out;
    double scaled = error.scaled(at.nodes->nlp);
    if (scaled > worst) return out;
    if (!may_tighten || rtol <= least_rtol || round + 1 == most_rounds) {
      out.report.status = nlp::Status::solved;
      out.accuracy = scaled;
      return out;
    }
    at = make(wanted_rtol(rtol, engine.tol, std::max(scaled, engine.tol)));
    nlp::EngineOptions on = engine;
    on.warm_start = true;
    on.noise = at.nodes->rtol;
    nlp::Report next = nlp::solve(at.nodes->nlp, on, &out.report.iterate);
    next.iterations += out.report.iterations;
    next.seconds_evaluation += out.report.seconds_evaluation;
    out.report = std::move(next);
  }
  return out;
}

}  // namespace bolza::transcribe
