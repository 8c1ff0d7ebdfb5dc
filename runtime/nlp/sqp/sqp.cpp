// SPDX-License-Identifier: Apache-2.0
// One iteration in one class, longer than other files: its step, line search, shift and tests for the end all work on the
// same point, multipliers and penalties, which parts of it would have to share.
#include "runtime/nlp/sqp/sqp.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "runtime/nlp/sqp/second_derivatives.h"
#include "runtime/nlp/stall.h"

namespace bolza::nlp {
namespace {

using Values = std::vector<double>;

double largest_of(std::span<const double> v) {
  double most = 0;
  for (double x : v) most = std::max(most, std::abs(x));
  return most;
}

/// Values at a point; `finite` where all of them are.
struct Point {
  Values w, g;
  double f = 0;
  bool finite = false;
};

struct Residuals {
  double primal = 0, dual = 0, complementarity = 0;
  double scaled = 0;  ///< largest, with the dual ones relative to the size of the multipliers
};

class SqpIteration {
 public:
  SqpIteration(const Nlp& nlp, const EngineOptions& options, const Iterate& start, QuadraticSolver& solver,
               const SqpOptions& settings)
      : nlp_(nlp),
        options_(options),
        solver_(solver),
        settings_(settings),
        second_(nlp, options.hessian),
        penalty_(settings.penalty),
        weight_(nlp.m(), 0.0),
        stall_(options.tol, options.noise, settings.patience) {
    at_.w = start.w;
    for (std::size_t v = 0; v < nlp.n(); ++v) at_.w[v] = std::clamp(at_.w[v], nlp.lower[v], nlp.upper[v]);
    bool known = options.warm_start && start.lambda.size() == nlp.m() && start.z_lower.size() == nlp.n();
    lambda_ = known ? start.lambda : Values(nlp.m(), 0.0);
    z_lower_ = known ? start.z_lower : Values(nlp.n(), 0.0);
    z_upper_ = known ? start.z_upper : Values(nlp.n(), 0.0);
    have_multipliers_ = known;
  }

  Report run();

 private:
  enum class Step : std::uint8_t { taken, shift_more, too_short, evaluation_error };

  bool look(Point& point);
  bool linearise();
  Residuals residuals() const;
  double violation(std::span<const double> g) const;
  double linear_violation(std::span<const double> d) const;
  QuadraticProgram program() const;
  bool solve_program(QuadraticSolution& step);
  Step line_search(const QuadraticSolution& step);
  Step damped(const QuadraticSolution& step);
  Step judged_by_slope(Point tried, const QuadraticSolution& step);
  bool corrected(const QuadraticSolution& step, const Point& tried, double wanted, Point& better);
  double penalty_of(std::span<const double> g) const;
  double weigh_violation(const QuadraticSolution& step);
  double rough() const;
  void accept(Point next, const QuadraticSolution& step, double length);
  void scale_shift();
  void lower_shift();
  void raise_shift(double least);
  bool predicts_rounding() const;
  void follow_length();
  bool is_idle(const Residuals& error);
  void nudge();
  bool is_stuck(const QuadraticSolution& step) const;
  void watch_violation(int iteration);
  void forget_multipliers();
  void tell(const Report& report, const Residuals& error) const;
  Status limit() const;
  bool stop(Report& report);
  Report finish(Report report, Status status, std::string message);

  const Nlp& nlp_;
  const EngineOptions& options_;
  QuadraticSolver& solver_;
  const SqpOptions& settings_;
  SecondDerivatives second_;
  Clock::time_point begin_ = Clock::now();
  double seconds_evaluation_ = 0;

