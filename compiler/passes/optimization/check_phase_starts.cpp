// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/check_phase_starts.h"

#include <set>
#include <string>

#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {
namespace {

class PhaseStarts {
 public:
  PhaseStarts(const System& system, Diagnostics& diagnostics) : system_(system), diagnostics_(diagnostics) {}

  void run() {
    for (const LoweredRow& row : system_.lowered.point) check_link(row);
    for (std::uint32_t k = 0; k < system_.n_phases(); ++k)
      if (follows_another(k)) check_open(k);
  }

 private:
  /// The point value that a slot of a point row is, or null.
  const ir::PointValue* value_of(VariableId v) const {
    return v.index() < system_.n() ? nullptr : &system_.lowered.values[v.index() - system_.n()];
  }
  const ir::TimePlace& place_of(const ir::PointValue& value) const { return system_.lowered.places[value.place]; }
  bool is_at_start(const ir::PointValue& value) const {
    const ir::TimePlace& place = place_of(value);
    return place.on_start == 1 && place.on_final == 0 && place.offset == 0;
  }

  /// `b.x(startTime) = a.x(finalTime)` of an x whose start is fixed: another condition on a, and no link.
  void check_link(const LoweredRow& row) {
    if (row.lower != row.upper) return;
    std::set<std::uint32_t> phases;
    VariableId fixed;
    for (const Applied& part : row.parts)
      for (VariableId v : part.slots) {
        const ir::PointValue* value = value_of(v);
        if (!value || value->quantity == ir::PointQuantity::integral) continue;
        phases.insert(place_of(*value).phase);
        if (value->quantity != ir::PointQuantity::state || !is_at_start(*value)) continue;
        VariableId state = system_.solved.x[value->index];
        if (system_.numbers[state.index()].fixed) fixed = state;
      }
    if (!fixed || phases.size() < 2 || !reported_.insert(system_.span_of_origin(row.origins[0]).begin).second) return;
    const ir::Numbers& numbers = system_.numbers[fixed.index()];
    diagnostics_.warning(link_to_fixed_start, system_.span_of_origin(row.origins[0]),
                         {system_.name(fixed), number_text(numbers.start)}, {{system_.span_of(fixed), "fixed here"}});
  }

  bool follows_another(std::uint32_t phase) const {
    VariableId start = system_.ends_of(phase).start;
    const ir::Numbers& own = system_.numbers[start.index()];
    for (std::uint32_t other = 0; other < system_.n_phases(); ++other) {
      VariableId final = system_.ends_of(other).final;
      const ir::Numbers& end = system_.numbers[final.index()];
      if (other != phase && (final == start || (own.fixed && end.fixed && own.start == end.start))) return true;
    }
    return false;
  }

  /// States whose start nothing says: not fixed, and in no constraint, initial equation or objective.
  void check_open(std::uint32_t phase) {
    std::set<std::uint32_t> stated;
    for (const ir::PointValue& value : system_.lowered.values) {
      if (value.quantity == ir::PointQuantity::integral || place_of(value).phase != phase || !is_at_start(value)) continue;
      if (value.quantity != ir::PointQuantity::state) return;  // algebraic variables may determine them
      stated.insert(value.index);
    }
    bool initial = false;
    for_each_instance(system_.solved.initial,
                      [&](const GroupInstance& i) { initial = initial || system_.phase_of(i.applied.slots) == phase; });
    if (initial) return;
    constexpr std::size_t most = 3;
    std::size_t count = 0;
    std::string names;
    VariableId first;
    for (std::uint32_t k = 0; k < system_.solved.x.size(); ++k) {
      VariableId x = system_.solved.x[k];
      bool is_control = ir::variable_of(system_.flat, x).kind == ir::VariableKind::input;  // whose rate is the control
      if (system_.phase[x.index()] != phase || system_.numbers[x.index()].fixed || is_control || stated.contains(k))
        continue;
      if (++count <= most) names += (first ? ", `" : "`") + system_.name(x) + "`";
      if (!first) first = x;
    }
    if (count > most) names += " and " + std::to_string(count - most) + " more";
    if (first)
      diagnostics_.warning(
          start_left_open, system_.flat.phases[phase].span, {system_.flat.phases[phase].name, names},
          {{{},
            "a constraint links it, `" + system_.name(first) + "(startTime) = ...`; or `fixed = true` holds its start"}});
  }

  const System& system_;
  Diagnostics& diagnostics_;
  std::set<std::uint32_t> reported_;  ///< places of constraints, which scenarios share
};

}  // namespace

void check_phase_starts(const System& system, Diagnostics& diagnostics) {
  if (!system.flat.phases.empty() && !system.flat.are_pieces) PhaseStarts(system, diagnostics).run();
}

}  // namespace bolza::passes
