// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>

#include "runtime/estimate/statistics/statistics.h"

namespace bolza::estimate {

/// The likelihood with residuals at θ [parameters]; false: it has no value there.
using LikelihoodAt = std::function<bool(std::span<const double> theta, Likelihood& out)>;

/// Names of relations are guessed from directions at one θ, to first order. A name says more: that along all of the way on
/// which it stays the same the data do not change. Here a part of it is gone, 5 %, and a relation loses its name where the
/// data change by more than a thousandth of what the parameters by themselves would change; or of what is only poorly
/// determined by more than twice its standard deviations.
/// Cost  an evaluation without derivatives for each direction of a named relation.
void check_names(const LikelihoodAt& likelihood, const Estimation& estimation, const Likelihood& at,
                 std::span<const double> theta, FitStatistics& statistics);

}  // namespace bolza::estimate
