// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/method_options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace bolza::integrate {
namespace {

using O = MethodOptions;

constexpr std::array option_rows{
    MethodOption{"initial_step", "first step, seconds", &O::initial_step, nullptr, "", 0, 1e300, "estimated"},
    MethodOption{"fixed_step", "step of a run without error control, seconds (own methods)", &O::fixed_step, nullptr, "", 0,
                 1e300, "automatic"},
    MethodOption{"max_step", "longest step, seconds", &O::max_step, nullptr, "", 0, 1e300, "no limit"},
    MethodOption{"min_step", "shortest step, seconds", &O::min_step, nullptr, "", 0, 1e300, "rounding"},
    MethodOption{"max_order", "highest order (BDF 5, Adams 12, adams 12, enright 9, taylor 40)", &O::max_order, nullptr, "",
                 1, 40, "of the method"},
    MethodOption{"order_selection",
                 "automatic: by the errors of neighbouring orders; ramp: one more every step (adams, enright)", nullptr,
                 &O::order_selection, "automatic ramp", 0, 0, "automatic"},
    MethodOption{"max_nonlinear_iterations", "corrections of one step", &O::max_nonlinear_iterations, nullptr, "", 1, 1000,
                 "3; 4 with idas"},
    MethodOption{"max_error_failures", "failures of the error test of one step", &O::max_error_failures, nullptr, "", 1,
                 10000, "15; 20 with idas"},
    MethodOption{"max_convergence_failures", "failures of Newton's method of one step", &O::max_convergence_failures,
                 nullptr, "", 1, 10000, "20"},
    MethodOption{"nonlinear_coefficient", "share of the error test that Newton's method may leave",
                 &O::nonlinear_coefficient, nullptr, "", 0, 10, "0.1; 0.33 with idas"},
    MethodOption{"linear_coefficient", "share of that which an iterative linear solver may leave", &O::linear_coefficient,
                 nullptr, "", 0, 1, "0.05"},
    MethodOption{"linear_solver", "how linear systems are solved", nullptr, &O::linear_solver,
                 "dense band klu spgmr spfgmr spbcg sptfqmr pcg", 0, 0, "dense or klu, by size and filling"},
    MethodOption{"preconditioner", "left preconditioner of an iterative linear solver, from the exact Jacobian", nullptr,
                 &O::preconditioner, "none ilu block_jacobi", 0, 0, "ilu"},
    MethodOption{"krylov_dimension", "vectors that an iterative linear solver keeps", &O::krylov_dimension, nullptr, "", 1,
                 1000, "5"},
    MethodOption{"suppress_algebraics", "1: algebraics are left out of the error test (idas)", &O::suppress_algebraics,
                 nullptr, "", 0, 1, "0"},
    MethodOption{"quadrature_error_control", "1: integrals take part in the error test", &O::quadrature_error_control,
                 nullptr, "", 0, 1, "1"},
    MethodOption{"variable_bounds", "1: variables with min >= 0 or max <= 0 keep that sign", &O::variable_bounds, nullptr,
                 "", 0, 1, "0"},
    MethodOption{"stability_limit_detection", "1: lowers the order where BDF is unstable (cvodes)",
                 &O::stability_limit_detection, nullptr, "", 0, 1, "0"},
    MethodOption{"sensitivity_method", "how sensitivities are corrected with the states (gradients; cvodes, idas)", nullptr,
                 &O::sensitivity_method, "simultaneous staggered staggered1", 0, 0, "staggered"},
    MethodOption{"sensitivity_error_control", "1: sensitivities take part in the error test (gradients)",
                 &O::sensitivity_error_control, nullptr, "", 0, 1, "1"},
    MethodOption{"sensitivity_tolerance", "absolute tolerance of a sensitivity as a multiple of atol/|p| (gradients)",
                 &O::sensitivity_tolerance, nullptr, "", 1e-12, 1e12, "1"},
    MethodOption{"checkpoint_steps", "steps between two checkpoints of an adjoint; so many are kept (gradients)",
                 &O::checkpoint_steps, nullptr, "", 1, 1e7, "500; own methods: as many as there are checkpoints"},
    MethodOption{"checkpoint_memory",
                 "megabytes that the record of the steps of an own method may take before only "
                 "checkpoints are kept (gradients, each mesh interval)",
                 &O::checkpoint_memory, nullptr, "", 0.001, 1e6, "64"},
    MethodOption{"checkpoint_storage", "where checkpoints of an own method are (gradients)", nullptr, &O::checkpoint_storage,
                 "memory disk", 0, 0, "memory"},
    MethodOption{"checkpoint_interpolation", "of the states between the kept steps (gradients)", nullptr,
                 &O::checkpoint_interpolation, "polynomial hermite", 0, 0, "polynomial"},
    MethodOption{"steps",
                 "smooth: a smooth control of the error chooses them, and their lengths have derivatives (gradients, "
                 "adams, enright, enright_semi)",
                 nullptr, &O::steps, "frozen smooth", 0, 0, "frozen"},
    MethodOption{"max_steps", "steps of the whole run", &O::max_steps, nullptr, "", 1, 1e15, "1000000"},
    MethodOption{"one_step_output", "1: the end of every step is in the result", &O::one_step_output, nullptr, "", 0, 1,
                 "0"},
    MethodOption{"stop_times", "a step ends at each of these times, seconds, separated by commas", nullptr, &O::stop_times,
                 "", 0, 0, "none"},
    MethodOption{"eta_min_fixed", "a step is kept while the next would be longer than this share of it (idas)",
                 &O::eta_min_fixed, nullptr, "", 0, 1, "1"},
    MethodOption{"eta_max_fixed", "… and shorter than this (idas)", &O::eta_max_fixed, nullptr, "", 1, 1e10, "2"},
    MethodOption{"eta_max", "largest growth of a step (idas)", &O::eta_max, nullptr, "", 1, 1e10, "2"},
    MethodOption{"eta_low", "largest share to which a step is cut (idas)", &O::eta_low, nullptr, "", 0, 1, "0.9"},
    MethodOption{"eta_min", "smallest share to which a step is cut (idas)", &O::eta_min, nullptr, "", 0, 1, "0.5"},
    MethodOption{"eta_min_error_failure", "smallest share after a failure of the error test (idas)",
                 &O::eta_min_error_failure, nullptr, "", 0, 1, "0.25"},
    MethodOption{"eta_convergence_failure", "share after a failure of Newton's method (idas)", &O::eta_convergence_failure,
                 nullptr, "", 0, 1, "0.25"},
    MethodOption{"delta_cj", "change of the leading coefficient that the old matrix stands (idas)", &O::delta_cj, nullptr,
                 "", 0, 1, "0.25"},
    MethodOption{"linear_solution_scaling", "0: corrections are not scaled for an old leading coefficient (idas)",
                 &O::linear_solution_scaling, nullptr, "", 0, 1, "1"}};

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t begin = 0; begin < words.size();) {
    std::size_t end = std::min(words.find(' ', begin), words.size());
    if (words.substr(begin, end - begin) == word) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::vector<double> parse_times(std::string_view list) {
  std::vector<double> times;
  for (std::size_t begin = 0; begin <= list.size();) {
    std::size_t end = std::min(list.find(',', begin), list.size());
    std::string text(list.substr(begin, end - begin));
    char* rest = nullptr;
    double time = std::strtod(text.c_str(), &rest);
    if (text.empty() || *rest || !std::isfinite(time)) return {};
    times.push_back(time);
    begin = end + 1;
  }
  std::sort(times.begin(), times.end());
  return times;
}

std::span<const MethodOption> method_options() { return option_rows; }

OptionSet set_option(MethodOptions& options, std::string_view name, std::string_view value) {
  for (const MethodOption& row : option_rows) {
    if (row.name != name) continue;
    std::string text(value);
    if (row.word && row.words.empty())
      return parse_times(text).empty() ? OptionSet::not_a_number : (options.*row.word = text, OptionSet::done);
    if (row.word) return has_word(row.words, value) ? (options.*row.word = text, OptionSet::done) : OptionSet::no_such_word;
    char* end = nullptr;
    double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end || std::isnan(number)) return OptionSet::not_a_number;
    if (number < row.least || number > row.most) return OptionSet::out_of_range;
    options.*row.number = number;
    return OptionSet::done;
  }
  return OptionSet::unknown;
}

}  // namespace bolza::integrate
