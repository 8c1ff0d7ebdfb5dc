// SPDX-License-Identifier: Apache-2.0
// IPOPT [IPOPT]: the adapter between an NLP with scaling done and IPOPT's own interface.
#include <IpIpoptApplication.hpp>
#include <IpIpoptCalculatedQuantities.hpp>
#include <IpIpoptData.hpp>
#include <IpSolveStatistics.hpp>
#include <IpTNLP.hpp>
#include <IpTimingStatistics.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "runtime/nlp/dependent_equations.h"
#include "runtime/nlp/engines/chain_solver.h"
#include "runtime/nlp/engines/coin_values.h"
#include "runtime/nlp/engines/ipopt_row.h"
#include "runtime/nlp/engines/saddle_point.h"
#include "runtime/nlp/extra_variables.h"
#include "runtime/nlp/linear_algebra.h"
#include "runtime/nlp/mumps_turn.h"
#include "runtime/nlp/residuals.h"
#include "runtime/nlp/solve.h"
#include "runtime/nlp/stall.h"

namespace bolza::nlp {
namespace {

using Ipopt::Index;
using Ipopt::Number;
using Ipopt::SmartPtr;

constexpr double next_to_nothing = 1e-5;  ///< of the objective, relative to 1 + its size

/// Adds the time of one evaluation to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum), begin_(Clock::now()) {}
  ~Stopwatch() { sum_ += seconds_since(begin_); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& sum_;
  Clock::time_point begin_;
};

class Adapter final : public Ipopt::TNLP {
 public:
  Adapter(const Nlp& nlp, const EngineOptions& options, const Iterate& start)
      : nlp_(nlp),
        options_(options),
        start_(start),
        pattern_(evaluated_second(nlp_, options_.hessian)),
        stall_(options.tol, options.noise),
        creep_(options.tol, next_to_nothing, options.creep),
        lost_(options.tol, next_to_nothing, 2 * options.creep) {}

  Report report;
  bool stopped_by_time = false, evaluation_failed = false;
  bool stalled = false, creeps = false;
  bool nearly_solved = false;  // the last iterate was feasible and stationary but for the noise of its values

  bool get_nlp_info(Index& n, Index& m, Index& nnz_jac_g, Index& nnz_h_lag, IndexStyleEnum& style) override {
    n = static_cast<Index>(nlp_.n());
    m = static_cast<Index>(nlp_.m());
    nnz_jac_g = static_cast<Index>(nlp_.jacobian.size());
    nnz_h_lag = static_cast<Index>(pattern_.size());
    style = C_STYLE;
    return true;
  }
  bool get_bounds_info(Index, Number* x_l, Number* x_u, Index, Number* g_l, Number* g_u) override {
    auto limit = [](double v) { return std::clamp(v, -coin_infinite, coin_infinite); };
    std::transform(nlp_.lower.begin(), nlp_.lower.end(), x_l, limit);
    std::transform(nlp_.upper.begin(), nlp_.upper.end(), x_u, limit);
    std::transform(nlp_.row_lower.begin(), nlp_.row_lower.end(), g_l, limit);
    std::transform(nlp_.row_upper.begin(), nlp_.row_upper.end(), g_u, limit);
    return true;
  }
  bool get_starting_point(Index, bool init_x, Number* x, bool init_z, Number* z_l, Number* z_u, Index, bool init_lambda,
                          Number* lambda) override {
    if (init_x) std::copy(start_.w.begin(), start_.w.end(), x);
    if (init_z) {
      std::copy(start_.z_lower.begin(), start_.z_lower.end(), z_l);
      std::copy(start_.z_upper.begin(), start_.z_upper.end(), z_u);
    }
    if (init_lambda) std::copy(start_.lambda.begin(), start_.lambda.end(), lambda);
    return true;
  }
  bool get_variables_linearity(Index, LinearityType*) override { return false; }
  bool get_constraints_linearity(Index m, LinearityType* types) override {
    for (Index r = 0; r < m; ++r) types[r] = nlp_.linear[static_cast<std::size_t>(r)] ? LINEAR : NON_LINEAR;
    return true;
  }

