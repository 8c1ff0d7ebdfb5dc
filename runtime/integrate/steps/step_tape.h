// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "runtime/integrate/model/step_model.h"
#include "runtime/integrate/steps/implicit_matrix.h"

namespace bolza::integrate {

/// The steps of a run as a list of operations on vectors y = (x, Q). A method writes down its step in these operations once;
/// they are carried out as they are written, can be carried out again from another start with other parameters, and have an
/// exact tangent and adjoint: derivatives of the numbers computed, with the lengths of the steps frozen as fractions of the
/// stretch [begin, begin + length].
///
/// With F = (f, q) and D(p; σ, v) = σ (F_t + F_u u') + F_x v at a point p = (place, state):
///
///   combine   y = Σ w L^k y_k                                    L the length of the stretch
///   rate      F(p)
///   along     D(p; w L^k, v), v = Σ …: with σ = 1 and v = f(p) the second derivative y'' = f_t + f_x f
///   solve     K of K = b + w L F_x(p) K                          Rosenbrock
///   implicit  y of y = b + w₁ L F(t, y) + w₂ L² D(t, y; 1, f)    SDIRK (w₂ = 0), Enright
///   series    x^(k)(p)/k!, k = 1 … K, of the solution through p  Taylor
///
/// Requires  Hessian kernels for derivatives of along, solve and of implicit with w₂ ≠ 0; nothing else than the Jacobian's
/// otherwise. Memory: one vector an operation and about 200 bytes, unless it `forgets`: a run may be divided into stretches
/// of steps, each on a tape of its own that `resume`s with the values which the one before left live.
class StepTape {
 public:
  using Slot = std::size_t;
  struct Term {
    double weight;
    int power;  ///< of the length
    Slot slot;
  };
  using Terms = std::vector<Term>;
  struct Point {
    double place = 0;  ///< t = begin + place length
    Slot state = 0;
  };
  enum class Trouble : std::uint8_t { none, not_finite, diverged };

  /// `exactly`: implicit equations are solved to rounding, else to `tolerance` in the norm of `scale`.
  explicit StepTape(StepModel& model, bool exactly = true) : model_(&model), exactly_(exactly) {}
  void set_accuracy(Eigen::VectorXd scale, double tolerance) {
    scale_ = std::move(scale);
    tolerance_ = tolerance;
  }

  // Writing down: after trouble nothing is carried out until `rewind`.
  Slot start(Eigen::VectorXd y);  ///< clears the tape; the first slot
  /// Clears the tape and goes on from values of another one, the first in slot `first`. What is written from here on, in
  /// seconds from `unit_begin` on for `unit` seconds, is carried out on the stretch [begin, begin + length].
  void resume(Slot first, std::vector<Eigen::VectorXd> live, double unit_begin, double unit, double begin, double length);
  /// The values from a slot on.
  std::vector<Eigen::VectorXd> live(Slot from) const {
    return {values_.begin() + static_cast<std::ptrdiff_t>(from - forgotten_), values_.end()};
  }
  Slot combine(Terms terms);
  Slot rate(Point point);
  Slot along(Point point, double time, int time_power, Terms direction);
  Slot solve(Point point, double weight, Slot b);
  Slot implicit(double place, double by_rate, double by_slope, Terms b, const Eigen::VectorXd& guess);
  Slot series(Point point, std::size_t order);  ///< the first of `order` slots
  /// The state at the end of a step.
  void end_step(Point end) { ends_.push_back({place_of(end.place), end.state}); }

  const Eigen::VectorXd& operator[](Slot slot) const { return values_[slot - forgotten_]; }
  Trouble trouble() const { return trouble_; }
  /// (1 − w₁ L F_x − …)⁻¹ v with the matrix of the last implicit equation: takes stiff parts out of an error estimate.
  Eigen::VectorXd filtered(Eigen::VectorXd v) const;
  int newton() const { return newton_; }  ///< iterations of the implicit equations since the last mark

  struct Mark {
    std::size_t ops, slots, ends;  ///< counted from the start of the run
  };
  Mark mark();
  void rewind(const Mark& mark);
  /// Operations and values before a slot are needed no more.
  void forget_before(Slot slot);
  bool forgets = false;  ///< whoever writes forgets what it needs no more
  std::size_t bytes() const;
  /// From here on the stretch is [begin, begin + length]: what was written in seconds becomes fractions.
  void rescale(double begin, double length);

