// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "runtime/estimate/search/profile.h"
#include "runtime/linalg/dense_decompositions.h"
#include "runtime/nlp/solve.h"

namespace bolza::estimate {
namespace {

/// A fit with the parameter held: where, how low, how steep, and how curved.
struct Held {
  ProfilePoint point;
  double slope = 0;       // of the profile by the parameter: the gradient's entry, as the others' are zero
  double curvature = 0;   // of the profile, by the Fisher information
  Eigen::VectorXd along;  // [parameters] slopes of the path
};

class ProfileWalk {
 public:
  ProfileWalk(FitObjective& objective, std::size_t parameter, int direction, const ProfileOptions& options)
      : objective_(objective),
        parameter_(parameter),
        direction_(direction),
        options_(options),
        threshold_(profile_threshold(options)),
        bound_(direction < 0 ? objective.box().lower[parameter] : objective.box().upper[parameter]) {}

  ProfileSide run(std::span<const double> optimum);

 private:
  using End = ProfileSide::End;

  void look_ahead(const Likelihood& at, Held& held) const;
  std::vector<double> predicted(const Held& from, double at) const;
  bool refit(const Held& from, double at, Held& out);
  double step_from(const Held& here) const;
  void find_crossing(Held below, Held above);
  bool end(End how, double at, std::string message = {}) {
    side_.end = how;
    side_.at = at;
    side_.message = std::move(message);
    return false;
  }
  bool walk_on(Held& here);
  bool is_interrupted() const { return options_.budget.ended(); }

