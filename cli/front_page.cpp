// SPDX-License-Identifier: Apache-2.0
#include "cli/front_page.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/numbers.h"
#include "cli/objectives_page.h"
#include "runtime/result/file.h"
#include "runtime/result/page.h"

namespace bolza::cli {
namespace {

using workflow::ObjectivePoint;

constexpr std::size_t most_variables = 12, most_points = 8;  ///< of the pictures over time

result::Series marks(const std::string& label, const std::vector<const ObjectivePoint*>& points, std::size_t a,
                     std::size_t b) {
  result::Series series{.label = label, .unit = {}, .x = {}, .y = {}, .marks = true};
  for (const ObjectivePoint* point : points) {
    series.x.push_back(point->values[a]);
    series.y.push_back(point->values[b]);
  }
  return series;
}

/// Objective b over objective a. With two objectives the points that nothing dominates are joined.
result::Figure front_figure(const workflow::Objectives& objectives, const std::vector<const ObjectivePoint*>& solved,
                            std::size_t a, std::size_t b) {
  result::Figure figure{.title = objectives.list[b].text + " over " + objectives.list[a].text,
                        .x_label = objectives.list[a].text,
                        .series = {}};
  std::vector<const ObjectivePoint*> front, dominated, anchors, knee;
  for (const ObjectivePoint* point : solved) {
    (point->dominated ? dominated : front).push_back(point);
    if (point->name.starts_with("anchor")) anchors.push_back(point);
    if (point->knee) knee.push_back(point);
  }
  std::sort(front.begin(), front.end(), [&](const auto* p, const auto* q) { return p->values[a] < q->values[a]; });
  figure.series.push_back(marks("front", front, a, b));
  if (objectives.list.size() == 2) {
    figure.series.back().marks = false;
    figure.series.push_back(marks("points", front, a, b));
  }
  for (const auto& [label, points] : {std::pair{"anchors", &anchors}, {"knee", &knee}, {"dominated", &dominated}})
    if (!points->empty()) figure.series.push_back(marks(label, *points, a, b));
  return figure;
}

result::SectionTable table_of(const workflow::Objectives& objectives, const workflow::ObjectivesOutcome& outcome) {
  result::SectionTable table{.head = {"point"}, .rows = {}};
  for (const auto& objective : objectives.list) table.head.push_back(objective.text);
  for (const char* column : {"verdict", "iterations", "result"}) table.head.emplace_back(column);
  for (const ObjectivePoint& point : outcome.points) {
    std::vector<std::string> row{point.name};
    for (double value : point.values) row.push_back(std::isfinite(value) ? shown(value) : "");
    row.push_back(verdict(point));
    row.push_back(std::to_string(point.iterations));
    row.push_back(point.result);
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// States, algebraic variables and controls; of free times the curves through all pieces.
std::vector<std::string> drawn(const ObjectivePoint& point) {
  std::vector<std::string> names;
  for (const auto& [name, value] : point.final)
    if (!name.starts_with("piece[") && names.size() < most_variables) names.push_back(name);
  return names;
}

/// Each variable over time in points of the front, from one anchor to the other.
std::vector<result::Figure> along_the_front(std::vector<const ObjectivePoint*> points) {
  std::stable_sort(points.begin(), points.end(), [](const auto* p, const auto* q) { return p->values[0] < q->values[0]; });
  std::vector<const ObjectivePoint*> some;
  for (std::size_t k = 0, n = std::min(most_points, points.size()); k < n; ++k)
    some.push_back(points[n == 1 ? 0 : k * (points.size() - 1) / (n - 1)]);
  std::vector<result::Figure> figures;
  for (const ObjectivePoint* point : some) {
    Sources sources;
    Diagnostics ignored;  // the point is in the table, with its file
    auto table = result::read_result(point->result, sources, ignored);
    if (!table) continue;
    for (const std::string& name : drawn(*point)) {
      const result::ResultVariable* v = result::find(*table, name);
      if (!v) continue;
      auto figure = std::find_if(figures.begin(), figures.end(), [&](const result::Figure& f) { return f.title == name; });
      if (figure == figures.end()) {
        figures.push_back({.title = name, .series = {}});
        figure = figures.end() - 1;
      }
      figure->series.push_back({.label = point->name, .unit = v->unit, .x = table->time, .y = result::values(*table, *v)});
    }
  }
  return figures;
}

}  // namespace

Result<Done> write_front_page(const std::string& class_name, const workflow::Objectives& objectives,
                              const workflow::ObjectivesOutcome& outcome, const std::string& path,
                              Diagnostics& diagnostics) {
  std::vector<const ObjectivePoint*> solved;
  for (const ObjectivePoint& point : outcome.points)
    if (point.solved()) solved.push_back(&point);
  std::vector<result::PageSection> sections;
  result::PageSection front{.heading = "Front", .text = {}, .table = {}, .figures = {}};
  if (outcome.agree) front.text.emplace_back("The objectives agree: within the slack one point is the optimum of all.");
  if (!outcome.complete) front.text.emplace_back("Not complete: points are missing or not solved.");
  for (std::size_t a = 0; a < objectives.list.size() && !solved.empty(); ++a)
    for (std::size_t b = a + 1; b < objectives.list.size(); ++b)
      front.figures.push_back(front_figure(objectives, solved, a, b));
  sections.push_back(std::move(front));
  sections.push_back({.heading = "Points", .text = {}, .table = table_of(objectives, outcome), .figures = {}});
  sections.push_back({.heading = "Along the front", .text = {}, .table = {}, .figures = along_the_front(solved)});
  std::string where = std::to_string(outcome.points.size()) + " points, " + std::to_string(solved.size()) + " solved";
  return result::write_file(path, result::html_page(class_name + ": front", where, sections), diagnostics);
}

}  // namespace bolza::cli
