// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/events/step_scan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "runtime/abi/evaluate.h"

namespace bolza::integrate {
namespace {

using Part = nonlinear::ModelAt::Part;

constexpr std::size_t fewest_looks = 512, at_once = 256;
constexpr double fewest_in_a_step = 16;
constexpr std::size_t most_evaluated = 4000000;  // rows times looks
constexpr double looked_at = 4;                  // times the distance of looks: steps that are shorter resolve it themselves
constexpr double local = 50;                     // a second difference over those in the middle
constexpr double rounding = 1e-9;                // of a row: second differences that say nothing
constexpr double ends = 1e-3;                    // of the largest one: where a change begins and ends
constexpr double clear = 10;                     // times the error that a state may have
constexpr double off_equation = 1e-3;            // of the largest term of an algebraic equation
constexpr double within = 0.25;                  // of the distance of looks: steps where something was passed over


// Chebyshev's nodes on [0, 1], ends included, with their barycentric weights: what methods give within a step is a polynomial.
constexpr std::size_t n_nodes = 9;
struct Nodes {
  std::array<double, n_nodes> at{}, weight{};
  Nodes() {
    for (std::size_t i = 0; i < n_nodes; ++i) {
      at[i] = 0.5 - 0.5 * std::cos(std::numbers::pi * static_cast<double>(i) / (n_nodes - 1));
      weight[i] = (i % 2 == 0 ? 1 : -1) * (i == 0 || i == n_nodes - 1 ? 0.5 : 1);
    }
  }
};
const Nodes& nodes() {
  static const Nodes own;
  return own;
}

}  // namespace

StepScan::StepScan(const Setup& setup, double begin, double end, std::size_t looks) : setup_(&setup) {
  const bolza_model& m = setup.model.model();
  std::size_t rows = m.n_x + m.n_q + m.n_z;
  if (!m.rates || m.n_x + m.n_q == 0 || looks == 0) return;  // without states nothing is integrated
  looks = std::min(looks, std::max(most_evaluated / rows, fewest_looks));
  spacing_ = (end - begin) / static_cast<double>(looks);
  if (spacing_ > 0) shortest_ = looked_at * spacing_;
  ld_ = abi::padded(at_once + 1);
  points_ = abi::AlignedDoubles((1 + m.n_x + m.n_z + m.n_u) * ld_);
  u_.resize(m.n_u);
}

std::optional<double> StepScan::passed(Integrator& integrator, double begin, double end) {
  if (!read(integrator, begin, end)) return {};
  double most = static_cast<double>(at_once), parts = std::ceil((end - begin) / (spacing_ * most));
  double length = (end - begin) / parts;
  double n = std::exp2(std::ceil(std::log2(std::clamp(length / spacing_, fewest_in_a_step, most))));  // few different ones
  for (double part = 0; part < parts; ++part) {
    place(begin + part * length, length / n, static_cast<std::size_t>(n), part / parts, 1 / parts);
    auto found = look();
    if (!found) continue;
    short_ = within * spacing_here_;
    until_ = points_[found->second] + spacing_here_;
    return points_[found->first];
  }
  return {};
}

bool StepScan::read(Integrator& integrator, double begin, double end) {
  const bolza_model& m = setup_->model.model();
  at_nodes_.resize(n_nodes);
  for (std::size_t i = 0; i < n_nodes; ++i) {
    double t = i + 1 == n_nodes ? end : begin + (end - begin) * nodes().at[i];
    if (integrator.at(t, at_nodes_[i]) != SimulateStatus::finished) return false;
    if (at_nodes_[i].q.size() != m.n_q) return false;
  }
  nodes_.clear();
  for (auto list : {&State::x, &State::z, &State::q})
    for (std::size_t v = 0; v < (at_nodes_[0].*list).size(); ++v)
      for (const State& state : at_nodes_) nodes_.push_back((state.*list)[v]);
  return true;
}

// Lagrange's polynomials at the looks, at `from`, `from` + `apart`, … of the step.
void StepScan::set_weights(double from, double apart) {
  if (from == weights_from_ && apart == weights_apart_) return;
  weights_from_ = from;
  weights_apart_ = apart;
  weights_.resize((n_nodes + 1) * ld_);
  double* sum = weights_.data() + n_nodes * ld_;
  std::fill_n(sum, n_ + 1, 0.0);
  for (std::size_t i = 0; i < n_nodes; ++i) {
    double *own = weights_.data() + i * ld_, begin = from - nodes().at[i], weight = nodes().weight[i];
    for (std::size_t k = 0; k <= n_; ++k) {
      double distance = begin + apart * static_cast<double>(k);
      own[k] = weight / (distance == 0 ? 1e-30 : distance);
      sum[k] += own[k];
    }
  }
  for (std::size_t i = 0; i < n_nodes; ++i)
    for (std::size_t k = 0; k <= n_; ++k) weights_[i * ld_ + k] /= sum[k];
}

// The variables at the looks of a section, which begins at `from` of the step and has `length` of it.
void StepScan::place(double begin, double spacing, std::size_t n, double from, double length) {
  const bolza_model& m = setup_->model.model();
  n_ = n;
  spacing_here_ = spacing;
  for (std::size_t k = 0; k <= n; ++k) points_[k] = begin + spacing * static_cast<double>(k);
  set_weights(from, length / static_cast<double>(n));
  auto blend = [&](std::size_t variable, double* row) {
    std::fill_n(row, n + 1, 0.0);
    for (std::size_t i = 0; i < n_nodes; ++i) {
      const double value = nodes_[variable * n_nodes + i], *weight = weights_.data() + i * ld_;
      for (std::size_t k = 0; k <= n; ++k) row[k] += value * weight[k];
    }
  };
  for (std::size_t v = 0; v < m.n_x + m.n_z; ++v) blend(v, points_.data() + (1 + v) * ld_);
  integrals_.resize(m.n_q * ld_);
  for (std::size_t q = 0; q < m.n_q; ++q) blend(m.n_x + m.n_z + q, integrals_.data() + q * ld_);
  bool delays = setup_->input_evaluator.delays() > 0;
  State& state = at_nodes_.front();  // a buffer from here on, for delays that depend on states
  for (std::size_t k = 0; k <= n && m.n_u > 0; ++k) {
    for (std::size_t i = 0; i < m.n_x && delays; ++i) state.x[i] = points_[(1 + i) * ld_ + k];
    for (std::size_t i = 0; i < m.n_z && delays; ++i) state.z[i] = points_[(1 + m.n_x + i) * ld_ + k];
    setup_->input_evaluator.at(points_[k], state.x.data(), state.z.data(), u_);
    for (std::size_t i = 0; i < m.n_u; ++i) points_[(1 + m.n_x + m.n_z + i) * ld_ + k] = u_[i];
  }
  for (std::size_t c = 0; c < 1 + m.n_x + m.n_z + m.n_u; ++c)
    std::fill(points_.data() + c * ld_ + n + 1, points_.data() + (c + 1) * ld_, points_[c * ld_ + n]);
}

bool StepScan::evaluate(Part part, std::vector<double>& out) {
  auto* f = const_cast<bolza_function*>(setup_->model.part(part));
  if (!f || !abi::ensure(setup_->model.problem(), *f, BOLZA_VALUE)) return false;
  std::size_t needed = f->kernels[BOLZA_VALUE]->n_out * ld_;
  if (out.size() < needed) out.resize(needed);
  abi::evaluate(*f, BOLZA_VALUE,
                {.n = n_ + 1,
                 .ld = ld_,
                 .point = points_.data(),
                 .shared = setup_->model.shared.data(),
                 .out = out.data()});
  return true;
}

// The earliest change that matters.
std::optional<StepScan::Looks> StepScan::look() {
  const bolza_model& m = setup_->model.model();
  if (!evaluate(Part::rates, rates_) || (m.n_z > 0 && !evaluate(Part::residuals, residuals_))) return {};
  std::optional<Looks> found;
  for (std::size_t r = 0; r < m.n_x + m.n_q + m.n_z; ++r) {
    bool is_rate = r < m.n_x + m.n_q;
    std::size_t row = is_rate ? r : r - m.n_x - m.n_q;
    if (is_rate && !state_is_off(row)) continue;
    auto change = local_change((is_rate ? rates_ : residuals_).data() + row * ld_);
    if (!change || (!is_rate && !residual_is_off(row, *change))) continue;
    if (!found) found = change;
    found = {std::min(found->first, change->first), std::max(found->second, change->second)};
  }
  return found;
}

// Where a row changes as it does nowhere else in the section.
std::optional<StepScan::Looks> StepScan::local_change(const double* row) const {
  std::vector<double> second(n_ + 1, 0);
  double size = 0;
  for (std::size_t k = 0; k <= n_; ++k) {
    if (!std::isfinite(row[k])) return {};
    size = std::max(size, std::fabs(row[k]));
    if (k > 0 && k < n_) second[k] = std::fabs(row[k - 1] - 2 * row[k] + row[k + 1]);
  }
  double largest = *std::ranges::max_element(second);
  if (!(largest > rounding * size)) return {};
  std::vector<double> sorted(second.begin() + 1, second.end() - 1);
  auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  if (largest <= local * *middle) return {};
  auto changes = [&](double value) { return value > std::max(local * *middle, ends * largest); };
  auto first = std::ranges::find_if(second, changes) - second.begin();
  auto after = std::find_if(second.rbegin(), second.rend(), changes).base() - second.begin();
  return Looks{static_cast<std::size_t>(first - 1), static_cast<std::size_t>(after)};
}

// Simpson's rule along the section, against what the state did.
bool StepScan::state_is_off(std::size_t row) const {
  std::size_t n_x = setup_->model.model().n_x;
  const double *rate = rates_.data() + row * ld_, *state = row < n_x ? points_.data() + (1 + row) * ld_
                                                                     : integrals_.data() + (row - n_x) * ld_;
  double odd = 0, even = 0;
  for (std::size_t k = 1; k < n_; k += 2) odd += rate[k];
  for (std::size_t k = 2; k < n_; k += 2) even += rate[k];
  double expected = (rate[0] + 4 * odd + 2 * even + rate[n_]) * spacing_here_ / 3;
  double atol = row < n_x ? setup_->atol_x[row] : setup_->atol_q[row - n_x];
  return std::fabs(expected - (state[n_] - state[0])) > clear * (atol + setup_->rtol * std::fabs(state[0]));
}

// Where it is off most, against the largest term of the equation in its algebraics.
bool StepScan::residual_is_off(std::size_t row, Looks change) {
  const bolza_model& m = setup_->model.model();
  const double* value = residuals_.data() + row * ld_;
  std::size_t k = change.first;
  for (std::size_t i = k; i <= change.second; ++i)
    if (std::fabs(value[i]) > std::fabs(value[k])) k = i;
  std::vector<double> point(1 + m.n_x + m.n_z + m.n_u);
  for (std::size_t c = 0; c < point.size(); ++c) point[c] = points_[c * ld_ + k];
  const double *x = point.data() + 1, *z = x + m.n_x, *u = z + m.n_z;
  nonlinear::Derivative d;
  if (!setup_->model.jacobian(Part::residuals, {point[0], x, z, u}, {}, d)) return false;
  double largest = 0;
  for (std::size_t e = 0; e < d.value.size(); ++e) {
    std::size_t c = static_cast<std::size_t>(d.col[e]) - 1 - m.n_x;
    if (static_cast<std::size_t>(d.row[e]) != row || c >= m.n_z) continue;
    largest = std::max(largest, std::fabs(d.value[e]) * std::max(std::fabs(z[c]), setup_->atol_z[c] / setup_->rtol));
  }
  return largest > 0 && std::fabs(value[k]) > off_equation * largest;
}

}  // namespace bolza::integrate
