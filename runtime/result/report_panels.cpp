// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/report_panels.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include "base/numbers.h"
#include "base/printable.h"

namespace bolza::result {
namespace {

constexpr std::size_t most_per_panel = 6, most_per_role = 48;

/// "x" of "scenario[3].x", "costate(x)" of "costate(scenario[3].x)"; "" of other names.
std::string without_scenario(const std::string& name) {
  std::size_t at = name.find("scenario["), end = name.find("].", at);
  bool begins = at != std::string::npos && (at == 0 || name[at - 1] == '(');
  return begins && end != std::string::npos ? name.substr(0, at) + name.substr(end + 2) : "";
}

/// Variables in so many scenarios that no legend could name them.
std::map<std::string, std::size_t> bundles_of(const ResultTable& table, Role role) {
  std::map<std::string, std::size_t> count;
  for (const ResultVariable& v : table.variables)
    if (std::string rest = without_scenario(v.name); v.role == role && !v.constant && !rest.empty()) ++count[rest];
  std::erase_if(count, [](const auto& entry) { return entry.second <= most_per_panel; });
  return count;
}

double size_of(const ResultTable& table, const ResultVariable& v) {
  double size = 0;
  for (double y : table.columns[v.column])
    if (std::isfinite(y)) size = std::max(size, std::fabs(y));
  return size;
}

bool similar(double a, double b) { return a == 0 || b == 0 || (a < 30 * b && b < 30 * a); }

void add_json_number(std::string& out, double v) { out += std::isfinite(v) ? shown(v, 8) : "null"; }

void add_numbers(std::string& out, const std::vector<double>& values) {
  out += '[';
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k) out += ',';
    add_json_number(out, values[k]);
  }
  out += ']';
}

/// `,"lo":0,"hi":1,"points":[[time],[value]]`, what there is of it.
void add_limits(std::string& out, const ResultVariable& v, std::span<const MeasuredPoints> measured) {
  for (auto [name, limit] : {std::pair{",\"lo\":", v.min}, std::pair{",\"hi\":", v.max}})
    if (std::isfinite(limit)) {
      out += name;
      add_json_number(out, limit);
    }
  for (const MeasuredPoints& points : measured) {
    if (points.name != v.name) continue;
    out += ",\"points\":[";
    add_numbers(out, points.time);
    out += ',';
    add_numbers(out, points.value);
    out += ']';
  }
}

}  // namespace

std::vector<Panel> make_panels(const ResultTable& table, std::size_t& left_out) {
  constexpr std::array roles{Role::state,    Role::control, Role::algebraic,  Role::auxiliary,
                             Role::discrete, Role::costate, Role::multiplier, Role::sensitivity};
  std::vector<Panel> panels;
  for (Role role : roles) {
    std::size_t first = panels.size(), count = 0;
    std::vector<double> sizes;
    std::map<std::string, std::size_t> bundles = bundles_of(table, role), panel_of;
    for (const ResultVariable& v : table.variables) {
      if (v.role != role || v.constant) continue;
      std::string bundle = without_scenario(v.name);
      if (!bundles.contains(bundle)) bundle.clear();
      if (auto panel = panel_of.find(bundle); panel != panel_of.end()) {
        panels[panel->second].series.push_back(&v);
        continue;
      }
      if (++count > most_per_role) {
        ++left_out;
        continue;
      }
      if (!bundle.empty()) {
        panel_of.emplace(bundle, panels.size());
        panels.push_back({role, bundle, {&v}});
        sizes.push_back(std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      double size = size_of(table, v);
      std::size_t k = first;
      while (k < panels.size() && !(panels[k].series[0]->unit == v.unit && similar(sizes[k - first], size) &&
                                    panels[k].series.size() < most_per_panel))
        ++k;
      if (k == panels.size()) {
        panels.push_back({role, "", {}});
        sizes.push_back(size);
      }
      panels[k].series.push_back(&v);
    }
  }
  return panels;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    char code[8];
    bool plain = static_cast<unsigned char>(c) >= 32 && c != '"' && c != '\\' && c != '<';
    if (!plain) std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += plain ? std::string(1, c) : code;
  }
  return printable_json(out + "\"");
}

std::string panels_json(const ResultTable& table, const std::vector<Panel>& panels, const std::string& x_label,
                        std::span<const MeasuredPoints> measured) {
  std::map<std::size_t, std::size_t> column;
  std::string out = "{\"time\":", columns, series;
  add_numbers(out, table.time);
  out += ",\"x\":" + json_string(x_label);
  for (const Panel& panel : panels) {
    series += series.empty() ? "{" : ",{";
    if (!panel.bundle.empty()) series += "\"bundle\":" + json_string(panel.bundle) + ",";
    series += "\"series\":[";
    for (const ResultVariable* v : panel.series) {
      auto [at, fresh] = column.emplace(v->column, column.size());
      if (fresh) {
        columns += columns.empty() ? "" : ",";
        add_numbers(columns, table.columns[v->column]);
      }
      series += (v == panel.series[0] ? "{\"n\":" : ",{\"n\":") + json_string(v->name) + ",\"u\":" + json_string(v->unit) +
                ",\"c\":" + std::to_string(at->second) + ",\"s\":" + (v->sign < 0 ? "-1" : "1");
      add_limits(series, *v, measured);
      series += '}';
    }
    series += "]}";
  }
  return out + ",\"columns\":[" + columns + "],\"panels\":[" + series + "]}";
}

}  // namespace bolza::result
