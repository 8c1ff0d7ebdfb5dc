// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/phases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_set>

namespace bolza::result {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// As `interpolate`; at a jump the left value.
double value_before(const ResultTable& table, const ResultVariable& variable, double t) {
  for (std::size_t i = 0; i < table.time.size(); ++i)
    if (table.time[i] == t) return value(table, variable, i);
  return interpolate(table, variable, t);
}

class Join {
 public:
  Join(std::span<const ResultTable> tables, std::span<const std::string> names) : tables_(tables), names_(names) {}

  ResultTable run() {
    order_times();
    out_.metadata = tables_[0].metadata;
    out_.warm_start = tables_[0].warm_start;
    join_meshes();
    for (const ResultTable& table : tables_)
      out_.multipliers.insert(out_.multipliers.end(), table.multipliers.begin(), table.multipliers.end());
    for (std::size_t k = 0; k < tables_.size(); ++k)
      for (const ResultVariable& v : tables_[k].variables) add(v, k);
    if (follow_each_other()) add_common();
    return std::move(out_);
  }

 private:
  /// One after the other, each from 0 to 1, and the kind of controls of each.
  void join_meshes() {
    for (const ResultTable& table : tables_) out_.mesh.insert(out_.mesh.end(), table.mesh.begin(), table.mesh.end());
    if (std::any_of(tables_.begin(), tables_.end(), [](const ResultTable& table) { return table.mesh.size() < 2; }))
      out_.mesh.clear();
    for (std::size_t k = 1; k < tables_.size(); ++k)
      for (const auto& [key, text] : tables_[k].metadata)
        if (key == "control") out_.metadata.emplace_back(key, text);
  }

  void order_times() {
    for (std::size_t k = 0; k < tables_.size(); ++k)
      for (std::size_t i = 0; i < tables_[k].time.size(); ++i) place_.emplace_back(k, i);
    auto time = [&](const auto& p) { return tables_[p.first].time[p.second]; };
    std::stable_sort(place_.begin(), place_.end(), [&](const auto& a, const auto& b) { return time(a) < time(b); });
    for (const auto& p : place_) out_.time.push_back(time(p));
  }

  bool follow_each_other() const {
    for (std::size_t k = 1; k < tables_.size(); ++k) {
      double end = tables_[k - 1].time.back();
      if (tables_[k].time.front() < end - 1e-9 * std::max(1.0, std::fabs(end))) return false;
    }
    return true;
  }

  void add(const ResultVariable& v, std::size_t phase) {
    if (!there_.insert(v.name).second) return;
    ResultVariable own = v;
    if (!v.constant) {
      std::vector<double> data(place_.size(), none);
      for (std::size_t i = 0; i < place_.size(); ++i)
        if (place_[i].first == phase) data[i] = value(tables_[phase], v, place_[i].second);
      own.column = add_column(std::move(data));
      own.sign = 1;
    }
    out_.variables.push_back(std::move(own));
  }

  std::size_t add_column(std::vector<double> data) {
    out_.columns.push_back(std::move(data));
    return out_.columns.size() - 1;
  }

  /// Of the first phase, when all others have the same.
  void add_common() {
    std::vector<std::map<std::string, const ResultVariable*>> local(tables_.size());
    for (std::size_t k = 0; k < tables_.size(); ++k)
      for (const ResultVariable& v : tables_[k].variables)
        if (std::string name = without_phase(v.name, names_[k]); !name.empty()) local[k].emplace(name, &v);
    for (const ResultVariable& v : tables_[0].variables) {
      std::string name = without_phase(v.name, names_[0]);
      auto in_all = [&](const auto& of) { return of.contains(name); };
      if (name.empty() || !std::all_of(local.begin(), local.end(), in_all) || !is_curve(local, name)) continue;
      if (!there_.insert(name).second) continue;
      ResultVariable own = v;
      own.name = name;
      own.sign = 1;
      own.constant = false;
      std::vector<double> data;
      for (const auto& [k, i] : place_) data.push_back(value(tables_[k], *local[k].at(name), i));
      own.column = add_column(std::move(data));
      out_.variables.push_back(std::move(own));
    }
  }

  static bool is_curve(const std::vector<std::map<std::string, const ResultVariable*>>& local, const std::string& name) {
    return std::any_of(local.begin(), local.end(), [&](const auto& of) {
      const ResultVariable& v = *of.at(name);
      return !v.constant || v.role != Role::parameter;
    });
  }

  std::span<const ResultTable> tables_;
  std::span<const std::string> names_;
  ResultTable out_;
  std::vector<std::pair<std::size_t, std::size_t>> place_;  // [times] phase, time of its table
  std::unordered_set<std::string> there_;
};

}  // namespace

std::size_t place_of_phase(std::string_view name) {
  constexpr std::array<std::string_view, 3> of_another{"der(", "costate(", "multiplier("};
  auto head = std::ranges::find_if(of_another, [&](std::string_view begin) { return name.starts_with(begin); });
  return head == of_another.end() ? 0 : head->size();
}

ResultTable join_phases(std::span<const ResultTable> tables, std::span<const std::string> names) {
  return Join(tables, names).run();
}

std::string without_phase(const std::string& name, const std::string& phase) {
  std::size_t at = place_of_phase(name);
  std::string prefix = phase + ".";
  return name.compare(at, prefix.size(), prefix) == 0 ? name.substr(0, at) + name.substr(at + prefix.size()) : "";
}

ResultTable as_phase(const ResultTable& table, const std::string& phase, double start, double final) {
  ResultTable out = table;
  out.mesh.clear();
  out.warm_start = {};
  out.multipliers.clear();
  for (ResultVariable& v : out.variables) v.name.insert(place_of_phase(v.name), phase + ".");
  out.time = {start};
  std::vector<std::size_t> inside;
  for (std::size_t i = 0; i < table.time.size(); ++i)
    if (table.time[i] > start && table.time[i] < final) {
      out.time.push_back(table.time[i]);
      inside.push_back(i);
    }
  out.time.push_back(std::max(start, final));
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    ResultVariable column{.name = {}, .unit = {}, .description = {}, .column = c};
    std::vector<double>& data = out.columns[c];
    data = {interpolate(table, column, start)};
    for (std::size_t i : inside) data.push_back(table.columns[c][i]);
    data.push_back(value_before(table, column, out.time.back()));
  }
  return out;
}

ResultTable rows_with(const ResultTable& table, std::span<const std::string> variables) {
  std::vector<const ResultVariable*> looked_at;
  for (const std::string& name : variables)
    if (const ResultVariable* found = find(table, name); found && !found->constant) looked_at.push_back(found);
  if (looked_at.empty()) return table;
  ResultTable out = table;
  out.time.clear();
  for (auto& column : out.columns) column.clear();
  for (std::size_t i = 0; i < table.time.size(); ++i) {
    bool any = std::any_of(looked_at.begin(), looked_at.end(),
                           [&](const ResultVariable* v) { return std::isfinite(value(table, *v, i)); });
    if (!any) continue;
    out.time.push_back(table.time[i]);
    for (std::size_t c = 0; c < table.columns.size(); ++c) out.columns[c].push_back(table.columns[c][i]);
  }
  return out.time.empty() ? table : out;
}

}  // namespace bolza::result
