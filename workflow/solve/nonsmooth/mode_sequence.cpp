// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/nonsmooth/mode_sequence.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "compiler/ir/interpret.h"
#include "runtime/result/phases.h"
#include "runtime/result/restore.h"
#include "workflow/solve/nonsmooth/multipliers_of_pieces.h"
#include "workflow/solve/outcome/piece_names.h"

namespace bolza::workflow {
namespace {

constexpr std::size_t most_modes = 30;
constexpr double shortest_mode = 1e-3;    ///< stretch, of the horizon
constexpr double zero_part = 1e-4;        ///< of the size of an indicator; less is noise of a solver or of a smoothing
constexpr double shortest_border = 1e-2;  ///< stretch at zero, of the horizon
constexpr double nearest_points = 1e-6;   ///< of a mesh, of the horizon: polynomials on less amplify rounding

/// A name in the table of its phase.
std::string without_first_piece(const std::string& name) {
  std::string plain = result::without_phase(name, "piece[1]");
  return plain.empty() ? name : plain;
}

/// The values of one indicator at all times of a table; empty when a variable is not there.
std::vector<double> along(const Model& listed, const ir::Term& term, const result::ResultTable& table) {
  const ir::FlatModel& flat = listed.problem.flat;
  std::vector<const result::ResultVariable*> from;
  for (ir::VariableId v : term.slots) {
    bool is_time = v == ir::VariableId(0u);
    std::string name = ir::name_of(flat, v);
    if (flat.are_pieces) name = without_first_piece(name);
    from.push_back(is_time ? nullptr : result::find(table, name));
    if (!is_time && !from.back()) return {};
  }
  ir::Interpreter<double> interpreter(flat.expressions);
  std::vector<ir::ExprId> roots{term.root};
  ir::Tape tape = ir::make_tape(flat.expressions.dag, roots);
  std::vector<double> out, slots(from.size()), value(1);
  for (std::size_t k = 0; k < table.time.size(); ++k) {
    for (std::size_t i = 0; i < from.size(); ++i) slots[i] = from[i] ? result::value(table, *from[i], k) : table.time[k];
    ir::LeafValues<double> leaves;
    leaves.slots = slots;
    leaves.data = term.data;
    bool done = static_cast<bool>(interpreter.evaluate(tape, leaves, value));
    out.push_back(done ? value[0] : NAN);
  }
  return out;
}

/// Sides at all times. What is zero keeps the side before, at the beginning that of what comes; `at_zero` where nothing
/// does.
std::vector<std::int8_t> sides_of(const std::vector<double>& values, double size, std::int8_t at_zero) {
  std::vector<std::int8_t> sides(values.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (std::fabs(values[k]) > zero_part * size) sides[k] = values[k] > 0 ? 1 : -1;
  auto first = std::find_if(sides.begin(), sides.end(), [](std::int8_t s) { return s != 0; });
  std::int8_t side = first == sides.end() ? at_zero : *first;
  for (std::int8_t& s : sides) side = s = s != 0 ? s : side;
  return sides;
}

/// The reinits that happen between two rows of a table for one time: their states jump, and a relation that may fire them is
/// nearest to zero.
std::vector<ir::ModeSequence::Event> events_at(const Model& listed, const result::ResultTable& table, std::size_t k,
                                               const std::vector<std::vector<double>>& values,
                                               const std::vector<double>& sizes, std::string& trouble) {
  std::vector<ir::ModeSequence::Event> out;
  const std::vector<ir::ModeJump>& jumps = listed.problem.flat.mode_jumps;
  for (std::uint32_t j = 0; j < jumps.size() && table.time[k] == table.time[k - 1]; ++j) {
    const result::ResultVariable* state = result::find(table, jumps[j].state);
    if (!state) continue;
    double before = result::value(table, *state, k - 1), after = result::value(table, *state, k);
    if (std::fabs(after - before) <= zero_part * std::max(std::fabs(before), std::fabs(after))) continue;
    if (jumps[j].relations.empty()) {
      trouble = "`reinit` of `" + jumps[j].state + "` fires at given times";
      return out;
    }
    auto distance = [&](std::uint32_t r) { return std::fabs(values[r][k - 1]) / sizes[r]; };
    std::uint32_t nearest = jumps[j].relations[0];
    for (std::uint32_t r : jumps[j].relations)
      if (distance(r) < distance(nearest)) nearest = r;
    out.push_back({j, nearest});
  }
  return out;
}

/// Where the indicator crosses zero between two times of the table.
double crossing(const std::vector<double>& values, const std::vector<double>& time, std::size_t k) {
  double a = values[k - 1], b = values[k];
  if (!(a * b < 0)) return time[k];
  return time[k - 1] + (time[k] - time[k - 1]) * a / (a - b);
}

/// The modes of one phase, put behind those of the phases before.
class ModesOfPhase {
 public:
  ModesOfPhase(const Model& listed, const result::ResultTable& table, std::vector<std::vector<double>> values)
      : listed_(listed),
        table_(table),
        values_(std::move(values)) {}

  void add_to(ModesOfTable& out) {
    std::size_t n = table_.time.size();
    for (std::size_t r = 0; r < values_.size(); ++r)
      sides_.push_back(values_[r].empty()
                           ? std::vector<std::int8_t>(n, 1)
                           : sides_of(values_[r], out.sequence.sizes[r], listed_.problem.flat.mode_relations[r].at_zero));
    events_.resize(n);
    for (std::size_t k = 1; k < n; ++k) events_[k] = events_at(listed_, table_, k, values_, out.sequence.sizes, out.trouble);
    find_stretches(out.trouble);
    if (begins_.size() > most_modes)
      out.trouble = std::to_string(begins_.size()) + " modes: something slides along a change, or chatters";
    ir::ModeSequence& sequence = out.sequence;
    if (!sequence.sides.empty()) sequence.times.push_back(NAN);
    sequence.times.insert(sequence.times.end(), begins_.begin() + 1, begins_.end());
    sequence.sides.insert(sequence.sides.end(), modes_.begin(), modes_.end());
    sequence.jumps.insert(sequence.jumps.end(), jumps_.begin(), jumps_.end());
  }

 private:
  std::vector<std::int8_t> at(std::size_t k) const {
    std::vector<std::int8_t> all;
    for (const auto& one : sides_) all.push_back(one[k]);
    return all;
  }

  void find_stretches(std::string& trouble) {
    std::size_t n = table_.time.size();
    double horizon = table_.time.back() - table_.time.front();
    bool jumps = std::ranges::any_of(events_, [](const auto& list) { return !list.empty(); });
    for (std::size_t k = 0; k < n;) {
      std::vector<std::int8_t> now = at(k);
      std::size_t end = k + 1;
      while (end < n && at(end) == now && events_[end].empty()) ++end;
      double start = table_.time[k];
      for (std::size_t r = 0; k > 0 && r < sides_.size(); ++r)
        if (sides_[r][k] != sides_[r][k - 1]) start = crossing(values_[r], table_.time, k);
      double stop = end < n ? table_.time[end] : table_.time.back();
      bool is_long = stop - start > shortest_mode * horizon;
      bool is_new = modes_.empty() || modes_.back() != now || !events_[k].empty();
      if (!is_long && !events_[k].empty()) trouble = "jumps that follow each other without an interval between them";
      if (is_long && is_new) {
        if (jumps && !begins_.empty()) jumps_.push_back(events_[k]);
        modes_.push_back(now);
        begins_.push_back(start);
      }
      k = end;
    }
    if (modes_.empty()) {
      modes_.push_back(at(0));
      begins_.push_back(table_.time.front());
    }
  }

  const Model& listed_;
  const result::ResultTable& table_;
  std::vector<std::vector<double>> values_;                   ///< [relations][times] of indicators; empty: of another phase
  std::vector<std::vector<std::int8_t>> sides_;               ///< [relations][times]
  std::vector<std::vector<ir::ModeSequence::Event>> events_;  ///< [times]
  std::vector<std::vector<std::int8_t>> modes_;               ///< [modes][relations]
  std::vector<double> begins_;                                ///< [modes]
  std::vector<std::vector<ir::ModeSequence::Event>> jumps_;
};

/// Which pieces each phase of the model has.
std::vector<std::pair<std::size_t, std::size_t>> pieces_of_phases(const ir::ModeSequence& sequence, std::size_t n) {
  std::vector<std::pair<std::size_t, std::size_t>> phases{{0, n}};
  for (std::size_t k = 0; k < sequence.times.size(); ++k)
    if (std::isnan(sequence.times[k])) {
      phases.back().second = k + 1;
      phases.emplace_back(k + 1, n);
    }
  return phases;
}

/// A piece or a phase that has no other to be joined with: names as the joined table would have them.
void name_without_phase(result::ResultTable& table, const std::string& phase) {
  for (result::ResultVariable& v : table.variables)
    if (std::string plain = result::without_phase(v.name, phase); !plain.empty()) v.name = plain;
}

/// The phases from `first` on, those before `end`, in one table.
result::ResultTable joined(const Model& model, const abi::Solution& solution, std::size_t first, std::size_t end) {
  std::vector<result::ResultTable> tables;
  std::vector<std::string> names;
  for (std::size_t k = first; k < end; ++k) {
    tables.push_back(result::make_table(model.abi(), solution, k));
    names.emplace_back(model.abi().phases[k].name ? model.abi().phases[k].name : "");
  }
  if (tables.size() > 1) return result::join_phases(tables, names);
  name_without_phase(tables[0], names[0]);
  return std::move(tables[0]);
}

std::string name_of(const bolza_variable& v) { return v.name ? v.name : ""; }

std::set<std::string> parameters_of(const Model& model) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < model.abi().n_parameters; ++i) names.insert(name_of(model.abi().parameters[i]));
  return names;
}

std::map<std::string, double> values_of_parameters(const Model& model, const abi::Solution& solution) {
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < model.abi().n_parameters && i < solution.parameters.size(); ++i)
    values.emplace(name_of(model.abi().parameters[i]), solution.parameters[i]);
  return values;
}

}  // namespace

