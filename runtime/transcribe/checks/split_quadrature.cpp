// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/split_quadrature.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bolza::transcribe {
namespace {

using Values = SplitQuadrature::Values;

struct QuadraturePart {
  double left, length;
  std::vector<Values> at;  // at the points of the rule
  Values sum;
  int level;
};

double all_of(const Values& values) {
  double sum = 0;
  for (double v : values) sum += std::abs(v);
  return sum;
}

Values combined(const Values& a, double factor, const Values& b) {
  Values out(a);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += factor * b[i];
  return out;
}

Values sum_of(const SplitQuadrature& rule, double length, const std::vector<Values>& at) {
  Values sum(at.front().size(), 0);
  for (std::size_t k = 0; k < at.size(); ++k) sum = combined(sum, length * rule.weight[k], at[k]);
  return sum;
}

/// A half of a part; its end that is in the middle of the part gives the other half its values, too.
QuadraturePart half_of(const SplitQuadrature& rule, const QuadraturePart& whole, bool right, const Values& middle,
                       const SplitQuadrature::Density& density) {
  QuadraturePart half{whole.left + (right ? 0.5 : 0) * whole.length, 0.5 * whole.length, {}, {}, whole.level + 1};
  for (std::size_t k = 0; k < rule.tau.size(); ++k)
    if (rule.tau[k] == 0) half.at.push_back(right ? middle : whole.at[k]);
    else if (rule.tau[k] == 1) half.at.push_back(right ? whole.at[k] : middle);
    else half.at.push_back(density(half.left + rule.tau[k] * half.length));
  half.sum = sum_of(rule, half.length, half.at);
  return half;
}

}  // namespace

Values SplitQuadrature::integrate(const std::vector<Values>& at_points, const Density& density, double floor) const {
  std::vector<QuadraturePart> open;
  open.push_back({0, 1, at_points, sum_of(*this, 1, at_points), 0});
  Values total = open.front().sum;
  while (!open.empty()) {
    QuadraturePart part = std::move(open.back());
    open.pop_back();
    Values middle = density(part.left + 0.5 * part.length);
    QuadraturePart left = half_of(*this, part, false, middle, density), right = half_of(*this, part, true, middle, density);
    Values change = combined(combined(left.sum, 1, right.sum), -1, part.sum);
    total = combined(total, 1, change);
    if (!std::isfinite(all_of(total))) break;
    if (all_of(change) <= std::max(floor, share * all_of(total)) || part.level + 1 >= most_levels) continue;
    open.push_back(std::move(left));
    open.push_back(std::move(right));
  }
  return total;
}

}  // namespace bolza::transcribe
