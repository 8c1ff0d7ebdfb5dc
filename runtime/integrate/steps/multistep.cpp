// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/multistep.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/linalg/collocation_points.h"

namespace bolza::integrate {

namespace {

using Rule = std::pair<std::vector<double>, std::vector<double>>;

const Rule& gauss_rule(std::size_t n) {
  static const std::array<Rule, 9> rules = [] {
    std::array<Rule, 9> out;
    for (std::size_t k = 1; k < out.size(); ++k) out[k] = {linalg::gauss_points(k), linalg::gauss_weights(k)};
    return out;
  }();
  return rules.at(n);
}

}  // namespace

using Eigen::VectorXd;

std::vector<double> integral_weights(std::span<const double> nodes, bool with_slope, double from, double to) {
  std::size_t n = nodes.size();
  std::vector<double> weight(n + with_slope), basis(n);
  const auto& [gauss, share] = gauss_rule(n / 2 + 1);
  double slope = 0;  // of the first basis polynomial at its node
  for (std::size_t k = 1; k < n; ++k) slope += 1 / (nodes[0] - nodes[k]);
  for (std::size_t g = 0; g < gauss.size(); ++g) {
    double t = from + gauss[g] * (to - from), w = share[g] * (to - from), off = t - nodes[0];
    for (std::size_t j = 0; j < n; ++j) {
      basis[j] = 1;
      for (std::size_t k = 0; k < n; ++k)
        if (k != j) basis[j] *= (t - nodes[k]) / (nodes[j] - nodes[k]);
    }
    for (std::size_t j = 0; j < n; ++j) {
      double also = !with_slope ? 1 : j == 0 ? 1 - off * slope : off / (nodes[j] - nodes[0]);
      weight[j] += w * basis[j] * also;
    }
    if (with_slope) weight[n] += w * basis[0] * off;
  }
  return weight;
}

void MultistepScheme::restart(StepTape::Point begin, double stretch) {
  past_.assign(1, {begin, 0});
  has_rate_ = written_ = false;
  stretch_ = stretch;
  taken_ = wanted_ = next_ = 1;
}

void MultistepScheme::begin(StepTape& tape) {
  if (has_rate_) return;
  past_.front().rate = tape.rate(past_.front().point);
  has_rate_ = tape.trouble() == StepTape::Trouble::none;
}

std::size_t MultistepScheme::prepare() {
  written_ = true;
  return taken_ = held_ ? held_ : std::min({past_.size(), most_, automatic_ ? wanted_ : most_});
}

bool MultistepScheme::tame(std::size_t count) const {
  double sum = 0, h = end_.place - past_[0].point.place;
  for (const StepTape::Term& term : formula(nullptr, count, past_[0].point.place, end_.place))
    if (term.power) sum += std::fabs(term.weight);
  return sum <= 3 * std::exp2(static_cast<double>(count)) * h;  // of equal steps: 1, 2, 3.7, 6.7, 12, 23, 42, …
}

void MultistepScheme::judge(double error, double lower, double higher) {
  if (!automatic_) return;
  int p = error_order();
  auto promise = [](double e, int order) {
    return std::isnan(e) ? 0 : 0.9 * std::pow(std::max(e, 1e-10), -1.0 / (order + 1));
  };
  double own = promise(error, p), less = promise(lower, p - 1), more = promise(higher, p + 1);
  bool growing = past_.size() <= taken_ && taken_ < most_ && taken_ < 4;  // nothing is known of the higher order yet
  next_ = taken_;
  factor_ = own;
  if (less >= own && less >= more) {
    next_ = taken_ - 1;
    factor_ = less;
  } else if (more > 1.1 * own) {
    next_ = taken_ + 1;
    factor_ = more;
  } else if (growing && (taken_ == 1 || own > 1.1 * less)) next_ = taken_ + 1;  // as long as that has paid
  wanted_ = error > 1 ? std::min(next_, taken_) : wanted_;                      // tried again: not higher
}

StepTape::Terms MultistepScheme::formula(const Node* first, std::size_t count, double from, double to) const {
  std::vector<double> nodes;
  if (first) nodes.push_back(first->place);
  for (std::size_t k = 0; k < count; ++k) nodes.push_back(past_[k].point.place);
  for (double& node : nodes) node -= past_[0].point.place;
  std::vector<double> w =
      integral_weights(nodes, first && first->with_slope, from - past_[0].point.place, to - past_[0].point.place);
  StepTape::Terms terms{{1, 0, past_[0].point.state}};
  std::size_t k = 0;
  if (first) terms.push_back({w[k++], 1, first->rate});
  for (std::size_t i = 0; i < count; ++i) terms.push_back({w[k++], 1, past_[i].rate});
  if (first && first->with_slope) terms.push_back({w[k], 2, first->slope});
  return terms;
}

VectorXd MultistepScheme::value(const StepTape& tape, const StepTape::Terms& terms) {
  VectorXd out = VectorXd::Zero(tape[terms[0].slot].size());
  for (const StepTape::Term& term : terms) out += term.weight * tape[term.slot];
  return out;
}

void MultistepScheme::accept(StepTape&) {
  written_ = false;
  wanted_ = next_;
  past_.push_front({end_, end_rate_});
  if (past_.size() > most_ + 1) past_.pop_back();
}

StepTape::Slot MultistepScheme::write_error(StepTape& tape) const {
  StepTape::Terms terms = formula(&node_, taken_ - 1, past_[0].point.place, end_.place);
  for (StepTape::Term& term : terms) term.weight = -term.weight;
  terms.push_back({1, 0, end_.state});
  return tape.combine(std::move(terms));
}

VectorXd MultistepScheme::interpolate(StepTape& tape, double t) {
  return value(tape, formula(&node_, taken_, past_[0].point.place, t));
}

StepTape::Slot MultistepScheme::oldest() const {
  StepTape::Slot oldest = past_[0].point.state;
  for (const Past& past : past_) oldest = std::min(oldest, past.rate);
  return oldest;
}

double MultistepScheme::longest_step() const {
  std::size_t now = std::min(past_.size() + written_, most_);  // what was written will be taken
  if (!(fixed_ > 0) || now == most_ || !(fixed_ < stretch_)) return std::numeric_limits<double>::infinity();
  double full = static_cast<double>(most_) + extra_ + 1, own = static_cast<double>(now) + extra_ + 1;
  return stretch_ * std::pow(fixed_ / stretch_, full / own);
}

double MultistepScheme::factor(double error, bool accepted) {
  constexpr double smaller = 0.84089641525371454;  // 2^(−1/4)
  double wanted = automatic_ ? factor_ : 0.9 * std::pow(std::max(error, 1e-10), -1.0 / (error_order() + 1));
  if (!accepted) return wanted < 0.25 ? 0.25 : 0.5;
  return wanted >= 2 ? 2 : wanted >= 1 ? 1 : wanted >= smaller ? smaller : smaller * smaller;
}

}  // namespace bolza::integrate
