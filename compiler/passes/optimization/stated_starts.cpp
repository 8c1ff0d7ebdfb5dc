// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/stated_starts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "compiler/ir/interpret.h"

namespace bolza::passes {
namespace {

class StatedStarts {
 public:
  explicit StatedStarts(System& system) : system_(system), interpreter_(system.flat.expressions) {}

  void run() {
    const std::vector<LoweredRow>& rows = system_.lowered.point;
    open_.resize(rows.size());
    for (std::uint32_t r = 0; r < rows.size(); ++r)
      if (rows[r].lower == rows[r].upper && find_open(r)) try_row(r);
    while (!queue_.empty()) {
      std::uint32_t r = queue_.back();
      queue_.pop_back();
      try_row(r);
    }
  }

 private:
  bool is_value(VariableId v) const { return v.index() >= system_.n(); }
  const ir::PointValue& value_of(VariableId v) const { return system_.lowered.values[v.index() - system_.n()]; }
  VariableId state_of(VariableId v) const { return system_.solved.x[value_of(v).index]; }
  bool is_at_start(VariableId v) const {
    const ir::TimePlace& place = system_.lowered.places[value_of(v).place];
    return place.on_start == 1 && place.on_final == 0 && place.offset == 0;
  }
  bool is_known(VariableId state) const {
    const ir::Numbers& numbers = system_.numbers[state.index()];
    return numbers.has_start || numbers.has_guess;
  }

  /// Finds the states of a row that have no value yet; false where the row reads what is no state.
  bool find_open(std::uint32_t r) {
    std::vector<VariableId>& open = open_[r];
    for (const Applied& part : system_.lowered.point[r].parts)
      for (VariableId v : part.slots) {
        if (!is_value(v)) continue;
        if (value_of(v).quantity != ir::PointQuantity::state) return false;
        VariableId state = state_of(v);
        if (!is_known(state) && std::find(open.begin(), open.end(), state) == open.end()) open.push_back(state);
        if (open.size() > most_open) return false;
      }
    for (VariableId state : open) readers_[state].push_back(r);
    return true;
  }

  /// Gives the one state that is open its value, where the row is linear in its value at the start.
  void try_row(std::uint32_t r) {
    std::vector<VariableId>& open = open_[r];
    std::erase_if(open, [&](VariableId state) { return is_known(state); });
    if (open.size() != 1 || !reads_start_alone(r, open[0])) return;
    double at_zero = value(r, 0) - system_.lowered.point[r].lower, at_one = value(r, 1) - system_.lowered.point[r].lower;
    double slope = at_one - at_zero, start = -at_zero / slope;
    double left = value(r, start) - system_.lowered.point[r].lower;
    if (!std::isfinite(start) || !(std::abs(left) <= rounding * (std::abs(at_zero) + std::abs(at_one)))) return;
    ir::Numbers& numbers = system_.numbers[open[0].index()];
    numbers.guess = std::clamp(start, numbers.min, numbers.max);
    numbers.has_guess = true;
    for (std::uint32_t reader : readers_[open[0]]) queue_.push_back(reader);
  }

  /// Is every value of the state in this row the one at its start?
  bool reads_start_alone(std::uint32_t r, VariableId state) const {
    for (const Applied& part : system_.lowered.point[r].parts)
      for (VariableId v : part.slots)
        if (is_value(v) && state_of(v) == state && !is_at_start(v)) return false;
    return true;
  }

  /// The row with all that is known in it, and `open` for what is not; NaN where that is not defined.
  double value(std::uint32_t r, double open) {
    double sum = 0;
    for (const Applied& part : system_.lowered.point[r].parts) {
      std::vector<double> slots;
      for (VariableId v : part.slots) {
        VariableId of = is_value(v) ? state_of(v) : v;
        const ir::Numbers& numbers = system_.numbers[of.index()];
        slots.push_back(is_value(v) && !is_known(of) ? open : numbers.has_guess ? numbers.guess : numbers.start);
      }
      double result = NAN;
      if (!interpreter_.evaluate(part.roots, {.slots = slots, .data = part.data}, std::span(&result, 1))) return NAN;
      sum += result;
    }
    return sum;
  }

  static constexpr std::size_t most_open = 8;  ///< of a row that is looked at: means over many states say nothing of one
  static constexpr double rounding = 1e-9;

  System& system_;
  ir::Interpreter<double> interpreter_;
  std::vector<std::vector<VariableId>> open_;  ///< [point rows] states
  std::unordered_map<VariableId, std::vector<std::uint32_t>> readers_;
  std::vector<std::uint32_t> queue_;
};

}  // namespace

Result<Done> guess_stated_starts(System& system, Diagnostics&) {
  if (system.flat.optimization && !system.flat.are_pieces) StatedStarts(system).run();
  return Done{};
}

}  // namespace bolza::passes
