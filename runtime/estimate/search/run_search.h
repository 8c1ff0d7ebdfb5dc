// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/estimate/run.h"
#include "runtime/estimate/search/multi_start.h"
#include "runtime/estimate/search/profile.h"

namespace bolza::estimate {

/// Many starts over a compiled model, with estimator and engine of the request. `options.parameters` are filled in.
SearchResult search(const bolza_problem& problem, const Estimation& estimation, const EstimateRequest& request,
                    const SearchOptions& options);

/// Profile likelihoods from an optimum, on the parameters' scales.
ProfileResult profile(const bolza_problem& problem, const Estimation& estimation, const EstimateRequest& request,
                      std::span<const double> optimum, const ProfileOptions& options);

}  // namespace bolza::estimate
