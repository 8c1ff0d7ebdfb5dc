// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// Where the equations of a phase's algebraics have no value at its guessed start (`Kw/H` with H guessed 0), the algebraics
/// begin where they are solved for the states, controls and parameters guessed there: by what other equations give them, by
/// sizes and bounds. Where the initial equations are far from holding there, as those that close the loops of a mechanism,
/// states begin and stay at values that fulfil them, near their guesses. Those that stay without a solution keep their guess.
///
/// Requires  a constant guess.     Cost  one evaluation of the equations, and a few sparse factorisations where that fails.
void start_consistently(Transcription& t);

}  // namespace bolza::transcribe
