// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/index/state_select.h"

#include <algorithm>

#include "compiler/passes/index/constraint_blocks.h"

namespace bolza::passes {

namespace {

bool is_smooth(const System& system, const GroupInstance& instance) {
  for (VariableId v : instance.applied.slots) {
    ScalarRole role = system.role(v);
    bool input_rate = role == ScalarRole::derivative && system.role(system.owner[v.index()]) == ScalarRole::input;
    if (role == ScalarRole::input || role == ScalarRole::timed || role == ScalarRole::discrete || input_rate) return false;
  }
  const ir::Dag& dag = system.dag();
  auto is_edge = [&](ExprId e) {
    return dag.op(e) == ir::Op::call || ir::row_of(dag.op(e)).smoothness != ir::Smoothness::smooth;
  };
  std::vector<ExprId> nodes = ir::reachable(dag, instance.applied.roots);
  return std::none_of(nodes.begin(), nodes.end(), is_edge);
}

class StateSelectOffsets {
 public:
  StateSelectOffsets(const System& system, const EquationRows& equations, const DerivativeChains& chains,
                     const Signature& signature, const Offsets& offsets)
      : system_(system),
        equations_(equations),
        chains_(chains),
        signature_(signature),
        offsets_(offsets),
        requested_(chains.n(), false) {}

  Offsets run(std::uint32_t limit) {
    prefer();
    replace_forbidden();
    std::vector<std::uint32_t> orders = chains_.highest_orders();
    while (std::find(requested_.begin(), requested_.end(), true) != requested_.end()) {
      std::vector<std::uint32_t> least = orders;
      for (std::uint32_t c = 0; c < chains_.n(); ++c) least[c] = std::max(least[c], std::uint32_t{requested_[c]});
      std::optional<Offsets> with = differentiation_offsets(signature_, least, limit);
      if (with && !drop_refused(*with)) return std::move(*with);
      if (!with) break;
    }
    return offsets_;
  }

 private:
  StateSelect preference(std::uint32_t chain) const { return system_.select[chains_.at(chain, 0).index()]; }
  bool is_state(std::uint32_t chain) const { return chains_.highest(chain) > 0; }

  /// An algebraic variable that no equation differentiates so far.
  bool is_free(std::uint32_t chain) const {
    VariableId v = chains_.at(chain, 0);
    const ir::Variable& variable = ir::variable_of(system_.flat, v);
    return !is_state(chain) && offsets_.columns[chain] == 0 && system_.role(v) == ScalarRole::algebraic &&
           variable.kind == ir::VariableKind::unknown && variable.type == ir::ValueType::real;
  }

  void prefer() {
    for (std::uint32_t c = 0; c < chains_.n(); ++c)
      if (is_free(c) && preference(c) == StateSelect::prefer) requested_[c] = true;
  }

  void replace_forbidden() {
    for (std::uint32_t r = 0; r < signature_.n_rows(); ++r) {
      auto first = signature_.columns.begin() + signature_.begin[r],
           last = signature_.columns.begin() + signature_.begin[r + 1];
      if (!std::any_of(first, last, [&](std::uint32_t c) { return is_state(c) && preference(c) == StateSelect::never; }))
        continue;
      for (auto c = first; c != last; ++c)
        if (is_free(*c) && preference(*c) >= StateSelect::standard) requested_[*c] = true;
    }
  }

  /// What new constraints tie together stands or falls together.
  bool drop_refused(const Offsets& with) {
    UnionFind blocks = constraint_blocks(signature_, with);
    std::vector<StateSelect> weakest(chains_.n(), StateSelect::always), strongest(chains_.n(), StateSelect::never);
    std::vector<bool> refused(chains_.n(), false);
    std::vector<bool> starts(chains_.n(), false);  // a state's start would be a mere guess
    for (std::uint32_t c = 0; c < chains_.n(); ++c) {
      const ir::Numbers& numbers = system_.numbers[chains_.at(c, 0).index()];
      if (is_state(c)) weakest[blocks.find(c)] = std::min(weakest[blocks.find(c)], preference(c));
      if (is_state(c) && numbers.has_start && !numbers.fixed) starts[blocks.find(c)] = true;
      if (requested_[c]) strongest[blocks.find(c)] = std::max(strongest[blocks.find(c)], preference(c));
    }
    for (std::uint32_t c = 0; c < chains_.n(); ++c)
      if (requested_[c] && starts[blocks.find(c)] && !system_.numbers[chains_.at(c, 0).index()].has_start)
        refused[blocks.find(c)] = true;
    for (std::uint32_t r = 0; r < signature_.n_rows(); ++r) {
      if (with.rows[r] <= offsets_.rows[r]) continue;
      std::uint32_t own = blocks.find(with.matching.of_row[r]);
      for (std::uint32_t part : equations_.parts[r])
        if (!refused[own] && !is_smooth(system_, equations_.instances[part])) refused[own] = true;
    }
    bool dropped = false;
    for (std::uint32_t c = 0; c < chains_.n(); ++c) {
      if (!requested_[c] || (!refused[blocks.find(c)] && weakest[blocks.find(c)] < strongest[blocks.find(c)])) continue;
      requested_[c] = false;
      dropped = true;
    }
    return dropped;
  }

  const System& system_;
  const EquationRows& equations_;
  const DerivativeChains& chains_;
  const Signature& signature_;
  const Offsets& offsets_;
  std::vector<bool> requested_;  ///< [chains]
};

}  // namespace

Offsets offsets_with_state_select(const System& system, const EquationRows& equations, const DerivativeChains& chains,
                                  const Signature& signature, const Offsets& offsets, std::uint32_t limit) {
  return StateSelectOffsets(system, equations, chains, signature, offsets).run(limit);
}

std::vector<bool> have_alternatives(const System& system, const DerivativeChains& chains, const Signature& signature) {
  auto may_be_state = [&](std::uint32_t c) { return system.select[chains.at(c, 0).index()] != StateSelect::never; };
  std::vector<bool> have(chains.n(), false);
  for (std::uint32_t r = 0; r < signature.n_rows(); ++r) {
    auto first = signature.columns.begin() + signature.begin[r], last = signature.columns.begin() + signature.begin[r + 1];
    if (last - first < 2 || !std::any_of(first, last, may_be_state)) continue;
    for (std::size_t e = signature.begin[r]; e < signature.begin[r + 1]; ++e)
      if (signature.orders[e] == 0) have[signature.columns[e]] = true;
  }
  return have;
}

}  // namespace bolza::passes
