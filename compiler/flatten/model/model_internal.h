// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/result.h"
#include "compiler/flatten/model/streams_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/instance/evaluate.h"
#include "compiler/instance/functions/actions.h"
#include "compiler/ir/flat_model.h"

namespace bolza::flatten {

struct ConnectionGraph;
struct FieldPlan;
struct Frame;
class Leaves;
struct TableData;

/// Ids while the model is being made. Derivatives, timed values and auxiliary variables get their place after the declared
/// variables at the end, when it is known which of them exist; until then the three upper bits say what an id is.
namespace provisional {
inline constexpr std::uint32_t derivative = 0x40000000u;  ///< | id of the variable
inline constexpr std::uint32_t timed = 0x80000000u;       ///< | place in Model::timed
inline constexpr std::uint32_t auxiliary = 0xC0000000u;   ///< | place in 0 … Model::n_auxiliary
inline constexpr std::uint32_t kind = 0xC0000000u;
inline constexpr std::uint32_t previous =
    0x20000000u;  ///< | id of a declared or auxiliary variable: its value before the event
inline constexpr std::uint32_t any = kind | previous;
}  // namespace provisional

/// x(t1): a variable at a time slot.
struct TimedValue {
  std::uint32_t of = 0;
  std::uint32_t slot = 0;
};

/// Auxiliary variables made together, for the instances of one equation.
struct AuxiliaryRun {
  std::uint32_t first = 0, size = 0;
  Span span;
  std::string stem = "$sum";  ///< of the name
  ir::VariableKind kind = ir::VariableKind::unknown;
  ir::ValueType type = ir::ValueType::real;
  bool free =
      false;  ///< a parameter that is a decision; its stem, and that of an input, is its name, unless several are alike
  std::uint32_t of = 0;         ///< of a derivative: provisional id of its state, an auxiliary made before
  bool starts_at_zero = false;  ///< a state that is 0 at the start
};

/// An operator of clocks, for one scalar: `result` stands for it in equations until clocks are known.
struct ClockUse {
  ClockOperator op = ClockOperator::sample;
  std::uint32_t result = 0;         ///< provisional id
  std::optional<ir::Term> operand;  ///< absent: `interval()`, `Clock()`
  std::optional<ir::Term> other;    ///< the clock of a sample, the start interval of an event clock
  std::int64_t factor = 0, resolution = 1;
  std::string method;     ///< of a solver clock
  bool is_clock = false;  ///< it gives a clock, not a value
  ir::ValueType type = ir::ValueType::real;
  Span span;
};

/// What makes the state of an integral, der(state) = integrand.
struct IntegralRow {
  std::size_t group = 0;  ///< of the equations
  ir::ExprId integrand;   ///< over the slots and data of that group
};

/// Everything that the steps of flattening share.
struct Model {
  instance::InstanceTree& tree;
  Diagnostics& diagnostics;
  ir::FlatModel flat;
  Nodes nodes;
  std::shared_ptr<instance::Actions> actions;  ///< becomes a part of the flat model when there are any

