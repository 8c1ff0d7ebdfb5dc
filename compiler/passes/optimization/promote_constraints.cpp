// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/promote_constraints.h"

#include <algorithm>

#include "compiler/passes/structure/incidence.h"
#include "compiler/passes/system/parameter_values.h"

namespace bolza::passes {

namespace {

class Promotion {
 public:
  explicit Promotion(System& system)
      : system_(system),
        path_(system.flat.optimization->path),
        unknowns_(unknowns_of(system)) {}

  void run() {
    if (system_.flat.equations.n_rows >= unknowns_.variables.size() || path_.relations.empty()) return;
    equations_ = equations_of(system_);
    std::size_t own = equations_.parts.size();
    collect();
    Incidence incidence = incidence_of(system_, equations_, unknowns_);
    Matching matching = match_equations_first(incidence, own);
    std::vector<bool> promoted(path_.section.n_rows, false);
    for (std::size_t k = 0; k < candidates_.size(); ++k)
      promoted[candidates_[k]] = matching.of_row[own + k] != Matching::none;
    move_rows(promoted);
  }

 private:
  bool can_be_equation(const GroupInstance& i) const {
    return path_.relations[i.rows[0].index()] == ir::Relation::equal &&
           std::none_of(i.applied.slots.begin(), i.applied.slots.end(),
                        [&](VariableId v) { return system_.role(v) == ScalarRole::timed; });
  }

  /// Equalities become candidate rows after the equations; only their variables count here.
  void collect() {
    std::vector<bool> possible(path_.section.n_rows, true);
    for_each_instance(path_.section, [&](const GroupInstance& i) {
      if (!can_be_equation(i)) possible[i.rows[0].index()] = false;
    });
    std::vector<std::uint32_t> place(path_.section.n_rows, Matching::none);
    for_each_instance(path_.section, [&](const GroupInstance& i) {
      std::size_t row = i.rows[0].index();
      if (!possible[row]) return;
      if (place[row] == Matching::none) {
        place[row] = static_cast<std::uint32_t>(equations_.parts.size());
        equations_.parts.emplace_back();
        candidates_.push_back(static_cast<std::uint32_t>(row));
      }
      equations_.parts[place[row]].push_back(static_cast<std::uint32_t>(equations_.instances.size()));
      equations_.instances.push_back(i);
    });
  }

  /// Augmenting paths keep rows matched, so what the equations determine stays theirs.
  static Matching match_equations_first(const Incidence& all, std::size_t own) {
    Incidence first = all;
    first.begin.resize(own + 1);
    first.columns.resize(first.begin.back());
    Matching matching = empty_matching(first);
    maximise(first, matching);
    matching.of_row.resize(all.n_rows(), Matching::none);
    maximise(all, matching);
    return matching;
  }

  void move_rows(const std::vector<bool>& promoted) {
    std::vector<RowId> numbers(promoted.size());
    ir::ConstraintSection rest;
    std::uint32_t next = system_.flat.equations.n_rows;
    for (std::size_t r = 0; r < promoted.size(); ++r) {
      if (promoted[r]) {
        numbers[r] = RowId(std::size_t{next++});
        continue;
      }
      numbers[r] = RowId(rest.relations.size());
      rest.relations.push_back(path_.relations[r]);
    }
    bool merge = system_.options.enabled("group");
    SectionBuilder equations(merge), constraints(merge);
    for_each_instance(system_.flat.equations, [&](const GroupInstance& i) { equations.add(i); });
    for_each_instance(path_.section, [&](GroupInstance i) {
      bool moves = promoted[i.rows[0].index()];
      for (RowId& row : i.rows) row = numbers[row.index()];
      if (!moves) return constraints.add(i);
      ir::Dag& dag = system_.dag();
      Applied difference{{dag.sub(i.applied.roots[0], i.applied.roots[1])}, i.applied.slots, i.applied.data};
      equations.add({Composer(dag).canonical(difference), {i.rows[0]}, i.origin});
    });
    system_.flat.equations = equations.finish(next);
    rest.section = constraints.finish(static_cast<std::uint32_t>(rest.relations.size()));
    path_ = std::move(rest);
  }

  System& system_;
  ir::ConstraintSection& path_;
  Unknowns unknowns_;
  EquationRows equations_;
  std::vector<std::uint32_t> candidates_;
};

}  // namespace

Result<Done> promote_constraints(System& system, Diagnostics&) {
  if (system.flat.optimization) Promotion(system).run();
  return Done{};
}

}  // namespace bolza::passes