  Point at_;
  Values gradient_, jacobian_, hessian_;
  Values lambda_, z_lower_, z_upper_;
  bool have_multipliers_ = false;
  double penalty_;  // of elastic programs
  Values weight_;   // [m] of the penalty function
  double least_weight_ = 1e-3, watched_violation_ = INFINITY, least_watched_ = INFINITY;
  int unmoved_ = 0;       // looks at the violation, one after another, that saw it as large as ever, weights being raised
  double tolerance_ = 0;  // of the last program
  double shift_ = 0, used_shift_ = 0, last_shift_ = 0;
  Values shift_scale_;  // [n], or empty where it is 1
  double error_ = 1;
  bool elastic_ = false;
  double predicted_ = 0, length_ = 1;  // what the model said that the last step gains, and how much of it was taken
  int short_steps_ = 0;
  bool lowered_ = false;         // the shift, after the last step
  int wait_ = 0, patience_ = 0;  // steps until it is lowered again
  double least_error_ = INFINITY;
  int idle_ = 0;
  int failures_ = 0, nudges_ = 0;
  StallWatch stall_;
  bool wants_elastic_ = false;  // full linearisations led nowhere
};

bool SqpIteration::look(Point& point) {
  Clock::time_point begin = Clock::now();
  nlp_.functions->move_to(point.w);
  const double* g = nlp_.functions->constraints();
  point.finite = g != nullptr && nlp_.functions->objective(point.f) && std::isfinite(point.f);
  if (g) point.g.assign(g, g + nlp_.m());
  for (double value : point.g) point.finite = point.finite && std::isfinite(value);
  seconds_evaluation_ += seconds_since(begin);
  return point.finite;
}

/// Derivatives at the point. False: a value was not finite.
bool SqpIteration::linearise() {
  Clock::time_point begin = Clock::now();
  nlp_.functions->move_to(at_.w);
  const double* gradient = nlp_.functions->gradient();
  if (gradient) gradient_.assign(gradient, gradient + nlp_.n());
  const double* jacobian = nlp_.functions->jacobian();
  if (jacobian) jacobian_.assign(jacobian, jacobian + nlp_.jacobian.size());
  seconds_evaluation_ += seconds_since(begin);
  auto finite = [](const Values& values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  };
  return gradient && jacobian && finite(gradient_) && finite(jacobian_);
}

double SqpIteration::violation(std::span<const double> g) const {
  double sum = 0;
  for (std::size_t r = 0; r < g.size(); ++r) sum += std::max({0.0, nlp_.row_lower[r] - g[r], g[r] - nlp_.row_upper[r]});
  return sum;
}

double SqpIteration::penalty_of(std::span<const double> g) const {
  double sum = 0;
  for (std::size_t r = 0; r < g.size(); ++r)
    sum += weight_[r] * std::max({0.0, nlp_.row_lower[r] - g[r], g[r] - nlp_.row_upper[r]});
  return sum;
}

double SqpIteration::linear_violation(std::span<const double> d) const {
  Values g = at_.g;
  add_product(nlp_.jacobian, jacobian_, d, g);
  return violation(g);
}

Residuals SqpIteration::residuals() const {
  constexpr double usual = 100;
  Residuals e;
  Values slope = gradient_;
  add_transposed_product(nlp_.jacobian, jacobian_, lambda_, slope);
  double multipliers = 0;
  for (double l : lambda_) multipliers += std::abs(l);
  for (std::size_t v = 0; v < nlp_.n(); ++v) {
    e.dual = std::max(e.dual, std::abs(slope[v] - z_lower_[v] + z_upper_[v]));
    multipliers += z_lower_[v] + z_upper_[v];
    if (z_lower_[v] > 0) e.complementarity = std::max(e.complementarity, z_lower_[v] * (at_.w[v] - nlp_.lower[v]));
    if (z_upper_[v] > 0) e.complementarity = std::max(e.complementarity, z_upper_[v] * (nlp_.upper[v] - at_.w[v]));
  }
  for (std::size_t r = 0; r < nlp_.m(); ++r) {
    e.primal = std::max({e.primal, nlp_.row_lower[r] - at_.g[r], at_.g[r] - nlp_.row_upper[r]});
    if (nlp_.row_lower[r] == nlp_.row_upper[r]) continue;
    double distance = lambda_[r] > 0 ? nlp_.row_upper[r] - at_.g[r] : at_.g[r] - nlp_.row_lower[r];
    if (std::isinf(distance)) e.dual = std::max(e.dual, std::abs(lambda_[r]));  // rounding
    else e.complementarity = std::max(e.complementarity, std::abs(lambda_[r] * distance));
  }
  double count = static_cast<double>(nlp_.m() + 2 * nlp_.n());
  double size = std::max(usual, multipliers / std::max(1.0, count)) / usual;
  e.scaled = std::max({e.primal, e.dual / size, e.complementarity / size});
  return e;
}

QuadraticProgram SqpIteration::program() const {
  QuadraticProgram qp;
  qp.n = nlp_.n();
  qp.m = nlp_.m();
  qp.hessian_pattern = &second_.pattern();
  qp.jacobian_pattern = &nlp_.jacobian;
  qp.hessian = hessian_;
  qp.jacobian = jacobian_;
  qp.gradient = gradient_;
  qp.shift_scale = shift_scale_;
  qp.shift = shift_;
  qp.penalty = penalty_;
  qp.elastic = elastic_;
  qp.stop = [this] { return limit() != Status::solved; };
  qp.lower = nlp_.lower;
  qp.upper = nlp_.upper;
  qp.row_lower = nlp_.row_lower;
  qp.row_upper = nlp_.row_upper;
  for (std::size_t v = 0; v < qp.n; ++v) {
    qp.lower[v] -= at_.w[v];
    qp.upper[v] -= at_.w[v];
  }
  for (std::size_t r = 0; r < qp.m; ++r) {
    bool equality = qp.row_lower[r] == qp.row_upper[r];
    qp.row_lower[r] -= at_.g[r];
    qp.row_upper[r] -= at_.g[r];
    if (equality) qp.row_upper[r] = qp.row_lower[r];
  }
  return qp;
}

/// The step of the quadratic model: with a larger shift where curvature asks for one, elastic where the rows contradict each
/// other, at a higher price where that pays. False: there is none.
bool SqpIteration::solve_program(QuadraticSolution& step) {
  constexpr double most_shift = 1e14, most_penalty = 1e10, rise = 100, little = 0.9;
  QuadraticSolution dearer;  // the solution at the last price
  tolerance_ = settings_.exact_programs ? 1e-11 : std::clamp(1e-2 * error_ * error_, 1e-3 * options_.tol, 1e-8);
  elastic_ = wants_elastic_;
  for (int attempt = 0; attempt < 60; ++attempt) {
    QuadraticProgram qp = program();
    step = solver_.solve(qp, tolerance_);
    switch (step.outcome) {
      case QuadraticOutcome::optimal: {
        if (!elastic_) return true;
        double left = linear_violation(step.d);
        if (dearer.outcome == QuadraticOutcome::optimal && left > little * linear_violation(dearer.d)) {
          penalty_ /= rise;  // hardly anything is gained at the higher price
          step = std::move(dearer);
          return true;
        }
        if (left <= little * violation(at_.g) || penalty_ >= most_penalty) return true;
        dearer = std::move(step);
        penalty_ *= rise;
        continue;
      }
      case QuadraticOutcome::indefinite:
        if (shift_ == 0 && last_shift_ > 0) shift_ = last_shift_;  // less than that was enough once
        else shift_ = std::max({1e-6, 3 * shift_, step.wanted_shift});
        break;
      case QuadraticOutcome::infeasible:
        if (elastic_) return false;
        elastic_ = true;
        continue;
      case QuadraticOutcome::stopped:
        return false;
      case QuadraticOutcome::failed:
        if (!elastic_) elastic_ = true;
        else shift_ = std::max(1e-4, 100 * shift_);
        break;
    }
    if (shift_ > most_shift) return false;
  }
  return false;
}

/// Weights of the rows in the penalty function: not below their multipliers [POW], and so large that the model of the
/// function goes down along the step. By how much it goes down is the result; that it goes up is the result at first, too,
/// where the model is not convex along the step: larger weights would make the violation dearer than anything.
double SqpIteration::weigh_violation(const QuadraticSolution& step) {
  constexpr double share = 0.1, margin = 1.1, most_factor = 100;
  constexpr int few = 3;
  double slope = dot(gradient_, step.d);
  Values product(nlp_.n(), 0.0), linear = at_.g;
  add_symmetric_product(second_.pattern(), hessian_, step.d, product);
  double curvature = dot(product, step.d);
  for (std::size_t v = 0; v < nlp_.n(); ++v)
    curvature += shift_ * (shift_scale_.empty() ? 1 : shift_scale_[v]) * step.d[v] * step.d[v];
  bool convex = curvature >= 0;
  curvature = std::max(0.0, curvature);
  add_product(nlp_.jacobian, jacobian_, step.d, linear);
  for (std::size_t r = 0; r < nlp_.m(); ++r) {
    double multiplier = margin * std::abs(step.lambda[r]) + least_weight_;
    weight_[r] = std::max(multiplier, 0.5 * (weight_[r] + multiplier));
  }
  double gain = penalty_of(at_.g) - penalty_of(linear), wanted = slope + 0.5 * curvature;
  if (gain > 0 && (1 - share) * gain < wanted) {
    double factor = 1.5 * wanted / ((1 - share) * gain);
    if ((!convex || factor > most_factor) && failures_ < few) return -INFINITY;
    for (double& weight : weight_) weight *= factor;
    gain *= factor;
  }
  return gain - wanted;
}

/// How far the penalty function may be off because a program was not solved exactly.
double SqpIteration::rough() const { return std::min(10 * tolerance_, options_.tol) * (1 + largest_of(weight_)); }

/// A full step whose violation has grown by curvature: the program again, for rows as they are at its end.
bool SqpIteration::corrected(const QuadraticSolution& step, const Point& tried, double wanted, Point& better) {
  QuadraticProgram qp = program();
  Values linear = at_.g;
  add_product(nlp_.jacobian, jacobian_, step.d, linear);
  for (std::size_t r = 0; r < nlp_.m(); ++r) {
    double bend = tried.g[r] - linear[r];
    bool equality = qp.row_lower[r] == qp.row_upper[r];
    qp.row_lower[r] -= bend;
    qp.row_upper[r] -= bend;
    if (equality) qp.row_upper[r] = qp.row_lower[r];
  }
  QuadraticSolution second = solver_.solve(qp, tolerance_);
  if (second.outcome != QuadraticOutcome::optimal || largest_of(second.d) > 2 * largest_of(step.d)) return false;
  better.w = at_.w;
  for (std::size_t v = 0; v < nlp_.n(); ++v)
    better.w[v] = std::clamp(better.w[v] + second.d[v], nlp_.lower[v], nlp_.upper[v]);
  return look(better) && better.f + penalty_of(better.g) <= wanted;
}

void SqpIteration::accept(Point next, const QuadraticSolution& step, double length) {
  Values moved(nlp_.n()), change(nlp_.n());
  length_ = length;
  for (std::size_t v = 0; v < nlp_.n(); ++v) moved[v] = next.w[v] - at_.w[v];
  for (std::size_t r = 0; r < nlp_.m(); ++r) lambda_[r] += length * (step.lambda[r] - lambda_[r]);
  for (std::size_t v = 0; v < nlp_.n(); ++v) {
    z_lower_[v] += length * (step.z_lower[v] - z_lower_[v]);
    z_upper_[v] += length * (step.z_upper[v] - z_upper_[v]);
  }
  have_multipliers_ = true;
  bool learns = options_.hessian == Hessian::lbfgs;
  Values before = gradient_;
  if (learns) add_transposed_product(nlp_.jacobian, jacobian_, step.lambda, before);
  at_ = std::move(next);
  solver_.accept();
  if (!learns || !linearise()) return;
  change = gradient_;
  add_transposed_product(nlp_.jacobian, jacobian_, step.lambda, change);
  for (std::size_t v = 0; v < nlp_.n(); ++v) change[v] -= before[v];
  second_.update(moved, change);
}

SqpIteration::Step SqpIteration::line_search(const QuadraticSolution& step) {
  constexpr double enough = 1e-4, shortest = 1e-10;
  double reduction = weigh_violation(step);
  double size = largest_of(step.d), before = at_.f + penalty_of(at_.g);
  double noise = options_.noise * (1 + std::abs(before)) + rough();
  if (reduction < -noise) return Step::shift_more;
  predicted_ = reduction = std::max(0.0, reduction);
  bool finite_once = false;
  for (double length = 1; length * size > shortest * 1e-4 || length == 1; length *= 0.5) {
    Point tried;
    tried.w = at_.w;
    for (std::size_t v = 0; v < nlp_.n(); ++v)
      tried.w[v] = std::clamp(at_.w[v] + length * step.d[v], nlp_.lower[v], nlp_.upper[v]);
    if (!look(tried)) {
      if (length < shortest) break;
      continue;
    }
    finite_once = true;
    double wanted = before - enough * length * reduction + noise;
    if (tried.f + penalty_of(tried.g) <= wanted) {
      accept(std::move(tried), step, length);
      return Step::taken;
    }
    if (length == 1 && settings_.second_order_correction && nlp_.m() > 0 && violation(tried.g) > violation(at_.g)) {
      Point better;
      if (corrected(step, tried, wanted, better)) {
        accept(std::move(better), step, 1);
        return Step::taken;
      }
    }
    if (length < shortest) break;
  }
  return finite_once ? Step::too_short : Step::evaluation_error;
}

/// Levenberg and Marquardt: the whole step or none, and a shift that follows how well the model predicted it.
SqpIteration::Step SqpIteration::damped(const QuadraticSolution& step) {
  constexpr double enough = 1e-4, good = 0.75, poor = 0.25;
  double reduction = predicted_ = std::max(0.0, weigh_violation(step));
  double before = at_.f + penalty_of(at_.g), noise = options_.noise * (1 + std::abs(before)) + rough();
  Point tried;
  tried.w = at_.w;
  for (std::size_t v = 0; v < nlp_.n(); ++v) tried.w[v] = std::clamp(at_.w[v] + step.d[v], nlp_.lower[v], nlp_.upper[v]);
  bool finite = look(tried);
  double gained = finite ? before - tried.f - penalty_of(tried.g) : -INFINITY, unseen = options_.tol * std::abs(before);
  if (gained < enough * reduction - noise) {
    if (have_multipliers_ && reduction <= 0.1 * unseen && gained >= -unseen) return judged_by_slope(std::move(tried), step);
    return finite ? Step::shift_more : Step::evaluation_error;
  }
  if (gained > good * reduction) shift_ = shift_ > 1e-10 ? shift_ / 5 : 0;
  else if (gained < poor * reduction) shift_ = std::max(1e-3, 3 * shift_);
  accept(std::move(tried), step, 1);
  return Step::taken;
}

/// A step that asks for less than the accuracy of the values, which say no: it is taken where the slope comes down.
SqpIteration::Step SqpIteration::judged_by_slope(Point tried, const QuadraticSolution& step) {
  double before = residuals().scaled;
  Point at = at_;
  Values gradient = gradient_, jacobian = jacobian_, lambda = lambda_, z_lower = z_lower_, z_upper = z_upper_;
  accept(std::move(tried), step, 1);
  if (linearise() && residuals().scaled < before) {
    shift_ = shift_ > 1e-10 ? shift_ / 5 : 0;
    return Step::taken;
  }
  at_ = std::move(at);
  gradient_ = std::move(gradient);
  jacobian_ = std::move(jacobian);
  lambda_ = std::move(lambda);
  z_lower_ = std::move(z_lower);
  z_upper_ = std::move(z_upper);
  return Step::shift_more;
}

/// The diagonal of Levenberg and Marquardt in the units of the variables: the largest curvature along each so far [MORE].
void SqpIteration::scale_shift() {
  constexpr double least = 1e-12;
  shift_scale_.resize(nlp_.n(), least);
  Values diagonal(nlp_.n(), 0.0);
  const Pattern& pattern = second_.pattern();
  for (std::size_t k = 0; k < pattern.size(); ++k)
    if (pattern.row[k] == pattern.col[k]) diagonal[static_cast<std::size_t>(pattern.row[k])] += hessian_[k];
  for (std::size_t v = 0; v < nlp_.n(); ++v) shift_scale_[v] = std::max(shift_scale_[v], diagonal[v]);
}

/// After a step: less on the diagonal, and nothing when it is little. What was there is remembered for a next time. Where
/// less was not enough, it stays for some steps, for more of them each time.
void SqpIteration::lower_shift() {
  constexpr double share = 0.1, forgotten = 1e-7;
  if (lowered_) patience_ /= 2;
  lowered_ = false;
  if (shift_ > 0 && wait_ > 0) return void(--wait_);
  lowered_ = shift_ > 0;
  if (shift_ > 0) last_shift_ = share * shift_;
  shift_ = share * shift_ < forgotten ? 0 : share * shift_;
}

/// The program was not convex, or its step too long.
void SqpIteration::raise_shift(double least) {
  constexpr int most_patience = 3;
  if (lowered_) wait_ = patience_ = std::min(most_patience, 2 * patience_ + 1);
  lowered_ = false;
  shift_ = std::max(least, 10 * shift_);
}

/// Does the model predict no more than rounding for its last step?
bool SqpIteration::predicts_rounding() const {
  constexpr double rounding = 1e-13;
  return predicted_ <= std::max(rounding, options_.noise) * (1 + std::abs(at_.f));
}

/// Where the programs ask for steps of which little can be taken, again and again, the diagonal keeps them in the range of
/// the model.
void SqpIteration::follow_length() {
  constexpr double short_length = 0.1;
  constexpr int few = 2;
  short_steps_ = length_ < short_length && !predicts_rounding() ? short_steps_ + 1 : 0;
  if (short_steps_ < few) lower_shift();
  else raise_shift(1e-4);
}

/// Has the slope stopped falling, and does the model predict no more than rounding? Steps to and fro would go on to a limit.
bool SqpIteration::is_idle(const Residuals& error) {
  constexpr double less = 0.5;
  constexpr int often = 10;
  bool rounded = have_multipliers_ && shift_ == 0 && !elastic_ && options_.hessian != Hessian::lbfgs &&
                 error.primal <= options_.tol && predicts_rounding();
  idle_ = rounded && error.scaled > less * least_error_ ? idle_ + 1 : 0;
  least_error_ = std::min(least_error_, error.scaled);
  return idle_ >= often;
}

/// A point where violations are stationary, though perhaps no minimum of them: goes on from near it.
void SqpIteration::nudge() {
  constexpr double amount = 1e-2;
  Point near = at_;
  for (std::size_t v = 0; v < nlp_.n(); ++v) {
    double turn =
        std::fmod(0.6180339887498949 * static_cast<double>(v + 1 + 7 * static_cast<std::size_t>(nudges_)), 1.0) - 0.5;
    near.w[v] = std::clamp(at_.w[v] + 2 * amount * turn * (1 + std::abs(at_.w[v])), nlp_.lower[v], nlp_.upper[v]);
  }
  ++nudges_;
  if (!look(near)) return;
  Point before = std::move(at_);
  at_ = std::move(near);
  if (linearise()) return;
  at_ = std::move(before);
  linearise();
}

/// Does an elastic program find nothing that lowers the violations?
bool SqpIteration::is_stuck(const QuadraticSolution& step) const {
  double infeasible = violation(at_.g);
  return elastic_ && infeasible > options_.tol && linear_violation(step.d) > (1 - 1e-6) * infeasible &&
         shift_ * largest_of(step.d) <= 1e-3 * penalty_;
}

/// Weights that follow small multipliers may let violations stand: they are raised where these do not go down for long.
void SqpIteration::watch_violation(int iteration) {
  constexpr int interval = 25;
  constexpr double less = 0.9;
  if (iteration % interval != 0) return;
  double now = violation(at_.g);
  unmoved_ = now > less * least_watched_ ? unmoved_ + 1 : 0;
  least_watched_ = std::min(least_watched_, now);
  if (now > options_.tol && now > 0.5 * watched_violation_) least_weight_ *= 30;
  watched_violation_ = now;
}

/// Prices of an elastic program are not multipliers of the problem.
void SqpIteration::forget_multipliers() {
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  std::fill(z_lower_.begin(), z_lower_.end(), 0.0);
  std::fill(z_upper_.begin(), z_upper_.end(), 0.0);
  have_multipliers_ = false;
}

Report SqpIteration::finish(Report report, Status status, std::string message) {
  report.status = status;
  report.message = std::move(message);
  report.objective = at_.f;
  report.iterate = {at_.w, lambda_, z_lower_, z_upper_};
  report.seconds_evaluation = seconds_evaluation_;
  report.regularization = used_shift_;
  return report;
}

void SqpIteration::tell(const Report& report, const Residuals& error) const {
  if (!options_.progress) return;
  options_.progress(options_.progress_context, {report.iterations, at_.f, error.primal, error.dual, seconds_since(begin_)});
}

/// The limit that was reached; `solved`: none. Time comes first: when it is over, the process interrupts itself.
Status SqpIteration::limit() const {
  if (options_.budget.over()) return Status::time_limit;
  return options_.budget.interrupted() ? Status::interrupted : Status::solved;
}

bool SqpIteration::stop(Report& report) {
  Status reached = limit();
  if (reached == Status::solved) return false;
  report = finish(std::move(report), reached, reached == Status::interrupted ? "stopped on request" : "time limit reached");
  return true;
}

Report SqpIteration::run() {
  constexpr double diverged = 1e20, acceptable = 1e2, untrusted = 1e3, hopeless_shift = 1e10, far_from_feasible = 1e-3;
  constexpr int most_failures = 25, most_nudges = 2, most_unmoved = 4;
  Report report;
  if (!look(at_) || !linearise()) return finish(std::move(report), Status::evaluation_error, "a value was not finite");
  for (;;) {
    Residuals error = residuals();
    error_ = error.scaled;
    tell(report, error);
    if (stop(report)) return report;
    if (have_multipliers_ && error.scaled <= options_.tol) return finish(std::move(report), Status::solved, "solved");
    if (is_idle(error)) return finish(std::move(report), Status::acceptable, "what is left is rounding");
    if (report.iterations >= options_.max_iterations)
      return finish(std::move(report), Status::iteration_limit, "iteration limit reached");
    if (at_.f < -diverged || largest_of(at_.w) > diverged)
      return finish(std::move(report), Status::diverging, "the iterates diverge");
    Clock::time_point begin = Clock::now();
    nlp_.functions->move_to(at_.w);
    bool finite = second_.evaluate(lambda_, hessian_);
    seconds_evaluation_ += seconds_since(begin);
    if (!finite) return finish(std::move(report), Status::evaluation_error, "a second derivative was not finite");

    if (settings_.globalisation == Globalisation::levenberg_marquardt) scale_shift();
    ++report.iterations;
    watch_violation(report.iterations);
    if (unmoved_ >= most_unmoved && violation(at_.g) > far_from_feasible)
      return finish(std::move(report), Status::infeasible, "no step lowers the violation of the constraints");
    QuadraticSolution step;
    bool nearly = error.scaled <= acceptable * options_.tol && have_multipliers_;
    if (!solve_program(step)) {
      if (stop(report)) return report;
      if (second_.reset()) continue;
      if (nearly) return finish(std::move(report), Status::acceptable, "no better step could be computed");
      return finish(std::move(report), Status::failed, "no step could be computed");
    }
    used_shift_ = shift_;
    if (is_stuck(step)) {
      if (nudges_ == most_nudges)
        return finish(std::move(report), Status::infeasible, "converged to a point of local infeasibility");
      nudge();
      continue;
    }

    bool by_length = settings_.globalisation == Globalisation::line_search;
    Step outcome = by_length ? line_search(step) : damped(step);
    if (outcome == Step::taken) {
      if (stall_.look(at_.f, error.primal, error.scaled))
        return finish(std::move(report), nearly ? Status::acceptable : Status::failed, no_progress);
      if (by_length) follow_length();
      failures_ = 0;
      wants_elastic_ = false;
      if (elastic_ && largest_of(lambda_) > untrusted) forget_multipliers();
      if (options_.hessian != Hessian::lbfgs && !linearise())
        return finish(std::move(report), Status::evaluation_error, "a derivative was not finite");
      continue;
    }
    if (nearly && (outcome != Step::shift_more || shift_ > hopeless_shift))
      return finish(std::move(report), Status::acceptable, "the steps became too small");
    if (++failures_ > most_failures || shift_ > hopeless_shift) {
      bool violated = violation(at_.g) > far_from_feasible;
      Status status = outcome == Step::evaluation_error ? Status::evaluation_error
                      : nearly                          ? Status::acceptable
                      : violated                        ? Status::infeasible
                                                        : Status::failed;
      return finish(std::move(report), status,
                    violated ? "no step lowers the violation of the constraints" : "the steps became too small");
    }
    if (second_.reset()) continue;
    bool leads_nowhere = outcome == Step::too_short || failures_ % 4 == 0;
    wants_elastic_ = leads_nowhere && !elastic_ && violation(at_.g) > options_.tol;
    if (wants_elastic_) shift_ = std::min(shift_, 1e-3);
    else raise_shift(1e-4);
  }
}

}  // namespace

Report solve_by_sqp(const Nlp& nlp, const EngineOptions& options, const Iterate& start, QuadraticSolver& solver,
                    const SqpOptions& settings) {
  return SqpIteration(nlp, options, start, solver, settings).run();
}

}  // namespace bolza::nlp
