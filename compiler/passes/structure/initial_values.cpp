// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/structure/initial_values.h"

#include <algorithm>

#include "compiler/passes/structure/check_balance.h"
#include "compiler/passes/structure/incidence.h"
#include "compiler/passes/system/add_rows.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

namespace {

/// p becomes a discrete variable, p = pre(p).
void make_discrete(System& system, std::size_t number, SectionBuilder& rows, std::uint32_t& n_rows) {
  system.flat.variables[number].kind = ir::VariableKind::discrete;
  const ir::Variable variable = system.flat.variables[number];
  ir::Variable before;
  before.kind = ir::VariableKind::previous;
  before.type = variable.type;
  before.of = variable.first;
  before.size = variable.size;
  before.span = variable.span;
  VariableId first = add_variable(system, std::move(before));
  system.flat.origins.push_back({variable.span, {}});
  auto origin = static_cast<std::uint32_t>(system.flat.origins.size() - 1);
  for (std::uint32_t i = 0; i < variable.size; ++i) {
    VariableId p(variable.first.index() + i), earlier(first.index() + i);
    system.roles[p.index()] = ScalarRole::discrete;
    system.numbers[earlier.index()] = system.numbers[p.index()];
    RowId row(std::size_t{n_rows++});
    rows.add({{{system.dag().slot(0), system.dag().slot(1)}, {p, earlier}, {}}, {row, row}, origin});
  }
}

void make_state(System& system, VariableId p) {
  VariableId rate = system.add_derivative(p, 1);
  system.roles[p.index()] = ScalarRole::state;
  system.derivative[p.index()] = rate;
  system.definitions[rate.index()] = constant(system.dag(), 0);
}

}  // namespace

Result<Done> free_initial_parameters(System& system, Diagnostics&) {
  if (system.flat.optimization) return Done{};
  ir::Section& discrete = system.flat.discrete_equations.section;
  SectionBuilder rows(system.options.enabled("group"));
  std::uint32_t n_rows = discrete.n_rows;
  for (std::size_t k = 0, n = system.flat.variables.size(); k < n; ++k) {
    const ir::Variable variable = system.flat.variables[k];
    if (variable.kind != ir::VariableKind::parameter || variable.free) continue;
    std::uint32_t free = 0;
    for (std::uint32_t i = 0; i < variable.size; ++i)
      free += system.role(VariableId(variable.first.index() + i)) == ScalarRole::free_parameter ? 1 : 0;
    bool counts = variable.type != ir::ValueType::real;
    if (counts && free == variable.size && system.keeps_events()) {
      make_discrete(system, k, rows, n_rows);
      continue;
    }
    for (std::uint32_t i = 0; i < variable.size; ++i)
      if (VariableId p(variable.first.index() + i); system.role(p) == ScalarRole::free_parameter) make_state(system, p);
  }
  if (n_rows == discrete.n_rows) return Done{};
  for_each_instance(discrete, [&](const GroupInstance& instance) { rows.add(instance); });
  discrete = rows.finish(n_rows);
  return Done{};
}

namespace {

bool is_smooth(const ir::Dag& dag, const Applied& applied) {
  std::vector<ExprId> nodes = ir::reachable(dag, applied.roots);
  return std::none_of(nodes.begin(), nodes.end(), [&](ExprId e) {
    return dag.op(e) == ir::Op::call || ir::row_of(dag.op(e)).smoothness != ir::Smoothness::smooth;
  });
}

class Completion {
 public:
  Completion(System& system, Diagnostics& diagnostics)
      : system_(system),
        diagnostics_(diagnostics),
        place_(system.n(), Matching::none) {
    for (const auto* list : {&system.solved.z, &system.solved.x})
      for (VariableId v : *list) {
        if (system.role(v) == ScalarRole::state && system.numbers[v.index()].fixed) continue;
        place_[v.index()] = static_cast<std::uint32_t>(unknowns_.size());
        unknowns_.push_back(v);
      }
  }

