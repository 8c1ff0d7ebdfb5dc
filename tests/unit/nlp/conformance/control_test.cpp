// SPDX-License-Identifier: Apache-2.0
// Limits, interruption, progress, warm starts and options of every engine.
#include <cmath>
#include <thread>

#include "runtime/nlp/solve.h"
#include "tests/unit/nlp/conformance/cases.h"
#include "tests/unit/nlp/conformance/engines_fixture.h"
#include "tests/unit/nlp/conformance/kkt.h"
#include "tests/unit/nlp/hock_schittkowski/hock_schittkowski.h"

namespace bolza::nlp::testing {
namespace {

/// Examples that take each engine several iterations; 2 and 38 have bounds alone.
std::vector<HockSchittkowski> some_examples() {
  std::vector<HockSchittkowski> chosen;
  for (HockSchittkowski& hs : hock_schittkowski())
    for (int number : {2, 38, 43, 65, 71, 77, 100})
      if (hs.number == number) chosen.push_back(std::move(hs));
  return chosen;
}

/// Calls `test(problem, case)` for every case of every one of the examples; what it returns is judged as `topic`.
template <class Test>
void for_each_case(const std::string& topic, Test test) {
  for (const HockSchittkowski& hs : some_examples())
    for (const EngineCase& the_case : cases_for(FormulaNlp(hs.formulas).nlp)) {
      FormulaNlp problem(hs.formulas);
      judge(the_case, topic + ": HS" + std::to_string(hs.number), test(problem, the_case));
    }
}

std::string unless(Status expected, const Nlp& nlp, const Report& report) {
  std::string complaint = wrong_lengths(nlp, report);
  if (report.status != expected)
    complaint += std::string(name_of(report.status)) + " instead of " + name_of(expected) + ": " + report.message;
  return complaint;
}

TEST_F(NlpEngines, take_turns_where_they_keep_state_of_the_process) {
  std::vector<const Engine*> there;
  for (const Engine* engine : engines())
    if (engine->available() && engine->exact_hessian) there.push_back(engine);
  auto solve_all = [&](std::size_t first, int& solved) {
    for (std::size_t k = 0; k < 4 * there.size(); ++k) {
      FormulaNlp problem(some_examples().front().formulas);
      EngineOptions options = EngineCase{there[(first + k) % there.size()], Hessian::exact}.options();
      solved += solve(problem.nlp, options).status == Status::solved;
    }
  };
  int here = 0, beside = 0;
  std::thread other(solve_all, 1, std::ref(beside));
  solve_all(0, here);
  other.join();
  EXPECT_EQ(here, 4 * static_cast<int>(there.size()));
  EXPECT_EQ(beside, here);
}

TEST_F(NlpEngines, stop_at_the_limit_of_iterations) {
  for_each_case("iteration limit", [](FormulaNlp& problem, const EngineCase& the_case) {
    EngineOptions options = the_case.options();
    options.max_iterations = 2;
    Report report = solve(problem.nlp, options);
    return unless(Status::iteration_limit, problem.nlp, report) + (report.iterations == 2 ? "" : "not at the second");
  });
}

TEST_F(NlpEngines, stop_at_the_limit_of_time) {
  for_each_case("time limit", [](FormulaNlp& problem, const EngineCase& the_case) {
    EngineOptions options = the_case.options();
    options.budget = Budget(1e-9);  // has passed before the first iteration ends, however fast the machine is
    Report report = solve(problem.nlp, options);
    return unless(Status::time_limit, problem.nlp, report) + (report.iterations <= 1 ? "" : "only later");
  });
}

TEST_F(NlpEngines, stop_when_interrupted_and_give_the_iterate_back) {
  struct Caller {
    bool stop = false;
    int at = 0;
  };
  for (int at : {0, 2})
    for_each_case("interrupt", [at](FormulaNlp& problem, const EngineCase& the_case) {
      Caller caller{.at = at};
      EngineOptions options = the_case.options();
      options.budget = Budget(&caller.stop);
      options.progress_context = &caller;
      options.progress = [](void* context, const EngineProgress& progress) {
        auto* of = static_cast<Caller*>(context);
        of->stop = progress.iteration >= of->at;
      };
      Report report = solve(problem.nlp, options);
      std::string complaint = unless(Status::interrupted, problem.nlp, report);
      if (report.iterations > at + 1) complaint += "only after " + std::to_string(report.iterations) + " iterations";
      bool start_holds = report.primal_infeasibility <= 1e-6;  // then it may be the best point so far
      if (at > 0 && report.iterate.w == problem.nlp.start && !start_holds) complaint += "the iterate is the start";
      return complaint;
    });
}

/// Functions that raise an interrupt with the first second derivatives, and count the points after that.
class InterruptingFunctions final : public Functions {
 public:
  explicit InterruptingFunctions(Functions& of) : of_(of) {}
  bool interrupt = false;
  int points_after = 0;

