// SPDX-License-Identifier: Apache-2.0
// What the ways to integrate a segment have in common.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "runtime/integrate/segment/segment.h"

namespace bolza::integrate {

/// Of the weight of an integral, in the size of a functional that backward tolerances are relative to: what states are worth
/// is seen of λ, which is 0 at the end where nothing but integrals counts, and often much less than 1 where they do. Second
/// derivatives, which steps alone depend on, take 1, and so do equations of index 2, whose multipliers are rougher. No more
/// than rounding lets an integration hold is asked for.
inline double share_of_weights(double rtol) { return std::clamp(1e-10 / rtol, 1e-3, 1.0); }

/// The values of a segment one step after another, for who looks for events within them.
class StepByStep {
 public:
  virtual ~StepByStep() = default;
  /// From x [n_x] at s = 0 towards 1.
  virtual bool begin(std::span<const double> x) = 0;
  /// False: no step could be found, or its record has no room.
  virtual bool step() = 0;
  virtual bool has_room() const = 0;  ///< for the record
  virtual double reached() const = 0;
  /// States [n_x] and integrals [n_q] at s in the last step.
  virtual void at(double s, std::span<double> x, std::span<double> q) const = 0;
  /// Algebraics [n_z] there.
  virtual bool algebraics(double s, std::span<const double> x, std::span<double> z) = 0;
  /// The run ends at s in its last step, and its record is that of a segment which ends there.
  virtual void end(double s) = 0;
};

class Segment::Work {
 public:
  using Backward = Segment::Backward;
  Work(ReducedModel& model, const SegmentOptions& options)
      : model(model),
        options(options),
        n_x(model.model().n_x),
        n_q(model.model().n_q),
        n_u(model.model().n_u),
        n_p(model.model().n_global),
        places(!options.input_places.empty() ? options.input_places
               : options.linear_control      ? std::vector<double>{0, 1}
                                             : std::vector<double>{0}),
        left(n_u),
        right(std::max<std::size_t>(places.size() - 1, 1) * n_u) {}
  virtual ~Work() = default;

  virtual bool forward(std::span<double> x, std::span<double> integrals) = 0;
  virtual bool adjoint(std::span<Backward> functionals, std::span<const double> samples) = 0;
  virtual bool tangent(std::span<double> x, std::span<double> integrals, Directions& directions) = 0;
  virtual bool plan_tangent(std::span<const double> x) {
    std::vector<double> end(x.begin(), x.end()), unused(n_q);
    return forward(end, unused);
  }
  virtual bool takes_samples() const { return false; }
  /// `forward` step by step, of the segment that was `set`, with records where these are wanted; null: it has no such form.
  virtual StepByStep* step_by_step() { return nullptr; }
  virtual std::span<const double> discrete_at(bool) const { return {}; }
  virtual bool has_second_tangent() const { return false; }
  virtual bool has_second() const { return false; }
  virtual bool second(std::span<const double>, const Directions&, std::span<const double>, const Eigen::MatrixXd&,
                      Eigen::MatrixXd&, Eigen::MatrixXd&) {
    return false;
  }

  std::size_t controls() const { return places.size() * n_u; }
  std::size_t inputs() const { return controls() + n_p + 2; }
  std::size_t moving_inputs() const { return inputs() - (options.times_move ? 0 : 2); }
  std::size_t begin_input() const { return controls() + n_p; }
  std::size_t length_input() const { return controls() + n_p + 1; }
  void set(const SegmentTimes& t, std::span<const double> u_left, std::span<const double> u_right) {
    times = t;
    std::copy(u_left.begin(), u_left.end(), left.begin());
    if (places.size() > 1) std::copy(u_right.begin(), u_right.end(), right.begin());
  }
  /// Steps that a run may take: many more than any that came to its end is no neighbour of these, but one that creeps into a
  /// singularity.
  long allowed_steps() const {
    constexpr long least = 5000, more = 50;
    return most_steps_ == 0 ? options.max_steps : std::min(options.max_steps, std::max(least, more * most_steps_));
  }
  /// Leaves word of why a run ends at s, unless the model has said so itself. False.
  bool stopped(const std::string& why, double s) {
    if (model.at().trouble().text.empty()) model.at().note(why, times.begin + s * times.length);
    return false;
  }
  bool too_many_steps(long most, double s) { return stopped("more than " + std::to_string(most) + " steps are needed", s); }
  void came_to_its_end(long steps) { most_steps_ = std::max(most_steps_, steps); }
  /// Input i as a polynomial of the fraction s: what its value at a place weighs, in its slope by s, and both together.
  double share_at(std::size_t place, double s) const;
  double slope_share_at(std::size_t place, double s) const;
  double value_at(std::size_t place, std::size_t i) const { return place == 0 ? left[i] : right[(place - 1) * n_u + i]; }
  double input(std::size_t i, double s) const;
  double input_slope(std::size_t i, double s) const;  ///< by time

  ReducedModel& model;
  SegmentOptions options;
  std::size_t n_x, n_q, n_u, n_p;
  SegmentTimes times;
  std::vector<double> places;               ///< of the values of an input, in [0, 1]
  std::vector<double> left, right, weight;  ///< weight: of the integrals in `second`
  std::vector<double> guess_z;              ///< algebraics near the start; empty: the model's guesses
  bool repeats = false;
  bool records = false;                 ///< `forward` keeps what `adjoint` needs where it fills samples as well
  Segment::Samples* samples = nullptr;  ///< of the caller, to be filled by `forward` and `tangent`

 private:
  long most_steps_ = 0;  // of a run that came to its end
};

/// Between events: by CVODES or by the steps of a method.
std::unique_ptr<Segment::Work> make_smooth_segment(ReducedModel& model, const SegmentOptions& options);
/// From event to event.
std::unique_ptr<Segment::Work> make_stretch_segment(ReducedModel& model, const SegmentOptions& options);
std::unique_ptr<Segment::Work> make_written_segment(ReducedModel& model, const SegmentOptions& options);
std::unique_ptr<Segment::Work> make_idas_segment(ReducedModel& model, const SegmentOptions& options);
std::unique_ptr<Segment::Work> make_cvodes_segment(ReducedModel& model, const SegmentOptions& options);
std::unique_ptr<Segment::Work> make_runge_kutta_segment(ReducedModel& model, const SegmentOptions& options);
std::unique_ptr<Segment::Work> make_smooth_steps_segment(ReducedModel& model, const SegmentOptions& options);
std::unique_ptr<Segment::Work> make_tape_segment(ReducedModel& model, const SegmentOptions& options);

}  // namespace bolza::integrate
