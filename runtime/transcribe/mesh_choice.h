// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/transcribe/options.h"

namespace bolza::transcribe {

/// What is asked for as the mesh of one phase.
struct MeshChoice {
  std::uint32_t intervals = 0;
  std::span<const double> fractions;  ///< empty: even intervals
};

/// The mesh of phase `number` of this name. The options must outlive it.
MeshChoice mesh_choice(const TranscribeOptions& options, std::size_t number, const char* name);

/// The number of intervals that the grid of a control of this name is to have; 0: those of the mesh.
std::uint32_t control_intervals(const TranscribeOptions& options, const char* name);

/// The points that the grid of control i of phase `number` is to have; empty: as its number of intervals says.
std::span<const double> control_points(const TranscribeOptions& options, std::size_t number, std::size_t i);

/// Whether any control has a grid of its own.
inline bool has_control_grid(const TranscribeOptions& options) {
  return options.control_intervals > 0 || !options.control_grid.empty();
}

/// Whether what is given for `asked` is meant for the phase `name`: the same, or the array that it is an element of.
inline bool names_phase(std::string_view asked, std::string_view name) {
  return name.starts_with(asked) && (name.size() == asked.size() || name[asked.size()] == '[');
}

/// Whether controls have one value per interval in the phase of this name.
inline bool control_is_constant(const TranscribeOptions& options, const char* name) {
  for (const auto& [asked, constant] : options.phase_control)
    if (name && names_phase(asked, name)) return constant;
  return options.control_constant;
}

}  // namespace bolza::transcribe
