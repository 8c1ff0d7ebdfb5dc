// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/fit_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "runtime/nlp/solve.h"
#include "workflow/fit/fit_charts.h"
#include "workflow/install_paths.h"

namespace bolza::workflow {
namespace {

using estimate::FitStatistics;

std::string percent(double share) { return std::isfinite(share) ? shown(100 * share, 2) + " %" : "–"; }

std::string interval_text(const estimate::Uncertainty& interval) {
  return std::isfinite(interval.error) ? "[" + shown(interval.lower, 4) + ", " + shown(interval.upper, 4) + "]" : "–";
}

nlohmann::json finite(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); }

std::string p_text(double p) { return std::isnan(p) ? "–" : p < 1e-4 ? "< 0.0001" : shown(p, 2); }

result::PageTable parameter_table(const FitOutcome& outcome) {
  result::PageTable table{
      "Parameters",
      {"parameter", "value", "standard error", "relative", "interval", "unit", "start", "bounds", "scale", "verdict"},
      {false, true, true, true, true, false, true, true, false, false},
      {}};
  const estimate::Fit& fit = outcome.result.fit;
  static constexpr const char* scales[] = {"lin", "log", "log10"};
  for (std::size_t k = 0; k < outcome.estimation.parameters.size() && k < fit.theta.size(); ++k) {
    const estimate::Parameter& p = outcome.estimation.parameters[k];
    std::vector<std::string> row{p.name,
                                 shown(estimate::from_scale(fit.theta[k], p.scale), 6),
                                 "",
                                 "",
                                 "",
                                 p.unit,
                                 shown(estimate::from_scale(fit.start[k], p.scale), 4),
                                 "[" + shown(p.lower, 4) + ", " + shown(p.upper, 4) + "]",
                                 scales[static_cast<int>(p.scale)],
                                 ""};
    if (outcome.analysis.known) {
      const estimate::ParameterStatistics& s = outcome.analysis.statistics.parameters[k];
      bool interval = s.at_bound == estimate::AtBound::no;
      row[2] = interval && std::isfinite(s.interval.error) ? shown(s.interval.physical_error, 3) : "–";
      row[3] = interval ? percent(s.interval.relative_error) : "–";
      row[4] = interval ? interval_text(s.interval) : "–";
      row[9] = name_of(s.verdict);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

result::PageTable goodness_table(const FitStatistics& s, const FitOutcome& outcome) {
  const estimate::Goodness& g = s.goodness;
  result::PageTable table{"Goodness of fit", {"measure", "value", ""}, {false, true, false}, {}};
  auto row = [&](const char* name, std::string value, const char* note) {
    table.rows.push_back({name, std::move(value), note});
  };
  bool known = outcome.problem.noise_is_known;
  row("measurements", std::to_string(g.n), "");
  row("degrees of freedom", shown(g.freedom, 6), "");
  double unit = unit_of_squares(outcome);
  row("χ²", shown(g.chi_square * unit, 6),
      known ? "" : "in units of the noise that was assumed; its size is taken from the residuals");
  if (known && std::isnan(g.p)) row("p of χ²", "–", "no test: the noise is estimated, or not normal");
  else if (known) row("p of χ²", p_text(g.p), "small: the noise does not explain the residuals");
  else row("standard deviation of the noise", shown(std::sqrt(g.variance_factor * unit), 4), "√(χ²/degrees of freedom)");
  row("log likelihood", shown(g.log_likelihood, 8), "");
  row("AIC", shown(g.aic, 8), "");
  row("AICc", shown(g.aicc, 8), "");
  row("BIC", shown(g.bic, 8), "");
  row("p of normality", p_text(s.residuals.normality.p), s.residuals.shapiro_wilk ? "Shapiro–Wilk" : "Jarque–Bera");
  return table;
}

result::PageTable series_table(const FitStatistics& s, const FitOutcome& outcome) {
  result::PageTable table{
      "Residuals in time",
      {"observable", "experiment", "measurements", "R²", "rms / σ", "Durbin–Watson", "p of Ljung–Box", "p of runs"},
      {false, false, true, true, true, true, true, true},
      {}};
  for (const estimate::SeriesStatistics& one : s.residuals.series) {
    const estimate::ObservableStatistics& o = s.residuals.observables[one.observable];
    auto number = [](double v) { return std::isnan(v) ? std::string("–") : shown(v, 4); };
    table.rows.push_back({outcome.estimation.observables[one.observable].name,
                          outcome.estimation.experiments[one.experiment].name, std::to_string(one.rows.size()),
                          number(o.r_squared), number(o.root_mean_square), number(one.durbin_watson),
                          p_text(one.ljung_box.p), p_text(one.runs.p)});
  }
  return table;
}

result::PageTable outlier_table(const FitStatistics& s, const FitOutcome& outcome) {
  result::PageTable table{"Outliers",
                          {"observable", "experiment", "time", "measured", "residual / its error", "p", "line"},
                          {false, false, true, true, true, true, true},
                          {}};
  for (const estimate::Outlier& one : s.residuals.outliers) {
    std::size_t row = 0;
    for (const estimate::Experiment& e : outcome.estimation.experiments)
      for (const estimate::Measurement& m : e.measurements)
        if (row++ == one.row)
          table.rows.push_back({outcome.estimation.observables[m.observable].name, e.name, shown(m.time, 5),
                                shown(m.value, 5), shown(one.studentised, 3), p_text(one.p),
                                m.line ? std::to_string(m.line) : ""});
  }
  return table;
}

// "runs: 0.5, 2.1", by experiment.
std::vector<std::pair<std::string, std::string>> planned(const FitOutcome& outcome) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const estimate::PlannedTime& t : outcome.analysis.plan->times) {
    const std::string& name = outcome.estimation.experiments[t.experiment].name;
    if (out.empty() || out.back().first != name) out.emplace_back(name, "");
    out.back().second += (out.back().second.empty() ? "" : ", ") + shown(t.time, 4);
  }
  return out;
}

result::PageTable plan_table(const FitOutcome& outcome) {
  result::PageTable table{"When to measure next", {"experiment", "times"}, {false, false}, {}};
  for (const auto& [name, times] : planned(outcome)) table.rows.push_back({name, times});
  table.rows.push_back({"", plan_text(outcome)});
  return table;
}

nlohmann::json plan_json(const FitOutcome& outcome) {
  const estimate::TimePlan& plan = *outcome.analysis.plan;
  nlohmann::json o{{"criterion", estimate::criteria.of(plan.criterion)},
                   {"candidates", plan.candidates},
                   {"value", finite(plan.value)},
                   {"value_now", finite(plan.per_time_now)},
                   {"times", nlohmann::json::array()}};
  for (const estimate::PlannedTime& t : plan.times)
    o["times"].push_back({{"experiment", outcome.estimation.experiments[t.experiment].name}, {"time", t.time}});
  return o;
}

result::PageTable run_table(const FitOutcome& outcome) {
  const estimate::Fit& fit = outcome.result.fit;
  result::PageTable table{"Run", {"measure", "value"}, {false, true}, {}};
  table.rows = {{"iterations", std::to_string(fit.iterations)},
                {"simulations", std::to_string(fit.simulations)},
                {"load", shown(outcome.seconds_load, 3) + " s"},
                {"compile", shown(outcome.seconds_compile, 3) + " s"},
                {"fit", shown(fit.seconds, 3) + " s"}};
  if (!fit.message.empty()) table.rows.push_back({"message", fit.message});
  return table;
}

nlohmann::json relations_json(const std::vector<estimate::Combination>& relations, const FitOutcome& outcome) {
  nlohmann::json all = nlohmann::json::array();
  for (const estimate::Combination& r : relations) {
    nlohmann::json names = nlohmann::json::array();
    for (std::size_t i : r.parameters) names.push_back(outcome.estimation.parameters[i].name);
    all.push_back({{"parameters", names}, {"determined", r.determined}});
  }
  return all;
}

nlohmann::json parameters_json(const FitStatistics& s, const FitOutcome& outcome) {
  nlohmann::json all = nlohmann::json::object();
  for (std::size_t k = 0; k < s.parameters.size(); ++k) {
    const estimate::ParameterStatistics& p = s.parameters[k];
    nlohmann::json& o =
        all[outcome.estimation.parameters[k].name] = {{"value", finite(p.value)}, {"verdict", name_of(p.verdict)}};
    if (p.at_bound != estimate::AtBound::no) continue;
    o["error"] = finite(p.interval.physical_error);
    o["relative_error"] = finite(p.interval.relative_error);
    o["interval"] = {finite(p.interval.lower), finite(p.interval.upper)};
  }
  return all;
}

nlohmann::json residuals_json(const FitStatistics& s, const FitOutcome& outcome) {
  nlohmann::json o{{"normality_p", finite(s.residuals.normality.p)}, {"outliers", nlohmann::json::array()}};
  for (std::size_t k = 0; k < s.residuals.observables.size(); ++k) {
    const estimate::ObservableStatistics& one = s.residuals.observables[k];
    o["observables"][outcome.estimation.observables[k].name] = {{"measurements", one.count},
                                                                {"r_squared", finite(one.r_squared)},
                                                                {"root_mean_square", finite(one.root_mean_square)}};
  }
  for (const estimate::SeriesStatistics& one : s.residuals.series)
    o["series"].push_back({{"experiment", outcome.estimation.experiments[one.experiment].name},
                           {"observable", outcome.estimation.observables[one.observable].name},
                           {"durbin_watson", finite(one.durbin_watson)},
                           {"ljung_box_p", finite(one.ljung_box.p)},
                           {"runs_p", finite(one.runs.p)}});
  for (const estimate::Outlier& one : s.residuals.outliers)
    o["outliers"].push_back({{"row", one.row}, {"studentised", one.studentised}, {"p", one.p}});
  return o;
}

}  // namespace

std::string plan_text(const FitOutcome& outcome) {
  const estimate::TimePlan& plan = *outcome.analysis.plan;
  std::string criterion(estimate::criteria.of(plan.criterion));
  if (!std::isfinite(plan.value)) return "no choice of so few times determines the parameters";
  std::string text = criterion + "-criterion " + shown(plan.value, 4);
  if (std::isfinite(plan.per_time_now))
    text += ", " + shown(plan.per_time_now, 4) + " for as many of the times that were measured";
  return text;
}

std::string plan_times_text(const FitOutcome& outcome) {
  std::string out;
  for (const auto& [name, times] : planned(outcome)) out += (out.empty() ? "" : "; ") + name + " at " + times;
  return out;
}

std::vector<std::string> doubts_of(const FitOutcome& outcome) {
  constexpr std::size_t enough = 4;
  constexpr double useless = -0.5;
  std::vector<std::string> out;
  const std::vector<estimate::Observable>& observables = outcome.estimation.observables;
  bool kinks = std::any_of(observables.begin(), observables.end(),
                           [](const estimate::Observable& o) { return o.noise == estimate::Noise::laplace; });
  if (kinks && outcome.result.fit.status == nlp::Status::acceptable && outcome.result.fit.iterations > 0)
    out.push_back(
        "the fit ended at a kink of the likelihood, which Laplace noise has where a residual is zero; it need not be the "
        "best: "
        "start from a fit with normal noise, or try `--starts`");
  if (!outcome.analysis.known) return out;
  if (!outcome.analysis.no_plan.empty()) out.push_back(outcome.analysis.no_plan);
  const FitStatistics& s = outcome.analysis.statistics;
  if (!s.minimum) out.push_back("the Hessian is not positive definite: the end is not a minimum");
  if (s.goodness.freedom <= 0) out.push_back("as many parameters as measurements: nothing is left to judge the fit by");
  if (s.goodness.p < 0.01)
    out.push_back("χ² = " + shown(s.goodness.chi_square, 4) + " for " + shown(s.goodness.freedom, 6) +
                  " degrees of freedom (p " + p_text(s.goodness.p) + "): the stated noise does not explain the residuals");
  if (s.residuals.normality.p < 0.01)
    out.push_back("the residuals are not normal (p " + p_text(s.residuals.normality.p) + ")");
  std::string correlated;
  for (const estimate::SeriesStatistics& one : s.residuals.series)
    if (one.runs.p < 0.01 && one.ljung_box.p < 0.01)
      correlated += (correlated.empty() ? "" : ", ") + ("`" + outcome.estimation.observables[one.observable].name) +
                    "` in " + outcome.estimation.experiments[one.experiment].name;
  if (!correlated.empty()) out.push_back("residuals are correlated in time: " + correlated + "; intervals are too narrow");
  for (std::size_t k = 0; k < observables.size() && !outcome.problem.noise_is_known; ++k)
    if (const estimate::ObservableStatistics& one = s.residuals.observables[k];
        one.count >= enough && one.r_squared < useless)
      out.push_back("a constant would be closer to what was measured of `" + observables[k].name +
                    "` (R² = " + shown(one.r_squared, 2) + "): another start, `--starts`, or another model is needed");
  if (std::size_t n = s.residuals.outliers.size()) out.push_back(std::to_string(n) + (n == 1 ? " outlier" : " outliers"));
  return out;
}

nlohmann::json statistics_json(const FitOutcome& outcome) {
  if (!outcome.analysis.known) return nlohmann::json();
  const FitStatistics& s = outcome.analysis.statistics;
  const estimate::Goodness& g = s.goodness;
  nlohmann::json o{
      {"verdict", outcome.analysis.verdict}, {"doubts", doubts_of(outcome)}, {"parameters", parameters_json(s, outcome)}};
  o["noise"] = outcome.problem.noise_is_known ? "stated" : "from residuals";
  o["goodness"] = {{"measurements", g.n},
                   {"chi_squared", finite(g.chi_square * unit_of_squares(outcome))},
                   {"freedom", g.freedom},
                   {"p", finite(g.p)},
                   {"variance_factor", finite(g.variance_factor * unit_of_squares(outcome))},
                   {"log_likelihood", finite(g.log_likelihood)},
                   {"aic", finite(g.aic)},
                   {"aicc", finite(g.aicc)},
                   {"bic", finite(g.bic)}};
  o["identifiability"] = {{"rank", s.structure.rank},
                          {"singular_values", s.structure.singular_values},
                          {"relations", relations_json(s.structure.relations, outcome)},
                          {"poorly_determined", relations_json(s.poor, outcome)}};
  for (std::size_t i : s.structure.without_effect)
    o["identifiability"]["without_effect"].push_back(outcome.estimation.parameters[i].name);
  o["residuals"] = residuals_json(s, outcome);
  if (outcome.analysis.plan) o["design"] = plan_json(outcome);
  for (const estimate::Parameter& p : outcome.estimation.parameters) o["correlation"]["names"].push_back(p.name);
  for (long i = 0; i < s.correlation.rows(); ++i) {
    nlohmann::json row = nlohmann::json::array();
    for (long j = 0; j < s.correlation.cols(); ++j) row.push_back(finite(s.correlation(i, j)));
    o["correlation"]["matrix"].push_back(row);
  }
  return o;
}

std::string fitted_table(const FitOutcome& outcome) {
  auto quoted = [](const std::string& name) {
    if (name.find_first_of(",;\t\"") == std::string::npos) return name;
    std::string out = "\"";
    for (char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
  };
  const estimate::Likelihood& at = outcome.result.fit.at;
  std::string text = "experiment,observable,time,value,simulated,sd,residual\n";
  std::size_t row = 0;
  for (const estimate::Experiment& e : outcome.estimation.experiments)
    for (const estimate::Measurement& m : e.measurements) {
      text += quoted(e.name) + "," + quoted(outcome.estimation.observables[m.observable].name);
      for (double v : {m.time, m.value, at.simulated[row], at.sigma[row], at.residuals[row]}) text += "," + exact_text(v);
      text += "\n";
      ++row;
    }
  return text;
}

result::FitPage fit_page(const Model& model, const FitOutcome& outcome) {
  result::FitPage page;
  const estimate::Fit& fit = outcome.result.fit;
  bool fitted = nlp::is_solution(fit.status);
  page.title = outcome.class_name;
  page.where = model.request.file;
  page.status = fitted ? "fitted" : "not fitted";
  page.status_class = fitted ? "solved" : "failed";
  page.verdict = outcome.analysis.known ? outcome.analysis.verdict : outcome.analysis.reason;
  for (const std::string& doubt : doubts_of(outcome)) page.verdict += "; " + doubt;
  if (!page.verdict.empty()) {
    page.verdict[0] = static_cast<char>(std::toupper(page.verdict[0]));
    page.verdict += ".";
  }
  page.cards = {{shown(fit.at.value, 6), "−log likelihood"},
                {shown(fit.at.sum_of_squares * unit_of_squares(outcome), 4), "χ²"},
                {std::to_string(outcome.estimation.n_measurements()), "measurements"},
                {std::to_string(outcome.estimation.experiments.size()), "experiments"},
                {std::to_string(outcome.estimation.parameters.size()), "parameters"},
                {std::to_string(fit.iterations), "iterations"},
                {shown(outcome.seconds_total, 3) + " s", "total time"}};
  page.parameters = parameter_table(outcome);
  add_charts(outcome, page);
  if (outcome.analysis.known) {
    const FitStatistics& s = outcome.analysis.statistics;
    for (std::size_t i = 0; i < s.parameters.size() && s.parameters.size() > 1; ++i)
      page.correlated.push_back(outcome.estimation.parameters[i].name);
    for (long i = 0; i < s.correlation.rows() && !page.correlated.empty(); ++i)
      for (long j = 0; j < s.correlation.cols(); ++j) page.correlation.push_back(s.correlation(i, j));
    page.tables = {goodness_table(s, outcome), series_table(s, outcome), outlier_table(s, outcome)};
    if (outcome.analysis.plan) page.tables.push_back(plan_table(outcome));
  }
  page.tables.push_back(run_table(outcome));
  return page;
}

}  // namespace bolza::workflow
