// SPDX-License-Identifier: Apache-2.0
// What segments on the recorded steps of an integrator of ours have in common: how steps are chosen, when they are chosen
// again, how a point of a step moves with the inputs of the segment.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "runtime/integrate/method_table.h"
#include "runtime/integrate/segment/checkpoints.h"
#include "runtime/integrate/segment/work_internal.h"

namespace bolza::integrate {

/// Keeps λ at the steps' ends that are nearest from above to the samples, which descend.
class SampledCostates {
 public:
  SampledCostates(std::span<const double> samples, Segment::Backward& of) : samples_(samples), of_(of) {}
  void operator()(double fraction) { (*this)(fraction, of_.lambda); }
  void operator()(double fraction, std::span<const double> lambda) {
    for (; next_ < samples_.size() && samples_[next_] >= fraction - 1e-12; ++next_)
      of_.at_samples.insert(of_.at_samples.end(), lambda.begin(), lambda.end());
  }

 private:
  std::span<const double> samples_;
  Segment::Backward& of_;
  std::size_t next_ = 0;
};

class StepsSegment : public Segment::Work {
 public:
  using Work::Work;

 protected:
  double fraction_of(double t) const { return (t - times.begin) / times.length; }
  /// u at a fraction of the segment; `slope`: du/dt, may be empty.
  void inputs_at(double fraction, std::span<double> u, std::span<double> slope) const;

  /// Steps are chosen again only when something has moved by more than a thousandth: near a solution the segment is a smooth
  /// function of its inputs, and what the steps were chosen for still holds.
  bool near_chosen(std::span<const double> x) const;
  /// Runs the method with its error control, or with its fixed steps; `took` sees the integrator before the first step and
  /// after every one, `last`: the segment's end is reached. False: it failed, or `took` did.
  using Took = std::function<bool(Integrator& integrator, double reached, bool last)>;
  bool choose_steps(std::span<const double> x, std::size_t n_integrals, const Took& took);
  bool no_room();  ///< notes that a checkpoint could not be kept; false

  /// Adds what the derivative by (time, u, p) at a fraction, and by du/dt, is by the inputs of the segment.
  void add_point(double fraction, std::span<const double> by, std::span<const double> by_slope, std::span<double> out) const;
  /// How that moves along directions of the segment's inputs: `by` and `by_slope` themselves, and how they move.
  /// @param moves, slope_moves  [(1 + n_u + n_p) × m], [n_u × m] or empty   @param out  [inputs × m] is added to
  void add_point_moves(double fraction, std::span<const double> by_slope, const Eigen::MatrixXd& moves,
                       const Eigen::MatrixXd& slope_moves, const Eigen::MatrixXd& direct, Eigen::MatrixXd& out) const;
  /// How (time, u, p) at a fraction, and du/dt, move along directions of the segment's inputs. [inputs × m] -> [… × m]
  Eigen::MatrixXd point_directions(double fraction, const Eigen::MatrixXd& direct) const;
  Eigen::MatrixXd slope_directions(double fraction, const Eigen::MatrixXd& direct) const;

 private:
  /// Where the steps are chosen, each number over its size.
  std::vector<double> place(std::span<const double> x) const;
  bool start_algebraics(State& state);

  std::vector<double> chosen_;  // the place for which they were chosen
};

}  // namespace bolza::integrate
