// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/assemble.h"

#include <algorithm>
#include <cmath>

#include "base/expects.h"
#include "base/numbers.h"
#include "workflow/codes.h"
#include "workflow/fit/check_experiments.h"
#include "workflow/fit/fit_request.h"
#include "workflow/fit/open_noise.h"
#include "workflow/sbml_codes.h"

namespace bolza::workflow {
namespace {

using Names = std::vector<std::string>;
using estimate::ModelValue;
using estimate::Scale;
using estimate::Setting;
using estimate::Settings;

std::string placeholder(const char* what, std::size_t k, const FitObservable& o) {
  return what + std::string("Parameter") + std::to_string(k + 1) + "_" + o.name;
}

/// From names to places in the compiled model.
class Assembly {
 public:
  Assembly(const Model& model, const FitProblem& problem, Diagnostics& diagnostics)
      : model_(model),
        problem_(problem),
        diagnostics_(diagnostics),
        abi_(*model.abi().models[model.abi().phases[0].model]) {}

  Result<estimate::Estimation> run();

 private:
  std::optional<std::size_t> shared(const std::string& name) const;
  std::optional<std::size_t> state(const std::string& name) const;
  std::optional<std::size_t> input(const std::string& name) const;
  std::optional<ModelValue> value_named(const std::string& name) const;
  std::string unit_named(const std::string& name) const;
  Result<Done> parameter(const FitParameter& given);
  Result<Done> observable(const FitObservable& given);
  Result<Setting> resolved(const std::string& text, Span span, std::size_t entry);
  std::int32_t formula(const FitFormula& given);
  Result<std::size_t> free_entry(const std::string& name, Span span) const;
  Result<Done> apply_condition(const FitCondition& condition, bool after_equilibration, Settings& settings,
                               estimate::Experiment* experiment);
  Result<Done> set(const FitCondition::Value& v, bool on_the_way, Settings& settings,
                   std::vector<estimate::Experiment::Restart>* restarts);
  Result<Done> changes(const FitCondition& condition, estimate::Experiment& experiment);
  Result<Done> complete(Span at, bool initial, Settings& settings);
  Result<std::size_t> experiment(const FitMeasurement& m);
  Result<Done> measurement(const FitMeasurement& m);
  Result<std::size_t> variant(const FitMeasurement& m, double& sigma);
  Result<Done> set_inputs(estimate::Experiment& e, const std::string& condition,
                          const std::map<std::string, double>& constant);

