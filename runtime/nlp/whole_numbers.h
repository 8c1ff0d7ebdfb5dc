// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/layer.h"

namespace bolza::nlp {

/// Whether some variables take whole numbers only.
bool has_integers(const Nlp& nlp);
/// Whether the solution is to have them.
bool seeks_whole_numbers(const SolveTask& task);

/// Options for a continuous problem that is solved for an engine with algorithms of its own for whole numbers, which has
/// IPOPT inside: those that IPOPT takes.
EngineOptions continuous_part(const EngineOptions& options);

/// A search by an engine that takes whole numbers: it starts from the relaxed optimum, and gets the problem with its whole
/// numbers through the rows below; the multipliers of what it finds are those of the problem with the whole numbers fixed.
/// Cost: two continuous solves and the engine's search.
Report search_with_engine(const SolveTask& task, LayerRows below);

}  // namespace bolza::nlp
