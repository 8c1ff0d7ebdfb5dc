// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/report.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/result/chart.h"
#include "runtime/result/field_pictures.h"
#include "runtime/result/report_page.h"
#include "runtime/result/report_panels.h"
#include "runtime/result/study_charts.h"
#include "runtime/result/tornado.h"

namespace bolza::result {
namespace {

std::string number(double v, int digits = 6) {
  std::string out = shown(v, digits);
  if (out.starts_with('-')) out.replace(0, 1, "−");
  return std::isnan(v) ? "–" : std::isinf(v) ? (v < 0 ? "−∞" : "∞") : out;
}

std::string seconds(double s) { return s < 0.0995 ? number(1000 * s, 3) + " ms" : number(s, 3) + " s"; }

std::string text_or(const char* text, const char* other) { return text && *text ? text : other; }

// Rows of a table: cells are HTML; a class per column.
class Table {
 public:
  explicit Table(std::vector<std::pair<const char*, const char*>> head) : head_(std::move(head)) {}
  void row(const std::vector<std::string>& cells) {
    body_ += "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i)
      body_ += "<td class='" + std::string(head_[i].second) + "'>" + cells[i] + "</td>";
    body_ += "</tr>\n";
    ++rows_;
  }
  bool empty() const { return rows_ == 0; }
  std::string html() const {
    std::string out = "<div class='scroll'><table><tr>";
    for (auto [title, kind] : head_) out += "<th class='" + std::string(kind) + "'>" + title + "</th>";
    return out + "</tr>\n" + body_ + "</table></div>\n";
  }

