// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/variable_sizes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/SparseCore>

#include "runtime/linalg/factors.h"

namespace bolza::integrate {
namespace {

using Part = nonlinear::ModelAt::Part;

constexpr double rounding_share = 100 * std::numeric_limits<double>::epsilon();
constexpr double far_below = 0.1;     // a guess is mistaken when no value comes nearer to it
constexpr double negligible = 1e-12;  // of the largest size: nothing that is said of others is so exact
constexpr double smallest = 1e-100;   // its square is still a number
constexpr int most_rounds = 20;       // in which sizes pass from variable to variable

double bound_of(const bolza_variable& v) {
  double bound = std::max(std::fabs(v.min), std::fabs(v.max));
  return std::isfinite(bound) && bound > 0 ? bound : 1;
}

}  // namespace

VariableSizes::VariableSizes(nonlinear::ModelAt& model, std::span<const double> known)
    : model_(model),
      n_x_(model.model().n_x),
      n_(n_x_ + model.model().n_z) {
  size_.resize(n_);
  largest_.assign(n_, 0);
  guessed_.assign(n_, 0);
  for (std::size_t i = 0; i < n_; ++i) size_[i] = nonlinear::size_of(variable(i));
  for (std::size_t i = 0; i < n_; ++i)
    if (!variable(i).has_nominal) {
      open_.push_back(i);
      largest_[i] = i < known.size() ? known[i] : 0;
    }
}

const bolza_variable& VariableSizes::variable(std::size_t i) const {
  return i < n_x_ ? model_.model().x[i] : model_.model().z[i - n_x_];
}

void VariableSizes::begin(const nonlinear::ModelAt::Point& point, double horizon, double tolerance) {
  horizon_ = horizon;
  tolerance_ = tolerance;
  auto value_of = [&](std::size_t i) { return std::fabs(i < n_x_ ? point.x[i] : point.z[i - n_x_]); };
  for (std::size_t i : open_) size_[i] = 1;
  std::erase_if(open_, [&](std::size_t i) { return std::max(largest_[i], value_of(i)) >= 1; });
  Rows rows;
  if (open_.empty() || !coefficients(point, rows)) rows.clear();
  std::vector<double> rounding = rounding_of(rows, point);
  for (std::size_t i : open_) {
    double value = value_of(i);
    if (i >= n_x_ && value <= rounding[i]) value = 0;  // at rest
    guessed_[i] = largest_[i] == 0 && value == 0;
    largest_[i] = std::max(largest_[i], value);
    size_[i] = guessed_[i] ? 0 : std::min(1.0, largest_[i]);
  }
  if (!rows.empty()) guess(point, std::move(rows), rounding);
  for (std::size_t i : open_) {
    if (size_[i] == 0) size_[i] = 1;
    if (i < n_x_) size_[i] = std::max(size_[i], rounding[i] / tolerance_);
    size_[i] = std::clamp(size_[i], smallest, 1.0);
  }
}

bool VariableSizes::grow(const State& state) {
  bool grown = false;
  for (std::size_t i : open_) {
    double value = std::fabs(i < n_x_ ? state.x[i] : state.z[i - n_x_]);
    if (!(value > largest_[i])) continue;
    largest_[i] = value;
    if (size_[i] >= 1 || value <= 2 * size_[i]) continue;
    size_[i] = std::min(1.0, value);
    grown = true;
  }
  return grown;
}

// Entries that are not finite say nothing. False: none can be had.
bool VariableSizes::coefficients(const nonlinear::ModelAt::Point& point, Rows& rows) const {
  rows.assign(n_, {});
  nonlinear::Derivative d;
  auto add = [&](Part part, std::size_t first, std::size_t count) {
    if (!count) return true;
    if (!model_.jacobian(part, point, {}, d) && d.value.empty()) return false;
    for (std::size_t e = 0; e < d.value.size(); ++e) {
      auto row = static_cast<std::size_t>(d.row[e]), column = static_cast<std::size_t>(d.col[e]) - 1;
      if (row < count && column < n_ && d.value[e] != 0 && std::isfinite(d.value[e]))
        rows[first + row].push_back({column, std::fabs(d.value[e])});
    }
    return true;
  };
  return add(Part::rates, 0, n_x_) && add(Part::residuals, n_x_, n_ - n_x_);
}

// Of the decay by its own entry, or of the oscillation by those of a pair; the horizon where both are slower.
double VariableSizes::time_constant(const Rows& rows, std::size_t state) const {
  double decay = 0, pairs = 0;
  for (const Entry& e : rows[state]) {
    if (e.column == state) decay = e.value;
    if (e.column >= n_x_ || e.column == state) continue;
    for (const Entry& back : rows[e.column])
      if (back.column == state) pairs += e.value * back.value;
  }
  return 1 / std::max({decay, std::sqrt(pairs), 1 / horizon_});
}

double VariableSizes::guess_of_state(const Rows& rows, double rate, std::size_t state) const {
  double sum = rate;
  for (const Entry& e : rows[state]) sum += e.value * size_[e.column];
  return std::isfinite(sum) ? sum * time_constant(rows, state) : 0;
}

// By the equation that makes least of it.
double VariableSizes::guess_of_algebraic(const Rows& rows, std::span<const std::size_t> where, std::size_t variable) const {
  double least = 0;
  for (std::size_t r : where) {
    double own = 0, others = 0;
    for (const Entry& e : rows[r]) {
      if (e.column == variable) own += e.value;
      else others += e.value * size_[e.column];
    }
    if (own > 0 && others > 0) least = least > 0 ? std::min(least, others / own) : others / own;
  }
  return least;
}

// |f|, and 0 where it is no more than what rounding of its terms, and of the algebraics in it, leaves: a branch of a circuit
// without voltage at the start says nothing of its current.
std::vector<double> VariableSizes::rates_above_rounding(const nonlinear::ModelAt::Point& point, const Rows& rows,
                                                        std::span<const double> rounding) const {
  std::vector<double> rates(n_x_ + model_.model().n_q);
  if (n_x_) model_.value(Part::rates, point, rates);
  for (std::size_t i = 0; i < n_x_; ++i) {
    double left = 0;
    for (const Entry& e : rows[i])
      left += e.value * (e.column < n_x_ ? rounding_share * std::fabs(point.x[e.column]) : rounding[e.column]);
    rates[i] = std::fabs(rates[i]) > left ? std::fabs(rates[i]) : 0;
  }
  return rates;
}

// Sources are functions of time: how much a row changes over the horizon while all variables rest is an entry of its own, in
// a column after the last whose size is 1.
void VariableSizes::add_sources(const nonlinear::ModelAt::Point& point, Rows& rows) const {
  constexpr double shares[] = {0.001, 0.01, 0.037, 0.1, 0.23, 0.37, 0.61, 0.83, 1};
  std::vector<double> at_start(n_), later(n_), source(n_, 0);
  auto rows_at = [&](double t, std::vector<double>& out) {
    nonlinear::ModelAt::Point p = point;
    p.t = t;
    std::vector<double> rates(n_x_ + model_.model().n_q);
    if (n_x_ && !model_.value(Part::rates, p, rates)) return false;
    std::copy_n(rates.begin(), n_x_, out.begin());
    return n_ == n_x_ || model_.value(Part::residuals, p, std::span(out).subspan(n_x_));
  };
  if (!rows_at(point.t, at_start)) return;
  for (double share : shares) {
    if (!rows_at(point.t + share * horizon_, later)) continue;
    for (std::size_t r = 0; r < n_; ++r)
      if (double change = std::fabs(later[r] - at_start[r]); change > source[r]) source[r] = change;
  }
  for (std::size_t r = 0; r < n_; ++r)
    if (source[r] > 0 && std::isfinite(source[r])) rows[r].push_back({n_, source[r]});
}

// A value that an algebraic happens to have at the start, far below what its equations make of it, is no size: a voltage
// of 1e-16 where a sine begins.
void VariableSizes::guess(const nonlinear::ModelAt::Point& point, Rows rows, std::span<const double> rounding) {
  constexpr double no_evidence = 1e-8;
  std::vector<double> rates = rates_above_rounding(point, rows, rounding);
  add_sources(point, rows);
  size_.push_back(1);
  std::vector<double> given = size_;
  for (std::size_t i : open_)
    if (i >= n_x_) size_[i] = 0;
  spread(rows, rates);
  for (std::size_t i : open_)
    if (i >= n_x_ && given[i] > 0 && given[i] < no_evidence * size_[i]) given[i] = size_[i];
  size_ = std::move(given);
  spread(rows, rates);
  size_.pop_back();
  guess_through_algebraics(point, rows, no_evidence);
  raise_to_rounding(rows);
}

// Of an algebraic that stays at zero, as the velocity of what is held, all that there is may be rounding of the terms that
// cancel in its equation: a share of its size is more than that.
void VariableSizes::raise_to_rounding(const Rows& rows) {
  std::vector<double> least(n_, 0);
  for (std::size_t r = n_x_; r < n_; ++r) {
    double terms = 0;
    for (const Entry& e : rows[r])
      if (e.column < n_) terms += e.value * size_[e.column];
    for (const Entry& e : rows[r])
      if (e.column >= n_x_ && e.column < n_)
        least[e.column] = std::max(least[e.column], rounding_share / tolerance_ * terms / e.value);
  }
  for (std::size_t i : open_)
    if (i >= n_x_ && guessed_[i] && std::isfinite(least[i])) size_[i] = std::max(size_[i], std::min(1.0, least[i]));
}

// A mechanism at rest in its equilibrium has no accelerations, and nothing in their equations says how large they get: what
// the states make of them does, by total derivatives.
void VariableSizes::guess_through_algebraics(const nonlinear::ModelAt::Point& point, const Rows& rows, double no_evidence) {
  using Triplets = std::vector<Eigen::Triplet<double>>;
  constexpr double suspicious = 1e-6;
  auto is_small = [&](std::size_t i) { return guessed_[i] && size_[i] < suspicious; };
  if (n_ == n_x_ || std::ranges::none_of(open_, is_small)) return;
  auto n_x = static_cast<Eigen::Index>(n_x_), n_z = static_cast<Eigen::Index>(n_ - n_x_);
  Triplets by_z, slopes;
  Eigen::MatrixXd by_x = Eigen::MatrixXd::Zero(n_z, n_x), total = Eigen::MatrixXd::Zero(n_x, n_x);
  nonlinear::Derivative d;
  auto read = [&](Part part, Eigen::Index n_rows, Triplets& of_z, Eigen::MatrixXd& of_x) {
    if (!model_.jacobian(part, point, {}, d)) return false;
    for (std::size_t e = 0; e < d.value.size(); ++e) {
      Eigen::Index row = d.row[e], column = d.col[e] - 1;
      if (row >= n_rows || column < 0 || column >= n_x + n_z) continue;
      if (column < n_x) of_x(row, column) += d.value[e];
      else of_z.emplace_back(row, column - n_x, d.value[e]);
    }
    return true;
  };
  if (!read(Part::residuals, n_z, by_z, by_x) || !read(Part::rates, n_x, slopes, total)) return;
  Eigen::SparseMatrix<double> h_z(n_z, n_z), f_z(n_x, n_z);
  h_z.setFromTriplets(by_z.begin(), by_z.end());
  f_z.setFromTriplets(slopes.begin(), slopes.end());
  linalg::Factors<double> factors;
  if (!factors.compute(h_z)) return;
  Eigen::MatrixXd follows = factors.solve(by_x);
  total -= f_z * follows;
  for (bool states : {true, false})
    for (std::size_t i : open_) {
      if (!is_small(i) || states != (i < n_x_)) continue;
      auto slopes_of = states ? total.row(static_cast<Eigen::Index>(i)) : follows.row(static_cast<Eigen::Index>(i - n_x_));
      double sum = 0;
      for (Eigen::Index k = 0; k < n_x; ++k) sum += std::fabs(slopes_of(k)) * size_[static_cast<std::size_t>(k)];
      double made = std::min(states ? sum * time_constant(rows, i) : sum, bound_of(variable(i)));
      if (std::isfinite(made) && size_[i] < no_evidence * made) size_[i] = made;
    }
}

void VariableSizes::spread(const Rows& rows, std::span<const double> rates) {
  std::vector<std::vector<std::size_t>> where(n_ - n_x_);  // residuals in which an algebraic stands
  for (std::size_t r = n_x_; r < n_; ++r)
    for (const Entry& e : rows[r])
      if (e.column >= n_x_ && e.column < n_) where[e.column - n_x_].push_back(r);
  bool any = true;
  for (int round = 0; any && round < most_rounds; ++round) {
    any = false;
    for (std::size_t i : open_) {
      if (size_[i] > 0) continue;
      double made = i < n_x_ ? guess_of_state(rows, rates[i], i) : guess_of_algebraic(rows, where[i - n_x_], i);
      size_[i] = std::min(made, bound_of(variable(i)));
      any = any || size_[i] > 0;
    }
  }
}

// What a state moves by when every term of its rate is wrong by rounding for a time constant, and an algebraic when the
// terms of an equation are in which it stands.
std::vector<double> VariableSizes::rounding_of(const Rows& rows, const nonlinear::ModelAt::Point& point) const {
  std::vector<double> out(n_, 0);
  auto value = [&](std::size_t k) { return std::fabs(k < n_x_ ? point.x[k] : point.z[k - n_x_]); };
  for (std::size_t r = 0; r < rows.size(); ++r) {
    double sum = 0;
    for (const Entry& e : rows[r]) sum += e.value * value(e.column);
    sum *= rounding_share;
    if (r < n_x_) out[r] = sum * time_constant(rows, r);
    for (const Entry& e : rows[r]) {
      if (r < n_x_ || e.column < n_x_) continue;
      out[e.column] = std::max(out[e.column], sum / e.value);
    }
  }
  return out;
}

std::vector<VariableSizes::Mistaken> VariableSizes::mistaken(const nonlinear::ModelAt::Point& end) const {
  std::vector<Mistaken> out;
  double greatest = 0;
  for (double size : size_) greatest = std::max(greatest, size);
  for (std::size_t i : open_)
    if (guessed_[i] && largest_[i] > negligible * greatest && largest_[i] < far_below * size_[i] && i < n_x_)
      out.push_back({i, size_[i], largest_[i]});
  Rows rows;
  if (out.empty() || !coefficients(end, rows)) return out;
  std::erase_if(out, [&](const Mistaken& m) {  // what errors of the others, each at its tolerance, make of it
    double sum = 0;
    for (const Entry& e : rows[m.variable])
      if (e.column != m.variable) sum += e.value * tolerance_ * std::max(size_[e.column], largest_[e.column]);
    return m.largest <= 10 * sum * time_constant(rows, m.variable);
  });
  return out;
}

std::vector<double> VariableSizes::shown() const {
  std::vector<double> out(n_, 0);
  for (std::size_t i : open_) out[i] = largest_[i];
  return out;
}

}  // namespace bolza::integrate
