// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/report/open_starts.h"

#include <algorithm>

#include "base/numbers.h"

namespace bolza::workflow {
namespace {

class OpenStarts {
 public:
  OpenStarts(const Model& model, const abi::Solution& solution)
      : model_(model),
        problem_(model.abi()),
        solution_(solution) {}

  std::vector<OpenStart> run() {
    std::vector<const ir::Problem*> models = ir::models_of(model_.problem);
    for (std::size_t p = 0; p < solution_.phases.size() && p < models.size() && !problem_.is_static; ++p)
      look_at(p, *models[p]);
    return std::move(found_);
  }

 private:
  void look_at(std::size_t p, const ir::Problem& of_phase) {
    const bolza_model& m = *problem_.models[problem_.phases[p].model];
    std::vector<bool> said(m.n_x, false);
    read_initial_equations(of_phase, said);
    if (!read_point_values(p, said)) return;
    const std::vector<std::vector<double>>& x = solution_.phases[p].trajectories.x;
    for (std::size_t i = 0; i < m.n_x && i < x.size(); ++i) {
      bool is_control = ir::variable_of(model_.problem.flat, of_phase.x[i]).kind == ir::VariableKind::input;
      if (!m.x[i].fixed && !said[i] && !is_control && !x[i].empty())
        found_.push_back({name_of(of_phase.x[i], m.x[i]), x[i].front()});
    }
  }

  /// What stands for `der(x)` in `der(der(x))` has no name of its own, but a place in the text.
  std::string name_of(ir::VariableId id, const bolza_variable& x) const {
    std::string name = x.name;
    Span span = ir::variable_of(model_.problem.flat, id).span;
    return name.starts_with('$') && span ? std::string(model_.sources.text(span)) : name;
  }

  /// Slots are places in the point row: time, then the states.
  static void read_initial_equations(const ir::Problem& of_phase, std::vector<bool>& said) {
    for (const ir::Group& group : of_phase.initial.section.groups)
      for (const ir::Column& column : group.slots)
        for (std::size_t k = 0; k < group.n; ++k)
          if (std::size_t at = column[k].index(); at >= 1 && at <= said.size()) said[at - 1] = true;
  }

  /// False where the start of an algebraic variable is named, which may say where any state starts.
  bool read_point_values(std::size_t phase, std::vector<bool>& said) const {
    for (std::size_t k = 0; k < problem_.n_values; ++k) {
      const bolza_value_at& value = problem_.values[k];
      if (value.quantity == BOLZA_INTEGRAL) continue;
      const bolza_place& place = problem_.places[value.place];
      bool at_start = place.on_start == 1 && place.on_final == 0 && place.offset == 0;
      if (static_cast<std::size_t>(place.phase) != phase || !at_start) continue;
      if (value.quantity != BOLZA_STATE) return false;
      said[static_cast<std::size_t>(value.index)] = true;
    }
    return true;
  }

  const Model& model_;
  const bolza_problem& problem_;
  const abi::Solution& solution_;
  std::vector<OpenStart> found_;
};

}  // namespace

std::vector<OpenStart> open_starts(const Model& model, const abi::Solution& solution) {
  return OpenStarts(model, solution).run();
}

std::string text_of(const std::vector<OpenStart>& starts) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, starts.size()); ++k)
    text += (k ? ", `" : "`") + starts[k].name + "` = " + shown(starts[k].value);
  if (starts.size() > most) text += " and " + std::to_string(starts.size() - most) + " more";
  return text;
}

}  // namespace bolza::workflow
