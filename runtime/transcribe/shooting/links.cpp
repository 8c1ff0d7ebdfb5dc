// SPDX-License-Identifier: Apache-2.0
// Which equalities link phases, and what each of them determines.
#include "runtime/transcribe/shooting/links.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>

namespace bolza::transcribe {
namespace {

using What = NodeFunction::What;

/// What a row may determine.
struct LinkRow {
  std::size_t point_row = 0, phase = 0;
  std::vector<std::size_t> candidates;  ///< variables
};

class LinkFinder {
 public:
  explicit LinkFinder(const ShootingNodes& nodes) : nodes_(nodes), problem_(nodes.problem) {
    for (const ShootingPhase& phase : nodes.phases)
      for (std::size_t global : {0u, 1u}) first_phase_.try_emplace(phase.parameter(global), phase.number);
  }

  std::vector<Link> find() {
    std::vector<LinkRow> rows;
    for (std::size_t r = 1; r <= problem_.n_k; ++r)
      if (LinkRow row = read(r); !row.candidates.empty()) rows.push_back(std::move(row));
    return match(rows);
  }

 private:
  LinkRow read(std::size_t point_row) const {
    const bolza_function& f = *problem_.point;
    const bolza_row& text = f.rows[point_row];
    LinkRow row{point_row, 0, {}};
    bool is_output = text.source.file && std::strcmp(text.source.file, "--of") == 0;
    if (text.lower != text.upper || is_output) return row;
    std::vector<std::size_t> parameters;
    std::vector<const NodeFunction*> values;
    for (std::size_t e = 0; e < f.jac_nnz; ++e) {
      if (static_cast<std::size_t>(f.jac_row[e]) != point_row) continue;
      auto column = static_cast<std::size_t>(f.jac_col[e]);
      if (column >= f.n_point) parameters.push_back(column - f.n_point);
      else values.push_back(&nodes_.values[column]);
    }
    if (values.empty()) take_times(parameters, row);
    else take_states(values, row);
    return row;
  }

  /// Of equal phases the first one counts: a start that is the end before it belongs to the phase before.
  void take_times(const std::vector<std::size_t>& parameters, LinkRow& row) const {
    for (std::size_t p : parameters) {
      auto at = first_phase_.find(p);
      if (at == first_phase_.end() || problem_.parameters[p].fixed || at->second == 0) continue;
      if (at->second > row.phase) row.candidates.clear();
      row.phase = std::max(row.phase, at->second);
      if (at->second == row.phase) row.candidates.push_back(p);
    }
  }

  void take_states(const std::vector<const NodeFunction*>& values, LinkRow& row) const {
    for (const NodeFunction* f : values) row.phase = std::max(row.phase, f->site.phase);
    if (row.phase == 0) return;
    const ShootingPhase& phase = nodes_.phases[row.phase];
    for (const NodeFunction* f : values) {
      if (f->site.phase != row.phase) continue;
      bool begins = f->what == What::state && f->site.node() == 0;
      if (!begins) return row.candidates.clear();
      if (!phase.model->x[f->index].fixed) row.candidates.push_back(phase.first_x0 + f->index);
    }
  }

  /// A variable for as many rows as possible, by augmenting paths.
  static std::vector<Link> match(const std::vector<LinkRow>& rows) {
    std::map<std::size_t, std::size_t> row_of;  // by variable
    std::set<std::size_t> tried;
    std::function<bool(std::size_t)> place = [&](std::size_t r) {
      for (std::size_t variable : rows[r].candidates) {
        if (!tried.insert(variable).second) continue;
        auto at = row_of.find(variable);
        if (at == row_of.end() || place(at->second)) {
          row_of[variable] = r;
          return true;
        }
      }
      return false;
    };
    for (std::size_t r = 0; r < rows.size(); ++r) {
      tried.clear();
      place(r);
    }
    std::vector<Link> links;
    for (auto [variable, r] : row_of) links.push_back({rows[r].point_row, variable, rows[r].phase});
    std::ranges::sort(links, {}, &Link::point_row);
    return links;
  }

  const ShootingNodes& nodes_;
  const bolza_problem& problem_;
  std::map<std::size_t, std::size_t> first_phase_;  // that has a parameter as a time
};

}  // namespace

std::vector<Link> links_between_phases(const ShootingNodes& nodes) { return LinkFinder(nodes).find(); }

}  // namespace bolza::transcribe
