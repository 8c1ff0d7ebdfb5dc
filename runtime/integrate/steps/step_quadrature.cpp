// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/step_quadrature.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "runtime/integrate/steps/multistep.h"

namespace bolza::integrate {
namespace {

constexpr std::size_t most_nodes = 6;
constexpr double nearest = 0.03;

}  // namespace

void StepQuadrature::start(double t, std::span<const double> values) {
  nodes_.clear();
  nodes_.push_front({t, 0, {values.begin(), values.end()}});
  sum_.assign(values.size(), 0);
}

void StepQuadrature::settle(const Node& node) {
  for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += node.weight * node.values[k];
}

void StepQuadrature::step(double t, std::span<const double> values, int order) {
  Node next;
  if (nodes_.size() == most_nodes) {
    settle(nodes_.back());
    next = std::move(nodes_.back());  // its memory serves again
    nodes_.pop_back();
  }
  next.t = t;
  next.weight = 0;
  next.values.assign(values.begin(), values.end());
  nodes_.push_front(std::move(next));
  std::vector<double> places{0};
  std::size_t most = std::min(nodes_.size(), static_cast<std::size_t>(std::max(order, 1)) + 1);
  double width = std::fabs(nodes_[1].t - t);
  for (std::size_t k = 1; k < most; ++k) {  // much nearer to each other than the step is long they amplify rounding
    if (k > 1 && std::fabs(nodes_[k].t - nodes_[k - 1].t) < nearest * width) break;
    places.push_back(nodes_[k].t - t);
  }
  std::size_t count = places.size();
  std::vector<double> weights = integral_weights(places, false, places[1], 0);
  for (std::size_t k = 0; k < count; ++k) nodes_[k].weight += weights[k];
}

void StepQuadrature::add_to(std::span<double> integrals) const {
  for (std::size_t k = 0; k < integrals.size(); ++k) {
    integrals[k] += sum_[k];
    for (const Node& node : nodes_) integrals[k] += node.weight * node.values[k];
  }
}

void ManyIntegrals::set_tolerances(std::span<const double> tolerance, double rtol) {
  std::uint64_t random = 1;
  double count = std::sqrt(static_cast<double>(rate.size()));
  for (std::vector<double>& share : share_) {
    share.resize(rate.size());
    for (std::size_t k = 0; k < rate.size(); ++k) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      share[k] = (random >> 63 ? 1 : -1) * rtol / (tolerance[k] * count);
    }
  }
}

void ManyIntegrals::combine(std::span<double> out) const {
  for (std::size_t r = 0; r < combinations; ++r) {
    out[r] = 0;
    for (std::size_t k = 0; k < rate.size(); ++k) out[r] += share_[r][k] * rate[k];
  }
}

}  // namespace bolza::integrate