  bool eval_f(Index, const Number* x, bool new_x, Number& f) override {
    Stopwatch watch(report.seconds_evaluation);
    move(x, new_x);
    return noted(nlp_.functions->objective(f));
  }
  bool eval_grad_f(Index n, const Number* x, bool new_x, Number* gradient) override {
    Stopwatch watch(report.seconds_evaluation);
    move(x, new_x);
    return noted(give(nlp_.functions->gradient(), static_cast<std::size_t>(n), gradient));
  }
  bool eval_g(Index, const Number* x, bool new_x, Index m, Number* g) override {
    Stopwatch watch(report.seconds_evaluation);
    move(x, new_x);
    return noted(give(nlp_.functions->constraints(), static_cast<std::size_t>(m), g));
  }
  bool eval_jac_g(Index, const Number* x, bool new_x, Index, Index nnz, Index* row, Index* col, Number* values) override {
    if (!values) return give(nlp_.jacobian, row, col);
    Stopwatch watch(report.seconds_evaluation);
    move(x, new_x);
    return noted(give(nlp_.functions->jacobian(), static_cast<std::size_t>(nnz), values));
  }
  bool eval_h(Index, const Number* x, bool new_x, Number sigma, Index m, const Number* lambda, bool, Index nnz, Index* row,
              Index* col, Number* values) override {
    if (!values) return give(pattern_, row, col);
    Stopwatch watch(report.seconds_evaluation);
    move(x, new_x);
    const double* entries = options_.hessian == Hessian::gauss_newton
                                ? nlp_.functions->gauss_newton(sigma)
                                : nlp_.functions->hessian(sigma, {lambda, static_cast<std::size_t>(m)});
    return noted(give(entries, static_cast<std::size_t>(nnz), values));
  }

  bool intermediate_callback(Ipopt::AlgorithmMode mode, Index iteration, Number objective, Number primal, Number dual,
                             Number barrier, Number, Number regularization, Number, Number, Index, const Ipopt::IpoptData*,
                             Ipopt::IpoptCalculatedQuantities*) override {
    report.iterations = iteration;
    report.regularization = regularization;
    report.regularized += regularization > 0;
    nearly_solved = mode == Ipopt::RegularMode && primal <= acceptable() && dual <= acceptable();
    double seconds = seconds_since(begin_);
    if (options_.progress) options_.progress(options_.progress_context, {iteration, objective, primal, dual, seconds});
    stopped_by_time = options_.budget.over();
    if (mode == Ipopt::RegularMode) stalled = stall_.look(objective, primal, dual, barrier);
    else stall_.reset();
    creeps = options_.creep > 0 && is_creeping(mode, objective, primal, dual, barrier);
    return !stopped_by_time && !stalled && !creeps && !options_.budget.interrupted();
  }
  void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number* z_l, const Number* z_u, Index m,
                         const Number*, const Number* lambda, Number objective, const Ipopt::IpoptData*,
                         Ipopt::IpoptCalculatedQuantities*) override {
    report.iterate = {{x, x + n}, {lambda, lambda + m}, {z_l, z_l + n}, {z_u, z_u + n}};
    report.objective = objective;
  }

