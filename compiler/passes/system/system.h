// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/diagnostics.h"
#include "base/result.h"
#include "compiler/ir/flat_model.h"
#include "compiler/ir/problem.h"
#include "compiler/passes/system/applied.h"
#include "compiler/passes/system/transformation.h"

namespace bolza::passes {

/// What the passes are asked for.
struct PassOptions : Transformation {
  std::map<std::string, double, std::less<>> values;  ///< parameter values that replace bindings, by full name
  const Sources* sources = nullptr;  ///< for the texts of rows; null: names are printed from the expressions
  std::uint32_t inline_slots = 24;   ///< an algebraic stays when its expression has more variables
  std::uint32_t inline_depth = 100;  ///< or more operations than this, and than twice those of its equation as written
  std::uint32_t inline_growth = 2;   ///< or when inlining would make the operations grow by more than this factor
  std::uint32_t roll_from = 8;       ///< groups of at least so many instances stay rolled
  std::uint32_t fuse_limit = 1000;   ///< operations of one fused group
  bool wants_objective = true;       ///< a problem without one is warned of; false: other outputs are asked for

  bool enabled(std::string_view pass) const { return !disabled.contains(pass); }
};

/// What a scalar variable is in the equations.
enum class ScalarRole : std::uint8_t {
  time,
  start_time,
  final_time,
  fixed_parameter,  ///< has a value in `numbers[].start`
  free_parameter,   ///< a decision; also parameters with fixed=false
  dependent,        ///< a parameter that is a function of free ones; has a definition
  state,
  derivative,
  algebraic,
  input,
  timed,
  discrete,  ///< constant between events: m, pre(v), relations, ticks and flags
  unused,    ///< a derivative that no equation reads any more, because its coefficients are zero
};

/// Modelica's StateSelect, weakest first.
enum class StateSelect : std::uint8_t { never, avoid, standard, prefer, always };

/// What was decided about an equation row.
struct Treatment {
  VariableId matched;        ///< none: no unknown
  bool is_explicit = false;  ///< the row is solved for `matched`, in blocks of one or after tearing
  std::uint32_t block = 0;
  std::uint32_t loop = 0xffffffff;  ///< in Structure::loops, of blocks of several rows
};

/// The equations after elimination: variables of the standard form and sections over them.
struct Solved {
  std::vector<VariableId> x, z, u;
  ir::Section rates;      ///< row = state
  ir::Section residuals;  ///< row = algebraic
  ir::Section initial;
  std::vector<std::uint32_t> residual_origins, initial_origins;
  std::vector<std::uint32_t> position;  ///< [n_scalars] in x, z or u
  std::vector<bool> rate_sum;           ///< [n_scalars] derivatives that are sums of rates: no definition, not in z
};

inline constexpr std::uint32_t no_phase = 0xffffffff;

/// Both ends of a phase: parameters without definition. Two phases that follow each other share one.
struct PhaseEnds {
  VariableId start, final;
};

/// A row with what it means.
struct LoweredRow {
  std::vector<Applied> parts;          ///< their sum lies between the sides
  std::vector<std::uint32_t> origins;  ///< [parts]
  double lower = 0, upper = 0;
  std::string name;
};

/// The optimisation problem as rows. Slots of point rows name variables, or point values as n_scalars + number in `values`.
struct Lowered {
  std::vector<LoweredRow> path, point;
  LoweredRow objective;
  std::vector<LoweredRow> integrands;       ///< [phases]; without parts: none
  std::vector<LoweredRow> violations;       ///< [phases] integrands of path inequalities; empty, or without parts: none
  std::vector<LoweredRow> point_residuals;  ///< of one part each
  std::vector<std::vector<LoweredRow>> integrand_residuals;  ///< [phases] of one part each
  std::vector<ir::TimePlace> places;
  std::vector<ir::PointValue> values;
  std::vector<VariableId> timed;  ///< timed variables that have become global parameters
  bool is_least_squares = false;
};

/// What remembers a relation, or the value of floor, ceil, div: its variable is constant between events.
struct EventValue {
  VariableId variable;
  ir::DiscreteRole role = ir::DiscreteRole::relation;
  Applied literal;                  ///< the value that it takes at events
  std::vector<Applied> indicators;  ///< relation a < b: a − b; parts: two, both positive while the value holds
  bool time_only = false;
  std::uint32_t origin = 0;
};

/// Rows of a function of the event part, one per root: those that share a call, else one.
struct EventRow {
  Applied value;
  std::uint32_t origin = 0;
};

/// A discrete variable, whose value the row with the same number gives.
struct DiscreteUpdate {
  VariableId variable;
  ir::DiscreteRole role = ir::DiscreteRole::variable;
  std::optional<std::uint32_t> indicator;  ///< first row
  bool time_only = false;
  std::string text;  ///< of a relation or part, for messages
};

/// The event part as rows over variables without definition.
struct EventRows {
  std::vector<DiscreteUpdate> updates;  ///< in the order of evaluation
  std::vector<EventRow> values;         ///< of the updates: their roots are counted through
  std::vector<EventRow> indicators;
  std::vector<EventRow> fires, sets;     ///< of reinit
  std::vector<VariableId> reset;         ///< [fires] states
  std::vector<VariableId> initial;       ///< discrete variables or pre(v) that initial equations give a value
  std::vector<EventRow> initial_values;  ///< these values: their roots are counted through
  std::vector<EventRow> conditions;      ///< of assertions, of terminations, then values of messages
  std::vector<ir::EventMessage> assertions, terminations;
  std::vector<EventRow> delays;  ///< expressions, times, longest times; then of each transport its places and its values
};

/// Which fields of a System are there: each stage has those of the stages before it.
enum class SystemStage : std::uint8_t {
  flat,       ///< from the constructor on: the tables of variables; `event_values` from extract-events on
  sorted,     ///< by sort-equations: `schedule`, `treatments`
  solved,     ///< by eliminate-explicit: `solved`
  discrete,   ///< by sort-discrete: `events`
  lowered,    ///< by lower-optimization: `lowered`
  assembled,  ///< by assemble: `problem`, into which `lowered` and parts of `flat` have moved
};

/// The model while the passes work on it. `flat` keeps variables, expressions and origins; its sections hold the current
/// equations. A variable with a definition has left the equations: it is a function of others that have none.
///
/// Invariants, checked by `verify` after every pass; those of a stage from that stage on, until `assembled`:
///  flat      * Tables of variables have an entry for each scalar variable.
///            * A derivative has an owner. A state without definition has a derivative; the derivative of anything has it as
///              its owner.
///            * A definition has one root and an origin, and reads variables without definition. What is merged has one, and
///              so has a dependent parameter.
///            * Remembered values are discrete variables, in ascending order; a relation has one indicator, a part has two.
///  sorted    * The schedule has every row of the equations once, rows of one block next to each other.
///            * Rows are matched with different unknowns. A row in a loop names one that exists.
///  solved    * x are states, z unknowns, u inputs; none has a definition, none is there twice, and `position` says where
///              each is.
///            * A sum of rates is a derivative without definition that is not in z.
///            * One rate for each x, one residual with its origin for each z, one origin for each initial equation. All of
///              them read variables without definition.
///  discrete  * Every update has a value, every target of an initial value one, every reinit a condition, a value and a
///              state; an update names an indicator that exists; every message has a condition, every delay three rows.
///  lowered   * A row has an origin for each part, and lower <= upper. Residuals have one part.
///            * Point values name places, and entries of x, z and u, that exist.
///  assembled * Those of ir::Problem.
struct System {
  ir::FlatModel flat;
  PassOptions options;
  SystemStage stage = SystemStage::flat;

