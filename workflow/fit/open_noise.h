// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/estimate/estimation.h"

namespace bolza::workflow {

/// How noise that nobody stated is taken: the standard deviation of an observable is the same share of how far its values
/// lie apart as that of any other, and the residuals tell which share. Observables of one unit, and elements of one array,
/// count together: they have the same standard deviation. Sets Observable::number of those with open noise, whose geometric
/// mean is 1, and Estimation::open_variance to the square of how far values lie apart.
/// Cost linear.
void set_open_noise(estimate::Estimation& estimation);

}  // namespace bolza::workflow
