#include "workflow/fit/assemble.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "base/numbers.h"
#include "compiler/ir/flat_model.h"
#include "compiler/ir/print.h"
#include "workflow/codes.h"
#include "workflow/fit/check_experiments.h"
#include "workflow/sbml_codes.h"

namespace bolza::workflow {
namespace {

using Names = std::vector<std::string>;
using estimate::ModelValue;
using estimate::Scale;
using estimate::Setting;
using estimate::Settings;

/// The parameter with the start value of a state; models that come from SBML have it.
std::string initial_of(std::string state) {
  std::erase(state, '\'');
  return "'initial value of " + state + "'";
}
std::string observable_variable(const FitObservable& o) { return "'observable " + o.name + "'"; }
std::string noise_variable(const FitObservable& o) { return "'noise of " + o.name + "'"; }
std::string placeholder(const char* what, std::size_t k, const FitObservable& o) {
  return what + std::string("Parameter") + std::to_string(k + 1) + "_" + o.name;
}

/// Names within an expression.
std::set<std::string> names_in(const std::string& expression) {
  std::set<std::string> out;
  std::string word;
  for (char c : expression + " ") {
    bool letter = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    if (letter && (!word.empty() || !(std::isdigit(static_cast<unsigned char>(c)) || c == '.'))) word += c;
    else if (!word.empty() && !letter) out.insert(std::exchange(word, {}));
    else if (letter && word.empty() && std::isdigit(static_cast<unsigned char>(c))) word = "0";
  }
  std::erase_if(out, [](const std::string& w) { return std::isdigit(static_cast<unsigned char>(w[0])); });
  return out;
}

/// Does a condition or a measurement name it?
bool is_used(const FitProblem& problem, const std::string& parameter) {
  for (const FitCondition& c : problem.conditions)
    for (const FitCondition::Value& v : c.values)
      if (v.value.text == parameter) return true;
  for (const FitMeasurement& m : problem.measurements)
    if (among(parameter, m.noise_parameters) || among(parameter, m.observable_parameters)) return true;
  return false;
}

/// What is written around the model.
class Wrapper {
 public:
  Wrapper(const Model& plain, FitProblem& problem, Diagnostics& diagnostics)
      : plain_(plain),
        problem_(problem),
        diagnostics_(diagnostics),
        names_(names_of(plain)) {}

  Result<LoadRequest> request();

 private:
  /// Does the model free it already? Elements of arrays can only be freed together.
  bool is_free(const std::string& name) const {
    for (std::size_t k = 2; k < plain_.problem.n_global; ++k)
      if (!plain_.problem.shared_numbers[k].fixed && ir::name_of(plain_.problem.flat, plain_.problem.shared[k]) == name)
        return true;
    return false;
  }
  void free(const std::string& name) {
    if (!is_free(name) && freed_.insert(name).second) request_.settings.push_back(name + "(free=true)");
  }
  void declare(const std::string& name, double value) {
    if (declared_.insert(name).second) text_ += "  parameter Real " + name + "(free = true) = " + exact_text(value) + ";\n";
  }
  Result<Done> may_be_free(const FitParameter& parameter) const;
  Result<Done> is_no_variable(const FitParameter& parameter) const;
  Result<Done> free_parameters();
  Result<Done> conditions();
  std::string unknown_in(const std::string& formula) const;
  Result<Done> check_formula(const std::string& formula, const FitObservable& observable) const;
  Result<Done> formulas();
  void declare_names_of(const std::string& formula);
  Result<Done> target(const FitCondition::Value& value);
  double start_of(const std::string& state) const;
  std::string text_of(const std::string& name) const;
  bool is_moved(const std::string& expression, std::set<std::string>& seen) const;
  void note_starts();

