// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/lifted.h"

#include <algorithm>
#include <cmath>

#include "runtime/nlp/condensing.h"
#include "runtime/nlp/engine_table.h"
#include "runtime/nlp/residuals.h"
#include "runtime/nlp/solve.h"
#include "runtime/transcribe/shooting/accuracy.h"
#include "runtime/transcribe/shooting/carried_multipliers.h"
#include "runtime/transcribe/shooting/multiple_internal.h"

namespace bolza::transcribe {

nlp::Iterate without_intermediate_states(const ShootingNodes& lifted, const nlp::Iterate& iterate,
                                         const ShootingNodes& single) {
  RoundMemory memory;
  memory.keep(lifted, iterate);
  nlp::Iterate out = memory.recall(single);
  for (std::size_t r = 0; r < single.rows.size() && !memory.empty(); ++r) {
    const NodeFunction& f = single.rows[r].function;
    if (single.rows[r].kind != ShootingRow::Kind::node || f.what != NodeFunction::What::state) continue;
    std::size_t v = lifted.phases[f.site.phase].x_at(f.site.node(), f.index);
    out.lambda[r] = iterate.z_upper[v] - iterate.z_lower[v];
  }
  return out;
}

namespace {

constexpr double state_error = 1e-6;  ///< of a state's size, that integrations may leave at the end of the horizon
constexpr double worth_it = 0.1;      ///< of a tolerance: a smaller one is taken where it is no more

class Lifted {
 public:
  Lifted(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting, const Accuracy& accuracy,
         const abi::Solution* guess, RoundMemory& memory)
      : problem_(problem),
        options_(options),
        shooting_(shooting),
        guess_(guess),
        memory_(memory),
        engine_(engine_of(options.nlp, accuracy, memory)),
        make_(problems_of<MultipleShooting>(problem, options, shooting, guess)) {}

  LiftedReport solve() {
    at_ = make_(shooting_.rtol);
    if (!at_.nodes->objection().empty()) return {.objection = at_.nodes->objection()};
    if (std::string why = at_.nodes->objection_to_squares(options_.nlp); !why.empty()) return {.objection = why};
    set_engine();
    nlp::Iterate start;
    if (engine_.warm_start) start = memory_.recall(*at_.nodes);
    else if (options_.nlp.warm_start && guess_) start = carried_multipliers(*at_.nodes, *at_.functions, *guess_, engine_);
    go_on(start.w.empty() ? nullptr : &start);
    if (nlp::is_solution(out_.report.status)) memory_.keep(*at_.nodes, out_.report.iterate);
    settle();
    out_.rtol = at_.nodes->rtol;
    return std::move(out_);
  }

 private:
  void set_engine() {
    const nlp::Engine* engine = nlp::find_engine(engine_.engine);
    engine_.condensing = engine && engine->condenses && nlp::objection_to_condensing(at_.nodes->nlp).empty();
    if (shooting_.fixed_step == 0) engine_.noise = at_.nodes->rtol;
  }

  /// Solves from here, and adds up what it takes.
  void go_on(const nlp::Iterate* start) {
    int iterations = out_.report.iterations;
    engine_.warm_start = start != nullptr;
    AccurateReport found = solve_accurately(make_, at_, watch_.watched(engine_), start, shooting_.rtol == 0);
    watch_.name_end(found.report);
    out_.report = std::move(found.report);
    out_.accuracy = found.accuracy;
    out_.report.iterations += iterations;
    out_.simulations += at_.nodes->simulations;
  }

  /// In the variables of single shooting, and solved on where their one integration does not lead to what was found.
  void settle() {
    constexpr int most_rounds = 3;
    double rtol = at_.nodes->rtol;
    for (int round = 0; round < most_rounds; ++round) {
      nlp::Iterate lifted = out_.report.iterate;
      look_at_growth(lifted);
      if (!nlp::is_solution(out_.report.status)) return give_up(lifted);
      if (out_.growth.factor * std::min(rtol, least_rtol) > lost_state) return leave(lifted);
      if (double wanted = tolerance_for_growth(); wanted < worth_it * rtol) {
        rtol = wanted;
        at_ = make_(rtol);
      } else {
        ShootingOptions with = shooting_;
        with.rtol = rtol;
        Shooting single(problem_, options_, with, guess_);
        nlp::Iterate reduced = without_intermediate_states(*at_.nodes, lifted, single.nodes());
        nlp::Report measured = out_.report;
        measured.iterate = reduced;
        nlp::measure_residuals(single.nlp, measured);
        measured.gap = out_.report.gap;  // of whole numbers, too, whose bounds it takes for equal
        bool good = std::max(measured.scaled.primal, measured.scaled.dual) <= 10 * engine_.tol;
        if (good || round + 1 == most_rounds || !take_states(single, lifted)) {
          out_.report = std::move(measured);
          return;
        }
      }
      go_on(&lifted);
    }
    leave(out_.report.iterate);
  }

  /// No solution: how errors grow is told where it is why.
  void give_up(const nlp::Iterate& lifted) {
    if (watch_.found()) out_.growth = *watch_.found();
    if (!is_hopeless(out_.growth)) out_.growth = {};
    leave(lifted);
  }

  void leave(const nlp::Iterate& lifted) {
    ShootingOptions with = shooting_;
    with.rtol = at_.nodes->rtol;
    Shooting single(problem_, options_, with, guess_);
    out_.report.iterate = without_intermediate_states(*at_.nodes, lifted, single.nodes());
  }

  void look_at_growth(const nlp::Iterate& lifted) {
    if (lifted.w.size() != at_.nodes->nlp.n()) return;
    at_.functions->move_to(lifted.w);
    at_.functions->constraints();  // integrates; where one interval fails the ones before tell
    out_.growth = growth_of_errors(*at_.nodes);
  }

  /// A tolerance whose error stays small over the horizon; infinite where nobody asks for another.
  double tolerance_for_growth() const {
    if (shooting_.rtol > 0 || shooting_.fixed_step > 0 || !out_.growth.known) return INFINITY;
    return std::max(least_rtol, state_error / out_.growth.factor);
  }

  /// The states that follow from initial values and controls. False: the integration failed.
  bool take_states(Shooting& single, nlp::Iterate& lifted) const {
    if (!single.constraints()) return false;
    for (const ShootingPhase& phase : at_.nodes->phases)
      for (std::size_t k = 0; k <= phase.N(); ++k) {
        std::span<const double> x = single.phases[phase.number].node(k);
        for (std::size_t i = 0; i < x.size(); ++i) lifted.w[phase.x_at(k, i)] = x[i];
      }
    return true;
  }

  bolza_problem& problem_;
  const TranscribeOptions& options_;
  const ShootingOptions& shooting_;
  const abi::Solution* guess_;
  RoundMemory& memory_;
  nlp::EngineOptions engine_;
  MakeProblem make_;
  ShootingProblem at_;
  GrowthWatch watch_{make_, at_, GrowthWatch::Form::lifted};
  LiftedReport out_;
};

}  // namespace

LiftedReport solve_lifted(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting,
                          const Accuracy& accuracy, const abi::Solution* guess, RoundMemory& memory) {
  return Lifted(problem, options, shooting, accuracy, guess, memory).solve();
}

}  // namespace bolza::transcribe
