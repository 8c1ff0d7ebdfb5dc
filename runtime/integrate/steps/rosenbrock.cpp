// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/rosenbrock.h"

#include <cmath>

#include "runtime/linalg/dense_decompositions.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class Rosenbrock final : public StepScheme {
 public:
  explicit Rosenbrock(const RosenbrockTableau& tableau) : table_(tableau), K_(tableau.stages) {
    Index s = static_cast<Index>(table_.stages);
    MatrixXd alpha = MatrixXd::Zero(s + 1, s + 1), beta = alpha;
    for (Index i = 0; i < s; ++i)
      for (Index j = 0; j < s; ++j) {
        std::size_t k = static_cast<std::size_t>(i * s + j);
        alpha(i, j) = table_.alpha[k];
        beta(i, j) = table_.alpha[k] + table_.Gamma[k];
      }
    for (Index j = 0; j < s; ++j) alpha(s, j) = beta(s, j) = table_.b[static_cast<std::size_t>(j)];
    alpha_ = alpha.rowwise().sum();
    VectorXd b = beta.rowwise().sum();
    gamma_ = (b - alpha_).array() + table_.gamma;
    conditions_.resize(4, s + 1);
    conditions_.row(0).setOnes();
    conditions_.row(1) = b;
    conditions_.row(2) = alpha_.cwiseProduct(alpha_);
    conditions_.row(3) = beta * b;
  }

  std::unique_ptr<StepScheme> clone() const override { return std::make_unique<Rosenbrock>(*this); }

  void restart(StepTape::Point begin, double) override { begin_ = begin; }

  Step write(StepTape& tape, double h) override {
    std::size_t s = table_.stages;
    for (std::size_t i = 0; i < s; ++i) {
      StepTape::Terms state{{1, 0, begin_.state}}, past;
      for (std::size_t j = 0; j < i; ++j) {
        if (double a = table_.alpha[i * s + j]; a != 0) state.push_back({h * a, 1, K_[j]});
        if (double c = table_.Gamma[i * s + j]; c != 0) past.push_back({h * c, 1, K_[j]});
      }
      Index row = static_cast<Index>(i);
      // the last two stages of a method with b₃ = 0 share their point
      bool same = i > 0 && std::equal(&table_.alpha[i * s], &table_.alpha[i * s] + s, &table_.alpha[(i - 1) * s]);
      if (!same) rate_ = tape.rate({begin_.place + alpha_[row] * h, tape.combine(std::move(state))});
      StepTape::Slot along = tape.along(begin_, gamma_[row] * h, 1, std::move(past));
      K_[i] = tape.solve(begin_, table_.gamma * h, tape.combine({{1, 0, rate_}, {1, 0, along}}));
    }
    StepTape::Terms end{{1, 0, begin_.state}};
    VectorXd error = VectorXd::Zero(tape[begin_.state].size());
    for (std::size_t i = 0; i < s; ++i) {
      if (table_.b[i] != 0) end.push_back({h * table_.b[i], 1, K_[i]});
      error += h * table_.error[i] * tape[K_[i]];
    }
    end_ = {begin_.place + h, tape.combine(std::move(end))};
    h_ = h;
    has_last_ = false;
    return {end_, std::move(error)};
  }

  void accept(StepTape&) override { begin_ = end_; }

  VectorXd interpolate(StepTape& tape, double t) override {
    double theta = (t - begin_.place) / h_, g = table_.gamma;
    Index s = static_cast<Index>(table_.stages);
    if (!has_last_) {
      StepTape::Slot rate = tape.rate(end_), along = tape.along(begin_, gamma_[s] * h_, 1, {});
      last_ = tape.solve(begin_, g * h_, tape.combine({{1, 0, rate}, {1, 0, along}}));
      has_last_ = true;
    }
    // the four conditions leave one weight free: that of the last stage of the step
    double free = theta * theta * table_.b.back();
    Eigen::Vector4d wanted(theta, theta * theta / 2 - g * theta, theta * theta * theta / 3,
                           theta * theta * theta / 6 - g * theta * theta + g * g * theta);
    MatrixXd matrix(4, 4);
    matrix << conditions_.leftCols(3), conditions_.col(4);
    VectorXd b = linalg::solve(matrix, wanted - free * conditions_.col(3));
    VectorXd y = tape[begin_.state] + h_ * free * tape[K_[3]] + h_ * b[3] * tape[last_];
    for (std::size_t i = 0; i < 3; ++i) y += h_ * b[static_cast<Index>(i)] * tape[K_[i]];
    return y;
  }

  int error_order() const override { return table_.error_order; }
  StepTape::Slot oldest() const override { return begin_.state; }

 private:
  const RosenbrockTableau& table_;
  VectorXd alpha_, gamma_;  // [stages + 1] sums of rows, γ with the diagonal
  MatrixXd conditions_;     // of order 3, a row each, for the weights [4 × (stages + 1)]
  std::vector<StepTape::Slot> K_;
  StepTape::Slot rate_ = 0, last_ = 0;
  bool has_last_ = false;
  StepTape::Point begin_, end_;
  double h_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_rosenbrock(const Setup& setup, const RosenbrockTableau& tableau) {
  return make_tape_integrator(
      setup, [&tableau](const StepModel&, const MethodOptions&) { return std::make_unique<Rosenbrock>(tableau); });
}

}  // namespace bolza::integrate
