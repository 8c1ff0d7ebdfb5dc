// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <memory>
#include <span>
#include <vector>

#include "base/budget.h"
#include "runtime/integrate/method_options.h"
#include "runtime/integrate/method_table.h"
#include "runtime/integrate/model/reduced_model.h"

namespace bolza::integrate {

/// Where a segment lies: t(s) = begin + s length, 0 <= s <= 1.
struct SegmentTimes {
  double begin = 0, length = 1;
};

struct SegmentOptions {
  double rtol = 1e-9;
  double atol_factor = 1;       ///< CVODES: absolute tolerances are rtol × nominal × this
  bool linear_control = false;  ///< u from `u_left` to `u_right`; else u_left throughout
  /// u is the polynomial through values at these places in [0, 1], the first in `u_left`, the others one after the other in
  /// `u_right`. Empty: as `linear_control` says. CVODES and steps of a method, without events.
  std::vector<double> input_places = {};
  bool times_move = true;  ///< derivatives by begin and length are wanted; else they are left 0
  long max_steps = 50000;
  bool idas = false;               ///< IDAS in the place of CVODES: algebraics as they stand, index up to 1
  const Method* method = nullptr;  ///< null: CVODES and the adjoint of the continuous equations; else a `discrete` row of
                                   ///< the table and the adjoint of its own steps, their lengths frozen
  double fixed_step = 0;           ///< seconds; 0: the method's error control (own methods only)
  MethodOptions method_options;    ///< those of sensitivities and checkpoints, and of our own methods
  /// The equations as they were written, of any index that the method takes: integrated in the place of the model's, whose
  /// index is reduced. Null: the model's own.  Requires  no `objection_to_written`.
  const bolza_problem* written = nullptr;
  std::size_t phase = 0;     ///< of that problem
  bool begins_phase = true;  ///< events: at its start the model is initialised; else it goes on with the present
                             ///< discrete values
  Budget budget;             ///< ended: integrations fail, within a step
};

/// One stretch of a trajectory with smooth inputs, and its derivatives: by CVODES in s with algebraics eliminated, adjoint
/// with checkpoints or forward sensitivities; or by a method of our own, exact for the numbers computed. A model with
/// events is integrated from event to event, whose times and jumps take part in the derivatives; discrete values are left in
/// the model's shared values as they are at the end.
///
/// Inputs of a segment in the order of gradients and directions: u_left, u_right (unless constant), the model's global
/// shared values, begin, length. Model and its shared values belong to the caller.
class Segment {
 public:
  Segment(ReducedModel& model, const SegmentOptions& options);
  ~Segment();
  Segment(Segment&&) noexcept;

  std::size_t controls() const;  ///< numbers of u_left and u_right together
  std::size_t inputs() const;    ///< controls + globals + 2

  /// x and Q (added) from begin to end; keeps checkpoints for `adjoint`. False: the integration failed; the model's
  /// `trouble` may say why.
  bool forward(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
               std::span<double> x, std::span<double> q);
  /// States on the way, where `sample_at` asked for them.
  struct Samples {
    std::vector<double> at;                   ///< [samples] s, ascending in [0, 1]; at an event: after it
    std::vector<double> x;                    ///< [samples × n_x]
    std::vector<Eigen::MatrixXd> by;          ///< [samples] [n_x × m] along the directions of `tangent`, s held
    std::vector<std::vector<double>> shared;  ///< [samples] [n_shared] the model's shared values there
    /// > 0: `tangent` fills `at` itself, with so many points of Gauss's rule in each of its steps, for integrals over s.
    std::size_t per_step = 0;
    std::vector<double> weight;  ///< [samples] in such an integral; else empty
  };
  /// From now on `forward` and `tangent` (without pairs) fill these, which belong to the caller; null: no more. Steps are
  /// not ended there. A `forward` with samples keeps nothing for `adjoint`. Requires  `takes_samples`.
  void sample_at(Samples* samples);
  /// The same, and `forward` keeps what `adjoint` needs, of functionals with jumps at the samples.
  void record_at(Samples* samples);
  bool takes_samples() const;

