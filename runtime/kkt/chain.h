// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace bolza::kkt {

/// Places of a sparse matrix; a place may come twice, its values add.
struct Places {
  std::span<const std::int32_t> row, col;
  std::size_t size() const { return row.size(); }
};

inline constexpr std::int32_t border = -1;  ///< the stage of what belongs to none

/// The symmetric matrix K = [H + diag(Dx), J'; J, -diag(Dc)] of a barrier step, whose variables and rows belong to stages
/// that follow each other.
struct ChainShape {
  std::size_t n = 0, m = 0;                  ///< variables, rows
  std::vector<std::int32_t> variable_stage;  ///< [n] where the variable is used first, or border
  std::vector<std::int32_t> row_stage;       ///< [m] or border
  std::vector<std::uint8_t> is_free;         ///< [n] 1: rows do not determine it (a control); a hint
  std::vector<std::uint8_t> is_soft;         ///< [m] 1: Dc > 0 in every matrix (an inequality, its slack eliminated)
  Places hessian, jacobian;                  ///< one triangle of H; J
};

/// How a factorisation ended. Inertia that is wrong is not looked for: the caller compares `negative` with m.
enum class Outcome : std::uint8_t {
  ok,
  too_many_negative,  ///< stopped as soon as more than m eigenvalues were negative
  singular,
  unstable  ///< pivots too small for stable factors where they may be chosen: use another solver
};

struct Factored {
  Outcome outcome = Outcome::ok;
  std::size_t negative = 0;     ///< eigenvalues below 0 among those eliminated
  std::int32_t stage = border;  ///< where it stopped
};

/// How factors are made.
enum class Care : std::uint8_t {
  fast,   ///< equations of a stage eliminate its dependent variables by an LU, eight stages in the lanes of a vector
  pivots  ///< symmetric pivots chosen within each stage, which take matrices with any blocks
};

/// Factors of K along its chain: stages are eliminated from the last to the first, each with what it has in common with
/// the one before and the border. Cost: linear in the number of stages, cubic in their size.
///
/// With `Care::fast` a stage is eliminated by an LU of its equations (inertia known in advance) and a condensed front of
/// its controls; stages whose equations have Dc > 0 or do not determine the dependent variables get symmetric pivots.
/// Pivots that are too small within a stage are delayed to the one before, as in multifrontal methods [DR].
class Chain {
 public:
  virtual ~Chain() = default;
  /// Null: variables or rows join stages that do not follow each other, or the border has more than `most_border` entries.
  static std::unique_ptr<Chain> analyse(const ChainShape& shape);
  static constexpr std::size_t most_border = 128;

  /// @param hessian, jacobian  values of the places     @param Dx [n]     @param Dc [m] >= 0
  virtual Factored factor(std::span<const double> hessian, std::span<const double> jacobian, std::span<const double> Dx,
                          std::span<const double> Dc, Care care) = 0;
  /// rhs := K⁻¹ rhs, refined while the residual against K falls.     Requires  the last `factor` was ok.
  /// @param rhs  [columns × (n + m)]     @return largest residual, relative to x and rhs or, if less, to (|K| |x| + |rhs|)
  /// of its row
  virtual double solve(std::span<double> rhs) = 0;

  /// What the shape is: for choosing, and for tests.
  struct Sizes {
    std::size_t stages = 0, largest_stage = 0, border = 0;  ///< nodes (variables and rows) of the largest stage
    std::size_t in_lanes = 0;                               ///< stages that `Care::fast` can eliminate by an LU
    double flops = 0;                                       ///< of `Care::fast`, roughly
  };
  virtual Sizes sizes() const = 0;
  /// Stages of the last factorisation that got symmetric pivots, and pivots that were delayed.
  struct Counts {
    std::size_t by_pivots = 0, delayed = 0;
  };
  virtual Counts counts() const = 0;
};

}  // namespace bolza::kkt
