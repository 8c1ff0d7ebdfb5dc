// SPDX-License-Identifier: Apache-2.0
// The standard form as text.
#include "compiler/ir/print.h"

#include <algorithm>
#include <array>

namespace bolza::ir {
namespace {

std::string input_name(const Problem& problem, const FlatModel& names, const Function& function, std::uint32_t position) {
  if (position >= function.n_point) return name_of(names, problem.shared[position - function.n_point]);
  if (position == 0) return "time";
  std::size_t k = position - 1;
  for (const std::vector<VariableId>* list : {&problem.x, &problem.z, &problem.u}) {
    if (k < list->size()) return name_of(names, (*list)[k]);
    k -= list->size();
  }
  return "input" + std::to_string(position);
}

std::string place_text(const TimePlace& place) {
  if (place.on_start == 1 && place.on_final == 0 && place.offset == 0) return "startTime";
  if (place.on_final == 1 && place.on_start == 0 && place.offset == 0) return "finalTime";
  std::string text;
  auto add = [&](double factor, const char* name) {
    if (factor != 0) text += (text.empty() ? "" : " + ") + to_text(factor) + name;
  };
  add(place.on_start, "*startTime");
  add(place.on_final, "*finalTime");
  add(place.offset, "");
  return text.empty() ? "0" : text;
}

std::string point_name(const Problem& problem, std::uint32_t position) {
  if (position >= problem.values.size()) return name_of(problem.flat, problem.shared[position - problem.values.size()]);
  const PointValue& value = problem.values[position];
  if (value.quantity == PointQuantity::integral)
    return "integral" + std::to_string(value.index + 1) +
           (problem.phases.empty() ? "" : " of " + problem.phases[value.place].name);
  const Problem& model = problem.models.empty() ? problem : problem.models[problem.places[value.place].phase];
  const std::vector<VariableId>& list = value.quantity == PointQuantity::algebraic ? model.z
                                        : value.quantity == PointQuantity::control ? model.u
                                                                                   : model.x;
  std::string name = name_of(problem.flat, list[value.index]);
  if (value.quantity == PointQuantity::rate) name = "der(" + name + ")";
  return name + "(" + place_text(problem.places[value.place]) + ")";
}

using PositionName = std::function<std::string(std::uint32_t)>;

std::string group_text(const FlatModel& model, const Group& group, const PositionName& name, ListOptions options) {
  std::string text;
  std::size_t shown = options.instances == 0 ? group.n : std::min<std::size_t>(group.n, options.instances);
  for (std::size_t i = 0; i < shown; ++i) {
    auto leaf = [&](Op op, std::uint32_t k) {
      return op == Op::slot ? name(group.slots[k][i].value) : to_text(group.data[k][i]);
    };
    for (std::size_t r = 0; r < group.roots.size(); ++r)
      text += "    row " + std::to_string(group.rows[r][i].value) +
              " += " + to_text(model.expressions, group.roots[r], leaf) + "\n";
  }
  if (shown < group.n) text += "    // " + std::to_string(group.n - shown) + " more instances of this shape\n";
  return text;
}

std::string function_text(const FlatModel& model, const char* title, const Function& function, const PositionName& name,
                          ListOptions options) {
  if (function.section.n_rows == 0) return "";
  std::string text = "  " + std::string(title) + ": " + std::to_string(function.section.n_rows) + " rows, " +
                     std::to_string(function.section.groups.size()) + " shapes\n";
  for (const Group& group : function.section.groups) text += group_text(model, group, name, options);
  return text;
}

std::string names_text(const FlatModel& model, const char* title, const std::vector<VariableId>& ids) {
  std::string text = "  " + std::string(title) + " (" + std::to_string(ids.size()) + "):";
  for (std::size_t i = 0; i < ids.size() && i < 12; ++i) text += " " + name_of(model, ids[i]);
  return text + (ids.size() > 12 ? " …\n" : "\n");
}

// ---------------------------------------------------------------- events

std::string discrete_text(const FlatModel& model, const DiscreteValue& m) {
  constexpr std::array<const char*, 3> roles{"", ", relation", ", part"};
  std::string text = "    " + name_of(model, m.variable) + roles[static_cast<std::size_t>(m.role)];
  if (m.indicator) text += ", indicator " + std::to_string(*m.indicator);
  return text + (m.time_only ? ", of time" : "") + (m.before ? ", with pre" : "") + "\n";
}

std::string messages_text(const char* title, const std::vector<EventMessage>& messages) {
  std::string text;
  for (const EventMessage& message : messages)
    if (message.level >= AssertionLevel::call) text += "  call of " + message.text + "\n";
    else
      text += "  " + std::string(title) + (message.level == AssertionLevel::warning ? " (warning)" : "") + " \"" +
              message.text + "\"\n";
  return text;
}

std::string hybrid_text(const Problem& problem, const FlatModel& model, ListOptions options) {
  const EventPart& h = *problem.hybrid;
  std::string text = "  discrete values (" + std::to_string(h.discrete.size()) + ")\n";
  std::size_t shown = options.instances == 0 ? h.discrete.size() : std::min<std::size_t>(h.discrete.size(), 12);
  for (std::size_t k = 0; k < shown; ++k) text += discrete_text(model, h.discrete[k]);
  if (shown < h.discrete.size()) text += "    // " + std::to_string(h.discrete.size() - shown) + " more\n";
  for (const EventPart::Previous& p : h.previous)
    text += "  before an event: " + name_of(model, problem.shared[p.before]) + "\n";
  for (const EventPart::Sample& s : h.samples)
    text += "  tick " + name_of(model, problem.shared[s.entry]) + ": from " + to_text(s.start) + " every " +
            to_text(s.interval) + "\n";
  for (std::uint32_t state : h.reinit_states) text += "  reinit of " + name_of(model, problem.x[state]) + "\n";
  text += messages_text("assertion", h.assertions) + messages_text("termination", h.terminations);
  constexpr std::array names{"update", "indicators", "reinit", "initial update", "conditions", "delays"};
  std::vector<Function EventPart::*> members = hybrid_functions();
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Function& f = h.*members[k];
    text += function_text(
        model, names[k], f, [&](std::uint32_t position) { return input_name(problem, model, f, position); }, options);
  }
  return text;
}

/// @param names  has the variables of the model
std::string model_text(const Problem& problem, const FlatModel& names, ListOptions options) {
  std::string text = names_text(names, "states", problem.x) + names_text(names, "algebraics", problem.z) +
                     names_text(names, "controls", problem.u);
  text += names_text(names, "shared", problem.shared);
  text += "  integrals: " + std::to_string(problem.n_q) + ", path constraints: " + std::to_string(problem.n_g) +
          ", point constraints: " + std::to_string(problem.n_k) + ", point residuals: " + std::to_string(problem.n_r) + "\n";
  auto model_functions = {std::pair{"rates", &problem.rates}, std::pair{"residuals", &problem.residuals},
                          std::pair{"initial", &problem.initial}, std::pair{"outputs", &problem.outputs},
                          std::pair{"integrand residuals", &problem.integrand_residuals}};
  for (auto [title, function] : model_functions)
    text += function_text(
        names, title, *function, [&, f = function](std::uint32_t k) { return input_name(problem, names, *f, k); }, options);
  return problem.hybrid ? text + hybrid_text(problem, names, options) : text;
}

}  // namespace

std::string to_text(const Problem& problem, ListOptions options) {
  std::string text = "problem " + problem.flat.name + "\n";
  for (std::size_t k = 0; k < problem.models.size(); ++k)
    text += "phase " + problem.phases[k].name + "\n" + model_text(problem.models[k], problem.flat, options);
  if (!problem.models.empty()) text += "all phases\n";
  text += model_text(problem, problem.flat, options);
  text +=
      function_text(problem.flat, "point", problem.point, [&](std::uint32_t k) { return point_name(problem, k); }, options);
  return text + "end " + problem.flat.name + "\n";
}

}  // namespace bolza::ir
