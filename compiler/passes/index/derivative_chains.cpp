// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/index/derivative_chains.h"

#include <algorithm>

namespace bolza::passes {

DerivativeChains::DerivativeChains(const System& system) : chain_(system.n(), none), order_(system.n(), 0) {
  auto begin_chain = [&](std::size_t v) {
    chain_[v] = n();
    members_.push_back({VariableId(v)});
  };
  for (std::size_t v = 0; v < system.n(); ++v) {
    bool begins = system.roles[v] == ScalarRole::state || system.roles[v] == ScalarRole::algebraic;
    bool constant = system.derivative[v] && system.definition(system.derivative[v]);
    if (begins && !constant && !system.definition(VariableId(v))) begin_chain(v);
  }
  for (std::size_t v = 0; v < system.n(); ++v) {
    if (system.roles[v] != ScalarRole::derivative || system.definition(VariableId(v))) continue;
    std::uint32_t chain = chain_[system.owner[v].index()];
    if (chain == none) {  // of an input
      begin_chain(v);
      continue;
    }
    chain_[v] = chain;
    order_[v] = static_cast<std::uint32_t>(members_[chain].size());
    members_[chain].push_back(VariableId(v));
  }
}

std::vector<std::uint32_t> DerivativeChains::highest_orders() const {
  std::vector<std::uint32_t> orders(n());
  for (std::uint32_t k = 0; k < n(); ++k) orders[k] = highest(k);
  return orders;
}

DerivativeChains::Place DerivativeChains::place_of(VariableId v) const {
  if (v.index() < chain_.size()) return {chain_[v.index()], order_[v.index()]};
  auto k = static_cast<std::uint32_t>(v.index() - chain_.size());
  return {k % n(), k / n()};
}

VariableId DerivativeChains::derivative_of(VariableId v) const {
  Place place = place_of(v);
  if (place.chain == none) return VariableId();
  if (place.order < highest(place.chain)) return at(place.chain, place.order + 1);
  return VariableId(chain_.size() + place.chain + std::size_t{n()} * (place.order + 1));
}

Signature DerivativeChains::signature(const EquationRows& equations,
                                      const std::map<std::uint32_t, Differentiated>& instead) const {
  Signature signature;
  signature.n_columns = n();
  std::vector<std::uint32_t> place(n(), none);
  for (const std::vector<std::uint32_t>& parts : equations.parts) {
    std::uint32_t begin = signature.begin.back();
    for (std::uint32_t part : parts) {
      auto other = instead.find(part);
      bool own = other == instead.end();
      for (VariableId v : own ? equations.instances[part].applied.slots : other->second.applied.slots) {
        auto [chain, order] = place_of(v);
        if (chain == none) continue;
        std::int32_t relative = static_cast<std::int32_t>(order) - static_cast<std::int32_t>(own ? 0 : other->second.times);
        if (place[chain] == none || place[chain] < begin) {
          place[chain] = static_cast<std::uint32_t>(signature.columns.size());
          signature.columns.push_back(chain);
          signature.orders.push_back(relative);
        }
        signature.orders[place[chain]] = std::max(signature.orders[place[chain]], relative);
      }
    }
    signature.begin.push_back(static_cast<std::uint32_t>(signature.columns.size()));
  }
  return signature;
}

void DerivativeChains::extend(System& system, std::span<const std::uint32_t> orders) {
  std::uint32_t most = 0;
  for (std::uint32_t order : orders) most = std::max(most, order);
  std::size_t n_declared = system.flat.variables.size();
  for (std::uint32_t order = 1; order <= most; ++order) {
    auto wants = [&](VariableId v) {
      std::uint32_t chain = chain_of(v);
      return chain != none && order_of(v) == 0 && orders[chain] >= order && members_[chain].size() == order;
    };
    auto below = [&](VariableId v) { return members_[chain_of(v)][order - 1]; };
    for (std::size_t k = 0; k < n_declared; ++k) {
      VariableId first = system.flat.variables[k].first;
      std::size_t end = first.index() + system.flat.variables[k].size;
      for (std::size_t v = first.index(); v < end;) {
        if (!wants(VariableId(v))) {
          ++v;
          continue;
        }
        std::size_t run = v + 1;
        while (run < end && wants(VariableId(run)) &&
               below(VariableId(run)).index() == below(VariableId(run - 1)).index() + 1)
          ++run;
        VariableId added = system.add_derivative(below(VariableId(v)), static_cast<std::uint32_t>(run - v));
        for (; v < run; ++v, added = VariableId(added.index() + 1)) {
          members_[chain_of(VariableId(v))].push_back(added);
          chain_.push_back(chain_of(VariableId(v)));
          order_.push_back(order);
        }
      }
    }
  }
}

}  // namespace bolza::passes
