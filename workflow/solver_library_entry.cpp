// SPDX-License-Identifier: Apache-2.0
#include "runtime/abi/evaluate.h"
#include "runtime/estimate/inversion/identify.h"
#include "runtime/estimate/run.h"
#include "runtime/estimate/search/run_search.h"
#include "runtime/estimate/statistics/analyse.h"
#include "runtime/integrate/lanes/lane_runs.h"
#include "runtime/integrate/method_table.h"
#include "runtime/integrate/simulate/simulate.h"
#include "runtime/linalg/collocation_points.h"
#include "runtime/linalg/lagrange.h"
#include "runtime/nlp/engine_table.h"
#include "runtime/transcribe/checks/branches.h"
#include "runtime/transcribe/checks/hamiltonian.h"
#include "runtime/transcribe/checks/mesh_error.h"
#include "runtime/transcribe/checks/minimum_principle.h"
#include "runtime/transcribe/checks/resimulate.h"
#include "runtime/transcribe/checks/violation.h"
#include "runtime/transcribe/collocation/conflict.h"
#include "runtime/transcribe/collocation/data_guess.h"
#include "runtime/transcribe/collocation/guess.h"
#include "runtime/transcribe/collocation/natural_horizon.h"
#include "runtime/transcribe/collocation/simulated_guess.h"
#include "runtime/transcribe/collocation/solve.h"
#include "runtime/transcribe/feasible_start.h"
#include "runtime/transcribe/gradient/reduced_gradient.h"
#include "runtime/transcribe/point_slopes.h"
#include "runtime/transcribe/sensitivity/trajectory_slopes.h"
#include "runtime/transcribe/shooting/control_error.h"
#include "runtime/transcribe/shooting/multiple_shooting.h"
#include "runtime/transcribe/shooting/single_shooting.h"
#include "runtime/verify/convex.h"
#include "runtime/verify/lagrangian.h"
#include "runtime/verify/verify.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {
namespace {

abi::Solution solve_direct(bolza_problem& problem, const transcribe::TranscribeOptions& options,
                           const abi::Solution* guess) {
  return transcribe::solve(problem, options, guess);
}

integrate::Simulation simulate(const bolza_problem& problem, std::size_t phase, const integrate::SimulateOptions& options) {
  integrate::SimulateOptions with = options;
  if (!with.start_options.optimiser) with.start_options.optimiser = transcribe::find_feasible;
  return integrate::simulate(problem, phase, with);
}

std::vector<TableRow> integrators() {
  std::vector<TableRow> rows;
  for (const integrate::Method* m : integrate::methods())
    rows.push_back({.name = m->name,
                    .description = m->description,
                    .available = m->available(),
                    .differentiable = m->discrete() || m->adjoint || m->name == "idas",  // in its segments
                    .stiff = m->stiff,
                    .fixed_steps = m->fixed_steps,
                    .samples = m->name == "cvodes",  // the segments of no other keep them
                    .order = m->order_high,
                    .highest_index = m->highest_index});
  return rows;
}

std::vector<TableRow> engines() {
  std::vector<TableRow> rows;
  for (const nlp::Engine* e : nlp::engines()) {
    rows.push_back({.name = e->name,
                    .description = e->description,
                    .available = e->available(),
                    .takes_integers = e->integers != nlp::Integers::refused,
                    .squares_only = !e->exact_hessian && !e->lbfgs,
                    .lbfgs = e->lbfgs,
                    .bounds_only = !e->constraints,
                    .dense = e->dense});
    for (const nlp::EngineSetting& s : e->settings)
      rows.back().options.emplace_back(s.name, s.words.empty() ? s.help : s.words);
  }
  return rows;
}

/// By its structure; the slopes of integrals in the objective are what decides about their signs.
bool is_convex(bolza_problem& problem, const std::vector<double>& parameters) {
  bolza_function& f = *problem.point;
  if (problem.is_static || !verify::are_points_linear(problem) || !abi::ensure(problem, f, BOLZA_JACOBIAN)) return false;
  std::vector<double> slopes = transcribe::point_slopes(problem, parameters);
  std::vector<Eigen::VectorXd> weights;
  for (std::size_t p = 0; p < problem.n_phases; ++p)
    weights.push_back(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(problem.models[problem.phases[p].model]->n_q)));
  for (std::size_t e = 0; e < f.jac_nnz; ++e) {
    auto column = static_cast<std::size_t>(f.jac_col[e]);
    if (f.jac_row[e] != 0 || column >= problem.n_values || problem.values[column].quantity != BOLZA_INTEGRAL) continue;
    const bolza_value_at& value = problem.values[column];
    weights[static_cast<std::size_t>(value.place)](value.index) = (problem.maximize ? -1 : 1) * slopes[e];
  }
  return verify::is_convex(problem, weights);
}

constexpr SolverLibrary library{solver_library_version,
                                solve_direct,
                                transcribe::solve_single_shooting,
                                transcribe::solve_multiple_shooting,
                                simulate,
                                integrate::name_of,
                                transcribe::resimulate,
                                transcribe::constraint_violation,
                                transcribe::branch_jump,
                                transcribe::better_controls,
                                transcribe::find_conflict,
                                is_convex,
                                transcribe::add_hamiltonian,
                                transcribe::mesh_error,
                                transcribe::refined_mesh,
                                transcribe::control_error,
                                transcribe::refined_controls,
                                transcribe::on_control_grids,
                                transcribe::simulated_guess,
                                transcribe::data_guess,
                                transcribe::natural_horizon,
                                transcribe::guessed_parameters,
                                transcribe::add_to_log,
                                integrators,
                                engines,
                                transcribe::reduced_gradient,
                                estimate::estimate,
                                estimate::search,
                                estimate::profile,
                                estimate::analyse,
                                estimate::identify,
                                integrate::method_options,
                                integrate::set_option,
                                verify::objective_slopes,
                                transcribe::trajectory_sensitivity,
                                verify::verify,
                                integrate::objection_to_lanes,
                                integrate::run_lanes,
                                linalg::radau_points,
                                linalg::lagrange_values};

}  // namespace
}  // namespace bolza::workflow

extern "C" __attribute__((visibility("default"))) const bolza::workflow::SolverLibrary* bolza_solver_library() {
  return &bolza::workflow::library;
}
