#pragma once
#include <string>
#include <vector>

#include "runtime/transcribe/mesh/delay_reading.h"
#include "runtime/transcribe/shooting/shooting_options.h"

namespace bolza::transcribe {

/// Where in a segment the inputs have values when some of them are delayed: polynomials of degree three.
std::vector<double> places_of_delayed_inputs();

/// The delays of a phase; a refusal where shooting has no values of what they read.
DelayReading read_delays_of_shooting(bolza_problem& problem, std::size_t phase, const Horizon& horizon);

/// Why a model with delays is not integrated this way; empty: it is.
std::string objection_to_delays(const bolza_model& model, const ShootingOptions& options);

}  // namespace bolza::transcribe
