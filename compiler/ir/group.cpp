// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/group.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "base/expects.h"

namespace bolza::ir {

// ---------------------------------------------------------------- columns

Column Column::affine(VariableId first, std::int32_t stride) {
  Column column;
  column.first_ = first.value;
  column.stride_ = stride;
  return column;
}

Column Column::listed(std::vector<VariableId> ids) {
  if (ids.empty()) return {};
  Column column;
  column.first_ = ids[0].value;
  column.stride_ = ids.size() > 1 ? std::int64_t{ids[1].value} - column.first_ : 0;
  for (std::size_t i = 2; i < ids.size(); ++i) {
    if (column[i] == ids[i]) continue;
    column.ids_ = std::move(ids);
    break;
  }
  return column;
}

void Column::append(const Column& other, std::size_t own_size, std::size_t other_size) {
  if (other_size == 0) return;
  if (own_size == 0) {
    *this = other;
    return;
  }
  if (is_affine() && other.is_affine()) {
    std::int64_t step = own_size > 1 ? stride_ : std::int64_t{other[0].value} - first_;
    bool continues = std::int64_t{other[0].value} == first_ + step * static_cast<std::int64_t>(own_size);
    if (continues && (other_size == 1 || other.stride_ == step)) {
      stride_ = step;
      return;
    }
  }
  std::vector<VariableId> ids = std::move(ids_);
  ids_.clear();
  if (ids.empty())
    for (std::size_t i = 0; i < own_size; ++i) ids.push_back((*this)[i]);
  for (std::size_t i = 0; i < other_size; ++i) ids.push_back(other[i]);
  ids_ = std::move(ids);
}

Column Column::pick(std::span<const std::uint32_t> instances) const {
  std::vector<VariableId> ids;
  ids.reserve(instances.size());
  for (std::uint32_t i : instances) ids.push_back((*this)[i]);
  return listed(std::move(ids));
}

bool same_entries(const Column& a, const Column& b, std::size_t n) {
  if (n == 0) return true;
  if (a.is_affine() && b.is_affine()) return a[0] == b[0] && (n == 1 || a.stride() == b.stride());
  for (std::size_t i = 0; i < n; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

void DataColumn::push_back(double number) {
  if (n_ == 0) value_ = number;
  if (!listed_.empty()) {
    listed_.push_back(number);
  } else if (std::bit_cast<std::uint64_t>(number) != std::bit_cast<std::uint64_t>(value_)) {
    listed_.assign(n_, value_);
    listed_.push_back(number);
  }
  ++n_;
}

void DataColumn::append(const DataColumn& other) {
  for (std::size_t i = 0; i < other.n_; ++i) push_back(other[i]);
}

DataColumn DataColumn::pick(std::span<const std::uint32_t> instances) const {
  if (listed_.empty()) return DataColumn(instances.size(), value_);
  DataColumn picked;
  for (std::uint32_t i : instances) picked.push_back(listed_[i]);
  return picked;
}

double* DataColumn::copy_to(double* out) const {
  return listed_.empty() ? std::fill_n(out, n_, value_) : std::copy(listed_.begin(), listed_.end(), out);
}

// ---------------------------------------------------------------- groups

namespace {

template <class T>
std::vector<T> pick_entries(const std::vector<T>& from, std::span<const std::uint32_t> instances) {
  std::vector<T> picked;
  picked.reserve(instances.size());
  for (std::uint32_t i : instances) picked.push_back(from[i]);
  return picked;
}

template <class T>
void append_entries(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Equal columns agree in their first entry, so only those are compared.
bool has_distinct_columns(const Group& group) {
  std::unordered_map<VariableId, std::vector<std::size_t>> by_first;
  for (std::size_t k = 0; k < group.slots.size() && group.n > 0; ++k) {
    std::vector<std::size_t>& others = by_first[group.slots[k][0]];
    for (std::size_t m : others)
      if (same_entries(group.slots[k], group.slots[m], group.n)) return false;
    others.push_back(k);
  }
  return true;
}

void verify_leaves(const Dag& dag, std::span<const ExprId> roots, std::size_t n_slots, std::size_t n_data) {
  for (ExprId root : roots) expects(bool(root) && root.index() < dag.size(), "roots are nodes of the DAG");
  for (ExprId e : reachable(dag, roots)) {
    if (dag.op(e) == Op::slot) expects(dag.index(e) < n_slots, "a shape uses only slots that its group has");
    if (dag.op(e) == Op::datum) expects(dag.index(e) < n_data, "a shape uses only data that its group has");
  }
}

}  // namespace

Group pick(const Group& group, std::span<const std::uint32_t> instances) {
  Group picked;
  picked.roots = group.roots;
  picked.n = static_cast<std::uint32_t>(instances.size());
  for (const Column& column : group.slots) picked.slots.push_back(column.pick(instances));
  for (const DataColumn& numbers : group.data) picked.data.push_back(numbers.pick(instances));
  for (const auto& rows : group.rows) picked.rows.push_back(pick_entries(rows, instances));
  picked.origins = pick_entries(group.origins, instances);
  return picked;
}

void append(Group& group, const Group& other) {
  expects(group.roots == other.roots && group.slots.size() == other.slots.size() && group.data.size() == other.data.size(),
          "only groups of one shape are appended");
  for (std::size_t k = 0; k < group.slots.size(); ++k) group.slots[k].append(other.slots[k], group.n, other.n);
  for (std::size_t k = 0; k < group.data.size(); ++k) group.data[k].append(other.data[k]);
  for (std::size_t r = 0; r < group.rows.size(); ++r) append_entries(group.rows[r], other.rows[r]);
  append_entries(group.origins, other.origins);
  group.n += other.n;
}

void verify(const Dag& dag, const Section& section, std::uint32_t n_variables) {
  for (const Group& group : section.groups) {
    verify_leaves(dag, group.roots, group.slots.size(), group.data.size());
    for (const Column& column : group.slots)
      for (std::size_t i = 0; i < group.n; ++i) expects(column[i].value < n_variables, "columns name existing variables");
    expects(has_distinct_columns(group), "no two slots of a group have the same column");
    for (const DataColumn& numbers : group.data)
      expects(numbers.size() == group.n, "data columns have one number per instance");
    expects(group.rows.size() == group.roots.size(), "every root has a row column");
    for (const auto& rows : group.rows) {
      expects(rows.size() == group.n, "row columns have one row per instance");
      for (RowId row : rows) expects(row.value < section.n_rows, "rows are below the section's number of rows");
    }
    expects(group.origins.size() == group.n, "every instance has an origin");
  }
}

void verify(const Dag& dag, const Term& term, std::uint32_t n_variables) {
  verify_leaves(dag, std::span(&term.root, 1), term.slots.size(), term.data.size());
  for (VariableId id : term.slots) expects(id.value < n_variables, "terms name existing variables");
}

}  // namespace bolza::ir
