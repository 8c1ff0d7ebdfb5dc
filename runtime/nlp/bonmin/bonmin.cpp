// SPDX-License-Identifier: Apache-2.0
// BONMIN [BONMIN]: the adapter between an NLP with scaling done and BONMIN's own interface.
#include <cfloat>
//
#include <BonBonminSetup.hpp>
#include <BonCbc.hpp>
#include <BonOsiTMINLPInterface.hpp>
#include <BonTMINLP.hpp>
#include <CoinError.hpp>
#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "runtime/nlp/child_process.h"
#include "runtime/nlp/engines/bonmin_row.h"
#include "runtime/nlp/engines/coin_values.h"
#include "runtime/nlp/mumps_turn.h"

extern bool BonminAbortAll;  // of libbonmin: its outer approximations end where it is set

namespace bolza::nlp {
namespace {

using Ipopt::Index;
using Ipopt::Number;
using Ipopt::SmartPtr;
using Linearity = Ipopt::TNLP::LinearityType;

class Problem final : public Bonmin::TMINLP {
 public:
  Problem(const Nlp& nlp, const EngineOptions& options, const Iterate& start, Incumbents& incumbents)
      : nlp_(nlp),
        options_(options),
        start_(start),
        incumbents_(incumbents),
        row_begin_(nlp.m() + 1, 0) {
    for (std::int32_t r : nlp.jacobian.row) ++row_begin_[static_cast<std::size_t>(r) + 1];
    for (std::size_t r = 0; r < nlp.m(); ++r) row_begin_[r + 1] += row_begin_[r];
    entry_.resize(nlp.jacobian.size());
    std::vector<std::size_t> next = row_begin_;
    for (std::size_t k = 0; k < entry_.size(); ++k) entry_[next[static_cast<std::size_t>(nlp.jacobian.row[k])]++] = k;
    find_constants();
  }

  Bonmin::Bab* search = nullptr;  ///< stopped at the limits
  Status stopped = Status::solved;

  bool get_nlp_info(Index& n, Index& m, Index& nnz_jac_g, Index& nnz_h_lag, Ipopt::TNLP::IndexStyleEnum& style) override {
    n = static_cast<Index>(nlp_.n());
    m = static_cast<Index>(nlp_.m());
    nnz_jac_g = static_cast<Index>(nlp_.jacobian.size());
    nnz_h_lag = static_cast<Index>(evaluated_second(nlp_, options_.hessian).size());
    style = Ipopt::TNLP::C_STYLE;
    return true;
  }
  bool get_variables_types(Index n, VariableType* types) override {
    for (Index v = 0; v < n; ++v) {
      auto k = static_cast<std::size_t>(v);
      bool whole = k < nlp_.integer.size() && nlp_.integer[k];
      types[v] = !whole ? CONTINUOUS : nlp_.lower[k] == 0 && nlp_.upper[k] == 1 ? BINARY : INTEGER;
    }
    return true;
  }
  bool get_variables_linearity(Index n, Linearity* types) override {
    std::fill_n(types, n, Ipopt::TNLP::NON_LINEAR);
    return true;
  }
  bool get_constraints_linearity(Index m, Linearity* types) override {
    for (Index r = 0; r < m; ++r)
      types[r] = nlp_.linear[static_cast<std::size_t>(r)] ? Ipopt::TNLP::LINEAR : Ipopt::TNLP::NON_LINEAR;
    return true;
  }
  bool get_bounds_info(Index, Number* x_l, Number* x_u, Index, Number* g_l, Number* g_u) override {
    auto limit = [](double v) { return std::clamp(v, -coin_infinite, coin_infinite); };
    std::transform(nlp_.lower.begin(), nlp_.lower.end(), x_l, limit);
    std::transform(nlp_.upper.begin(), nlp_.upper.end(), x_u, limit);
    for (std::size_t r = 0; r < nlp_.m(); ++r) {
      g_l[r] = limit(nlp_.row_lower[r] - constant_[r]);
      g_u[r] = limit(nlp_.row_upper[r] - constant_[r]);
    }
    return true;
  }
  bool get_starting_point(Index n, bool init_x, Number* x, bool init_z, Number* z_l, Number* z_u, Index m, bool init_lambda,
                          Number* lambda) override {
    if (init_x) std::copy(start_.w.begin(), start_.w.end(), x);
    if (init_z) {
      std::fill_n(z_l, n, 1.0);
      std::fill_n(z_u, n, 1.0);
    }
    if (init_lambda) std::fill_n(lambda, m, 0.0);
    return true;
  }

