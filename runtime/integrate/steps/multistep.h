// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <span>
#include <vector>

#include "runtime/integrate/steps/tape_method.h"

namespace bolza::integrate {

/// Weights of ∫ P from `from` to `to`, P the polynomial through values at the nodes and, `with_slope`, through a derivative
/// at the first node. Nodes are distinct, of any spacing: for equal steps these are the coefficients of Adams' and Enright's
/// formulas. [nodes (+ 1)], the slope's last. Cost: O(nodes²) for each of about nodes/2 points of Gauss.
std::vector<double> integral_weights(std::span<const double> nodes, bool with_slope, double from, double to);

/// What multistep methods share: the rates at the last states, lengths of steps that are multiplied by values of a fixed
/// list, orders. Step i takes min(i + 1, most) earlier rates [GOMEZ, (4)–(5)], or as many as promise the longest step: the
/// errors of one rate less and one more are estimated alongside that of the step, from rates that are there already. An
/// order is left only for one that promises a tenth more, upwards, or as much, downwards.
///
/// A run of fixed steps begins with shorter ones, such that their errors, of lower order, are as small as those of the
/// others.
class MultistepScheme : public StepScheme {
 public:
  void restart(StepTape::Point begin, double stretch) override;
  void begin(StepTape& tape) override;
  void accept(StepTape& tape) override;
  Eigen::VectorXd interpolate(StepTape& tape, double t) override;
  double longest_step() const override;
  double factor(double error, bool accepted) override;
  StepTape::Slot oldest() const override;
  void judge(double error, double lower, double higher) override;
  int order() const override { return static_cast<int>(taken_); }
  void hold_order(int order) override { held_ = static_cast<std::size_t>(order); }

  // The lengths of steps as variables
  /// Writes the error estimate of the step written last.
  virtual StepTape::Slot write_error(StepTape& tape) const;
  std::size_t nodes() const { return past_.size(); }  ///< the start of the step first, then the ends before
  double node(std::size_t k) const { return past_[k].point.place; }
  StepTape::Slot begin_state() const { return past_[0].point.state; }
  void move_node(std::size_t k, double by) { past_[k].point.place += by; }

 protected:
  /// @param most  earlier rates that a step takes at most    @param extra  order of a formula minus the rates it takes
  MultistepScheme(const MethodOptions& options, std::size_t most, int extra)
      : fixed_(options.fixed_step),
        most_(most),
        extra_(extra),
        automatic_(automatic(options)) {}
  static bool automatic(const MethodOptions& options) {
    return options.order_selection != "ramp" && !(options.fixed_step > 0);
  }
  /// Are the predictor's coefficients not much larger than those of equal steps? Where lengths have just grown, those of
  /// high order multiply rounding.
  bool tame(std::size_t count) const;
  /// Estimates of neighbouring orders into `step`; `filter` takes stiff parts out.
  template <class Filter>
  void estimate_neighbours(const StepTape& tape, Step& step, Filter&& filter) const {
    if (!automatic_ || held_) return;
    auto with = [&](std::size_t count) { return value(tape, formula(&node_, count, past_[0].point.place, end_.place)); };
    if (taken_ > 1) step.lower = filter(with(taken_ - 1) - with(taken_ - 2));
    if (taken_ < most_ && past_.size() > taken_ && tame(taken_ + 1)) step.higher = filter(with(taken_ + 1) - with(taken_));
  }

  struct Past {
    StepTape::Point point;
    StepTape::Slot rate;
  };
  /// How many earlier rates this step takes.
  std::size_t prepare();
  /// x + Σ w_k rates with P through `first` (its rates, and slopes: 0 for none) and the last `count` rates.
  struct Node {
    double place;
    StepTape::Slot rate, slope;
    bool with_slope;
  };
  StepTape::Terms formula(const Node* first, std::size_t count, double from, double to) const;
  static Eigen::VectorXd value(const StepTape& tape, const StepTape::Terms& terms);

  std::deque<Past> past_;  ///< the latest first
  StepTape::Point end_;
  StepTape::Slot end_rate_ = 0;
  Node node_{};            ///< at the end of the step, as its last formula takes it
  std::size_t taken_ = 1;  ///< earlier rates that the last step took
  double h_ = 0;

 private:
  double fixed_, stretch_ = 0;
  std::size_t most_;
  int extra_;
  bool automatic_, has_rate_ = false, written_ = false;
  std::size_t wanted_ = 1, next_ = 1, held_ = 0;  // earlier rates: of the next attempt, of the next step, given
  double factor_ = 1;                             // that the order of the next step promises
};

}  // namespace bolza::integrate
