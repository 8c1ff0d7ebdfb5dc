// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/scenarios/copied_sections.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "compiler/ir/canonical.h"

namespace bolza::passes {
namespace {

using Instances = std::vector<std::uint32_t>;

bool reads_own(const ir::Group& group, std::size_t instance, const Copies& copies) {
  return std::any_of(group.slots.begin(), group.slots.end(),
                     [&](const ir::Column& column) { return copies.is_own(column[instance]); });
}

using Scenarios = std::vector<std::size_t>;

/// Copies of instances of a group, scenario by scenario; row(old row, scenario) is the row of a copy.
/// @param scenarios  none: what is there once
template <typename Row>
ir::Group copied(ir::FlatModel& model, const ir::Group& group, const Instances& instances,
                 const std::optional<Scenarios>& scenarios, const Copies& copies, const Row& row) {
  const Scenarios of = scenarios.value_or(Scenarios{0});
  ir::Group out;
  out.roots = group.roots;
  out.n = static_cast<std::uint32_t>(of.size() * instances.size());
  auto for_each = [&](auto&& what) {
    for (std::size_t s : of)
      for (std::uint32_t i : instances) what(s, i);
  };
  for (const ir::Column& column : group.slots) {
    std::vector<ir::VariableId> ids;
    for_each([&](std::size_t s, std::uint32_t i) { ids.push_back(copies.of(column[i], s)); });
    out.slots.push_back(ir::Column::listed(std::move(ids)));
  }
  for (const ir::DataColumn& numbers : group.data) {
    ir::DataColumn& more = out.data.emplace_back();
    for_each([&](std::size_t, std::uint32_t i) { more.push_back(numbers[i]); });
  }
  for (const std::vector<ir::RowId>& rows : group.rows) {
    std::vector<ir::RowId>& more = out.rows.emplace_back();
    for_each([&](std::size_t s, std::uint32_t i) { more.push_back(row(rows[i], s)); });
  }
  for_each([&](std::size_t s, std::uint32_t i) {
    out.origins.push_back(group.origins[i]);
    if (!scenarios || copies.n() == 1) return;
    ir::Origin origin = model.origins[group.origins[i]];
    origin.iterators.emplace_back("scenario", static_cast<double>(s + 1));
    out.origins.back() = static_cast<std::uint32_t>(model.origins.size());
    model.origins.push_back(std::move(origin));
  });
  return out;
}

/// Rows that have copies: those of instances that read own variables, and of all that share a row or an instance with them.
std::vector<std::uint8_t> rows_with_copies(const ir::Section& section, const Copies& copies) {
  std::vector<std::uint8_t> marked(section.n_rows);
  for (bool changes = true; changes;) {
    changes = false;
    for (const ir::Group& group : section.groups)
      for (std::size_t i = 0; i < group.n; ++i) {
        auto is_marked = [&](const std::vector<ir::RowId>& rows) { return marked[rows[i].index()] != 0; };
        bool any = std::any_of(group.rows.begin(), group.rows.end(), is_marked) || reads_own(group, i, copies);
        if (!any || std::all_of(group.rows.begin(), group.rows.end(), is_marked)) continue;
        for (const std::vector<ir::RowId>& rows : group.rows) marked[rows[i].index()] = 1;
        changes = true;
      }
  }
  return marked;
}

Instances all_instances(const ir::Group& group) {
  Instances all(group.n);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

Scenarios all_of(const Copies& copies) {
  Scenarios all(copies.n());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

void add(ir::FlatModel& model, ir::Section& section, const ir::Group& group) {
  if (group.n > 0) section.groups.push_back(ir::canonical(model.expressions.dag, group));
}

}  // namespace

CopiedSection copy_section(ir::FlatModel& model, const ir::Section& section, const Copies& copies,
                           const std::set<std::size_t>& excused) {
  std::vector<std::uint8_t> marked = rows_with_copies(section, copies);
  Scenarios kept;
  std::vector<std::size_t> place(copies.n());  // among those that are kept
  for (std::size_t s = 0; s < copies.n(); ++s)
    if (!excused.contains(s)) {
      place[s] = kept.size();
      kept.push_back(s);
    }
  CopiedSection out;
  std::vector<std::uint32_t> first;
  for (std::uint32_t row = 0; row < section.n_rows; ++row) {
    first.push_back(static_cast<std::uint32_t>(out.row_of.size()));
    for (std::size_t s : marked[row] ? kept : Scenarios{0}) {
      out.row_of.push_back(row);
      out.scenario_of.push_back(static_cast<std::uint32_t>(s));
    }
  }
  out.section.n_rows = static_cast<std::uint32_t>(out.row_of.size());
  auto row_of_copy = [&](ir::RowId row, std::size_t s) {
    return ir::RowId(first[row.index()] + (marked[row.index()] ? place[s] : 0));
  };
  for (const ir::Group& group : section.groups) {
    Instances with, without;
    for (std::uint32_t i = 0; i < group.n; ++i) (marked[group.rows[0][i].index()] ? with : without).push_back(i);
    add(model, out.section, copied(model, group, without, {}, copies, row_of_copy));
    add(model, out.section, copied(model, group, with, kept, copies, row_of_copy));
  }
  return out;
}

ir::Section weighted_sum(ir::FlatModel& model, const ir::Section& section, const Copies& copies,
                         std::span<const double> weights) {
  ir::Section out{section.n_rows, {}};
  ir::Dag& dag = model.expressions.dag;
  auto same_row = [](ir::RowId row, std::size_t) { return row; };
  for (const ir::Group& group : section.groups) {
    Instances with, without;
    for (std::uint32_t i = 0; i < group.n; ++i) (reads_own(group, i, copies) ? with : without).push_back(i);
    add(model, out, copied(model, group, without, {}, copies, same_row));
    ir::Group sum = copied(model, group, with, all_of(copies), copies, same_row);
    if (copies.n() > 1) {
      ir::ExprId weight = dag.datum(static_cast<std::uint32_t>(sum.data.size()));
      for (ir::ExprId& root : sum.roots) root = dag.mul(weight, root);
      ir::DataColumn& column = sum.data.emplace_back();
      for (std::size_t s = 0; s < copies.n(); ++s) column.append(ir::DataColumn(with.size(), weights[s]));
    }
    add(model, out, sum);
  }
  return out;
}

ir::Section row_for_each(ir::FlatModel& model, const ir::Section& section, const Copies& copies) {
  ir::Section out{static_cast<std::uint32_t>(copies.n()), {}};
  auto row = [](ir::RowId, std::size_t s) { return ir::RowId(s); };
  for (const ir::Group& group : section.groups)
    add(model, out, copied(model, group, all_instances(group), all_of(copies), copies, row));
  return out;
}

}  // namespace bolza::passes
