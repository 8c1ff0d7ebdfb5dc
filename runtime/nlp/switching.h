// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// The variables of each control that is a whole number, interval by interval.
using ControlIntervals = std::vector<std::size_t>;
std::vector<ControlIntervals> controls_of(const Nlp& nlp, const SwitchLimits& rule);

/// A problem whose rows say what `switching` does. Between intervals i − 1 and i there is one variable more, 0 <= s_i <= 1,
/// which is no less than what the controls change by: Σ s_i <= switches; of the s_i within a dwell time of each other one is
/// 1 at most, and those within the first dwell time are 0.
struct WithSwitchingRows {
  Nlp nlp;  ///< functions: owned by `functions` below
  std::unique_ptr<Functions> functions;
};

/// `nlp` and its functions must outlive the result. Cost linear in intervals times intervals of a dwell time.
WithSwitchingRows with_switching_rows(const Nlp& nlp);

/// An iterate of the one problem as an iterate of the other; empty multipliers stay empty.
Iterate with_switching_entries(Iterate iterate, const Nlp& extended);
Iterate without_switching_entries(Iterate iterate, const Nlp& nlp);

}  // namespace bolza::nlp
