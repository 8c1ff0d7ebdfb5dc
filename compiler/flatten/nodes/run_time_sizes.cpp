// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/nodes/run_time_sizes_internal.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

namespace {

constexpr std::int64_t first_run_time_size = -1000;

/// A sum of places with factors, and a number.
class Sum {
 public:
  void add(const Node& node, double factor) {
    bool applies = node.kind == NodeKind::apply;
    if (node.kind == NodeKind::number) {
      number_ += factor * node.value;
    } else if (applies && (node.op == ir::Op::add || node.op == ir::Op::sub) && node.children.size() == 2) {
      add(*node.children[0], factor);
      add(*node.children[1], node.op == ir::Op::sub ? -factor : factor);
    } else if (applies && node.op == ir::Op::neg) {
      add(*node.children[0], -factor);
    } else {
      add_place(node, factor);
    }
  }

  bool is_zero() const {
    return number_ == 0 && std::all_of(terms_.begin(), terms_.end(), [](const auto& term) { return term.second == 0; });
  }

 private:
  void add_place(const Node& node, double factor) {
    auto known = std::find_if(terms_.begin(), terms_.end(), [&](const auto& term) { return same_place(*term.first, node); });
    if (known == terms_.end()) terms_.emplace_back(&node, factor);
    else known->second += factor;
  }

  std::vector<std::pair<const Node*, double>> terms_;
  double number_ = 0;
};

bool equal(const Node& a, const Node& b) {
  Sum difference;
  difference.add(a, 1);
  difference.add(b, -1);
  return difference.is_zero();
}

}  // namespace

bool is_run_time_size(std::int64_t size) { return size <= first_run_time_size; }

bool has_run_time_size(const std::vector<std::int64_t>& dims) {
  return std::any_of(dims.begin(), dims.end(), is_run_time_size);
}

std::int64_t run_time_size(Nodes& nodes, const Node* count) {
  std::vector<const Node*>& known = nodes.run_time_sizes;
  auto same = std::find_if(known.begin(), known.end(), [&](const Node* other) { return equal(*other, *count); });
  auto k = same - known.begin();
  if (same == known.end()) known.push_back(count);
  return first_run_time_size - static_cast<std::int64_t>(k);
}

const Node* expression_of_size(const Nodes& nodes, std::int64_t size) {
  return nodes.run_time_sizes.at(static_cast<std::size_t>(first_run_time_size - size));
}

}  // namespace bolza::flatten
