// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/transfer.h"

#include <algorithm>

namespace bolza::transcribe {
namespace {

/// For every interval of the new mesh the old one that covers its middle, and new length over old length.
struct Cover {
  std::size_t N = 0, old_N = 0;
  std::vector<std::size_t> interval;
  std::vector<double> ratio;

  Cover(const Transcription& t, const PhaseLayout& phase, const abi::PhaseSolution& old)
      : N(phase.N),
        old_N(old.mesh.empty() ? 0 : old.mesh.size() - 1) {
    const Horizon& h = t.horizons[static_cast<std::size_t>(phase.number)];
    auto fraction = [&](std::size_t i) { return (phase.mesh.point[i].at(h.t0, h.tf) - h.t0) / (h.tf - h.t0); };
    for (std::size_t i = 0, k = 0; i < N && old_N > 0; ++i) {
      double left = fraction(i), right = fraction(i + 1);
      while (k + 1 < old_N && old.mesh[k + 1] <= 0.5 * (left + right)) ++k;
      interval.push_back(k);
      ratio.push_back((right - left) / (old.mesh[k + 1] - old.mesh[k]));
    }
  }

  /// A block along the mesh has one element per interval, or one more.
  bool along(std::size_t count) const { return N >= 2 && (count == N || count == N + 1); }
  std::size_t old_count(std::size_t count) const { return along(count) ? old_N + (count - N) : count; }
};

class Transfer {
 public:
  Transfer(const Transcription& t, const abi::Solution& from) {
    for (std::size_t p = 0; p < t.phases.size(); ++p) covers_.emplace_back(t, t.phases[p], from.phases[p]);
  }

  /// The values of all blocks; empty when the old ones do not have the size that their meshes give.
  template <class Block, class Shrinks>
  std::vector<double> values(const std::vector<Block>& blocks, std::size_t n, const std::vector<double>& old,
                             Shrinks shrinks) const {
    std::size_t first = 0;
    std::vector<double> result(n, 0);
    for (const Block& block : blocks) {
      const Cover* cover = block.phase >= 0 && covers_[static_cast<std::size_t>(block.phase)].along(block.count)
                               ? &covers_[static_cast<std::size_t>(block.phase)]
                               : nullptr;
      std::size_t count = cover ? cover->old_count(block.count) : block.count;
      if (first + count > old.size()) return {};
      for (std::size_t i = 0; i < block.count; ++i) {
        if (!cover) result[block.first + i] = old[first + i];
        else if (i == cover->N) result[block.first + i] = old[first + cover->old_N];
        else result[block.first + i] = old[first + cover->interval[i]] * (shrinks(block) ? cover->ratio[i] : 1);
      }
      first += count;
    }
    return first == old.size() ? result : std::vector<double>();
  }

 private:
  std::vector<Cover> covers_;
};

bool same_transcription(const Transcription& t, const abi::Solution& from) {
  if (t.problem->is_static || from.phases.size() != t.phases.size()) return false;
  for (std::size_t p = 0; p < t.phases.size(); ++p) {
    const abi::PhaseSolution& phase = from.phases[p];
    if (phase.transcription != t.scheme.name || phase.points != t.scheme.points ||
        phase.control_constant != t.phases[p].control_constant || phase.mesh.size() <= 2)
      return false;
  }
  return true;
}

}  // namespace

nlp::Iterate transfer_multipliers(const Transcription& t, const abi::Solution& from) {
  nlp::Iterate iterate;
  if (!same_transcription(t, from)) return iterate;
  Transfer transfer(t, from);
  const Numbering& numbering = t.plan.numbering;
  auto density = [](const RowBlock& row) { return row.role == nlp::RowRole::algebraic || row.role == nlp::RowRole::path; };
  auto always = [](const VariableBlock&) { return true; };
  iterate.lambda = transfer.values(numbering.rows, t.nlp.m(), from.warm_start.rows, density);
  iterate.z_lower = transfer.values(numbering.variables, t.nlp.n(), from.warm_start.lower, always);
  iterate.z_upper = transfer.values(numbering.variables, t.nlp.n(), from.warm_start.upper, always);
  if (iterate.lambda.empty() || iterate.z_lower.empty() || iterate.z_upper.empty()) return {};
  return iterate;
}

}  // namespace bolza::transcribe
