// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "compiler/ir/dag.h"

namespace bolza::codegen {

/// What one group writes: an expression per output and the row of out that it goes to, per instance.
struct GroupOutputs {
  std::vector<ir::ExprId> values;
  std::vector<std::vector<std::int32_t>> rows;  ///< [values][instances]
};

/// Who stores and who adds, such that every row of out ends as the sum of what goes there.
struct Assignment {
  std::vector<std::vector<std::uint8_t>> adds;  ///< [groups][outputs]
  std::vector<std::int32_t> zero;               ///< rows to zero before the groups run, ascending
};

/// Groups run in order, instances in order within a group, the outputs of one instance in no known order. An output stores
/// when it is the first to reach its row in all instances. Rows that nobody stores to are zeroed. Cost: linear in the
/// tables.
Assignment assign(const std::vector<GroupOutputs>& groups, std::size_t n_out);

/// Numbers (row, column) pairs: equal pairs get one entry, entries are ordered by row, then column.
class PatternBuilder {
 public:
  /// The pair's number in order of addition.
  std::size_t add(std::int32_t row, std::int32_t column);
  /// entry[k] = entry of the k-th pair added. Fills row and column of every entry.
  std::vector<std::int32_t> finish(std::vector<std::int32_t>& row, std::vector<std::int32_t>& column) const;

 private:
  std::vector<std::uint64_t> pairs_;
};

}  // namespace bolza::codegen