  bool eval_f(Index, const Number* x, bool new_x, Number& f) override {
    move(x, new_x);
    bool finite = nlp_.functions->objective(f);
    return finite;
  }
  bool eval_grad_f(Index n, const Number* x, bool new_x, Number* gradient) override {
    move(x, new_x);
    bool finite = give(nlp_.functions->gradient(), static_cast<std::size_t>(n), gradient);
    return finite;
  }
  bool eval_g(Index, const Number* x, bool new_x, Index m, Number* g) override {
    move(x, new_x);
    bool finite = give(nlp_.functions->constraints(), static_cast<std::size_t>(m), g);
    for (Index r = 0; finite && r < m; ++r) g[r] -= constant_[static_cast<std::size_t>(r)];
    return finite;
  }
  bool eval_jac_g(Index, const Number* x, bool new_x, Index, Index nnz, Index* row, Index* col, Number* values) override {
    if (!values) return give(nlp_.jacobian, row, col);
    move(x, new_x);
    bool finite = give(nlp_.functions->jacobian(), static_cast<std::size_t>(nnz), values);
    return finite;
  }
  bool eval_h(Index, const Number* x, bool new_x, Number sigma, Index m, const Number* lambda, bool, Index nnz, Index* row,
              Index* col, Number* values) override {
    if (!values) return give(evaluated_second(nlp_, options_.hessian), row, col);
    move(x, new_x);
    const double* entries = options_.hessian == Hessian::gauss_newton
                                ? nlp_.functions->gauss_newton(sigma)
                                : nlp_.functions->hessian(sigma, {lambda, static_cast<std::size_t>(m)});
    bool finite = give(entries, static_cast<std::size_t>(nnz), values);
    return finite;
  }
  bool eval_gi(Index, const Number* x, bool new_x, Index i, Number& gi) override {
    move(x, new_x);
    const double* g = nlp_.functions->constraints();
    if (g) gi = g[i] - constant_[static_cast<std::size_t>(i)];
    return g != nullptr;
  }
  bool eval_grad_gi(Index, const Number* x, bool new_x, Index i, Index& count, Index* col, Number* values) override {
    std::size_t begin = row_begin_[static_cast<std::size_t>(i)], end = row_begin_[static_cast<std::size_t>(i) + 1];
    count = static_cast<Index>(end - begin);
    for (std::size_t k = begin; col && k < end; ++k) col[k - begin] = nlp_.jacobian.col[entry_[k]];
    if (!values) return true;
    move(x, new_x);
    const double* entries = nlp_.functions->jacobian();
    for (std::size_t k = begin; entries && k < end; ++k) values[k - begin] = entries[entry_[k]];
    return entries != nullptr;
  }
  void finalize_solution(SolverReturn, Index, const Number*, Number) override {}
  const BranchingInfo* branchingInfo() const override { return nullptr; }
  const SosInfo* sosConstraints() const override { return nullptr; }

