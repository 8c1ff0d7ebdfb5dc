// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/span.h"
#include "compiler/ir/dag.h"

namespace bolza::ir {

using BlockId = Id<struct BlockTag>;

enum class ScalarType : std::uint8_t { real, integer, boolean };

/// Integers are exact as far as doubles are: beyond, `n + 1 == n`.
inline constexpr double largest_integer = 9007199254740992;

/// A local scalar; expressions of the Program read local k as `slot(k)` of the Dag.
struct Local {
  std::string name;
  ScalarType type = ScalarType::real;
};

/// Numbers that are data, as those of a table from a file, and not text of a Program. Shared by what is made of it.
struct FixedNumbers {
  std::vector<double> values;
  std::string digest;  ///< hash of the bytes: the same for the same numbers
};

/// A local array of fixed size, row-major, elements numbered from 0.
struct LocalArray {
  std::string name;
  std::uint32_t size = 0;
  ScalarType type = ScalarType::real;
  std::shared_ptr<const FixedNumbers> fixed = {};  ///< [size] what it always has; no statement stores into it, no port is it
};

/// An array that always has these numbers.
LocalArray fixed_array(std::string name, std::vector<double> values, ScalarType type);
/// An array for derivatives of each element; of one that never changes there are none.
LocalArray beside(const LocalArray& array, std::string name);

enum class AssertionLevel : std::uint8_t {
  error,
  warning,
  call,           ///< no assertion: a call for its effect, made when the condition becomes false (inside `when`)
  call_at_events  ///< the same, made at the start and at every event while the condition is false
};

enum class StatementKind : std::uint8_t {
  assign,      ///< locals[target] = value
  load,        ///< locals[target] = arrays[array][index]
  store,       ///< arrays[array][index] = value
  call,        ///< locals[targets…] = program(arguments…)
  branch,      ///< if value ≠ 0 then body else otherwise
  loop_for,    ///< for locals[target] = from + i·step, i = 0 … floor((to − from)/step + 1e-9): body (bounds evaluated once)
  loop_while,  ///< while value ≠ 0: body
  exit_loop,
  exit_program,
  check,  ///< assert value ≠ 0: where it does not hold the Program fails, unless it `goes_on`
  push,   ///< append value to the tape
  pop,    ///< locals[target] = last of the tape, removed
};

/// Only the members that its kind names are read.
struct Statement {
  StatementKind kind;
  Span span;
  std::uint32_t target = 0;
  std::uint32_t array = 0;
  ExprId index, value, from, step, to;
  ProgramId program;
  std::vector<ExprId> arguments;  ///< of a call; of a check: the values that its text shows
  std::vector<std::uint32_t> targets;
  BlockId body, otherwise;
  std::string text;  ///< of a check: what to say when it fails, `{0}`, `{1}`, … stand for its values
  AssertionLevel level = AssertionLevel::error;  ///< of a check: error or warning
  bool goes_on = false;                          ///< of a check: it is watched from outside (derive/assertions.h) only
  std::optional<std::uint32_t> action = {};      ///< of a check: makes the text of the values, see FlatModel::actions
};

/// What a Program without statements does: a C function of a shared library.
struct Foreign {
  std::string name;      ///< of the C function, for messages
  std::string identity;  ///< tells it from any other, in every run of the compiler: part of the names of compiled kernels
  /// 0, or anything else when the function failed; then the outputs do not matter. Safe to call from several threads.
  int (*call)(const void* self, const double* arguments, double* outputs) = nullptr;
  std::shared_ptr<const void> self;
};

/// A derivative of a Program that the author of the model gives (`annotation(derivative = df)`).
struct GivenDerivative {
  enum class Takes : std::uint8_t {
    direction,  ///< of this argument: any
    nothing,    ///< Integer, Boolean
    zero,       ///< the derivative holds only where this argument does not change (`zeroDerivative`)
    assumed,    ///< the argument is a function of the others, the derivative knows how it changes (`noDerivative`)
    same,       ///< the direction must be the argument `same_as` (second and higher derivatives by time)
  };
  struct Argument {
    Takes takes = Takes::direction;
    std::uint32_t same_as = 0;
  };
  ProgramId program;                ///< arguments and outputs as those of a tangent
  std::vector<Argument> arguments;  ///< [argument_count]
};

/// How to get an argument of a Program with one output back from that output (`annotation(inverse(x = g(y, …)))`).
struct GivenInverse {
  std::uint32_t argument = 0;
  ProgramId program;  ///< arguments: those of the Program, with its output in the place of that argument; one output
};

/// What the author of a function asks for by annotations (`Inline`, `LateInline`, `InlineAfterIndexReduction`).
enum class Inlining : std::uint8_t { automatic, always, after_index_reduction, never };

/// A function whose control flow depends on data, as structured statements over mutable locals. Straight-line functions and
/// constant trip counts are inlined into the Dag instead and never become Programs.
///
/// Inputs and outputs are scalars (arrays and records flattened row-major): the first `inputs` locals hold the arguments on
/// entry, unless `input_arrays` says that a run of arguments fills an array; outputs are read from locals or arrays at the
/// end. Invariants: block 0 is the body; blocks are entered from one place (an absent block is empty); every target and
/// array in range; expressions have no leaves but numbers and slots, and no call nodes: a Program calls by statements.
/// `verify` checks. Locals start at 0, arrays that are not fixed are filled with 0; a for-loop's local keeps its last value;
/// an index outside its array, a step of 0, a failed check are failures of the run, not of the Program.
struct Program {
  std::string name;
  Span span;
  std::vector<Local> locals;
  std::vector<LocalArray> arrays;

  /// Where an argument goes, or an output comes from.
  struct Port {
    bool is_array = false;
    std::uint32_t id = 0;   ///< local, or array
    std::string unit = {};  ///< that its declaration states, "" none
  };
  std::vector<Port> inputs;  ///< an array port takes as many arguments as the array has elements
  std::vector<Port> outputs;
  std::vector<std::vector<Statement>> blocks;

  bool only_asserts = false;  ///< a function without outputs: the only output says whether its assertions hold
  Inlining inlining = Inlining::automatic;
  std::optional<int> smooth_order;  ///< so often is it continuously differentiable, its author says
  std::string kinked_table;         ///< the component that has the table of straight lines that this is, "" none
  std::vector<GivenDerivative> derivatives;
  std::vector<GivenInverse> inverses;
  /// Inputs that only tell on which side of an event the time is, and what they are far from any.
  std::vector<std::pair<std::uint32_t, double>> event_sides = {};
  std::optional<Foreign> foreign;  ///< then its only block is empty
};

/// Drops what holds for the function that a Program was written from, and not for one made from it.
void forget_annotations(Program& program);

std::size_t argument_count(const Program& program);
std::size_t output_count(const Program& program);

/// The expressions of one compilation.
struct Expressions {
  Dag dag;
  std::vector<Program> programs;
  std::vector<ProgramId> tangents,
      adjoints;  ///< of Programs that were differentiated; kept by `derive`, may be shorter than `programs`
};

/// Aborts when an invariant is broken (debug builds, after every pass).
void verify(const Expressions& expressions);

}  // namespace bolza::ir
