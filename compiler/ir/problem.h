// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/flat_model.h"
#include "compiler/ir/structure.h"

namespace bolza::ir {

/// A vector-valued function in rolled form. In its groups a slot's column holds *input positions*, not variables:
/// position < n_point is a row of `point` (time, x, z, u of the model; V and Q of the point function), n_point + k is entry
/// k of `shared`. A slot's class (point or shared) is the same in all instances of a group.
struct Function {
  std::string name;
  std::uint32_t n_point = 0;
  std::uint32_t n_shared = 0;
  Section section;
  std::vector<std::uint32_t> row_origins;  ///< [n_rows], or empty: fused groups have one origin for many rows
};

/// Values of one variable of the standard form, with parameters inserted; ±inf where there is no bound.
struct Numbers {
  double start = 0, min = 0, max = 0, nominal = 1, guess = 0;
  bool has_start = false, has_guess = false, has_nominal = false;
  bool fixed = false;       ///< states: start is the initial value; parameters: not a decision
  bool selectable = false;  ///< free parameters: a fit may find that it is 0
};

/// A time slot with parameters inserted: t = on_start·t0 + on_final·tf + offset. One that no value is taken at is a corner:
/// right-hand sides jump or have a kink there.
struct TimePlace {
  double on_start = 0, on_final = 0, offset = 0;
  std::uint32_t phase = 0;  ///< whose times t0 and tf are
};

enum class PointQuantity : std::uint8_t { state, algebraic, control, rate, integral };

/// One entry of V: a quantity at a time place (integral: entry of Q of phase `place`).
struct PointValue {
  std::uint32_t place = 0;
  PointQuantity quantity = PointQuantity::state;
  std::uint32_t index = 0;
};

/// What a row of a constraint means, for reports: sides, text of the source, place.
struct RowInfo {
  std::string name;  ///< "x1 <= 0.5", "der(tank.level) = …": short, made from the source text
  std::uint32_t origin = 0;
  double lower = 0, upper = 0;
};

/// How a variable of the flat model is had from the standard form, for results.
struct OutputSource {
  enum class Kind : std::uint8_t { input, row, rate } kind = Kind::input;
  VariableId variable;
  std::uint32_t index = 0;  ///< input position | row of `outputs` | state whose rate it is
  double sign = 1, offset = 0;
};

/// Whose guess a row of `guesses` is: sign·(point input) + offset.
struct GuessTarget {
  std::uint32_t position = 0;
  double sign = 1, offset = 0;
};

enum class DiscreteRole : std::uint8_t {
  variable,  ///< of the model
  relation,  ///< remembered truth value of a relation
  part,      ///< remembered value of floor, ceil, div, or of the quotient in mod, rem
};

/// A discrete value m: an entry of `shared` after the fixed parameters.
struct DiscreteValue {
  VariableId variable;
  DiscreteRole role = DiscreteRole::variable;
  std::uint32_t now = 0;                   ///< entry of shared
  std::optional<std::uint32_t> before;     ///< entry of pre(m), when something reads it
  std::optional<std::uint32_t> indicator;  ///< row of `indicators`; parts: first of two, both positive while the value holds
  bool positive_is_true = false;           ///< relations: true where the indicator is positive
  bool closed = false;                     ///< relations: true where the indicator is zero
  bool time_only = false;                  ///< the indicator depends on time, parameters and discrete values only
  std::string text;                        ///< of relations and parts: what is remembered, "x < 1"
};

/// An assertion, a call or a termination: text with `{0}` … for its values, rows of `conditions` counted after the
/// conditions.
struct EventMessage {
  std::string text;
  Span span;
  AssertionLevel level = AssertionLevel::error;
  std::uint32_t n_values = 0, first_value = 0;
  std::optional<std::uint32_t> action;  ///< of the flat model's `actions`
};

/// How discrete values change (runtime/abi/bolza.h, bolza_hybrid). All functions see the point rows and shared inputs of the
/// model.
struct EventPart {
  struct Previous {
    std::uint32_t position = 0, before = 0;  ///< row of point, entry of shared that gets its value when an event begins
  };
  struct Transport {
    std::uint32_t first = 0, n_places = 0;  ///< the delayed values `first` and `first` + 1; rows of its profile
  };
  struct Sample {
    std::uint32_t entry = 0;
    double start = 0, interval = 0;
    Span span;
  };
  std::vector<DiscreteValue> discrete;  ///< in the order of evaluation
  std::vector<Previous> previous;
  std::vector<Sample> samples;
  std::optional<std::uint32_t> initial_flag, terminal_flag, homotopy;  ///< entries of shared
  Function update;                                                     ///< [discrete] new values
  Function indicators;
  Function reinit;                             ///< [reinit_states] fires, then [reinit_states] values
  std::vector<std::uint32_t> reinit_states;    ///< numbers of states
  Function initial_update;                     ///< [initial_targets] values
  std::vector<std::uint32_t> initial_targets;  ///< entries of shared
  Function conditions;                         ///< [assertions] must hold, [terminations] end when true, values of messages
  std::vector<EventMessage> assertions, terminations;
  /// [n] expressions, [n] times, [n] longest times; they give the last n inputs u. Then of each transport [n_places] places
  /// and [n_places] values; of its two delays the times are x and positiveVelocity.
  Function delays;
  std::vector<Transport> transports;
  bool is_literal = false;  ///< relations make no events: there are assertions and nothing else
};

/// How many delayed values there are.
std::size_t delays_of(const EventPart& hybrid);

struct Problem;

/// A phase of a problem with several.
struct PhaseOfProblem {
  std::string name;
  std::vector<std::uint32_t> parameter;  ///< [n_global of its model] entry of the problem's shared
};

/// The standard form (docs/architecture.md, standard form): ẋ = f, 0 = h, constraints, integrals, point functions.
///
/// With phases, x, z, u and the functions of the model are those of `models`, one for each phase; the problem itself has the
/// parameters (times of the phases, free parameters: `shared`, the first n_global) and the point functions. A model has its
/// own start and final time as the first two entries of `shared`, no `flat` and no point functions: its ids are those of the
/// problem's flat model.
///
/// point inputs of the model functions: row 0 time, then x, z, u. shared: entry 0 startTime, 1 finalTime, then the free
/// parameters (together the first n_global: what kernels differentiate by), then every fixed parameter that some function
/// uses, then discrete values, values before an event, ticks and flags (`hybrid`).
struct Problem {
  FlatModel flat;                   ///< expressions, variables, origins; its sections have been consumed
  std::vector<VariableId> x, z, u;  ///< z contains the derivatives v that BLT could not make explicit
  std::vector<VariableId> shared;
  std::uint32_t n_global = 2;
  std::vector<double> shared_values;
  std::vector<Numbers> x_numbers, z_numbers, u_numbers, shared_numbers;

