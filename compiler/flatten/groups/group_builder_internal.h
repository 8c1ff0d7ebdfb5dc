// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unordered_map>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

/// Collects the slots and data of one group while its roots are lowered.
class GroupBuilder {
 public:
  GroupBuilder(Model& model, std::size_t n) : model_(model), n_(n) {}

  /// The slot with these variables (one per instance, or one for all); the same column gives the same slot.
  ir::ExprId slot(std::vector<std::uint32_t> ids);
  ir::ExprId datum(const Known& known);
  /// The group; `rows` has one entry per root and instance.
  ir::Group finish(std::vector<ir::ExprId> roots, std::vector<std::vector<ir::RowId>> rows, Span span, const Space& space,
                   const std::vector<std::pair<std::string, AxisId>>& iterators);
  /// For a space of one instance.
  ir::Term finish_term(ir::ExprId root, Span span) const;
  /// One term per instance; one for all when they are the same.
  ir::ElementValues finish_values(ir::ExprId root, Span span) const;
  const std::vector<std::vector<std::uint32_t>>& columns() const { return columns_; }
  std::size_t n() const { return n_; }

 private:
  Model& model_;
  std::size_t n_;
  std::vector<std::vector<std::uint32_t>> columns_;  ///< of one entry when all are equal
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
  std::vector<Known> data_;
};

}  // namespace bolza::flatten
