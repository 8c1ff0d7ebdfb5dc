// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/sqp/interior_point_qp.h"

#include <algorithm>
#include <cmath>

namespace bolza::nlp {
namespace {

using Vector = std::vector<double>;

double largest(std::span<const double> v) {
  double most = 0;
  for (double x : v) most = std::isnan(x) ? INFINITY : std::max(most, std::abs(x));
  return most;
}

/// A bound of a component of the primal vector, its distance and its multiplier.
struct Pair {
  std::size_t owner;
  double sign;   ///< +1 a lower bound, -1 an upper one
  double bound;  ///< of the component
  double s, z;
  double ds = 0, dz = 0, product = 0;  ///< product: what s z is to become
};

/// The primal vector is (d, t, p, q): t [m] the value of a row that is held between its bounds (unused for equalities), p
/// and q [m] what an elastic row lacks and exceeds:  J d + p - q - t = 0, for an equality  J d + p - q = b.
class BarrierIteration {
 public:
  BarrierIteration(const QuadraticProgram& program, KktFactors& factors, const InteriorPointOptions& options)
      : qp_(program),
        factors_(factors),
        options_(options),
        n_(program.n),
        m_(program.m),
        x_(n_ + 3 * m_, 0.0),
        dx_(x_.size(), 0.0),
        lambda_(m_, 0.0),
        dlambda_(m_, 0.0),
        stationarity_(x_.size(), 0.0),
        row_(m_, 0.0),
        weight_(x_.size(), 0.0),
        delta_(m_, 0.0),
        rhs_(n_ + m_, 0.0) {}

  void start(double distance, const QuadraticSolution* near);
  QuadraticSolution run(double tolerance, int max_iterations);

 private:
  std::size_t t(std::size_t r) const { return n_ + r; }
  std::size_t p(std::size_t r) const { return n_ + m_ + r; }
  std::size_t q(std::size_t r) const { return n_ + 2 * m_ + r; }
  bool equality(std::size_t r) const { return qp_.row_lower[r] == qp_.row_upper[r]; }
  double by_lambda(std::size_t j) const {  // derivative of the row by a component after d
    return j < p(0) ? -1 : j < q(0) ? 1 : -1;
  }
  std::size_t row_of(std::size_t j) const { return (j - n_) % m_; }
  void add_pair(std::size_t owner, double sign, double bound, double distance, double z);
  void residuals();
  double mu() const;
  bool factor();
  void weigh();
  void direction(bool refine);
  double step_length(double fraction) const;
  void move(double length);
  void mehrotra_step(double mean);
  void gondzio(double& length);
  void franke_step(double mean);
  QuadraticSolution result() const;

