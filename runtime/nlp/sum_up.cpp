// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/sum_up.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "runtime/nlp/switched_rounding.h"
#include "runtime/nlp/switching.h"

namespace bolza::nlp {
namespace {

using Members = std::vector<std::size_t>;  // variables of one control, interval by interval

std::map<std::int32_t, Members> sequences_of(const Nlp& nlp) {
  std::map<std::int32_t, Members> sequences;
  for (std::size_t v = 0; v < nlp.sequence.size(); ++v)
    if (nlp.sequence[v] != global) sequences[nlp.sequence[v]].push_back(v);
  return sequences;
}

bool is_binary(const Nlp& nlp, std::size_t v) {
  return v < nlp.sequence.size() && nlp.sequence[v] != global && nlp.lower[v] >= 0 && nlp.upper[v] <= 1;
}

/// The entries of every equality row that are not zero, places that come twice added.
std::map<std::int32_t, std::map<std::int32_t, double>> equality_rows(const Nlp& nlp, const double* entries) {
  std::map<std::int32_t, std::map<std::int32_t, double>> rows;
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k) {
    auto r = static_cast<std::size_t>(nlp.jacobian.row[k]);
    if (nlp.row_lower[r] == nlp.row_upper[r] && nlp.row_lower[r] != 0 && entries[k] != 0)
      rows[nlp.jacobian.row[k]][nlp.jacobian.col[k]] += entries[k];
  }
  return rows;
}

/// Sets of sequences of which constraints say in every interval that they sum to one.
std::set<std::vector<std::int32_t>> groups_of(const Nlp& nlp, const std::vector<double>& w,
                                              const std::map<std::int32_t, Members>& sequences) {
  std::map<std::vector<std::int32_t>, std::set<std::size_t>> found;  // members → first variables: one for each interval
  nlp.functions->move_to(w);
  const double* entries = nlp.functions->jacobian();
  if (!entries) return {};
  for (const auto& [r, row] : equality_rows(nlp, entries)) {
    double sum = nlp.row_lower[static_cast<std::size_t>(r)];
    bool unit = row.size() > 1 && std::all_of(row.begin(), row.end(), [&](const auto& entry) {
                  return is_binary(nlp, static_cast<std::size_t>(entry.first)) &&
                         std::abs(entry.second - sum) <= 1e-12 * std::abs(sum);
                });
    if (!unit) continue;
    std::vector<std::int32_t> members;
    for (const auto& [v, value] : row) members.push_back(nlp.sequence[static_cast<std::size_t>(v)]);
    std::sort(members.begin(), members.end());
    found[members].insert(static_cast<std::size_t>(row.begin()->first));
  }
  std::set<std::vector<std::int32_t>> groups;
  std::set<std::int32_t> taken;
  for (const auto& [members, firsts] : found) {
    auto first = sequences.find(members.front());
    bool whole = first != sequences.end() && firsts.size() >= first->second.size();
    for (std::int32_t s : members)
      whole = whole && sequences.contains(s) && !taken.contains(s) && sequences.at(s).size() == firsts.size();
    if (!whole) continue;
    groups.insert(members);
    taken.insert(members.begin(), members.end());
  }
  return groups;
}

double nearest(const Nlp& nlp, std::size_t v, double value) {
  return std::clamp(std::floor(value + 0.5), std::ceil(nlp.lower[v] - 1e-9), std::floor(nlp.upper[v] + 1e-9));
}

/// What the rounding of one group came to.
struct Deviation {
  double largest = 0, longest = 0;
  void see(double lag, double length) {
    largest = std::max(largest, std::abs(lag));
    longest = std::max(longest, length);
  }
};

Deviation round_one(const Nlp& nlp, const Members& control, RoundedPoint& point) {
  Deviation deviation;
  double lag = 0;  // ∫ relaxed − ∫ whole so far
  for (std::size_t v : control) {
    double h = nlp.length[v];
    lag += point.w[v] * h;
    point.w[v] = h > 0 ? nearest(nlp, v, lag / h) : nearest(nlp, v, point.w[v]);
    lag -= point.w[v] * h;
    deviation.see(lag, h);
  }
  return deviation;
}

Deviation round_group(const Nlp& nlp, const std::vector<const Members*>& controls, RoundedPoint& point) {
  Deviation deviation;
  std::vector<double> lag(controls.size(), 0);
  for (std::size_t i = 0; i < controls[0]->size(); ++i) {
    double h = nlp.length[(*controls[0])[i]];
    for (std::size_t c = 0; c < controls.size(); ++c) lag[c] += point.w[(*controls[c])[i]] * h;
    std::size_t chosen = controls.size();
    for (std::size_t c = 0; c < controls.size(); ++c)  // one that branching has ruled out cannot be taken
      if (nlp.upper[(*controls[c])[i]] >= 1 && (chosen == controls.size() || lag[c] > lag[chosen])) chosen = c;
    for (std::size_t c = 0; c < controls.size(); ++c) {
      double value = c == chosen ? 1 : 0;
      point.w[(*controls[c])[i]] = value;
      lag[c] -= value * h;
      deviation.see(lag[c], h);
    }
  }
  return deviation;
}

/// The controls of a rule, by its dwell time and number of switches. False: no path is allowed.
bool round_by_rule(const Nlp& nlp, const SwitchLimits& rule, RoundedPoint& point) {
  std::vector<ControlIntervals> controls = controls_of(nlp, rule);
  bool alone = controls.size() == 1;  // a Boolean: true or not
  SwitchedRounding problem{{}, {}, rule.dwell, rule.switches, {}};
  for (std::size_t v : controls[0]) problem.length.push_back(nlp.length[v]);
  for (const ControlIntervals& control : controls) {
    std::vector<double>& share = problem.share.emplace_back();
    for (std::size_t v : control) share.push_back(point.w[v]);
  }
  if (alone) {
    std::vector<double> other = problem.share[0];
    for (double& share : other) share = 1 - share;
    problem.share.push_back(std::move(other));
  }
  problem.allowed = [&](std::size_t value, std::size_t interval) {
    for (std::size_t c = 0; c < controls.size(); ++c) {
      std::size_t v = controls[c][interval];
      double whole = c == value ? 1 : 0;
      if (whole < nlp.lower[v] || whole > nlp.upper[v]) return false;
    }
    return true;
  };
  std::optional<SwitchedPath> path = round_with_switches(problem);
  if (!path) return false;
  for (std::size_t c = 0; c < controls.size(); ++c)
    for (std::size_t i = 0; i < controls[c].size(); ++i) point.w[controls[c][i]] = path->value[i] == c ? 1 : 0;
  point.deviation = std::max(point.deviation, path->deviation);
  return true;
}

}  // namespace