  Function rates;                ///< rows: f [n_x], then q [n_q]
  Function residuals;            ///< rows: h [n_z], then g [n_g]
  Function initial;              ///< rows of F0 beyond fixed starts; = 0 at startTime
  Function outputs;              ///< eliminated variables, for results
  Function integrand_residuals;  ///< r with q = ½ Σ r², when the integrand is recognised as least squares; else no rows
  Function guesses;              ///< guesses that vary with time; they read time and shared inputs, and are not compiled
  std::vector<GuessTarget> guess_targets;  ///< [rows of guesses]
  std::uint32_t n_q = 0, n_g = 0;
  std::vector<RowInfo> residual_rows;  ///< [n_z + n_g]
  std::vector<RowInfo> initial_rows;
  std::vector<OutputSource> sources;  ///< every unknown, input, derivative and discrete variable of the flat model
  std::optional<EventPart> hybrid;    ///< absent: nothing makes events

  std::vector<TimePlace> places;
  std::vector<PointValue> values;  ///< V, then Q: the point rows of `point`
  Function point;                  ///< rows: objective, constraints [n_k], residuals r [n_r] with objective = … + ½ Σ r²
  std::uint32_t n_k = 0, n_r = 0;
  bool point_is_least_squares = false;  ///< objective row = Σ ½ r² + linear in Q, so Gauss–Newton is exact in the limit
  std::vector<RowInfo> point_rows;      ///< [n_k]
  bool is_optimization = false, is_static = false, maximize = false;

  std::vector<Problem> models;  ///< [phases], none: the problem is its own model
  std::vector<PhaseOfProblem> phases;

  Structure structure;
  std::vector<std::uint32_t> x_index,
      z_index;  ///< differentiation index of each variable in these equations: 1, or up to `index` in the original form
};

/// The model of each phase: the problem itself where it has no phases.
std::vector<const Problem*> models_of(const Problem& problem);

/// The functions of the event part, in the order of the struct.
std::vector<Function EventPart::*> hybrid_functions();
void verify(const Problem& problem);

}  // namespace bolza::ir