  void move_to(std::span<const double> w) override {
    moved_ = std::vector<double>(w.begin(), w.end());
    of_.move_to(w);
  }
  bool objective(double& f) override {
    points_after += interrupt && moved_ != at_;
    return of_.objective(f);
  }
  const double* gradient() override { return of_.gradient(); }
  const double* constraints() override { return of_.constraints(); }
  const double* jacobian() override { return of_.jacobian(); }
  const double* hessian(double sigma, std::span<const double> lambda) override {
    if (!interrupt) at_ = moved_;
    interrupt = true;
    return of_.hessian(sigma, lambda);
  }
  const double* gauss_newton(double sigma) override { return of_.gauss_newton(sigma); }

 private:
  Functions& of_;
  std::vector<double> moved_, at_;
};

TEST_F(NlpEngines, stop_inside_a_quadratic_program) {
  for (const char* engine : {"sqp", "hqp"})
    for (const HockSchittkowski& hs : some_examples()) {
      if (!find_engine(engine)->available()) continue;
      FormulaNlp problem(hs.formulas);
      InterruptingFunctions functions(problem);
      problem.nlp.functions = &functions;
      EngineOptions options{.engine = engine, .budget = Budget(&functions.interrupt)};
      EXPECT_EQ(solve(problem.nlp, options).status, Status::interrupted) << engine << ", HS" << hs.number;
      EXPECT_EQ(functions.points_after, 0) << engine << ", HS" << hs.number;
    }
}

TEST_F(NlpEngines, tell_their_progress) {
  struct Log {
    std::vector<EngineProgress> told;
  };
  for_each_case("progress", [](FormulaNlp& problem, const EngineCase& the_case) -> std::string {
    Log log;
    EngineOptions options = the_case.options();
    options.progress_context = &log;
    options.progress = [](void* context, const EngineProgress& progress) {
      static_cast<Log*>(context)->told.push_back(progress);
    };
    Report report = solve(problem.nlp, options);
    if (log.told.size() < 2) return "it tells nothing";
    std::string complaint;
    for (std::size_t k = 0; k < log.told.size(); ++k) {
      const EngineProgress& p = log.told[k];
      if (p.iteration > static_cast<int>(k) + 1 || (k > 0 && p.iteration <= log.told[k - 1].iteration))
        complaint += "iteration " + std::to_string(p.iteration) + " is reported as number " + std::to_string(k) + "; ";
      if (!std::isfinite(p.objective) || !(p.infeasibility >= 0) || !(p.dual_infeasibility >= 0))
        complaint += "its numbers are not finite; ";
    }
    if (log.told.back().iteration != report.iterations)
      complaint += "it takes " + std::to_string(report.iterations) + " iterations and tells of " +
                   std::to_string(log.told.back().iteration);
    return complaint;
  });
}

TEST_F(NlpEngines, take_no_more_iterations_from_the_solution_with_its_multipliers) {
  for_each_case("warm start", [](FormulaNlp& problem, const EngineCase& the_case) -> std::string {
    EngineOptions options = the_case.options();
    Report cold = solve(problem.nlp, options);
    options.warm_start = true;
    Report warm = solve(problem.nlp, options, &cold.iterate);
    if (warm.status != Status::solved) return name_of(warm.status);
    // an engine that measures the start first is done at once; an interior point leaves the bounds and comes back
    int allowed = std::min(cold.iterations, 12);
    if (warm.iterations > allowed)
      return std::to_string(warm.iterations) + " iterations, " + std::to_string(cold.iterations) + " from the start";
    const std::vector<double> optima{cold.objective};
    return complaint_about(problem, the_case, warm, optima);
  });
}

TEST_F(NlpEngines, give_the_same_digits_again) {
  for_each_case("repeated", [](FormulaNlp& problem, const EngineCase& the_case) -> std::string {
    Report first = solve(problem.nlp, the_case.options()), second = solve(problem.nlp, the_case.options());
    bool same = first.iterate.w == second.iterate.w && first.iterations == second.iterations;
    return same ? "" : "the second time is another";
  });
}

TEST_F(NlpEngines, are_more_exact_with_a_smaller_tolerance) {
  for_each_case("tolerance", [](FormulaNlp& problem, const EngineCase& the_case) -> std::string {
    EngineOptions options = the_case.options();
    options.tol = 1e-3;
    int coarse = solve(problem.nlp, options).iterations;
    options.tol = 1e-10;
    Report fine = solve(problem.nlp, options);
    if (fine.iterations < coarse) return "fewer iterations with the smaller tolerance";
    KktError error = kkt_error(problem, fine.iterate);
    // hundred times the tolerance: what scaling inside the engine makes of it
    double worst = std::max({error.primal, error.stationarity, error.complementarity});
    return worst <= 1e-8 ? ""
                         : std::string(name_of(fine.status)) + " with an error of " + std::to_string(worst * 1e8) + "e-8";
  });
}

/// An option of the engine: of its own table, or one that is known here.
std::string_view some_option(const Engine& engine) {
  if (!engine.settings.empty()) return engine.settings.front().name;
  return engine.name == "ipopt" ? "mu_strategy" : engine.name == "bonmin" ? "algorithm" : "";
}

TEST_F(NlpEngines, refuse_options_that_they_do_not_have_and_name_a_near_match) {
  for (const Engine* engine : engines()) {
    if (!engine->available()) continue;
    SCOPED_TRACE(engine->name);
    FormulaNlp problem({.start = {1}, .residuals = [](X x) -> Residuals { return {x[1]}; }});
    EngineOptions options = EngineCase{engine, engine->exact_hessian ? Hessian::exact : Hessian::gauss_newton}.options();
    auto refused = [&](const std::string& name) {
      options.engine_options = {{name, "1"}};
      Report report = solve(problem.nlp, options);
      EXPECT_EQ(report.status, Status::bad_option);
      EXPECT_EQ(problem.evaluations.objective, 0) << "it is refused before anything is evaluated";
      EXPECT_NE(report.message.find("`" + name + "`"), std::string::npos) << report.message;
      EXPECT_NE(report.message.find(engine->name), std::string::npos) << report.message;
      return report.message;
    };
    refused("no such option at all");
    std::string_view option = some_option(*engine);
    ASSERT_GE(option.size(), 4u) << "name one of its options in `some_option`";
    std::string wrong = std::string(option).erase(option.size() - 2, 1), message = refused(wrong);
    EXPECT_NE(message.find("did you mean `" + std::string(option) + "`"), std::string::npos) << message;
  }
}

TEST_F(NlpEngines, refuse_quasi_newton_matrices_that_they_do_not_have) {
  for (const Engine* engine : engines()) {
    if (!engine->available() || engine->lbfgs) continue;
    FormulaNlp problem({.start = {1}, .residuals = [](X x) -> Residuals { return {x[1]}; }});
    Report report = solve(problem.nlp, EngineCase{engine, Hessian::lbfgs}.options());
    EXPECT_EQ(report.status, Status::bad_option) << engine->name;
    EXPECT_NE(report.message.find(engine->name), std::string::npos) << report.message;
  }
}

TEST_F(NlpEngines, refuse_constraints_where_they_take_bounds_alone_and_name_those_that_take_them) {
  for (const Engine* engine : engines()) {
    if (!engine->available() || engine->constraints) continue;
    FormulaNlp problem({.start = {1, 2},
                        .rows = [](X x) -> Rows { return {x[1] + x[2] >= 3}; },
                        .residuals = [](X x) -> Residuals { return {x[1], x[2]}; }});
    Report report = solve(problem.nlp, {.engine = std::string(engine->name)});
    EXPECT_EQ(report.status, Status::bad_option) << engine->name;
    EXPECT_NE(report.message.find("1 constraint;"), std::string::npos) << report.message;
    for (const Engine* other : engines())
      EXPECT_EQ(report.message.find("`" + std::string(other->name) + "`") != std::string::npos,
                other->constraints || other == engine)
          << report.message;
  }
}

TEST_F(NlpEngines, refuse_objectives_that_are_no_sum_of_squares_where_they_need_one) {
  for (const Engine* engine : engines()) {
    if (!engine->available()) continue;
    FormulaNlp problem({.start = {1}, .lower = {0}, .objective = [](X x) { return x[1]; }});
    Report report = solve(problem.nlp, EngineCase{engine, Hessian::gauss_newton}.options());
    EXPECT_EQ(report.status, Status::bad_option) << engine->name;
    EXPECT_NE(report.message.find("sum of squares"), std::string::npos) << report.message;
  }
}

}  // namespace
}  // namespace bolza::nlp::testing
