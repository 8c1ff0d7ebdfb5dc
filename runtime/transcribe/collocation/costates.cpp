// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/costates.h"

#include "runtime/transcribe/collocation/shared_algebraics.h"

namespace bolza::transcribe {
namespace {

using nlp::RowRole;

/// Adds up the terms of the Lagrangian by mesh state.
class MeshTerms {
 public:
  MeshTerms(Transcription& t, std::vector<Costates>& all) : t_(t), all_(all), place_(t.nlp.n()), at_end_(t.nlp.m(), 0) {
    std::int32_t first = 0;
    for (std::size_t p = 0; p < t.phases.size(); ++p) {
      const PhaseLayout& phase = t.phases[p];
      for (std::size_t a = 0; a < phase.model->n_x && phase.N > 0; ++a)
        for (std::size_t i = 0; i <= phase.N; ++i)
          place_[phase.mesh_state(t.scheme, a) + i] = {static_cast<std::int32_t>(p), a, i, first};
      if (const ExtraPoint* end = phase.end_point())
        for (const std::vector<std::size_t>* rows : {&end->algebraic, &end->path})
          for (std::size_t r : *rows) at_end_[r] = 1;
      first += static_cast<std::int32_t>(phase.N);
    }
  }

  void add_rows(const double* jacobian, const std::vector<double>& lambda) {
    const nlp::Nlp& nlp = t_.nlp;
    for (std::size_t k = 0; k < nlp.jacobian.size(); ++k) {
      auto row = static_cast<std::size_t>(nlp.jacobian.row[k]), col = static_cast<std::size_t>(nlp.jacobian.col[k]);
      const Place& at = place_[col];
      if (at.phase < 0 || lambda[row] == 0) continue;
      RowRole role = nlp.row_role[row];
      if (role == RowRole::initial) continue;
      double value = jacobian[k] * lambda[row];
      if (role == RowRole::point || at_end_[row]) all_[static_cast<std::size_t>(at.phase)].jump[at.state][at.i] += value;
      else if (nlp.row_interval[row] == at.first_interval + static_cast<std::int32_t>(at.i))
        all_[static_cast<std::size_t>(at.phase)].after[at.state][at.i] += value;
    }
  }

  void add_objective() {
    for (const GradientRun& run : t_.plan.gradient) {
      const double* values = t_.evaluator->gradient_entries() + run.first;
      for (std::size_t k = 0; k < run.count; ++k) {
        const Place& at = place_[run.col + k];
        if (at.phase < 0) continue;
        Costates& costates = all_[static_cast<std::size_t>(at.phase)];
        if (run.of_point) costates.jump[at.state][at.i] += values[k];
        else if (at.i == k) costates.after[at.state][at.i] += values[k];  // the left end of interval k
      }
    }
  }

 private:
  struct Place {
    std::int32_t phase = -1;
    std::size_t state = 0, i = 0;
    std::int32_t first_interval = 0;
  };
  Transcription& t_;
  std::vector<Costates>& all_;
  std::vector<Place> place_;
  std::vector<std::uint8_t> at_end_;
};

void add_inside(const Transcription& t, const PhaseLayout& phase, const std::vector<double>& lambda, Costates& costates) {
  const Scheme& scheme = t.scheme;
  std::size_t s = scheme.points;
  for (std::size_t a = 0; a < phase.model->n_x; ++a)
    for (std::size_t j = 0; j < s; ++j) {
      std::vector<double> at(phase.N, 0);
      for (std::size_t d = 0; d < scheme.n_defects; ++d) {
        double weight = -scheme.A[d * s + j] / scheme.b[j];
        for (std::size_t i = 0; i < phase.N && weight != 0; ++i)
          at[i] += weight * lambda[phase.defect[a * scheme.n_defects + d] + i];
      }
      costates.inside.push_back(std::move(at));
    }
}

}  // namespace

std::vector<Costates> costates_of(Transcription& t, const nlp::Iterate& iterate) {
  const double* gradient = t.evaluator->gradient();
  const double* jacobian = t.evaluator->jacobian();
  if (!gradient || !jacobian || iterate.lambda.size() != t.nlp.m()) return {};
  std::vector<Costates> all;
  for (const PhaseLayout& phase : t.phases) {
    std::vector<std::vector<double>> zero(phase.model->n_x, std::vector<double>(phase.N + 1, 0));
    all.push_back({zero, zero, {}});
    add_inside(t, phase, iterate.lambda, all.back());
  }
  MeshTerms terms(t, all);
  terms.add_rows(jacobian, iterate.lambda);
  terms.add_objective();
  split_shared_algebraics(t, jacobian, iterate.lambda, all);
  return all;
}

}  // namespace bolza::transcribe
