// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/codes.h"
#include "base/numbers.h"
#include "base/text_table.h"
#include "runtime/result/file.h"
#include "runtime/result/roles.h"

namespace bolza::result {
namespace {

void add_name(std::string& out, const std::string& name) {
  if (name.find_first_of(",;\"\n\r") == std::string::npos) return void(out += name);
  out += '"';
  for (char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

/// A number in the first row and nothing below it.
bool is_constant(const std::vector<double>& column) {
  auto missing = [](double x) { return std::isnan(x); };
  return column.size() > 1 && !missing(column.front()) && std::all_of(column.begin() + 1, column.end(), missing);
}

/// Names of columns without their units; those of the header that have none are left out.
void name_columns(ResultTable& table, const std::vector<Cell>& header, std::size_t time,
                  std::vector<std::vector<double>>& columns) {
  for (std::size_t c = 0; c < header.size(); ++c) {
    std::string name = name_in(header[c].text);
    if (c == time || name.empty()) continue;
    bool constant = is_constant(columns[c]);
    table.variables.push_back(
        {.name = name, .unit = unit_in(header[c].text), .role = role_of(name, constant), .constant = constant});
    if (constant) {
      table.variables.back().value = columns[c].front();
      continue;
    }
    table.variables.back().column = table.columns.size();
    table.columns.push_back(std::move(columns[c]));
  }
  table.time = std::move(columns[time]);
}

/// The time in a row, which is not before `last`.
Result<double> time_in(const Cell& cell, double last, Diagnostics& diagnostics) {
  if (is_missing(cell)) return diagnostics.error(table_malformed, cell.span, {"this row has no time"});
  Result<double> time = number_of(cell, diagnostics);
  if (!time) return diagnostics.already_reported();
  if (!std::isfinite(*time)) return diagnostics.error(number_expected, cell.span, {cell.text});
  if (*time < last) return diagnostics.error(table_malformed, cell.span, {"times have to ascend"});
  return *time;
}

}  // namespace

Role role_of(std::string_view name, bool constant) {
  if (constant) return Role::parameter;
  if (name.starts_with("der(")) return Role::rate;
  if (name.starts_with("costate(")) return Role::costate;
  if (name.starts_with("multiplier(")) return Role::multiplier;
  if (name.starts_with("d(") && name.find(")/d(") != std::string_view::npos) return Role::sensitivity;
  return Role::auxiliary;
}

bool write_csv(const ResultTable& table, const Sink& sink) {
  constexpr std::size_t at_once = 1 << 20;  // bytes
  std::string out = "time";
  auto passed_on = [&](std::size_t least) {
    if (out.size() < least) return true;
    bool good = sink(out);
    out.clear();
    return good;
  };
  for (const ResultVariable& v : table.variables) {
    out += ',';
    add_name(out, v.name);
  }
  out += '\n';
  for (std::size_t k = 0; k < table.time.size(); ++k) {
    append_exact(out, table.time[k]);
    for (const ResultVariable& v : table.variables) {
      out += ',';
      if (!v.constant || k == 0) append_exact(out, value(table, v, k));
    }
    out += '\n';
    if (!passed_on(at_once)) return false;
  }
  return passed_on(0);
}

Result<ResultTable> parse_csv(const Sources& sources, SourceId file, Diagnostics& diagnostics) {
  Result<TableReader> reader = TableReader::open(sources, file, diagnostics);
  if (!reader) return diagnostics.already_reported();
  const std::vector<Cell>& header = reader->header();
  Result<std::size_t> time = time_column(std::string(sources.path(file)), header, diagnostics);
  if (!time) return diagnostics.already_reported();
  std::vector<std::vector<double>> columns(header.size());
  double last = -HUGE_VAL;
  for (std::vector<Cell> row;;) {
    Result<bool> more = reader->next(row, diagnostics);
    if (!more) return diagnostics.already_reported();
    if (!*more) break;
    for (std::size_t c = 0; c < row.size(); ++c) {
      Result<double> x = c == *time           ? time_in(row[c], last, diagnostics)
                         : is_missing(row[c]) ? Result<double>(std::nan(""))
                                              : number_of(row[c], diagnostics);
      if (!x) return diagnostics.already_reported();
      columns[c].push_back(*x);
    }
    last = columns[*time].back();
  }
  if (columns[*time].empty()) return diagnostics.error(table_malformed, header[0].span, {"there is no row of numbers"});
  ResultTable table;
  name_columns(table, header, *time, columns);
  return table;
}

}  // namespace bolza::result
