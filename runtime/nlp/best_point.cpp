// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/best_point.h"

#include <algorithm>
#include <cmath>

namespace bolza::nlp {
namespace {

constexpr double least_tolerance = 1e-6, rounding = 1e-9;
constexpr double clearly = 1e-6;  ///< of the objective, or of 1

bool was_stopped(Status status) {
  switch (status) {
    case Status::iteration_limit:
    case Status::time_limit:
    case Status::interrupted:
    case Status::failed:
      return true;
    case Status::solved:
    case Status::acceptable:
    case Status::infeasible:  // where it stands is the answer
    case Status::diverging:
    case Status::evaluation_error:
    case Status::bad_option:
      return false;
  }
  return false;
}

}  // namespace

BestPoint::BestPoint(const Nlp& nlp, double tol)
    : nlp_(nlp),
      functions_(*nlp.functions),
      tolerance_(std::max(tol, least_tolerance)) {}

void BestPoint::move_to(std::span<const double> w) {
  w_.assign(w.begin(), w.end());
  has_objective_ = has_rows_ = false;
  functions_.move_to(w);
}

bool BestPoint::objective(double& f) {
  if (!functions_.objective(f)) return false;
  if (has_objective_) return true;
  now_.objective = f;
  if (std::isnan(first_)) first_ = f;
  has_objective_ = true;
  if (nlp_.m() == 0) now_.violation = violation(w_, nullptr);  // nobody asks for rows
  if (has_rows_ || nlp_.m() == 0) compare();
  return true;
}

const double* BestPoint::constraints() {
  const double* g = functions_.constraints();
  if (!g || has_rows_) return g;
  now_.violation = violation(w_, g);
  has_rows_ = true;
  if (has_objective_) compare();
  return g;
}

double BestPoint::violation(std::span<const double> w, const double* g) const {
  double worst = 0;
  auto look = [&](double lower, double value, double upper) { worst = std::max({worst, lower - value, value - upper}); };
  for (std::size_t v = 0; v < nlp_.n(); ++v) look(nlp_.lower[v], w[v], nlp_.upper[v]);
  for (std::size_t r = 0; r < nlp_.m(); ++r) look(nlp_.row_lower[r], g[r], nlp_.row_upper[r]);
  for (std::size_t v = 0; v < nlp_.integer.size(); ++v)
    if (nlp_.integer[v]) worst = std::max(worst, std::abs(w[v] - std::round(w[v])));
  return worst;
}

bool BestPoint::is_better(const Merit& a, const Merit& b) const {
  bool holds = a.violation <= tolerance_, other_holds = b.violation <= tolerance_;
  if (holds != other_holds) return holds;
  return holds ? a.objective < b.objective : a.violation < b.violation;
}

void BestPoint::compare() {
  if (!std::isfinite(now_.objective) || !std::isfinite(now_.violation)) return;
  if (now_.violation <= rounding && (best_exact_.empty() || now_.objective < exact_.objective)) {
    best_exact_ = w_;
    exact_ = now_;
  }
  if (!best_.empty() && !is_better(now_, least_)) return;
  best_ = w_;
  least_ = now_;
}

std::vector<double> BestPoint::better_than(const Report& solution, double noise) const {
  if (best_exact_.empty() || solution.iterate.w.size() != best_exact_.size()) return {};
  double multipliers = 0;
  for (double l : solution.iterate.lambda) multipliers += std::abs(l);
  double price = 2 * multipliers * exact_.violation;
  double margin = clearly * std::max(1.0, std::abs(solution.objective)) + noise * std::abs(solution.objective);
  return exact_.objective + price < solution.objective - margin ? best_exact_ : std::vector<double>{};
}

void BestPoint::take_its_place(Report& report) {
  if (!was_stopped(report.status) || best_.empty() || report.iterate.w.size() != best_.size()) return;
  Merit last{.objective = report.objective};
  functions_.move_to(report.iterate.w);
  const double* g = functions_.constraints();
  bool is_whole = functions_.objective(last.objective) && g && std::isfinite(last.objective);
  if (is_whole) last.violation = violation(report.iterate.w, g);
  if (is_whole && !is_better(least_, last)) return;
  report.iterate.w = best_;
  report.objective = least_.objective;
}

}  // namespace bolza::nlp
