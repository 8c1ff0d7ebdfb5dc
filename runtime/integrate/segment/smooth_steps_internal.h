// SPDX-License-Identifier: Apache-2.0
// A segment on a multistep method whose steps are chosen by a smooth control of the error, and whose derivatives count how
// the steps' lengths move: terms (56)–(58) of [GOMEZ], for steps of different lengths, attempts that were rejected
// included.
//
// Lengths are fractions of the segment. With an attempt h and its error e, the next attempt is r(e) h when e > 1, else the
// step is taken and the next one begins with R(e) h; near the end what is left is halved or taken. Backwards, for each
// attempt, h̄ = dJ/dh and s̄_k = dJ/d(place of node k):
//
//   ē = p̄ R'(e) h,   h̄ = p̄ R(e) + s̄_end + (J by the coefficients) (coefficients by h),   s̄_k += (…) (coefficients by s_k)
//
// p̄ that of the attempt that follows. Coefficients are rational in the lengths; their derivatives are differences of fourth
// order of formulas that are written again with nodes moved.
#pragma once
#include <memory>
#include <vector>

#include "runtime/integrate/segment/steps_internal.h"
#include "runtime/integrate/steps/multistep.h"

namespace bolza::integrate {

/// One attempt at a step.
struct Attempt {
  enum class From : std::uint8_t { plan, half_of_rest, rest } from = From::plan;
  double length = 0;           // fraction
  double error = 0;            // NaN: it came to nothing, the next is half as long
  double next = 0, slope = 0;  // the factor for the attempt that follows, and its derivative by the error
};

/// A step and the attempts at it.
struct SmoothStep {
  std::unique_ptr<MultistepScheme> scheme;  // at its start
  StepTape::Slot first = 0;
  std::vector<Eigen::VectorXd> live;
  std::vector<double> z;
  std::vector<Attempt> attempts;  // the last one was taken
};

class SmoothStepsSegment final : public StepsSegment {
 public:
  SmoothStepsSegment(ReducedModel& model, const SegmentOptions& options)
      : StepsSegment(model, options),
        steps_(model, [this](double t, const double*, const double*, std::span<double> u,
                             std::span<double> slope) { inputs_at(fraction_of(t), u, slope); }),
        tape_(steps_),
        dry_(steps_) {}

  bool forward(std::span<double> x, std::span<double> integrals) override;
  bool adjoint(std::span<Backward> functionals, std::span<const double> samples) override;
  // One adjoint for each state and integral.
  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& along) override;

 private:
  struct Written {
    StepTape::Slot begin = 0, end = 0, error = 0;
    bool good = false;
  };
  bool adjoint(Backward& functional, std::span<const double> samples);
  Written write(const SmoothStep& step, double length, StepTape& tape, MultistepScheme& scheme);
  double norm(const Written& at, StepTape::Bars* bars, double weight);
  void control(Attempt& attempt, int order, bool rejected) const;
  bool back(std::size_t i, StepTape::Bars& later, std::span<double> out, double& by_length);
  bool add_lengths(const SmoothStep& step, double length, std::size_t node, const std::vector<StepTape::Coefficients>& by,
                   double& by_node);
  std::vector<StepTape::Coefficients> coefficients(const SmoothStep& step, double length, std::size_t node, double shift);

  StepModel steps_;
  StepTape tape_, dry_;
  std::vector<SmoothStep> taken_;
  std::vector<double> place_, by_place_;  // [steps + 1] of the ends of steps, the start first
  double by_plan_ = 0;                    // dJ/d(length that the step after planned for this one)
};

}  // namespace bolza::integrate