result::ResultTable whole_table(const Model& model, const abi::Solution& solution) {
  return joined(model, solution, 0, solution.phases.size());
}

std::vector<result::ResultTable> tables_of(const Model& model, const abi::Solution& solution) {
  std::vector<result::ResultTable> tables;
  for (std::size_t k = 0; k < solution.phases.size(); ++k) {
    tables.push_back(result::make_table(model.abi(), solution, k));
    if (model.problem.flat.are_pieces) name_without_phase(tables.back(), model.abi().phases[k].name);
  }
  return tables;
}

ModesOfTable modes_of(const Model& listed, std::span<const result::ResultTable> phases) {
  ModesOfTable out;
  std::vector<std::vector<std::vector<double>>> values(phases.size());
  for (const ir::ModeRelation& relation : listed.problem.flat.mode_relations) {
    out.relations.push_back(relation.text);
    double size = 0;
    bool known = false;
    for (std::size_t p = 0; p < phases.size(); ++p) {
      values[p].push_back(along(listed, relation.indicator, phases[p]));
      known = known || !values[p].back().empty();
      for (double v : values[p].back()) size = std::max(size, std::fabs(v));
    }
    if (!known || !std::isfinite(size)) {
      out.trouble = "`" + relation.text + "` is not known";
      return out;
    }
    out.sequence.sizes.push_back(size > 0 ? size : 1);
  }
  if (out.relations.empty()) {
    out.trouble = "there is no relation, abs, min, max or sign that may change sides";
    return out;
  }
  for (std::size_t p = 0; p < phases.size(); ++p) ModesOfPhase(listed, phases[p], std::move(values[p])).add_to(out);
  return out;
}

