// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/mesh_choice.h"

namespace bolza::transcribe {

MeshChoice mesh_choice(const TranscribeOptions& options, std::size_t number, const char* name) {
  if (number < options.phase_fractions.size()) {
    const std::vector<double>& own = options.phase_fractions[number];
    return {static_cast<std::uint32_t>(own.size() - 1), own};
  }
  for (const auto& [asked, intervals] : options.phase_mesh)
    if (name && names_phase(asked, name)) return {intervals, {}};
  return {options.mesh, options.mesh_fractions};
}

std::uint32_t control_intervals(const TranscribeOptions& options, const char* name) {
  std::uint32_t intervals = options.control_intervals;
  for (const auto& [control, own] : options.control_grid)
    if (name && control == name) intervals = own;
  return intervals;
}

std::span<const double> control_points(const TranscribeOptions& options, std::size_t number, std::size_t i) {
  const auto& all = options.control_fractions;
  return number < all.size() && i < all[number].size() ? std::span<const double>(all[number][i]) : std::span<const double>();
}

}  // namespace bolza::transcribe
