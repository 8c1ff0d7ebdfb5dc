// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bolza {

/// Disjoint sets of the numbers 0, 1, …, size() − 1. Of every set its least number stands for it, whatever the order of the
/// unions. Cost: O(log n) amortised for each call, nearly constant in practice.
class UnionFind {
 public:
  /// Every number alone.
  explicit UnionFind(std::size_t n = 0);
  std::size_t size() const { return parent_.size(); }
  /// Another number, alone.
  void add();
  /// The least number of the set of `k`. Requires k < size().
  std::uint32_t find(std::uint32_t k);
  void unite(std::uint32_t a, std::uint32_t b);

 private:
  std::vector<std::uint32_t> parent_;  ///< at most the number itself; equal: it stands for its set
};

}  // namespace bolza
