// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "base/span.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/instance/instance.h"

namespace bolza::flatten {

namespace ast = syntax::ast;
using instance::Instance;
using instance::Scope;

enum class Basic : std::uint8_t { real, integer, boolean, string, enumeration, record, clock };

/// How a value can change, least first (timed values of [OPTIMICA] lie between parameters and discrete variables).
enum class Level : std::uint8_t { constant, parameter, timed, discrete, continuous };

/// What the run tells the model by a number that the model only reads.
enum class Flag : std::uint8_t { initial, terminal, homotopy };

enum class NodeKind : std::uint8_t {
  number,       ///< value; with dimensions: the same everywhere
  text,         ///< text
  table,        ///< numbers: a literal array, row-major
  axis,         ///< axes[0]
  variable,     ///< instance, with the dimensions of all its array ancestors in front of its own
  derivative,   ///< children[0]: a place of a variable
  timed,        ///< children[0]: a place of a variable; children[1]: the time
  previous,     ///< children[0]: a place of a variable, or an auxiliary: its value before the event
  auxiliary,    ///< the auxiliary variable `value` + its position on axes[0]; without axes a free parameter
  sample,       ///< children: start, interval
  flag,         ///< `value`, a Flag: initial(), terminal(), or the share of the actual in homotopy()
  delayed,      ///< children: expression, delay, longest delay
  transported,  ///< children: in0, in1, x, positiveVelocity, places, values at the start; `value` 0 or 1: at which end
  clocked,  ///< `value`, a ClockOperator; children: operand, clock or start interval, or null; counts: factor, resolution
  apply,    ///< op, element-wise; scalar children stand for all elements
  choice,   ///< children: condition known at compile time, value, else value
  select,   ///< children: condition, value, else value
  array,    ///< children: the elements along a new first dimension
  comprehension,  ///< children[0] over axes; children[1 …]: ranges, null for 1 … size
  index,          ///< children[0] at subscripts
  reduce,         ///< op in {add, mul, min, max} of children[0] over axes, as comprehension; counts
  call,           ///< call, instance: the output or a part of it
  record,         ///< instance: the record type; children: its fields
  integral,       ///< children[0] integrated over the horizon
  extremum,       ///< op max or min: children[0] over the horizon
  function,       ///< a function as an argument: instance; children: values of those of its inputs that are given
};

struct Call;

/// What makes clocks and clocked values [MLS, 16].
enum class ClockOperator : std::uint8_t {
  sample,
  hold,
  previous,
  sub_sample,
  super_sample,
  shift_sample,
  back_sample,
  no_clock,
  interval,
  first_tick,
  tick,      ///< true in the first iteration of the event of a tick
  inferred,  ///< Clock()
  rational,  ///< Clock(intervalCounter, resolution) with a counter that is known
  counted,   ///< the same with a clocked counter
  real,      ///< Clock(interval) with a parameter
  paced,     ///< the same with a clocked interval
  event,     ///< Clock(condition, startInterval)
  solver     ///< Clock(c, solverMethod)
};

/// An expression whose names, types and sizes are settled: made once per place of the source, lowered for all instances at
/// once. `element(node, indices)` of lower_internal.h gives its elements one by one, so arrays are never made.
struct Node {
  NodeKind kind = NodeKind::number;
  Basic basic = Basic::real;
  Level level = Level::constant;
  ir::Op op = ir::Op::number;
  Span span;
  std::vector<std::int64_t> dims;
  std::vector<const Node*> children;
  std::vector<const Node*> subscripts;  ///< index: null for `:`
  std::vector<AxisId> axes;
  std::vector<std::int64_t> counts;  ///< reduce: of every axis
  double value = 0;
  std::string text;
  std::vector<double> numbers;
  const Instance* instance = nullptr;                ///< variable, record, call; type of the elements when basic is record
  const instance::Definition* definition = nullptr;  ///< of an enumeration
  const Call* call = nullptr;
  std::vector<const Instance*> given;  ///< function: the inputs that the children are values of
  bool has_sum = false;                ///< contains a sum of more terms than are written out
  bool has_call = false;  ///< contains a call whose outputs are arrays: its elements need indices known and equal everywhere
};

/// What translates an expression gives its node, or says why not.
using Typed = Outcome<const Node*>;

/// One argument of a call of a function that becomes a Program.
struct Call {
  struct Argument {
    const Instance* input = nullptr;
    const Node* value = nullptr;
    std::size_t vectorised = 0;  ///< leading dimensions of `value` that the call runs over
  };
  const Instance* function = nullptr;
  std::vector<Argument> arguments;  ///< in the order of the inputs
  std::vector<std::int64_t> dims;   ///< the call runs over these
  std::uint32_t program = 0;        ///< into the specialisations
};

/// Where nodes live; they stay where they are.
struct Nodes {
  std::deque<Node> nodes;
  std::deque<Call> calls;
  std::uint32_t next_axis = 0;
  std::vector<const Node*> run_time_sizes;  ///< see run_time_sizes_internal.h

