// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/diagonal_runge_kutta.h"

namespace bolza::integrate {
namespace {

using Eigen::VectorXd;

// In increments Z_i = h K_i = (Y_i − b_i)/γ, which keep their digits where f is stiff.
class DiagonalRungeKutta final : public StepScheme {
 public:
  explicit DiagonalRungeKutta(const DiagonalTableau& tableau) : table_(tableau), Z_(tableau.stages) {}

  std::unique_ptr<StepScheme> clone() const override { return std::make_unique<DiagonalRungeKutta>(*this); }

  void restart(StepTape::Point begin, double) override {
    begin_ = begin;
    slope_.resize(0);
  }

  Step write(StepTape& tape, double h) override {
    if (slope_.size() == 0) slope_ = tape[tape.rate(begin_)];
    std::size_t s = table_.stages;
    StepTape::Slot last = begin_.state;
    for (std::size_t i = 0; i < s; ++i) {
      StepTape::Terms b{{1, 0, begin_.state}};
      for (std::size_t j = 0; j < i; ++j)
        if (double a = table_.a[i * s + j]; a != 0) b.push_back({a, 0, Z_[j]});
      StepTape::Slot known = tape.combine(std::move(b));
      VectorXd guess =
          i ? VectorXd(tape[known] + table_.gamma * tape[Z_[i - 1]]) : VectorXd(tape[known] + table_.gamma * h * slope_);
      last = tape.implicit(begin_.place + table_.c[i] * h, h * table_.gamma, 0, {{1, 0, known}}, guess);
      Z_[i] = tape.combine({{1 / table_.gamma, 0, last}, {-1 / table_.gamma, 0, known}});
    }
    end_ = {begin_.place + h, last};
    h_ = h;
    VectorXd error = VectorXd::Zero(slope_.size());
    for (std::size_t i = 0; i < s; ++i) error += table_.error[i] * tape[Z_[i]];
    return {end_, tape.filtered(std::move(error))};
  }

  void accept(StepTape& tape) override {
    slope_ = tape[Z_.back()] / h_;
    begin_ = end_;
  }

  VectorXd interpolate(StepTape& tape, double t) override {
    auto cubic = [&](double theta) -> VectorXd {
      return hermite(tape[begin_.state], slope_, tape[end_.state], tape[Z_.back()] / h_, h_, theta);
    };
    VectorXd middle = tape[begin_.state];
    for (std::size_t i = 0; i < table_.stages; ++i) middle += table_.middle[i] * tape[Z_[i]];
    double theta = (t - begin_.place) / h_, bubble = 16 * theta * theta * (1 - theta) * (1 - theta);
    return cubic(theta) + bubble * (middle - cubic(0.5));
  }

  int error_order() const override { return table_.error_order; }
  StepTape::Slot oldest() const override { return begin_.state; }

 private:
  const DiagonalTableau& table_;
  std::vector<StepTape::Slot> Z_;
  StepTape::Point begin_, end_;
  VectorXd slope_;  // at the start
  double h_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_diagonal(const Setup& setup, const DiagonalTableau& tableau) {
  return make_tape_integrator(
      setup, [&tableau](const StepModel&, const MethodOptions&) { return std::make_unique<DiagonalRungeKutta>(tableau); });
}

}  // namespace bolza::integrate
