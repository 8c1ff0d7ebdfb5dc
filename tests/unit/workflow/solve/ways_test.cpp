// SPDX-License-Identifier: Apache-2.0
// Which problems are solved as they are written, with smooth functions, in modes and by complementarity, in which order and
// with which effort, over stages that give prepared answers.
#include "workflow/solve/nonsmooth/ways.h"

#include <gtest/gtest.h>

#include <deque>
#include <ostream>

#include "base/numbers.h"
#include "tests/unit/workflow/models.h"
#include "tests/unit/workflow/solve/fake_solver.h"
#include "workflow/solve/nonsmooth/nonsmooth.h"

namespace bolza::workflow {
namespace {

using enum abi::SolveStatus;
using Runs = std::vector<std::string>;

std::string least_energy(const std::string& rate) {
  return "optimization P(objective = cost(finalTime), finalTime = 1)\n  Real x(start = 1, fixed = true), cost(start = 0, "
         "fixed = true);\n  input Real u(min = -1, max = 1);\nequation\n  der(x) = " +
         rate + ";\n  der(cost) = u^2;\nconstraint\n  x(finalTime) = 0.5;\nend P;\n";
}

const std::string smooth_rate = "u - x", kinked_rate = "u - abs(x)", jumping_rate = "u - (if x > 0.75 then 1 else 2)";
const std::string norm_rate = "u - sqrt(x^2 + cost^2)";

const std::string free_switch =
    "optimization P(objective = (first.x(finalTime) - 0.7)^2)\n  optimization Part\n    parameter Real stop;\n    Real x;\n"
    "  equation\n    der(x) = if time < stop then 1 else 0;\n  end Part;\n"
    "  parameter Real t1(free = true, initialGuess = 0.5, min = 0, max = 1);\n"
    "  Part first(finalTime = 1, stop = t1, x(start = 0, fixed = true)), second(finalTime = 2, stop = 1.5);\n"
    "constraint\n  second.x(startTime) = first.x(finalTime);\nend P;\n";

/// Stages that end as was said: with a trajectory of the model that x falls along, from 1 to 0.5 at the end.
class FakeStages {
 public:
  explicit FakeStages(const std::string& text) : model_(model_of(text)) {
    library_.simulated_guess = [](bolza_problem&, const Budget&, const abi::Solution*, const abi::Solution*, double) {
      return abi::Solution{};
    };
  }

  Result<Done> solve(Nonsmooth how, bool retry = true, bool whole = false) {
    RunStages run = [this](Model& model, const abi::Solution* guess, Effort effort, SolveOutcome& own) {
      std::string what = "as written";
      if (model.request.smooth > 0) what = "smooth " + shown(model.request.smooth);
      if (model.request.complementarity > 0) what = "complementarity " + shown(model.request.complementarity);
      if (model.request.modes) what = std::to_string(model.request.modes->sides.size()) + " modes";
      return end(what + (guess ? " from a guess" : "") + told_effort(effort), model, own);
    };
    WaysTask task{.model = *model_,
                  .library = library_,
                  .how = how,
                  .retry = retry,
                  .whole = whole,
                  .integrated = integrated,
                  .run = run};
    task.rest = [this](const abi::Solution& failed, SolveOutcome& own) {
      return end(std::string("the rest after ") + abi::name_of(failed.status), *model_, own);
    };
    task.budget = Budget(&over_);
    return solve_in_ways(task, outcome);
  }

  Model& model() { return *model_; }

  std::deque<Ending> endings;  ///< the last one stays
  Runs runs;
  SolveOutcome outcome;
  bool integrated = false;
  std::size_t ended_after = 0;                         ///< runs, then time is over; 0: never
  std::function<void(SolveOutcome&)> change_solution;  ///< of what is solved

 private:
  volatile bool over_ = false;

  static std::string told_effort(const Effort& effort) {
    std::string text;
    if (effort.attempts == Attempts::none) text += ", first attempt";
    if (effort.attempts == Attempts::simulated_guess) text += ", first two attempts";
    if (effort.most > 0) text += ", at most " + std::to_string(effort.most);
    if (!effort.refine) text += ", not refined";
    return text;
  }

