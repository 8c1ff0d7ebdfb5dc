// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>

namespace bolza::workflow {
class Model;
}

namespace bolza::cli {

/// What the passes found out about a loaded model (ir/structure.h) with names and places: counts, index, states chosen and
/// demoted, loops with torn variables and residual equations, start values used.
nlohmann::json structure_json(const workflow::Model& model);

/// The same as text on stdout, long lists cut after some lines.
void print_structure(const workflow::Model& model);

}  // namespace bolza::cli