  /// From now on `forward` repeats the steps of its last run (as fractions of the length), so that it is a smooth function
  /// of all inputs. Own methods only.
  void repeat_steps(bool repeat);

  /// One functional J on its way backwards.
  struct Backward {
    std::vector<double> lambda;      ///< [n_x] dJ/dx at the end, becomes that at the start
    std::vector<double> weight;      ///< [n_q] dJ/dQ
    std::vector<double> gradient;    ///< [inputs] dJ/d(inputs) is added to
    std::vector<double> at_samples;  ///< [samples × n_x] λ there is appended, without jumps
    std::vector<double> jumps;       ///< [samples × n_x] dJ/dx there, at moments in time; empty: none. All functionals of a
                                ///< run have some, or none has; the samples are those of `record_at`, from last to first
  };
  /// Several functionals of one forward run: what it left (checkpoints, records) is gone through once for all of them.
  /// CVODES and IDAS integrate each with steps of its own, steps of a method are linearised once.
  /// @param samples   descending in (0, 1], may be empty
  /// Requires the last `forward` of this segment to have succeeded with the model's present shared values.
  /// Cost  CVODES, IDAS: one backward integration each; checkpoints are integrated from once, not once for each.
  bool adjoint(std::span<Backward> functionals, std::span<const double> samples = {});
  /// The same for one.     @param at_samples  [samples × n_x] λ there
  bool adjoint(std::span<double> lambda, std::span<const double> weight, std::span<double> gradient,
               std::span<const double> samples = {}, std::vector<double>* at_samples = nullptr);

  /// Directions in which a segment is differentiated.
  struct Directions {
    Eigen::MatrixXd x;          ///< [n_x × m] at the start, becomes that at the end
    Eigen::MatrixXd q;          ///< [n_q × m] is added to
    Eigen::MatrixXd direct;     ///< [inputs × m]
    std::vector<double> sizes;  ///< [m] how much the direction typically moves: |p̄|; empty: 1
    /// Second order, sensitivity form: the last columns are not directions; column m − pairs + k is how x, Q and inputs move
    /// in second order along the directions of pairs[k], x_ij = ∂²x/∂i∂j. Their sizes are products of those of directions.
    std::vector<ReducedModel::Pair> pairs;
  };
  /// As forward, and the derivatives of x and Q at the end along directions. Cost: that of m directions, or of n_x + inputs
  /// when these are fewer; with pairs that of as many columns.
  /// Requires  `has_second_tangent` for pairs.
  bool tangent(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
               std::span<double> x, std::span<double> q, Directions& directions);

  /// Finds the events and steps that `tangent` from these values repeats; `forward` does so too. Cost: of `forward`, with
  /// CVODES and without events nothing, with events that are moments in time a simulation.
  bool plan(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
            std::span<const double> x);

  /// Can pairs be taken along?
  bool has_second_tangent() const;

  /// Can `second` be had? Otherwise its values are quotients of `adjoint`, which the caller takes.
  bool has_second() const;
  /// Second derivatives over the segment, forward over adjoint: with J's λ at the end and λ̇, how it moves along directions,
  /// gives λ̇ at the start and how dJ/d(inputs) moves.
  /// @param x  [n_x] at the start     @param directions  at the start     @param lambda_dot  [n_x × m] in and out
  /// @param weight_dot  [n_q × m] how the weights move; empty: not at all
  /// @param gradient_dot  [inputs × m] out, overwritten
  bool second(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
              std::span<const double> x, Directions& directions, std::span<const double> lambda,
              std::span<const double> weight, const Eigen::MatrixXd& weight_dot, Eigen::MatrixXd& lambda_dot,
              Eigen::MatrixXd& gradient_dot);

  /// Shared values of the model after the global ones, at the start (after what happens there) and at the end; empty
  /// without events.
  std::span<const double> discrete_at(bool end) const;

  class Work;  ///< one kind per way to integrate, see work_internal.h

 private:
  bool tangent_along(const std::vector<Eigen::Index>& some, const SegmentTimes& times, std::span<const double> u_left,
                     std::span<const double> u_right, std::span<double> x, std::span<double> q, Directions& directions);

  std::unique_ptr<Work> work_;
};

}  // namespace bolza::integrate
