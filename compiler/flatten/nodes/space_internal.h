// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/id.h"
#include "compiler/flatten/nodes/outcome_internal.h"
#include "compiler/ir/op.h"

namespace bolza::flatten {

/// An index that an expression depends on: a for-iterator, a dimension of an array component, a summation index.
using AxisId = Id<struct AxisTag>;

/// A number known at compile time for every instance of a space: one for all, or one per instance.
class Known {
 public:
  Known(double uniform = 0) : uniform_(uniform) {}  // NOLINT(google-explicit-constructor): a literal is a Known
  explicit Known(std::vector<double> each);         ///< becomes uniform when all entries are equal

  bool is_uniform() const { return each_ == nullptr; }
  double operator[](std::size_t i) const { return each_ ? (*each_)[i] : uniform_; }
  double uniform() const { return uniform_; }
  double least(std::size_t n) const;
  double greatest(std::size_t n) const;

 private:
  double uniform_ = 0;
  std::shared_ptr<const std::vector<double>> each_;
};

/// The operator applied instance by instance.
Known apply_known(ir::Op op, std::span<const Known> operands, std::size_t n);
/// Every entry `m` times in a row: from a space of n instances to one of n·m.
Known repeat(const Known& known, std::size_t n, std::size_t m);
Known pick(const Known& known, std::span<const std::uint32_t> instances);

/// The instances that an equation stands for, each with a value of every axis in scope. A plain equation has one instance.
struct Space {
  std::size_t n = 1;
  std::vector<std::pair<AxisId, Known>> axes;

  const Known* find(AxisId axis) const;
};

/// Every instance m times, with the m values as the new axis (inner index fastest).
Space extend(const Space& space, AxisId axis, std::span<const double> values);
/// The same when the values differ between the instances of the space: `values` has n·m entries.
Space extend_each(const Space& space, AxisId axis, std::vector<double> values);
/// Axis values 1 … m.
Space extend_to(const Space& space, AxisId axis, std::int64_t m);
Space pick(const Space& space, std::span<const std::uint32_t> instances);

/// Names of the axes that an origin tells: for-iterators and array components.
using NamedAxes = std::vector<std::pair<std::string, AxisId>>;

/// The instances that a translation is for. It may find that they need different shapes (a condition, a size that differs):
/// then it gives `Again`, and is started again on the parts.
struct Work {
  Space space;

  explicit Work(Space space = {}) : space(std::move(space)) {}

  /// The number where all instances have the same one; otherwise the split by it is asked for.
  Outcome<double> uniform(const Known& known);
  /// Asks for the space to be split by a key, which is not uniform.
  Again split_by(const Known& key);
  /// Asks for the loops around to be written out, in functions: a size depends on a loop's iterator.
  static Again written_out() { return Again(Again::How::written_out); }
  /// The parts of the space after a failure that asks for its split.
  std::vector<Space> parts(const Failure& failure) const;

 private:
  Known key_;  ///< of the last split that was asked for
};

/// The parts of a space with equal keys, in the order of their first instance: lists of instances.
std::vector<std::vector<std::uint32_t>> parts_of(const Known& key, std::size_t n);

}  // namespace bolza::flatten
