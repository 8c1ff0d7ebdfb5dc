// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/modes/cut_by_modes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/ir/canonical.h"
#include "compiler/passes/events/extract_events.h"
#include "compiler/passes/interior/piece_ids.h"
#include "compiler/passes/interior/pieces.h"
#include "compiler/passes/interior/time_order.h"
#include "compiler/passes/modes/held_controls.h"
#include "compiler/passes/modes/jumps.h"
#include "compiler/passes/modes/mode_branches.h"
#include "compiler/passes/parameters/evaluate_parameters.h"
#include "compiler/passes/phases/assign_phases.h"
#include "compiler/passes/simplify/inline_functions.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {
namespace {

constexpr double slack_of_guards =
    1e-7;  ///< times the size of the indicator: at a switch it is zero, and its limit is not met

/// Free times between the modes; not a number: a phase or a piece of the model ends there.
VariableId add_switch_times(ir::FlatModel& model, std::vector<double> guesses) {
  std::erase_if(guesses, [](double guess) { return std::isnan(guess); });
  if (guesses.empty()) return {};
  std::string name = "switchTime";
  auto taken = [&](const ir::Variable& v) { return v.name.size() == 1 && v.name[0].name == name; };
  while (std::ranges::any_of(model.variables, taken)) name += '_';
  ir::Variable times;
  times.name = {{name, 1}};
  times.size = static_cast<std::uint32_t>(guesses.size());
  times.dimensions = {times.size};
  times.kind = ir::VariableKind::parameter;
  times.free = true;
  times.description = "when a relation changes its side";
  times.span = model.span;
  times.first = VariableId(std::size_t{model.n_scalars});
  auto& terms = times.attributes[static_cast<std::size_t>(ir::Attribute::initial_guess)].terms;
  ir::Dag& dag = model.expressions.dag;
  for (double guess : guesses) terms.push_back(ir::canonical(dag, ir::Term{dag.number(guess), {}, {}, model.span}));
  model.n_scalars += times.size;
  model.variables.push_back(std::move(times));
  return model.variables.back().first;
}

/// Relations are taken literally and functions become expressions, so that all of them can be seen.
bool make_literal(System& system) {
  Diagnostics ignored;  // the passes after say it again
  if (!evaluate_parameters(system, ignored) || !assign_phases(system, ignored)) return false;
  if (!extract_events(system, ignored)) return false;
  if (!inline_functions(system, ignored)) return false;
  Composer composer(system.dag());
  insert_definitions(system, composer);
  return true;
}

/// What is pre(x) of a model without events has no reader left: parameters in the place of these variables.
void retire_previous(ir::FlatModel& flat) {
  for (ir::Variable& variable : flat.variables) {
    if (variable.kind != ir::VariableKind::previous) continue;
    std::string name = "$pre" + std::to_string(variable.first.index());
    variable.name = {{name, static_cast<std::uint32_t>(variable.dimensions.size())}};
    variable.kind = ir::VariableKind::parameter;
    variable.of = {};
    variable.is_protected = true;
    ir::Dag& dag = flat.expressions.dag;
    variable.binding.terms = {ir::canonical(dag, ir::Term{dag.zero(), {}, {}, variable.span})};
  }
}

/// Discrete variables without memory become numbers of each piece: unknowns with an equation.
void determine_discrete(System& literal) {
  ir::FlatModel& flat = literal.flat;
  ir::Dag& dag = literal.dag();
  for (ir::Variable& variable : flat.variables) {
    if (variable.kind != ir::VariableKind::discrete) continue;
    for (std::uint32_t e = 0; e < variable.size; ++e) {
      VariableId v(variable.first.index() + e);
      const Applied* is = literal.definition(v);
      ExprId value = is ? is->root() : dag.zero();
      if (is && variable.type == ir::ValueType::boolean) value = dag.make(ir::Op::select, value, dag.one(), dag.zero());
      ir::Group group;
      std::vector<VariableId> slots = is ? is->slots : std::vector<VariableId>{};
      ExprId own = dag.slot(static_cast<std::uint32_t>(slots.size()));
      slots.push_back(v);
      GroupInstance row{{{dag.sub(own, value)}, slots, is ? is->data : std::vector<double>{}},
                        {RowId(std::size_t{flat.equations.n_rows++})},
                        static_cast<std::uint32_t>(flat.origins.size())};
      flat.origins.push_back({variable.span, {}, 0});
      SectionBuilder builder(false);
      Composer composer(dag);
      row.applied = composer.canonical(row.applied);
      builder.add(row);
      for (ir::Group& made : builder.finish(flat.equations.n_rows).groups) flat.equations.groups.push_back(std::move(made));
    }
    variable.kind = ir::VariableKind::unknown;
    variable.type = ir::ValueType::real;
    variable.fixed.clear();
  }
  flat.discrete_equations = {};
  flat.initial_discrete_equations = {};
}

/// The constraints that keep each relation on its side.
void add_guards(ir::FlatModel& next, const ModeBranches& branches, const ir::ModeSequence& sequence, const PieceIds& ids) {
  ir::Dag& dag = next.expressions.dag;
  Composer composer(dag);
  ir::ConstraintSection& path = next.optimization->path;
  for (const auto& [at, guard] : branches.guards()) {
    auto [piece, relation] = at;
    std::int8_t side = sequence.sides[piece][relation];
    double size = relation < sequence.sizes.size() ? sequence.sizes[relation] : 1;
    Applied row = guard.indicator;
    row.roots = {side > 0 ? row.root() : dag.neg(row.root()), dag.number(-slack_of_guards * size)};
    for (VariableId& v : row.slots) v = ids.of(v, piece);
    RowId number(std::size_t{path.section.n_rows++});
    SectionBuilder builder(false);
    builder.add({composer.canonical(row), {number, number}, static_cast<std::uint32_t>(next.origins.size())});
    next.origins.push_back({branches.relations()[relation].span, {}, 0});
    for (ir::Group& made : builder.finish(path.section.n_rows).groups) path.section.groups.push_back(std::move(made));
    path.relations.push_back(ir::Relation::greater_equal);
    next.mode_guards.push_back({number, static_cast<std::uint32_t>(relation), static_cast<std::uint32_t>(piece), side});
  }
}

/// Branches of what reads time, by the times of the model's own, and of what varies.
class BothBranches final : public Branches {
 public:
  BothBranches(Branches& of_time, Branches& of_modes) : of_time_(of_time), of_modes_(of_modes) {}
  Applied in_piece(const Applied& what, std::size_t piece) override {
    return of_modes_.in_piece(of_time_.in_piece(what, piece), piece);
  }

