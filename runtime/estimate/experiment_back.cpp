// A recorded run backwards: the adjoint of its stretches, from measurement to measurement, through restarts and steady
// states.
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

void ExperimentRun::begin_recording(const Experiment& experiment, const SharedValues& first, const MatrixXd& restarts_by) {
  recording_ = {};
  recording_.by.push_back(first.by), recording_.restarts_by = restarts_by;
  for (const Experiment::Restart& r : experiment.restarts) recording_.restarted.push_back(r.state);
  for (auto& of_shape : taken_)
    for (std::size_t& taken : of_shape) taken = 0;
}

bool ExperimentRun::back_over(const Recording::Stretch& stretch, std::span<double> lambda, VectorXd& gradient) {
  integrate::Segment& s = *stretch.segment;
  std::vector<double> by_inputs(s.inputs());
  model_.at().shared = stretch.shared;
  model_.forget();
  if (!s.adjoint(lambda, std::vector<double>(model_.model().n_q), by_inputs))
    return failed(0, "the adjoint equations failed");
  Eigen::Map<const VectorXd> by_globals(by_inputs.data() + s.controls(), at(model_.model().n_global));
  gradient += recording_.by[stretch.regime].transpose() * by_globals;
  return true;
}

bool ExperimentRun::back(const MatrixXd& jumps, VectorXd& gradient) {
  std::vector<double> lambda(model_.model().n_x);
  Eigen::Map<VectorXd> l(lambda.data(), at(lambda.size()));
  l.setZero();
  std::size_t k = recording_.after.size();
  for (std::size_t j = recording_.stretches.size() + 1; j-- > 0;) {
    for (; k > 0 && recording_.after[k - 1] == j; --k) l += jumps.col(at(k - 1));
    if (j == recording_.restart)
      for (std::size_t r = recording_.restarted.size(); r-- > 0;) {
        double& of_state = lambda[recording_.restarted[r]];
        gradient += of_state * recording_.restarts_by.row(at(r)).transpose();
        of_state = 0;
      }
    bool is_zero = l.isZero(0);
    if (j > 0 && !is_zero && !back_over(recording_.stretches[j - 1], lambda, gradient)) return false;
  }
  gradient += recording_.initial_by.transpose() * l;
  return gradient.allFinite() || failed(0, "the adjoint is not finite");
}

}  // namespace bolza::estimate