RoundedPoint sum_up(const Nlp& nlp, const std::vector<double>& w) {
  RoundedPoint point{.w = w};
  std::map<std::int32_t, Members> sequences = sequences_of(nlp);
  auto note = [&](const Deviation& deviation, double factor) {
    double bound = factor * deviation.longest;
    bool nearer = deviation.largest * point.deviation_bound > point.deviation * bound;  // to its own bound
    if (point.deviation_bound == 0 || nearer) {
      point.deviation = deviation.largest;
      point.deviation_bound = bound;
    }
  };
  for (const SwitchLimits& rule : nlp.switching)
    if (round_by_rule(nlp, rule, point))
      for (std::int32_t s : rule.sequences) sequences.erase(s);
  for (const std::vector<std::int32_t>& group : groups_of(nlp, w, sequences)) {
    std::vector<const Members*> controls;
    for (std::int32_t s : group) controls.push_back(&sequences.at(s));
    note(round_group(nlp, controls, point), static_cast<double>(group.size() - 1));
    for (std::int32_t s : group) sequences.erase(s);
  }
  for (const auto& [number, control] : sequences) note(round_one(nlp, control, point), 0.5);
  for (std::size_t v = 0; v < nlp.integer.size(); ++v)
    if (nlp.integer[v] && (nlp.sequence.empty() || nlp.sequence[v] == global)) point.w[v] = nearest(nlp, v, point.w[v]);
  return point;
}

}  // namespace bolza::nlp
