// SPDX-License-Identifier: Apache-2.0
#include "workflow/study/page.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/numbers.h"
#include "runtime/result/chart.h"
#include "runtime/result/page.h"
#include "runtime/result/study_charts.h"
#include "workflow/study/table.h"

namespace bolza::workflow {
namespace {

constexpr std::size_t usual_results = 3, most_curves = 8, most_maps = 4, most_clouds = 4, most_lines = 2000,
                      most_cells = 200, most_failures = 100;

double result_named(const PointRecord& record, const std::string& name) {
  for (const auto& [own, value] : record.results)
    if (own == name) return record.is_good() ? value : std::nan("");
  return std::nan("");
}

/// What says how much work it was.
bool is_count(const std::string& name) { return name == "iterations" || name == "steps"; }

/// Draws what a plan and its results have.
class StudyPage {
 public:
  StudyPage(const Plan& plan, const StudyResults& results, std::vector<std::string> names)
      : plan_(plan),
        results_(results),
        names_(std::move(names)) {
    if (names_.empty()) choose_names();
    for (std::size_t k = 0; k < plan.axes().size(); ++k) (plan.axes()[k].drawn ? drawn_ : listed_).push_back(k);
  }

  std::vector<result::PageSection> sections() const {
    std::vector<result::PageSection> all{summary()};
    for (const std::string& name : names_) {
      result::PageSection section{.heading = name};
      if (plan_.is_sampled()) add_samples(name, section);
      else if (listed_.size() >= 2 && plan_.axes()[listed_[0]].is_numeric()) add_maps(name, section);
      if (!plan_.is_sampled() && !listed_.empty()) add_curves(name, section);
      if (plan_.has_guesses()) add_waterfall(name, section);
      if (!section.pictures.empty()) all.push_back(std::move(section));
    }
    if (auto parallel = parallel_coordinates(); !parallel.empty())
      all.push_back({.heading = "All of it", .pictures = {parallel}});
    if (auto failures = table_of_failures(); !failures.rows.empty())
      all.push_back({.heading = "Not solved", .table = failures});
    return all;
  }

 private:
  void choose_names() {
    for (const std::string& name : result_names(results_)) {
      if (names_.size() == usual_results) return;
      std::vector<double> all = values_of(name);
      if (all.empty() || is_count(name)) continue;
      auto [low, high] = std::ranges::minmax(all);
      if (low < high) names_.push_back(name);
    }
  }

  /// At every point that has a record and is solved.
  std::vector<double> values_of(const std::string& name) const {
    std::vector<double> values;
    for (const auto& [point, record] : results_.points)
      if (double v = result_named(record, name); std::isfinite(v)) values.push_back(v);
    return values;
  }

  result::PageSection summary() const {
    StudyCounts c = results_.counts(plan_.size());
    result::PageSection section{.heading = "Points"};
    section.table.head = {"", "values", ""};
    auto row = [&](const std::string& what, const std::string& value, const std::string& more) {
      section.table.rows.push_back({what, value, more});
    };
    for (const StudyAxis& axis : plan_.axes())
      row(axis.name, axis.text, axis.drawn ? "drawn" : std::to_string(axis.count()) + " values");
    row("points", std::to_string(c.total), std::to_string(c.missing()) + " missing");
    row("solved", std::to_string(c.solved + c.warned), std::to_string(c.warned) + " with warnings");
    row("not solved", std::to_string(c.failed), std::to_string(c.broken) + " broken");
    return section;
  }

  void add_samples(const std::string& name, result::PageSection& section) const {
    section.pictures.push_back(result::svg_histogram({name, values_of(name)}));
    for (std::size_t axis : drawn_) {
      if (section.pictures.size() > most_clouds) return;
      result::Chart chart{.x_label = plan_.axes()[axis].name, .y_label = name};
      result::Chart::Points points;
      for (const auto& [point, record] : results_.points) {
        points.x.push_back(plan_.numbers(point)[axis]);
        points.y.push_back(result_named(record, name));
      }
      chart.points.push_back(std::move(points));
      section.pictures.push_back(svg_chart(chart));
    }
  }

  /// What a point has besides some axes: those that agree in it share a picture or a curve.
  std::string besides(const PointRecord& record, const std::vector<std::size_t>& axes) const {
    std::string text;
    for (std::size_t k : listed_)
      if (std::ranges::find(axes, k) == axes.end())
        text += (text.empty() ? "" : ", ") + plan_.axes()[k].name + " = " + record.values[k];
    return text;
  }

  /// Of several guesses the best one is drawn.
  bool is_drawn(std::size_t point) const { return plan_.guess(point) == 0; }