  std::size_t steps() const { return ends_.size(); }
  double place_of_end(std::size_t step) const { return ends_[step].place; }
  Slot first() const { return forgotten_; }
  Slot end() const { return ends_.empty() ? forgotten_ : ends_.back().state; }  ///< the state at the end of the last step

  /// Carries out all operations again from y at the start; y becomes that at the end.
  bool replay(StepModel& model, double begin, double length, Eigen::VectorXd& y);

  /// How the objective moves with what a point of the tape depends on besides the state.
  struct PointGradient {
    double place = 0;
    std::vector<double> by;        ///< [1 + n_u + n_p] time, inputs, global shared values
    std::vector<double> by_slope;  ///< [n_u] du/dt
  };
  using Sink = std::function<void(const PointGradient&)>;
  using AtEnd = std::function<void(std::size_t step, const Eigen::VectorXd& lambda)>;
  /// From dJ/dy at the end to dJ/dy at the start. `by_length`: dJ/dL with the points' times fixed. `at_end` (descending):
  /// the derivative by the state at the end of a step, what was computed before held.
  bool adjoint(StepModel& model, Eigen::VectorXd& lambda, const Sink& sink, double& by_length, const AtEnd& at_end);
  /// Derivatives by the values of slots from `first` on; an empty vector is 0.
  struct Bars {
    Slot first = 0;
    std::vector<Eigen::VectorXd> by;
  };
  /// The numbers in an operation, as fractions of the stretch: what it is with the lengths of steps.
  struct Coefficients {
    double place = 0, a = 0, b = 0;
    std::vector<double> terms;
  };
  std::size_t operations() const { return ops_.size(); }
  Coefficients coefficients(std::size_t op) const;
  using CoefficientSink = std::function<void(std::size_t op, const Coefficients& by)>;
  /// The same for a tape that was resumed: from the derivatives by what it left live to those by what it began with.
  /// `by_length` is added to. `coefficients` gets the derivatives by the numbers of every operation but `series`.
  bool adjoint(StepModel& model, Bars& bars, const Sink& sink, double& by_length, const AtEnd& at_end,
               const CoefficientSink& coefficients = {});
  /// Operations are written down but not carried out from here to the next `resume`.
  void only_write() { trouble_ = Trouble::not_finite; }

  struct PointDirections {
    Eigen::MatrixXd by, slope;  ///< [(1 + n_u + n_p) × m], [n_u × m]
  };
  using Directions = std::function<PointDirections(double place)>;
  /// From dy at the start [n × m] to dy at the end. `length` [m]: directions of the length.
  bool tangent(StepModel& model, Eigen::MatrixXd& dy, const Eigen::RowVectorXd& length, const Directions& directions);
  /// The same for a tape that was resumed: `dots` [n × m] each, of what it began with, become those of all its slots.
  bool tangent(StepModel& model, std::vector<Eigen::MatrixXd>& dots, const Eigen::RowVectorXd& length,
               const Directions& directions);

  /// How a PointGradient moves along m directions.
  struct PointMoves {
    Eigen::MatrixXd by, by_slope;  ///< [(1 + n_u + n_p) × m], [n_u × m]
  };
  using SecondSink = std::function<void(const PointGradient&, const PointMoves&)>;
  /// Second derivatives, forward over adjoint: the adjoint of every operation differentiated along m directions. Exact;
  /// third derivatives of F (along, solve, implicit with w₂ ≠ 0) of functions with Programs are differences of exact second
  /// ones, each at its own point.
  /// @param dots  [n × m] of all slots, from `tangent`   @param bars, moves  as Bars of `adjoint`, in and out
  bool second(StepModel& model, const std::vector<Eigen::MatrixXd>& dots, Bars& bars, std::vector<Eigen::MatrixXd>& moves,
              const Eigen::RowVectorXd& length, const Directions& directions, const SecondSink& sink,
              Eigen::RowVectorXd& by_length);

