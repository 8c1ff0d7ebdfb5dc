// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>

#include "base/budget.h"
#include "runtime/estimate/objective.h"

namespace bolza::estimate {

struct ProfileOptions {
  double confidence = 0.95;  ///< of the intervals
  /// Of residuals, where standard deviations are not known and stand at 1: rises of the value are counted in it. Freedom:
  /// the degrees that it was had from; infinite where the noise is known.
  double noise_variance = 1, freedom = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> parameters;  ///< which; empty: all
  std::size_t points = 50;              ///< at most, for each side
  double exactness = 1e-6;              ///< of the value at the end of an interval, over the noise's variance
  double better = 1e-3;                 ///< a value so far below the optimum's is reported
  std::size_t jobs = 1;                 ///< processes at a time; 0: in this process
  nlp::EngineOptions engine;
  Budget budget;
  void (*progress)(void* context, std::size_t done, std::size_t total) = nullptr;  ///< sides
  void* progress_context = nullptr;
};

/// The best fit where one parameter has this value.
struct ProfilePoint {
  double at = 0, value = 0;   ///< of the parameter, of −log likelihood
  std::vector<double> theta;  ///< [parameters] on their scales: the path
};

/// How far a parameter can go to one side.
struct ProfileSide {
  enum class End : std::uint8_t {
    crossed,  ///< the value has risen by the threshold
    bound,    ///< open: not before the bound, where the value is lower than the threshold
    far,      ///< open: not within the points, and there is no bound
    failed,   ///< a refit did not succeed
    lost      ///< interrupted, or its process ended
  } end = End::lost;
  double at = 0;  ///< end of the interval, or where it was left off
  std::string message;
  std::vector<ProfilePoint> points;  ///< away from the optimum
  std::size_t evaluations = 0;
};

struct Profile {
  std::size_t parameter = 0;
  ProfileSide lower, upper;
  /// Whether the data limit it on both sides.
  bool identifiable() const { return lower.end == ProfileSide::End::crossed && upper.end == ProfileSide::End::crossed; }
};

struct ProfileResult {
  double threshold = 0;  ///< rise of the value at the ends
  double confidence = 0;
  double optimum = 0;  ///< the value they rise from
  std::vector<Profile> profiles;
  ProfilePoint better;  ///< the lowest that refits have found, where that is below the optimum; else theta is empty
  bool interrupted = false;
};

/// By how much the value rises to the ends of an interval: χ²(1, confidence)/2 for noise that is known. Else t²/2 of
/// Student's distribution, in units of the variance, so that a parameter in which the model is linear has the interval of
/// its standard error. [BW1988]
double profile_threshold(const ProfileOptions& options);

/// Profile likelihoods [RAUE2009]: from an optimum each parameter is moved in steps that raise the value by a share of the
/// threshold, and all others are fitted again from where the Fisher information sees them. The crossing of the threshold is
/// found by Newton's method on the profile, whose slope is the gradient's entry.
ProfileResult profile_likelihoods(FitObjective& objective, std::span<const double> optimum, const ProfileOptions& options);

/// One side of one parameter; direction −1 or 1. What the above runs in processes.
ProfileSide profile_side(FitObjective& objective, std::span<const double> optimum, std::size_t parameter, int direction,
                         const ProfileOptions& options);

}  // namespace bolza::estimate
