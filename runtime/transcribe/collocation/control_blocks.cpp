// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/control_blocks.h"

#include <algorithm>
#include <limits>

#include "runtime/transcribe/mesh_choice.h"

namespace bolza::transcribe {

ControlGrids control_grids(const TranscribeOptions& options, const bolza_model& model, const Horizon& horizon,
                           const std::vector<AffineTime>& breakpoints, Mesh& mesh) {
  ControlGrids grids(model.n_u);
  for (std::size_t c = 0; c + delays_of(model) < model.n_u; ++c)
    if (std::uint32_t intervals = control_intervals(options, model.u[c].name))
      grids[c] = make_mesh(horizon, intervals, {}, breakpoints).point;
  for (const std::vector<AffineTime>& grid : grids)
    if (!grid.empty()) insert(mesh, grid, horizon);
  return grids;
}

std::vector<nlp::Nlp::Equal> add_control_blocks(Transcription& t, std::size_t phase, const ControlGrids& grids) {
  const PhaseLayout& layout = t.phases[phase];
  std::vector<nlp::Nlp::Equal> equal;
  for (std::size_t c = 0; c < grids.size(); ++c) {
    if (grids[c].empty()) continue;
    std::vector<std::size_t> points = places_in(layout.mesh, grids[c], t.horizons[phase]);
    std::size_t first = layout.u[c * t.scheme.points], block = 0;
    for (std::size_t i = 0; i < layout.N; ++i) {
      if (points[block + 1] <= i) ++block;
      if (points[block] == i) continue;
      std::size_t row = t.plan.numbering.add(RowBlock{0, 1, nlp::RowRole::point_value, layout.number,
                                                      static_cast<std::int32_t>(c), 0, static_cast<std::int32_t>(i)});
      t.plan.constants.push_back({row, first + i, 1, 1, none, 1});
      t.plan.constants.push_back({row, first + points[block], 1, -1, none, -1});
      equal.push_back({static_cast<std::int32_t>(first + i), static_cast<std::int32_t>(first + points[block]),
                       static_cast<std::int32_t>(row)});
    }
  }
  return equal;
}

void join_control_blocks(Transcription& t, const std::vector<nlp::Nlp::Equal>& equal) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  nlp::Nlp& nlp = t.nlp;
  std::vector<std::uint8_t> is_other(nlp.n(), 0);
  for (const nlp::Nlp::Equal& e : equal) {
    auto v = static_cast<std::size_t>(e.variable), of = static_cast<std::size_t>(e.of);
    is_other[v] = 1;
    nlp.lower[v] = -infinity;
    nlp.upper[v] = infinity;
    if (!nlp.integer.empty()) nlp.integer[v] = 0;
    if (!nlp.sequence.empty()) {
      nlp.sequence[v] = nlp::global;
      nlp.length[of] += nlp.length[v];
      nlp.length[v] = 0;
    }
  }
  std::erase_if(nlp.equal, [&](const nlp::Nlp::Equal& e) { return is_other[static_cast<std::size_t>(e.of)] != 0; });
  nlp.equal.insert(nlp.equal.end(), equal.begin(), equal.end());
}

}  // namespace bolza::transcribe