  std::unordered_map<const Instance*, std::uint32_t> first_phase;  ///< of the components that are phases
  std::unordered_map<const Instance*, std::uint32_t> first_id;     ///< of the scalars and arrays that have ids
  std::int64_t terms = 0;                                          ///< of sums that are written out
  bool too_large = false;                                  ///< a variable was refused for its size: the rest means nothing
  std::unordered_map<const Instance*, AxisId> first_axis;  ///< of array components: the axis of their first dimension
  std::map<std::pair<const Instance*, std::vector<std::int64_t>>, instance::Value> values;  ///< of constants and parameters
  std::map<std::vector<std::uint64_t>, std::uint32_t> time_slot_of;  ///< root, slots and data of a time → its slot
  std::unordered_map<std::uint64_t, std::uint32_t> timed_of;         ///< (slot, variable) → place in `timed`
  std::vector<TimedValue> timed;
  std::vector<AuxiliaryRun> auxiliaries;
  std::uint32_t n_auxiliary = 0;
  std::map<std::vector<std::uint64_t>, std::uint32_t> auxiliary_of;  ///< terms of a sample or delay → its provisional id
  std::map<std::vector<std::uint64_t>, std::uint32_t> integral_of;   ///< integrand and phase → provisional id of its state
  std::vector<IntegralRow> integrals;                                ///< one for each of them
  std::array<std::uint32_t, 3> flags{};                              ///< provisional ids by Flag, 0: not used
  std::unordered_set<const Instance*> assigned_in_when;
  std::unordered_set<const Instance*> set_at_start;  ///< parameters that initial equations determine, Reals only by these
  std::unordered_map<std::uint32_t, Span> set_in_when, reinitialised;  ///< id of a variable → the equation that does it
  double rounding = 0;                                                 ///< of tables of straight lines, see flatten
  std::vector<std::unique_ptr<TableData>> tables;                      ///< of the library's table objects
  std::unordered_set<const Instance*> unusable_tables;                 ///< of which it was said
  std::map<std::pair<const TableData*, std::string>, ir::ProgramId> table_programs;  ///< by what they compute
  std::deque<std::unique_ptr<Frame>> frames;                                         ///< specialised functions
  std::unordered_set<const Instance*>
      warned_of_quotients;  ///< external functions whose derivatives are difference quotients
  std::map<std::pair<const Instance*, std::vector<std::int64_t>>, std::shared_ptr<void>>
      objects;  ///< external objects made so far
  std::unordered_set<const ast::Argument*>
      unused_annotations;                         ///< annotations of functions of which it was said that they are not used
  std::unordered_set<const Instance*> evaluated;  ///< parameters whose values shaped the model
  std::unordered_map<const Instance*, bool> needs_values;  ///< of functions: see needs_values_internal.h
  std::unordered_map<const Instance*, bool> side_effects;  ///< of functions: see side_effects_internal.h
  std::unordered_map<const Instance*, bool> impure;        ///< of functions: see side_effects_internal.h
  std::size_t n_interpreted = 0;                           ///< calls that the interpreter runs
  std::unordered_map<const Node*, std::vector<const Node*>>
      computed_outputs;  ///< of calls computed at compile time, by the first
  std::map<std::pair<const Instance*, std::vector<std::int64_t>>, std::int64_t>
      connects;  ///< how often an element of a connector is a side of a connection, see cardinality
  bool connects_counted = false;
  std::unordered_map<const Instance*, Stream> streams;  ///< by the stream variable
  std::unordered_map<const Instance*, FlowRange> flow_ranges;
  std::deque<Instance> stream_instances;  ///< what `inStream` gives, beside the tree
  std::deque<std::string> stream_names;
  /// What `actualStream` gave: the flow that chooses, and the same without events.
  std::unordered_map<const Node*, std::pair<const Node*, const Node*>> actual_streams;
  std::unique_ptr<ConnectionGraph> graph;  ///< of overconstrained connectors, see connection_graph of `typing`
  std::map<std::pair<const ast::Component*, const instance::Definition*>, bool> overconstrained_types;
  std::unordered_map<const Instance*, bool> overconstrained;  ///< whether a component, or a part of it, has such a type
  std::unique_ptr<FieldPlan> fields;                          ///< of PDEModelica
  bool has_buses = false;                                     ///< a component is an expandable connector
  std::unordered_set<const Instance*> mentioned_in_buses;     ///< members of expandable connectors that expressions name
  std::vector<ClockUse> clock_uses;                           ///< in the order of their results
  const Node* clock = nullptr;                                ///< of the clocked when-clause that is being translated
  bool smooth_streams = false;                                ///< twice differentiable in the flows
  std::deque<ast::Equation> made_equations;                   ///< that say what statements say
  std::deque<std::vector<const ast::Equation*>> made_bodies;
  std::deque<std::vector<ast::Branch<ast::Equation>>> made_branches;
  std::unique_ptr<Leaves> structural;  ///< StructuralLeaves; set before anything is translated
  Instance final_time;                 ///< stands for finalTime where the class has no such member

  Model(instance::InstanceTree& tree, Diagnostics& diagnostics);
  ~Model();
  ir::Dag& dag() { return flat.expressions.dag; }
  std::int64_t most_terms() const { return std::int64_t{2} * flat.max_scalars; }
  bool has_too_many_terms() const { return terms > most_terms(); }
  AxisId axis_of(const Instance& instance, std::size_t dimension);
  /// The axes of all arrays on the way from the root to an instance, its own last.
  std::vector<AxisId> axes_to(const Instance* innermost);
  Leaves& structural_leaves() { return *structural; }
};

/// Value of a constant or parameter; `outer` are the indices of its array ancestors.
Result<const instance::Value*> value_of(Model& model, const Instance& component, const std::vector<std::int64_t>& outer,
                                        Span used_at);

/// What sets terms apart from others.
std::vector<std::uint64_t> key_of(std::span<const ir::Term> terms);

/// The slot of a time, made when there is none yet.
std::uint32_t time_slot(Model& model, const ir::Term& time);
/// finalTime as an expression.
const Node* final_time(Model& model, Span span);
/// Place of a timed value in `Model::timed`, made when there is none yet.
std::uint32_t timed_value(Model& model, std::uint32_t of, std::uint32_t slot);

/// Runs `translate`, which gives an Outcome<Done>, on the space, and again on its parts where it asks for a split. What it
/// does before it asks must not be seen afterwards.
template <class Translate>
void for_each_part(Space space, Translate translate) {
  std::vector<Space> todo;
  todo.push_back(std::move(space));
  while (!todo.empty()) {
    Work work(std::move(todo.back()));
    todo.pop_back();
    if (work.space.n == 0) continue;
    Outcome<Done> done = translate(work);
    if (done || !done.failure().is(Again::How::split)) continue;
    std::vector<Space> parts = work.parts(done.failure());
    std::move(parts.rbegin(), parts.rend(), std::back_inserter(todo));
  }
}

/// The same where every part is needed: a mistake in one is a mistake of the whole.
template <class Translate>
Outcome<Done> every_part(Space space, Translate translate) {
  Outcome<Done> all = Done{};
  for_each_part(std::move(space), [&](Work& work) -> Outcome<Done> {
    Outcome<Done> done = translate(work);
    if (!done && done.failure().reported()) all = done;
    return done;
  });
  return all;
}

}  // namespace bolza::flatten
