// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "compiler/ir/actions.h"
#include "compiler/ir/group.h"
#include "compiler/ir/modes.h"
#include "compiler/ir/program.h"

namespace bolza::ir {

enum class ValueType : std::uint8_t { real, integer, boolean, enumeration };

enum class VariableKind : std::uint8_t {
  time,           ///< exactly one, id 0
  start_time,     ///< exactly one, id 1: startTime of the problem or of the experiment
  final_time,     ///< exactly one, id 2
  parameter,      ///< parameters and constants that equations refer to; free ones are decision variables
  unknown,        ///< continuous-time: a state when some `derivative` belongs to it, else algebraic
  derivative,     ///< der(x) of the unknown `of`
  input,          ///< top-level input without binding: a control
  timed,          ///< x(t1): the value of variable `of` at a time slot
  discrete,       ///< changes at events only: m of the standard form, of any type; determined by `discrete_equations`
  previous,       ///< pre(v) of `of`, element for element: its value before the event; `of` is discrete or continuous
  sample,         ///< true at the ticks of `sample(start, interval)` only, see FlatModel::samples
  delayed,        ///< delay(expression, d), see FlatModel::delays: a function of time that the past gives
  initial_flag,   ///< initial(): at most one
  terminal_flag,  ///< terminal(): at most one
  homotopy,  ///< share of the actual in homotopy(actual, simplified): 1, but while initial values are sought; at most one
};

enum class Attribute : std::uint8_t { start, min, max, nominal, initial_guess };
inline constexpr std::size_t attribute_count = 5;

/// A value for every element of a variable: absent, one Term for all elements, or one per element.
struct ElementValues {
  std::vector<Term> terms;  ///< size 0, 1 or the variable's size
  bool present() const { return !terms.empty(); }
};

/// A variable as declared, scalar or array, rolled: components in arrays contribute their dimensions, outermost first.
struct Variable {
  /// "tank[2].level[3]" is parts {"tank", 1 dimension}, {"level", 1 dimension}.
  struct NamePart {
    std::string name;
    std::uint32_t dimensions = 0;
  };
  std::vector<NamePart> name;
  std::vector<std::uint32_t> dimensions;  ///< all of them; empty for a scalar
  VariableId first;
  std::uint32_t size = 1;
  VariableKind kind = VariableKind::unknown;
  ValueType type = ValueType::real;
  VariableId of;                ///< derivative, timed, input that is a control's rate: first element of what it belongs to
  std::uint32_t time_slot = 0;  ///< timed: first of `size` consecutive time slots, or one for all
  bool one_time_slot = true;
  std::array<ElementValues, attribute_count> attributes;
  std::uint32_t start_depth = 0;  ///< components between the model and the class whose text gives `start`
  ElementValues binding;          ///< of parameters; bindings of unknowns are equations
  std::vector<bool> fixed;        ///< size 0 (all false), 1 or size
  bool free = false;              ///< free=true
  std::vector<bool> selectable;   ///< size 0 (all false), 1 or size: a fit may find that the parameter is 0
  bool is_final = false, is_protected = false, evaluate = false;
  bool is_constant = false;
  bool state_select_always = false, state_select_prefer = false, state_select_never = false, state_select_avoid = false;
  std::string unit, display_unit, quantity, description;
  std::vector<std::string> enumeration;      ///< literals of an enumeration type
  std::optional<std::uint32_t> first_phase;  ///< of a component that is a phase, or an array of `n_phases` phases
  std::uint32_t n_phases = 1;                ///< element e belongs to phase first_phase + e/(size/n_phases)
  Span span;                                 ///< the name in its declaration
};

enum class Relation : std::uint8_t { equal, less_equal, greater_equal };

/// Constraints of one relation: every group has the two roots {left, right} and both belong to the same row.
struct ConstraintSection {
  Section section;
  std::vector<Relation> relations;  ///< [n_rows]
};

/// When a timed variable is read: an expression of parameters, startTime and finalTime.
struct TimeSlot {
  Term time;
};

/// How a control with few values may change.
struct SwitchingRule {
  std::vector<VariableId> controls;       ///< the Boolean control; or a Boolean for each value, one of which is true
  double dwell = 0;                       ///< least time between changes, and before the first
  std::optional<std::uint32_t> switches;  ///< most changes over the horizon
  Span span;
};

struct OptimizationProblem {
  Section objective;  ///< one row; zero groups when there is no Mayer term
  Section integrand;  ///< one row, or one for each phase; zero groups when there is no Lagrange term
  bool maximize = false;
  std::string objective_name;  ///< from `minimize J = …`, else ""
  bool is_static = false;
  ConstraintSection path;   ///< hold at every time
  ConstraintSection point;  ///< of timed variables and parameters only
  std::vector<SwitchingRule> switching;
  Span span;
};

/// A stretch of time with variables, equations and a horizon of its own: a component of an optimization class.
struct Phase {
  std::string name;                   ///< "climb", "lap[2]"
  VariableId start_time, final_time;  ///< parameters of the component
  Span span;
};

/// One option of annotation(solver=…), experiment(…) or __OpenModelica_…: name as written, value as number or text.
struct AnnotationOption {
  std::string name;
  std::variant<double, std::string> value;
  Span span;
};

/// What must hold at every time. The message may contain values: `{0}`, `{1}`, … stand for `values`. With an action, that
/// one makes the text, or the call, of these values; then the message is what is shown where there is nothing that acts.
struct Assertion {
  Term condition;
  std::string message;
  AssertionLevel level = AssertionLevel::error;
  std::vector<Term> values;
  std::optional<std::uint32_t> action;
};

/// The simulation ends, successfully, when the condition becomes true.
struct Termination {
  Term condition;
  std::string message;
  std::vector<Term> values;
  std::optional<std::uint32_t> action;
};

/// Equations left = right between discrete values: the roots of a group are pairs {left, right} of one row each. One side
/// is, or becomes by `not` or a sign, the variable that the row determines. When-equations are here too, as v = if fires
/// then e else pre(v), with fires = if initial() then «has initial()» else c and not pre(c), c a discrete variable. Rows
/// that share a call stay together in one group, so that an algorithm section over arrays costs as much as it has inputs
/// and outputs, not their product.
struct DiscreteSection {
  Section section;
};

/// reinit(x, e): every group has the two roots {fires, e}; row k sets states[k] when `fires` is true, at the end of an
/// iteration of the event.
struct Reinitialisations {
  Section section;
  std::vector<VariableId> states;  ///< [n_rows]
};

/// Ticks at start + k·interval, k = 0, 1, …; both are functions of parameters.
struct Sampling {
  VariableId variable;
  Term start, interval;
};

/// variable(t) = expression(t − time); before startTime the expression's value at startTime. 0 <= time <= longest.
struct Delay {
  VariableId variable;
  Term expression, time, longest;
};

/// (l, r) = spatialDistribution(in0, in1, x, positiveVelocity, places, values), where l and r are the variables of two
/// delays: delays[first] = {l, in0, x, 0} and delays[first + 1] = {r, in1, positiveVelocity, 0}. What is transported has
/// values[k] at places[k] of [0, 1] at startTime; both are functions of parameters, and alongside.
struct Transport {
  std::uint32_t first = 0;
  std::vector<Term> places, values;
};

/// The flat model: everything the passes need, nothing of the syntax left but spans.
/// Relations and floor, ceil, div, mod, rem make events where they stand outside noEvent and outside Programs.
/// Invariants: variables ordered by `first`, covering 0 … n_scalars−1 without gaps; ids 0, 1, 2 are time, startTime,
/// finalTime.
struct FlatModel {
  /// Takes `check` about 10 s and 1.5 GB: what is larger is most often a mistake in a size.
  static constexpr std::uint32_t usual_scalars = 1'500'000;