  const Model& plain_;
  FitProblem& problem_;
  Diagnostics& diagnostics_;
  ModelNames names_;
  LoadRequest request_;
  std::string text_;
  std::set<std::string> freed_, declared_, starts_;
};

/// Only real parameters that may be modified are estimated.
Result<Done> Wrapper::may_be_free(const FitParameter& p) const {
  for (const ir::Variable& v : plain_.problem.flat.variables) {
    if (v.kind != ir::VariableKind::parameter || ir::name_of(plain_.problem.flat, v.first) != p.name) continue;
    if (v.is_final) return diagnostics_.error(no_such_fit_name, p.span, {p.name, "final in the model, and keeps its value"});
    if (v.type != ir::ValueType::real)
      return diagnostics_.error(no_such_fit_name, p.span, {p.name, "not a real number, and cannot be estimated"});
  }
  return Done{};
}

/// Names that conditions and measurements refer to may be those of variables, too.
Result<Done> Wrapper::is_no_variable(const FitParameter& p) const {
  if (!among(p.name, names_.variables) || is_used(problem_, p.name)) return Done{};
  if (among(p.name, names_.states)) {
    std::string own = initial_of(p.name), made = p.name + "_start";
    std::replace_if(made.begin(), made.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    std::vector<Note> notes{{{}, "the parameter `" + own + "` is its initial value: `--free \"" + own + "\"`"}};
    if (!among(own, names_.parameters))
      notes = {{{},
                "its initial value is estimated as a parameter, `" + p.name + "(start = " + made +
                    ", fixed = true)` in the model, or by a column `" + p.name + "` of `--conditions` that names `" + made +
                    "`; then `--free " + made + "`"}};
    return diagnostics_.error(no_such_fit_name, p.span, {p.name, "a state of the model, not a parameter"}, std::move(notes));
  }
  std::vector<Note> notes = did_you_mean(p.name, names_.parameters);
  bool is_input = among(p.name, names_.inputs);
  return diagnostics_.error(
      no_such_fit_name, p.span,
      {p.name, is_input ? "an input of the model, not a parameter" : "a variable of the model, not a parameter"},
      std::move(notes));
}

Result<Done> Wrapper::free_parameters() {
  for (const FitParameter& p : problem_.parameters) {
    if (!among(p.name, names_.parameters)) {
      if (!is_no_variable(p)) return diagnostics_.already_reported();
      continue;
    }
    if (!may_be_free(p)) return diagnostics_.already_reported();
    for (const std::string& setting : plain_.request.settings)
      if (setting.starts_with(p.name + "="))
        return diagnostics_.error(no_such_fit_name, p.span, {p.name, "set by `--set`, and cannot be free as well"},
                                  {{{}, "its start value is given by `--free " + setting + "`"}});
    free(p.name);
  }
  for (const auto& [name, cell] : problem_.fixed)
    if (among(name, names_.parameters)) request_.settings.push_back(name + "=" + cell.text);
  return Done{};
}

Result<Done> Wrapper::target(const FitCondition::Value& value) {
  const std::string& name = value.target;
  if (among(name, names_.inputs)) return Done{};
  if (among(name, names_.parameters)) {
    free(name);
    return Done{};
  }
  if (auto fixed = problem_.fixed.find(name); fixed != problem_.fixed.end()) {  // a parameter of formulas
    declare(name, number_in(fixed->second.text).value_or(0));
    return Done{};
  }
  if (among(initial_of(name), names_.parameters)) {
    free(initial_of(name));
    return Done{};
  }
  if (among(name, names_.states)) {
    if (!starts_.insert(name).second) return Done{};
    declare(initial_of(name), start_of(name));
    request_.settings.push_back(name + "(start=" + initial_of(name) + ", fixed=true)");
    return Done{};
  }
  Names known = names_.parameters;
  known.insert(known.end(), names_.states.begin(), names_.states.end());
  known.insert(known.end(), names_.inputs.begin(), names_.inputs.end());
  return diagnostics_.error(no_such_fit_name, value.value.span,
                            {name, "neither a parameter nor a state nor an input of the model"}, did_you_mean(name, known));
}

Result<Done> Wrapper::conditions() {
  for (const FitCondition& c : problem_.conditions)
    for (const FitCondition::Value& v : c.values)
      if (!target(v)) return diagnostics_.already_reported();
  note_starts();
  return Done{};
}

/// The initial value of a state, with the model's own parameters.
double Wrapper::start_of(const std::string& state) const {
  auto k = static_cast<std::size_t>(std::find(names_.states.begin(), names_.states.end(), state) - names_.states.begin());
  const ir::Numbers& numbers = plain_.problem.x_numbers[k];
  return numbers.has_start ? numbers.start : 0;
}

/// What the model says of a parameter or of a state's start; "": nothing.
std::string Wrapper::text_of(const std::string& name) const {
  const ir::FlatModel& flat = plain_.problem.flat;
  for (const ir::Variable& v : flat.variables)
    for (std::uint32_t k = 0; k < v.size; ++k) {
      if (ir::name_of(flat, ir::VariableId(v.first.index() + k)) != name) continue;
      bool is_parameter = v.kind == ir::VariableKind::parameter;
      const ir::ElementValues& own = is_parameter ? v.binding : v.attributes[static_cast<std::size_t>(ir::Attribute::start)];
      if (!own.present()) return {};
      return ir::to_text(flat, own.terms[own.terms.size() == 1 ? 0 : k], {.limit = 10000});
    }
  return {};
}

/// Does it depend on parameters that are estimated, or that conditions set?
bool Wrapper::is_moved(const std::string& expression, std::set<std::string>& seen) const {
  for (const std::string& name : names_in(expression)) {
    auto element = freed_.lower_bound(name + "[");
    if (element != freed_.end() && element->starts_with(name + "[")) return true;
    if (!among(name, names_.parameters) || !seen.insert(name).second) continue;
    if (freed_.contains(name) || is_free(name) || is_moved(text_of(name), seen)) return true;
  }
  return false;
}

/// A condition that leaves out what others set has the model's value, which may depend on what is estimated.
void Wrapper::note_starts() {
  for (const FitCondition& c : problem_.conditions)
    for (const FitCondition::Value& v : c.values) {
      if (among(v.target, names_.inputs) || problem_.starts.contains(v.target)) continue;
      std::string name = among(initial_of(v.target), names_.parameters) ? initial_of(v.target) : v.target;
      std::string text = text_of(name);
      std::set<std::string> seen{name};
      if (is_moved(text, seen)) problem_.starts[v.target] = text;
    }
}

void Wrapper::declare_names_of(const std::string& formula) {
  for (const std::string& name : names_in(formula)) {
    bool is_placeholder = name.starts_with("noiseParameter") || name.starts_with("observableParameter");
    bool known = among(name, names_.variables) || among(name, names_.parameters);
    if (known) continue;
    for (const FitParameter& p : problem_.parameters)
      if (p.name == name) declare(name, p.value.value_or(1));
    if (auto fixed = problem_.fixed.find(name); fixed != problem_.fixed.end()) declare(name, *number_in(fixed->second.text));
    if (is_placeholder) declare(name, 1);
  }
}

/// A plain name of a formula that means nothing here; "": there is none, or only the compiler can tell.
std::string Wrapper::unknown_in(const std::string& formula) const {
  static const std::set<std::string, std::less<>> words{"time", "if", "then", "else", "elseif",
                                                        "and",  "or", "not",  "true", "false"};
  if (formula.find_first_of("'[{\"") != std::string::npos) return {};
  for (const std::string& name : names_in(formula)) {
    bool plain = name.find('.') == std::string::npos && !words.contains(name) && !declared_.contains(name);
    if (!plain || among(name, names_.variables) || among(name, names_.parameters)) continue;
    std::size_t end = formula.find(name) + name.size();
    while (end < formula.size() && formula[end] == ' ') ++end;
    if (end < formula.size() && formula[end] == '(') continue;  // a function
    return name;
  }
  return {};
}

Result<Done> Wrapper::check_formula(const std::string& formula, const FitObservable& o) const {
  std::string name = unknown_in(formula);
  if (name.empty()) return Done{};
  Names known = names_.variables;
  known.insert(known.end(), names_.parameters.begin(), names_.parameters.end());
  for (const FitParameter& p : problem_.parameters) known.push_back(p.name);
  std::vector<Note> notes = did_you_mean(name, known);
  if (notes.empty()) notes.push_back({{}, "`--free " + name + "=1` makes it a parameter that is estimated"});
  return diagnostics_.error(no_such_fit_name, o.span,
                            {name, "neither a variable nor a parameter, and `" + formula + "` needs it"}, std::move(notes));
}

Result<Done> Wrapper::formulas() {
  for (const FitObservable& o : problem_.observables) {
    if (!o.formula.empty() && !among(o.formula, names_.variables)) {
      declare_names_of(o.formula);
      if (!check_formula(o.formula, o)) return diagnostics_.already_reported();
      text_ += "  Real " + observable_variable(o) + " = " + o.formula + ";\n";
    }
    if (!o.noise.empty() && !number_in(o.noise) && !among(o.noise, names_.variables)) {
      declare_names_of(o.noise);
      if (!check_formula(o.noise, o)) return diagnostics_.already_reported();
      text_ += "  Real " + noise_variable(o) + " = " + o.noise + ";\n";
    }
  }
  return Done{};
}

Result<LoadRequest> Wrapper::request() {
  request_ = plain_.request;
  if (!free_parameters() || !conditions() || !formulas()) return diagnostics_.already_reported();
  if (text_.empty()) return request_;
  std::string name = "'fit of " + plain_.class_name + "'";
  request_.texts.push_back(
      {name, "model " + name + "\n  extends " + plain_.class_name + ";\n" + text_ + "end " + name + ";\n"});
  request_.class_name = name;
  return request_;
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
  Result<Done> parameter(const FitParameter& given);
  Result<Done> observable(const FitObservable& given);
  Result<Setting> resolved(const std::string& text, Span span, std::size_t entry) const;
  Result<std::size_t> free_entry(const std::string& name, Span span) const;
  Result<Done> apply_condition(const FitCondition& condition, bool after_equilibration, Settings& settings,
                               estimate::Experiment* experiment);
  Result<Done> complete(Span at, bool initial, Settings& settings) const;
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

Result<std::size_t> Assembly::free_entry(const std::string& name, Span span) const {
  auto k = shared(name);
  if (k && *k < abi_.n_global) return *k;
  return diagnostics_.error(no_such_fit_name, span,
                            {name, k ? "a parameter on which the structure of the model depends, or one that is final"
                                     : "no parameter of the compiled model"});
}

Result<Done> Assembly::parameter(const FitParameter& given) {
  estimate::Parameter p;
  p.name = given.name, p.scale = given.scale, p.prior = given.prior;
  auto k = shared(given.name);
  bool is_free = k && *k < abi_.n_global;
  if (k && !is_free && !free_entry(given.name, given.span)) return diagnostics_.already_reported();
  double low = is_free ? abi_.shared[*k].min : -infinity, high = is_free ? abi_.shared[*k].max : infinity;
  p.lower = given.lower.value_or(low), p.upper = given.upper.value_or(high);
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
  o.name = given.name, o.scale = given.scale, o.noise = given.distribution, o.huber = given.huber;
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

/// A number, or an estimated or fixed parameter, in the place of an entry.
Result<Setting> Assembly::resolved(const std::string& text, Span span, std::size_t entry) const {
  if (auto number = number_in(text)) return Setting{entry, -1, *number};
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
    if (auto x = state(v.target); x && after_equilibration) {
      Result<Setting> value = resolved(v.value.text, v.value.span, 0);
      if (!value) return diagnostics_.already_reported();
      experiment->restarts.push_back({*x, *value});
      continue;
    }
    std::string name = shared(initial_of(v.target)) ? initial_of(v.target) : v.target;
    Result<std::size_t> entry = free_entry(name, v.value.span);
    Result<Setting> value = entry ? resolved(v.value.text, v.value.span, *entry) : diagnostics_.already_reported();
    if (!value) return diagnostics_.already_reported();
    settings.push_back(*value);
  }
  return experiment ? set_inputs(*experiment, condition.name, constant) : Done{};
}

/// What the settings leave out and the model computes from what is estimated. Initial values matter where `initial`.
Result<Done> Assembly::complete(Span at, bool initial, Settings& settings) const {
  for (const auto& [target, text] : problem_.starts) {
    bool is_start = shared(initial_of(target)).has_value();
    auto entry = shared(is_start ? initial_of(target) : target);
    auto sets = [&](std::size_t k) { return [k](const Setting& s) { return s.entry == k; }; };
    if (!entry || (is_start && !initial) || std::any_of(settings.begin(), settings.end(), sets(*entry))) continue;
    auto other = shared(text);
    if (!other && !number_in(text))
      return diagnostics_.error(
          table_malformed, at,
          {"`" + target + "` has no value here, and that of the model, `" + text + "`, depends on what is estimated"},
          {{{}, "write a number or the name of a parameter"}});
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
    if (!apply_condition(*condition, !m.equilibration.empty(), e.settings, &e)) return diagnostics_.already_reported();
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
  own.observable = m.observable, own.time = m.time, own.value = m.value, own.sigma = m.sigma, own.weight = m.weight;
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
  start_ = std::isnan(problem_.start) ? abi_.shared_values[0] : problem_.start;
  for (const FitParameter& p : problem_.parameters)
    if (!parameter(p)) return diagnostics_.already_reported();
  for (const FitObservable& o : problem_.observables)
    if (!observable(o)) return diagnostics_.already_reported();
  for (const FitMeasurement& m : problem_.measurements)
    if (!measurement(m)) return diagnostics_.already_reported();
  for (estimate::Experiment& e : out_.experiments)
    std::stable_sort(e.measurements.begin(), e.measurements.end(),
                     [](const estimate::Measurement& a, const estimate::Measurement& b) { return a.time < b.time; });
  check_experiments(model_, problem_, out_, diagnostics_);
  return std::move(out_);
}

}  // namespace

std::string experiment_name(const FitMeasurement& m) {
  std::string name = m.condition.empty() ? "data" : m.condition;
  return m.equilibration.empty() ? name : m.equilibration + " -> " + name;
}

ModelNames names_of(const Model& model) {
  ModelNames names;
  const ir::FlatModel& flat = model.problem.flat;
  for (const ir::Variable& v : flat.variables)
    for (std::uint32_t k = 0; k < v.size; ++k) {
      std::string name = ir::name_of(flat, ir::VariableId(v.first.index() + k));
      bool is_parameter = v.kind == ir::VariableKind::parameter;
      (is_parameter ? names.parameters : names.variables).push_back(name);
      if (!is_parameter && !v.unit.empty()) names.units[name] = v.unit;
    }
  for (ir::VariableId v : model.problem.x) names.states.push_back(ir::name_of(flat, v));
  for (ir::VariableId v : model.problem.u) names.inputs.push_back(ir::name_of(flat, v));
  return names;
}

Result<LoadRequest> fit_request(const Model& plain, FitProblem& problem, Diagnostics& diagnostics) {
  ModelNames names = names_of(plain);
  if (problem.parameters.empty()) {  // those that the model frees
    for (std::size_t k = 2; k < plain.problem.n_global; ++k) {
      if (plain.problem.shared_numbers[k].fixed) continue;
      problem.parameters.push_back(
          {ir::name_of(plain.problem.flat, plain.problem.shared[k]), Scale::lin, {}, {}, {}, {}, {}});
    }
  }
  if (problem.measurements.empty()) return diagnostics.error(nothing_to_fit, {}, {"there are no measurements"});
  if (problem.parameters.empty())
    return diagnostics.error(nothing_to_fit, {}, {"no parameter is free"},
                             {{{}, "`--free " + (names.parameters.empty() ? "k" : names.parameters[0]) + "` frees one"}});
  return Wrapper(plain, problem, diagnostics).request();
}

Result<Done> load_again(std::unique_ptr<Model>& model, const LoadRequest& load) {
  auto next = std::make_unique<Model>();
  next->sources = std::move(model->sources), next->diagnostics = std::move(model->diagnostics);
  model = std::move(next);
  return model->load(load);
}

Result<estimate::Estimation> assemble(const Model& model, const FitProblem& problem, Diagnostics& diagnostics) {
  return Assembly(model, problem, diagnostics).run();
}

}  // namespace bolza::workflow
