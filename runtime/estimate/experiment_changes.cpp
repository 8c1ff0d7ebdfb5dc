// SPDX-License-Identifier: Apache-2.0
// What an experiment sets: at its start, after its equilibration, and at later times.
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/estimate/experiment_run.h"

namespace bolza::estimate {

using Eigen::Index;
using Eigen::MatrixXd;
using Part = nonlinear::ModelAt::Part;

namespace {

/// Where a period ends: just before what the next one changes, so that events of that instant come after it.
double just_before(double time, double begin) {
  constexpr double some = 4;  // roundings
  return time - some * rounding * std::max(std::abs(time), time - begin);
}

bool has_formulas(const Settings& settings) {
  return std::any_of(settings.begin(), settings.end(), [](const Setting& s) { return s.formula >= 0; });
}

}  // namespace

/// A formula over time and shared values: states and algebraic variables have no values yet.
std::optional<ExperimentRun::FormulaValue> ExperimentRun::formula_of_shared(const ModelValue& formula, const Point& point) {
  const bolza_model& m = model_.model();
  auto k = static_cast<std::size_t>(formula.index);
  FormulaValue out{0, Eigen::RowVectorXd::Zero(at(m.n_x)), Eigen::RowVectorXd::Zero(at(m.n_global))};
  double row = 0;
  if (formula.kind == ModelValue::Kind::point) {
    row = point.t;
  } else if (formula.kind == ModelValue::Kind::shared) {
    row = model_.at().shared[k];
    if (k < m.n_global) out.by_p[at(k)] = formula.sign;
  } else {
    Part part = formula.kind == ModelValue::Kind::output ? Part::outputs : Part::rates;
    std::vector<double> x, z, rows(model_.at().part(part)->n_rows, std::nan(""));
    for (std::size_t i = 0; i < m.n_x; ++i) x.push_back(nonlinear::guess_of(m.x[i]));
    for (std::size_t i = 0; i < m.n_z; ++i) z.push_back(nonlinear::guess_of(m.z[i]));
    nonlinear::Derivative entries;
    model_.at().jacobian(part, {point.t, x.data(), z.data(), point.u.data()}, rows, entries);  // other rows may fail
    row = rows[k];
    std::size_t before = 1 + m.n_x + m.n_z + m.n_u;
    for (std::size_t e = 0; e < entries.value.size(); ++e) {
      auto column = static_cast<std::size_t>(entries.col[e]);
      if (static_cast<std::size_t>(entries.row[e]) == k && column >= before)
        out.by_p[at(column - before)] += formula.sign * entries.value[e];
    }
  }
  out.value = formula.sign * row + formula.offset;
  if (std::isfinite(out.value) && out.by_p.allFinite()) return out;
  return std::nullopt;
}

/// A formula at the point to which the observation has moved.
std::optional<ExperimentRun::FormulaValue> ExperimentRun::formula_at(const ModelValue& formula, bool derivatives) {
  const bolza_model& m = model_.model();
  FormulaValue out;
  std::vector<double> by(model_.columns());
  bool known = derivatives ? observe_.derivative(formula, out.value, by) : observe_.value(formula, out.value);
  if (!known || !std::isfinite(out.value)) return std::nullopt;
  if (!derivatives) return out;
  out.by_x = Eigen::Map<const Eigen::RowVectorXd>(by.data() + 1, at(m.n_x));
  out.by_p = Eigen::Map<const Eigen::RowVectorXd>(by.data() + 1 + m.n_x + m.n_u, at(m.n_global));
  return out;
}

/// Shared values under settings from which a model starts. Formulas may read what others set.
bool ExperimentRun::shared_at_start(const Course& c, const Settings& settings, const Point& point, SharedValues& values) {
  values.value = base_;
  values.value[0] = c.experiment.start;
  values.by = MatrixXd::Zero(at(model_.model().n_global), at(c.parameters.own.size()));
  apply(c.estimation.common, c.parameters, values);
  apply(settings, c.parameters, values);
  auto formulas = std::count_if(settings.begin(), settings.end(), [](const Setting& s) { return s.formula >= 0; });
  for (auto round = formulas; round > 0; --round)
    for (const Setting& s : settings) {
      if (s.formula < 0) continue;
      model_.at().shared = values.value;
      auto own = formula_of_shared(c.estimation.formulas[static_cast<std::size_t>(s.formula)], point);
      if (!own) return failed(point.t, "a value that the experiment sets is not finite");
      values.value[s.entry] = own->value;
      values.by.row(at(s.entry)) = (own->by_p * values.by).eval();
    }
  return true;
}

/// Settings that are formulas, from the values before.
bool ExperimentRun::formula_settings(const Course& c, const Settings& settings, const SharedValues& values,
                                     const Point& point, SharedValues& next) {
  bool derivatives = point.derivatives || keeps_;
  for (const Setting& s : settings) {
    if (s.formula < 0) continue;
    auto own = formula_at(c.estimation.formulas[static_cast<std::size_t>(s.formula)], derivatives);
    if (!own) return failed(point.t, "a value that the experiment sets at t = " + shown(point.t) + " is not finite");
    next.value[s.entry] = own->value;
    if (!derivatives) continue;
    if (keeps_ && !own->by_x.isZero(0)) {
      model_.at().note("a parameter is set from states, through which no adjoint goes; `--by forward` has derivatives",
                       point.t);
      return failed(point.t, "");
    }
    next.by.row(at(s.entry)) = own->by_p * values.by;
    if (point.derivatives) next.by.row(at(s.entry)) += own->by_x * point.by;
  }
  return true;
}

bool ExperimentRun::set_states(const Course& c, const std::vector<Experiment::Restart>& restarts, const SharedValues& values,
                               Point& point) {
  bool derivatives = point.derivatives || keeps_;
  Recording::Change change;
  change.after = recording_.stretches.size();
  change.by_x = MatrixXd::Zero(at(restarts.size()), at(point.x.size()));
  change.by = MatrixXd::Zero(at(restarts.size()), values.by.cols());
  std::vector<double> set;
  for (const Experiment::Restart& r : restarts) {
    Index k = at(set.size());
    if (r.value.formula >= 0) {
      auto own = formula_at(c.estimation.formulas[static_cast<std::size_t>(r.value.formula)], derivatives);
      if (!own) return failed(point.t, "a state that the experiment sets at t = " + shown(point.t) + " is not finite");
      set.push_back(own->value);
      if (derivatives) change.by_x.row(k) = own->by_x;
      if (derivatives) change.by.row(k) = own->by_p * values.by;
    } else if (r.value.parameter >= 0) {
      auto p = static_cast<std::size_t>(r.value.parameter);
      set.push_back(c.parameters.physical[p]);
      change.by(k, c.parameters.column(p)) = c.parameters.slope[p];
    } else {
      set.push_back(r.value.value);
    }
    change.states.push_back(r.state);
  }
  MatrixXd by = change.by;
  if (point.derivatives) by += change.by_x * point.by;
  for (std::size_t k = 0; k < restarts.size(); ++k) {
    point.x[restarts[k].state] = set[k];
    if (point.derivatives) point.by.row(at(restarts[k].state)) = by.row(at(k));
  }
  if (keeps_) recording_.changes.push_back(std::move(change));
  return true;
}

/// Everything is set at once, from the values before.
/// @param next  shared values over which the settings are put
bool ExperimentRun::change(const Course& c, const Settings& settings, const std::vector<Experiment::Restart>& restarts,
                           SharedValues next, SharedValues& values, Point& point) {
  apply(settings, c.parameters, next);
  bool reads = has_formulas(settings) ||
               std::any_of(restarts.begin(), restarts.end(), [](const auto& restart) { return restart.value.formula >= 0; });
  if (reads && !observe_.move_to(point.t, point.x, point.u))
    return failed(point.t, "the values before the change at t = " + shown(point.t) + " cannot be evaluated");
  if (!formula_settings(c, settings, values, point, next) || !set_states(c, restarts, values, point)) return false;
  use(next);
  values = std::move(next);
  if (keeps_) recording_.by.push_back(values.by);
  return true;
}

/// From change to change, with the states at the times between them.
bool ExperimentRun::along_changes(const Course& c, std::span<const double> times, SharedValues& values, Point& point,
                                  States& out) {
  std::size_t finite = times.size(), from = 0;
  while (finite > 0 && std::isinf(times[finite - 1])) --finite;
  out.shared_by.push_back(values.by);
  for (const Experiment::Change& next : c.experiment.changes) {
    if (from == times.size()) return true;  // nothing is measured any more
    std::size_t to = from;
    while (to < finite && times[to] < next.time) ++to;
    double end = just_before(next.time, point.t);
    if (to > from) end = std::max(end, times[to - 1]);
    if (!along_inputs(c.experiment, values, times.subspan(from, to - from), end, point, out)) return false;
    from = to;
    if (from == times.size()) return true;
    point.t = next.time;
    if (!change(c, next.settings, next.restarts, values, values, point)) return false;
    out.shared_by.push_back(values.by);
  }
  if (from == finite) return true;
  return along_inputs(c.experiment, values, times.subspan(from, finite - from), times[finite - 1], point, out);
}

}  // namespace bolza::estimate
