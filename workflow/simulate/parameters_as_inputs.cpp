// SPDX-License-Identifier: Apache-2.0
#include "workflow/simulate/parameters_as_inputs.h"

#include <vector>

namespace bolza::workflow {
namespace {

constexpr std::uint32_t of_horizon = 2;  // shared entries that stay: startTime, finalTime

/// Where an input position goes when parameters become rows of the point.
struct Moved {
  std::uint32_t n_point = 0, parameters = 0;

  std::uint32_t operator()(std::uint32_t position) const {
    if (position < n_point) return position;
    return position < n_point + of_horizon ? position + parameters : position - of_horizon;
  }
};

/// False: a slot stands for the horizon in one instance and for a parameter in another.
bool move(ir::Function& function, const Moved& moved) {
  for (ir::Group& group : function.section.groups)
    for (ir::Column& slot : group.slots) {
      std::vector<ir::VariableId> positions;
      bool any_stays = false, any_moves = false;
      for (std::size_t i = 0; i < group.n; ++i) {
        std::uint32_t position = slot[i].value;
        (position >= moved.n_point && position < moved.n_point + of_horizon ? any_stays : any_moves) = true;
        positions.emplace_back(moved(position));
      }
      if (any_stays && any_moves) return false;
      slot = ir::Column::listed(std::move(positions));
    }
  function.n_point += moved.parameters;
  function.n_shared = of_horizon;
  return true;
}

}  // namespace

std::string make_parameters_inputs(ir::Problem& p) {
  if (!p.models.empty() || p.is_optimization || p.is_static) return "it is no plain simulation";
  if (p.hybrid) return "it has events";
  if (!p.point.section.groups.empty() || !p.guesses.section.groups.empty()) return "it has an objective or guesses";
  Moved moved{.n_point = static_cast<std::uint32_t>(1 + p.x.size() + p.z.size() + p.u.size()),
              .parameters = static_cast<std::uint32_t>(p.shared.size()) - of_horizon};
  for (ir::Function* f : {&p.rates, &p.residuals, &p.initial, &p.outputs, &p.integrand_residuals})
    if (!move(*f, moved)) return "a formula has the horizon where others have parameters";
  for (ir::OutputSource& source : p.sources)
    if (source.kind == ir::OutputSource::Kind::input) source.index = moved(source.index);
  for (std::size_t k = of_horizon; k < p.shared.size(); ++k) {
    ir::Numbers numbers = p.shared_numbers[k];
    numbers.start = numbers.guess = p.shared_values[k];
    numbers.has_start = numbers.has_guess = true;
    p.u.push_back(p.shared[k]);
    p.u_numbers.push_back(numbers);
  }
  p.shared.resize(of_horizon);
  p.shared_values.resize(of_horizon);
  p.shared_numbers.resize(of_horizon);
  p.n_global = of_horizon;
  p.point.n_shared = of_horizon;
  return "";
}

}  // namespace bolza::workflow
