// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/solve.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/clock.h"
#include "runtime/nlp/best_point.h"
#include "runtime/nlp/branch_and_bound.h"
#include "runtime/nlp/condensing.h"
#include "runtime/nlp/engine_table.h"
#include "runtime/nlp/reduce.h"
#include "runtime/nlp/scale.h"
#include "runtime/nlp/switching.h"

namespace bolza::nlp {
namespace {

Report refusal(Status status, std::string message) {
  Report report;
  report.status = status;
  report.message = std::move(message);
  return report;
}

bool has_integers(const Nlp& nlp) {
  return std::any_of(nlp.integer.begin(), nlp.integer.end(), [](std::uint8_t whole) { return whole != 0; });
}

template <class Able>
std::string names_of_engines_that(Able able) {
  std::string names;
  for (const Engine* engine : engines())
    if (able(*engine)) names += (names.empty() ? "`" : ", `") + std::string(engine->name) + "`";
  return names;
}

std::string engines_with_integers() {
  return names_of_engines_that([](const Engine& engine) { return engine.integers != Integers::refused; });
}

/// Empty when the engine takes the rows that are left.
std::string objection_to_rows(const Engine& engine, const Nlp& reduced) {
  if (engine.constraints || reduced.m() == 0) return {};
  return "the engine `" + std::string(engine.name) + "` takes bounds alone, and the problem has " +
         std::to_string(reduced.m()) + (reduced.m() == 1 ? " constraint" : " constraints") +
         "; engines that take constraints: " + names_of_engines_that([](const Engine& e) { return e.constraints; });
}

/// Empty when engine and options fit together.
std::string objection(const Engine& engine, const Nlp& nlp, const EngineOptions& options) {
  if (!engine.available()) return "the engine `" + std::string(engine.name) + "` was not built";
  if (engine.integers == Integers::refused && has_integers(nlp) && options.integers == IntegerMethod::branch)
    return "the engine `" + std::string(engine.name) +
           "` does not take variables that are whole numbers; those that do: " + engines_with_integers();
  for (const auto& [name, value] : options.engine_options) {
    std::string wrong = check_option(engine, name, value);
    if (!wrong.empty()) return wrong;
  }
  if (options.condensing && !engine.condenses)
    return "the engine `" + std::string(engine.name) +
           "` solves no quadratic programs that could be condensed: `hqp` and `sqp` do";
  if (options.condensing)
    if (std::string why = objection_to_condensing(nlp); !why.empty()) return why;
  if (options.hessian == Hessian::lbfgs && !engine.lbfgs)
    return "the engine `" + std::string(engine.name) + "` does not approximate second derivatives: exact ones are needed";
  if (options.hessian == Hessian::gauss_newton && nlp.gauss_newton.row.empty())
    return "the objective is not a sum of squares: Gauss-Newton does not apply" +
           std::string(engine.exact_hessian ? "" : ", and the engine `" + std::string(engine.name) + "` has nothing else");
  return {};
}

/// Empty when bounds, sides and rows of fixed variables can be satisfied.
std::string contradiction(const Reduced& reduced, const Nlp& nlp, double tol) {
  for (std::size_t v = 0; v < nlp.n(); ++v)
    if (nlp.lower[v] > nlp.upper[v]) return "the lower bound of a variable is above the upper one";
  for (std::size_t r = 0; r < nlp.m(); ++r)
    if (nlp.row_lower[r] > nlp.row_upper[r]) return "the lower side of a row is above the upper one";
  constexpr double beyond = 1e19;  // what engines take for infinity
  for (std::size_t v = 0; v < nlp.n(); ++v)
    if (nlp.lower[v] > beyond * nlp.scale[v] || nlp.upper[v] < -beyond * nlp.scale[v])
      return "a bound is beyond 1e19 times the size of its variable, which engines take for infinite; a `nominal` says the "
             "size";
  for (std::size_t r = 0; r < nlp.m(); ++r)
    if (nlp.row_lower[r] > beyond * nlp.row_scale[r] || nlp.row_upper[r] < -beyond * nlp.row_scale[r])
      return "the limit of a constraint is beyond 1e19 times its size, which engines take for infinite";
  if (dropped_violation(reduced, nlp) > std::max(1e-6, tol)) return "constraints among fixed values contradict them";
  return {};
}

double violation(double lower, double value, double upper) { return std::max({0.0, lower - value, value - upper}); }

double slack_times_multiplier(double lower, double value, double upper, double below, double above) {
  double low = below > 0 && std::isfinite(lower) ? below * std::abs(value - lower) : 0;
  double high = above > 0 && std::isfinite(upper) ? above * std::abs(upper - value) : 0;
  return std::max(low, high);
}

/// Solves; where a cold start ends at a point that is only locally infeasible, tries once more from the same start, kept
/// farther from the bounds at first.
Report solve_scaled(const Engine& engine, const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  constexpr double strong_barrier = 10;
  Report report = engine.solve(nlp, options, start);
  bool told = std::any_of(options.engine_options.begin(), options.engine_options.end(),
                          [](const auto& option) { return option.first == "mu_init" || option.first == "mu_strategy"; });
  if (report.status != Status::infeasible || options.warm_start || options.barrier > 0 || told) return report;
  EngineOptions again = options;
  again.barrier = strong_barrier;
  again.max_iterations = std::max(1, options.max_iterations - report.iterations);
  if (options.max_seconds > 0) again.max_seconds = std::max(1e-3, options.max_seconds - report.seconds);
  Report second = engine.solve(nlp, again, start);
  second.iterations += report.iterations, second.regularized += report.regularized;
  second.seconds_evaluation += report.seconds_evaluation;
  bool better =
      second.status == Status::solved || second.status == Status::acceptable || second.status == Status::interrupted;
  if (better) return second;
  report.iterations = second.iterations;
  return report;
}

/// Σ multiplier · distance over bounds and sides of rows: in a convex problem the objective is off by no more.
double gap_of(const Nlp& nlp, const Iterate& it, const double* g) {
  double sum = 0;
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    if (std::isfinite(nlp.lower[v])) sum += it.z_lower[v] * std::abs(it.w[v] - nlp.lower[v]);
    if (std::isfinite(nlp.upper[v])) sum += it.z_upper[v] * std::abs(nlp.upper[v] - it.w[v]);
  }
  for (std::size_t r = 0; r < nlp.m(); ++r) {
    double side = it.lambda[r] > 0 ? nlp.row_upper[r] : nlp.row_lower[r];
    if (nlp.row_lower[r] < nlp.row_upper[r] && std::isfinite(side)) sum += std::abs(it.lambda[r] * (g[r] - side));
  }
  return sum;
}

/// The tolerance bounds every product of multiplier and distance; their sum grows with the mesh, and may be much compared
/// with a small objective. Then the solve goes on from where it is, with a smaller tolerance.
Report solve_to_gap(const Engine& engine, const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  constexpr double least_share = 1e-3;
  constexpr int few_iterations = 50;
  Report report = solve_scaled(engine, nlp, options, start);
  bool has_multipliers = report.iterate.lambda.size() == nlp.m() && report.iterate.z_lower.size() == nlp.n();
  if (options.relative_gap <= 0 || report.status != Status::solved || !has_multipliers) return report;
  nlp.functions->move_to(report.iterate.w);
  const double* g = nlp.functions->constraints();
  double gap = g ? gap_of(nlp, report.iterate, g) : 0, allowed = options.relative_gap * std::abs(report.objective);
  if (gap <= allowed) return report;
  EngineOptions on = options;
  on.warm_start = true;
  on.tol = on.barrier = options.tol * std::max(least_share, allowed / gap);
  on.max_iterations = std::min(few_iterations, std::max(1, options.max_iterations - report.iterations));
  if (options.max_seconds > 0) on.max_seconds = std::max(1e-3, options.max_seconds - report.seconds);
  Report closer = engine.solve(nlp, on, report.iterate);
  if (closer.iterations == 0) closer.regularization = report.regularization;  // that of the last step
  closer.iterations += report.iterations, report.iterations = closer.iterations;
  closer.regularized += report.regularized;
  closer.seconds_evaluation += report.seconds_evaluation;
  return closer.status == Status::solved ? closer : report;
}

}  // namespace

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
    physical.*part = std::max(physical.*part, value), divided.*part = std::max(divided.*part, value / scale);
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
  report.primal_infeasibility = own.primal, report.scaled.primal = scaled.primal;
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
  report.dual_infeasibility = own.dual, report.complementarity = own.complementarity, report.scaled = scaled;
}

