// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "runtime/transcribe/mesh/delay_reading.h"
#include "runtime/transcribe/shooting/shooting_options.h"

namespace bolza::transcribe {

/// Where in a segment the inputs have values when some of them are delayed: polynomials of degree three. And where a mesh
/// interval is cut into segments when algebraic variables are delayed, which are such polynomials through mesh points.
std::vector<double> places_of_delayed_inputs();

/// Is an algebraic variable of this model delayed?
bool reads_algebraics(const DelayReading& reading, const bolza_model& model);

/// Why a model with delays is not integrated this way; empty: it is.
std::string objection_to_delays(const bolza_model& model, const ShootingOptions& options);

}  // namespace bolza::transcribe
