// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <span>

namespace bolza::integrate {

/// What a pipe without mixing holds: ∂z/∂t + ẋ ∂z/∂y = 0 for y in [0, 1], z(0, t) = in0 where x rises, z(1, t) = in1 where
/// it falls [MLS, 3.7.5].
///
/// Material keeps its value and its label, y − (x − x at the start). Per step the label and the value of what entered are
/// polynomials of degree five in time, through six Chebyshev points, so the order of methods up to five is kept; a flow that
/// turns within a step is cut there. Cost: reading is logarithmic in the steps during which the pipe was filled.
class PlugFlow {
 public:
  /// What is at t: x, in0, in1; false when the model has no values there.
  using At = std::function<bool(double t, std::array<double, 3>& values)>;

  /// The pipe at the start: linear between values at ascending places, which may be equal at a jump.
  void begin(double x, std::span<const double> places, std::span<const double> values);
  /// Adds what entered in [a, b], where a is the end of the last. Cost: six calls, some more where the flow turns.
  void append(double a, double b, const At& at);
  /// z(y) when the flow has come to x. What has not entered yet has the value that entered last.
  double value(double y, double x) const;
  /// The way of x from where it is at the end of the last step, at most half a pipe, until a jump or kink leaves at the end
  /// where the flow goes out; `rate` is that of x.
  double way_to_break(double rate) const;
  /// ẋ at the end of the last step; 0 before the first.
  double rate() const { return rate_; }
  /// Whether a jump or kink left in the last step.
  bool passed_break() const { return passed_break_; }
  /// Values at the ends have a jump or kink now.
  void mark();

 private:
  static constexpr std::size_t nodes = 6;
  using Curve = std::array<double, nodes>;  // at Chebyshev's points of a step
  struct Piece {
    double low, high;  ///< labels that it still holds
    Curve label, value;
  };
  struct Sampled {
    Curve x, in0, in1;
  };
  static double read(const Piece& piece, double label);
  bool sample(double a, double b, const At& at, Sampled& out) const;
  void append_part(double a, double b, const At& at, int depth);
  void enter(const Sampled& step);
  void clip();
  void drop_breaks();
  double low() const { return -(x_ - x0_); }

  double x0_ = 0, x_ = 0, rate_ = 0;
  std::deque<Piece> pieces_;   // by labels; never empty after begin
  std::deque<double> breaks_;  // labels, ascending
  bool passed_break_ = false;
};

}  // namespace bolza::integrate
