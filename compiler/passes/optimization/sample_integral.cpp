// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/sample_integral.h"

#include <algorithm>
#include <utility>

#include "compiler/passes/system/codes.h"

namespace bolza::passes {

namespace {

class Sampling {
 public:
  Sampling(System& system, PointValueCollector& points, Composer& composer, Diagnostics& diagnostics)
      : system_(system),
        points_(points),
        composer_(composer),
        diagnostics_(diagnostics) {}

  Result<Done> run() {
    Lowered& lowered = system_.lowered;
    take_accumulators();
    bool any = std::any_of(lowered.integrands.begin(), lowered.integrands.end(),
                           [](const LoweredRow& row) { return !row.parts.empty(); });
    if (!any || system_.flat.optimization->is_static)
      return diagnostics_.error(nothing_to_sample, system_.flat.optimization->span);
    for (std::uint32_t phase = 0; phase < lowered.integrands.size(); ++phase) sample(phase);
    return Done{};
  }

 private:
  /// The state x of an objective's part x(tf), or none.
  VariableId state_at_end(const Applied& part) const {
    if (system_.dag().op(part.root()) != ir::Op::slot) return {};
    VariableId v = part.slots[system_.dag().index(part.root())];
    if (v.index() < system_.n()) return {};
    const ir::PointValue& value = system_.lowered.values[v.index() - system_.n()];
    const ir::TimePlace& place = system_.lowered.places[value.place];
    bool at_end = place.on_start == 0 && place.on_final == 1 && place.offset == 0;
    return at_end && value.quantity == ir::PointQuantity::state ? system_.solved.x[value.index] : VariableId{};
  }

  bool is_read(VariableId x) const {
    bool found = false;
    for (const ir::Section* section : {&system_.solved.rates, &system_.solved.residuals, &system_.solved.initial})
      for_each_instance(*section, [&](const GroupInstance& i) {
        found = found || std::find(i.applied.slots.begin(), i.applied.slots.end(), x) != i.applied.slots.end();
      });
    return found;
  }

  /// Objective parts err(tf) become the integrand der(err).
  void take_accumulators() {
    LoweredRow& objective = system_.lowered.objective;
    for (std::size_t k = objective.parts.size(); k-- > 0;) {
      VariableId x = state_at_end(objective.parts[k]);
      if (!x || is_read(x)) continue;
      std::uint32_t position = system_.solved.position[x.index()], phase = system_.phase_of(std::span(&x, 1));
      LoweredRow& integrand = system_.lowered.integrands[phase == no_phase ? 0 : phase];
      for_each_instance(system_.solved.rates, [&](const GroupInstance& i) {
        if (i.rows[0].value != position) return;
        integrand.parts.push_back(i.applied);
        integrand.origins.push_back(objective.origins[k]);
      });
      objective.parts.erase(objective.parts.begin() + static_cast<std::ptrdiff_t>(k));
      objective.origins.erase(objective.origins.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }

  void sample(std::uint32_t phase) {
    LoweredRow integrand = std::exchange(system_.lowered.integrands[phase], {});
    LoweredRow& objective = system_.lowered.objective;
    for (std::uint32_t k = 0; k <= *system_.options.samples; ++k) {
      std::uint32_t place = points_.place_between(static_cast<double>(k) / *system_.options.samples, phase);
      for (std::size_t i = 0; i < integrand.parts.size(); ++i) {
        objective.parts.push_back(composer_.compose(
            integrand.parts[i], [&](VariableId v) { return system_.varies(v) ? &points_.at(v, place) : nullptr; }));
        objective.origins.push_back(integrand.origins[i]);
      }
    }
  }

  System& system_;
  PointValueCollector& points_;
  Composer& composer_;
  Diagnostics& diagnostics_;
};

}  // namespace

Result<Done> sample_integral(System& system, PointValueCollector& points, Composer& composer, Diagnostics& diagnostics) {
  return Sampling(system, points, composer, diagnostics).run();
}

}  // namespace bolza::passes