namespace {

/// Removes fixed variables, scales, calls the engine, and gives everything back in the units and numbering of `nlp`.
Report solve_as_it_is(const Engine& engine, const Nlp& nlp, const EngineOptions& options, const Iterate* start) {
  Reduced reduced = reduce(nlp);
  Iterate from;
  from.w = nlp.start;
  if (start) from = *start;
  if (!options.warm_start) from.lambda.clear(), from.z_lower.clear(), from.z_upper.clear();

  Report report;
  if (std::string why = contradiction(reduced, nlp, options.tol); !why.empty()) {
    report = refusal(Status::infeasible, why);
    report.iterate = recover(reduced, nlp, restrict_to(reduced, from));
  } else if (std::string wrong = objection_to_rows(engine, reduced.nlp); !wrong.empty()) {
    return refusal(Status::bad_option, wrong);
  } else {
    Scaled scaled = scale(reduced.nlp);
    BestPoint best(scaled.nlp, options.tol);
    Functions* functions = std::exchange(scaled.nlp.functions, &best);
    report = solve_to_gap(engine, scaled.nlp, options, to_scaled(scaled, restrict_to(reduced, from)));
    best.take_its_place(report);
    scaled.nlp.functions = functions;
    scaled.release();
    report.objective *= scaled.objective;
    report.integers.bound *= scaled.objective;
    report.iterate = recover(reduced, nlp, to_physical(scaled, std::move(report.iterate)));
  }
  measure_residuals(nlp, report);
  return report;
}

/// Options for a continuous problem that is solved for an engine with algorithms of its own for whole numbers, which has
/// IPOPT inside: those that IPOPT takes.
EngineOptions continuous_part(const EngineOptions& options) {
  EngineOptions out = options;
  out.engine = "ipopt", out.integers = IntegerMethod::relax;
  const Engine& ipopt = *find_engine(out.engine);
  std::erase_if(out.engine_options,
                [&](const auto& option) { return !check_option(ipopt, option.first, option.second).empty(); });
  return out;
}

/// Whether variables that take whole numbers only have them. The best point that a search saw before it was stopped may be
/// one that it had not looked at as such.
bool is_whole(const Nlp& nlp, const std::vector<double>& w) {
  constexpr double near = 1e-6;
  for (std::size_t v = 0; v < nlp.integer.size() && v < w.size(); ++v)
    if (nlp.integer[v] && std::abs(w[v] - std::round(w[v])) > near) return false;
  return true;
}

/// An engine that takes whole numbers starts from the relaxed optimum; the multipliers of what it finds are those of the
/// problem with the whole numbers fixed.
Report solve_with_own_integers(const Engine& engine, const Nlp& nlp, const EngineOptions& options, const Iterate* start) {
  auto begin = Clock::now();
  EngineOptions continuous = continuous_part(options);
  Report root = solve(nlp, continuous, start);
  root.integers = {.any = true, .relaxed = root.objective, .bound = root.objective};
  if (!is_solution(root.status)) return root;
  EngineOptions own = options;
  own.warm_start = false, own.relative_gap = 0;
  if (options.max_seconds > 0) own.max_seconds = std::max(1e-3, options.max_seconds - seconds_since(begin));
  Report found = solve_as_it_is(engine, nlp, own, &root.iterate);
  IntegerReport told = found.integers;
  told.any = true, told.relaxed = root.objective;
  if (told.found || is_whole(nlp, found.iterate.w)) {
    Report exact = solve_fixed(nlp, continuous, found.iterate);
    exact.iterations += found.iterations, exact.seconds_evaluation += found.seconds_evaluation;
    exact.message = found.message;
    if (is_solution(exact.status)) exact.status = found.status, found = std::move(exact), told.found = true;
  }
  told.bound = std::clamp(told.bound, std::min(root.objective, found.objective), found.objective);
  told.gap = told.found ? found.objective - told.bound : INFINITY;
  found.integers = told;
  found.iterations += root.iterations, found.seconds_evaluation += root.seconds_evaluation;
  return found;
}

Report solve_with_switching_rows(const Nlp& nlp, const EngineOptions& options, const Iterate* start) {
  WithSwitchingRows extended = with_switching_rows(nlp);
  Iterate from;
  if (start) from = with_switching_entries(*start, extended.nlp);
  Report report = solve(extended.nlp, options, start ? &from : nullptr);
  report.iterate = without_switching_entries(std::move(report.iterate), nlp);
  return report;
}

}  // namespace

