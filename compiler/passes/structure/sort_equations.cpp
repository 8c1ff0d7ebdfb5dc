// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/structure/sort_equations.h"

#include <algorithm>
#include <cmath>

#include "compiler/passes/shapes/linearity.h"
#include "compiler/passes/structure/check_balance.h"
#include "compiler/passes/structure/incidence.h"
#include "compiler/passes/structure/tearing.h"
#include "compiler/passes/system/parameter_values.h"

namespace bolza::passes {

namespace {

class Sorting {
 public:
  Sorting(System& system, Diagnostics& diagnostics)
      : system_(system),
        diagnostics_(diagnostics),
        linearity_(system.flat.expressions),
        equations_(equations_of(system)),
        unknowns_(unknowns_of(system)),
        incidence_(incidence_of(system, equations_, unknowns_)),
        matching_(empty_matching(incidence_)) {}

  Result<Done> run() {
    find_solvable();
    offer_slots();
    maximise(incidence_, matching_);
    if (system_.options.form == Form::original) complete_by_number();
    if (matching_.size != incidence_.n_rows())
      return explain_singular(system_, equations_, unknowns_, incidence_, matching_, diagnostics_);
    assign_treatments();
    system_.stage = SystemStage::sorted;
    return Done{};
  }

 private:
  // ------------------------------------------------------------ what can be solved for what

  std::uint32_t column_of(VariableId v) const { return unknowns_.number[v.index()]; }

  /// How well a row can be solved for an unknown. `poor`: the divisor changes its size by orders of magnitude between
  /// events, as that of an ideal switch does; in a loop the others would lose their digits by it, and a numerical pivot does
  /// better.
  enum Solvable : std::uint8_t { no, poor, yes };

  /// For every entry of the incidence: is the row explicit in that unknown?
  void find_solvable() {
    solvable_.assign(incidence_.columns.size(), false);
    steady_.assign(incidence_.columns.size(), false);
    for (std::uint32_t r = 0; r < incidence_.n_rows(); ++r) {
      std::size_t entry = incidence_.begin[r];
      for (std::uint32_t c : incidence_.row(r)) {
        Solvable how = how_solvable(r, unknowns_.variables[c]);
        solvable_[entry] = how != no;
        steady_[entry++] = how == yes;
      }
    }
  }

  Solvable how_solvable(std::uint32_t row, VariableId v) {
    const auto& parts = equations_.parts[row];
    return parts.size() == 1 ? how_solvable(equations_.instances[parts[0]].applied, v) : no;
  }

  Solvable how_solvable(const Applied& a, VariableId v) {
    if (a.roots.size() != 1) return no;
    auto slot = static_cast<std::uint32_t>(std::find(a.slots.begin(), a.slots.end(), v) - a.slots.begin());
    const LinearParts& parts = linearity_.solvable_parts(a.root(), slot);
    if (!parts.linear || system_.dag().is_number(parts.coefficient, 0)) return no;
    if (system_.dag().is_number(parts.coefficient)) return yes;
    Interval range = range_of(system_, parts.coefficient, a.slots, a.data);
    if (!range.excludes_zero()) return no;
    return is_steady(range) ? yes : poor;
  }

  bool solvable(std::uint32_t row, std::uint32_t column) const {
    for (std::size_t entry = incidence_.begin[row]; entry < incidence_.begin[row + 1]; ++entry)
      if (incidence_.columns[entry] == column) return solvable_[entry];
    return false;
  }

  // ------------------------------------------------------------ matching

  /// One slot for all instances of a group, or none of them.
  bool offer(const ir::Group& group, const ir::Column& column) {
    std::vector<std::uint32_t> rows, columns;
    for (std::size_t i = 0; i < group.n; ++i) {
      std::uint32_t row = group.rows[0][i].value, c = column_of(column[i]);
      if (c == Matching::none || matching_.of_row[row] != Matching::none || matching_.of_column[c] != Matching::none)
        return false;
      rows.push_back(row);
      columns.push_back(c);
    }
    std::vector<std::uint32_t> sorted = columns;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return false;
    std::sort(rows.begin(), rows.end());
    if (std::adjacent_find(rows.begin(), rows.end()) != rows.end()) return false;
    for (std::size_t i = 0; i < group.n; ++i) {
      matching_.of_row[group.rows[0][i].index()] = columns[i];
      matching_.of_column[columns[i]] = group.rows[0][i].value;
    }
    matching_.size += group.n;
    return true;
  }