  const Model& model_;
  const FitProblem& problem_;
  Diagnostics& diagnostics_;
  const bolza_model& abi_;
  estimate::Estimation out_;
  std::map<std::pair<std::string, std::string>, std::size_t> experiments_;
  std::map<std::string, std::size_t> variants_;
  std::map<std::string, std::int32_t> formulas_;  ///< indices, by variable
  double start_ = 0;
};

std::optional<std::size_t> index_in(const bolza_variable* variables, std::size_t n, const std::string& name) {
  for (std::size_t k = 0; k < n; ++k)
    if (variables[k].name == name) return k;
  return {};
}

std::optional<std::size_t> Assembly::shared(const std::string& name) const {
  return index_in(abi_.shared, abi_.n_shared, name);
}
std::optional<std::size_t> Assembly::state(const std::string& name) const { return index_in(abi_.x, abi_.n_x, name); }
std::optional<std::size_t> Assembly::input(const std::string& name) const { return index_in(abi_.u, abi_.n_u, name); }

std::optional<ModelValue> Assembly::value_named(const std::string& name) const {
  auto point = [](std::size_t row) { return ModelValue{ModelValue::Kind::point, static_cast<std::int32_t>(row), 1, 0}; };
  if (name == "time") return point(0);
  if (auto k = state(name)) return point(1 + *k);
  if (auto k = index_in(abi_.z, abi_.n_z, name)) return point(1 + abi_.n_x + *k);
  if (auto k = input(name)) return point(1 + abi_.n_x + abi_.n_z + *k);
  for (std::size_t k = 0; k < abi_.n_outputs; ++k)
    if (abi_.results[k].name == name)
      return ModelValue{static_cast<ModelValue::Kind>(abi_.results[k].kind), abi_.results[k].index, abi_.results[k].sign,
                        abi_.results[k].offset};
  if (auto k = shared(name)) return ModelValue{ModelValue::Kind::shared, static_cast<std::int32_t>(*k), 1, 0};
  return {};
}

std::string Assembly::unit_named(const std::string& name) const {
  auto unit = [](const char* text) { return std::string(text ? text : ""); };
  if (auto k = state(name)) return unit(abi_.x[*k].unit);
  if (auto k = index_in(abi_.z, abi_.n_z, name)) return unit(abi_.z[*k].unit);
  if (auto k = input(name)) return unit(abi_.u[*k].unit);
  for (std::size_t k = 0; k < abi_.n_outputs; ++k)
    if (abi_.results[k].name == name) return unit(abi_.results[k].unit);
  return "";
}

Result<std::size_t> Assembly::free_entry(const std::string& name, Span span) const {
  auto k = shared(name);
  if (k && *k < abi_.n_global) return *k;
  return diagnostics_.error(no_such_fit_name, span,
                            {name, k ? "a parameter on which the structure of the model depends, or one that is final"
                                     : "no parameter of the compiled model"});
}

Result<Done> Assembly::parameter(const FitParameter& given) {
  estimate::Parameter p;
  p.name = given.name;
  p.scale = given.scale;
  p.prior = given.prior;
  auto k = shared(given.name);
  bool is_free = k && *k < abi_.n_global;
  if (k && !is_free && !free_entry(given.name, given.span)) return diagnostics_.already_reported();
  double low = is_free ? abi_.shared[*k].min : -infinity, high = is_free ? abi_.shared[*k].max : infinity;
  p.lower = given.lower.value_or(low);
  p.upper = given.upper.value_or(high);
  if (is_free && abi_.shared[*k].unit) p.unit = abi_.shared[*k].unit;
  bool log = p.scale != Scale::lin;
  if (log && !given.lower && !(p.lower > 0)) p.lower = -infinity;
  bool bounded = std::isfinite(p.lower) && std::isfinite(p.upper);
  double middle = !bounded ? 1 : log && p.lower > 0 ? std::sqrt(p.lower * p.upper) : 0.5 * (p.lower + p.upper);
  p.value = given.value ? *given.value : is_free ? abi_.shared_values[*k] : middle;
  auto wrong = [&](const std::string& why) { return diagnostics_.error(bad_bounds, given.span, {given.name, why}); };
  if (!(p.lower < p.upper)) return wrong("lower " + shown(p.lower) + " is not below upper " + shown(p.upper));
  if (log && std::isfinite(p.lower) && !(p.lower > 0))
    return wrong("on a logarithmic scale " + shown(p.lower) + " is not a lower bound");
  if (log && p.value == 0 && std::isfinite(p.lower)) {
    diagnostics_.warning(start_at_bound, given.span, {given.name, shown(p.lower)});
    p.value = p.lower;
  }
  if (log && !(p.value > 0)) return wrong("on a logarithmic scale its start " + shown(p.value) + " has to be positive");
  double room = 1e-6 * std::abs(p.value);
  bool outside = p.value < p.lower - room || p.value > p.upper + room;
  if (outside && given.is_nominal)
    diagnostics_.warning(start_outside, given.span, {given.name, shown(p.value), shown(p.lower), shown(p.upper)});
  else if (outside)
    return wrong("its start " + shown(p.value) + " is outside [" + shown(p.lower) + ", " + shown(p.upper) + "]");
  if (!is_free && !is_used(problem_, given.name))
    return diagnostics_.error(
        no_such_fit_name, given.span,
        {given.name, "not a parameter of the model, and no condition, measurement or noise refers to it"},
        did_you_mean(given.name, names_of(model_).parameters));
  if (is_free) out_.common.push_back({*k, static_cast<std::int32_t>(out_.parameters.size()), 0});
  out_.parameters.push_back(std::move(p));
  return Done{};
}

Result<Done> Assembly::observable(const FitObservable& given) {
  estimate::Observable o;
  o.name = given.name;
  o.scale = given.scale;
  o.noise = given.distribution;
  o.is_open = given.noise.empty();
  o.unit = unit_named(given.name);
  o.huber = given.huber;
  std::string name = given.formula.empty() ? given.name : given.formula;
  auto value = value_named(observable_variable(given));
  if (!value) value = value_named(name);
  if (!value) return diagnostics_.error(unknown_observable, given.span, {name});
  o.value = *value;
  if (auto number = number_in(given.noise)) {
    o.number = *number;
    if (!(o.number > 0))
      return diagnostics_.error(not_positive, given.span, {given.noise, "the standard deviation of " + given.name});
  } else if (!given.noise.empty()) {
    o.sigma = value_named(noise_variable(given));
    if (!o.sigma) o.sigma = value_named(given.noise);
    if (!o.sigma) return diagnostics_.error(unknown_observable, given.span, {given.noise});
  }
  out_.observables.push_back(std::move(o));
  return Done{};
}

/// The index of a formula. Requires  a variable of the compiled model.
std::int32_t Assembly::formula(const FitFormula& given) {
  auto [known, fresh] = formulas_.try_emplace(given.variable, static_cast<std::int32_t>(out_.formulas.size()));
  if (fresh) {
    auto value = value_named(given.variable);
    expects(value.has_value(), "a formula of a condition is a variable of the model");
    out_.formulas.push_back(*value);
  }
  return known->second;
}

/// A number, an estimated or fixed parameter, or a formula, in the place of an entry.
Result<Setting> Assembly::resolved(const std::string& text, Span span, std::size_t entry) {
  if (auto number = number_in(text)) return Setting{entry, -1, *number};
  if (const FitFormula* given = problem_.formula(text)) return Setting{entry, -1, 0, formula(*given)};
  for (std::size_t p = 0; p < out_.parameters.size(); ++p)
    if (out_.parameters[p].name == text) return Setting{entry, static_cast<std::int32_t>(p), 0};
  if (auto fixed = problem_.fixed.find(text); fixed != problem_.fixed.end()) {
    Result<double> number = number_of(fixed->second, diagnostics_);
    if (!number) return diagnostics_.already_reported();
    return Setting{entry, -1, *number};
  }
  if (auto k = shared(text)) return Setting{entry, -1, abi_.shared_values[*k]};
  Names known;
  for (const estimate::Parameter& p : out_.parameters) known.push_back(p.name);
  return diagnostics_.error(no_such_fit_name, span, {text, "neither a number nor a parameter that is estimated"},
                            did_you_mean(text, known));
}

Result<Done> Assembly::apply_condition(const FitCondition& condition, bool after_equilibration, Settings& settings,
                                       estimate::Experiment* experiment) {
  std::map<std::string, double> constant;
  for (const FitCondition::Value& v : condition.values) {
    if (input(v.target)) {
      auto named = [&](const estimate::Parameter& p) { return p.name == v.value.text; };
      if (std::any_of(out_.parameters.begin(), out_.parameters.end(), named))
        return diagnostics_.error(
            number_expected, v.value.span, {v.value.text},
            {{{}, "an input takes numbers; a constant that is estimated is a parameter of the model"}});
      Result<double> number = number_of(v.value, diagnostics_);
      if (!number) return diagnostics_.already_reported();
      constant[v.target] = *number;
      continue;
    }
    if (!set(v, after_equilibration, settings, experiment ? &experiment->restarts : nullptr))
      return diagnostics_.already_reported();
  }
  return experiment ? set_inputs(*experiment, condition.name, constant) : Done{};
}

/// A state on the way, an initial value, or a parameter.
Result<Done> Assembly::set(const FitCondition::Value& v, bool on_the_way, Settings& settings,
                           std::vector<estimate::Experiment::Restart>* restarts) {
  if (auto x = state(v.target); x && on_the_way) {
    Result<Setting> value = resolved(v.value.text, v.value.span, 0);
    if (!value) return diagnostics_.already_reported();
    restarts->push_back({*x, *value});
    return Done{};
  }
  bool is_start = shared(initial_of(v.target)).has_value();
  if (is_start && on_the_way)
    return diagnostics_.error(petab_not_supported, v.column,
                              {"a condition that sets `" + v.target + "` after an equilibration",
                               "it is no state of the model: the size of its compartment changes"});
  Result<std::size_t> entry = free_entry(is_start ? initial_of(v.target) : v.target, v.value.span);
  Result<Setting> value = entry ? resolved(v.value.text, v.value.span, *entry) : diagnostics_.already_reported();
  if (!value) return diagnostics_.already_reported();
  settings.push_back(*value);
  return Done{};
}

/// What a condition changes at later times.
Result<Done> Assembly::changes(const FitCondition& condition, estimate::Experiment& e) {
  for (const FitCondition::Later& later : condition.later) {
    estimate::Experiment::Change& change = e.changes.emplace_back();
    change.time = later.time;
    for (const FitCondition::Value& v : later.values) {
      if (input(v.target))
        return diagnostics_.error(petab_not_supported, v.column,
                                  {"a later period that sets the input `" + v.target + "`", "parameters and states can be"});
      if (!set(v, /*on_the_way=*/true, change.settings, &change.restarts)) return diagnostics_.already_reported();
    }
  }
  return Done{};
}

/// What the settings leave out and the model computes from what is estimated. Initial values matter where `initial`.
Result<Done> Assembly::complete(Span at, bool initial, Settings& settings) {
  for (const auto& [target, text] : problem_.starts) {
    bool is_start = shared(initial_of(target)).has_value();
    auto entry = shared(is_start ? initial_of(target) : target);
    auto sets = [&](std::size_t k) { return [k](const Setting& s) { return s.entry == k; }; };
    if (!entry || (is_start && !initial) || std::any_of(settings.begin(), settings.end(), sets(*entry))) continue;
    auto other = shared(text);
    auto own = other ? std::find_if(settings.begin(), settings.end(), sets(*other)) : settings.end();
    Result<Setting> value = own != settings.end() ? Result<Setting>(*own) : resolved(text, at, *entry);
    if (!value) return diagnostics_.already_reported();
    settings.push_back(*value);
    settings.back().entry = *entry;
  }
  return Done{};
}

/// Measured or constant inputs, linear between the times and held beyond them; those of neither stay at their start values.
Result<Done> Assembly::set_inputs(estimate::Experiment& e, const std::string& condition,
                                  const std::map<std::string, double>& constant) {
  auto series = problem_.inputs.find(condition);
  if (abi_.n_u == 0 || (series == problem_.inputs.end() && constant.empty())) return Done{};
  std::vector<double> time = series == problem_.inputs.end() ? std::vector<double>{e.start} : series->second.time;
  std::vector<std::vector<double>> u;
  for (std::size_t i = 0; i < abi_.n_u; ++i) {
    auto number = constant.find(abi_.u[i].name);
    double value = number != constant.end() ? number->second : abi_.u[i].has_start ? abi_.u[i].start : 0;
    u.emplace_back(time.size(), value);
    if (series == problem_.inputs.end()) continue;
    if (auto measured = series->second.values.find(abi_.u[i].name); measured != series->second.values.end())
      u.back() = measured->second;
  }
  integrate::Inputs inputs;
  auto hold = [&](double begin, double end, std::size_t k) {
    integrate::InputPiece piece{begin, end, {begin}, {}};
    for (const auto& one : u) piece.values.push_back({one[k]});
    inputs.pieces.push_back(std::move(piece));
  };
  if (e.start < time.front()) hold(e.start, time.front(), 0);
  for (std::size_t k = 0; k + 1 < time.size(); ++k) {
    if (!(time[k + 1] > time[k]) || time[k + 1] <= e.start) continue;
    integrate::InputPiece piece{std::max(time[k], e.start), time[k + 1], {time[k], time[k + 1]}, {}};
    for (const auto& one : u) piece.values.push_back({one[k], one[k + 1]});
    inputs.pieces.push_back(std::move(piece));
  }
  double last = std::max(time.back(), e.start);
  hold(last, last + 1, time.size() - 1);
  e.inputs = std::move(inputs);
  return Done{};
}

Result<std::size_t> Assembly::experiment(const FitMeasurement& m) {
  auto known = experiments_.find({m.equilibration, m.condition});
  if (known != experiments_.end()) return known->second;
  estimate::Experiment e;
  e.name = experiment_name(m);
  const FitCondition* condition = problem_.condition(m.condition);
  e.start = condition && condition->start ? *condition->start : start_;
  const FitCondition* before = m.equilibration.empty() ? nullptr : problem_.condition(m.equilibration);
  for (auto [found, name] : {std::pair{condition, &m.condition}, std::pair{before, &m.equilibration}}) {
    if (found || name->empty() || problem_.conditions.empty()) continue;
    Names names;
    for (const FitCondition& c : problem_.conditions) names.push_back(c.name);
    return diagnostics_.error(no_such_condition, m.span, {*name}, did_you_mean(*name, names));
  }
  if (!m.equilibration.empty()) {
    e.equilibrates.emplace();
    if (before && !apply_condition(*before, false, *e.equilibrates, nullptr)) return diagnostics_.already_reported();
    if (!complete(before ? before->span : m.span, true, *e.equilibrates)) return diagnostics_.already_reported();
  }
  if (condition) {
    if (!apply_condition(*condition, !m.equilibration.empty(), e.settings, &e) || !changes(*condition, e))
      return diagnostics_.already_reported();
  } else if (!set_inputs(e, m.condition, {})) {
    return diagnostics_.already_reported();
  }
  if (!complete(condition ? condition->span : m.span, m.equilibration.empty(), e.settings))
    return diagnostics_.already_reported();
  std::size_t index = out_.experiments.size();
  experiments_[{m.equilibration, m.condition}] = index;
  out_.experiments.push_back(std::move(e));
  return index;
}

/// What the placeholders of a measurement stand for. A standard deviation that is a number becomes the measurement's own.
Result<std::size_t> Assembly::variant(const FitMeasurement& m, double& sigma) {
  const FitObservable& o = problem_.observables[m.observable];
  std::string key;
  Settings settings;
  auto add = [&](const char* what, const std::vector<std::string>& values) -> Result<Done> {
    for (std::size_t k = 0; k < values.size(); ++k) {
      std::string name = placeholder(what, k, o);
      if (what[0] == 'n' && o.noise == name && number_in(values[k])) {
        sigma = *number_in(values[k]);
        if (!(sigma > 0)) return diagnostics_.error(not_positive, m.span, {values[k], name});
        continue;
      }
      auto entry = shared(name);
      if (!entry) continue;  // the formula does not use it
      Result<Setting> value = resolved(values[k], m.span, *entry);
      if (!value) return diagnostics_.already_reported();
      settings.push_back(*value);
      key += name + "=" + values[k] + ";";
    }
    return Done{};
  };
  if (!add("observable", m.observable_parameters) || !add("noise", m.noise_parameters))
    return diagnostics_.already_reported();
  if (settings.empty()) return std::size_t{0};
  auto [known, fresh] = variants_.try_emplace(key, out_.variants.size());
  if (fresh) out_.variants.push_back(std::move(settings));
  return known->second;
}

Result<Done> Assembly::measurement(const FitMeasurement& m) {
  Result<std::size_t> e = experiment(m);
  estimate::Measurement own;
  own.observable = m.observable;
  own.time = m.time;
  own.value = m.value;
  own.sigma = m.sigma;
  own.weight = m.weight;
  if (m.span) own.line = model_.sources.place(m.span.file, m.span.begin).line;
  Result<std::size_t> variant_of = e ? variant(m, own.sigma) : diagnostics_.already_reported();
  if (!variant_of) return diagnostics_.already_reported();
  own.variant = *variant_of;
  double start = out_.experiments[*e].start;
  if (m.time < start) return diagnostics_.error(time_before_start, m.span, {shown(m.time), shown(start)});
  if (m.span) out_.experiments[*e].file = std::string(model_.sources.path(m.span.file));
  out_.experiments[*e].measurements.push_back(own);
  return Done{};
}

Result<estimate::Estimation> Assembly::run() {
  const ir::FlatModel& flat = model_.problem.flat;
  if (!flat.delays.empty())
    return diagnostics_.error(fit_reads_past, ir::variable_of(flat, flat.delays[0].variable).span, {model_.class_name});
  start_ = std::isnan(problem_.start) ? abi_.shared_values[0] : problem_.start;
  bool good = true;  // all that is wrong is said
  for (const FitParameter& p : problem_.parameters) good = parameter(p) && good;
  for (const FitObservable& o : problem_.observables) good = observable(o) && good;
  if (!good) return diagnostics_.already_reported();
  for (const FitMeasurement& m : problem_.measurements) good = measurement(m) && good;
  if (!good) return diagnostics_.already_reported();
  for (estimate::Experiment& e : out_.experiments)
    std::stable_sort(e.measurements.begin(), e.measurements.end(),
                     [](const estimate::Measurement& a, const estimate::Measurement& b) { return a.time < b.time; });
  for (const FitMeasurement& m : problem_.measurements)
    if (!std::isnan(m.sigma) || !m.noise_parameters.empty()) out_.observables[m.observable].is_open = false;
  set_open_noise(out_);
  check_experiments(model_, problem_, out_, diagnostics_);
  return std::move(out_);
}

}  // namespace

std::string experiment_name(const FitMeasurement& m) {
  std::string name = m.condition.empty() ? "data" : m.condition;
  return m.equilibration.empty() ? name : m.equilibration + " -> " + name;
}

Result<estimate::Estimation> assemble(const Model& model, const FitProblem& problem, Diagnostics& diagnostics) {
  return Assembly(model, problem, diagnostics).run();
}

}  // namespace bolza::workflow
