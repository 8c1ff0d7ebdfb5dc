// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/transcribe/mesh/scheme.h"

namespace bolza::transcribe {

/// How often a path constraint is asked for: an equality takes one degree of freedom of the controls each time, and there
/// must not be more of them than the controls have values.
enum class PathRows : std::uint8_t {
  at_points,  ///< at every collocation point
  mean,       ///< Σ b_j g_j = 0, once in each interval: of second order, as controls of one value are
  at_end      ///< at the last collocation point of each interval
};

/// Whether a path constraint is an equality.
bool is_equality(const bolza_model& model, std::size_t g);

/// Whether row `row` of the residuals reads a control itself; delayed values are none.
bool reads_controls(const bolza_model& model, std::size_t row);

/// Whether controls have part in path constraint g, themselves or through algebraic variables.
bool depends_on_controls(const bolza_model& model, std::size_t g);

/// Where path constraint g holds. An equality of states alone holds at the ends of intervals: its mean would be
/// satisfied by states that swing about it. What controls enter by algebraics alone may be such a one.
/// @param one_value  the controls have one value per interval
PathRows rows_of_path(const bolza_model& model, std::size_t g, bool one_value);

/// The weights of the constraint's values at the collocation points in the one row of an interval.
std::vector<double> weights_of(PathRows rows, const Scheme& scheme);

}  // namespace bolza::transcribe