 private:
  Branches &of_time_, &of_modes_;
};

/// Why a model cannot be cut, "" where it can.
std::string refusal(System& literal, const InteriorTimes& times) {
  const ir::FlatModel& flat = literal.flat;
  if (!flat.delays.empty()) return "it has a delay";
  if (!flat.optimization->switching.empty()) return "it says how often a control may change";
  if (VariableId v = times.not_affine()) return "`" + literal.name(v) + "` is at a time that depends on what is sought";
  if (flat.phases.empty()) return "";
  for (const ir::Variable& variable : flat.variables)
    for (std::uint32_t e = 0; e < variable.size; ++e) {
      VariableId v(variable.first.index() + e);
      bool copied = variable.kind == ir::VariableKind::unknown || variable.kind == ir::VariableKind::input ||
                    variable.kind == ir::VariableKind::discrete;
      if (copied && literal.phase[v.index()] == no_phase) return "`" + literal.name(v) + "` is in none of its phases";
      if (variable.kind != ir::VariableKind::timed || !literal.varies(literal.owner[v.index()])) continue;
      const ir::Term& time = flat.time_slots[variable.time_slot + (variable.one_time_slot ? 0 : e)].time;
      VariableId of = literal.owner[v.index()];
      if (of.index() != 0 && !is_at_end_of_phase(literal, of, time, true) && !is_at_end_of_phase(literal, of, time, false))
        return "`" + literal.name(v) + "` is read within its phase";
    }
  return "";
}

/// Puts the times of the model's own and those of the switches into one order: where the sequence says that a piece ends,
/// else by their guesses. The sequence gets the pieces between them all. Not where these do not fit each other.
bool merge_times(System& literal, InteriorTimes& times, ir::ModeSequence& sequence, HeldControls& held,
                 VariableId switches) {
  std::vector<InteriorTime> own = std::move(times.all());
  std::vector<InteriorTime>& all = times.all();
  all.clear();
  auto ends_piece = [](double time) { return std::isnan(time); };
  bool told = std::ranges::any_of(sequence.times, ends_piece);
  if (told && static_cast<std::size_t>(std::ranges::count_if(sequence.times, ends_piece)) != own.size()) return false;
  ir::ModeSequence given = std::move(sequence);
  sequence = {{}, {given.sides[0]}, given.sizes, {}};
  HeldControls given_held = std::exchange(held, {});
  if (!given_held.empty()) held.push_back(given_held[0]);
  std::size_t next = 0;
  auto cut = [&](InteriorTime time, double guess, std::size_t into, std::vector<ir::ModeSequence::Event> jumps) {
    all.push_back(std::move(time));
    sequence.times.push_back(guess);
    sequence.sides.push_back(given.sides[into]);
    if (!given_held.empty()) held.push_back(given_held[into]);
    if (!given.jumps.empty()) sequence.jumps.push_back(std::move(jumps));
  };
  auto cut_at_own = [&](std::size_t into) {
    double guess = times.times().guess(own[next].time);
    cut(own[next], guess, into, {});
    ++next;
  };
  for (std::size_t k = 0; k < given.times.size(); ++k) {
    if (ends_piece(given.times[k])) {
      cut_at_own(k + 1);
      continue;
    }
    while (!told && next < own.size() && times.times().guess(own[next].time) <= given.times[k]) cut_at_own(k);
    AffineInParameters at;
    at.on[switches] = 1;
    cut({std::move(at), literal.span_of(switches), literal.name(switches)}, given.times[k], k + 1,
        given.jumps.empty() ? std::vector<ir::ModeSequence::Event>{} : given.jumps[k]);
    switches = VariableId(switches.index() + 1);
  }
  while (next < own.size()) cut_at_own(given.sides.size() - 1);
  return true;
}

/// How many pieces each phase has: as many as the sequence has up to where it says that the phase ends.
std::vector<std::size_t> pieces_of_phases(const ir::ModeSequence& sequence) {
  std::vector<std::size_t> pieces{1};
  for (double time : sequence.times)
    if (std::isnan(time)) pieces.push_back(1);
    else ++pieces.back();
  return pieces;
}

}  // namespace