 private:
  std::vector<std::pair<const char*, const char*>> head_;
  std::string body_;
  std::size_t rows_ = 0;
};

std::string section(const char* title, const Table& table) {
  return table.empty() ? "" : "<h2>" + std::string(title) + "</h2>\n" + table.html();
}

std::string place_of(const char* file, int line) {
  if (!file || !*file) return "";
  std::string name = file;
  name = name.substr(name.rfind('/') + 1);
  return escaped(name) + (line > 0 ? ":" + std::to_string(line) : "");
}

const char* status_class(abi::SolveStatus status, const ReportContext& context) {
  if (status == abi::SolveStatus::solved) return context.has_warnings ? "acceptable" : "solved";
  return status == abi::SolveStatus::acceptable ? "acceptable" : "failed";
}

std::string header(const abi::Solution& solution, const ReportContext& context) {
  std::string status = context.verdict.empty() ? abi::name_of(solution.status) : escaped(context.verdict);
  std::replace(status.begin(), status.end(), '_', ' ');
  std::string where = escaped(context.file);
  if (!context.date.empty()) where += (where.empty() ? "" : " · ") + escaped(context.date);
  return "<header><h1>" + escaped(context.class_name) + "</h1><span class='status " +
         status_class(solution.status, context) + "'>" + status +
         "</span><button id='theme'>light / dark</button><div class='where'>" + where + "</div></header>\n";
}

std::string card(const std::string& value, const std::string& label) {
  return "<div class='card'><b>" + value + "</b><span>" + label + "</span></div>";
}

std::string measures(const abi::Solution& solution, const ReportContext& context) {
  const abi::Statistics& s = solution.statistics;
  std::string out = "<div class='cards'>" + card(number(solution.objective, 9), "objective");
  for (const auto& [value, label] : context.cards) out += card(escaped(value), escaped(label));
  if (!solution.phases.empty()) out += card(number(solution.phases.back().final_time), "final time");
  out += card(std::to_string(s.iterations), "iterations") + card(std::to_string(s.variables), "variables") +
         card(std::to_string(s.constraints), "constraints") +
         card(number(s.primal_infeasibility, 2), "constraint violation (scaled " + number(s.scaled.primal, 2) + ")") +
         card(number(s.dual_infeasibility, 2), "dual infeasibility (scaled " + number(s.scaled.dual, 2) + ")");
  double total = s.seconds_total;
  for (const auto& [name, value] : context.timing)
    if (name == "total") total = value;
  return out + card(seconds(total), "total time") + "</div>\n";
}

Table parameters(const bolza_problem& problem, const abi::Solution& solution) {
  Table table({{"parameter", "name"},
               {"value", "n"},
               {"unit", "soft"},
               {"lower", "n"},
               {"upper", "n"},
               {"multiplier", "n"},
               {"description", "soft"}});
  for (std::size_t i = 0; i < problem.n_parameters && i < solution.parameters.size(); ++i) {
    const bolza_variable& p = problem.parameters[i];
    if (p.fixed) continue;
    bool known = i < solution.parameter_multipliers.size();
    table.row({escaped(text_or(p.name, "")), number(solution.parameters[i], 10), escaped(text_or(p.unit, "")), number(p.min),
               number(p.max), known ? number(solution.parameter_multipliers[i], 5) : "",
               escaped(text_or(p.description, ""))});
  }
  return table;
}

void add_path_constraints(const bolza_model& model, const abi::Trajectories& t, Table& table) {
  for (std::size_t j = 0; j < model.n_g && j < t.path_multiplier.size(); ++j) {
    const std::vector<double>& m = t.path_multiplier[j];
    auto worst = std::max_element(m.begin(), m.end(), [](double a, double b) { return std::fabs(a) < std::fabs(b); });
    if (worst == m.end() || std::fabs(*worst) < 1e-6 || !model.residuals || !model.residuals->rows) continue;
    const bolza_row& row = model.residuals->rows[model.n_z + j];
    table.row({escaped(text_or(row.name, "")), *worst > 0 ? "upper" : "lower", number(*worst, 5),
               number(t.time[static_cast<std::size_t>(worst - m.begin())]), place_of(row.source.file, row.source.line)});
  }
}

Table active_constraints(const bolza_problem& problem, const abi::Solution& solution) {
  Table table({{"constraint", "name"}, {"side", "soft"}, {"multiplier", "n"}, {"largest at time", "n"}, {"source", "soft"}});
  for (std::size_t k = 0; k < problem.n_k && k < solution.point_multipliers.size(); ++k) {
    double m = solution.point_multipliers[k];
    if (std::fabs(m) < 1e-6 || !problem.point || !problem.point->rows) continue;
    const bolza_row& row = problem.point->rows[1 + k];
    table.row({escaped(text_or(row.name, "")),
               row.lower == row.upper ? "equality"
               : m > 0                ? "upper"
                                      : "lower",
               number(m, 5), "", place_of(row.source.file, row.source.line)});
  }
  for (std::size_t k = 0; k < solution.phases.size(); ++k)
    add_path_constraints(*problem.models[problem.phases[k].model], solution.phases[k].trajectories, table);
  return table;
}

Table findings(const abi::Solution& solution) {
  Table table({{"finding", "soft"},
               {"what", "name"},
               {"time", "n"},
               {"value", "n"},
               {"bound", "n"},
               {"amount", "n"},
               {"source", "soft"},
               {"", "soft"}});
  static constexpr const char* kinds[] = {"violated",      "not finite",  "at its bound", "without a bound",
                                          "of the engine", "in conflict", "unstable"};
  static_assert(std::size(kinds) == abi::Finding::kinds);
  for (const abi::Finding& f : solution.findings)
    table.row({kinds[static_cast<int>(f.kind)], escaped(f.name), number(f.time), number(f.value), number(f.bound),
               number(f.amount, 4), place_of(f.file.c_str(), f.line), escaped(f.text)});
  return table;
}

Table final_values(std::span<const ResultTable> tables) {
  Table out({{"variable", "name"},
             {"unit", "soft"},
             {"start", "n"},
             {"final", "n"},
             {"smallest", "n"},
             {"largest", "n"},
             {"description", "soft"}});
  constexpr std::size_t most = 400;
  std::size_t count = 0;
  for (const ResultTable& table : tables)
    for (const ResultVariable& v : table.variables) {
      if (v.constant || table.time.empty() || v.role == Role::multiplier || v.role == Role::sensitivity || ++count > most)
        continue;
      std::vector<double> y = values(table, v);
      auto [low, high] = std::minmax_element(y.begin(), y.end());
      out.row({escaped(v.name), escaped(v.unit), number(y.front()), number(y.back()), number(*low), number(*high),
               escaped(v.description)});
    }
  return out;
}

std::string mesh(const abi::Solution& solution) {
  std::string out;
  for (const abi::PhaseSolution& p : solution.phases) {
    if (p.mesh.size() < 2) continue;
    double shortest = 1, longest = 0;
    for (std::size_t i = 1; i < p.mesh.size(); ++i) {
      shortest = std::min(shortest, p.mesh[i] - p.mesh[i - 1]);
      longest = std::max(longest, p.mesh[i] - p.mesh[i - 1]);
    }
    double length = p.final_time - p.start_time;
    out += "<div class='panel'><h3>" + std::to_string(p.mesh.size() - 1) + " intervals of " + number(shortest * length, 4) +
           (longest > 1.0001 * shortest ? " to " + number(longest * length, 4) : "") + " · " + escaped(p.transcription) +
           (p.points ? ", " + std::to_string(p.points) + " points" : "") +
           (p.control_constant ? ", controls piecewise constant" : "") +
           "</h3><svg class='mesh' viewBox='0 0 1000 46' preserveAspectRatio='none'><rect x='0' y='6' width='1000' "
           "height='30'/>";
    std::size_t stride = std::max<std::size_t>(1, p.mesh.size() / 500);
    for (std::size_t i = 0; i < p.mesh.size(); i += stride) {
      std::string x = std::to_string(1000 * p.mesh[i]);
      out += "<line x1='" + x + "' x2='" + x + "' y1='6' y2='36'/>";
    }
    out += "</svg></div>\n";
  }
  return out.empty() ? "" : "<h2>Mesh</h2>\n" + out;
}

Table warnings(const ReportContext& context) {
  Table table({{"place", "name"}, {"warning", ""}});
  for (const std::string& warning : context.warnings) table.row({"model", escaped(warning)});
  return table;
}

std::string run(const abi::Solution& solution, const ReportContext& context) {
  Table timing({{"step", ""}, {"time", "n"}}), options({{"option", "name"}, {"value", ""}}),
      measures({{"measure", ""}, {"value", "n"}});
  for (const auto& [name, value] : context.timing) timing.row({escaped(name), seconds(value)});
  for (const auto& [name, value] : context.options) options.row({escaped(name), escaped(value)});
  const abi::Statistics& s = solution.statistics;
  measures.row({"Jacobian nonzeros", std::to_string(s.jacobian_nonzeros)});
  measures.row({"Hessian nonzeros", std::to_string(s.hessian_nonzeros)});
  measures.row({"time in evaluation", seconds(s.seconds_evaluation)});
  measures.row({"complementarity", number(s.complementarity, 3)});
  for (const auto& [name, value, where] : solution.log)
    measures.row({escaped(where.empty() ? name : name + ", " + where), number(value, 4)});
  std::string out = "<h2>Run</h2>\n<div class='two'>";
  for (const Table* t : {&measures, &timing, &options})
    if (!t->empty()) out += "<div>" + t->html() + "</div>";
  return out + "</div>\n";
}

/// What the objective changes by with parameters: a picture, a table, and what is said of them.
std::string sensitivity(const ReportContext& context) {
  if (context.sensitivity.empty()) return "";
  Tornado tornado{.label = "change of the objective, in its units, where the parameter grows by a tenth"};
  Table table({{"parameter", "name"},
               {"value", "n"},
               {"unit", "soft"},
               {"dJ*/dp", "n"},
               {"p dJ*/dp", "n"},
               {"active set stays from", "n"},
               {"to", "n"}});
  for (const SensitivityRow& row : context.sensitivity) {
    constexpr double tenth = 0.1;
    tornado.bars.push_back({row.name, tenth * row.value * row.slope + 0.0});  // no minus before zero
    table.row({escaped(row.name), number(row.value), escaped(row.unit), number(row.slope), number(row.value * row.slope, 4),
               number(row.low, 5), number(row.high, 5)});
  }
  std::string out =
      "<h2>Sensitivity of the optimum</h2>\n<div class='panel'>" + svg_tornado(tornado) + "</div>\n" + table.html();
  for (const SensitivityRow& row : context.sensitivity)
    if (!row.warning.empty()) out += "<p class='hint'>" + escaped(row.warning) + "</p>\n";
  return out;
}

const char* heading(Role role) {
  switch (role) {
    case Role::state:
      return "States";
    case Role::control:
      return "Controls";
    case Role::algebraic:
      return "Algebraic variables";
    case Role::auxiliary:
      return "Further variables";
    case Role::costate:
      return "Costates and the Hamiltonian";
    case Role::multiplier:
      return "Multipliers of path constraints";
    case Role::discrete:
      return "Discrete variables";
    case Role::sensitivity:
      return "Sensitivities of the trajectories";
    case Role::parameter:
    case Role::rate:
      break;
  }
  return "";
}

std::vector<MeasuredPoints> measured_in(std::size_t phase, const ReportContext& context) {
  std::vector<MeasuredPoints> points;
  for (const MeasuredPoints& m : context.measured)
    if (m.phase == phase) points.push_back(m);
  return points;
}

/// Fields over their domains, of all phases.
std::string fields(std::span<const ResultTable> tables) {
  std::string out;
  for (const ResultTable& table : tables)
    for (const std::string& picture : field_pictures(table)) out += "<div class='panel'>" + picture + "</div>\n";
  return out.empty() ? "" : "<h2>Fields</h2>\n<div class='plots'>\n" + out + "</div>\n";
}

std::string plots(const bolza_problem& problem, std::span<const ResultTable> tables, const ReportContext& context,
                  std::string& json) {
  std::string out;
  std::size_t left_out = 0;
  for (std::size_t p = 0; p < tables.size(); ++p) {
    std::vector<Panel> panels = make_panels(tables[p], left_out);
    json += (p ? "," : "") + panels_json(tables[p], panels, "time [s]", measured_in(p, context));
    if (tables.size() > 1 && p < problem.n_phases)
      out += "<h2>Phase " + std::to_string(p + 1) + " " + escaped(text_or(problem.phases[p].name, "")) + "</h2>\n";
    for (std::size_t k = 0; k < panels.size(); ++k) {
      bool first = k == 0 || panels[k - 1].role != panels[k].role;
      if (first) out += (k ? "</div>\n<h2>" : "<h2>") + std::string(heading(panels[k].role)) + "</h2>\n";
      if (first && k == 0 && p == 0)
        out +=
            "<p class='hint'>Drag to zoom into a stretch of time, turn the wheel to zoom about the pointer, double-click to "
            "see all; click a name to hide its curve. Dashed lines are bounds, circles data.</p>\n";
      if (first) out += "<div class='plots'>\n";
      out += "<div class='panel'><div class='chart' data-phase='" + std::to_string(p) + "' data-panel='" +
             std::to_string(k) + "'></div></div>\n";
    }
    if (!panels.empty()) out += "</div>\n";
  }
  if (left_out)
    out +=
        "<p class='hint' style='margin-top:10px'>" + std::to_string(left_out) + " more curves are in the result file.</p>\n";
  return out;
}

}  // namespace

std::string html_report(const bolza_problem& problem, const abi::Solution& solution, std::span<const ResultTable> tables,
                        const ReportContext& context) {
  std::string json, drawn = plots(problem, tables, context, json);
  std::string out =
      "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
      "content='width=device-width,initial-scale=1'>\n<title>" +
      escaped(context.class_name) + "</title>\n<style>" + std::string(report_style) +
      (context.sensitivity.empty() ? "" : std::string(chart_style) + study_style) + "</style></head><body><main>\n";
  out += header(solution, context) + measures(solution, context);
  if (solution.status != abi::SolveStatus::solved) out += section("Findings", findings(solution));
  out += section("Free parameters", parameters(problem, solution)) + fields(tables) + drawn;
  out += sensitivity(context);
  out += section("Active constraints", active_constraints(problem, solution));
  if (solution.status == abi::SolveStatus::solved) out += section("Findings", findings(solution));
  out += section("Warnings", warnings(context));
  out += section("Values", final_values(tables)) + mesh(solution) + run(solution, context);
  if (!context.version.empty()) out += "<footer>Written by Bolza " + escaped(context.version) + "</footer>\n";
  return out + "</main>\n<script>const data={\"phases\":[" + json + "]};" + std::string(report_script) +
         "</script></body></html>\n";
}

}  // namespace bolza::result
