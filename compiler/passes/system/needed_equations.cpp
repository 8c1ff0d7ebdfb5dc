// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/system/needed_equations.h"

#include <algorithm>

namespace bolza::passes {

namespace {

class Peeling {
 public:
  explicit Peeling(System& system)
      : system_(system),
        instances_(instances_of(system.flat.equations)),
        rows_of_(system.n()),
        may_be_shown_(system.n()),
        peeled_(system.flat.equations.n_rows) {}

  ir::Section run() {
    find_what_may_be_shown();
    std::vector<std::vector<VariableId>> read(peeled_.size());
    for (const GroupInstance& i : instances_)
      for (VariableId v : i.applied.slots)
        if (may_be_shown_[v.index()])
          for (RowId row : i.rows) read[row.index()].push_back(v);
    for (std::size_t row = 0; row < read.size(); ++row) {
      std::sort(read[row].begin(), read[row].end());
      read[row].erase(std::unique(read[row].begin(), read[row].end()), read[row].end());
      for (VariableId v : read[row]) rows_of_[v.index()].push_back(static_cast<std::uint32_t>(row));
    }
    std::vector<VariableId> open;
    for (std::size_t v = 0; v < rows_of_.size(); ++v)
      if (rows_of_[v].size() == 1) open.emplace_back(v);
    while (!open.empty()) {
      VariableId v = open.back();
      open.pop_back();
      if (rows_of_[v.index()].size() != 1) continue;
      std::uint32_t row = rows_of_[v.index()][0];
      peeled_[row] = true;
      for (VariableId other : read[row]) {
        std::erase(rows_of_[other.index()], row);
        if (rows_of_[other.index()].size() == 1) open.push_back(other);
      }
    }
    SectionBuilder needed;
    for (const GroupInstance& i : instances_)
      if (!std::ranges::all_of(i.rows, [&](RowId row) { return peeled_[row.index()]; })) needed.add(i);
    return needed.finish(system_.flat.equations.n_rows);
  }

 private:
  void find_what_may_be_shown() {
    for (const ir::Variable& variable : system_.flat.variables) {
      bool bounded = variable.attributes[static_cast<std::size_t>(ir::Attribute::min)].present() ||
                     variable.attributes[static_cast<std::size_t>(ir::Attribute::max)].present();
      if (variable.kind != ir::VariableKind::unknown || bounded) continue;
      for (std::uint32_t i = 0; i < variable.size; ++i) {
        VariableId v(variable.first.index() + i);
        may_be_shown_[v.index()] = system_.role(v) == ScalarRole::algebraic && !system_.derivative[v.index()];
      }
    }
    for (const ir::Variable& variable : system_.flat.variables)
      if (variable.kind == ir::VariableKind::timed || variable.kind == ir::VariableKind::derivative) {
        const ir::Variable& of = ir::variable_of(system_.flat, variable.of);
        for (std::uint32_t i = 0; i < of.size; ++i) may_be_shown_[of.first.index() + i] = false;
      }
    for (const ir::Section* section : sections_of(system_.flat)) {
      if (section == &system_.flat.equations) continue;
      for_each_instance(*section, [&](const GroupInstance& i) { is_read(i.applied.slots); });
    }
    for (const ir::Term* term : terms_of(system_.flat)) is_read(term->slots);
  }

  void is_read(const std::vector<VariableId>& slots) {
    for (VariableId v : slots) may_be_shown_[v.index()] = false;
  }

  System& system_;
  std::vector<GroupInstance> instances_;
  std::vector<std::vector<std::uint32_t>>
      rows_of_;  ///< [variables] that may be shown only: rows that are left and read them
  std::vector<char> may_be_shown_;
  std::vector<char> peeled_;  ///< [rows]
};

}  // namespace

ir::Section needed_equations(System& system) { return Peeling(system).run(); }

}  // namespace bolza::passes
