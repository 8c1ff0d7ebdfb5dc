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

}  // namespace bolza::transcribe
