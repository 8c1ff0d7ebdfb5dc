#pragma once
#include <deque>
#include <span>
#include <vector>

#include "runtime/integrate/tape_method.h"

namespace bolza::integrate {

/// Weights of ∫ P from `from` to `to`, P the polynomial through values at the nodes and, `with_slope`, through a derivative
/// at the first node. Nodes are distinct, of any spacing: for equal steps these are the coefficients of Adams' and Enright's
/// formulas. [nodes (+ 1)], the slope's last. Cost: O(nodes²) for each of about nodes/2 points of Gauss.
std::vector<double> integral_weights(std::span<const double> nodes, bool with_slope, double from, double to);

/// What multistep methods share: the rates at the last states, orders that grow from step to step, lengths of steps that are
/// multiplied by values of a fixed list. Step i takes min(i + 1, most) earlier rates             (000, (4)–(5)).
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

 protected:
  /// @param most  earlier rates that a step takes at most    @param extra  order of a formula minus the rates it takes
  MultistepScheme(const MethodOptions& options, std::size_t most, int extra)
      : fixed_(options.fixed_step),
        most_(most),
        extra_(extra) {}

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
  bool has_rate_ = false, written_ = false;
};

}  // namespace bolza::integrate