  void run() {
    add_rows(system_.solved.residuals);
    std::size_t own = origins_.size();
    add_rows(system_.solved.initial);
    Matching matching = match(), complete = matching;
    use_starts_of_others(complete);
    for (std::size_t c = 0; c < unknowns_.size(); ++c) {
      VariableId v = unknowns_[c];
      if (complete.of_column[c] != Matching::none || system_.role(v) != ScalarRole::state) continue;
      system_.numbers[v.index()].fixed = true;
      system_.structure.start_values_used.push_back(v);
    }
    if (matching.size < origins_.size()) warn(matching, own);
  }

 private:
  void add_rows(const ir::Section& section) {
    std::vector<std::vector<std::uint32_t>> rows(section.n_rows);
    std::vector<std::uint32_t> origins(section.n_rows, 0);
    for_each_instance(section, [&](const GroupInstance& i) {
      for (RowId row : i.rows) {
        origins[row.index()] = i.origin;
        for (VariableId v : i.applied.slots)
          if (v.index() < place_.size() && place_[v.index()] != Matching::none)
            rows[row.index()].push_back(place_[v.index()]);
      }
    });
    for (std::vector<std::uint32_t>& row : rows) {
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      all_.columns.insert(all_.columns.end(), row.begin(), row.end());
      all_.begin.push_back(static_cast<std::uint32_t>(all_.columns.size()));
    }
    origins_.insert(origins_.end(), origins.begin(), origins.end());
  }

  /// Lower: rather determined by equations than by a start value.
  std::uint32_t priority(VariableId v) const {
    if (system_.role(v) != ScalarRole::state) return 0;
    const ir::Variable& variable = ir::variable_of(system_.flat, v);
    if (!system_.numbers[v.index()].has_start) return 1;
    if (variable.kind == ir::VariableKind::parameter) return 2;
    return 8 - static_cast<std::uint32_t>(std::min<std::size_t>(variable.name.size(), 5));
  }

  /// A row once matched stays so, and a column too: later classes only fill what earlier ones leave open.
  Matching match() {
    all_.n_columns = static_cast<std::uint32_t>(unknowns_.size());
    Matching matching = empty_matching(all_);
    std::vector<std::uint32_t> classes(unknowns_.size());
    for (std::size_t c = 0; c < unknowns_.size(); ++c) classes[c] = priority(unknowns_[c]);
    for (std::uint32_t upto = 0; upto <= 8; ++upto) {
      if (upto > 0 && std::find(classes.begin(), classes.end(), upto) == classes.end()) continue;
      Incidence some;
      some.n_columns = all_.n_columns;
      some.begin = {0};
      for (std::uint32_t r = 0; r < all_.n_rows(); ++r) {
        for (std::uint32_t c : all_.row(r))
          if (classes[c] <= upto) some.columns.push_back(c);
        some.begin.push_back(static_cast<std::uint32_t>(some.columns.size()));
      }
      maximise(some, matching);
    }
    return matching;
  }

  /// A variable that is no state, but a smooth function of some, and whose start an enclosing class gives.
  bool tells_start(VariableId v) const {
    const ir::Variable& variable = ir::variable_of(system_.flat, v);
    const ir::Numbers& numbers = system_.numbers[v.index()];
    const Applied* definition = system_.definition(v);
    bool own =
        variable.kind == ir::VariableKind::unknown && variable.type == ir::ValueType::real && !system_.merged[v.index()];
    if (!own || !definition || system_.role(v) != ScalarRole::algebraic) return false;
    return numbers.has_start && numbers.start != 0 && variable.start_depth < variable.name.size() &&
           is_smooth(system_.dag(), *definition);
  }