 private:
  /// BONMIN takes a linear row for the product of its entries and the variables: what else the row has moves into its
  /// bounds.
  void find_constants() {
    constant_.assign(nlp_.m(), 0);
    nlp_.functions->move_to(start_.w);
    const double *g = nlp_.functions->constraints(), *entries = nlp_.functions->jacobian();
    for (std::size_t r = 0; g && entries && r < nlp_.m(); ++r)
      if (nlp_.linear[r]) constant_[r] = g[r];
    for (std::size_t k = 0; g && entries && k < nlp_.jacobian.size(); ++k) {
      auto r = static_cast<std::size_t>(nlp_.jacobian.row[k]);
      if (nlp_.linear[r]) constant_[r] -= entries[k] * start_.w[static_cast<std::size_t>(nlp_.jacobian.col[k])];
    }
  }
  /// Every evaluation at a new point looks at the limits, because BONMIN's own count processor time, and at what has been
  /// found so far.
  void move(const Number* x, bool new_x) {
    if (new_x || !moved_) nlp_.functions->move_to({x, nlp_.n()});
    moved_ = true;
    if (search && search->model().bestSolution() && search->model().getObjValue() < best_) {
      best_ = search->model().getObjValue();
      incumbents_.offer({search->model().bestSolution(), nlp_.n()}, best_);
    }
    if (stopped != Status::solved) return;
    if (options_.budget.interrupted()) stopped = Status::interrupted;
    if (options_.budget.over()) stopped = Status::time_limit;
    if (stopped == Status::solved) return;
    BonminAbortAll = true;
    if (search) search->model().sayEventHappened();
  }