  Result<Done> end(std::string what, Model& model, SolveOutcome& own) {
    runs.push_back(std::move(what));
    over_ = ended_after > 0 && runs.size() >= ended_after;
    Ending next = endings.front();
    if (endings.size() > 1) endings.pop_front();
    own.solution = trajectory(model, next);
    own.stages.push_back({.text = "stage", .status = next.status, .iterations = next.iterations});
    if (change_solution && abi::is_solution(next.status)) change_solution(own);
    return Done{};
  }

  /// Every variable of the model along each phase; the first state falls from 1 to 0.5.
  static abi::Solution trajectory(const Model& model, const Ending& how) {
    const bolza_problem& problem = model.abi();
    abi::Solution out;
    out.status = how.status;
    out.objective = how.objective;
    out.parameters.assign(problem.n_parameters, 0);
    for (std::size_t p = 0; p < problem.n_phases; ++p) {
      const bolza_model& m = *problem.models[problem.phases[p].model];
      abi::PhaseSolution& phase = out.phases.emplace_back();
      double from = static_cast<double>(p) / static_cast<double>(problem.n_phases),
             to = static_cast<double>(p + 1) / static_cast<double>(problem.n_phases);
      phase.start_time = from;
      phase.final_time = to;
      phase.mesh = {0, 0.25, 0.5, 0.75, 1};
      phase.transcription = "radau";
      abi::Trajectories& y = phase.trajectories;
      for (double s : phase.mesh) y.time.push_back(from + s * (to - from));
      y.x.assign(m.n_x, std::vector<double>(y.time.size(), 0));
      y.rate = y.x;
      y.z.assign(m.n_z, y.x.empty() ? std::vector<double>{} : y.x[0]);
      y.u.assign(m.n_u, std::vector<double>(y.time.size(), 0));
      for (std::size_t k = 0; k < y.time.size() && m.n_x > 0; ++k) y.x[0][k] = 1 - 0.5 * y.time[k];
      for (std::size_t g = 0; g < 2; ++g)
        out.parameters[static_cast<std::size_t>(problem.phases[p].parameter[g])] = g == 0 ? from : to;
    }
    return out;
  }

