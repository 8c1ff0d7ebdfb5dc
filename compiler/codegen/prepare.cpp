// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/prepare_internal.h"

#include <algorithm>
#include <map>

#include "compiler/ir/canonical.h"

namespace bolza::codegen {
namespace {

/// For each slot: the first slot with the same variable in this instance, and whether it is differentiated by.
using Treatment = std::vector<std::uint32_t>;

class InstanceKeys {
 public:
  InstanceKeys(const ir::Group& group, const ir::Function& function, std::uint32_t n_global)
      : group_(group),
        n_point_(function.n_point),
        n_by_(function.n_point + n_global),
        order_(group.slots.size()) {}

  Treatment of(std::uint32_t instance) {
    std::size_t n = group_.slots.size();
    positions_.resize(n);
    Treatment treatment(n);
    for (std::uint32_t k = 0; k < n; ++k) {
      positions_[k] = group_.slots[k][instance].value;
      order_[k] = k;
    }
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return positions_[a] != positions_[b] ? positions_[a] < positions_[b] : a < b;
    });
    for (std::size_t j = 0; j < n; ++j) {
      std::uint32_t k = order_[j];
      bool same = j > 0 && positions_[order_[j - 1]] == positions_[k];
      treatment[k] = same ? treatment[order_[j - 1]] : 2 * k + (positions_[k] < n_by_);
    }
    return treatment;
  }

  bool is_point(std::uint32_t slot) const { return group_.slots[slot][0].value < n_point_; }
  bool is_by(std::uint32_t slot) const { return group_.slots[slot][0].value < n_by_; }

 private:
  const ir::Group& group_;
  std::uint32_t n_point_, n_by_;
  std::vector<std::uint32_t> order_, positions_;
};

PreparedGroup describe(ir::Group group, const ir::Function& function, std::uint32_t n_global) {
  PreparedGroup prepared;
  prepared.group = std::move(group);
  InstanceKeys keys(prepared.group, function, n_global);
  for (std::uint32_t k = 0; k < prepared.group.slots.size(); ++k) {
    prepared.classes.push_back(keys.is_point(k) ? SlotClass::point : SlotClass::shared);
    prepared.by.push_back(keys.is_by(k));
  }
  return prepared;
}

bool merges_slots(const Treatment& treatment) {
  for (std::uint32_t k = 0; k < treatment.size(); ++k)
    if (treatment[k] / 2 != k) return true;
  return false;
}

}  // namespace

std::vector<PreparedGroup> prepare(ir::Dag& dag, const ir::Function& function, std::uint32_t n_global) {
  std::vector<PreparedGroup> result;
  for (const ir::Group& group : function.section.groups) {
    if (group.n == 0) continue;
    InstanceKeys keys(group, function, n_global);
    std::map<Treatment, std::size_t> classes;
    std::vector<std::vector<std::uint32_t>> members;
    std::vector<bool> merged;
    for (std::uint32_t i = 0; i < group.n; ++i) {
      Treatment treatment = keys.of(i);
      auto [at, fresh] = classes.try_emplace(std::move(treatment), members.size());
      if (fresh) {
        members.emplace_back();
        merged.push_back(merges_slots(at->first));
      }
      members[at->second].push_back(i);
    }
    for (std::size_t c = 0; c < members.size(); ++c) {
      ir::Group part = members.size() == 1 ? group : ir::pick(group, members[c]);
      if (merged[c]) part = ir::canonical(dag, part);
      result.push_back(describe(std::move(part), function, n_global));
    }
  }
  return result;
}

}  // namespace bolza::codegen
