// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/growth.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace bolza::transcribe {
namespace {

constexpr Eigen::Index combinations = 4;

/// Largest absolute values at the mesh points, or nominal ones where these are larger.
Eigen::VectorXd sizes_of_states(ShootingPhase& phase) {
  auto n_x = static_cast<Eigen::Index>(phase.model->n_x);
  Eigen::VectorXd size(n_x);
  for (Eigen::Index i = 0; i < n_x; ++i) {
    size[i] = nonlinear::size_of(phase.model->x[i]);
    for (std::size_t k = 0; k <= phase.N(); ++k)
      size[i] = std::max(size[i], std::fabs(phase.node(k)[static_cast<std::size_t>(i)]));
  }
  return size;
}

class Errors {
 public:
  Errors(ShootingNodes& nodes, ShootingPhase& phase)
      : nodes_(nodes),
        phase_(phase),
        size_(sizes_of_states(phase)),
        S_(Eigen::MatrixXd::Zero(size_.size(), combinations)) {}

  bool follow(Growth& growth) {
    for (std::size_t k = 0; k < phase_.N(); ++k) {
      add();
      if (!advance(k)) return false;
      look(k, growth);
    }
    return true;
  }

 private:
  /// What an interval adds: independent of all before.
  void add() {
    for (Eigen::Index c = 0; c < combinations; ++c)
      for (Eigen::Index i = 0; i < size_.size(); ++i) S_(i, c) += size_[i] * (random_() % 2 ? 1 : -1);
  }

  bool advance(std::size_t k) {
    integrate::Segment& segment = phase_.segments[k];
    const bolza_model& m = *phase_.model;
    auto inputs = static_cast<Eigen::Index>(segment.inputs()), n_q = static_cast<Eigen::Index>(m.n_q);
    // of the size of a state: what a linear model does with it, a tolerance of sensitivities can see
    double largest = std::max(1.0, (S_.array().colwise() / size_.array()).abs().maxCoeff());
    integrate::Segment::Directions d{S_ / largest,
                                     Eigen::MatrixXd::Zero(n_q, combinations),
                                     Eigen::MatrixXd::Zero(inputs, combinations),
                                     std::vector<double>(static_cast<std::size_t>(combinations), 1.0),
                                     {}};
    std::vector<double> x(phase_.node(k).begin(), phase_.node(k).end()), q(m.n_q);
    nodes_.start_algebraics(phase_, k);
    if (!segment.tangent(phase_.times[k], nodes_.inputs_at(phase_, k, false), nodes_.inputs_after(phase_, k), x, q, d))
      return false;
    S_ = largest * d.x;
    return S_.allFinite();
  }

  void look(std::size_t k, Growth& growth) const {
    for (Eigen::Index i = 0; i < size_.size(); ++i) {
      double factor = S_.row(i).norm() / (std::sqrt(static_cast<double>(combinations)) * size_[i]);
      if (factor <= growth.factor) continue;
      growth.factor = factor;
      growth.name = phase_.model->x[i].name ? phase_.model->x[i].name : "";
      growth.time = phase_.times[k].begin + phase_.times[k].length;
    }
  }

  ShootingNodes& nodes_;
  ShootingPhase& phase_;
  Eigen::VectorXd size_;
  Eigen::MatrixXd S_;  // [n_x × combinations]
  std::mt19937 random_;
};

}  // namespace

Growth growth_of_errors(ShootingNodes& nodes) {
  Growth growth;
  nodes.leave_site();
  growth.known = true;
  for (ShootingPhase& phase : nodes.phases)
    if (growth.known) growth.known = Errors(nodes, phase).follow(growth);
  nodes.leave_site();
  return growth;
}

}  // namespace bolza::transcribe