  const Nlp& nlp_;
  const EngineOptions& options_;
  const Iterate& start_;
  Incumbents& incumbents_;
  std::vector<std::size_t> row_begin_, entry_;  // entries of the Jacobian by rows
  std::vector<double> constant_;                // of linear rows
  bool moved_ = false;
  double best_ = INFINITY;
  Clock::time_point began_ = Clock::now();
};

/// Empty, or why an algorithm is not offered.
std::string objection_to(std::string_view algorithm) {
  constexpr std::string_view offered = "`B-BB`, `B-OA`, `B-QG` and `B-Ecp` are there";
  for (std::string_view known : {"B-BB", "B-OA", "B-QG", "B-Ecp"})
    if (algorithm == known) return {};
  if (algorithm == "B-Hyb")
    return "bonmin's algorithm B-Hyb is refused: it gave -1.7071 for -2.7 on a convex problem, and called that a success; " +
           std::string(offered);
  return "`" + std::string(algorithm) + "` is not an algorithm of bonmin: " + std::string(offered);
}

/// Sets one option of the user; empty, or what is wrong with it.
std::string set_option(Bonmin::BonminSetup& setup, std::string_view name_view, std::string_view text) {
  std::string name(name_view), value(text);
  if (name == "algorithm")
    if (std::string wrong = objection_to(value); !wrong.empty()) return wrong;
  SmartPtr<const Ipopt::RegisteredOption> option = setup.roptions()->GetOption(name);
  if (Ipopt::IsNull(option)) {
    std::vector<std::string> names;
    for (const auto& entry : setup.roptions()->RegisteredOptionsList()) names.push_back(entry.first);
    std::string near = near_match(name, names), what = "bonmin has no option `" + name + "`";
    return near.empty() ? what : what + ", did you mean `" + near + "`?";
  }
  std::string wrong = "`" + value + "` is not a value of bonmin's option `" + name + "`";
  double number = 0;
  Index integer = 0;
  switch (option->Type()) {
    case Ipopt::OT_Number:
      return number_in(text, number) && option->IsValidNumberSetting(number) &&
                     setup.options()->SetNumericValue(name, number)
                 ? ""
                 : wrong;
    case Ipopt::OT_Integer:
      return number_in(text, integer) && option->IsValidIntegerSetting(integer) &&
                     setup.options()->SetIntegerValue(name, integer)
                 ? ""
                 : wrong;
    case Ipopt::OT_String:
      return option->IsValidStringSetting(value) && setup.options()->SetStringValue(name, value) ? "" : wrong;
    case Ipopt::OT_Unknown:
      break;
  }
  return wrong;
}

void set_defaults(Ipopt::OptionsList& list, const EngineOptions& options) {
  list.SetStringValue("sb", "yes");
  list.SetIntegerValue("print_level", 0);
  for (const char* log : {"bb_log_level", "fp_log_level", "lp_log_level", "milp_log_level", "nlp_log_level", "oa_log_level",
                          "oa_cuts_log_level", "nlp_log_at_root"})
    list.SetIntegerValue(log, 0);
  list.SetStringValue("algorithm", "B-BB");
  list.SetNumericValue("allowable_fraction_gap", options.integer_gap);
  list.SetIntegerValue("node_limit", options.max_nodes);
  if (options.budget.is_limited())  // its linear programs in whole numbers evaluate nothing: they count for themselves
    list.SetNumericValue("time_limit", std::max(1e-3, options.budget.left()));
  list.SetStringValue("linear_solver", "mumps");
  list.SetNumericValue("tol", options.tol);
  list.SetIntegerValue("max_iter", options.max_iterations);
  list.SetIntegerValue("mumps_pivot_order", 5);
  list.SetNumericValue("mumps_pivtol", 1e-3);
  list.SetStringValue("resto.mehrotra_algorithm", "no");  // as for IPOPT
  if (options.hessian == Hessian::lbfgs) list.SetStringValue("hessian_approximation", "limited-memory");
}

/// CBC ends the process with assertions that do not hold where cuts meet strong branching or dives, and where the strong
/// branching of B-BB meets a variable that is fixed. What the user sets wins.
void avoid_assertions(Ipopt::OptionsList& list, const EngineOptions& options, std::string_view algorithm) {
  auto set = [&](const char* name, const char* value) {
    bool chosen = std::any_of(options.engine_options.begin(), options.engine_options.end(),
                              [name = std::string_view(name)](const auto& option) { return option.first == name; });
    if (!chosen) list.SetStringValue(name, value);
  };
  if (algorithm == "B-BB") set("variable_selection", "osi-simple");
  if (algorithm != "B-QG" && algorithm != "B-Ecp") return;
  set("variable_selection", "most-fractional");
  set("tree_search_strategy", "top-node");
}

void fill(Report& report, Bonmin::Bab& search, const Nlp& nlp) {
  report.iterations = search.iterationCount();
  IntegerReport& told = report.integers;
  told.nodes = search.numNodes();
  told.bound = search.bestBound();
  const double* best = search.bestSolution();
  told.found = best != nullptr;
  if (best) {
    report.iterate.w.assign(best, best + nlp.n());
    report.objective = search.bestObj();
  }
}

/// All algorithms but B-BB cut away what a convex problem cannot reach. Where rows are not linear their word is not enough;
/// that of B-OA never is: its linear programs were found infeasible where they are not (docs/decisions/integers.md).
bool cuts_may_be_wrong(const Nlp& nlp, const std::string& algorithm) {
  if (algorithm == "B-OA") return true;
  return algorithm != "B-BB" && std::find(nlp.linear.begin(), nlp.linear.end(), 0) != nlp.linear.end();
}

void distrust(Report& report, const std::string& algorithm) {
  std::string why = algorithm == "B-OA" ? "B-OA, whose bounds are not always right,"
                                        : algorithm + ", whose cuts hold for convex problems only,";
  report.integers.bound = -INFINITY;  // the relaxed optimum is what is known
  if (report.integers.found) report.integers.stopped = why;
  if (report.status == Status::infeasible || report.status == Status::diverging) {
    report.status = Status::failed;
    report.message = why + " found nothing";
  }
}

void judge(Report& report, const Bonmin::Bab& search, const Problem& problem, const EngineOptions& options) {
  if (problem.stopped != Status::solved) {
    report.status = problem.stopped;
    report.integers.stopped = problem.stopped == Status::interrupted ? "an interrupt" : "the time limit";
    return;
  }
  switch (search.mipStatus()) {
    case Bonmin::Bab::FeasibleOptimal:
      report.status = Status::solved;
      report.message = "solved";
      return;
    case Bonmin::Bab::ProvenInfeasible:
      report.status = Status::infeasible;
      report.message = "no whole numbers satisfy the constraints";
      return;
    case Bonmin::Bab::UnboundedOrInfeasible:
      report.status = Status::diverging;
      report.message = "the relaxed problem is unbounded or infeasible";
      return;
    default:
      report.status = report.integers.found ? Status::solved : Status::iteration_limit;
      report.integers.stopped = "a limit of bonmin (" + std::to_string(options.max_nodes) + " nodes)";
  }
}

Report search_tree(const Nlp& nlp, const EngineOptions& options, const Iterate& start, Incumbents& incumbents) {
  Report report;
  report.iterate.w = start.w;
  report.iterate.lambda.resize(nlp.m());
  report.iterate.z_lower.resize(nlp.n());
  report.iterate.z_upper.resize(nlp.n());
  BonminAbortAll = false;
  SmartPtr<Problem> problem = new Problem(nlp, options, start, incumbents);
  try {
    Bonmin::BonminSetup setup;
    setup.initializeOptionsAndJournalist();
    set_defaults(*setup.options(), options);
    for (const auto& [name, value] : options.engine_options)
      if (std::string wrong = set_option(setup, name, value); !wrong.empty()) {
        report.status = Status::bad_option;
        report.message = wrong;
        return report;
      }
    std::string algorithm;
    setup.options()->GetStringValue("algorithm", algorithm, "bonmin.");
    report.integers.method = "bonmin " + algorithm;
    avoid_assertions(*setup.options(), options, algorithm);
    setup.initialize(GetRawPtr(problem));
    Bonmin::Bab search;
    problem->search = &search;
    search(setup);
    problem->search = nullptr;
    fill(report, search, nlp);
    judge(report, search, *problem, options);
    if (cuts_may_be_wrong(nlp, algorithm)) distrust(report, algorithm);
  } catch (Bonmin::TNLPSolver::UnsolvedError* error) {
    report.status = Status::failed;
    report.message = "bonmin: a relaxed problem was not solved";
    delete error;
  } catch (Bonmin::OsiTMINLPInterface::SimpleError& error) {
    report.status = Status::failed;
    report.message = "bonmin: " + error.message();
  } catch (CoinError& error) {
    report.status = Status::failed;
    report.message = "bonmin: " + error.message();
  } catch (Ipopt::OPTION_INVALID& error) {
    report.status = Status::bad_option;
    report.message = "bonmin: " + error.Message();
  }
  if (report.status == Status::failed && problem->stopped != Status::solved) report.status = problem->stopped;
  return report;
}

std::string algorithm_in(const EngineOptions& options) {
  std::string algorithm = "B-BB";
  for (const auto& [name, value] : options.engine_options)
    if (name == "algorithm") algorithm = value;
  return algorithm;
}

/// Assertions of CBC that do not hold end the process: it is not this one. The child must not be made in the middle of a
/// call of MUMPS.
Report run(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  MumpsTurn turn;
  std::string algorithm = algorithm_in(options);
  Report report = solve_in_child(nlp, options, start, "bonmin's algorithm " + algorithm, search_tree);
  if (report.status != Status::failed) return report;
  if (report.integers.method.empty()) report.integers.method = "bonmin " + algorithm;
  if (algorithm != "B-BB") report.message += ": take bonmin's algorithm B-BB";
  return report;
}

std::string check_option(std::string_view name, std::string_view value) {
  MumpsTurn turn;
  Bonmin::BonminSetup setup;
  setup.initializeOptionsAndJournalist();
  return set_option(setup, name, value);
}

bool available() { return true; }

}  // namespace

extern const Engine bonmin;
const Engine bonmin = bonmin_row({.available = available, .solve = run, .check_option = check_option});

}  // namespace bolza::nlp
