// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

namespace bolza::workflow {

/// Work on a solution in hand that an interrupt or the limit of time ended: the solution stays.
struct Stopped {
  std::string what;      ///< `search_for_optima` and the like
  bool by_time = false;  ///< else by an interrupt
};

inline constexpr const char* search_for_optima = "the search for other optima";
inline constexpr const char* mesh_refinement = "the refinement of the mesh";
inline constexpr const char* solution_in_modes = "the solution in modes";
inline constexpr const char* solution_by_complementarity = "the solution by complementarity";
inline constexpr const char* check_of_solution = "the check of the solution";

}  // namespace bolza::workflow
