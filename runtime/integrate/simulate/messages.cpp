// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/integrate/failure.h"
#include "runtime/integrate/simulate/run_internal.h"

namespace bolza::integrate {

void Run::say_how_often_looked() {
  for (std::size_t k = 0; k < indicators.size(); ++k) {
    if (!indicators.curved()[k] || indicators.is_ahead(k) || indicators.owner(k) >= hybrid.size()) continue;
    const char* name = model.hybrid->discrete[indicators.owner(k)].variable.name;
    out.report.curved = name ? name : "";
    out.report.looked_every = looks_every * (tf - t0);
    return;
  }
}

SimulateStatus Run::too_many_steps() {
  const std::string& name = name_fastest();
  out.report.message =
      "too many steps; " + (name.empty() ? "there are no states, so they are ticks of `sample` or other events"
                            : out.report.has_many_ticks() ? "ticks of `sample` or other events of time begin most of them"
                                                          : "what changes fastest is `" + name + "`");
  return SimulateStatus::too_many_steps;
}

// Steps below the precision of t would go on for ever.
SimulateStatus Run::too_short() {
  out.report.message =
      std::string(name_of(SimulateStatus::error_test)) + "; what changes fastest is `" + name_fastest() + "`";
  return SimulateStatus::error_test;
}

// Puts the state that changes fastest for its size into the finding.
const std::string& Run::name_fastest() {
  double fastest = -1;
  std::size_t worst = 0;
  if (at.value(nonlinear::ModelAt::Part::rates, point(), rows))
    for (std::size_t i = 0; i < model.n_x; ++i)
      if (double s = std::fabs(rows[i]) / std::max(nonlinear::size_of(model.x[i]), std::fabs(state.x[i])); s > fastest) {
        fastest = s;
        worst = i;
      }
  abi::Finding& f = out.report.finding;
  f = {};
  f.time = state.t;
  if (fastest >= 0) {
    const bolza_variable& v = model.x[worst];
    f.name = v.name ? v.name : "";
    f.value = state.x[worst];
    place(f, v.source);
  }
  return f.name;
}

SimulateStatus Run::not_finite() {
  report_nonfinite(at, out.report, state.t);
  return SimulateStatus::nonfinite;
}

void Run::name_delayed(std::size_t number) {
  const bolza_function* delays = at.part(nonlinear::ModelAt::Part::delays);
  if (!delays || !delays->rows) return;
  const bolza_row& row = delays->rows[number];
  out.report.finding.name = row.name ? row.name : "";
  place(out.report.finding, row.source);
}

SimulateStatus Run::bad_profile() {
  out.report.finding = {};
  name_delayed(*input_evaluator.bad_profile());
  out.report.message = out.report.finding.text = "the points of the profile of a spatialDistribution() do not ascend";
  return SimulateStatus::failed;
}

SimulateStatus Run::bad_delay() {
  const InputEvaluator::BadDelay& bad = *input_evaluator.bad_delay();
  abi::Finding& f = out.report.finding;
  f = {};
  f.time = bad.time;
  f.value = bad.delay;
  f.bound = bad.delay < 0 ? 0 : bad.longest;
  name_delayed(bad.number);
  out.report.message = f.text = bad.delay < 0 ? "a delay() has become negative: " + shown(bad.delay)
                                              : "a delay() has grown to " + shown(bad.delay) + ", beyond its maximum " +
                                                    shown(bad.longest) + ": give a larger third argument";
  return SimulateStatus::failed;
}

SimulateStatus Run::states_failed() {
  out.report.message = "the chosen states no longer determine the other variables";
  record();
  return SimulateStatus::singular_states;
}

SimulateStatus Run::lost_events() {
  warn_of_accumulation(*accumulated);
  abi::Finding last = std::move(out.report.warnings.back());
  out.report.warnings.pop_back();
  out.report.message = "chattering: infinitely many events before t = " + shown(chatter.limit()) + " s by `" + last.name +
                       "`, and none afterwards: the model does not say what follows them";
  last.text = out.report.message;
  out.report.finding = std::move(last);
  return SimulateStatus::chattering;
}

SimulateStatus Run::lost_return() {
  abi::Finding& f = out.report.finding = finding_of_indicator(*returning);
  out.report.message = f.text = "chattering: the events of `" + f.name +
                                "` follow each other faster than they can be told apart, and none comes afterwards: the "
                                "model does not say what follows them";
  return SimulateStatus::chattering;
}

// What came near zero is said when it has left again, once a relation: an event may follow.
void Run::note_undecided(const Located::Nearest& nearest, std::span<const double> g) {
  constexpr double error_of_solution = 3e5;  // widths: thirty times the tolerance, what errors add up to on the way
  auto is_near = [&](std::size_t row, double value) {
    return std::fabs(value) <= error_of_solution * indicators.width(row);
  };
  auto leaves = [&](const Located::Nearest& came) { return !is_near(came.row, g[came.row]); };
  bool counts = indicators.is_relation(nearest.row) && !indicators.reads_algebraics(nearest.row) &&
                !is_near(nearest.row, indicators.farthest(nearest.row));
  if (counts && is_near(nearest.row, nearest.value)) came_near.push_back(nearest);
  for (const Located::Nearest& came : came_near) {
    abi::Finding f = finding_of_indicator(came.row);
    f.time = came.t;
    auto same = [&](const abi::Finding& other) { return other.name == f.name; };
    if (leaves(came) && std::ranges::none_of(out.report.undecided, same)) out.report.undecided.push_back(std::move(f));
  }
  std::erase_if(came_near, leaves);
}

// The variable whose relation the indicator belongs to, now.
abi::Finding Run::finding_of_indicator(std::size_t row) const {
  abi::Finding f;
  f.time = state.t;
  std::size_t owner = indicators.owner(row);
  if (owner >= hybrid.size()) return f;
  const bolza_variable& v = model.hybrid->discrete[owner].variable;
  f.name = v.name ? v.name : "";
  place(f, v.source);
  return f;
}

SimulateStatus Run::too_dense(std::size_t row) {
  abi::Finding& f = out.report.finding = finding_of_indicator(row);
  out.report.message = f.text =
      "chattering: 1000 events within " + shown(chatter.span(), 2) + " s by `" + f.name + "`, between which nothing moves";
  return SimulateStatus::chattering;
}

SimulateStatus Run::contradicts(std::size_t row) {
  abi::Finding& f = out.report.finding = finding_of_indicator(row);
  out.report.message = f.text = "after the event `" + f.name + "` is not as the variables are, whichever value it has";
  return SimulateStatus::event_iteration;
}

void Run::warn_of_accumulation(std::size_t row) {
  abi::Finding f = finding_of_indicator(row);
  accumulated = row;
  f.text = "the events of `" + f.name + "` accumulate towards t = " + shown(chatter.limit(), 4) +
           " s; what follows depends on rounding";
  out.report.warnings.push_back(std::move(f));
}

void Run::name_guessed(const std::vector<VariableSizes::Mistaken>& mistaken, SimulateReport& to) const {
  for (const VariableSizes::Mistaken& m : mistaken) {
    const char* name = model.x[m.variable].name;
    to.guessed.push_back({name ? name : "", m.guess, m.largest});
  }
}

// Says which equation is the first that an integrator for explicit systems cannot take.
void Run::refuse_algebraics() {
  out.report.message = "it takes no algebraic equations; `idas` does";
  if (!model.residuals || !model.residuals->rows || !model.residuals->n_rows) return;
  const bolza_row& row = model.residuals->rows[0];
  abi::Finding& f = out.report.finding;
  f.time = t0;
  f.name = row.name ? row.name : "";
  place(f, row.source);
}

void Run::refuse_index() {
  std::string remedy = "none does; reduced equations have index 1";
  for (const Method* m : methods())
    if (model.index <= m->highest_index) remedy = "`" + std::string(m->name) + "` does";
  out.report.message = "it takes no equations of index " + std::to_string(model.index) + "; " + remedy;
}

}  // namespace bolza::integrate
