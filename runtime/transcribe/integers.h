// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/nlp/nlp.h"

namespace bolza::transcribe {

/// Whether the variable is an Integer, a Boolean or of an enumeration.
constexpr bool is_whole(const bolza_variable& v) { return v.type != 0; }

/// Whether some control is: then every control has one value per interval.
bool has_whole_controls(const bolza_problem& problem);

/// Makes variable v of the NLP a whole number.
void make_whole(nlp::Nlp& nlp, std::size_t v);
/// And the value of control number `control` on an interval of this length.
void make_whole(nlp::Nlp& nlp, std::size_t v, std::int32_t control, double length);

/// The rules of a phase's controls.
/// @param sequence  [n_u] number of each control's sequence, nlp::global where it has none
/// @param length    of the phase's horizon
void add_switching(nlp::Nlp& nlp, const bolza_model& model, const std::vector<std::int32_t>& sequence, double length);

/// What the engine found out about whole numbers, with the objective's sign and deviations in units of time.
/// @param sign  -1: the problem maximises
abi::IntegerStatistics integer_statistics(const nlp::IntegerReport& report, double sign, const abi::Solution& solution);

}  // namespace bolza::transcribe