  /// States of which nothing is said start where that gives other variables their start values: the outermost first, each
  /// only where it determines one state more.
  void use_starts_of_others(Matching& matching) {
    auto is_open = [&](std::size_t c) { return matching.of_column[c] == Matching::none && priority(unknowns_[c]) == 1; };
    std::size_t open = 0;
    for (std::size_t c = 0; c < unknowns_.size(); ++c) open += is_open(c) ? 1 : 0;
    if (open == 0) return;
    std::vector<VariableId> telling;
    for (std::uint32_t k = 0; k < system_.n(); ++k)
      if (VariableId v(std::size_t{k}); tells_start(v)) telling.push_back(v);
    std::stable_sort(telling.begin(), telling.end(), [&](VariableId a, VariableId b) {
      return ir::variable_of(system_.flat, a).start_depth < ir::variable_of(system_.flat, b).start_depth;
    });
    Incidence with = all_;
    for (VariableId v : telling) {
      for (VariableId slot : system_.definition(v)->slots)
        if (std::uint32_t c = place_[slot.index()]; c != Matching::none && priority(unknowns_[c]) <= 1)
          with.columns.push_back(c);
      with.begin.push_back(static_cast<std::uint32_t>(with.columns.size()));
    }
    std::size_t own = all_.n_rows();
    matching.of_row.resize(with.n_rows(), Matching::none);
    maximise(with, matching);
    for (std::size_t k = 0; k < telling.size(); ++k)
      if (matching.of_row[own + k] != Matching::none) add_start(telling[k]);
  }

  /// The initial equation v = start.
  void add_start(VariableId v) {
    Applied start = constant(system_.dag(), system_.numbers[v.index()].start);
    std::uint32_t origin = add_origin(system_, system_.span_of(v));
    add_row(system_, system_.solved.initial, difference(system_.dag(), *system_.definition(v), start), origin);
    system_.solved.initial_origins.push_back(origin);
    system_.structure.start_values_used.push_back(v);
  }

  void warn(const Matching& matching, std::size_t own) {
    Decomposition parts = decompose(all_, matching);
    std::vector<Note> notes;
    Span first;
    std::size_t n = 0;
    for (std::uint32_t r : parts.over_rows) {
      if (r < own || ++n > 8) continue;
      Span span = system_.span_of_origin(origins_[r]);
      if (!first) first = span;
      std::string text = text_of_origin(system_, origins_[r]);
      notes.push_back({span, "one of them: " + (text.empty() ? std::string("a fixed start") : text)});
    }
    if (n == 0) return;  // 0 = h alone: a matter of its own
    std::vector<VariableId> fixed;
    std::vector<bool> seen(system_.n(), false);
    auto collect = [&](const ir::Section& section, std::size_t offset) {
      for_each_instance(section, [&](const GroupInstance& i) {
        if (!std::binary_search(parts.over_rows.begin(), parts.over_rows.end(),
                                static_cast<std::uint32_t>(i.rows[0].index() + offset)))
          return;
        for (VariableId v : i.applied.slots)
          if (v.index() < seen.size() && system_.role(v) == ScalarRole::state && system_.numbers[v.index()].fixed &&
              !seen[v.index()]) {
            seen[v.index()] = true;
            fixed.push_back(v);
          }
      });
    };
    collect(system_.solved.residuals, 0);
    collect(system_.solved.initial, own);
    for (std::size_t k = 0; k < fixed.size() && k < 8; ++k) {
      if (std::find(system_.structure.start_values_used.begin(), system_.structure.start_values_used.end(), fixed[k]) !=
          system_.structure.start_values_used.end())
        continue;
      notes.push_back({system_.span_of(fixed[k]), "a fixed start: `" + system_.name(fixed[k]) + "`"});
    }
    diagnostics_.warning(too_many_initial, first, {std::to_string(origins_.size() - matching.size)}, std::move(notes));
  }

  System& system_;
  Diagnostics& diagnostics_;
  std::vector<VariableId> unknowns_;
  std::vector<std::uint32_t> place_, origins_;  ///< [n_scalars] column; [rows]
  Incidence all_{{0}, {}, 0};
};

}  // namespace

Result<Done> complete_initial_values(System& system, Diagnostics& diagnostics) {
  bool hides_constraints = system.structure.remaining_index > 1;  // on the states, between the equations of higher index
  if (!system.flat.optimization && !hides_constraints) Completion(system, diagnostics).run();
  return Done{};
}

}  // namespace bolza::passes