  std::vector<ScalarRole> roles;                    ///< [n_scalars]
  std::vector<ir::Numbers> numbers;                 ///< [n_scalars] given, or made by evaluate-parameters
  std::vector<VariableId> derivative;               ///< [n_scalars] of a state, an input: its derivative; else none
  std::vector<VariableId> owner;                    ///< [n_scalars] of a derivative, timed or pre(v): its variable
  std::vector<std::optional<Applied>> definitions;  ///< [n_scalars] made by every pass that takes variables out
  std::vector<std::uint32_t> definition_origins;    ///< [n_scalars] of variables with a definition
  std::vector<StateSelect> select;                  ///< [n_scalars] the strongest among aliases
  std::vector<std::uint32_t> phase;  ///< [n_scalars] by assign-phases: of what varies with time; else no_phase
  /// By evaluate-parameters: guesses that vary with time, as functions of it and of parameters without definition, and
  /// their origins.
  std::vector<std::tuple<VariableId, Applied, std::uint32_t>> timed_guesses;
  std::vector<bool> merged;              ///< [n_scalars] an alias: its bounds and starts have gone into the kept variable
  std::vector<EventValue> event_values;  ///< made by extract-events, in order of their variables
  ir::Structure structure;               ///< what the passes found out; each adds its own
  std::vector<std::uint32_t> variable_index;  ///< by reduce-index: differentiation index, original form; empty: all 1