  std::string name;
  Span span;
  Expressions expressions;
  std::vector<Variable> variables;
  std::uint32_t n_scalars = 0;
  std::uint32_t max_scalars = usual_scalars;  ///< that variables may have, and equations rows; sums twice as many terms
  std::vector<Origin> origins;
  Section equations;          ///< 0 = row
  Section initial_equations;  ///< 0 = row at startTime; without the ones that `fixed` implies
  DiscreteSection discrete_equations;
  DiscreteSection initial_discrete_equations;  ///< hold during initialisation; may determine pre(v) too
  Reinitialisations reinitialisations;
  std::vector<Sampling> samples;
  std::vector<Delay> delays;
  std::vector<Transport> transports;
  std::vector<Termination> terminations;
  std::vector<TimeSlot> time_slots;
  std::vector<Assertion> assertions;
  std::shared_ptr<ActionPerformer> actions;  ///< null: no message has an action
  std::optional<OptimizationProblem> optimization;
  std::vector<Phase> phases;                 ///< none: the whole model is one phase, from startTime to finalTime
  bool are_pieces = false;                   ///< the phases are one horizon, cut at free times; states go through
  std::vector<ModeRelation> mode_relations;  ///< where a sequence of modes is asked for: those that may change sides
  std::vector<ModeGuard> mode_guards;        ///< of pieces that are modes
  std::vector<ModeJump> mode_jumps;          ///< alongside mode_relations: the model's reinits
  std::vector<VariableId> jumped;            ///< states of pieces that do not go on with what they were in the piece before
  std::vector<AnnotationOption> experiment;  ///< StartTime, StopTime, Tolerance, Interval
  std::vector<AnnotationOption> solver;      ///< annotation(solver=…) and its companions, nested names joined by '.'
  std::map<std::string, std::string> strings;  ///< String parameters, evaluated, for reports
  /// File and byte where a constant with a unit is named: in expressions it is a number by now.
  std::set<std::pair<std::uint32_t, std::uint32_t>> unit_constants;
};

const Variable& variable_of(const FlatModel& model, VariableId id);
Variable& variable_of(FlatModel& model, VariableId id);
/// "tank[2].level[3]", "der(x)", "x(2.5)".
std::string name_of(const FlatModel& model, VariableId id);
void verify(const FlatModel& model);

}  // namespace bolza::ir