  AxisId new_axis() { return AxisId(std::size_t{next_axis++}); }
  const Node* add(Node node);

  const Node* number(double value, Basic basic, Span span);
  const Node* axis(AxisId axis, Span span, Basic basic = Basic::integer);
  /// pre(place), of equal type and size.
  const Node* previous(const Node* place, Span span);
  /// A place of a variable at a time.
  const Node* timed(const Node* place, const Node* time, Span span);
  /// A scalar number, integrated over the horizon.
  const Node* integral(const Node* integrand, Span span);
  const Node* flag(Flag flag, Span span);
  /// `time` where it matters at events only.
  const Node* time_of_event(Span span);
  const Node* table(std::vector<double> numbers, std::vector<std::int64_t> dims, Basic basic, Span span);
  /// Element-wise; children are scalars or have `dims`.
  const Node* apply(ir::Op op, std::vector<const Node*> children, Basic basic, Span span);
  /// `subscripts` may be fewer than the rank: the rest is whole. Scalars drop a dimension, vectors keep it.
  const Node* index(const Node* base, std::vector<const Node*> subscripts, Span span);
  /// body over new dimensions of the given sizes in front of its own; ranges null: 1 … size.
  const Node* comprehension(const Node* body, std::vector<AxisId> axes, std::vector<const Node*> ranges,
                            const std::vector<std::int64_t>& sizes, Span span);
  const Node* reduce(ir::Op op, const Node* body, std::vector<AxisId> axes, std::vector<const Node*> ranges,
                     std::vector<std::int64_t> sizes, Span span);
  const Node* choose(NodeKind kind, const Node* condition, const Node* yes, const Node* no, Span span);
  const Node* array(std::vector<const Node*> elements, Span span);
  /// Element at fixed 1-based indices.
  const Node* element(const Node* array, const std::vector<std::int64_t>& indices);
};

/// Sums of more terms than this are groups that add into a row (docs/architecture.md, groups).
inline constexpr std::int64_t longest_written_sum = 8;

/// More elements than this are a mistake in a size, not an array.
inline constexpr std::int64_t most_elements = 50'000'000;

/// Product; at most `most_elements` + 1, which it is where a size is known at run time only.
std::int64_t size_of(const std::vector<std::int64_t>& dims);
bool is_numeric(Basic basic);
/// Whether two places are written alike: the same component with the same subscripts.
bool same_place(const Node& a, const Node& b);
/// Equal for places that are written alike. Looks three operators deep.
std::size_t hash_of_place(const Node& node);
/// Relations, and functions whose values are discrete whatever their operands are.
bool cuts(ir::Op op);
/// Whether evaluating the node compares values or cuts them off, outside noEvent: what makes events in an equation.
bool makes_events(const Node& node);
/// "Real[3, 2]".
std::string type_text(const Node& node);
std::string dims_text(const std::vector<std::int64_t>& dims);
/// The k-th (from 0) of an array along its first dimension.
const Node* row_of(Nodes& nodes, const Node* array, std::size_t k);
/// Both conditions; null stands for true.
const Node* both(Nodes& nodes, const Node* a, const Node* b);
/// 1-based indices of the element at a row-major position.
std::vector<std::int64_t> indices_at(const std::vector<std::int64_t>& dims, std::int64_t position);

}  // namespace bolza::flatten
