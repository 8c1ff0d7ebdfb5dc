// SPDX-License-Identifier: Apache-2.0
// A recorded run backwards: the adjoint of its stretches, from measurement to measurement, through restarts and steady
// states.
#include <algorithm>
#include <utility>

#include "runtime/estimate/experiment_run.h"

namespace bolza::estimate {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

integrate::Segment& ExperimentRun::recorded_segment(bool linear, bool begins) {
  std::vector<std::unique_ptr<integrate::Segment>>& pool = pool_[linear][begins];
  std::size_t k = taken_[linear][begins]++;
  if (k == pool.size()) pool.push_back(make_segment(linear, begins));
  return *pool[k];
}

void ExperimentRun::begin_recording(const SharedValues& first) {
  recording_ = {};
  recording_.by.push_back(first.by);
  for (auto& of_shape : taken_)
    for (std::size_t& taken : of_shape) taken = 0;
}

bool ExperimentRun::back_over(const Recording::Stretch& stretch, std::span<const double> at_shares,
                              const std::vector<double>& jumps, std::span<double> lambda, VectorXd& gradient) {
  integrate::Segment& s = *stretch.segment;
  integrate::Segment::Backward b{
      {lambda.begin(), lambda.end()}, std::vector<double>(model_.model().n_q), std::vector<double>(s.inputs()), {}, jumps};
  model_.at().shared = stretch.shared;
  model_.forget();
  if (!s.adjoint({&b, 1}, at_shares)) return failed(0, "the adjoint equations failed");
  std::copy(b.lambda.begin(), b.lambda.end(), lambda.begin());
  Eigen::Map<const VectorXd> by_globals(b.gradient.data() + s.controls(), at(model_.model().n_global));
  gradient += recording_.by[stretch.regime].transpose() * by_globals;
  return true;
}

bool ExperimentRun::back(const MatrixXd& jumps, VectorXd& gradient) {
  std::vector<double> lambda(model_.model().n_x), shares, within;
  Eigen::Map<VectorXd> l(lambda.data(), at(lambda.size()));
  l.setZero();
  std::size_t k = recording_.times.size(), change = recording_.changes.size();
  for (std::size_t j = recording_.stretches.size() + 1; j-- > 0;) {
    for (; k > 0 && !recording_.times[k - 1].within && recording_.times[k - 1].after == j; --k) l += jumps.col(at(k - 1));
    for (; change > 0 && recording_.changes[change - 1].after == j; --change) {
      const Recording::Change& c = recording_.changes[change - 1];
      VectorXd of_states(at(c.states.size()));
      for (std::size_t r = 0; r < c.states.size(); ++r) of_states[at(r)] = std::exchange(lambda[c.states[r]], 0);
      gradient += c.by.transpose() * of_states;
      l += c.by_x.transpose() * of_states;
    }
    if (j == 0) break;
    shares.clear();
    within.clear();
    for (; k > 0 && recording_.times[k - 1].within && recording_.times[k - 1].after + 1 == j; --k) {
      shares.push_back(recording_.times[k - 1].share);
      within.insert(within.end(), jumps.col(at(k - 1)).begin(), jumps.col(at(k - 1)).end());
    }
    bool is_zero = l.isZero(0) && std::all_of(within.begin(), within.end(), [](double v) { return v == 0; });
    if (!is_zero && !back_over(recording_.stretches[j - 1], shares, within, lambda, gradient)) return false;
  }
  gradient += recording_.initial_by.transpose() * l;
  return gradient.allFinite() || failed(0, "the adjoint is not finite");
}

}  // namespace bolza::estimate