 private:
  enum class Kind : std::uint8_t { combine, rate, along, solve, implicit, series };
  struct Op {
    Kind kind;
    Slot out;
    Terms terms;            // combine; along: direction; solve: b; implicit: b
    Point point;            // implicit: its state is `out`
    double a = 0, b = 0;    // along: time; solve: weight; implicit: by_rate, by_slope
    int power = 0;          // along: of time
    std::size_t order = 0;  // series
  };
  Slot write(Op op, std::size_t slots = 1);
  bool run(const Op& op);
  bool run_implicit(const Op& op);
  bool run_series(const Op& op);
  Eigen::VectorXd sum(const Terms& terms) const;
  double power(int k) const;
  double time(double place) const { return begin_ + place * length_; }
  double place_of(double written) const { return (written - unit_begin_) / unit_; }
  void to_fractions(Op& op) const;
  Eigen::VectorXd& value(Slot slot) { return values_[slot - forgotten_]; }
  bool linearise(double place, Slot state);
  bool linearise_once(Point point);  // as linearise, but the model stays where it is when J is there already
  bool stand_at(Point point);        // as linearise_once, and the model is there
  bool factorise_once(double w);     // 1 − w J_x there
  Eigen::VectorXd direction(double sigma, const Eigen::VectorXd& v) const;
  bool curvature(const Eigen::VectorXd& direction, RateJacobian::Sparse& S_dot);
  Eigen::MatrixXd moved(const Terms& terms, const std::vector<Eigen::MatrixXd>& dots,
                        const Eigen::RowVectorXd& length) const;
  Eigen::MatrixXd moved(const Point& point, const PointDirections& given, const std::vector<Eigen::MatrixXd>& dots) const;
  bool fail(Trouble trouble) {
    trouble_ = trouble;
    return false;
  }

  // What is written, carried out as it is written.
  StepModel* model_;        // whose rates: given at first, then by the last replay or differentiation; never null
  std::deque<Op> ops_;      // in the order of writing; arguments of an operation have lower slots than its result
  std::deque<Point> ends_;  // one per step; places and slots ascend
  std::deque<Eigen::VectorXd> values_;  // [n] each, of slots forgotten_, forgotten_ + 1, …; 0 where nothing was carried out
  std::size_t forgotten_ = 0;  // slots before the first of values_: forgotten ones, or those of tapes before this one
  std::size_t forgotten_ops_ = 0, forgotten_ends_ = 0;  // operations and ends dropped since the last `start` or `resume`
  double begin_ = 0, length_ = 1;                       // the stretch on which operations are carried out, seconds
  double unit_begin_ = 0, unit_ = 1;  // the stretch in whose seconds they are written; (0, 1): places are fractions, or
                                      // seconds until `rescale`
  Trouble trouble_ = Trouble::none;   // the first since `start`, `resume`, `rewind`, or the start of a pass over the tape

  // Values of implicit equations, as they are written or carried out again.
  bool exactly_;           // to rounding, else to `tolerance_` in the norm of `scale_`
  Eigen::VectorXd scale_;  // [n_x] one over the size of a state; empty: sizes of the model's variables
  double tolerance_ = 1e-3;
  int newton_ = 0;    // iterations since the last mark
  struct Iteration {  // Newton's matrix, kept from equation to equation while it serves
    ImplicitMatrix matrix;
    double by_rate = 0, by_slope = 0;  // w₁ L, w₂ L² that it was made with
    bool good = false;                 // there is a matrix
    bool fresh = false;                // made in the equation at hand
  } iteration_;

  // The point of the last linearisation: values of `along` and `solve`, and all derivatives.
  Point at_;
  bool is_at_ = false;     // J_ and slope_ are those at at_; false after an implicit equation, which uses them for its own
  RateJacobian J_;         // dF/d(t, x, u, p)
  Eigen::VectorXd slope_;  // [n_u] du/dt

  // 1 − w L F_x − … of one operation: of `solve` in values, of `solve` and `implicit` in tangent, adjoint and second.
  ImplicitMatrix matrix_;
  double factorised_ = 0;  // w L of the `solve` at at_ whose factors matrix_ holds; 0: it is another operation's
};

}  // namespace bolza::integrate
