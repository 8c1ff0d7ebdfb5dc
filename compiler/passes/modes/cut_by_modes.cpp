#include "compiler/passes/modes/cut_by_modes.h"

#include "compiler/ir/canonical.h"
#include "compiler/passes/events/extract_events.h"
#include "compiler/passes/interior/piece_ids.h"
#include "compiler/passes/interior/pieces.h"
#include "compiler/passes/modes/jumps.h"
#include "compiler/passes/modes/mode_branches.h"
#include "compiler/passes/parameters/evaluate_parameters.h"
#include "compiler/passes/simplify/inline_functions.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {
namespace {

constexpr double slack_of_guards =
    1e-7;  ///< times the size of the indicator: at a switch it is zero, and its limit is not met

/// Free times between the modes.
VariableId add_switch_times(ir::FlatModel& model, const std::vector<double>& guesses) {
  ir::Variable times;
  times.name = {{"switchTime", 1}};
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
  if (!evaluate_parameters(system, ignored) || !extract_events(system, ignored)) return false;
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
    variable.kind = ir::VariableKind::parameter, variable.of = {};
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
    variable.kind = ir::VariableKind::unknown, variable.type = ir::ValueType::real;
    variable.fixed.clear();
  }
  flat.discrete_equations = {}, flat.initial_discrete_equations = {};
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

}  // namespace

Result<Done> cut_by_modes(System& system, Diagnostics& diagnostics) {
  const ir::FlatModel& given = system.flat;
  if (!system.options.modes || !given.optimization || given.optimization->is_static) return Done{};
  bool may_be_cut = given.phases.empty();
  if (!may_be_cut && (!system.options.modes->sides.empty() || !given.reinitialisations.section.groups.empty()))
    return Done{};
  if (system.options.events == Events::keep) return Done{};
  const ir::ModeSequence sequence = *system.options.modes;
  bool tells = sequence.sides.empty();
  ir::FlatModel flat = system.flat;
  VariableId first_time;
  if (sequence.sides.size() > 1) first_time = add_switch_times(flat, sequence.times);
  PassOptions options = system.options;
  Jumps jumps(flat);
  System literal(std::move(flat), options);
  if (!make_literal(literal)) return Done{};
  ModeBranches branches(literal, sequence);
  jumps.define(literal, branches);
  if (tells) {
    system.flat.mode_relations = branches.relations(), system.flat.mode_jumps = jumps.listed(literal, branches);
    system.flat.reinitialisations = {};
    system.flat.expressions = std::move(literal.flat.expressions);
    return Done{};
  }
  InteriorTimes times(literal);
  times.collect();
  bool fits = sequence.sides[0].size() == branches.relations().size();
  if (!times.all().empty() || !literal.flat.delays.empty() || !fits)
    return diagnostics.error(no_modes, system.flat.span,
                             {system.flat.name, !fits                  ? "its relations are not those of the sequence"
                                                : !times.all().empty() ? "it has times of its own within the horizon"
                                                                       : "it has a delay"});
  for (std::size_t k = 0; k + 1 < sequence.sides.size(); ++k) {
    VariableId time(first_time.index() + k);
    AffineInParameters at;
    at.on[time] = 1;
    times.all().push_back({std::move(at), literal.span_of(time), literal.name(time)});
  }
  determine_discrete(literal);
  const ir::FlatModel cut = literal.flat;  // pre(x) is what it is
  retire_previous(literal.flat);
  ir::FlatModel old = literal.flat;
  PieceIds ids(old, sequence.sides.size());
  ir::FlatModel next = cut_into_pieces(old, literal, times, branches);
  add_guards(next, branches, sequence, ids);
  jumps.link(cut, next, ids, branches, sequence);
  system = System(std::move(next), options);
  return Done{};
}

}  // namespace bolza::passes
