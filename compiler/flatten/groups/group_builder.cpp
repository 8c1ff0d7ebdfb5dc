// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/groups/group_builder_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/ir/canonical.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::VariableId;

namespace {

std::uint64_t hash_of(const std::vector<std::uint32_t>& ids) {
  std::uint64_t h = ids.size();
  for (std::uint32_t id : ids) h = (h ^ id) * 0x9E3779B97F4A7C15ull + (h >> 29);
  return h;
}

}  // namespace

ExprId GroupBuilder::slot(std::vector<std::uint32_t> ids) {
  expects(!ids.empty(), "a column has entries");
  if (std::all_of(ids.begin(), ids.end(), [&](std::uint32_t id) { return id == ids[0]; })) ids.resize(1);
  expects(ids.size() == 1 || ids.size() == n_, "a column has one entry per instance");
  std::uint64_t hash = hash_of(ids);
  auto [first, last] = by_hash_.equal_range(hash);
  for (auto at = first; at != last; ++at)
    if (columns_[at->second] == ids) return model_.dag().slot(at->second);
  auto k = static_cast<std::uint32_t>(columns_.size());
  by_hash_.emplace(hash, k);
  columns_.push_back(std::move(ids));
  return model_.dag().slot(k);
}

ExprId GroupBuilder::datum(const Known& known) {
  data_.push_back(known);
  return model_.dag().datum(static_cast<std::uint32_t>(data_.size() - 1));
}

ir::Group GroupBuilder::finish(std::vector<ExprId> roots, std::vector<std::vector<ir::RowId>> rows, Span span,
                               const Space& space, const std::vector<std::pair<std::string, AxisId>>& iterators) {
  ir::Group group;
  group.n = static_cast<std::uint32_t>(n_);
  group.roots = std::move(roots);
  group.rows = std::move(rows);
  for (const auto& ids : columns_) {
    if (ids.size() == 1) {
      group.slots.push_back(ir::Column::affine(VariableId(ids[0]), 0));
      continue;
    }
    std::vector<VariableId> column;
    column.reserve(ids.size());
    for (std::uint32_t id : ids) column.emplace_back(id);
    group.slots.push_back(ir::Column::listed(std::move(column)));
  }
  for (const Known& known : data_) {
    ir::DataColumn numbers;
    for (std::size_t i = 0; i < n_; ++i) numbers.push_back(known[i]);
    group.data.push_back(std::move(numbers));
  }
  for (std::size_t i = 0; i < n_; ++i) {
    ir::Origin origin{span, {}};
    for (const auto& [name, axis] : iterators)
      if (const Known* known = space.find(axis)) origin.iterators.emplace_back(name, (*known)[i]);
    group.origins.push_back(static_cast<std::uint32_t>(model_.flat.origins.size()));
    model_.flat.origins.push_back(std::move(origin));
  }
  return group;
}

ir::Term GroupBuilder::finish_term(ExprId root, Span span) const {
  ir::Term term{root, {}, {}, span};
  for (const auto& ids : columns_) term.slots.emplace_back(ids[0]);
  for (const Known& known : data_) term.data.push_back(known[0]);
  return term;
}

ir::ElementValues GroupBuilder::finish_values(ExprId root, Span span) const {
  bool uniform =
      data_.empty() && std::all_of(columns_.begin(), columns_.end(), [](const auto& ids) { return ids.size() == 1; });
  ir::ElementValues values;
  for (std::size_t i = 0; i < (uniform ? 1 : n_); ++i) {
    ir::Term term{root, {}, {}, span};
    for (const auto& ids : columns_) term.slots.emplace_back(ids.size() == 1 ? ids[0] : ids[i]);
    for (const Known& known : data_) term.data.push_back(known[i]);
    values.terms.push_back(std::move(term));
  }
  return values;
}

}  // namespace bolza::flatten