Result<Done> cut_by_modes(System& system, Diagnostics& diagnostics) {
  const ir::FlatModel& given = system.flat;
  if (!system.options.modes || !given.optimization || given.optimization->is_static) return Done{};
  if (!given.phases.empty() && !given.reinitialisations.section.groups.empty()) return Done{};
  if (system.options.events == Events::keep) return Done{};
  PassOptions options = system.options;
  ir::ModeSequence& sequence = *options.modes;
  bool tells = sequence.sides.empty();
  ir::FlatModel flat = system.flat;
  VariableId switches = add_switch_times(flat, sequence.times);
  Jumps jumps(flat);
  System literal(std::move(flat), options);
  if (!make_literal(literal)) return Done{};
  ModeBranches branches(literal, sequence);
  jumps.define(literal, branches);
  if (tells) {
    system.flat.mode_relations = branches.relations();
    system.flat.mode_jumps = jumps.listed(literal, branches);
    system.flat.reinitialisations = {};
    system.flat.expressions = std::move(literal.flat.expressions);
    return Done{};
  }
  bool in_phases = !literal.flat.phases.empty();
  InteriorTimes times(literal);
  if (!in_phases) times.collect();
  std::vector<std::size_t> pieces = pieces_of_phases(sequence);
  std::string why = refusal(literal, times);
  Diagnostics said_before;  // of the model as it is written
  bool keeps_sides = options.held.empty();
  if (why.empty() && keeps_sides && sequence.sides[0].size() != branches.relations().size())
    why = "its relations are not those of the sequence";
  if (why.empty() && !times.all().empty() && !order_times(literal, times, said_before))
    why = "the order of its free times is not known";
  bool fits = in_phases ? pieces.size() == literal.flat.phases.size()
                        : merge_times(literal, times, sequence, options.held, switches);
  if (why.empty() && !fits) why = "its phases and times are not those of the sequence";
  if (!why.empty()) return diagnostics.error(no_modes, system.flat.span, {system.flat.name, why});
  determine_discrete(literal);
  const ir::FlatModel cut = literal.flat;  // pre(x) is what it is
  retire_previous(literal.flat);
  ir::FlatModel old = literal.flat;
  PieceIds ids = in_phases ? PieceIds(old, literal.phase, pieces) : PieceIds(old, sequence.sides.size());
  FixedBranches of_time(literal.dag(), times);
  BothBranches both(of_time, branches);
  ir::FlatModel next =
      in_phases ? cut_phases_into_pieces(old, literal, ids, switches, branches) : cut_into_pieces(old, literal, times, both);
  add_guards(next, branches, sequence, ids);
  if (std::string unknown = hold_controls(old, next, ids, options.held); !unknown.empty())
    return diagnostics.error(no_modes, system.flat.span, {system.flat.name, "`" + unknown + "` is no input of it"});
  jumps.link(cut, next, ids, branches, sequence);
  system = System(std::move(next), options);
  return Done{};
}

}  // namespace bolza::passes
