// SPDX-License-Identifier: Apache-2.0
#include "base/union_find.h"

#include <algorithm>
#include <numeric>

namespace bolza {

UnionFind::UnionFind(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0u); }

void UnionFind::add() { parent_.push_back(static_cast<std::uint32_t>(parent_.size())); }

std::uint32_t UnionFind::find(std::uint32_t k) {
  while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
  return k;
}

void UnionFind::unite(std::uint32_t a, std::uint32_t b) {
  a = find(a);
  b = find(b);
  parent_[std::max(a, b)] = std::min(a, b);
}

}  // namespace bolza
