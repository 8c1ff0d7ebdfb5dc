// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "workflow/solve/mesh/time_terms.h"

namespace bolza::workflow {

/// A mesh, and how what depends on time alone is to be looked at on it.
struct TimeSearch {
  std::span<const double> shared;  ///< of the model
  std::span<const double> mesh;    ///< times, ascending
  std::size_t most = 500;          ///< points to be added
  bool leave_free = false;         ///< leaves out what reads free parameters
  bool leave_dense = false;        ///< leaves out pulses in most intervals, too
};

/// What a mesh lacks of the features of what depends on time alone: pulses, kinks, jumps, steep changes.
struct TimePoints {
  std::vector<double> add;      ///< to the mesh, ascending: with them each interval has terms that cubics follow
  std::vector<double> look_at;  ///< where terms have extremes and beside their jumps, ascending, 2000 at most
  std::size_t left = 0;         ///< intervals of the mesh that would have needed more points than are allowed
  bool dense = false;           ///< something was left out because it has features in most intervals
  double worst = 0;             ///< how far a term is off in one interval at most, relative to its range
  std::string text;             ///< which
  double time = 0;              ///< where
};

/// Looks at each term at 131,072 times of the horizon (fewer where terms are many or long: twenty million operations), and
/// in shorter intervals at 24 more each. A term is left to the estimates of a mesh where no interval has more than a
/// twentieth of its range beside the cubic through four Chebyshev points. Of others an interval with more than a thousandth
/// is halved until it has not, neighbours that one cubic follows are put together again, and extremes inside are points,
/// too. Waves in most intervals are left to the estimates, which see them.
///
/// Requires  a mesh of one interval at least.     Errors  none: what is not finite is left out.
TimePoints time_points(TimeTerms& terms, const TimeSearch& search);

}  // namespace bolza::workflow