 private:
  double acceptable() const { return 100 * options_.tol; }
  /// In a restoration nothing but the violation counts.
  bool is_creeping(Ipopt::AlgorithmMode mode, double objective, double primal, double dual, double barrier) {
    bool regular = mode == Ipopt::RegularMode;
    (regular ? lost_ : creep_).reset();
    return regular ? creep_.look(objective, primal, dual, barrier) : lost_.look(0, primal, 0);
  }
  void move(const Number* x, bool new_x) {
    if (new_x || !moved_) nlp_.functions->move_to({x, nlp_.n()});
    moved_ = true;
  }
  bool noted(bool finite) {
    evaluation_failed = !finite;
    return finite;
  }
  const Nlp& nlp_;
  const EngineOptions& options_;
  const Iterate& start_;
  const Pattern& pattern_;
  bool moved_ = false;
  StallWatch stall_, creep_, lost_;
  Clock::time_point begin_ = Clock::now();
};

std::string unknown_option(Ipopt::IpoptApplication& application, std::string_view name) {
  std::vector<std::string> names;
  for (const auto& entry : application.RegOptions()->RegisteredOptionsList()) names.push_back(entry.first);
  std::string near = near_match(name, names);
  std::string text = "ipopt has no option `" + std::string(name) + "`";
  return near.empty() ? text : text + ", did you mean `" + near + "`?";
}

/// Sets one option of the user; empty, or what is wrong with it.
std::string set_option(Ipopt::IpoptApplication& application, std::string_view name_view, std::string_view text) {
  std::string name(name_view), value(text);
  SmartPtr<const Ipopt::RegisteredOption> option = application.RegOptions()->GetOption(name);
  if (Ipopt::IsNull(option)) return unknown_option(application, name);
  Ipopt::OptionsList& list = *application.Options();
  std::string wrong = "`" + value + "` is not a value of ipopt's option `" + name + "`: ";
  switch (option->Type()) {
    case Ipopt::OT_Number: {
      double number = 0;
      if (!number_in(text, number)) return wrong + "a number is expected";
      return option->IsValidNumberSetting(number) && list.SetNumericValue(name, number) ? "" : wrong + "out of its range";
    }
    case Ipopt::OT_Integer: {
      Index number = 0;
      if (!number_in(text, number)) return wrong + "an integer is expected";
      return option->IsValidIntegerSetting(number) && list.SetIntegerValue(name, number) ? "" : wrong + "out of its range";
    }
    case Ipopt::OT_String:
      return option->IsValidStringSetting(value) && list.SetStringValue(name, value) ? ""
                                                                                     : wrong + "not one of its settings";
    case Ipopt::OT_Unknown:
      break;
  }
  return wrong + "its type is not known";
}

/// What collocation systems need (docs/measured/performance.md), and silence.
void set_defaults(Ipopt::OptionsList& list, const EngineOptions& options) {
  list.SetStringValue("sb", "yes");
  list.SetIntegerValue("print_level", 0);
  list.SetNumericValue("tol", options.tol);
  list.SetIntegerValue("max_iter", options.max_iterations);
  if (options.hessian == Hessian::exact)  // with 1e-8 rows that were divided by much let through much
    list.SetNumericValue("bound_relax_factor", 1e-10);
  list.SetIntegerValue("mumps_permuting_scaling", 0);
  list.SetIntegerValue("mumps_pivot_order", 5);
  list.SetNumericValue(
      "mumps_pivtol",
      1e-3);  // with 1e-6 large blocks get a wrong inertia: 130 factorisations instead of 81 (docs/measured/performance.md)
  // factors with these pivots are accurate: a step is refined where its residual asks for it, not always
  list.SetIntegerValue("min_refinement_steps", 0);
  list.SetNumericValue("residual_ratio_max", 1e-12);
  list.SetStringValue("resto.mehrotra_algorithm",
                      "no");  // it ends the process in the restoration phase, see IPOPT 3.11's PDSearchDirCalculator
  if (options.barrier > 0) list.SetNumericValue("mu_init", options.barrier);
  if (options.hessian == Hessian::lbfgs) list.SetStringValue("hessian_approximation", "limited-memory");
}

/// IPOPT's entry for MA57 leads to the chain's factors; their blocks are scaled where they are.
void set_chain_solver(Ipopt::OptionsList& list) {
  list.SetStringValue("linear_solver", "ma57");
  list.SetStringValue("linear_system_scaling", "none");
  list.SetStringValue("ma57_automatic_scaling", "no");
}

void set_warm_start(Ipopt::OptionsList& list, double barrier) {
  list.SetStringValue("warm_start_init_point", "yes");
  for (const char* push : {"warm_start_bound_push", "warm_start_bound_frac", "warm_start_slack_bound_push",
                           "warm_start_slack_bound_frac", "warm_start_mult_bound_push"})
    list.SetNumericValue(push, 1e-9);
  list.SetNumericValue("mu_init", barrier > 0 ? barrier : 1e-7);
}

Status status_of(Ipopt::ApplicationReturnStatus outcome, const Adapter& adapter) {
  switch (outcome) {
    case Ipopt::Solve_Succeeded:
    case Ipopt::Feasible_Point_Found:
      return Status::solved;
    case Ipopt::Solved_To_Acceptable_Level:
      return Status::acceptable;
    case Ipopt::Infeasible_Problem_Detected:
      return Status::infeasible;
    case Ipopt::Maximum_Iterations_Exceeded:
      return Status::iteration_limit;
    case Ipopt::Maximum_CpuTime_Exceeded:
      return Status::time_limit;
    case Ipopt::Diverging_Iterates:
      return Status::diverging;
    case Ipopt::Invalid_Number_Detected:
      return Status::evaluation_error;
    case Ipopt::User_Requested_Stop:
      if (adapter.stopped_by_time) return Status::time_limit;
      if (adapter.creeps) return Status::iteration_limit;
      if (!adapter.stalled) return Status::interrupted;
      return adapter.nearly_solved ? Status::acceptable : Status::failed;
    case Ipopt::Invalid_Option:
    case Ipopt::Invalid_Problem_Definition:
      return Status::bad_option;
    case Ipopt::Restoration_Failed:
    case Ipopt::Error_In_Step_Computation:
    case Ipopt::Search_Direction_Becomes_Too_Small:
      if (adapter.evaluation_failed) return Status::evaluation_error;
      return adapter.nearly_solved ? Status::acceptable : Status::failed;
    case Ipopt::Not_Enough_Degrees_Of_Freedom:
    case Ipopt::Unrecoverable_Exception:
    case Ipopt::NonIpopt_Exception_Thrown:
    case Ipopt::Insufficient_Memory:
    case Ipopt::Internal_Error:
      return Status::failed;
  }
  return Status::failed;
}

const char* text_of(Ipopt::ApplicationReturnStatus outcome) {
  switch (outcome) {
    case Ipopt::Solve_Succeeded:
      return "solved";
    case Ipopt::Feasible_Point_Found:
      return "feasible point found";
    case Ipopt::Solved_To_Acceptable_Level:
      return "solved to the acceptable level only";
    case Ipopt::Infeasible_Problem_Detected:
      return "converged to a point of local infeasibility";
    case Ipopt::Maximum_Iterations_Exceeded:
      return "iteration limit reached";
    case Ipopt::Maximum_CpuTime_Exceeded:
      return "time limit reached";
    case Ipopt::Diverging_Iterates:
      return "the iterates diverge";
    case Ipopt::Invalid_Number_Detected:
      return "a value was not finite";
    case Ipopt::User_Requested_Stop:
      return "stopped on request";
    case Ipopt::Not_Enough_Degrees_Of_Freedom:
      return "more equality constraints than free variables";
    case Ipopt::Invalid_Option:
      return "an option was refused";
    case Ipopt::Invalid_Problem_Definition:
      return "the problem is not well defined";
    case Ipopt::Restoration_Failed:
      return "the restoration phase failed";
    case Ipopt::Error_In_Step_Computation:
      return "no step could be computed";
    case Ipopt::Search_Direction_Becomes_Too_Small:
      return "the steps became too small";
    case Ipopt::Unrecoverable_Exception:
      return "unrecoverable error inside ipopt";
    case Ipopt::NonIpopt_Exception_Thrown:
      return "an exception passed through ipopt";
    case Ipopt::Insufficient_Memory:
      return "not enough memory";
    case Ipopt::Internal_Error:
      return "internal error of ipopt";
  }
  return "unknown outcome";
}

Report refused(std::string why) {
  Report report;
  report.status = Status::bad_option;
  report.message = std::move(why);
  return report;
}

/// IPOPT leaves finalize_solution out when it refuses a problem before the first iteration.
void complete(Report& report, const Nlp& nlp, const Iterate& start) {
  if (report.iterate.w.empty()) report.iterate.w = start.w;
  report.iterate.lambda.resize(nlp.m());
  report.iterate.z_lower.resize(nlp.n());
  report.iterate.z_upper.resize(nlp.n());
}

/// A problem without free variables is solved by its only point.
Report only_point(const Nlp& nlp) {
  Report report;
  nlp.functions->move_to({});
  report.status = nlp.functions->objective(report.objective) ? Status::solved : Status::evaluation_error;
  report.message = "nothing is free";
  return report;
}

/// IPOPT's option, with a detector of our own: IPOPT 3.11 writes beyond its arrays where MUMPS names a row twice or one that
/// there is not.
constexpr const char* dependency_detector = "dependency_detector";

bool leaves_out_dependent(const EngineOptions& options) {
  return std::any_of(options.engine_options.begin(), options.engine_options.end(),
                     [](const auto& option) { return option.first == dependency_detector && option.second != "none"; });
}

/// Equations are left out without a look at their right-hand sides: where these contradict the others, the solution is none.
void refuse_contradiction(const Nlp& nlp, const EngineOptions& options, Report& report) {
  if (!is_solution(report.status)) return;
  measure_residuals(nlp, report);
  if (report.primal_infeasibility <= 100 * options.tol) return;
  report.status = Status::infeasible;
  report.message = "equations contradict each other";
}

/// IPOPT's constructor throws an exception of its own where it gets no memory.
SmartPtr<Ipopt::IpoptApplication> make_application(bool with_console) try {
  return new Ipopt::IpoptApplication(with_console);
} catch (const Ipopt::IpoptException&) {
  throw std::bad_alloc();
}

/// By IPOPT's own option.
bool chooses_linear_solver(const EngineOptions& options) {
  return std::any_of(options.engine_options.begin(), options.engine_options.end(),
                     [](const auto& option) { return option.first == "linear_solver"; });
}

/// What linear systems took, by the clocks of IPOPT.
void take_times(Ipopt::IpoptApplication& application, LinearAlgebra& to) {
  if (!IsValid(application.IpoptDataObject())) return;
  Ipopt::TimingStatistics& times = application.IpoptDataObject()->TimingStats();
  to.seconds_analysis = times.LinearSystemSymbolicFactorization().TotalWallclockTime() +
                        times.LinearSystemStructureConverterInit().TotalWallclockTime();
  to.seconds_back_solve = times.LinearSystemBackSolve().TotalWallclockTime();
  to.seconds_factorisation = times.LinearSystemFactorization().TotalWallclockTime();
  if (to.seconds_factorisation > 0) return;  // MUMPS' interface has no clock of its own
  double all = times.StdAugSystemSolverMultiSolve().TotalWallclockTime();
  to.seconds_factorisation = std::max(0.0, all - to.seconds_analysis - to.seconds_back_solve);
}

Report call_once(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  SmartPtr<Ipopt::IpoptApplication> application = make_application(true);
  set_defaults(*application->Options(), options);
  if (options.warm_start && start.lambda.size() == nlp.m() && start.z_lower.size() == nlp.n())
    set_warm_start(*application->Options(), options.barrier);
  std::unique_ptr<ChainSolver> chain = chooses_linear_solver(options) ? nullptr : ChainSolver::make(nlp, options);
  if (chain) set_chain_solver(*application->Options());
  for (const auto& [name, value] : options.engine_options)
    if (std::string wrong = name == dependency_detector ? "" : set_option(*application, name, value); !wrong.empty())
      return refused(wrong);
  if (application->Initialize("") != Ipopt::Solve_Succeeded) return refused("ipopt refused its options");

  SmartPtr<Adapter> adapter = new Adapter(nlp, options, start);
  Ipopt::ApplicationReturnStatus outcome = application->OptimizeTNLP(GetRawPtr(adapter));
  Report report = std::move(adapter->report);
  report.status = status_of(outcome, *adapter);
  report.message = adapter->stalled ? no_progress : text_of(outcome);
  if (chain) report.linear_algebra = chain->used();
  else report.linear_algebra.is_chain = options.linear_solver != LinearSolver::chain;
  take_times(*application, report.linear_algebra);
  complete(report, nlp, start);
  return report;
}

/// Where nobody asked for the chain, and IPOPT came to no clear end along it, MUMPS' factors are tried from the same start:
/// equations without a derivative at the solution, and constraints that depend on each other there, leave it to rounding
/// which factors get there.
Report call(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  Report report = call_once(nlp, options, start);
  bool unclear = report.status == Status::failed || report.status == Status::acceptable;
  bool chose_chain = options.linear_solver == LinearSolver::automatic && report.linear_algebra.any();
  if (!chose_chain || !unclear || report.message == no_progress || options.budget.over()) return report;
  EngineOptions by_mumps = options;
  by_mumps.linear_solver = LinearSolver::mumps;
  by_mumps.max_iterations = std::max(1, options.max_iterations - report.iterations);
  Report other = call_once(nlp, by_mumps, start);
  bool better = is_solution(other.status) && (other.status == Status::solved || report.status == Status::failed);
  Report& kept = better ? other : report;
  Report& left = better ? report : other;
  kept.iterations += left.iterations;
  kept.regularized += left.regularized;
  kept.seconds_evaluation += left.seconds_evaluation;
  add(kept.linear_algebra, left.linear_algebra);
  return std::move(kept);
}

/// Without the equations that depend on others where the options ask for that; tells of a saddle point.
Report call_independent(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  Report report;
  if (leaves_out_dependent(options)) {
    report = call(without_equations(nlp, dependent_equations(nlp, start.w)), options, start);
    refuse_contradiction(nlp, options, report);
  } else {
    report = call(nlp, options, start);
  }
  look_at_end(nlp, options, report);
  return report;
}

/// Solves with as many variables more as make the equations fewer than the variables.
Report call_extended(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  std::size_t count = count_equations(nlp) + 1 - nlp.n();
  WithExtraVariables extended = with_extra_variables(nlp, count);
  Report report = call_independent(extended.nlp, options, with_extra_entries(start, count));
  report.iterate = without_extra_entries(std::move(report.iterate), count);
  return report;
}

/// IPOPT refuses more equations than variables, although they may depend on each other. As many it takes for a system of
/// equations and ends at any solution of theirs (`IsSquareProblem`): where that is not stationary, the solve goes on from
/// it.
Report run(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  MumpsTurn turn;
  if (nlp.n() == 0) return only_point(nlp);
  std::size_t equations = count_equations(nlp);
  if (equations > nlp.n()) return call_extended(nlp, options, start);
  Report report = call_independent(nlp, options, start);
  if (equations < nlp.n() || !is_solution(report.status)) return report;
  measure_residuals(nlp, report);
  if (report.dual_infeasibility <= options.tol) return report;
  EngineOptions on = options;
  on.warm_start = false;
  on.max_iterations = std::max(1, options.max_iterations - report.iterations);
  Report optimal = call_extended(nlp, on, start);
  optimal.iterations += report.iterations;
  add(optimal.linear_algebra, report.linear_algebra);
  optimal.seconds_evaluation += report.seconds_evaluation;
  return optimal;
}

std::string check_option(std::string_view name, std::string_view value) {
  MumpsTurn turn;
  SmartPtr<Ipopt::IpoptApplication> application = make_application(false);
  return set_option(*application, name, value);
}

bool always() { return true; }

}  // namespace

extern const Engine ipopt;
const Engine ipopt = ipopt_row({.available = always, .solve = run, .check_option = check_option});

}  // namespace bolza::nlp
