// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/nlp/conformance/cases.h"

namespace bolza::nlp::testing {
namespace {

constexpr std::string_view no_multipliers =
    "the optimum is not a point of Karush, Kuhn and Tucker: it has no multipliers; IPOPT ends where 1e-8 of infeasibility "
    "buys "
    "0.5 % of "
    "the objective, in the others multipliers grow until the limit";
constexpr std::string_view no_curvature =
    "the Gauss-Newton matrix lacks the curvature of the constraints, which is as large here as that of the objective or "
    "larger: steps "
    "neither converge nor fail";
constexpr std::string_view slow_growth =
    "where the matrix has no curvature IPOPT's steps with L-BFGS keep their size: the limit of iterations comes before 1e20";
constexpr std::string_view large_residuals =
    "the residuals at the optimum are large: full Gauss-Newton steps go astray or to and fro, and a line search alone, "
    "without a bound on "
    "the step, does not "
    "bring them back";
constexpr std::string_view bad_condition =
    "the Hessian is so badly conditioned that a quasi-Newton matrix does not get there in 300 iterations";
constexpr std::string_view local_infeasibility =
    "it ends at (0, 4, 0), where the violation of the sphere has a local minimum on the plane";
constexpr std::string_view two_optima =
    "it passes points that are better than the optimum where it ends, and begins again there: with a looser tolerance it "
    "passes others";
// Shortcomings
constexpr std::string_view bent_valley =
    "shortcoming: damped steps are too short along a bent valley, and the limit comes first; `sqp`, without them, is there "
    "in 18";
constexpr std::string_view bounded_steps =
    "shortcoming: steps along a direction without curvature do not grow, and the limit of iterations comes before it says "
    "that the iterates diverge";
constexpr EngineException exceptions[] = {
    {"trust-region", "exact", "tolerance: HS2", two_optima},
    {"nlsq", "", "HS27", no_curvature},
    {"nlsq", "", "MGH16", large_residuals},
    {"sqp", "lbfgs", "unbounded: linear", slow_growth},
    {"hqp", "exact", "unbounded: along a curve", slow_growth},
    {"sqp", "gauss_newton", "HS31", no_curvature},
    {"sqp", "gauss_newton", "HS42", no_curvature},
    {"sqp", "gauss_newton", "MGH2", large_residuals},
    {"sqp", "gauss_newton", "MGH6", large_residuals},
    {"sqp", "gauss_newton", "MGH16", large_residuals},
    {"hqp", "gauss_newton", "HS18", no_curvature},
    {"hqp", "gauss_newton", "HS31", no_curvature},
    {"hqp", "gauss_newton", "HS42", no_curvature},
    {"hqp", "gauss_newton", "rank: a nonlinear row twice", no_curvature},
    {"hqp", "gauss_newton", "MGH2", large_residuals},
    {"hqp", "gauss_newton", "MGH6", large_residuals},
    {"hqp", "gauss_newton", "MGH16", large_residuals},
    {"ipopt", "", "HS13", no_multipliers},
    {"ipopt", "gauss_newton", "HS18", no_curvature},
    {"ipopt", "gauss_newton", "HS27", no_curvature},
    {"ipopt", "gauss_newton", "HS31", no_curvature},
    {"ipopt", "gauss_newton", "HS42", no_curvature},
    {"ipopt", "gauss_newton", "MGH2", large_residuals},
    {"ipopt", "gauss_newton", "MGH6", large_residuals},
    {"ipopt", "gauss_newton", "MGH16", large_residuals},
    {"ipopt", "lbfgs", "MGH10", bad_condition},
    {"ipopt", "gauss_newton", "infeasible: a circle and a half plane", no_curvature},
    {"ipopt", "gauss_newton", "infeasible: an equation without a real solution", no_curvature},
    {"ipopt", "lbfgs", "unbounded: linear", slow_growth},
    {"ipopt", "lbfgs", "unbounded: along a curve", slow_growth},

    {"barrier", "", "HS13", no_multipliers},
    {"barrier", "lbfgs", "unbounded: linear", slow_growth},
    {"barrier", "lbfgs", "unbounded: along a curve", slow_growth},
    {"barrier", "gauss_newton", "rank: a nonlinear row twice", no_curvature},
    {"barrier", "lbfgs", "MGH10", bad_condition},
    {"barrier", "lbfgs", "HS101", bad_condition},
    {"barrier", "gauss_newton", "HS18", no_curvature},
    {"barrier", "gauss_newton", "HS27", no_curvature},
    {"barrier", "gauss_newton", "HS31", no_curvature},
    {"barrier", "gauss_newton", "HS42", no_curvature},
    {"barrier", "gauss_newton", "MGH2", large_residuals},
    {"barrier", "gauss_newton", "MGH6", large_residuals},
    {"barrier", "gauss_newton", "MGH16", large_residuals},
    {"barrier", "gauss_newton", "infeasible: a circle and a half plane", no_curvature},
    {"barrier", "gauss_newton", "infeasible: an equation without a real solution", no_curvature},

    {"sqp", "", "HS13", no_multipliers},
    {"sqp", "lbfgs", "HS63", local_infeasibility},
    {"sqp", "lbfgs", "MGH10", bad_condition},

    {"hqp", "", "HS13", no_multipliers},
    {"hqp", "exact", "HS63", local_infeasibility},
    {"hqp", "", "unbounded: along a curve", bounded_steps},

    {"nlsq", "", "HS13", no_multipliers},
    {"nlsq", "", "MGH10", bent_valley},

    {"trust-region", "lbfgs", "MGH10", bad_condition},
};

}  // namespace

std::span<const EngineException> engine_exceptions() { return exceptions; }

}  // namespace bolza::nlp::testing
