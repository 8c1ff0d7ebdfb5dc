// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/span.h"
#include "compiler/ir/dag.h"

namespace bolza::ir {

/// A scalar variable of the model: every element of every array has its own id, the elements of one array are contiguous.
using VariableId = Id<struct VariableTag>;
/// A row of the section (equations, constraints, …) that a group contributes to.
using RowId = Id<struct RowTag>;

/// One slot's variables over the instances of a group: affine (first + stride·i) or listed.
class Column {
 public:
  Column() = default;
  static Column affine(VariableId first, std::int32_t stride);  ///< stride 0: the same variable in every instance
  static Column listed(std::vector<VariableId> ids);            ///< becomes affine when it is

  VariableId operator[](std::size_t i) const {
    return ids_.empty() ? VariableId(static_cast<std::uint32_t>(first_ + stride_ * static_cast<std::int64_t>(i))) : ids_[i];
  }
  bool is_affine() const { return ids_.empty(); }
  std::int64_t stride() const { return stride_; }
  /// Puts the `other_size` entries of `other` after the first `own_size` of this one.
  void append(const Column& other, std::size_t own_size, std::size_t other_size);
  /// The entries at the given instances, in that order.
  Column pick(std::span<const std::uint32_t> instances) const;

 private:
  std::int64_t first_ = 0, stride_ = 0;
  std::vector<VariableId> ids_;
};

bool same_entries(const Column& a, const Column& b, std::size_t n);

/// One datum's numbers over the instances of a group. What is the same in all of them, as most literals are, is kept once.
class DataColumn {
 public:
  DataColumn() = default;
  DataColumn(std::size_t n, double value) : value_(value), n_(n) {}
  explicit DataColumn(std::span<const double> numbers) {
    for (double number : numbers) push_back(number);
  }

  std::size_t size() const { return n_; }
  double operator[](std::size_t i) const { return listed_.empty() ? value_ : listed_[i]; }
  void push_back(double number);
  void append(const DataColumn& other);
  /// The numbers at the given instances, in that order.
  DataColumn pick(std::span<const std::uint32_t> instances) const;
  /// All numbers, one after the other.   @return where the next one goes
  double* copy_to(double* out) const;

 private:
  double value_ = 0;            ///< of all, while nothing is listed
  std::vector<double> listed_;  ///< [n_] or empty
  std::size_t n_ = 0;
};

/// Where an equation instance was written, and for which values of its iterators.
struct Origin {
  Span span;
  std::vector<std::pair<std::string, double>> iterators;
  std::uint32_t differentiated = 0;  ///< how many times with respect to time, by index reduction
};

/// A shape (one or more DAG roots over slots and data) applied to n instances: only the integers are scalarised.
///
/// Root r of instance i belongs to row `rows[r][i]`; several instances, roots and groups may add to one row, the row's value
/// is their sum. For equations the row reads 0 = sum.
/// Invariants: every root uses only slots < slots.size() and data < data.size(); slots are numbered by first occurrence in
/// evaluation order over the roots and no two slots of a shape have the same column; columns have n entries.
struct Group {
  std::vector<ExprId> roots;
  std::uint32_t n = 0;
  std::vector<Column> slots;
  std::vector<DataColumn> data;
  std::vector<std::vector<RowId>> rows;  ///< [roots][n]
  std::vector<std::uint32_t> origins;    ///< [n], into the model's origins
};

/// A set of rows with the groups that make them.
struct Section {
  std::uint32_t n_rows = 0;
  std::vector<Group> groups;
};

/// One scalar expression with its own leaves: an attribute, a time, a binding that stands alone.
struct Term {
  ExprId root;
  std::vector<VariableId> slots;
  std::vector<double> data;
  Span span;
};

/// Instances `instances` of a group, same shape. Columns that are affine there become affine.
Group pick(const Group& group, std::span<const std::uint32_t> instances);

/// Puts the instances of `other` after those of `group`. Requires the same roots and numbers of slots and data.
void append(Group& group, const Group& other);

/// Aborts when an invariant of `Group` is broken. Columns must name ids below `n_variables`, rows be below the section's.
void verify(const Dag& dag, const Section& section, std::uint32_t n_variables);
void verify(const Dag& dag, const Term& term, std::uint32_t n_variables);

}  // namespace bolza::ir