  const QuadraticProgram& qp_;
  KktFactors& factors_;
  const InteriorPointOptions& options_;
  std::size_t n_, m_;
  std::vector<Pair> pairs_;
  Vector x_, dx_, lambda_, dlambda_;
  Vector stationarity_, row_;  // residuals
  Vector weight_, delta_, rhs_;
  Vector barrier_, scaled_, correction_;
  double extra_ = 0;  // added to the diagonal of H in the last factors
  double mean_length_ = 1, potential_ = 0, last_length_ = 0;
};

void BarrierIteration::add_pair(std::size_t owner, double sign, double bound, double distance, double z) {
  if (std::isfinite(bound)) pairs_.push_back({owner, sign, bound, distance, z});
}

/// Primal components are kept `distance` away from their bounds, less in narrow boxes.
void BarrierIteration::start(double distance, const QuadraticSolution* near) {
  auto inside = [&](double value, double lower, double upper) {
    double room = std::min(distance, 0.25 * (upper - lower));
    return std::clamp(value, lower + room, upper - room);
  };
  auto dual = [&](double s, double known) { return std::max(known, std::min(distance, distance * distance / s)); };
  pairs_.clear();
  for (std::size_t v = 0; v < n_; ++v) {
    x_[v] = inside(near ? near->d[v] : 0, qp_.lower[v], qp_.upper[v]);
    double below = x_[v] - qp_.lower[v], above = qp_.upper[v] - x_[v];
    add_pair(v, 1, qp_.lower[v], below, dual(below, near ? near->z_lower[v] : 0));
    add_pair(v, -1, qp_.upper[v], above, dual(above, near ? near->z_upper[v] : 0));
  }
  Vector value(m_, 0.0);
  add_product(*qp_.jacobian_pattern, qp_.jacobian, std::span(x_).first(n_), value);
  for (std::size_t r = 0; r < m_; ++r) {
    double known = near ? near->lambda[r] : 0;
    if (qp_.elastic) known = std::clamp(known, -0.9 * qp_.penalty, 0.9 * qp_.penalty);
    lambda_[r] = known;
    double target = qp_.row_lower[r];
    if (!equality(r)) {
      target = x_[t(r)] = inside(value[r], qp_.row_lower[r], qp_.row_upper[r]);
      double below = target - qp_.row_lower[r], above = qp_.row_upper[r] - target;
      add_pair(t(r), 1, qp_.row_lower[r], below, dual(below, std::max(0.0, -known)));
      add_pair(t(r), -1, qp_.row_upper[r], above, dual(above, std::max(0.0, known)));
    }
    if (!qp_.elastic) continue;
    double excess = value[r] - target, room = std::max(distance * distance, 1e-6);
    x_[p(r)] = std::max(-excess, 0.0) + room;
    x_[q(r)] = std::max(excess, 0.0) + room;
    add_pair(p(r), 1, 0, x_[p(r)], qp_.penalty + known);
    add_pair(q(r), 1, 0, x_[q(r)], qp_.penalty - known);
  }
  potential_ = 1000.0 * static_cast<double>(std::max<std::size_t>(pairs_.size(), 1));
}

/// Stationarity without the multipliers of bounds, and what rows leave.
void BarrierIteration::residuals() {
  std::fill(stationarity_.begin(), stationarity_.end(), 0.0);
  std::span<double> d = std::span(x_).first(n_), by_d = std::span(stationarity_).first(n_);
  for (std::size_t v = 0; v < n_; ++v) by_d[v] = qp_.gradient[v] + qp_.shift_of(v) * d[v];
  add_symmetric_product(*qp_.hessian_pattern, qp_.hessian, d, by_d);
  add_transposed_product(*qp_.jacobian_pattern, qp_.jacobian, lambda_, by_d);
  std::fill(row_.begin(), row_.end(), 0.0);
  add_product(*qp_.jacobian_pattern, qp_.jacobian, d, row_);
  for (std::size_t r = 0; r < m_; ++r) {
    row_[r] -= equality(r) ? qp_.row_lower[r] : x_[t(r)];
    if (!equality(r)) stationarity_[t(r)] = -lambda_[r];
    if (!qp_.elastic) continue;
    row_[r] += x_[p(r)] - x_[q(r)];
    stationarity_[p(r)] = qp_.penalty + lambda_[r];
    stationarity_[q(r)] = qp_.penalty - lambda_[r];
  }
}

double BarrierIteration::mu() const {
  double sum = 0;
  for (const Pair& pair : pairs_) sum += pair.s * pair.z;
  return pairs_.empty() ? 0 : sum / static_cast<double>(pairs_.size());
}

/// The weights that eliminated bounds put on the diagonals.
void BarrierIteration::weigh() {
  constexpr double dependent_rows = 1e-10;
  std::fill(weight_.begin(), weight_.end(), 0.0);
  for (const Pair& pair : pairs_) weight_[pair.owner] += pair.z / pair.s;
  for (std::size_t r = 0; r < m_; ++r) {
    delta_[r] = qp_.elastic ? 0 : dependent_rows;
    if (!equality(r)) delta_[r] += 1 / weight_[t(r)];
    if (qp_.elastic) delta_[r] += 1 / weight_[p(r)] + 1 / weight_[q(r)];
  }
}

/// Factors with as much on the diagonal of H as its curvature asks for. False: there is no use.
bool BarrierIteration::factor() {
  constexpr double first = 1e-4, most = 1e12;
  weigh();
  Vector diagonal(weight_.begin(), weight_.begin() + static_cast<std::ptrdiff_t>(n_));
  for (double extra = 0; extra <= most;) {
    for (std::size_t v = 0; v < n_; ++v) diagonal[v] = weight_[v] + qp_.shift_of(v) + extra;
    bool done = factors_.factor(qp_.hessian, qp_.jacobian, diagonal, delta_);
    KktFactors::Inertia inertia = factors_.inertia();
    if (done && inertia.negative == m_) {
      extra_ = extra;
      return true;
    }
    if (!done && !inertia.singular && inertia.negative <= m_) return false;
    extra = extra > 0 ? 8 * extra : std::max(first, extra_ / 3);
  }
  return false;
}

/// dx, dlambda and the movements of pairs towards their products.
void BarrierIteration::direction(bool refine) {
  barrier_.assign(x_.size(), 0.0);  // minus the stationarity residual once multipliers of bounds are eliminated
  for (std::size_t j = 0; j < x_.size(); ++j) barrier_[j] = -stationarity_[j];
  for (const Pair& pair : pairs_) barrier_[pair.owner] += pair.sign * pair.product / pair.s;
  for (std::size_t v = 0; v < n_; ++v) rhs_[v] = barrier_[v];
  for (std::size_t r = 0; r < m_; ++r) {
    rhs_[n_ + r] = -row_[r];
    if (!equality(r)) rhs_[n_ + r] += barrier_[t(r)] / weight_[t(r)];
    if (qp_.elastic) rhs_[n_ + r] += barrier_[q(r)] / weight_[q(r)] - barrier_[p(r)] / weight_[p(r)];
  }
  scaled_ = rhs_;
  factors_.solve(rhs_);
  for (int round = 0; refine && round < 2; ++round) {  // against the matrix without the term for dependent rows
    correction_.assign(scaled_.begin(), scaled_.end());
    std::span<const double> d = std::span(rhs_).first(n_), l = std::span(rhs_).subspan(n_);
    std::span<double> top = std::span(correction_).first(n_), bottom = std::span(correction_).subspan(n_);
    Vector product(n_ + m_, 0.0);
    std::span<double> product_top = std::span(product).first(n_), product_bottom = std::span(product).subspan(n_);
    add_symmetric_product(*qp_.hessian_pattern, qp_.hessian, d, product_top);
    add_transposed_product(*qp_.jacobian_pattern, qp_.jacobian, l, product_top);
    add_product(*qp_.jacobian_pattern, qp_.jacobian, d, product_bottom);
    for (std::size_t v = 0; v < n_; ++v) top[v] -= product_top[v] + (weight_[v] + qp_.shift_of(v) + extra_) * d[v];
    for (std::size_t r = 0; r < m_; ++r) bottom[r] -= product_bottom[r] - delta_[r] * l[r];
    if (largest(correction_) <= 1e-14 * (1 + largest(scaled_))) break;
    factors_.solve(correction_);
    for (std::size_t k = 0; k < rhs_.size(); ++k) rhs_[k] += correction_[k];
  }
  std::copy_n(rhs_.begin(), n_, dx_.begin());
  std::copy_n(rhs_.begin() + static_cast<std::ptrdiff_t>(n_), m_, dlambda_.begin());
  for (std::size_t j = n_; j < x_.size(); ++j)
    dx_[j] = weight_[j] > 0 ? (barrier_[j] - by_lambda(j) * dlambda_[row_of(j)]) / weight_[j] : 0;
  for (Pair& pair : pairs_) {
    pair.ds = pair.sign * dx_[pair.owner];
    pair.dz = pair.product / pair.s - pair.z - pair.z / pair.s * pair.ds;
  }
}

double BarrierIteration::step_length(double fraction) const {
  double length = 1 / fraction;
  for (const Pair& pair : pairs_) {
    if (pair.ds < 0) length = std::min(length, -pair.s / pair.ds);
    if (pair.dz < 0) length = std::min(length, -pair.z / pair.dz);
  }
  return fraction * length;
}

void BarrierIteration::move(double length) {
  last_length_ = length;
  constexpr double smallest = 1e-300;
  for (std::size_t j = 0; j < x_.size(); ++j) x_[j] += length * dx_[j];
  for (std::size_t r = 0; r < m_; ++r) lambda_[r] += length * dlambda_[r];
  for (Pair& pair : pairs_) {
    pair.s = std::max(smallest, pair.s + length * pair.ds);
    pair.z = std::max(smallest, pair.z + length * pair.dz);
  }
}

/// Gondzio's correctors: products that a longer step would leave far from the mean are drawn towards it.
void BarrierIteration::gondzio(double& length) {
  constexpr double low = 0.1, high = 10, enough = 0.1;
  double target = 0;
  for (const Pair& pair : pairs_) target += (pair.s + length * pair.ds) * (pair.z + length * pair.dz);
  target = std::max(target / static_cast<double>(pairs_.size()), 1e-14);
  for (int k = 0; k < options_.correctors && length < 0.9; ++k) {
    std::vector<Pair> kept = pairs_;
    Vector kept_dx = dx_, kept_dlambda = dlambda_;
    double wanted = std::min(1.0, length + 0.2);
    for (Pair& pair : pairs_) {
      double product = (pair.s + wanted * pair.ds) * (pair.z + wanted * pair.dz);
      double into = std::clamp(product, low * target, high * target) - product;
      pair.product += std::max(into, -high * target);
    }
    direction(false);
    double longer = step_length(0.995);
    if (longer < length + enough * 0.2) {
      pairs_ = std::move(kept);
      dx_ = std::move(kept_dx);
      dlambda_ = std::move(kept_dlambda);
      return;
    }
    length = longer;
  }
}

void BarrierIteration::mehrotra_step(double mean) {
  constexpr double least_barrier = 1e-14;
  for (Pair& pair : pairs_) pair.product = 0;
  direction(false);
  double length = step_length(1), after = 0;
  for (const Pair& pair : pairs_) after += (pair.s + length * pair.ds) * (pair.z + length * pair.dz);
  double share = after / static_cast<double>(pairs_.size()) / mean,
         centre = std::max(share * share * share * mean, least_barrier);
  for (Pair& pair : pairs_) pair.product = centre - pair.ds * pair.dz;
  direction(true);
  double taken = step_length(std::max(0.995, 1 - mean));
  if (taken < 0.1) {  // the corrector did harm: towards the centre instead
    for (Pair& pair : pairs_) pair.product = 0.5 * mean;
    direction(true);
    taken = step_length(0.995);
  }
  gondzio(taken);
  move(taken);
}

void BarrierIteration::franke_step(double mean) {
  double pairs = static_cast<double>(pairs_.size()), gap = mean * pairs;
  double target = gap * (mean_length_ / potential_ + (1 - mean_length_) / pairs);
  if (gap * potential_ <= 1 && mean_length_ > 0.9) target = gap * gap / pairs;
  for (Pair& pair : pairs_) pair.product = target;
  direction(true);
  double taken = step_length(0.995);
  mean_length_ = 0.5 * (mean_length_ + taken);
  if (mean_length_ > 0.99) potential_ *= 2;
  else if (mean_length_ < 0.5 && potential_ > 100 * pairs) potential_ /= 2;
  move(taken);
}

QuadraticSolution BarrierIteration::result() const {
  constexpr double at_bound = 1e-9;
  QuadraticSolution s;
  s.d.assign(x_.begin(), x_.begin() + static_cast<std::ptrdiff_t>(n_));
  s.lambda = lambda_;
  s.z_lower.assign(n_, 0);
  s.z_upper.assign(n_, 0);
  for (const Pair& pair : pairs_) {
    if (pair.owner >= n_) continue;
    (pair.sign > 0 ? s.z_lower : s.z_upper)[pair.owner] = pair.z;
    if (pair.s <= at_bound && pair.z > pair.s) s.d[pair.owner] = pair.bound;
  }
  return s;
}

QuadraticSolution BarrierIteration::run(double tolerance, int max_iterations) {
  constexpr double hopeless = 1e-6, blocked = 1e-2, too_large = 1e6;
  double size = 1 + largest(qp_.gradient);
  double best = INFINITY, recent = 1;
  int stalled = 0, k = 0;
  QuadraticSolution solution;
  for (; k < max_iterations; ++k) {
    if (qp_.is_stopped()) {
      solution = result();
      solution.outcome = QuadraticOutcome::stopped;
      break;
    }
    residuals();
    double mean = mu();
    Vector dual = stationarity_;
    for (const Pair& pair : pairs_) dual[pair.owner] -= pair.sign * pair.z;
    double error = std::max({largest(dual) / size, largest(row_), mean});
    if (!std::isfinite(error) || (!qp_.elastic && largest(lambda_) > too_large * size)) break;
    if (error <= tolerance && k > 0) {
      solution = result();
      solution.outcome = extra_ > 0 ? QuadraticOutcome::indefinite : QuadraticOutcome::optimal;
      break;
    }
    stalled = error < 0.9 * best ? 0 : stalled + 1;
    best = std::min(best, error);
    if (stalled > 10) break;
    if (!factor()) break;
    if (pairs_.empty()) {
      direction(true);
      move(1);
    } else if (options_.centering == Centering::mehrotra) mehrotra_step(mean);
    else franke_step(mean);
    recent = 0.5 * recent + 0.5 * last_length_;
    if (!pairs_.empty() && recent < (qp_.elastic ? hopeless : blocked)) break;
  }
  if (solution.d.empty()) {
    solution = result();
    solution.outcome = extra_ > 0                                        ? QuadraticOutcome::indefinite
                       : !qp_.elastic && largest(row_) > 100 * tolerance ? QuadraticOutcome::infeasible
                                                                         : QuadraticOutcome::failed;
    if (best <= 1e3 * tolerance && solution.outcome == QuadraticOutcome::failed)
      solution.outcome = QuadraticOutcome::optimal;
  }
  solution.wanted_shift = qp_.shift + extra_;
  solution.iterations = k;
  return solution;
}

class InteriorPointSolver final : public QuadraticSolver {
 public:
  InteriorPointSolver(MakeKktFactors make, const InteriorPointOptions& options) : make_(make), options_(options) {}

