// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/identify.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/flush_denormals.h"
#include "workflow/codes.h"
#include "workflow/fit/assemble.h"
#include "workflow/fit/carried_values.h"
#include "workflow/fit/condition_terms.h"
#include "workflow/fit/fit_request.h"
#include "workflow/fit/read_data.h"
#include "workflow/solve/method/solver.h"

namespace bolza::workflow {
namespace {

using Conditions = std::map<std::string, std::map<std::string, double>>;  ///< by data set

/// The tables and the command line as a problem, and as numbers for terms.
class Reading {
 public:
  Reading(const IdentificationRequest& request, Model& plain) : request_(request), plain_(plain) {}

  Result<Done> run();
  /// How to load the model for it, with what is drawn among the observables.
  Result<FitLoad> wrap();

  FitProblem problem;
  std::vector<TermList> lists;
  Conditions conditions;
  struct Function {
    std::string component, argument, value;
  };
  std::vector<Function> functions;  ///< components that are unknown functions of one variable

 private:
  Result<Done> take_conditions();
  Result<Done> check_terms();
  void find_functions(const ModelNames& names);
  bool is_used(const std::string& name) const;

  const IdentificationRequest& request_;
  Model& plain_;
};

bool Reading::is_used(const std::string& name) const {
  for (const TermList& list : lists)
    for (const ConditionTerm& term : list.terms)
      for (const auto& factor : term.power)
        if (factor.first == name) return true;
  return false;
}

/// Numbers of conditions for terms; with terms, those that the model does not know leave the problem.
Result<Done> Reading::take_conditions() {
  ModelNames names = names_of(plain_);
  auto known = [&](const std::string& name) {
    return among(name, names.parameters) || among(name, names.inputs) || among(name, names.states);
  };
  for (FitCondition& c : problem.conditions) {
    for (const FitCondition::Value& v : c.values) {
      if (!is_used(v.target)) continue;
      Result<double> number = number_of(v.value, plain_.diagnostics);
      if (!number) return plain_.diagnostics.already_reported();
      conditions[c.name][v.target] = *number;
    }
    std::erase_if(c.values, [&](const FitCondition::Value& v) { return !lists.empty() && !known(v.target); });
  }
  return Done{};
}

Result<Done> Reading::check_terms() {
  for (const TermList& list : lists)
    for (const ConditionTerm& term : list.terms)
      for (const auto& factor : term.power)
        for (const FitMeasurement& m : problem.measurements)
          if (!conditions[m.condition].contains(factor.first))
            return plain_.diagnostics.error(
                condition_missing, list.span,
                {factor.first, m.condition.empty() ? "the measurements, which name no condition" : "`" + m.condition + "`"});
  return Done{};
}

/// Components with an argument u and a value y, or vectors of one element, among whose parameters are estimated ones.
void Reading::find_functions(const ModelNames& names) {
  for (const FitParameter& p : problem.parameters) {
    std::size_t dot = p.name.rfind('.');
    if (dot == std::string::npos) continue;
    Function f{p.name.substr(0, dot), "", ""};
    if (std::any_of(functions.begin(), functions.end(), [&](const Function& g) { return g.component == f.component; }))
      continue;
    for (const char* element : {"", "[1]"}) {
      f.argument = f.component + ".u" + element;
      f.value = f.component + ".y" + element;
      if (!among(f.argument, names.variables) || !among(f.value, names.variables)) continue;
      if (!among(f.component + ".u[2]", names.variables)) functions.push_back(f);
      break;
    }
  }
}

Result<Done> Reading::run() {
  Sources& sources = plain_.sources;
  Diagnostics& d = plain_.diagnostics;
  problem.start = request_.start.value_or(std::numeric_limits<double>::quiet_NaN());
  ModelNames names = names_of(plain_);
  for (const std::string& text : request_.terms) {
    Result<TermList> list = read_terms(text, sources, d);
    if (!list) return d.already_reported();
    lists.push_back(*std::move(list));
  }
  for (const std::string& one : request_.free)
    if (!read_free(one, problem, sources, d)) return d.already_reported();
  if (!read_observables(request_.observe, request_.noise, problem, sources, d)) return d.already_reported();
  for (const std::string& file : request_.data)
    if (!read_measurements(file, request_.data.size() > 1, names, problem, sources, d)) return d.already_reported();
  if (!request_.conditions.empty() && !read_conditions(request_.conditions, problem, sources, d))
    return d.already_reported();
  return take_conditions() && check_terms() ? Result<Done>(Done{}) : d.already_reported();
}

Result<FitLoad> Reading::wrap() {
  Result<FitLoad> request = fit_request(plain_, problem, plain_.diagnostics);
  if (!request) return request;
  find_functions(names_of(plain_));
  for (const Function& f : functions)
    for (const std::string& name : {f.argument, f.value}) {
      FitObservable drawn;
      drawn.name = name;
      problem.observables.push_back(std::move(drawn));
    }
  return request;
}

/// Terms and starts over the compiled model.
class Formulation {
 public:
  Formulation(Model& model, const Reading& reading, const IdentificationRequest& request, IdentificationOutcome& out)
      : model_(model),
        reading_(reading),
        request_(request),
        out_(out) {}

