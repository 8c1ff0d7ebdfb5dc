// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

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
  std::set<const Instance*> at_run_time;                      ///< inputs, or fields of these, that the call has no value of
  std::map<const Instance*, double> settled;                  ///< of locals that keep what follows from sizes
  std::map<const Instance*, double> now;                      ///< of Integers and Booleans at the statement being written
  std::map<const Instance*, std::string> settled_texts;       ///< of String locals that keep what they are declared with
  std::map<const Instance*, Texts> texts;                     ///< of String inputs, where interpreted also in records
  std::map<const Instance*, Object> objects;                  ///< of inputs that are external objects
  std::map<const Instance*, Closure> closures;                ///< of inputs that are functions
  /// Stand for the given inputs of these, in their order; a functional one for a closure of its own.
  std::map<const Instance*, std::vector<const Instance*>> captured;
  std::deque<Instance> made;        ///< where those are
  std::optional<Failure> why;       ///< it failed
  std::set<const Instance*> asked;  ///< inputs, or fields of inputs, whose value was needed and not known
  ir::ProgramId program;
  std::uint32_t n_outputs = 0;
  mutable std::unordered_map<const Instance*, std::int64_t>
      first_outputs;         ///< positions of the leaves, once they are asked for
  bool is_table = false;     ///< stands for a Program of a table
  bool interpreted = false;  ///< see write_interpreted
  /// The last call that was computed at compile time: each element of an array that it gives asks for the same one.
  std::vector<double> last_inputs, last_outputs;

  /// Notes that the value of an input, or of a field of one, is needed.
  Again ask_for(const Instance& component);
};

/// What sets one specialisation apart from another.
struct CallShape {
  const Instance* function = nullptr;
  std::vector<std::vector<std::int64_t>> dims;  ///< of the inputs
  FieldSizes fields;                            ///< of inputs that are records
  std::vector<std::pair<const Instance*, double>> values;
  std::set<const Instance*> at_run_time;  ///< inputs, or fields of these, whose value is asked for, and not known yet
  std::map<const Instance*, Texts> texts;
  std::map<const Instance*, Object> objects;
  std::map<const Instance*, Closure> closures;
  bool interpreted = false;
};

/// The specialisation that became this Program.
Frame& frame_of(Model& model, std::uint32_t program);
/// Stands for an external function of one scalar output that has a Program of its own.
void frame_for(Model& model, const Instance& function, ir::ProgramId program);
/// Sizes of a leaf of an input or output.
std::vector<std::int64_t> dims_in(const Frame& frame, const Instance& leaf);
/// The scalars and arrays that a component of the function is made of; of a functional input: what was given.
std::vector<const Instance*> leaves_in(const Frame& frame, const Instance& component);

}  // namespace bolza::flatten
