#pragma once
#include <Eigen/Dense>
#include <memory>
#include <span>
#include <vector>

#include "runtime/integrate/method_table.h"
#include "runtime/integrate/reduced_model.h"

namespace bolza::integrate {

/// Where a segment lies: t(s) = begin + s length, 0 <= s <= 1, and how that moves with (startTime, finalTime).
struct SegmentTimes {
  double begin = 0, length = 1;
  double begin_by[2] = {0, 0}, length_by[2] = {0, 0};
};

struct SegmentOptions {
  double rtol = 1e-9;
  bool linear_control = false;  ///< u from `u_left` to `u_right`; else u_left throughout
  long max_steps = 50000;
  long steps_between_checkpoints = 200;
  const Method* method = nullptr;  ///< null: CVODES and the adjoint of the continuous equations; else a Runge–Kutta row of
                                   ///< the table and the adjoint of its own steps, their lengths frozen
  double fixed_step = 0;           ///< seconds; 0: the method's error control (Runge–Kutta only)
};

/// One stretch of a trajectory with smooth inputs, and its derivatives: by CVODES in s with algebraics eliminated, adjoint
/// with checkpoints or forward sensitivities; or by a Runge–Kutta method, exact for the numbers computed. Inputs of a
/// segment in the order of gradients and directions: x at its begin (directions only), u_left, u_right (if linear), then the
/// model's global shared values, whose first two, startTime and finalTime, move the segment too. Model and its shared values
/// belong to the caller.
class Segment {
 public:
  Segment(ReducedModel& model, const SegmentOptions& options);
  ~Segment();
  Segment(Segment&&) noexcept;

  std::size_t controls() const;  ///< numbers of u_left and u_right together
  std::size_t inputs() const;    ///< controls + globals

  /// x and Q (added) from begin to end; keeps checkpoints for `adjoint`. False: the integration failed; the model's
  /// `trouble` may say why.
  bool forward(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
               std::span<double> x, std::span<double> q);
  /// From now on `forward` repeats the steps of its last run (as fractions of the length), so that it is a smooth function
  /// of all inputs. Runge–Kutta methods only.
  void repeat_steps(bool repeat);

  /// From λ at the end to λ at the begin, for J with dJ/dx(end) = λ and dJ/dQ = weight; adds dJ/d(inputs) to `gradient`.
  /// @param samples   descending in (0, 1], may be empty     @param at_samples  [samples × n_x] λ there
  /// Requires the last `forward` of this segment to have succeeded with the model's present shared values.
  bool adjoint(std::span<double> lambda, std::span<const double> weight, std::span<double> gradient,
               std::span<const double> samples = {}, std::vector<double>* at_samples = nullptr);

  /// As forward, and d(x, Q)(end)/d(x(begin), controls, globals listed). [(n_x + n_q) × (n_x + controls + listed)]
  bool sensitivities(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
                     std::span<const std::size_t> globals, std::span<double> x, std::span<double> q,
                     Eigen::MatrixXd& transition);

  class Work;  ///< one kind per way to integrate, see segment_work_internal.h

 private:
  std::unique_ptr<Work> work_;
};

}  // namespace bolza::integrate