  std::unique_ptr<Model> model_;
  SolverLibrary library_{};
};

struct WayRow {
  const char* what;
  std::string problem;
  Nonsmooth how;
  std::deque<Ending> endings;
  Runs runs;
  bool smoothed;
  bool retry = true, whole = false;
};

const Ending fails{.status = failed, .objective = 9, .iterations = 7},
    holds{.status = solved, .objective = 1, .iterations = 7};

const WayRow way_rows[] = {
    {"a smooth problem is solved as it is written", smooth_rate, Nonsmooth::automatic, {holds}, {"as written"}, false},
    {"with all attempts, and no other way", smooth_rate, Nonsmooth::automatic, {fails}, {"as written"}, false},
    {"one with kinks has few attempts at first",
     kinked_rate,
     Nonsmooth::automatic,
     {holds},
     {"as written, first two attempts, at most 150"},
     false},
    {"then smooth functions, the rest, and smooth functions with all attempts",
     kinked_rate,
     Nonsmooth::automatic,
     {fails},
     {"as written, first two attempts, at most 150", "smooth 0.1, first two attempts, not refined", "the rest after failed",
      "smooth 0.1, not refined"},
     false},
    {"the rest may hold",
     kinked_rate,
     Nonsmooth::automatic,
     {fails, fails, holds},
     {"as written, first two attempts, at most 150", "smooth 0.1, first two attempts, not refined", "the rest after failed"},
     false},
    {"the modes that a smooth solution shows make it one of the problem",
     kinked_rate,
     Nonsmooth::automatic,
     {fails, holds},
     {"as written, first two attempts, at most 150", "smooth 0.1, first two attempts, not refined",
      "smooth 0.01 from a guess, first two attempts, not refined",
      "smooth 0.001 from a guess, first two attempts, not refined",
      "smooth 0.0001 from a guess, first two attempts, not refined", "1 modes from a guess, first two attempts"},
     true},
    {"nothing of kinks is made smooth that nobody asked for: whole numbers",
     kinked_rate,
     Nonsmooth::automatic,
     {fails},
     {"as written", "smooth 0.1, not refined"},
     false,
     true,
     true},
    {"without `retry` there is one way",
     kinked_rate,
     Nonsmooth::automatic,
     {fails},
     {"as written, first two attempts, at most 150"},
     false,
     false},
    {"`written` is one way", kinked_rate, Nonsmooth::written, {fails}, {"as written"}, false},
    {"norms are made smooth where nothing else helps",
     norm_rate,
     Nonsmooth::automatic,
     {fails},
     {"as written", "smooth 0.1, not refined"},
     false},
    {"`smooth` of what is solved",
     kinked_rate,
     Nonsmooth::smooth,
     {holds},
     {"as written, first attempt", "smooth 0.1 from a guess, not refined", "smooth 0.01 from a guess, not refined",
      "smooth 0.001 from a guess, not refined", "smooth 0.0001 from a guess, not refined",
      "smooth 0.0001 from a guess, first attempt"},
     true},
    {"`smooth` of what has nothing to smooth", smooth_rate, Nonsmooth::smooth, {holds}, {"as written"}, false},
    {"`modes` of what is solved",
     kinked_rate,
     Nonsmooth::modes,
     {holds},
     {"as written, first attempt", "1 modes from a guess"},
     true},
    {"`modes` go through the sides that the solution shows",
     jumping_rate,
     Nonsmooth::modes,
     {holds},
     {"as written, first attempt", "2 modes from a guess"},
     true},
    {"`complementarity` of what is solved",
     kinked_rate,
     Nonsmooth::complementarity,
     {holds},
     {"as written, first attempt", "complementarity 0.1 from a guess", "complementarity 0.01 from a guess",
      "complementarity 0.001 from a guess", "complementarity 0.0001 from a guess", "complementarity 1e-05 from a guess",
      "complementarity 1e-06 from a guess", "complementarity 1e-07 from a guess"},
     true},
    {"equations that jump are solved in modes although they are solved",
     jumping_rate,
     Nonsmooth::automatic,
     {holds},
     {"as written, first two attempts, at most 150", "2 modes from a guess, first two attempts"},
     true},
    {"a change at a free time is made smooth although it is solved",
     free_switch,
     Nonsmooth::automatic,
     {holds},
     {"as written", "smooth 0.05, not refined", "smooth 0.005 from a guess, not refined",
      "smooth 0.0005 from a guess, not refined", "smooth 0.0005 from a guess, first attempt"},
     true},
};

void PrintTo(const WayRow& row, std::ostream* out) { *out << row.what; }

class WaysOfRow : public testing::TestWithParam<WayRow> {};

TEST_P(WaysOfRow, are_those_of_the_table) {
  const WayRow& row = GetParam();
  FakeStages stages(row.problem.starts_with("optimization") ? row.problem : least_energy(row.problem));
  stages.endings = row.endings;
  ASSERT_TRUE(stages.solve(row.how, row.retry, row.whole));
  EXPECT_EQ(stages.runs, row.runs) << row.what;
  EXPECT_EQ(stages.outcome.smoothed, row.smoothed) << row.what;
}

INSTANTIATE_TEST_SUITE_P(Ways, WaysOfRow, testing::ValuesIn(way_rows));

// ---------------------------------------------------------------- what is kept

Ending with_objective(double objective, abi::SolveStatus status = solved) {
  return {.status = status, .objective = objective, .iterations = 7};
}

/// A problem with kinks whose smooth functions hold with objective 1, and whose modes fail, as does the problem as it is
/// written from there; then the rest ends so.
struct Replaced {
  FakeStages stages{least_energy(kinked_rate)};
  explicit Replaced(const Ending& rest) {
    stages.endings = {fails, holds, holds, holds, holds, fails, fails, rest, with_objective(1.001)};
    EXPECT_TRUE(stages.solve(Nonsmooth::automatic));
  }
};

TEST(Ways, let_kinks_hold_up_integrations_for_one_short_attempt) {
  FakeStages stages(least_energy(kinked_rate));
  stages.integrated = true;
  stages.endings = {fails, holds};
  ASSERT_TRUE(stages.solve(Nonsmooth::automatic));
  EXPECT_EQ(stages.runs.front(), "as written, first attempt, at most 40");
}

TEST(Ways, a_solution_of_the_problem_as_it_is_written_takes_the_place_of_a_smooth_one) {
  for (double objective : {0.9, 1.0, 1.009}) {
    Replaced by(with_objective(objective));
    EXPECT_EQ(by.stages.runs.back(), "the rest after failed") << objective;
    EXPECT_FALSE(by.stages.outcome.smoothed) << objective;
    EXPECT_EQ(by.stages.outcome.solution.objective, objective);
    EXPECT_EQ(by.stages.outcome.stages.size(), 3u) << "the first, the smooth ones, the rest";
  }
}

TEST(Ways, from_a_smooth_solution_the_problem_is_solved_as_it_is_written) {
  for (double objective : {0.9, 1.0, 1.009}) {
    FakeStages stages(least_energy(kinked_rate));
    stages.endings = {fails, holds, holds, holds, holds, fails, with_objective(objective)};
    EXPECT_TRUE(stages.solve(Nonsmooth::automatic));
    EXPECT_EQ(stages.runs.back(), "as written from a guess, first attempt, at most 50") << objective;
    EXPECT_FALSE(stages.outcome.smoothed) << objective;
    EXPECT_TRUE(stages.outcome.warnings.empty()) << objective;
    EXPECT_EQ(stages.outcome.solution.objective, objective);
  }
}

TEST(Ways, a_smooth_solution_stays_where_none_as_it_is_written_is_as_good) {
  for (const Ending& rest : {with_objective(1.02), fails}) {
    Replaced by(rest);
    EXPECT_TRUE(by.stages.outcome.smoothed);
    EXPECT_EQ(by.stages.runs.back(), "smooth 0.0001 from a guess, first attempt") << "its mesh is refined";
    EXPECT_EQ(by.stages.outcome.solution.objective, 1.001);
    ASSERT_FALSE(by.stages.outcome.warnings.empty());
    EXPECT_NE(line_of(by.stages.outcome.warnings[0]).find("smoothed over a width of 0.0001"), std::string::npos);
  }
}

TEST(Ways, the_narrowest_smooth_solution_is_kept) {
  FakeStages stages(least_energy(kinked_rate));
  stages.endings = {holds, with_objective(2), with_objective(3), with_objective(4, infeasible), with_objective(5)};
  ASSERT_TRUE(stages.solve(Nonsmooth::smooth));
  EXPECT_EQ(stages.runs.back(), "smooth 0.01 from a guess, first attempt");
  EXPECT_EQ(stages.outcome.solution.objective, 5);
  EXPECT_EQ(stages.outcome.attempt, "relations, abs, min and max made smooth");
  EXPECT_FALSE(stages.outcome.first_failed);
}

TEST(Ways, iterations_of_smooth_functions_that_failed_are_counted) {
  FakeStages stages(least_energy(norm_rate));
  stages.endings = {fails};
  ASSERT_TRUE(stages.solve(Nonsmooth::automatic));
  ASSERT_EQ(stages.outcome.stages.size(), 1u);
  EXPECT_EQ(stages.outcome.stages[0].iterations, 14);
}

TEST(Ways, only_failures_that_kinks_may_cause_are_followed_by_smooth_functions) {
  for (auto [status, follows] : {std::pair{infeasible, true},
                                 {iteration_limit, true},
                                 {failed, true},
                                 {diverging, true},
                                 {evaluation_error, true},
                                 {unbounded, false},
                                 {time_limit, false},
                                 {interrupted, false},
                                 {solved, false},
                                 {acceptable, false}}) {
    FakeStages stages(least_energy(norm_rate));
    stages.endings = {with_objective(1, status)};
    ASSERT_TRUE(stages.solve(Nonsmooth::automatic));
    EXPECT_EQ(stages.runs.size(), follows ? 2u : 1u) << abi::name_of(status);
  }
}

TEST(Ways, none_begins_when_time_is_over) {
  for (auto [how, runs] : {std::pair{Nonsmooth::automatic, 1u},
                           {Nonsmooth::smooth, 1u},
                           {Nonsmooth::modes, 1u},
                           {Nonsmooth::complementarity, 1u}}) {
    FakeStages stages(least_energy(jumping_rate));
    stages.endings = {holds};
    stages.ended_after = 1;
    ASSERT_TRUE(stages.solve(how));
    EXPECT_EQ(stages.runs.size(), runs) << nonsmooth_ways.of(how);
    EXPECT_EQ(stages.outcome.solution.status, solved);
    bool goes_on = how != Nonsmooth::smooth;
    ASSERT_EQ(stages.outcome.stopped.has_value(), goes_on) << nonsmooth_ways.of(how);
    if (!goes_on) continue;
    EXPECT_EQ(stages.outcome.stopped->what,
              how == Nonsmooth::complementarity ? solution_by_complementarity : solution_in_modes);
  }
}

TEST(Ways, a_first_attempt_that_failed_is_followed_by_nothing_when_time_is_over) {
  FakeStages stages(least_energy(kinked_rate));
  stages.endings = {fails};
  stages.ended_after = 1;
  ASSERT_TRUE(stages.solve(Nonsmooth::automatic));
  EXPECT_EQ(stages.runs.size(), 1u);
  EXPECT_FALSE(stages.outcome.stopped);
}

TEST(Ways, a_solution_in_modes_tells_when_relations_change_sides) {
  FakeStages stages(least_energy(jumping_rate));
  stages.endings = {holds, with_objective(0.5)};
  ASSERT_TRUE(stages.solve(Nonsmooth::modes));
  EXPECT_EQ(stages.outcome.solution.objective, 0.5);
  EXPECT_EQ(stages.outcome.attempt, "a sequence of 2 modes");
  ASSERT_EQ(stages.outcome.relations.size(), 1u);
  EXPECT_EQ(stages.outcome.relations[0], "`x > 0.75` changes sides at 0.5");  // x = 1 - t/2
  EXPECT_EQ(stages.outcome.solution.phases.size(), 1u) << "one of the problem as it is written";
  EXPECT_EQ(stages.outcome.warnings, Warnings());
}

TEST(Ways, modes_that_were_asked_for_and_failed_get_a_warning) {
  FakeStages failing(least_energy(jumping_rate)), worse(least_energy(jumping_rate)), none(least_energy(smooth_rate));
  failing.endings = {holds, with_objective(1, infeasible)};
  ASSERT_TRUE(failing.solve(Nonsmooth::modes));
  ASSERT_EQ(failing.outcome.warnings.size(), 1u);
  EXPECT_EQ(failing.outcome.warnings[0].kind, WarningKind::modes_failed);
  EXPECT_EQ(line_of(failing.outcome.warnings[0]), "no sequence of modes was solved: 2 modes: infeasible");
  EXPECT_EQ(failing.outcome.relations, Runs());
  worse.endings = {holds, with_objective(1.02)};
  ASSERT_TRUE(worse.solve(Nonsmooth::modes));
  ASSERT_EQ(worse.outcome.warnings.size(), 1u);
  EXPECT_NE(line_of(worse.outcome.warnings[0]).find("its objective is 1.02, and 1 was found before"), std::string::npos);
  EXPECT_EQ(worse.outcome.solution.objective, 1);
  none.endings = {holds};
  ASSERT_TRUE(none.solve(Nonsmooth::modes));
  ASSERT_EQ(none.outcome.warnings.size(), 1u);
  EXPECT_NE(line_of(none.outcome.warnings[0]).find("there is no relation"), std::string::npos);
}

TEST(Ways, modes_that_nobody_asked_for_get_a_warning_where_equations_jump) {
  FakeStages stages(least_energy(jumping_rate));
  stages.endings = {holds, with_objective(1, infeasible)};
  ASSERT_TRUE(stages.solve(Nonsmooth::automatic));
  ASSERT_EQ(stages.outcome.warnings.size(), 1u);
  EXPECT_NE(line_of(stages.outcome.warnings[0]).find("`--nonsmooth complementarity` is another way"), std::string::npos);
}

TEST(Ways, complementarity_is_relaxed_as_little_as_is_solved) {
  FakeStages stages(least_energy(kinked_rate)), none(least_energy(kinked_rate)), worse(least_energy(kinked_rate));
  stages.endings = {holds, with_objective(0.9), with_objective(0.8), fails};
  ASSERT_TRUE(stages.solve(Nonsmooth::complementarity));
  EXPECT_EQ(stages.outcome.solution.objective, 0.8);
  EXPECT_EQ(stages.outcome.attempt, "complementarity, relaxed by 0.01");
  ASSERT_EQ(stages.outcome.warnings.size(), 1u);
  EXPECT_EQ(stages.outcome.warnings[0].kind, WarningKind::complementarity_relaxed);
  EXPECT_EQ(line_of(stages.outcome.warnings[0]), "complementarity holds to 0.01 only: with less it was not solved");
  none.endings = {holds, fails};
  ASSERT_TRUE(none.solve(Nonsmooth::complementarity));
  EXPECT_EQ(none.outcome.solution.objective, 1);
  EXPECT_EQ(lines_of(none.outcome.warnings), Runs{"complementarity was not solved, not even relaxed by 0.1"});
  worse.endings = {holds, with_objective(2)};
  ASSERT_TRUE(worse.solve(Nonsmooth::complementarity));
  EXPECT_EQ(worse.outcome.solution.objective, 1);
  ASSERT_EQ(worse.outcome.warnings.size(), 1u);
  EXPECT_NE(line_of(worse.outcome.warnings[0]).find("complementarity led to another solution"), std::string::npos);
}

TEST(Ways, coarse_meshes_of_problems_with_kinks_are_solved_in_modes) {
  for (auto [error, runs] : {std::pair{1e-3, 2u}, {1e-5, 1u}}) {
    FakeStages stages(least_energy("u - abs(x - 0.75)"));  // changes sides, without a jump
    stages.endings = {holds};
    stages.change_solution = [error = error](SolveOutcome& own) {
      own.accuracy.known = true;
      own.accuracy.error = error;
    };
    ASSERT_TRUE(stages.solve(Nonsmooth::automatic));
    EXPECT_EQ(stages.runs.size(), runs) << error;
  }
}

TEST(Ways, a_hundredth_of_the_objective_is_clearly_worse) {
  auto is_worse = [](double own, double before, bool maximize = false, abi::SolveStatus status = solved) {
    SolveOutcome a, b;
    a.solution = ended({.objective = own});
    b.solution = ended({.status = status, .objective = before});
    return is_clearly_worse(a, b, maximize);
  };
  EXPECT_TRUE(is_worse(1.011, 1));
  EXPECT_FALSE(is_worse(1.009, 1));
  EXPECT_FALSE(is_worse(0.5, 1));
  EXPECT_TRUE(is_worse(0.5, 1, true));
  EXPECT_FALSE(is_worse(2, 1, true));
  EXPECT_TRUE(is_worse(2e-5, 0)) << "of 1e-3, where the objective is nearly zero";
  EXPECT_FALSE(is_worse(0.9e-5, 0));
  EXPECT_FALSE(is_worse(5, 1, false, failed)) << "there was none before";
}

TEST(Ways, it_is_known_what_has_kinks_norms_and_jumps) {
  auto of = [](const std::string& rate) {
    auto model = model_of(least_energy(rate));
    std::string text;
    if (has_kinks(model->problem)) text += "kinks ";
    if (has_norms(model->problem)) text += "norms ";
    if (has_jumps(model->problem)) text += "jumps ";
    return text;
  };
  EXPECT_EQ(of(smooth_rate), "");
  EXPECT_EQ(of(kinked_rate), "kinks ");
  EXPECT_EQ(of("u - max(x, 0.2)"), "kinks ");
  EXPECT_EQ(of(norm_rate), "norms ");
  EXPECT_EQ(of(jumping_rate), "kinks jumps ");
  EXPECT_EQ(of("u - sqrt(x + 1)"), "");
}

}  // namespace
}  // namespace bolza::workflow
