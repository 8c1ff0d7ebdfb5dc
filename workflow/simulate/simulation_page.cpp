// SPDX-License-Identifier: Apache-2.0
#include "workflow/simulate/simulation_page.h"

#include <map>

#include "base/numbers.h"
#include "runtime/result/field_pictures.h"
#include "runtime/result/page.h"

namespace bolza::workflow {
namespace {

using result::Figure;
using result::PageSection;
using result::ResultTable;
using result::ResultVariable;
using result::Series;

constexpr std::size_t curves_of_a_figure = 5, most_figures = 24;

PageSection run_section(const SimulateOutcome& outcome) {
  const integrate::SimulateReport& r = outcome.report;
  PageSection s{"Run", {}, {{"what", "value"}, {}}, {}};
  if (!r.message.empty()) s.text.push_back(r.message);
  s.table.rows = {{"status", outcome.status},
                  {"from", shown(outcome.start) + " s"},
                  {"to", shown(r.time) + " s"},
                  {"integrator", r.method},
                  {"steps", std::to_string(r.steps)},
                  {"evaluations", std::to_string(r.evaluations)},
                  {"Jacobians", std::to_string(r.jacobians)},
                  {"events of states", std::to_string(r.state_events)},
                  {"events of time", std::to_string(r.time_events)}};
  return s;
}

/// Variables of one unit share pictures.
PageSection trajectories(const ResultTable& table) {
  PageSection s{"Trajectories", {}, {}, {}};
  std::map<std::string, std::size_t> open;  // the picture of a unit that has room
  std::size_t left_out = 0;
  for (const ResultVariable& v : table.variables) {
    if (v.constant || !result::is_simulated(v.role)) continue;
    auto at = open.find(v.unit);
    if (at == open.end() || s.figures[at->second].series.size() == curves_of_a_figure) {
      if (s.figures.size() == most_figures) {
        ++left_out;
        continue;
      }
      at = open.insert_or_assign(v.unit, s.figures.size()).first;
      s.figures.emplace_back();
    }
    Series series{v.name, v.unit, {}, {}};
    series.x = table.time;
    series.y = result::values(table, v);
    s.figures[at->second].series.push_back(std::move(series));
  }
  if (left_out > 0) s.text.push_back(std::to_string(left_out) + " more variables are in the result file.");
  return s;
}

PageSection final_values(const SimulateOutcome& outcome) {
  PageSection s{"Final values", {}, {{"variable", "value"}, {}}, {}};
  for (const auto& [name, value] : outcome.final) s.table.rows.push_back({name, shown(value)});
  return s;
}

PageSection parameters(const ResultTable& table) {
  PageSection s{"Parameters", {}, {{"parameter", "value", "unit", ""}, {}}, {}};
  for (const ResultVariable& v : table.variables)
    if (v.constant && v.role == result::Role::parameter)
      s.table.rows.push_back({v.name, shown(v.value), v.unit, v.description});
  return s;
}

}  // namespace

namespace {

PageSection fields(const ResultTable& table) {
  PageSection s{"Fields", {}, {}, {}};
  s.pictures = result::field_pictures(table);
  return s;
}

}  // namespace

std::string simulation_page(const std::string& class_name, const SimulateOutcome& outcome, const ResultTable& table) {
  std::vector<PageSection> sections{run_section(outcome), fields(table), trajectories(table), final_values(outcome),
                                    parameters(table)};
  std::erase_if(sections, [](const PageSection& s) {
    return s.text.empty() && s.table.rows.empty() && s.figures.empty() && s.pictures.empty();
  });
  return result::html_page(class_name, outcome.result, sections);
}

}  // namespace bolza::workflow
