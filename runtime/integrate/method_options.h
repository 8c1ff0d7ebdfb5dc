// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bolza::integrate {

/// What a user may set of an integrator and of the gradients that it gives; 0 and "" leave a method's own default. A method
/// ignores what it does not have.
struct MethodOptions {
  double initial_step = 0, fixed_step = 0, max_step = 0, min_step = 0;  ///< seconds; fixed_step > 0: no error control
  double nonlinear_coefficient = 0, linear_coefficient = 0;
  double max_order = 0, max_nonlinear_iterations = 0, max_error_failures = 0, max_convergence_failures = 0;
  double krylov_dimension = 0;
  double suppress_algebraics = 0;        ///< 1: algebraics are left out of the error test
  double quadrature_error_control = 1;   ///< 0: integrals are left out of the error test
  double variable_bounds = 0;            ///< 1: variables keep the sign that their min or max demands
  double stability_limit_detection = 0;  ///< CVODES' BDF
  double max_steps = 0;                  ///< of the whole run
  double one_step_output = 0;            ///< 1: the end of every step is in the result
  // IDAS' constants of step selection
  double eta_min_fixed = 0, eta_max_fixed = 0, eta_max = 0, eta_low = 0, eta_min = 0;
  double eta_min_error_failure = 0, eta_convergence_failure = 0, delta_cj = 0;
  double linear_solution_scaling = 1;
  std::string stop_times;  ///< seconds, separated by commas: a step ends at each
  std::string linear_solver, preconditioner, order_selection;
  // gradients
  double sensitivity_error_control = 1;  ///< 0: the states alone choose the steps
  double sensitivity_tolerance = 1;      ///< times atol / |p̄|
  double checkpoint_steps = 0;
  double checkpoint_memory = 0;  ///< megabytes
  std::string sensitivity_method, checkpoint_interpolation, checkpoint_storage;
  std::string steps;  ///< of multistep methods: frozen, smooth
};

/// One option: how it is called, what it does, what it takes.
struct MethodOption {
  std::string_view name, description;
  double MethodOptions::* number = nullptr;
  std::string MethodOptions::* word = nullptr;
  std::string_view words;      ///< what a word may be, separated by spaces
  double least = 0, most = 0;  ///< of a number
  std::string_view default_text;
};

std::span<const MethodOption> method_options();

/// "1,2.5": ascending; empty when one of them is not a number.
std::vector<double> parse_times(std::string_view list);

enum class OptionSet : std::uint8_t { done, unknown, not_a_number, out_of_range, no_such_word };
/// Sets an option by its name.
OptionSet set_option(MethodOptions& options, std::string_view name, std::string_view value);

}  // namespace bolza::integrate