  FitObjective& objective_;
  std::size_t parameter_;
  int direction_;
  const ProfileOptions& options_;
  double threshold_, bound_, base_ = 0, last_step_ = 0, from_ = 0;
  double blocked_ = INFINITY;  // where a refit failed, the nearest
  ProfileSide side_;
};

/// Predictor: with the parameter moved by one, the others follow by −F_oo⁻¹ F_ot, where F_oo has rank; those on a bound that
/// holds them stay.
void ProfileWalk::look_ahead(const Likelihood& at, Held& held) const {
  constexpr double rank = 1e-10, on_bound = 1e-9;
  auto n = at.gradient.size(), p = static_cast<Eigen::Index>(parameter_);
  const Box& box = objective_.box();
  std::vector<Eigen::Index> others;
  for (Eigen::Index k = 0; k < n; ++k) {
    auto i = static_cast<std::size_t>(k);
    double theta = held.point.theta[i], near = on_bound * box.scale(i, theta);
    bool held_back =
        (theta - box.lower[i] <= near && at.gradient[k] > 0) || (box.upper[i] - theta <= near && at.gradient[k] < 0);
    if (k != p && !held_back) others.push_back(k);
  }
  held.slope = at.gradient[p];
  held.along.setZero(n);
  held.along[p] = 1;
  held.curvature = std::max(0.0, at.fisher(p, p));
  if (others.empty()) return;
  Eigen::MatrixXd F = at.fisher(others, others);
  Eigen::VectorXd mixed = at.fisher(others, std::vector<Eigen::Index>{p});
  // scaled to a unit diagonal, so that rank does not depend on units
  Eigen::VectorXd size = F.diagonal().cwiseMax(0).cwiseSqrt();
  for (double& s : size) s = s > 0 ? 1 / s : 0;
  auto spectrum = linalg::spectrum(size.asDiagonal() * F * size.asDiagonal());
  if (!spectrum) return;
  Eigen::VectorXd values = spectrum->values, part = spectrum->vectors.transpose() * size.cwiseProduct(mixed);
  for (Eigen::Index k = 0; k < values.size(); ++k) part[k] = values[k] > rank * values.maxCoeff() ? part[k] / values[k] : 0;
  Eigen::VectorXd follow = -size.cwiseProduct(spectrum->vectors * part);
  for (std::size_t k = 0; k < others.size(); ++k) held.along[others[k]] = follow[static_cast<Eigen::Index>(k)];
  held.curvature = std::max(0.0, at.fisher(p, p) + mixed.dot(follow));
}

std::vector<double> ProfileWalk::predicted(const Held& from, double at) const {
  const Box& box = objective_.box();
  std::vector<double> theta = from.point.theta;
  for (std::size_t k = 0; k < theta.size(); ++k)
    theta[k] =
        std::clamp(theta[k] + (at - from.point.at) * from.along[static_cast<Eigen::Index>(k)], box.lower[k], box.upper[k]);
  theta[parameter_] = at;
  return theta;
}

/// From the predictor, and when that fails from where the last fit was.
bool ProfileWalk::refit(const Held& from, double at, Held& out) {
  Box box = objective_.box();
  box.lower[parameter_] = box.upper[parameter_] = at;
  LocalFit best;
  for (bool ahead : {true, false}) {
    std::vector<double> start = from.point.theta;
    if (ahead) start = predicted(from, at);
    start[parameter_] = at;
    best = minimise(objective_, box, start, options_.engine, Order::fisher);
    if (nlp::is_solution(best.status) && std::isfinite(best.at.value)) break;
    if (is_interrupted()) break;
  }
  if (!nlp::is_solution(best.status) || !std::isfinite(best.at.value)) {
    side_.message = best.message;
    return false;
  }
  out.point = {at, best.at.value, best.theta};
  look_ahead(best.at, out);
  return true;
}

/// A step that should raise the value by a share of the threshold, no more than a few times the last.
double ProfileWalk::step_from(const Held& here) const {
  constexpr double share = 0.15, growth = 3, part_of_range = 0.1, least_share = 1e-3;
  double rise = share * threshold_, slope = std::max(0.0, direction_ * here.slope), c = here.curvature;
  double step = std::sqrt(slope * slope + 2 * c * rise) + slope;  // of c/2 h² + slope h = rise
  step = step > 0 ? 2 * rise / step : INFINITY;
  double range = objective_.box().upper[parameter_] - objective_.box().lower[parameter_];
  double unit = std::isfinite(range) ? range : objective_.box().scale(parameter_, here.point.at);
  step = std::min(step, part_of_range * unit * (std::isfinite(range) ? 1 : 10));
  if (last_step_ > 0) step = std::clamp(step, least_share * last_step_, growth * last_step_);
  return step;
}

/// Newton's method on the profile within a bracket: from the end that is nearer to the threshold.
void ProfileWalk::find_crossing(Held below, Held above) {
  constexpr int most = 30;
  double aim = base_ + threshold_;
  for (int iteration = 0; iteration < most; ++iteration) {
    const Held& nearer = aim - below.point.value < above.point.value - aim ? below : above;
    if (std::abs(nearer.point.value - aim) <= options_.exactness * options_.noise_variance) break;
    double low = std::min(below.point.at, above.point.at), high = std::max(below.point.at, above.point.at);
    double at = nearer.point.at + (aim - nearer.point.value) / nearer.slope;
    if (!(at > low && at < high)) {  // the slope leads outside: the chord, kept off the ends
      double t = (aim - below.point.value) / (above.point.value - below.point.value);
      at = below.point.at + std::clamp(t, 0.1, 0.9) * (above.point.at - below.point.at);
    }
    Held between;
    if (high - low <= 1e-12 * objective_.box().scale(parameter_, high) || !refit(nearer, at, between)) break;
    side_.points.push_back(between.point);
    (between.point.value < aim ? below : above) = std::move(between);
  }
  const Held& nearer = aim - below.point.value < above.point.value - aim ? below : above;
  end(End::crossed, nearer.point.at);
  std::sort(side_.points.begin(), side_.points.end(),
            [this](const ProfilePoint& a, const ProfilePoint& b) { return direction_ * a.at < direction_ * b.at; });
}

/// One step. False: this side is done.
bool ProfileWalk::walk_on(Held& here) {
  constexpr double too_much = 3, share = 0.15, close = 1e-2;
  constexpr int most_halvings = 12;
  if (is_interrupted()) return end(End::lost, here.point.at, "interrupted");
  if (here.point.at == bound_) return end(End::bound, bound_);
  if (side_.points.size() >= options_.points) return end(End::far, here.point.at);
  double room = std::abs(blocked_ - here.point.at);
  if (room <= close * std::abs(here.point.at - from_)) return end(End::failed, here.point.at, side_.message);
  double step = std::min(step_from(here), 0.5 * room);
  for (int halving = 0;; ++halving) {
    double at = here.point.at + direction_ * step;
    if (direction_ * (at - bound_) >= 0) {
      at = bound_;
      step = std::abs(at - here.point.at);
    }
    Held next;
    bool good = refit(here, at, next);
    if (is_interrupted()) return end(End::lost, here.point.at, "interrupted");
    bool crossed = good && next.point.value >= base_ + threshold_;
    bool coarse = good && next.point.value - here.point.value > too_much * share * threshold_ && !crossed;
    if (!good) blocked_ = at;
    if ((!good || coarse) && halving < most_halvings) {
      step /= good ? 2 : 4;
      continue;
    }
    if (!good) return end(End::failed, here.point.at, side_.message);
    side_.points.push_back(next.point);
    last_step_ = step;
    if (crossed) {
      find_crossing(std::move(here), std::move(next));
      return false;
    }
    here = std::move(next);
    return true;
  }
}

ProfileSide ProfileWalk::run(std::span<const double> optimum) {
  std::size_t before = objective_.n_evaluations();
  Likelihood at;
  Held here;
  here.point.theta.assign(optimum.begin(), optimum.end());
  here.point.at = from_ = optimum[parameter_];
  if (objective_.evaluate(optimum, Order::fisher, at)) {
    here.point.value = base_ = at.value;
    look_ahead(at, here);
    while (walk_on(here)) {}
  } else {
    end(End::failed, here.point.at, at.trouble.text.empty() ? "no value at the optimum" : at.trouble.text);
  }
  side_.evaluations = objective_.n_evaluations() - before;
  return std::move(side_);
}

}  // namespace

ProfileSide profile_side(FitObjective& objective, std::span<const double> optimum, std::size_t parameter, int direction,
                         const ProfileOptions& options) {
  return ProfileWalk(objective, parameter, direction, options).run(optimum);
}

}  // namespace bolza::estimate
