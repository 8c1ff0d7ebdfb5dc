// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/ir/dag.h"

namespace bolza::ir {

/// A hash table from nodes to T for walks over a few nodes of a large DAG. Open addressing; entries are never removed.
template <class T>
class NodeMap {
 public:
  explicit NodeMap(std::size_t expected = 16) {
    std::size_t size = 32;
    while (size < expected * 2) size *= 2;
    keys_.resize(size);
    values_.resize(size);
  }

  T* find(ExprId e) {
    std::size_t at = place(e);
    return keys_[at] ? &values_[at] : nullptr;
  }
  const T* find(ExprId e) const { return const_cast<NodeMap*>(this)->find(e); }
  bool contains(ExprId e) const { return find(e) != nullptr; }

  /// The entry of `e`, made with T() when there was none. References last until the next insertion.
  T& operator[](ExprId e) {
    std::size_t at = place(e);
    if (!keys_[at]) {
      if ((used_ + 1) * 3 > keys_.size() * 2) {
        grow();
        at = place(e);
      }
      keys_[at] = e;
      ++used_;
    }
    return values_[at];
  }

  std::size_t size() const { return used_; }

 private:
  std::size_t place(ExprId e) const {
    std::size_t mask = keys_.size() - 1;
    std::size_t at = (e.value * 0x9E3779B97F4A7C15ull >> 20) & mask;
    while (keys_[at] && keys_[at] != e) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    NodeMap bigger(keys_.size());
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (keys_[i]) bigger[keys_[i]] = std::move(values_[i]);
    *this = std::move(bigger);
  }

  std::vector<ExprId> keys_;
  std::vector<T> values_;
  std::size_t used_ = 0;
};

}  // namespace bolza::ir
