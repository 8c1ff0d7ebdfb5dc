// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/attempt_table.h"

#include <array>

namespace bolza::workflow {

extern const AttemptRow without_multipliers_row, usual_final_time_row, later_final_time_row, earlier_final_time_row,
    simulated_guess_row, constant_controls_row, straight_lines_row, perturbed_guess_row, perturbed_lines_row,
    constraints_first_row, tightened_constraints_row, adaptive_barrier_row, coarse_euler_row, dependent_equations_row,
    more_iterations_row, static_starts_row;
extern const SearchRow multi_start_row, elsewhere_row, beside_row, least_hamiltonian_row, other_starts_row,
    smaller_tolerance_row, static_searches_row;

std::span<const AttemptRow* const> attempts() {
  static constexpr std::array order{
      &without_multipliers_row, &usual_final_time_row,    &later_final_time_row,      &earlier_final_time_row,
      &simulated_guess_row,     &constant_controls_row,   &straight_lines_row,        &perturbed_guess_row,
      &perturbed_lines_row,     &constraints_first_row,   &tightened_constraints_row, &adaptive_barrier_row,
      &coarse_euler_row,        &dependent_equations_row, &more_iterations_row,       &static_starts_row};
  return order;
}

std::span<const SearchRow* const> searches() {
  static constexpr std::array order{&multi_start_row,  &elsewhere_row,         &beside_row,         &least_hamiltonian_row,
                                    &other_starts_row, &smaller_tolerance_row, &static_searches_row};
  return order;
}

}  // namespace bolza::workflow
