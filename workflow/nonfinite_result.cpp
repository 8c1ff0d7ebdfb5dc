// SPDX-License-Identifier: Apache-2.0
#include "workflow/nonfinite_result.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/numbers.h"
#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

bool counts(result::Role role) {
  switch (role) {
    case result::Role::state:
    case result::Role::algebraic:
    case result::Role::control:
    case result::Role::auxiliary:
    case result::Role::discrete:
      return true;
    case result::Role::parameter:
    case result::Role::rate:
    case result::Role::costate:
    case result::Role::multiplier:
    case result::Role::sensitivity:
      return false;
  }
  return false;
}

/// Where each column is first not finite; its size where it never is.
std::vector<std::size_t> first_rows(const result::ResultTable& table) {
  std::vector<std::size_t> rows;
  for (const std::vector<double>& column : table.columns) {
    auto bad = std::find_if(column.begin(), column.end(), [](double value) { return !std::isfinite(value); });
    rows.push_back(static_cast<std::size_t>(bad - column.begin()));
  }
  return rows;
}

/// What values a variable may have, and what others are.
struct AllowedValues {
  double least, greatest;
  std::string others;
};

std::map<std::string, AllowedValues> allowed_values(const Model& model) {
  std::map<std::string, AllowedValues> allowed;
  for (const ir::Problem* part : ir::models_of(model.problem))
    for (const ir::Variable& v : part->flat.variables) {
      bool is_integer = v.type == ir::ValueType::integer;
      if (!is_integer && (v.type != ir::ValueType::enumeration || v.enumeration.empty())) continue;
      auto literals = static_cast<double>(v.enumeration.size());
      AllowedValues own =
          is_integer ? AllowedValues{-ir::largest_integer, ir::largest_integer, "beyond the Integers from -2^53 to 2^53"}
                     : AllowedValues{1, literals, "none of its " + shown(literals) + " literals"};
      for (std::size_t k = 0; k < v.size; ++k)
        allowed.emplace(ir::name_of(part->flat, ir::VariableId(v.first.index() + k)), own);
    }
  return allowed;
}

/// The first value in time of an Integer that is beyond what doubles hold exactly, or of an enumeration that has no literal.
std::optional<NonfiniteValue> first_beyond(const std::map<std::string, AllowedValues>& allowed,
                                           const result::ResultTable& table) {
  std::optional<NonfiniteValue> found;
  std::size_t earliest = table.time.size();
  for (const result::ResultVariable& v : table.variables) {
    auto own = allowed.find(v.name);
    if (!counts(v.role) || own == allowed.end()) continue;
    auto is_beyond = [&](double value) { return value < own->second.least || value > own->second.greatest; };
    std::size_t row = v.constant && is_beyond(v.value) ? 0 : earliest;
    for (std::size_t k = 0; !v.constant && k < earliest && row == earliest; ++k)
      if (is_beyond(result::value(table, v, k))) row = k;
    if (row >= earliest) continue;
    earliest = row;
    found = {v.name, result::value(table, v, row), table.time[row]};
  }
  return found;
}

Span declaration_of(const Model& model, const std::string& name) {
  for (const ir::Problem* part : ir::models_of(model.problem)) {
    const ir::FlatModel& flat = part->flat;
    for (const ir::Variable& v : flat.variables)
      for (std::size_t k = 0; k < v.size; ++k)
        if (ir::name_of(flat, ir::VariableId(v.first.index() + k)) == name) return v.span;
  }
  return {};
}

}  // namespace

std::optional<NonfiniteValue> first_nonfinite(const result::ResultTable& table) {
  if (table.time.empty()) return {};
  std::vector<std::size_t> rows = first_rows(table);
  std::optional<NonfiniteValue> found;
  std::size_t earliest = table.time.size();
  for (const result::ResultVariable& v : table.variables) {
    if (!counts(v.role)) continue;
    std::size_t row = !v.constant ? rows[v.column] : std::isfinite(v.value) ? earliest : 0;
    if (row >= earliest) continue;
    earliest = row;
    found = {v.name, result::value(table, v, row), table.time[row]};
  }
  return found;
}

bool report_nonfinite_value(Model& model, const result::ResultTable& table) {
  std::optional<NonfiniteValue> found = first_nonfinite(table);
  std::map<std::string, AllowedValues> allowed = allowed_values(model);
  if (std::optional<NonfiniteValue> large = first_beyond(allowed, table); large && (!found || large->time < found->time)) {
    std::string value = shown(large->value) + ", " + allowed.at(large->name).others + ",";
    model.diagnostics.error(result_not_finite, declaration_of(model, large->name), {large->name, value, shown(large->time)});
    return true;
  }
  if (!found) return false;
  std::string value = std::isnan(found->value) ? "not a number" : found->value > 0 ? "infinite" : "negative and infinite";
  model.diagnostics.error(result_not_finite, declaration_of(model, found->name), {found->name, value, shown(found->time)},
                          {{{},
                            "look for a quotient by zero, a root, logarithm or power whose argument leaves its domain, a "
                            "subscript outside of its "
                            "array, or a loop of a function that does not end"}});
  return true;
}

}  // namespace bolza::workflow
