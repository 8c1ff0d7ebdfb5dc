// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/index/dummy_derivatives.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "compiler/passes/index/choose_columns.h"
#include "compiler/passes/index/constraint_blocks.h"
#include "compiler/passes/index/constraint_jacobian.h"
#include "compiler/passes/structure/check_balance.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

namespace {

constexpr std::uint32_t derivative_rank = 2, always_rank = 5;
constexpr std::uint32_t samples = 24;
constexpr std::size_t largest_sampled = 200;  ///< rows of a block whose determinants are looked at

/// By Gaussian elimination; 0 where it vanishes to rounding or is not a number.
int sign_of_determinant(std::vector<std::vector<double>> a) {
  int sign = 1;
  for (std::size_t k = 0; k < a.size(); ++k) {
    auto larger = [k](const auto& one, const auto& other) { return std::fabs(one[k]) < std::fabs(other[k]); };
    auto pivot = std::max_element(a.begin() + static_cast<std::ptrdiff_t>(k), a.end(), larger);
    if (pivot != a.begin() + static_cast<std::ptrdiff_t>(k)) {
      std::swap(*pivot, a[k]);
      sign = -sign;
    }
    if (!(std::fabs(a[k][k]) > 1e-12) || !std::isfinite(a[k][k])) return 0;
    if (a[k][k] < 0) sign = -sign;
    for (std::size_t i = k + 1; i < a.size(); ++i) {
      double factor = a[i][k] / a[k][k];
      for (std::size_t j = k + 1; j < a.size() && factor != 0; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  return sign;
}

class Choice {
 public:
  using Row = std::vector<ConstraintJacobian::Entry>;

  Choice(System& system, const EquationRows& equations, const DerivativeChains& chains, const Offsets& offsets,
         Diagnostics& diagnostics)
      : system_(system),
        equations_(equations),
        chains_(chains),
        offsets_(offsets),
        diagnostics_(diagnostics),
        jacobian_(system, equations, chains),
        place_(chains.n(), DerivativeChains::none) {}

  Result<DummyDerivatives> run(const Signature& signature) {
    DummyDerivatives selection;
    selection.demotions.assign(chains_.n(), 0);
    for (BlockChoice& block : blocks(signature)) {
      choose(block, selection.demotions);
      if (!failed_ && !system_.keeps_events() && system_.flat.optimization)
        look_for_singular_points(block, selection.demotions);
      selection.blocks.push_back(std::move(block));
    }
    for (const BlockChoice& block : selection.blocks) check_always(block, selection.demotions);
    if (failed_) return diagnostics_.already_reported();
    return selection;
  }

 private:
  // ------------------------------------------------------------ connected constraints

  std::vector<BlockChoice> blocks(const Signature& signature) {
    UnionFind sets = constraint_blocks(signature, offsets_);
    std::vector<BlockChoice> result;
    std::vector<std::uint32_t> block(chains_.n(), DerivativeChains::none);
    for (std::uint32_t r = 0; r < signature.n_rows(); ++r) {
      if (offsets_.rows[r] == 0) continue;
      std::uint32_t& own = block[sets.find(offsets_.matching.of_row[r])];
      if (own == DerivativeChains::none) {
        own = static_cast<std::uint32_t>(result.size());
        result.emplace_back();
      }
      result[own].rows.push_back(r);
    }
    for (std::uint32_t c = 0; c < chains_.n(); ++c)
      if (block[sets.find(c)] != DerivativeChains::none) result[block[sets.find(c)]].chains.push_back(c);
    return result;
  }

  // ------------------------------------------------------------ one block

  void choose(BlockChoice& block, std::vector<std::uint32_t>& demotions) {
    std::vector<Row> jacobian = jacobian_of(block, ConstraintJacobian::point);
    if (attempt(block, jacobian, demotions)) return;
    for (std::uint32_t c : block.chains) demotions[c] = 0;
    block.demoted.clear();
    std::vector<std::uint32_t> dependent;
    if (attempt(block, jacobian_of(block, ConstraintJacobian::generic), demotions, &dependent)) return;
    failed_ = true;
    std::vector<Note> notes;
    for (std::size_t k = 0; k < block.rows.size() && k < 8; ++k)
      notes.push_back({span_of(block.rows[k]), "constraint: " + text_of(system_, part_of(block.rows[k]))});
    if (block.rows.size() > 8) notes.push_back({{}, "and " + std::to_string(block.rows.size() - 8) + " more constraints"});
    diagnostics_.error(dependent_constraints, span_of(dependent.empty() ? block.rows[0] : block.rows[dependent[0]]), {},
                       std::move(notes));
  }

  std::vector<Row> jacobian_of(BlockChoice& block, std::uint32_t at) {
    std::vector<Row> rows;
    for (std::uint32_t r : block.rows) {
      rows.push_back(jacobian_.row(r, offsets_, at));
      for (const auto& entry : rows.back()) block.is_constant &= entry.is_constant;
    }
    return rows;
  }

  /// The determinants of all stages at scattered points: two signs, and between them they vanish.
  void look_for_singular_points(BlockChoice& block, std::vector<std::uint32_t>& demotions) {
    if (block.is_constant || block.rows.size() > largest_sampled) return;
    std::map<std::uint32_t, std::vector<std::size_t>> stages;  ///< numbers in `demoted`
    for (std::size_t k = 0; k < block.demoted.size(); ++k)
      stages[offsets_.columns[block.demoted[k].chain] - block.demoted[k].order].push_back(k);
    std::map<std::uint32_t, int> signs;
    bool stays_good = true;
    for (std::uint32_t sample = 0; sample < samples && stays_good; ++sample) {
      std::vector<Row> jacobian = jacobian_of(block, ConstraintJacobian::scattered + sample);
      for (const auto& [stage, chosen] : stages) {
        int sign = sign_of_determinant(matrix_of(block, jacobian, chosen));
        if (sign != 0) stays_good &= signs.try_emplace(stage, sign).first->second == sign;
      }
    }
    if (!stays_good) keep_as_invariants(block, demotions);
  }

  /// der(x) = v goes on giving der(x), c = cos(phi) c: what a row gives with a constant coefficient it gives everywhere.
  void keep_as_invariants(BlockChoice& block, std::vector<std::uint32_t>& demotions) {
    std::vector<std::uint32_t> rows(block.rows.size());
    std::iota(rows.begin(), rows.end(), 0u);
    std::vector<std::optional<std::uint32_t>> chosen =
        choose_triangular(matrix_of(block, jacobian_of(block, ConstraintJacobian::point), rows, block.chains, 1));
    for (std::uint32_t c : block.chains) demotions[c] = 0;
    block.demoted.clear();
    for (std::size_t k = 0; k < block.rows.size(); ++k) {
      std::uint32_t row = block.rows[k];
      if (!chosen[k]) {
        block.invariants.push_back(row);
        continue;
      }
      std::uint32_t chain = block.chains[*chosen[k]];
      demotions[chain] = offsets_.rows[row];
      for (std::uint32_t stage = 1; stage <= offsets_.rows[row]; ++stage)
        block.demoted.push_back({chain, offsets_.columns[chain] - stage, row});
    }
  }

  /// By rows: the constraints of `chosen` (numbers in `demoted`) and what they demote.
  std::vector<std::vector<double>> matrix_of(const BlockChoice& block, const std::vector<Row>& jacobian,
                                             const std::vector<std::size_t>& chosen) {
    std::vector<std::vector<double>> matrix(chosen.size(), std::vector<double>(chosen.size(), 0));
    for (std::uint32_t k = 0; k < chosen.size(); ++k) place_[block.demoted[chosen[k]].chain] = k;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      auto row = std::find(block.rows.begin(), block.rows.end(), block.demoted[chosen[k]].row);
      for (const auto& entry : jacobian[static_cast<std::size_t>(row - block.rows.begin())])
        if (place_[entry.chain] != DerivativeChains::none) matrix[k][place_[entry.chain]] = entry.value;
    }
    for (std::size_t k : chosen) place_[block.demoted[k].chain] = DerivativeChains::none;
    return matrix;
  }

  /// All stages; false when some rows are dependent at this point.
  bool attempt(BlockChoice& block, const std::vector<Row>& jacobian, std::vector<std::uint32_t>& demotions,
               std::vector<std::uint32_t>* dependent = nullptr) {
    std::vector<std::uint32_t> candidates = block.chains, rows(block.rows.size());
    std::iota(rows.begin(), rows.end(), 0u);
    for (std::uint32_t stage = 1; !rows.empty(); ++stage) {
      std::optional<std::vector<std::uint32_t>> chosen =
          choose_columns(matrix_of(block, jacobian, rows, candidates, stage), dependent);
      if (!chosen) return false;
      std::vector<std::uint32_t> next;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        std::uint32_t chain = candidates[(*chosen)[k]];
        ++demotions[chain];
        next.push_back(chain);
        block.demoted.push_back({chain, offsets_.columns[chain] - stage, block.rows[rows[k]]});
      }
      std::erase_if(rows, [&](std::uint32_t k) { return offsets_.rows[block.rows[k]] <= stage; });
      std::sort(next.begin(), next.end());
      candidates = std::move(next);
    }
    return true;
  }

  ColumnChoice matrix_of(const BlockChoice& block, const std::vector<Row>& jacobian, const std::vector<std::uint32_t>& rows,
                         const std::vector<std::uint32_t>& candidates, std::uint32_t stage) {
    ColumnChoice matrix;
    matrix.last_resort = always_rank;
    if (block.is_constant) matrix.tolerance = 1e-6;
    for (std::uint32_t k = 0; k < candidates.size(); ++k) {
      place_[candidates[k]] = k;
      std::uint32_t order = offsets_.columns[candidates[k]] - stage;
      matrix.rank.push_back(rank_of(candidates[k], order));
      matrix.taste.push_back(taste_of(candidates[k], order));
    }
    for (std::uint32_t r : rows) {
      std::vector<ColumnChoice::Entry>& row = matrix.rows.emplace_back();
      for (const auto& entry : jacobian[r])
        if (place_[entry.chain] != DerivativeChains::none)
          row.push_back({place_[entry.chain], entry.value, entry.is_constant});
    }
    for (std::uint32_t chain : candidates) place_[chain] = DerivativeChains::none;
    return matrix;
  }

  // ------------------------------------------------------------ stateSelect

  /// What becomes an algebraic first has the lowest rank.
  std::uint32_t rank_of(std::uint32_t chain, std::uint32_t order) const {
    if (order > 0) return derivative_rank;  // a variable that equals it is preferred, for its name
    switch (system_.select[chains_.at(chain, 0).index()]) {
      case StateSelect::never:
        return 0;
      case StateSelect::avoid:
        return 1;
      case StateSelect::standard:
        return 3;
      case StateSelect::prefer:
        return 4;
      case StateSelect::always:
        return always_rank;
    }
    return derivative_rank;
  }

  std::uint32_t taste_of(std::uint32_t chain, std::uint32_t order) const {
    if (order > 0) return 0;
    VariableId v = chains_.at(chain, 0);
    const ir::Numbers& numbers = system_.numbers[v.index()];
    auto depth = static_cast<std::uint32_t>(std::min<std::size_t>(ir::variable_of(system_.flat, v).name.size(), 4));
    return 8 * numbers.fixed + 4 * numbers.has_start + (4 - depth);
  }

  void check_always(const BlockChoice& block, const std::vector<std::uint32_t>& demotions) {
    for (const BlockChoice::Demoted& demoted : block.demoted) {
      if (demoted.order > 0 || rank_of(demoted.chain, 0) != always_rank) continue;
      failed_ = true;
      VariableId v = chains_.at(demoted.chain, 0);
      std::vector<Note> notes{{span_of(demoted.row), "given by the constraint: " + text_of(system_, part_of(demoted.row))}};
      for (std::uint32_t chain : block.chains)
        if (rank_of(chain, 0) == always_rank && demotions[chain] < offsets_.columns[chain])
          notes.push_back({system_.span_of(chains_.at(chain, 0)), "a state: `" + system_.name(chains_.at(chain, 0)) + "`"});
      if (auto origin = reinit_of(v))
        diagnostics_.error(reinit_not_state, system_.span_of_origin(*origin), {system_.name(v)}, std::move(notes));
      else diagnostics_.error(always_demoted, system_.span_of(v), {system_.name(v)}, std::move(notes));
    }
  }

  /// Where `reinit` sets the variable: that orders it to be a state, too.
  std::optional<std::uint32_t> reinit_of(VariableId v) const {
    const ir::Reinitialisations& all = system_.flat.reinitialisations;
    std::optional<std::uint32_t> origin;
    for_each_instance(all.section, [&](const GroupInstance& instance) {
      if (all.states[instance.rows[0].index()] == v) origin = instance.origin;
    });
    return origin;
  }

  const GroupInstance& part_of(std::uint32_t row) const { return equations_.instances[equations_.parts[row][0]]; }
  Span span_of(std::uint32_t row) const { return system_.span_of_origin(part_of(row).origin); }

  System& system_;
  const EquationRows& equations_;
  const DerivativeChains& chains_;
  const Offsets& offsets_;
  Diagnostics& diagnostics_;
  ConstraintJacobian jacobian_;
  std::vector<std::uint32_t> place_;  ///< [chains] column of a matrix while it is made
  bool failed_ = false;
};

}  // namespace

Result<DummyDerivatives> choose_dummy_derivatives(System& system, const EquationRows& equations,
                                                  const DerivativeChains& chains, const Signature& signature,
                                                  const Offsets& offsets, Diagnostics& diagnostics) {
  return Choice(system, equations, chains, offsets, diagnostics).run(signature);
}

}  // namespace bolza::passes
