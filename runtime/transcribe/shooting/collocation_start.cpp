// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/collocation_start.h"

#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

abi::Solution collocation_start(bolza_problem& problem, TranscribeOptions options, const abi::Solution* guess) {
  if ((!options.lines_to_end && options.perturbation == 0) || problem.is_static) return {};
  options.transcription = "implicit-euler";
  options.points = 0;
  options.meet_places = true;
  abi::Solution start;
  abi::Finding error;
  std::unique_ptr<Transcription> t = transcribe(problem, options, guess, error);
  if (!t) return start;
  const std::vector<double>& w = t->nlp.start;
  start.parameters.assign(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(problem.n_parameters));
  for (const PhaseLayout& phase : t->phases) {
    abi::PhaseSolution& to = start.phases.emplace_back();
    to.start_time = w[static_cast<std::size_t>(phase.phase->parameter[0])];
    to.final_time = w[static_cast<std::size_t>(phase.phase->parameter[1])];
    abi::Trajectories& y = to.trajectories;
    for (const AffineTime& point : phase.mesh.point) y.time.push_back(point.at(to.start_time, to.final_time));
    auto row = [&](std::vector<std::vector<double>>& rows, std::size_t first, bool at_begin) {
      std::vector<double>& values = rows.emplace_back();
      for (std::size_t k = 0; k <= phase.N; ++k) values.push_back(w[first + (at_begin ? k : k > 0 ? k - 1 : 0)]);
    };
    for (std::size_t i = 0; i < phase.model->n_x; ++i) row(y.x, phase.mesh_state(t->scheme, i), true);
    for (std::size_t i = 0; i < phase.model->n_z; ++i) row(y.z, phase.z[i], false);
    for (std::size_t i = 0; i < phase.model->n_u; ++i) row(y.u, phase.u[i], false);
  }
  return start;
}

}  // namespace bolza::transcribe
