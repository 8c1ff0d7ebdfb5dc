// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/fit_request.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/numbers.h"
#include "compiler/ir/flat_model.h"
#include "compiler/ir/print.h"
#include "workflow/codes.h"
#include "workflow/whole_array.h"

namespace bolza::workflow {
namespace {

using Names = std::vector<std::string>;
using estimate::Scale;

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

/// What is written around the model.
class Wrapper {
 public:
  Wrapper(const Model& plain, FitProblem& problem, Diagnostics& diagnostics)
      : plain_(plain),
        problem_(problem),
        diagnostics_(diagnostics),
        names_(names_of(plain)) {}

  Result<FitLoad> request();

 private:
  /// Does the model free it already? Elements of arrays can only be freed together.
  bool is_free(const std::string& name) const {
    for (std::size_t k = 2; k < plain_.problem.n_global; ++k)
      if (!plain_.problem.shared_numbers[k].fixed && ir::name_of(plain_.problem.flat, plain_.problem.shared[k]) == name)
        return true;
    return false;
  }
  void free(const std::string& name) {
    if (std::string whole = whole_array(name); !is_free(name) && freed_.insert(whole).second)
      request_.settings.push_back(whole + "(free=true)");
  }
  void declare(const std::string& name, double value) {
    if (declared_.insert(name).second) text_ += "  parameter Real " + name + "(free = true) = " + exact_text(value) + ";\n";
  }
  /// The formula has lines of its own, so that a comment in it ends.
  void define(std::string variable, std::string of, const std::string& formula, Span span) {
    PlacedFormula placed{.text = formula, .of = std::move(of), .variable = std::move(variable), .span = span};
    placed.first = static_cast<std::uint32_t>(text_.size());
    text_ += "  Real " + placed.variable + " =\n";
    placed.begin = static_cast<std::uint32_t>(text_.size());
    text_ += formula + "\n;\n";
    placed.last = static_cast<std::uint32_t>(text_.size());
    formulas_.push_back(std::move(placed));
  }
  Result<Done> may_be_free(const FitParameter& parameter) const;
  Result<Done> is_no_variable(const FitParameter& parameter) const;
  Result<Done> free_parameters();
  Result<Done> conditions();
  bool is_array(const std::string& name) const;
  std::string unknown_in(const std::string& formula) const;
  Result<Done> check_formula(const std::string& formula, const std::string& of, Span span) const;
  Result<Done> formulas();
  void declare_names_of(const std::string& formula);
  void declare_observables_of(const std::string& noise);
  Result<Done> target(const FitCondition::Value& value);
  void note_start(const FitCondition::Value& value);
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
  std::vector<PlacedFormula> formulas_;  // in text_
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
  if (among(name, names_.inputs) || (value.restarts && among(name, names_.states))) return Done{};
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
    if (whole_array(name) != name)
      return diagnostics_.error(
          no_such_fit_name, value.column, {name, "an element of an array, whose start values are set together"},
          {{{}, "with `parameter Real x0[n]` and `x(start = x0)` in the model a column can be one of `x0`"}});
    if (!starts_.insert(name).second) return Done{};
    declare(initial_of(name), start_of(name));
    request_.settings.push_back(name + "(start=" + initial_of(name) + ", fixed=true)");
    return Done{};
  }
  Names known = names_.parameters;
  known.insert(known.end(), names_.states.begin(), names_.states.end());
  known.insert(known.end(), names_.inputs.begin(), names_.inputs.end());
  return diagnostics_.error(no_such_fit_name, value.column,
                            {name, "neither a parameter nor a state nor an input of the model"}, did_you_mean(name, known));
}

Result<Done> Wrapper::conditions() {
  for (const FitCondition& c : problem_.conditions) {
    for (const FitCondition::Value& v : c.values)
      if (!target(v)) return diagnostics_.already_reported();
    for (const FitCondition::Later& later : c.later)
      for (const FitCondition::Value& v : later.values)
        if (!target(v)) return diagnostics_.already_reported();
  }
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
  for (const FitCondition& c : problem_.conditions) {
    for (const FitCondition::Value& v : c.values) note_start(v);
    for (const FitCondition::Later& later : c.later)
      for (const FitCondition::Value& v : later.values) note_start(v);
  }
}

void Wrapper::note_start(const FitCondition::Value& v) {
  bool restarts = v.restarts && among(v.target, names_.states);
  if (restarts || among(v.target, names_.inputs) || problem_.starts.contains(v.target)) return;
  std::string name = among(initial_of(v.target), names_.parameters) ? initial_of(v.target) : v.target;
  std::string text = text_of(name);
  std::set<std::string> seen{name};
  if (!is_moved(text, seen)) return;
  if (!among(text, names_.parameters)) {
    std::string variable = "'value of the model for " + std::to_string(problem_.formulas.size() + 1) + "'";
    problem_.formulas.push_back(
        {variable, std::exchange(text, variable), "the model's value of `" + v.target + "`", v.column});
  }
  problem_.starts[v.target] = text;
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

/// In the noise the name of an observable is its value, where it is nothing else.
void Wrapper::declare_observables_of(const std::string& noise) {
  for (const std::string& name : names_in(noise)) {
    auto o = std::ranges::find(problem_.observables, name, &FitObservable::name);
    bool plain = std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (o == problem_.observables.end() || o->formula.empty() || !plain || name == "time") continue;
    if (among(name, names_.variables) || among(name, names_.parameters) || is_array(name)) continue;
    if (!declared_.insert(name).second) continue;
    bool is_variable = among(o->formula, names_.variables);
    text_ += "  Real " + name + " = " + (is_variable ? o->formula : observable_variable(*o)) + ";\n";
  }
}

bool Wrapper::is_array(const std::string& name) const {
  auto has_element = [&](const std::string& other) { return other.starts_with(name + "["); };
  return std::ranges::any_of(names_.variables, has_element) || std::ranges::any_of(names_.parameters, has_element);
}

/// Where a formula has the name by itself, not as a part of another one nor as that of a function; npos: nowhere.
std::size_t mention_in(const std::string& formula, const std::string& name) {
  auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
  for (std::size_t at = formula.find(name); at != std::string::npos; at = formula.find(name, at + 1)) {
    std::size_t end = at + name.size();
    if ((at > 0 && is_part(formula[at - 1])) || (end < formula.size() && is_part(formula[end]))) continue;
    while (end < formula.size() && formula[end] == ' ') ++end;
    if (end == formula.size() || formula[end] != '(') return at;
  }
  return std::string::npos;
}

/// A plain name of a formula that means nothing here; "": there is none, or only the compiler can tell.
std::string Wrapper::unknown_in(const std::string& formula) const {
  static const std::set<std::string, std::less<>> words{"time", "if", "then", "else", "elseif",
                                                        "and",  "or", "not",  "true", "false"};
  if (formula.find_first_of("'[{\"") != std::string::npos) return {};
  for (const std::string& name : names_in(formula)) {
    bool plain = name.find('.') == std::string::npos && !words.contains(name) && !declared_.contains(name);
    if (!plain || among(name, names_.variables) || among(name, names_.parameters) || is_array(name)) continue;
    if (mention_in(formula, name) != std::string::npos) return name;
  }
  return {};
}

/// Where a formula ends that goes on, which would be taken for declarations; npos: it does not.
std::size_t end_within(const std::string& formula) {
  char quote = 0;
  for (std::size_t k = 0; k < formula.size(); ++k) {
    if (quote) quote = formula[k] == quote ? 0 : quote;
    else if (formula[k] == '\'' || formula[k] == '"') quote = formula[k];
    else if (formula[k] == ';') return k;
  }
  return std::string::npos;
}

Result<Done> Wrapper::check_formula(const std::string& formula, const std::string& of, Span span) const {
  auto place = [&](std::size_t begin, std::size_t length) {
    auto from = static_cast<std::uint32_t>(begin);
    return place_of({.text = formula, .span = span}, from, from + static_cast<std::uint32_t>(length), plain_.sources);
  };
  if (std::size_t end = end_within(formula); end != std::string::npos)
    return diagnostics_.error(formula_mistake, place(end, 1), {of, "an expression has no `;`"});
  std::string name = unknown_in(formula);
  if (name.empty()) return Done{};
  Names known = names_.variables;
  known.insert(known.end(), names_.parameters.begin(), names_.parameters.end());
  for (const FitParameter& p : problem_.parameters) known.push_back(p.name);
  std::vector<Note> notes = did_you_mean(name, known);
  if (notes.empty()) notes.push_back({{}, "`--free " + name + "=1` makes it a parameter that is estimated"});
  return diagnostics_.error(no_such_fit_name, span ? place(mention_in(formula, name), name.size()) : span,
                            {name, "neither a variable nor a parameter, and `" + formula + "` needs it"}, std::move(notes));
}

Result<Done> Wrapper::formulas() {
  for (const FitFormula& f : problem_.formulas) {
    declare_names_of(f.text);
    if (!check_formula(f.text, f.of, f.span)) return diagnostics_.already_reported();
    define(f.variable, f.of, f.text, f.span);
  }
  for (const FitObservable& o : problem_.observables) {
    if (!o.formula.empty() && !among(o.formula, names_.variables)) {
      declare_names_of(o.formula);
      std::string of = "`" + o.name + "`";
      if (!check_formula(o.formula, of, o.formula_span)) return diagnostics_.already_reported();
      define(observable_variable(o), of, o.formula, o.formula_span);
    }
    if (!o.noise.empty() && !number_in(o.noise) && !among(o.noise, names_.variables)) {
      declare_names_of(o.noise);
      declare_observables_of(o.noise);
      std::string of = "the noise of `" + o.name + "`";
      if (!check_formula(o.noise, of, o.noise_span)) return diagnostics_.already_reported();
      define(noise_variable(o), of, o.noise, o.noise_span);
    }
  }
  return Done{};
}

Result<FitLoad> Wrapper::request() {
  request_ = plain_.request;
  if (!free_parameters() || !conditions() || !formulas()) return diagnostics_.already_reported();
  if (text_.empty()) return FitLoad{request_, plain_.class_name, {}};
  std::string name = "'fit of " + plain_.class_name + "'";
  std::string head = "model " + name + "\n  extends " + plain_.class_name + ";\n";
  for (PlacedFormula& f : formulas_)
    for (std::uint32_t* at : {&f.first, &f.begin, &f.last}) *at += static_cast<std::uint32_t>(head.size());
  request_.texts.push_back({name, head + text_ + "end " + name + ";\n"});
  request_.class_name = name;
  return FitLoad{request_, plain_.class_name, std::move(formulas_)};
}

}  // namespace

std::string initial_of(std::string state) {
  std::erase(state, '\'');
  return "'initial value of " + state + "'";
}
std::string observable_variable(const FitObservable& o) { return "'observable " + o.name + "'"; }
std::string noise_variable(const FitObservable& o) { return "'noise of " + o.name + "'"; }

bool is_used(const FitProblem& problem, const std::string& parameter) {
  auto gives = [&](const FitCondition::Value& v) { return v.value.text == parameter; };
  for (const FitCondition& c : problem.conditions) {
    if (std::ranges::any_of(c.values, gives)) return true;
    for (const FitCondition::Later& later : c.later)
      if (std::ranges::any_of(later.values, gives)) return true;
  }
  for (const FitFormula& f : problem.formulas)
    if (names_in(f.text).contains(parameter)) return true;
  for (const FitMeasurement& m : problem.measurements)
    if (among(parameter, m.noise_parameters) || among(parameter, m.observable_parameters)) return true;
  return false;
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

Result<FitLoad> fit_request(const Model& plain, FitProblem& problem, Diagnostics& diagnostics) {
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

Result<Done> load_again(std::unique_ptr<Model>& model, const FitLoad& fit) {
  auto next = std::make_unique<Model>();
  next->sources = std::move(model->sources);
  next->diagnostics = std::move(model->diagnostics);
  model = std::move(next);
  Diagnostics before = model->diagnostics;
  Result<Done> loaded = model->load(fit.load);
  if (!fit.formulas.empty())
    tell_of_formulas(fit.formulas, fit.load.texts.back().path, fit.model, model->sources, before, model->diagnostics);
  return loaded;
}

}  // namespace bolza::workflow