std::optional<Border> border_of(const Model& listed, std::span<const result::ResultTable> phases) {
  for (const ir::ModeRelation& relation : listed.problem.flat.mode_relations)
    for (const result::ResultTable& table : phases) {
      std::vector<double> values = along(listed, relation.indicator, table);
      double size = 0, horizon = table.time.back() - table.time.front();
      for (double v : values) size = std::max(size, std::fabs(v));
      auto is_zero = [&](std::size_t k) { return std::fabs(values[k]) <= zero_part * size; };
      for (std::size_t k = 0, end = 0; k < values.size(); k = end + 1) {
        for (end = k; end < values.size() && is_zero(end);) ++end;
        if (end == k || table.time[end - 1] - table.time[k] < shortest_border * horizon) continue;
        return Border{relation.text, table.time[k], table.time[end - 1]};
      }
    }
  return {};
}

std::vector<result::ResultTable> tables_without_modes(const Model& pieces, const abi::Solution& solution,
                                                      const Model& model) {
  std::set<std::string> known = parameters_of(model), of_pieces = parameters_of(pieces);
  std::vector<result::ResultTable> tables;
  for (auto [first, end] : pieces_of_phases(*pieces.request.modes, solution.phases.size())) {
    tables.push_back(without_pieces(joined(pieces, solution, first, end)));
    std::erase_if(tables.back().variables,
                  [&](const result::ResultVariable& v) { return of_pieces.contains(v.name) && !known.contains(v.name); });
  }
  return tables;
}