Report solve(const Nlp& nlp, const EngineOptions& wanted, const Iterate* start) {
  auto begin = Clock::now();
  verify(nlp);
  if (!nlp.switching.empty() && !nlp.has_switching_rows) return solve_with_switching_rows(nlp, wanted, start);
  EngineOptions options = wanted;
  const Engine* engine = find_engine(options.engine);
  options.hessian = hessian_for(options);
  if (!engine)
    return refusal(Status::bad_option, "there is no NLP engine `" + options.engine + "`; there are " +
                                           names_of_engines_that([](const Engine&) { return true; }));
  if (std::string wrong = objection(*engine, nlp, options); !wrong.empty()) return refusal(Status::bad_option, wrong);
  bool in_whole_numbers = has_integers(nlp) && options.integers != IntegerMethod::relax;
  Report report;
  if (in_whole_numbers && options.integers == IntegerMethod::sum_up) report = round_and_solve(nlp, options, start);
  else if (in_whole_numbers && engine->integers == Integers::branched) report = branch_and_bound(nlp, options, start);
  else if (in_whole_numbers) report = solve_with_own_integers(*engine, nlp, options, start);
  else if (engine->integers == Integers::own) report = solve(nlp, continuous_part(options), start);
  else report = solve_as_it_is(*engine, has_integers(nlp) ? relaxed(nlp) : nlp, options, start);
  report.seconds = seconds_since(begin);
  return report;
}

}  // namespace bolza::nlp
