// SPDX-License-Identifier: Apache-2.0
// Second derivatives of a reduced objective, or of several outputs, one after the other.
#include <algorithm>

#include "runtime/transcribe/gradient/reduced_gradient_internal.h"

namespace bolza::transcribe {

/// What is asked for of second derivatives, of every row; false: it failed.
bool Gradients::second(const Directions& d, ReducedGradient& result) {
  if (!gradient_.hessian && gradient_.times.empty()) return true;
  bool forward = gradient_.ways[0] == GradientWay::forward && !gradient_.forward_of_steps && sensitivity_form();
  result.hessian_by = forward ? GradientWay::forward : discrete_ ? GradientWay::discrete : GradientWay::adjoint;
  return std::all_of(gradient_.rows.begin(), gradient_.rows.end(),
                     [&](std::size_t row) { return second_of(row, d, result); });
}

bool Gradients::second_of(std::size_t row, const Directions& d, ReducedGradient& result) {
  main_->take_as_objective(row);
  if (second_) second_->take_as_objective(row);
  if (!gradient_.times.empty()) {
    std::vector<double> moved = product(d);
    if (moved.empty()) return false;
    result.product.insert(result.product.end(), moved.begin(), moved.end());
  }
  if (!gradient_.hessian) return true;
  std::vector<double> found = result.hessian_by == GradientWay::forward ? hessian_by_sensitivities(d) : hessian(d);
  if (found.empty()) return false;
  result.hessian.insert(result.hessian.end(), found.begin(), found.end());
  if (gradient_.check_hessian) compare_hessian(d, found, result);
  return true;
}

/// The other form of second derivatives and differences of gradients next to those of a row; of several the largest
/// difference.
void Gradients::compare_hessian(const Directions& d, std::span<const double> hessian, ReducedGradient& result) {
  auto compare = [&](GradientWay way, const std::vector<double>& other) {
    if (other.empty()) return;
    double size = 0, worst = 0;
    std::size_t n = d.list.size();
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < n; ++c) {
        double moves = size_of(d.variables[r]) * size_of(d.variables[c]), of = hessian[r * n + c];
        size = std::max(size, std::abs(of) * moves);
        worst = std::max(worst, std::abs(other[r * n + c] - of) * moves);
      }
    if (size > 0) worst /= size;
    auto same = std::find_if(result.hessian_check.begin(), result.hessian_check.end(),
                             [&](const ReducedGradient::Comparison& c) { return c.way == way; });
    if (same == result.hessian_check.end()) result.hessian_check.push_back({way, worst});
    else same->difference = std::max(same->difference, worst);
  };
  auto by_sensitivities = [&] {
    second_->take_as_objective(main_->objective_row);
    return hessian_by_sensitivities(d);
  };
  if (result.hessian_by == GradientWay::forward) compare(GradientWay::adjoint, this->hessian(d));
  else if (d.list.size() <= many_in_second_order && sensitivity_form()) compare(GradientWay::forward, by_sensitivities());
  compare(GradientWay::differences, differences_of_gradients(d));
}

/// Second derivatives from central differences of gradients; empty where these cannot be had.
std::vector<double> Gradients::differences_of_gradients(const Directions& d) {
  using Eigen::Index;
  Index n = static_cast<Index>(d.list.size());
  Eigen::MatrixXd quotients(n, n);
  Shooting& s = *main_;
  s.move_to(s.nlp.start);
  double here = 0;
  if (!s.objective(here)) return {};
  s.repeat_steps(discrete_);
  for (Index c = 0; c < n; ++c) {
    std::size_t v = d.variables[static_cast<std::size_t>(c)];
    double at = s.nlp.start[v], h = relative_step() * (at != 0 ? std::abs(at) : s.nlp.scale[v]);
    for (double side : {1.0, -1.0}) {
      std::vector<double> w = s.nlp.start;
      w[v] += side * h;
      if (!d.determined.empty() && !settle(s, d, w)) return {};
      s.move_to(w);
      Eigen::MatrixXd by_variables;
      std::vector<double> by;
      if (!s.point_gradients({&s.objective_row, 1}, by_variables) || !reduce(s, d, by_variables, by)) return {};
      Eigen::Map<const Eigen::VectorXd> value(by.data(), n);
      if (side > 0) quotients.col(c) = value;
      else quotients.col(c) = (quotients.col(c) - value) / (2 * h);
    }
  }
  s.repeat_steps(false);
  s.move_to(s.nlp.start);
  return {quotients.data(), quotients.data() + quotients.size()};
}

/// The Hessian times one direction, without the Hessian where the equations are continuous.
std::vector<double> Gradients::product(const Directions& d) {
  std::vector<double> lambda;
  Eigen::MatrixXd T, moved;
  if (!lagrangian(*main_, d, lambda, T)) return {};
  Eigen::MatrixXd v = Eigen::MatrixXd::Zero(T.cols(), 1);
  for (std::size_t k = 0; k < d.list.size(); ++k)
    if (auto at = gradient_.times.find(d.list[k].name); at != gradient_.times.end())
      v(static_cast<Eigen::Index>(k), 0) = at->second;
  if (main_->has_products()) {
    if (!main_->hessian_times(1, lambda, T * v, moved)) return {};
    v = T.transpose() * moved;
  } else {
    std::vector<double> H = hessian(d);
    if (H.empty()) return {};
    v = Eigen::Map<Eigen::MatrixXd>(H.data(), T.cols(), T.cols()) * v;
  }
  return {v.data(), v.data() + v.size()};
}

/// T' ∇²L T: L with the multipliers that make initial values which equations determine stationary, T how all variables
/// move along the directions.
std::vector<double> Gradients::hessian(const Directions& d) {
  using Eigen::Index;
  Shooting& s = *main_;
  std::vector<double> lambda;
  Eigen::MatrixXd T;
  if (!lagrangian(s, d, lambda, T)) return {};
  Index n = T.rows();
  const double* lower = s.hessian(1, lambda);
  if (!lower) return {};
  Eigen::MatrixXd H(n, n);
  for (Index r = 0, e = 0; r < n; ++r)
    for (Index c = 0; c <= r; ++c, ++e) H(r, c) = H(c, r) = lower[e];
  Eigen::MatrixXd reduced = T.transpose() * (H * T), symmetric = 0.5 * (reduced + reduced.transpose());
  return {symmetric.data(), symmetric.data() + symmetric.size()};
}

/// Can second derivatives be had in sensitivity form?
bool Gradients::sensitivity_form() {
  if (!second_) second_ = make(ShootingGradient::forward, false, false);
  return second_->objection().empty() && second_->has_second_sensitivities();
}

/// The same without an adjoint: the second-order sensitivity equations along all directions.
std::vector<double> Gradients::hessian_by_sensitivities(const Directions& d) {
  std::vector<double> lambda;
  Eigen::MatrixXd T, H;
  second_->want(wanted(d));
  if (!lagrangian(*second_, d, lambda, T) || !second_->hessian_along(1, lambda, T, H)) {
    main_->trouble = second_->trouble;
    return std::vector<double>{};
  }
  return {H.data(), H.data() + H.size()};
}

}  // namespace bolza::transcribe
