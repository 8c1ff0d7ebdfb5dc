// SPDX-License-Identifier: Apache-2.0
// A segment on a multistep method with a smooth control of the error: derivatives, lengths of steps among what moves.
#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/integrate/segment/smooth_steps_internal.h"

namespace bolza::integrate {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The numbers of all operations with one node moved by `shift` seconds: 0 the end of the step, then its start, …
std::vector<StepTape::Coefficients> SmoothStepsSegment::coefficients(const SmoothStep& step, double length, std::size_t node,
                                                                     double shift) {
  std::unique_ptr<MultistepScheme> scheme(static_cast<MultistepScheme*>(step.scheme->clone().release()));
  dry_.resume(step.first, step.live, times.begin, times.length, times.begin, times.length);
  dry_.only_write();
  if (node > 0) scheme->move_node(node - 1, shift);
  double moved = node == 0 ? shift : node == 1 ? -shift : 0;
  write(step, length + moved / times.length, dry_, *scheme);
  std::vector<StepTape::Coefficients> out;
  for (std::size_t k = 0; k < dry_.operations(); ++k) out.push_back(dry_.coefficients(k));
  return out;
}

// dJ by the place of a node, as a fraction.
bool SmoothStepsSegment::add_lengths(const SmoothStep& step, double length, std::size_t node,
                                     const std::vector<StepTape::Coefficients>& by, double& by_node) {
  double h = 1e-3 * length * times.length;
  for (auto [steps, factor] : {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
    std::vector<StepTape::Coefficients> moved = coefficients(step, length, node, steps * h);
    if (moved.size() != by.size()) return false;
    double sum = 0;
    for (std::size_t k = 0; k < by.size(); ++k) {
      sum += by[k].place * moved[k].place + by[k].a * moved[k].a + by[k].b * moved[k].b;
      for (std::size_t i = 0; i < by[k].terms.size(); ++i) sum += by[k].terms[i] * moved[k].terms[i];
    }
    by_node += factor * sum / (12 * h) * times.length;
  }
  return std::isfinite(by_node);
}

// `later`: by what step i leaves live; becomes that by what it begins with.
bool SmoothStepsSegment::back(std::size_t i, StepTape::Bars& later, std::span<double> out, double& by_length) {
  SmoothStep& step = taken_[i];
  StepTape::Bars sum;
  double by_attempt = by_plan_;  // of the length planned by the attempt at hand for the one that follows
  for (std::size_t j = step.attempts.size(); j-- > 0;) {
    const Attempt& attempt = step.attempts[j];
    bool taken = j + 1 == step.attempts.size();
    double by_h = by_attempt * attempt.next;
    if (taken) {
      by_h += by_place_[i + 1];
      by_place_[i] += by_place_[i + 1];
    }
    double by_error = by_attempt * attempt.slope * attempt.length;
    if (!std::isnan(attempt.error) && (taken || by_error != 0)) {
      std::unique_ptr<MultistepScheme> scheme(static_cast<MultistepScheme*>(step.scheme->clone().release()));
      tape_.resume(step.first, step.live, times.begin, times.length, times.begin, times.length);
      model.start_from(step.z);
      Written at = write(step, attempt.length, tape_, *scheme);
      if (!at.good) return false;
      StepTape::Bars bars{step.first, std::vector<VectorXd>(tape_.live(step.first).size())};
      for (std::size_t k = 0; taken && k < later.by.size(); ++k) bars.by[later.first + k - step.first] = later.by[k];
      norm(at, &bars, by_error);
      std::vector<StepTape::Coefficients> by;
      for (std::size_t k = 0; k < tape_.operations(); ++k) by.push_back({0, 0, 0, {}});
      bool good = tape_.adjoint(
          steps_, bars, [&](const StepTape::PointGradient& p) { add_point(p.place, p.by, p.by_slope, out); }, by_length, {},
          [&](std::size_t op, const StepTape::Coefficients& own) { by[op] = own; });
      if (!good) return false;
      if (sum.by.empty()) sum = std::move(bars);
      else
        for (std::size_t k = 0; k < sum.by.size(); ++k) {
          if (bars.by[k].size() == 0) continue;
          if (sum.by[k].size() == 0) sum.by[k] = bars.by[k];
          else sum.by[k] += bars.by[k];
        }
      double by_end = 0;
      if (!add_lengths(step, attempt.length, 0, by, by_end)) return false;
      by_h += by_end;
      by_place_[i] += by_end;
      for (std::size_t k = 0; k < step.scheme->nodes(); ++k)
        if (!add_lengths(step, attempt.length, k + 1, by, by_place_[i - k])) return false;
    }
    by_attempt = 0;
    if (attempt.from == Attempt::From::plan) by_attempt = by_h;
    else by_place_[i] -= (attempt.from == Attempt::From::rest ? 1 : 0.5) * by_h;
  }
  by_plan_ = by_attempt;
  later = std::move(sum);
  return true;
}

bool SmoothStepsSegment::adjoint(std::span<Backward> functionals, std::span<const double> samples) {
  return std::all_of(functionals.begin(), functionals.end(), [&](Backward& b) { return adjoint(b, samples); });
}

bool SmoothStepsSegment::adjoint(Backward& b, std::span<const double> samples) {
  SampledCostates keep(samples, b);
  keep(1);
  if (taken_.empty()) {
    keep(-1);
    return true;
  }
  VectorXd y(static_cast<Index>(n_x + n_q));
  std::copy(b.lambda.begin(), b.lambda.end(), y.data());
  std::copy(b.weight.begin(), b.weight.end(), y.data() + n_x);
  by_place_.assign(place_.size(), 0);
  by_plan_ = 0;
  double by_length = 0;
  StepTape::Bars bars;
  for (std::size_t i = taken_.size(); i-- > 0;) {
    if (i + 1 == taken_.size()) {  // what the last step leaves live is its end
      std::unique_ptr<MultistepScheme> scheme(static_cast<MultistepScheme*>(taken_[i].scheme->clone().release()));
      dry_.resume(taken_[i].first, taken_[i].live, times.begin, times.length, times.begin, times.length);
      dry_.only_write();
      bars = {write(taken_[i], taken_[i].attempts.back().length, dry_, *scheme).end, {y}};
    }
    if (!back(i, bars, b.gradient, by_length)) return false;
    StepTape::Slot state = taken_[i].scheme->begin_state();
    if (const VectorXd& l = bars.by[state - bars.first]; l.size()) keep(place_[i], {l.data(), n_x});
  }
  b.gradient[length_input()] += by_length;
  if (double first = options.method_options.initial_step; first > 0)  // given in seconds
    b.gradient[length_input()] -= by_plan_ * first / (times.length * times.length);
  if (bars.by[0].size()) std::copy_n(bars.by[0].data(), n_x, b.lambda.begin());
  keep(-1);
  return std::all_of(b.lambda.begin(), b.lambda.end(), [](double v) { return std::isfinite(v); });
}

bool SmoothStepsSegment::tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& along) {
  if (!forward(x, integrals)) return false;
  MatrixXd moved(along.x.rows(), along.x.cols());
  for (std::size_t r = 0; r < n_x + n_q; ++r) {
    Backward b{std::vector<double>(n_x), std::vector<double>(n_q), std::vector<double>(inputs()), {}};
    (r < n_x ? b.lambda[r] : b.weight[r - n_x]) = 1;
    if (!adjoint(b, {})) return false;
    Eigen::RowVectorXd row = Eigen::Map<Eigen::RowVectorXd>(b.lambda.data(), along.x.rows()) * along.x +
                             Eigen::Map<Eigen::RowVectorXd>(b.gradient.data(), along.direct.rows()) * along.direct;
    if (r < n_x) moved.row(static_cast<Index>(r)) = row;
    else along.q.row(static_cast<Index>(r - n_x)) += row;
  }
  along.x = moved;
  return true;
}

}  // namespace bolza::integrate