abi::Solution guess_in_modes(const Model& pieces, const std::vector<result::ResultTable>& phases) {
  std::size_t n = pieces.abi().n_phases;
  if (n == 1) {
    const result::ResultTable& only = phases[0];
    std::vector<result::ResultTable> table{result::as_phase(only, "piece[1]", only.time.front(), only.time.back())};
    return result::restore(pieces.abi(), table).solution;
  }
  std::vector<result::ResultTable> tables;
  std::vector<std::pair<std::size_t, std::size_t>> ranges = pieces_of_phases(*pieces.request.modes, n);
  for (std::size_t p = 0; p < ranges.size(); ++p)
    tables.insert(tables.end(), ranges[p].second - ranges[p].first, phases[std::min(p, phases.size() - 1)]);
  return result::restore(pieces.abi(), tables).solution;
}

std::vector<double> switch_times(const Model& pieces, const abi::Solution& solution, const Model& model) {
  std::set<std::string> known = parameters_of(model);
  std::vector<double> found, times;
  for (std::size_t i = 0; i < pieces.abi().n_parameters; ++i) {
    std::string name = name_of(pieces.abi().parameters[i]);
    if (name.starts_with("switchTime") && !known.contains(name)) found.push_back(solution.parameters[i]);
  }
  std::size_t next = 0;
  for (double guess : pieces.request.modes->times)
    times.push_back(std::isnan(guess) || next == found.size() ? NAN : found[next++]);
  return times;
}

abi::Solution without_modes(const Model& pieces, const abi::Solution& solution, const Model& model) {
  std::vector<result::ResultTable> tables = tables_without_modes(pieces, solution, model);
  abi::Solution out = result::restore(model.abi(), tables).solution;
  out.status = solution.status;
  out.objective = solution.objective;
  out.statistics = solution.statistics;
  out.log = solution.log;
  out.findings = solution.findings;
  std::map<std::string, double> values = values_of_parameters(pieces, solution);  // tables lack those of end points alone
  for (std::size_t i = 0; i < model.abi().n_parameters; ++i)
    if (auto at = values.find(name_of(model.abi().parameters[i])); at != values.end()) out.parameters[i] = at->second;
  auto ranges = pieces_of_phases(*pieces.request.modes, solution.phases.size());
  for (std::size_t p = 0; p < out.phases.size() && out.phases.size() == ranges.size(); ++p) {
    std::span<const abi::PhaseSolution> parts(solution.phases.begin() + static_cast<std::ptrdiff_t>(ranges[p].first),
                                              solution.phases.begin() + static_cast<std::ptrdiff_t>(ranges[p].second));
    abi::PhaseSolution& whole = out.phases[p];
    whole.start_time = parts.front().start_time;
    whole.final_time = parts.back().final_time;
    whole.transcription = parts.front().transcription;
    whole.points = parts.front().points;
    whole.control_constant = parts.front().control_constant;
    double length = whole.final_time - whole.start_time;
    whole.mesh = {0};
    for (const abi::PhaseSolution& part : parts)
      for (double share : part.mesh) {
        double at = (part.start_time + share * (part.final_time - part.start_time) - whole.start_time) / length;
        if (at > whole.mesh.back() + nearest_points) whole.mesh.push_back(std::min(at, 1.0));
      }
    whole.mesh.back() = 1;
  }
  if (out.phases.size() == ranges.size()) carry_multipliers(pieces, solution, ranges, model, out);
  return out;
}

}  // namespace bolza::workflow
