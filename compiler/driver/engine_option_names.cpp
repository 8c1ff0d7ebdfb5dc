// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/engine_option_names.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace bolza::driver {
namespace {

/// How names begin that steer iterations alone.
constexpr std::array<std::string_view, 98> harmless{
    // IPOPT
    "accept_", "acceptable_", "adaptive_mu_", "alpha_", "barrier_tol", "bound_", "check_derivatives", "compl_inf_tol",
    "constr_", "constraint_", "corrector_", "delta", "dependency_", "diverging_", "dual_inf_tol", "eta_", "evaluate_",
    "expect_infeasible", "filter_", "first_hessian", "fixed_", "gamma_", "grad_f_constant", "hessian_", "honor_",
    "inf_pr_output", "jac_c_constant", "jac_d_constant", "jacobian_", "kappa_", "least_square_", "limited_memory_",
    "line_search", "linear_scaling", "linear_solver", "linear_system_scaling", "ma27_", "ma57_", "magic_steps",
    "max_cpu_time", "max_filter", "max_hessian", "max_iter", "max_refinement", "max_resto", "max_soc", "max_soft",
    "max_wall_time", "mehrotra", "min_", "mu_", "mult_", "mumps_", "neg_curv", "nlp_", "nu_", "num_linear", "obj_max",
    "perturb_", "point_perturbation", "print_level", "quality_", "recalc_y", "replace_bounds", "required_", "residual_",
    "resto_", "rho", "s_max", "s_phi", "s_theta", "second_", "sigma_", "skip_", "slack_", "soc_", "soft_", "start_with",
    "tau_", "theta_", "tiny_", "tol", "warm_start_", "watchdog_",
    // BONMIN
    "algorithm", "allowable_", "cutoff", "heuristic_", "integer_tolerance", "iteration_limit", "node_", "number_", "oa_",
    "random_generator_seed", "solution_limit", "time_limit", "tree_search", "variable_selection"};

/// The engine's name in small letters.
std::string spelled_plainly(std::string_view option) {
  std::string plain(option);
  for (std::size_t k = 0; k < plain.size() && plain[k] != '.'; ++k)
    plain[k] = static_cast<char>(std::tolower(static_cast<unsigned char>(plain[k])));
  return plain;
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.'; }

}  // namespace

bool may_stand_in_annotation(std::string_view option) {
  std::size_t dot = option.find('.');
  std::string_view engine = option.substr(0, dot), name = dot == option.npos ? "" : option.substr(dot + 1);
  if (name.starts_with("bonmin.")) name.remove_prefix(7);
  if (engine != "ipopt" && engine != "bonmin") return true;  // ours know neither files nor libraries
  return std::ranges::any_of(harmless, [&](std::string_view begin) { return name.starts_with(begin); });
}

std::string reaching_option(std::string_view name, std::string_view value) {
  if (std::string plain = spelled_plainly(name); !may_stand_in_annotation(plain)) return plain;
  for (std::size_t from = 0; name == "chain" && from < value.size();) {
    auto to = static_cast<std::size_t>(
        std::find_if_not(value.begin() + static_cast<std::ptrdiff_t>(from), value.end(), is_of_name) - value.begin());
    std::string word = spelled_plainly(value.substr(from, to - from));
    if (word.find('.') != word.npos && !may_stand_in_annotation(word)) return word;
    from = std::max(to, from + 1);
  }
  return {};
}

}  // namespace bolza::driver
