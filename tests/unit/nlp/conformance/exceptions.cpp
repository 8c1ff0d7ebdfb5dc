#include "tests/unit/nlp/conformance/cases.h"

namespace bolza::nlp::testing {
namespace {

constexpr std::string_view no_multipliers =
    "the optimum is no point of Karush, Kuhn and Tucker: it has no multipliers; IPOPT ends where 1e-8 of infeasibility buys "
    "0.5 % of "
    "the objective";
constexpr std::string_view no_curvature =
    "the Gauss-Newton matrix lacks the curvature of the constraints, which is larger here than that of the objective: steps "
    "neither "
    "converge nor fail";
constexpr std::string_view square_system =
    "IPOPT takes as many equations as variables for a system of equations and leaves the objective out, even where they "
    "depend on "
    "each other";
constexpr std::string_view slow_growth =
    "without curvature the L-BFGS matrix keeps its size: steps do not grow, and the limit of iterations comes before 1e20";

constexpr std::string_view large_residuals =
    "the residuals at the optimum are large: full Gauss-Newton steps go astray, and a line search alone, without a bound on "
    "the step, does not "
    "bring them back";
constexpr std::string_view bad_condition =
    "the condition of the Hessian is 1e15 or so: an L-BFGS matrix of six pairs does not get there in 300 iterations";

constexpr std::string_view slow_without_multipliers =
    "the optimum is no point of Karush, Kuhn and Tucker: multipliers grow without end, and steps become shorter and shorter";
constexpr std::string_view stationary_violation =
    "the first linearisation contradicts the bounds, and the elastic steps end at a vertex where violations are stationary";
constexpr std::string_view flat_merit =
    "the penalty function hardly changes far from the constraint: the multiplier is 0.04, the violation 2";
constexpr std::string_view saddle_of_small_curvature =
    "steps that a shift of the diagonal keeps short, over a plateau of 1e-2 of the objective's range";
constexpr std::string_view bad_condition_of_all =
    "the condition of the Hessian is 1e15 or so: no step is both long enough and right to its last digits";

constexpr EngineException exceptions[] = {
    {"sqp", "", "HS13", slow_without_multipliers},
    {"hqp", "", "HS13", slow_without_multipliers},
    {"nlsq", "", "HS13", slow_without_multipliers},
    {"hqp", "exact", "HS27", flat_merit},
    {"nlsq", "", "HS27", no_curvature},
    {"sqp", "lbfgs", "HS63", stationary_violation},
    {"hqp", "exact", "HS63", stationary_violation},
    {"hqp", "exact", "HS68", saddle_of_small_curvature},
    {"sqp", "", "MGH10", bad_condition_of_all},
    {"hqp", "", "MGH10", bad_condition_of_all},
    {"nlsq", "", "MGH10", bad_condition_of_all},
    {"nlsq", "", "MGH16", large_residuals},
    {"sqp", "lbfgs", "unbounded: linear", slow_growth},
    {"hqp", "exact", "unbounded: along a curve", slow_growth},
    {"sqp", "gauss_newton", "HS18", no_curvature},
    {"sqp", "gauss_newton", "HS27", no_curvature},
    {"sqp", "gauss_newton", "HS31", no_curvature},
    {"sqp", "gauss_newton", "HS42", no_curvature},
    {"sqp", "gauss_newton", "infeasible: a circle and a half plane", no_curvature},
    {"sqp", "gauss_newton", "rank: a nonlinear row twice", no_curvature},
    {"sqp", "gauss_newton", "MGH2", large_residuals},
    {"sqp", "gauss_newton", "MGH6", large_residuals},
    {"sqp", "gauss_newton", "MGH16", large_residuals},
    {"hqp", "gauss_newton", "HS18", no_curvature},
    {"hqp", "gauss_newton", "HS27", no_curvature},
    {"hqp", "gauss_newton", "HS31", no_curvature},
    {"hqp", "gauss_newton", "HS42", no_curvature},
    {"hqp", "gauss_newton", "infeasible: a circle and a half plane", no_curvature},
    {"hqp", "gauss_newton", "rank: a nonlinear row twice", no_curvature},
    {"hqp", "gauss_newton", "MGH2", large_residuals},
    {"hqp", "gauss_newton", "MGH6", large_residuals},
    {"hqp", "gauss_newton", "MGH16", large_residuals},
    {"ipopt", "", "HS13", no_multipliers},
    {"ipopt", "gauss_newton", "HS18", no_curvature},
    {"ipopt", "gauss_newton", "HS27", no_curvature},
    {"ipopt", "gauss_newton", "HS31", no_curvature},
    {"ipopt", "gauss_newton", "HS42", no_curvature},
    {"ipopt", "", "HS55", square_system},
    {"ipopt", "gauss_newton", "MGH2", large_residuals},
    {"ipopt", "gauss_newton", "MGH6", large_residuals},
    {"ipopt", "gauss_newton", "MGH16", large_residuals},
    {"ipopt", "lbfgs", "MGH10", bad_condition},
    {"ipopt", "gauss_newton", "infeasible: a circle and a half plane", no_curvature},
    {"ipopt", "gauss_newton", "infeasible: an equation without a real solution", no_curvature},
    {"ipopt", "lbfgs", "unbounded: linear", slow_growth},
    {"ipopt", "lbfgs", "unbounded: along a curve", slow_growth},
};

}  // namespace

std::span<const EngineException> engine_exceptions() { return exceptions; }

}  // namespace bolza::nlp::testing