  enum Preference : std::uint8_t { only_candidate, solvable_derivative, solvable_algebraic };

  bool wants(const ir::Group& group, const ir::Column& column, Preference preference) const {
    std::uint32_t c = column_of(column[0]), row = group.rows[0][0].value;
    if (c == Matching::none) return false;
    bool derivative = system_.role(column[0]) == ScalarRole::derivative;
    switch (preference) {
      case only_candidate:
        return incidence_.row(row).size() == 1;
      case solvable_derivative:
        return derivative && solvable(row, c);
      case solvable_algebraic:
        return !derivative && solvable(row, c);
    }
    return false;
  }

  void offer_slots() {
    for (Preference preference : {only_candidate, solvable_derivative, solvable_algebraic})
      for (const ir::Group& group : system_.flat.equations.groups) {
        if (group.roots.size() != 1 || group.n == 0) continue;
        for (const ir::Column& column : group.slots)
          if (wants(group, column, preference) && offer(group, column)) break;
      }
  }

  // ------------------------------------------------------------ treatments

  void assign_treatments() {
    std::uint32_t n = incidence_.n_rows();
    system_.treatments.assign(n, {});
    system_.schedule.clear();
    if (system_.options.form != Form::explicit_rates) return keep_all();
    std::uint32_t number = 0;
    for (std::vector<std::uint32_t>& block : blocks_of(incidence_, matching_)) {
      for (std::uint32_t row : block) system_.treatments[row].block = number;
      ++number;
      if (block.size() == 1) treat_alone(block[0]);
      else treat_block(block);
    }
  }

  /// Equations of higher index have no unknown of their own; rows and residuals only have to be as many.
  void complete_by_number() {
    std::uint32_t next = 0;
    for (std::uint32_t r = 0; r < incidence_.n_rows(); ++r) {
      if (matching_.of_row[r] != Matching::none) continue;
      while (matching_.of_column[next] != Matching::none) ++next;
      matching_.of_row[r] = next;
      matching_.of_column[next] = r;
      ++matching_.size;
    }
  }

  void keep_all() {
    for (std::uint32_t row = 0; row < incidence_.n_rows(); ++row) {
      system_.treatments[row].matched = unknowns_.variables[matching_.of_row[row]];
      system_.treatments[row].block = row;
      system_.schedule.push_back(RowId(std::size_t{row}));
    }
  }

  void treat_alone(std::uint32_t row) {
    Treatment& treatment = system_.treatments[row];
    treatment.matched = unknowns_.variables[matching_.of_row[row]];
    treatment.is_explicit = solvable(row, matching_.of_row[row]);
    system_.schedule.push_back(RowId(std::size_t{row}));
  }

  void treat_block(const std::vector<std::uint32_t>& block) {
    Tearing tearing = tear(incidence_, matching_, block, steady_);
    ir::Loop loop;
    loop.size = static_cast<std::uint32_t>(block.size());
    auto number = static_cast<std::uint32_t>(system_.structure.loops.size());
    for (std::uint32_t row : block) system_.treatments[row].loop = number;
    for (auto [row, column] : tearing.assignments) {
      system_.treatments[row].matched = unknowns_.variables[column];
      system_.treatments[row].is_explicit = true;
      system_.schedule.push_back(RowId(std::size_t{row}));
    }
    for (auto [row, column] : tearing.residuals) {
      system_.treatments[row].matched = unknowns_.variables[column];
      system_.schedule.push_back(RowId(std::size_t{row}));
      loop.torn.push_back(unknowns_.variables[column]);
      loop.residuals.push_back(equations_.parts[row].empty() ? 0 : equations_.instances[equations_.parts[row][0]].origin);
    }
    system_.structure.loops.push_back(std::move(loop));
  }

  System& system_;
  Diagnostics& diagnostics_;
  Linearity linearity_;
  EquationRows equations_;
  Unknowns unknowns_;
  Incidence incidence_;
  Matching matching_;
  std::vector<bool> solvable_, steady_;  ///< [entries of the incidence]
};

}  // namespace

Result<Done> sort_equations(System& system, Diagnostics& diagnostics) { return Sorting(system, diagnostics).run(); }

}  // namespace bolza::passes
