#include "workflow/solve/mode_sequence.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "compiler/ir/interpret.h"
#include "runtime/result/phases.h"
#include "runtime/result/restore.h"

namespace bolza::workflow {
namespace {

constexpr std::size_t most_modes = 30;
constexpr double shortest_mode = 1e-3;   ///< stretch, of the horizon
constexpr double zero_part = 1e-4;       ///< of the size of an indicator; less is noise of a solver or of a smoothing
constexpr double nearest_points = 1e-6;  ///< of a mesh, of the horizon: polynomials on less amplify rounding

/// The values of one indicator at all times of a table; empty when a variable is not there.
std::vector<double> along(const Model& listed, const ir::Term& term, const result::ResultTable& table) {
  const ir::FlatModel& flat = listed.problem.flat;
  std::vector<const result::ResultVariable*> from;
  for (ir::VariableId v : term.slots) {
    bool is_time = v == ir::VariableId(0u);
    from.push_back(is_time ? nullptr : result::find(table, ir::name_of(flat, v)));
    if (!is_time && !from.back()) return {};
  }
  ir::Interpreter<double> interpreter(flat.expressions);
  std::vector<ir::ExprId> roots{term.root};
  ir::Tape tape = ir::make_tape(flat.expressions.dag, roots);
  std::vector<double> out, slots(from.size()), value(1);
  for (std::size_t k = 0; k < table.time.size(); ++k) {
    for (std::size_t i = 0; i < from.size(); ++i) slots[i] = from[i] ? result::value(table, *from[i], k) : table.time[k];
    ir::LeafValues<double> leaves;
    leaves.slots = slots, leaves.data = term.data;
    bool done = static_cast<bool>(interpreter.evaluate(tape, leaves, value));
    out.push_back(done ? value[0] : NAN);
  }
  return out;
}

/// Sides at all times. What is zero keeps the side before, at the beginning that of what comes.
std::vector<std::int8_t> sides_of(const std::vector<double>& values, double size) {
  std::vector<std::int8_t> sides(values.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (std::fabs(values[k]) > zero_part * size) sides[k] = values[k] > 0 ? 1 : -1;
  auto first = std::find_if(sides.begin(), sides.end(), [](std::int8_t s) { return s != 0; });
  std::int8_t side = first == sides.end() ? std::int8_t{1} : *first;
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
    if (jumps[j].relations.empty()) return trouble = "`reinit` of `" + jumps[j].state + "` fires at given times", out;
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

}  // namespace

result::ResultTable whole_table(const Model& model, const abi::Solution& solution) {
  std::vector<result::ResultTable> tables;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < solution.phases.size(); ++k) {
    tables.push_back(result::make_table(model.abi(), solution, k));
    names.emplace_back(model.abi().phases[k].name ? model.abi().phases[k].name : "");
  }
  if (tables.size() > 1) return result::join_phases(tables, names);
  for (result::ResultVariable& v : tables[0].variables)  // a single piece has no other to be joined with
    if (std::string plain = result::without_phase(v.name, names[0]); !plain.empty()) v.name = plain;
  return std::move(tables[0]);
}

ModesOfTable modes_of(const Model& listed, const result::ResultTable& table) {
  ModesOfTable out;
  std::vector<std::vector<double>> values;
  std::vector<std::vector<std::int8_t>> sides;
  for (const ir::ModeRelation& relation : listed.problem.flat.mode_relations) {
    out.relations.push_back(relation.text);
    values.push_back(along(listed, relation.indicator, table));
    double size = 0;
    for (double v : values.back()) size = std::max(size, std::fabs(v));
    if (values.back().empty() || !std::isfinite(size)) return out.trouble = "`" + relation.text + "` is not known", out;
    out.sequence.sizes.push_back(size > 0 ? size : 1);
    sides.push_back(sides_of(values.back(), size));
  }
  if (out.relations.empty()) return out.trouble = "there is no relation, abs, min, max or sign that may change sides", out;
  std::size_t n = table.time.size();
  double horizon = table.time.back() - table.time.front();
  auto at = [&](std::size_t k) {
    std::vector<std::int8_t> all;
    for (const auto& one : sides) all.push_back(one[k]);
    return all;
  };
  std::vector<double> begins;
  std::vector<std::vector<ir::ModeSequence::Event>> events(n);
  for (std::size_t k = 1; k < n; ++k) events[k] = events_at(listed, table, k, values, out.sequence.sizes, out.trouble);
  bool jumps = std::ranges::any_of(events, [](const auto& list) { return !list.empty(); });
  for (std::size_t k = 0; k < n;) {
    std::vector<std::int8_t> now = at(k);
    std::size_t end = k + 1;
    while (end < n && at(end) == now && events[end].empty()) ++end;
    double start = table.time[k];
    for (std::size_t r = 0; k > 0 && r < sides.size(); ++r)
      if (sides[r][k] != sides[r][k - 1]) start = crossing(values[r], table.time, k);
    double stop = end < n ? table.time[end] : table.time.back();
    bool is_long = stop - start > shortest_mode * horizon;
    bool is_new = out.sequence.sides.empty() || out.sequence.sides.back() != now || !events[k].empty();
    if (!is_long && !events[k].empty()) out.trouble = "jumps that follow each other without a stretch between them";
    if (is_long && is_new) {
      if (jumps && !begins.empty()) out.sequence.jumps.push_back(events[k]);
      out.sequence.sides.push_back(now), begins.push_back(start);
    }
    k = end;
  }
  if (out.sequence.sides.empty()) out.sequence.sides.push_back(at(0)), begins.push_back(table.time.front());
  out.sequence.times.assign(begins.begin() + 1, begins.end());
  if (out.sequence.sides.size() > most_modes)
    out.trouble = std::to_string(out.sequence.sides.size()) + " modes: something slides along a change, or chatters";
  return out;
}

std::vector<std::string> relations_that_change(const Model& listed, const Model& model, const abi::Solution& solution) {
  std::vector<std::string> changing;
  for (std::size_t k = 0; k < solution.phases.size(); ++k) {
    result::ResultTable table = result::make_table(model.abi(), solution, k);
    for (const ir::ModeRelation& relation : listed.problem.flat.mode_relations) {
      std::vector<double> values = along(listed, relation.indicator, table);
      double size = 0;
      for (double v : values) size = std::max(size, std::fabs(v));
      if (values.empty() || !(size > 0)) continue;
      std::vector<std::int8_t> sides = sides_of(values, size);
      bool changes = std::ranges::adjacent_find(sides, std::not_equal_to<>{}) != sides.end();
      if (changes && std::ranges::find(changing, relation.text) == changing.end()) changing.push_back(relation.text);
    }
  }
  return changing;
}

abi::Solution in_one_piece(const Model& pieces, const abi::Solution& solution, const Model& model) {
  std::vector<result::ResultTable> tables{whole_table(pieces, solution)};
  abi::Solution out = result::restore(model.abi(), tables).solution;
  out.status = solution.status, out.objective = solution.objective;
  out.statistics = solution.statistics, out.log = solution.log, out.findings = solution.findings;
  if (out.phases.size() != 1 || solution.phases.empty()) return out;
  abi::PhaseSolution& whole = out.phases[0];
  const abi::PhaseSolution& first = solution.phases.front();
  whole.start_time = first.start_time, whole.final_time = solution.phases.back().final_time;
  whole.transcription = first.transcription, whole.points = first.points, whole.control_constant = first.control_constant;
  double length = whole.final_time - whole.start_time;
  whole.mesh = {0};
  for (const abi::PhaseSolution& phase : solution.phases)
    for (double share : phase.mesh) {
      double at = (phase.start_time + share * (phase.final_time - phase.start_time) - whole.start_time) / length;
      if (at > whole.mesh.back() + nearest_points) whole.mesh.push_back(std::min(at, 1.0));
    }
  whole.mesh.back() = 1;
  return out;
}

}  // namespace bolza::workflow