  std::vector<RowId> schedule;        ///< rows of the equations, in the order of their blocks
  std::vector<Treatment> treatments;  ///< [rows of the equations]
  Solved solved;                      ///< what elimination leaves; initial-discrete adds initial equations
  EventRows events;                   ///< initial-discrete adds `initial`, `initial_values`
  Lowered lowered;                    ///< the optimisation problem as rows
  ir::Problem problem;

  explicit System(ir::FlatModel model, PassOptions options);
  /// Adds a derivative of `size` variables from `of` on; gives its first element. Roles and numbers are the caller's.
  VariableId add_derivative(VariableId of, std::uint32_t size);
  ir::Dag& dag() { return flat.expressions.dag; }
  const ir::Dag& dag() const { return flat.expressions.dag; }
  std::uint32_t n() const { return flat.n_scalars; }
  ScalarRole role(VariableId v) const { return roles[v.index()]; }
  std::string name(VariableId v) const { return ir::name_of(flat, v); }
  Span span_of(VariableId v) const { return ir::variable_of(flat, v).span; }
  Span span_of_origin(std::uint32_t origin) const { return flat.origins[origin].span; }
  bool is_unknown(VariableId v) const { return role(v) == ScalarRole::algebraic || role(v) == ScalarRole::derivative; }
  /// time, states, derivatives, algebraics, inputs
  bool varies(VariableId v) const;
  /// 1 when the model has no phases of its own.
  std::uint32_t n_phases() const { return flat.phases.empty() ? 1 : static_cast<std::uint32_t>(flat.phases.size()); }
  /// The phase that expressions over these variables belong to; no_phase when none varies with time but time itself.
  /// Requires that they are of one phase. Without phases: 0.
  std::uint32_t phase_of(std::span<const VariableId> variables) const;
  /// After evaluate-parameters.
  PhaseEnds ends_of(std::uint32_t phase) const;
  bool is_free(VariableId v) const;  ///< a decision of the optimiser that does not vary with time
  const Applied* definition(VariableId v) const;
  bool keeps_events() const;  ///< events are made, not taken literally
};

/// Appends a variable to the flat model and an entry per element to the tables. Sets `first`.
VariableId add_variable(System& system, ir::Variable variable);

/// startTime and finalTime are decisions when declared so.
bool is_declared_free(const ir::FlatModel& model, VariableId v);

/// Whether the time of a delay depends on free parameters.
bool is_sought(const System& system, const ir::Delay& delay);
/// Whether delays are read as linear combinations of values, as transcriptions do, and not by an integrator's history.
bool reads_delays_linearly(const System& system);

/// A single slot: the variable itself.
Applied variable_alone(ir::Dag& dag, VariableId v);
Applied constant(ir::Dag& dag, double value);
/// sign·v + offset
Applied signed_variable(ir::Dag& dag, VariableId v, double sign, double offset);

/// The sections of the model, also those of events and of the optimisation problem.
std::vector<ir::Section*> sections_of(ir::FlatModel& model);
/// Conditions, values of messages and delayed expressions: what stands alone and varies with time.
std::vector<ir::Term*> terms_of(ir::FlatModel& model);

/// Puts all definitions into all sections and terms, regroups, keeps rows where they are.
void insert_definitions(System& system, Composer& composer);
/// The same for one section.
ir::Section with_definitions(const System& system, Composer& composer, const ir::Section& section);

/// Aborts when an invariant of System is broken. Cost: linear in the variables, definitions and rows.
void verify(const System& system);

}  // namespace bolza::passes
