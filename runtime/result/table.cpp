// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/table.h"

#include <algorithm>

#include "base/expects.h"

namespace bolza::result {
namespace {

std::string without_blanks(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != ' ' && c != '\t') out += c;
  return out;
}

}  // namespace

const char* name_of(Role role) {
  switch (role) {
    case Role::parameter:
      return "parameter";
    case Role::state:
      return "state";
    case Role::algebraic:
      return "algebraic";
    case Role::control:
      return "control";
    case Role::rate:
      return "derivative";
    case Role::auxiliary:
      return "variable";
    case Role::costate:
      return "costate";
    case Role::multiplier:
      return "multiplier";
    case Role::discrete:
      return "discrete variable";
    case Role::sensitivity:
      return "sensitivity";
  }
  return "";
}

const ResultVariable* find(const ResultTable& table, std::string_view name) {
  for (const ResultVariable& v : table.variables)
    if (v.name == name) return &v;
  std::string plain = without_blanks(name);
  for (const ResultVariable& v : table.variables)
    if (without_blanks(v.name) == plain) return &v;
  return nullptr;
}

double value(const ResultTable& table, const ResultVariable& variable, std::size_t k) {
  return variable.constant ? variable.value : variable.sign * table.columns[variable.column][k];
}

std::vector<double> values(const ResultTable& table, const ResultVariable& variable) {
  std::vector<double> out(table.time.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = value(table, variable, k);
  return out;
}

double interpolate(const ResultTable& table, const ResultVariable& variable, double t) {
  expects(!table.time.empty(), "a table with a time is interpolated");
  auto above = std::upper_bound(table.time.begin(), table.time.end(), t);
  if (above == table.time.begin()) return value(table, variable, 0);
  std::size_t k = static_cast<std::size_t>(above - table.time.begin());
  if (k == table.time.size()) return value(table, variable, k - 1);
  double weight = (t - table.time[k - 1]) / (table.time[k] - table.time[k - 1]);
  double left = value(table, variable, k - 1);
  return weight == 0 ? left : left + weight * (value(table, variable, k) - left);
}

}  // namespace bolza::result
