// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <span>
#include <vector>

#include "compiler/passes/index/pantelides.h"
#include "compiler/passes/structure/incidence.h"

namespace bolza::passes {

/// The unknowns as chains v, der(v), der(der(v)), …: each variable that has no definition and is not itself a derivative
/// begins one, unless its derivative is defined (parameters that initial equations determine: constant states). Chains are
/// numbered from 0 in the order of their first variables.
class DerivativeChains {
 public:
  static constexpr std::uint32_t none = 0xffffffff;
  explicit DerivativeChains(const System& system);

  std::uint32_t n() const { return static_cast<std::uint32_t>(members_.size()); }
  /// none: not an unknown.
  std::uint32_t chain_of(VariableId v) const { return chain_[v.index()]; }
  std::uint32_t order_of(VariableId v) const { return order_[v.index()]; }
  VariableId at(std::uint32_t chain, std::uint32_t order) const { return members_[chain][order]; }
  std::uint32_t highest(std::uint32_t chain) const { return static_cast<std::uint32_t>(members_[chain].size() - 1); }
  std::vector<std::uint32_t> highest_orders() const;

  /// The derivative of a member of a chain by time. Those that are not there are numbered after the scalars of the system;
  /// every such number stands for a derivative of its own.
  VariableId derivative_of(VariableId v) const;

  /// What counts in place of an equation instance: that instance differentiated `times` times, because functions whose
  /// derivatives the model gives (`noDerivative`) read other variables there.
  struct Differentiated {
    Applied applied;
    std::uint32_t times = 0;
  };
  Signature signature(const EquationRows& equations, const std::map<std::uint32_t, Differentiated>& instead = {}) const;

  /// Adds derivatives to the system so that chain k has the orders 0 … orders[k]. Neighbours share one array.
  void extend(System& system, std::span<const std::uint32_t> orders);

 private:
  struct Place {
    std::uint32_t chain, order;
  };
  Place place_of(VariableId v) const;

  std::vector<std::uint32_t> chain_, order_;      ///< [n_scalars]
  std::vector<std::vector<VariableId>> members_;  ///< [chains] by order
};

}  // namespace bolza::passes
