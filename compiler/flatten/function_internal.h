#pragma once
#include <deque>
#include <set>

#include "compiler/flatten/builder_internal.h"
#include "compiler/instance/lookup.h"

namespace bolza::flatten {

class Typer;

/// An external object that a function is called with: what it is called, and the object itself.
struct Object {
  std::string name;
  std::shared_ptr<void> pointer;
  bool operator==(const Object&) const = default;
};

/// Texts that are known at compile time, one for each element.
using Texts = std::vector<std::string>;

/// Own sizes of the fields of records, at any depth: of those that are arrays.
using FieldSizes = std::map<const Instance*, std::vector<std::int64_t>>;

/// A function that a function is called with, and the inputs that it got where it was named: their values are inputs of the
/// Program, in the place of the functional input.
struct Closure {
  const Instance* function = nullptr;
  std::vector<const Instance*> given;
  std::vector<std::vector<std::int64_t>> dims;  ///< of the given inputs
  FieldSizes fields;
  std::map<const Instance*, Closure> inner;  ///< of given inputs that are functions themselves
  bool operator==(const Closure&) const = default;
};

/// A function for given sizes of its inputs (and given values of those inputs that sizes depend on): becomes one Program.
struct Frame {
  enum class State : std::uint8_t { under_way, done, failed };

  const Instance* function = nullptr;
  State state = State::under_way;
  std::map<const Instance*, std::vector<std::int64_t>> dims;  ///< of inputs, outputs, locals and the fields of records
  std::map<const Instance*, double> values;                   ///< of inputs, or fields of inputs, that sizes depend on
  std::map<const Instance*, Texts> texts;                     ///< of String inputs, where interpreted also in records
  std::map<const Instance*, Object> objects;                  ///< of inputs that are external objects
  std::map<const Instance*, Closure> closures;                ///< of inputs that are functions
  /// Stand for the given inputs of these, in their order; a functional one for a closure of its own.
  std::map<const Instance*, std::vector<const Instance*>> captured;
  std::deque<Instance> made;        ///< where those are
  std::set<const Instance*> asked;  ///< inputs, or fields of inputs, whose value was needed and not known
  ir::ProgramId program;
  std::uint32_t n_outputs = 0;
  bool is_table = false;     ///< stands for a Program of a table
  bool interpreted = false;  ///< see write_interpreted
  /// The last call that was computed at compile time: each element of an array that it gives asks for the same one.
  std::vector<double> last_inputs, last_outputs;
};

/// What sets one specialisation apart from another.
struct CallShape {
  const Instance* function = nullptr;
  std::vector<std::vector<std::int64_t>> dims;  ///< of the inputs
  FieldSizes fields;                            ///< of inputs that are records
  std::vector<std::pair<const Instance*, double>> values;
  std::map<const Instance*, Texts> texts;
  std::map<const Instance*, Object> objects;
  std::map<const Instance*, Closure> closures;
  bool interpreted = false;
};

/// The Program of a function at the sizes of a call; null when it was reported. Made once per shape.
/// Inputs whose values are needed at compile time, but not given, are left in `asked`, and the result is null without
/// message.
Frame* specialise(Model& model, const CallShape& shape, Span used_at, std::set<const Instance*>& asked);

/// What a function as an argument is specialised for; none when it was reported.
std::optional<Closure> closure_of(Typer& typer, const Node& function);
/// Components that stand for what the function behind a functional input was given.
void capture(Frame& frame, const Instance& input, const Closure& closure);
/// The scalars and arrays that a component of the function is made of; of a functional input: what was given.
std::vector<const Instance*> leaves_in(const Frame& frame, const Instance& component);

/// Sizes of everything in the function, inputs first (from the call), then in the order of declaration. False when it was
/// reported or asks for values.
bool settle_sizes(Model& model, Frame& frame, const CallShape& shape, Span used_at);
/// Sizes of the fields of an input, from the record that it is called with. False when it was reported: they do not fit.
bool sizes_of_fields(Typer& typer, const Instance& function, const Instance& input, const Node& value, FieldSizes& into);
/// An external function as a Program without statements: finds the C function, decides how it is called. False when
/// reported.
bool write_foreign(Model& model, Frame& frame, Span used_at);

/// Whether a function may be called at events though it is no Program: it takes numbers, Strings, external objects and
/// records of these, and gives numbers and records of numbers.
bool can_be_interpreted(const Instance& function);
/// Such a function as a Program without statements that the interpreter runs. Its last inputs are the number of the call in
/// the model and the time, the last of the instances that the frame has made.
bool write_interpreted(Model& model, Frame& frame);

/// Notes in the Program of a function what its annotations say: derivatives, inverses, smoothOrder, inlining. Warnings W305.
void read_wishes(Model& model, Frame& frame);

/// Whether a function cannot become a Program: it works on Strings, calls itself, or is (or calls) external C other than
/// mathematics. Its calls are computed at compile time.
bool needs_values(Model& model, const Instance& function);
/// Stands for an external function of one scalar output that has a Program of its own.
void frame_for(Model& model, const Instance& function, ir::ProgramId program);

/// The scalars and arrays of a component, depth first: itself, or those of its fields.
std::vector<const Instance*> leaves_of(const Instance& component);
/// Whether a path goes through an array taken apart, and where first.
std::optional<std::size_t> first_apart(const instance::Resolved& resolved);
/// The components that a name may mean: those of all elements of arrays taken apart, or of the one that literals choose.
std::vector<const Instance*> meant_by(Model& model, const instance::Resolved& resolved);
/// Whether it is a parameter of a record that is none itself: it stays what it is where the record is assigned as a whole.
bool is_part_parameter(const Instance& field);
/// The unit that the declaration of a function's variable states, "" when none.
std::string unit_of(Model& model, const Instance& variable);
bool is_input(const Instance& instance);
bool is_output(const Instance& instance);

/// A call in an equation: a call node over the arguments, an output of it; computed when all arguments are known.
Scalar lower_call(Model& model, Lowering& lowering, const Node& node, const Indices& indices);
/// All arguments of a call as scalars, in the order of the Program's inputs; empty when one failed.
std::optional<std::vector<Scalar>> lower_arguments(Model& model, Lowering& lowering, const Node& node,
                                                   const Indices& vector_indices);
/// Which output of the Program the element is.
std::optional<std::uint32_t> output_number(Lowering& lowering, const Frame& frame, const Node& node, const Indices& own);

/// The same as a scalar, also at indices that are not known at compile time.
Scalar output_position(Lowering& lowering, const Frame& frame, const Node& node, const Indices& own);
/// Sizes of a leaf of an input or output.
std::vector<std::int64_t> dims_in(const Frame& frame, const Instance& leaf);
/// The specialisation that became this Program.
Frame& frame_of(Model& model, std::uint32_t program);

/// Value of a local at compile time: inputs with given values, constants, locals with a binding.
Scalar value_in_frame(Model& model, Lowering& lowering, Frame& frame, const Node& node, const Indices& indices);

}  // namespace bolza::flatten
