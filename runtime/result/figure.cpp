// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "runtime/result/codes.h"
#include "runtime/result/plot.h"

namespace bolza::result {

Result<Figure> make_figure(const ResultTable& table, std::span<const std::string> names, const std::string& file,
                           Diagnostics& diagnostics) {
  Figure figure;
  figure.title = table.name;
  bool good = true;
  for (const std::string& name : names) {
    const ResultVariable* v = find(table, name);
    if (!v) {
      std::vector<std::string> known;
      for (const ResultVariable& candidate : table.variables) known.push_back(candidate.name);
      diagnostics.error(unknown_variable, {}, {file, name}, did_you_mean(name, known));
      good = false;
      continue;
    }
    figure.series.push_back({v->name, v->unit, table.time, values(table, *v)});
  }
  if (!good) return diagnostics.already_reported();
  return figure;
}

std::vector<Figure> panels_of(const Figure& figure) {
  std::vector<Figure> panels;
  for (const Series& s : figure.series) {
    auto shares = [&](const Figure& panel) { return panel.series.front().unit == s.unit; };
    auto at = std::find_if(panels.begin(), panels.end(), shares);
    if (at == panels.end()) at = panels.insert(at, Figure{"", "", {}});
    at->series.push_back(s);
  }
  if (panels.size() < 2) return {figure};
  panels.front().title = figure.title;
  panels.back().x_label = figure.x_label;
  return panels;
}

std::string y_label(const Figure& figure) {
  if (figure.series.empty()) return "";
  const std::string& unit = figure.series[0].unit;
  for (const Series& s : figure.series)
    if (s.unit != unit) return "";
  if (figure.series.size() == 1) return unit.empty() ? figure.series[0].label : figure.series[0].label + " [" + unit + "]";
  return unit.empty() ? "" : "[" + unit + "]";
}

// Distinct in hue and lightness, so that they differ in grey and for the colour-blind (after Okabe and Ito).
Colour colour_of(std::size_t series) {
  static constexpr std::array<Colour, 8> colours{{{0, 114, 178},
                                                  {213, 94, 0},
                                                  {0, 158, 115},
                                                  {204, 121, 167},
                                                  {230, 159, 0},
                                                  {86, 180, 233},
                                                  {122, 82, 199},
                                                  {100, 100, 100}}};
  return colours[series % colours.size()];
}

}  // namespace bolza::result
