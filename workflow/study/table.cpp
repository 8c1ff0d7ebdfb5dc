// SPDX-License-Identifier: Apache-2.0
#include "workflow/study/table.h"

#include <cmath>
#include <map>
#include <set>

#include "base/csv_cell.h"
#include "base/numbers.h"

namespace bolza::workflow {
namespace {

void append_number(std::string& row, double value) {
  row += ',';
  if (!std::isnan(value)) append_exact(row, value);
}

std::string names_of_axes(const Plan& plan) {
  std::string row = "point";
  for (const StudyAxis& axis : plan.axes()) row += "," + csv_cell(axis.name);
  if (plan.has_guesses()) row += ",guess";
  return row;
}

std::string values_at(const Plan& plan, const PointRecord& record) {
  std::string row = std::to_string(record.point);
  for (const std::string& value : record.values) row += "," + csv_cell(value);
  if (plan.has_guesses()) row += "," + std::to_string(plan.guess(record.point));
  return row + "," + std::string(kind_names[static_cast<std::size_t>(record.kind)]);
}

}  // namespace

std::vector<std::string> result_names(const StudyResults& results) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const auto& [point, record] : results.points)
    for (const auto& [name, value] : record.results)
      if (known.insert(name).second) names.push_back(name);
  return names;
}

std::string wide_table(const Plan& plan, const StudyResults& results, bool times) {
  std::vector<std::string> names = result_names(results);
  std::string text = names_of_axes(plan) + ",verdict,status";
  for (const std::string& name : names) text += "," + csv_cell(name);
  text += std::string(times ? ",seconds" : "") + ",message\n";
  for (const auto& [point, record] : results.points) {
    std::map<std::string, double> values(record.results.begin(), record.results.end());
    text += values_at(plan, record) + "," + csv_cell(record.status);
    for (const std::string& name : names) {
      auto value = values.find(name);
      append_number(text, value == values.end() ? std::nan("") : value->second);
    }
    if (times) append_number(text, record.seconds);
    text += "," + csv_cell(record.message) + "\n";
  }
  return text;
}

std::string long_table(const Plan& plan, const StudyResults& results) {
  std::string text = names_of_axes(plan) + ",verdict,result,value\n";
  for (const auto& [point, record] : results.points) {
    std::string values = values_at(plan, record);
    for (const auto& [name, value] : record.results) {
      text += values + "," + csv_cell(name);
      append_number(text, value);
      text += "\n";
    }
  }
  return text;
}

}  // namespace bolza::workflow