  QuadraticSolution solve(const QuadraticProgram& program, double tolerance) override {
    constexpr int warm_iterations = 15;
    if (!factors_) factors_ = make_(program.n, program.m, *program.hessian_pattern, *program.jacobian_pattern);
    bool warm = options_.hot_start && last_.d.size() == program.n && last_.lambda.size() == program.m;
    int lost = 0;
    if (warm) {
      QuadraticSolution near = last_;
      if (accepted_) std::fill(near.d.begin(), near.d.end(), 0.0);
      BarrierIteration iteration(program, *factors_, options_);
      iteration.start(accepted_ ? std::clamp(std::sqrt(size_), 1e-3, 1.0) : 1e-2, &near);
      QuadraticSolution solution = iteration.run(tolerance, warm_iterations);
      if (solution.outcome == QuadraticOutcome::optimal || solution.outcome == QuadraticOutcome::indefinite ||
          solution.outcome == QuadraticOutcome::stopped)
        return remember(std::move(solution));
      lost = solution.iterations;
    }
    BarrierIteration iteration(program, *factors_, options_);
    iteration.start(1, nullptr);
    QuadraticSolution solution = iteration.run(tolerance, options_.max_iterations);
    solution.iterations += lost;
    return remember(std::move(solution));
  }
  void accept() override { accepted_ = true; }

 private:
  QuadraticSolution remember(QuadraticSolution solution) {
    if (solution.outcome == QuadraticOutcome::optimal) {
      last_ = solution;
      size_ = largest(solution.d);
    }
    accepted_ = false;
    return solution;
  }
  MakeKktFactors make_;
  InteriorPointOptions options_;
  std::unique_ptr<KktFactors> factors_;
  QuadraticSolution last_;
  double size_ = 1;
  bool accepted_ = false;
};

}  // namespace

std::unique_ptr<QuadraticSolver> interior_point_solver(MakeKktFactors factors, const InteriorPointOptions& options) {
  return std::make_unique<InteriorPointSolver>(factors, options);
}

}  // namespace bolza::nlp
