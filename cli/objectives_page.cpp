// SPDX-License-Identifier: Apache-2.0
#include "cli/objectives_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "base/csv_cell.h"
#include "base/numbers.h"
#include "cli/print.h"
#include "workflow/solve/report/report_json.h"

namespace bolza::cli {
namespace {

bool is_value(const std::string& name, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k)
    if (name == workflow::value_name(k)) return true;
  return false;
}

}  // namespace

std::string verdict(const workflow::ObjectivePoint& point) {
  if (!point.solved()) return abi::name_of(point.status);
  std::string text = abi::name_of(point.status);
  if (point.verdict() == workflow::Verdict::solved_with_warnings) text += ", with warnings";
  if (point.dominated) text += ", dominated";
  if (point.knee) text += ", knee";
  return text;
}

void print_points(const workflow::Objectives& objectives, const workflow::ObjectivesOutcome& outcome) {
  std::size_t width = 10;
  for (const auto& point : outcome.points) width = std::max(width, point.name.size());
  std::printf("  %-*s", static_cast<int>(width), "");
  for (const auto& objective : objectives.list) std::printf("  %12s", objective.text.c_str());
  std::printf("  iterations  seconds  verdict\n");
  for (const auto& point : outcome.points) {
    std::printf("  %-*s", static_cast<int>(width), point.name.c_str());
    for (std::size_t k = 0; k < point.values.size(); ++k)
      std::printf("  %*s", static_cast<int>(std::max<std::size_t>(12, objectives.list[k].text.size())),
                  std::isfinite(point.values[k]) ? shown(point.values[k]).c_str() : "");
    std::printf("  %10d  %7.3f  %s\n", point.iterations, point.seconds, verdict(point).c_str());
  }
}

nlohmann::json points_json(const workflow::Objectives& objectives, const workflow::ObjectivesOutcome& outcome) {
  auto number = [](double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); };
  nlohmann::json list = nlohmann::json::array();
  for (const auto& point : outcome.points) {
    nlohmann::json o{{"name", point.name},
                     {"status", abi::name_of(point.status)},
                     {"iterations", point.iterations},
                     {"seconds", point.seconds},
                     {"verdict", workflow::name_of(point.verdict())},
                     {"doubtful", !point.warnings.empty()},
                     {"doubts", workflow::lines_of(point.warnings)},
                     {"dominated", point.dominated},
                     {"knee", point.knee},
                     {"result", point.result}};
    for (std::size_t k = 0; k < point.values.size(); ++k) {
      o["objectives"][objectives.list[k].text] = number(point.values[k]);
      if (k < point.limits.size() && std::isfinite(point.limits[k])) o["limits"][objectives.list[k].text] = point.limits[k];
    }
    for (const workflow::Warning& warning : point.warnings) o["warnings"].push_back(workflow::warning_json(warning));
    o["parameters"] = workflow::to_json(point.parameters);
    o["final"] = workflow::to_json(point.final);
    list.push_back(o);
  }
  return list;
}

std::string points_csv(const workflow::Objectives& objectives, const workflow::ObjectivesOutcome& outcome) {
  std::vector<std::pair<bool, std::string>> columns;  // at the end or not, name
  std::set<std::pair<bool, std::string>> seen;
  for (const auto& point : outcome.points)
    for (bool final : {false, true})
      for (const auto& [name, value] : final ? point.final : point.parameters)
        if (!is_value(name, objectives.list.size()) && seen.emplace(final, name).second) columns.emplace_back(final, name);
  std::string text = "point";
  for (const auto& objective : objectives.list) text += "," + csv_cell(objective.text);
  text += ",status,dominated,knee,iterations,seconds";
  for (const auto& [final, name] : columns) text += "," + csv_cell(final ? name + "(finalTime)" : name);
  for (const auto& point : outcome.points) {
    text += "\n" + csv_cell(point.name);
    for (double value : point.values) text += "," + (std::isfinite(value) ? exact_text(value) : std::string());
    text += std::string(",") + abi::name_of(point.status) + (point.dominated ? ",1" : ",0") + (point.knee ? ",1," : ",0,") +
            std::to_string(point.iterations) + "," + shown(point.seconds, 3);
    for (const auto& [final, name] : columns) {
      const std::map<std::string, double>& values = final ? point.final : point.parameters;
      auto at = values.find(name);
      text += "," + (at != values.end() && std::isfinite(at->second) ? exact_text(at->second) : std::string());
    }
  }
  return text + "\n";
}

}  // namespace bolza::cli
