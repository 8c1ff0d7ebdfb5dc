#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "base/numbers.h"
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

// Cells of one line; doubled quotes inside quotes stand for one.
std::vector<std::string> cells_of(std::string_view line, char separator) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') cells.back() += c, ++i;
      else quoted = !quoted;
    } else if (c == separator && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  for (std::string& cell : cells) {
    while (cell.ends_with(' ') || cell.ends_with('\t')) cell.pop_back();
    cell.erase(0, std::min(cell.find_first_not_of(" \t"), cell.size()));
  }
  return cells;
}

bool number_of(const std::string& cell, double& x) {
  const char *begin = cell.data(), *end = begin + cell.size();
  if (begin != end && *begin == '+') ++begin;
  auto [stop, error] = std::from_chars(begin, end, x);
  return error == std::errc() && stop == end;
}

std::string_view take_line(std::string_view& rest) {
  std::size_t n = rest.find('\n');
  std::string_view line = rest.substr(0, n);
  rest.remove_prefix(n == std::string_view::npos ? rest.size() : n + 1);
  return line;
}

char separator_of(std::string_view line) {
  if (line.find(',') == std::string_view::npos && line.find(';') != std::string_view::npos) return ';';
  if (line.find(',') == std::string_view::npos && line.find('\t') != std::string_view::npos) return '\t';
  return ',';
}

bool blank(std::string_view line) {
  return line.empty() || line.find_first_not_of(" \t\r") == std::string_view::npos || line[0] == '#';
}

}  // namespace

Role role_of(std::string_view name, bool constant) {
  if (constant) return Role::parameter;
  if (name.starts_with("der(")) return Role::rate;
  if (name.starts_with("costate(")) return Role::costate;
  if (name.starts_with("multiplier(")) return Role::multiplier;
  return Role::auxiliary;
}

std::string csv_text(const ResultTable& table) {
  std::string out = "time";
  for (const ResultVariable& v : table.variables) out += ',', add_name(out, v.name);
  out += '\n';
  for (std::size_t k = 0; k < table.time.size(); ++k) {
    append_exact(out, table.time[k]);
    for (const ResultVariable& v : table.variables) out += ',', append_exact(out, value(table, v, k));
    out += '\n';
  }
  return out;
}

std::optional<ResultTable> parse_csv(std::string_view content, std::string& problem) {
  std::string_view rest = content, line;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  int number = 0;
  do line = take_line(rest), ++number;
  while (blank(line) && !rest.empty());
  char separator = separator_of(line);
  std::vector<std::string> names = cells_of(line, separator);
  auto at =
      std::find_if(names.begin(), names.end(), [](const std::string& n) { return n == "time" || n == "Time" || n == "t"; });
  if (at == names.end()) return problem = "no column of the first line is called `time`", std::nullopt;
  std::size_t time = static_cast<std::size_t>(at - names.begin());
  ResultTable table;
  std::vector<std::vector<double>> columns(names.size());
  while (!rest.empty()) {
    line = take_line(rest), ++number;
    if (blank(line)) continue;
    std::vector<std::string> cells = cells_of(line, separator);
    std::string here = "line " + std::to_string(number);
    if (cells.size() != names.size())
      return problem =
                 here + " has " + std::to_string(cells.size()) + " cells, the first line " + std::to_string(names.size()),
             std::nullopt;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      double x = std::nan("");
      if (!cells[c].empty() && !number_of(cells[c], x))
        return problem = here + ": `" + cells[c] + "` in column `" + names[c] + "` is not a number", std::nullopt;
      columns[c].push_back(x);
    }
    const std::vector<double>& t = columns[time];
    if (!std::isfinite(t.back()) || (t.size() > 1 && t.back() < t[t.size() - 2]))
      return problem = here + ": the time is smaller than in the line before, or no number", std::nullopt;
  }
  if (columns[time].empty()) return problem = "there is no line of numbers", std::nullopt;
  std::set<std::string> seen;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (c == time || names[c].empty()) continue;
    if (!seen.insert(names[c]).second) return problem = "two columns are called `" + names[c] + "`", std::nullopt;
    table.variables.push_back({.name = names[c], .role = role_of(names[c], false), .column = table.columns.size()});
    table.columns.push_back(std::move(columns[c]));
  }
  table.time = std::move(columns[time]);
  return table;
}

}  // namespace bolza::result
