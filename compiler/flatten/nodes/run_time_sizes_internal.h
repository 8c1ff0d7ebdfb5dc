// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace bolza::flatten {

struct Node;
struct Nodes;

/// Sizes that only the run tells, as that of `x[1:n]` in a function whose input `n` varies: in the dimensions of a node each
/// is a number below zero, the same for expressions that are equal as sums (`n - 1` and `(n + 1) - 2`). So sizes are
/// compared as all are, and what runs over such a dimension asks for its expression. There are none outside of statements.
bool is_run_time_size(std::int64_t size);
bool has_run_time_size(const std::vector<std::int64_t>& dims);
/// The number that stands for a size, of a scalar Integer expression. Cost: the number of such sizes in the model.
std::int64_t run_time_size(Nodes& nodes, const Node* count);
/// The expression that a number stands for.
const Node* expression_of_size(const Nodes& nodes, std::int64_t size);

}  // namespace bolza::flatten
