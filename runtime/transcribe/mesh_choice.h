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

/// Whether a mesh for `asked` is one for the phase `name`: the same, or the array that it is an element of.
inline bool names_phase(std::string_view asked, std::string_view name) {
  return name.starts_with(asked) && (name.size() == asked.size() || name[asked.size()] == '[');
}

}  // namespace bolza::transcribe
