// SPDX-License-Identifier: Apache-2.0
// Which intervals of a mesh are cut.
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/checks/control_jump.h"
#include "runtime/transcribe/checks/mesh_error.h"

namespace bolza::transcribe {
namespace {

struct Cut {
  std::size_t phase, interval, parts;
  double error;
};

std::vector<Cut> cuts_of(const MeshError& error, double tol, double share) {
  std::vector<Cut> cuts;
  for (std::size_t p = 0; p < error.interval.size(); ++p)
    for (std::size_t i = 0; i < error.interval[p].size(); ++i) {
      double e = error.interval[p][i];
      if (share > 0) e = std::max(e, tol * error.objective_of[p][i] / share);
      if (e <= tol) continue;
      double parts = std::ceil(std::pow(e / tol, 1.0 / static_cast<double>(error.order[p])));
      cuts.push_back({p, i, std::isfinite(parts) ? static_cast<std::size_t>(std::clamp(parts, 2.0, 4.0)) : 4, e});
    }
  std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.error > b.error; });
  return cuts;
}

/// Even parts; around a jump of a control, where more than two would be made, a short one that has it, and the rest on
/// either side.
std::vector<double> places_of(const abi::PhaseSolution& phase, std::size_t interval, std::size_t parts) {
  constexpr double half = 1.0 / 16;  // of the short part
  std::vector<double> places;
  if (std::optional<double> jump = parts > 2 ? control_jump(phase, interval) : std::nullopt) {
    for (double place : {*jump - half, *jump + half})
      if (place > half && place < 1 - half) places.push_back(place);
    if (!places.empty()) return places;
  }
  for (std::size_t k = 1; k < parts; ++k) places.push_back(static_cast<double>(k) / static_cast<double>(parts));
  return places;
}

}  // namespace

std::vector<std::vector<double>> refined_mesh(const MeshError& error, const abi::Solution& solution, double tol,
                                              double share, std::size_t most) {
  std::vector<std::vector<double>> meshes;
  std::vector<std::size_t> intervals;
  for (const abi::PhaseSolution& phase : solution.phases) {
    meshes.push_back(phase.mesh);
    intervals.push_back(phase.mesh.size() - 1);
  }
  for (const Cut& cut : cuts_of(error, tol, share)) {
    std::size_t& present = intervals[cut.phase];
    std::size_t parts = std::min(cut.parts, most > present ? most - present + 1 : 1);
    double left = solution.phases[cut.phase].mesh[cut.interval], right = solution.phases[cut.phase].mesh[cut.interval + 1];
    if (parts < 2 || right - left < 1e-9) continue;  // intervals of rounding errors help nobody
    std::vector<double> places = places_of(solution.phases[cut.phase], cut.interval, parts);
    for (double place : places) meshes[cut.phase].push_back(left + (right - left) * place);
    present += places.size();
  }
  for (std::vector<double>& mesh : meshes) std::sort(mesh.begin(), mesh.end());
  return meshes;
}

}  // namespace bolza::transcribe