  Result<estimate::IdentifyRequest> run();

 private:
  Result<Done> terms_of_conditions();
  Result<Done> terms_of_model();
  Result<Done> read_starts(std::vector<Eigen::VectorXd>& p0);
  std::string set_name(std::size_t set) const;
  void add_term(std::size_t parameter, const ConditionTerm& term);

  Model& model_;
  const Reading& reading_;
  const IdentificationRequest& request_;
  IdentificationOutcome& out_;
};

/// The condition under which the measurements of an experiment were made.
std::string Formulation::set_name(std::size_t set) const {
  const std::string& name = out_.estimation.experiments[set].name;
  return reading_.conditions.contains(name) || reading_.problem.condition(name) ? name : "";
}

void Formulation::add_term(std::size_t parameter, const ConditionTerm& term) {
  estimate::CandidateTerm candidate;
  candidate.name = out_.estimation.parameters[parameter].name + ": " + term.name;
  candidate.parameter = parameter;
  for (std::size_t i = 0; i < out_.estimation.experiments.size(); ++i) {
    auto found = reading_.conditions.find(set_name(i));
    candidate.factor.push_back(
        value_of(term, found == reading_.conditions.end() ? std::map<std::string, double>{} : found->second));
  }
  if (term.power.empty()) candidate.start = out_.estimation.parameters[parameter].value;
  out_.terms.terms.push_back(std::move(candidate));
  out_.labels.push_back(term.name);
}

Result<Done> Formulation::terms_of_conditions() {
  const std::vector<estimate::Parameter>& parameters = out_.estimation.parameters;
  for (const TermList& list : reading_.lists) {
    bool known =
        list.parameter.empty() || std::any_of(parameters.begin(), parameters.end(),
                                              [&](const estimate::Parameter& p) { return p.name == list.parameter; });
    if (!known)
      return model_.diagnostics.error(no_such_fit_name, list.span, {list.parameter, "not a parameter that is estimated"});
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const TermList* own = nullptr;
    for (const TermList& list : reading_.lists)
      if (list.parameter == parameters[k].name || (list.parameter.empty() && !own)) own = &list;
    if (!own) {
      add_term(k, {"1", {}});
      out_.terms.terms.back().selectable = false;
    } else
      for (const ConditionTerm& term : own->terms) add_term(k, term);
  }
  return Done{};
}

Result<Done> Formulation::terms_of_model() {
  const bolza_model& m = *model_.abi().models[model_.abi().phases[0].model];
  std::size_t n_sets = out_.estimation.experiments.size();
  bool any = false;
  for (std::size_t k = 0; k < out_.estimation.parameters.size(); ++k) {
    const estimate::Parameter& p = out_.estimation.parameters[k];
    estimate::CandidateTerm candidate{p.name, k, std::vector<double>(n_sets, 1), false, p.value, p.lower, p.upper};
    for (std::size_t g = 0; g < m.n_global; ++g)
      if (m.shared[g].name == p.name) candidate.selectable = m.shared[g].selectable;
    any = any || candidate.selectable;
    out_.terms.terms.push_back(std::move(candidate));
    out_.labels.emplace_back();
  }
  if (request_.how.select && !any) return model_.diagnostics.error(nothing_selectable, {}, {model_.class_name});
  return Done{};
}

/// p0 of each data set; parameters without a column have the value that the model or --free gives.
Result<Done> Formulation::read_starts(std::vector<Eigen::VectorXd>& p0) {
  Diagnostics& d = model_.diagnostics;
  Result<TextTable> table = read_table(request_.starts, model_.sources, d);
  if (!table) return d.already_reported();
  auto column = table->column({"condition"});
  for (std::size_t i = 0; i < out_.estimation.experiments.size(); ++i) {
    const std::vector<Cell>* row = nullptr;
    for (const std::vector<Cell>& r : table->rows)
      if (!column || r[*column].text == out_.estimation.experiments[i].name) row = &r;
    if (!row) return d.error(start_missing, {}, {request_.starts, out_.estimation.experiments[i].name});
    Eigen::VectorXd p(out_.estimation.parameters.size());
    for (std::size_t k = 0; k < out_.estimation.parameters.size(); ++k) {
      p[static_cast<Eigen::Index>(k)] = out_.estimation.parameters[k].value;
      auto own = table->column({out_.estimation.parameters[k].name});
      if (!own) continue;
      Result<double> number = number_of((*row)[*own], d);
      if (!number) return d.already_reported();
      p[static_cast<Eigen::Index>(k)] = *number;
    }
    p0.push_back(std::move(p));
  }
  return Done{};
}

Result<estimate::IdentifyRequest> Formulation::run() {
  Diagnostics& d = model_.diagnostics;
  for (const estimate::Parameter& p : out_.estimation.parameters)
    if (p.scale != estimate::Scale::lin)
      return d.error(cannot_combine, {}, {"`" + p.name + "` on a logarithmic scale and terms that may be 0"});
  estimate::IdentifyRequest how = request_.how;
  std::size_t n_p = out_.estimation.parameters.size();
  out_.terms.offset.assign(out_.estimation.experiments.size(), Eigen::VectorXd::Zero(static_cast<Eigen::Index>(n_p)));
  if (!(reading_.lists.empty() ? terms_of_model() : terms_of_conditions())) return d.already_reported();
  if (!request_.starts.empty() && !read_starts(how.p0)) return d.already_reported();
  for (std::size_t k = 0; k < reading_.functions.size(); ++k)
    how.functions.push_back({reading_.functions[k].component, out_.measured + 2 * k, out_.measured + 2 * k + 1});
  how.terms = out_.terms;
  return how;
}

/// The options of engine and integration, as a fit's.
void set_options(const driver::Options& options, estimate::IdentifyRequest& how) {
  driver::Options with = options;
  if (!with.has("nlp")) with.values["nlp"] = "trust-region";
  transcribe::TranscribeOptions t = transcribe_options(with);
  how.engine = t.nlp;
  how.engine.budget = how.estimator.budget;
  how.engine.tol = options.has("tol") ? options.number("tol") : 1e-7;
  if (options.has("max-iterations"))
    how.selection.inversion.max_iterations = static_cast<int>(options.number("max-iterations"));
  how.estimator.rtol = options.has("rtol") ? options.number("rtol") : 1e-10;
  if (options.has("integrator")) how.estimator.integrator = options.text("integrator");
}

}  // namespace

Result<IdentificationOutcome> identify(std::unique_ptr<Model>& model, const IdentificationRequest& request) {
  FlushDenormals flush;
  LoadRequest load = request.load;
  load.events = passes::Events::keep;
  if (!model->load(load)) return model->diagnostics.already_reported();
  auto library = solver_library(model->diagnostics);
  if (!library || !check_names(request.options, **library, model->diagnostics)) return model->diagnostics.already_reported();
  Reading reading(request, *model);
  if (!reading.run()) return model->diagnostics.already_reported();
  IdentificationOutcome out;
  out.class_name = model->class_name;
  out.measured = reading.problem.observables.size();
  out.threshold = request.how.selection.threshold;
  Result<FitLoad> wrapped = reading.wrap();
  if (!wrapped || !load_again(model, *wrapped)) return model->diagnostics.already_reported();
  if (!model->compile({.calls = codegen::Calls::many})) return model->diagnostics.already_reported();
  Result<estimate::Estimation> estimation = assemble(*model, reading.problem, model->diagnostics);
  if (!estimation || !check_carried_values(*model, model->diagnostics)) return model->diagnostics.already_reported();
  out.estimation = *std::move(estimation);
  Result<estimate::IdentifyRequest> how = Formulation(*model, reading, request, out).run();
  if (!how) return model->diagnostics.already_reported();
  set_options(request.options, *how);
  out.result = (*library)->identify(model->abi(), out.estimation, *how);
  out.seconds_total = seconds_since(model->began);
  return out;
}

}  // namespace bolza::workflow
