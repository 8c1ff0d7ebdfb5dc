// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/nlp/nlp.h"
#include "runtime/transcribe/mesh/mesh.h"
#include "runtime/transcribe/mesh/scheme.h"

namespace bolza::transcribe {

inline constexpr std::size_t none = static_cast<std::size_t>(-1);

enum class QuantityKind : std::uint8_t { state, algebraic, control, rate, integral, parameter };

/// A run of variables: one quantity at one place of every interval. Element i belongs to interval i and lies at mesh point i
/// plus `place` times the interval's length (mesh states: place 0 and one element more than there are intervals).
struct VariableBlock {
  std::size_t first = 0, count = 0;
  nlp::VariableRole role{};
  QuantityKind quantity{};
  std::int32_t phase = -1, index = 0;
  double place = 0;
  std::int32_t interval = 0;  ///< of element 0; nlp::global: all elements are global
};

struct RowBlock {
  std::size_t first = 0, count = 0;
  nlp::RowRole role{};
  std::int32_t phase = -1, index = 0;  ///< row of the function, state of a defect, …
  double place = 0;
  std::int32_t interval = 0;
};

/// Numbers variables and rows.
struct Numbering {
  std::vector<VariableBlock> variables;
  std::vector<RowBlock> rows;
  std::size_t n = 0, m = 0;

  std::size_t add(VariableBlock block);  ///< returns its first number
  std::size_t add(RowBlock block);
  const VariableBlock& variable(std::size_t v) const;  ///< the block that holds variable v; cost logarithmic
  const RowBlock& row(std::size_t r) const;
};

/// The collocation-like extra point at the start or the end of a phase (docs/architecture.md, transcription).
struct ExtraPoint {
  bool at_start = true;
  std::vector<std::size_t> x, z, u;  ///< variables
  std::vector<std::size_t> algebraic, path,
      extrapolation;              ///< rows; extrapolation empty when the control is constant or free
  std::vector<std::size_t> rate;  ///< rows f = 0 of a static problem
};

/// What refers to a phase from outside the collocation points.
struct Needs {
  bool start = false, final = false;      ///< extra points
  std::vector<std::uint8_t> accumulated;  ///< [n_q] integrals that need running sums as variables
};

/// Variables and rows of one phase. Element i of interval i is `first + i` throughout.
struct PhaseLayout {
  const bolza_phase* phase = nullptr;
  const bolza_model* model = nullptr;
  std::int32_t number = 0;
  Mesh mesh;
  std::size_t N = 0;  ///< intervals; 0 for a static problem
  bool control_constant = false;
  bool ends_shared = false;  ///< z and u of a mesh point belong to both intervals
  std::size_t row_stages =
      0;  ///< stages that carry algebraic and path rows (the last is left to the next interval when shared)
  std::vector<std::size_t> x;          ///< [n_x × nodes] first number of the state at a node
  std::vector<std::size_t> z, u;       ///< [n_z × s], [n_u × s]; delayed values have one at each end of an interval
  std::vector<std::size_t> defect;     ///< [n_x × n_defects]
  std::vector<std::size_t> algebraic;  ///< [n_z × row_stages]
  std::vector<std::size_t> path;       ///< [n_g × row_stages]; the same row at all stages where path_weight is given
  std::vector<std::vector<double>> path_weight;  ///< [n_g][s] of the values in the one row of an interval; or [n_g][0]
  std::vector<std::size_t> initial;              ///< [n_initial]
  std::vector<std::size_t> sum, sum_row;         ///< [n_q] running sums Q_0 = 0 … Q_N and their rows, or none
  std::vector<ExtraPoint> extra;

  std::size_t state(const Scheme& scheme, std::size_t a, std::size_t j) const {
    return x[a * scheme.nodes() + scheme.stage_node[j]];
  }
  std::size_t mesh_state(const Scheme& scheme, std::size_t a) const { return x[a * scheme.nodes()]; }
  /// At the start and the end of the phase; null: none is needed there.
  const ExtraPoint* start_point() const { return extra_at(/*start=*/true); }
  const ExtraPoint* end_point() const { return extra_at(/*start=*/false); }
  const ExtraPoint* extra_at(bool start) const;
};

/// A constant derivative: rows row … row+count-1 by variables col … col+count-1.
struct ConstantBlock {
  std::size_t row = 0, col = 0, count = 0;
  double value = 0;
  std::size_t phase = none;  ///< of a run along all its intervals; none: single entries
  double row_factor = 1;     ///< value over the row's scale, by which the physical variable is multiplied
};

/// How many of the last inputs u are delayed values.
std::size_t delays_of(const bolza_model& model);

/// Numbers one phase and adds its linear parts: C·X of the defects, sums, extrapolated controls.
PhaseLayout lay_out(const bolza_problem& problem, std::int32_t phase, const Scheme& scheme, Mesh mesh, bool control_constant,
                    const Needs& needs, Numbering& numbering, std::vector<ConstantBlock>& constants);

}  // namespace bolza::transcribe