  void add_maps(const std::string& name, result::PageSection& section) const {
    const StudyAxis &x = plan_.axes()[listed_[0]], &y = plan_.axes()[listed_[1]];
    if (x.count() > most_cells || y.count() > most_cells) return;
    std::map<std::string, result::GridMap> maps;
    for (const auto& [point, record] : results_.points) {
      std::string others = besides(record, {listed_[0], listed_[1]});
      if (!is_drawn(point) || (!maps.contains(others) && maps.size() == most_maps)) continue;
      auto [at, is_new] = maps.try_emplace(others);
      result::GridMap& map = at->second;
      if (is_new) map = empty_map(x, y, name + (others.empty() ? "" : ", " + others));
      map.values[plan_.digit(point, listed_[1]) * x.count() + plan_.digit(point, listed_[0])] = result_named(record, name);
    }
    for (const auto& [others, map] : maps) section.pictures.push_back(svg_grid_map(map));
  }

  static result::GridMap empty_map(const StudyAxis& x, const StudyAxis& y, const std::string& label) {
    result::GridMap map{.x_label = x.name, .y_label = y.name, .value_label = label};
    auto short_text = [](const StudyAxis& axis, std::size_t k) {
      return axis.choices.empty() ? bolza::shown(axis.range.at(k), 4) : axis.choices[k];
    };
    for (std::size_t k = 0; k < x.count(); ++k) map.x.push_back(short_text(x, k));
    for (std::size_t k = 0; k < y.count(); ++k) map.y.push_back(short_text(y, k));
    map.values.assign(x.count() * y.count(), std::nan(""));
    return map;
  }

  void add_curves(const std::string& name, result::PageSection& section) const {
    std::size_t axis = listed_[0];
    if (!plan_.axes()[axis].is_numeric()) return;
    std::map<std::string, result::Chart::Curve> curves;
    for (const auto& [point, record] : results_.points) {
      std::string others = besides(record, {axis});
      if (!is_drawn(point) || (!curves.contains(others) && curves.size() == most_curves)) continue;
      auto [at, is_new] = curves.try_emplace(others);
      if (is_new) at->second.colour = static_cast<int>(curves.size()) - 1;
      at->second.label = others;
      at->second.x.push_back(plan_.numbers(point)[axis]);
      at->second.y.push_back(result_named(record, name));
    }
    result::Chart chart{.x_label = plan_.axes()[axis].name, .y_label = name};
    for (auto& [others, curve] : curves) {
      chart.points.push_back({.label = others, .x = curve.x, .y = curve.y, .colour = curve.colour});
      chart.curves.push_back(std::move(curve));
    }
    section.pictures.push_back(svg_chart(chart));
  }

  void add_waterfall(const std::string& name, result::PageSection& section) const {
    std::vector<double> values = values_of(name);
    std::ranges::sort(values);
    result::Chart chart{.x_label = "guesses, from the least", .y_label = name};
    result::Chart::Points points;
    for (std::size_t k = 0; k < values.size(); ++k) {
      points.x.push_back(static_cast<double>(k + 1));
      points.y.push_back(values[k]);
    }
    chart.points.push_back(std::move(points));
    section.pictures.push_back(svg_chart(chart));
  }

  std::string parallel_coordinates() const {
    std::size_t step = std::max<std::size_t>(1, (results_.points.size() + most_lines - 1) / most_lines), number = 0;
    result::ParallelCoordinates parallel;
    for (const StudyAxis& axis : plan_.axes())
      parallel.quantities.push_back({axis.name, {}, axis.is_numeric() ? std::vector<std::string>{} : axis.choices});
    for (const std::string& name : names_) parallel.quantities.push_back({name, {}, {}});
    for (const auto& [point, record] : results_.points) {
      if (number++ % step != 0) continue;
      std::vector<double> numbers = plan_.numbers(point);
      for (std::size_t k = 0; k < numbers.size(); ++k) {
        const auto& names = parallel.quantities[k].names;
        if (!names.empty()) numbers[k] = static_cast<double>(std::ranges::find(names, record.values[k]) - names.begin());
        parallel.quantities[k].values.push_back(numbers[k]);
      }
      for (std::size_t k = 0; k < names_.size(); ++k)
        parallel.quantities[numbers.size() + k].values.push_back(result_named(record, names_[k]));
    }
    return results_.points.empty() ? "" : svg_parallel_coordinates(parallel);
  }

  result::SectionTable table_of_failures() const {
    result::SectionTable table{{"point", "values", "status", "what happened"}, {}};
    for (const auto& [point, record] : results_.points) {
      if (record.is_good() || table.rows.size() == most_failures) continue;
      table.rows.push_back({std::to_string(point), besides(record, {}), record.status, record.message});
    }
    return table;
  }

  const Plan& plan_;
  const StudyResults& results_;
  std::vector<std::string> names_;
  std::vector<std::size_t> listed_, drawn_;
};

}  // namespace

std::string study_page(const std::string& title, const StudyManifest& manifest, const Plan& plan,
                       const StudyResults& results, std::vector<std::string> shown) {
  std::string where = "bolza " + manifest.program + ", " + manifest.kind;
  for (const GivenOption& option : manifest.command)
    for (const std::string& value : option.values)
      where += "  " + (option.name.starts_with('-') ? option.name + " " : "") + value;
  return result::html_page(title, where, StudyPage(plan, results, std::move(shown)).sections());
}

}  // namespace bolza::workflow
