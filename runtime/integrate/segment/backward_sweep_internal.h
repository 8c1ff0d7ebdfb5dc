// SPDX-License-Identifier: Apache-2.0
// What the adjoints on CVODES and IDAS share: several backward problems, taken back together over the pieces of one run.
#pragma once
#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "runtime/integrate/segment/adjoint_pieces.h"
#include "runtime/integrate/segment/segment.h"

namespace bolza::integrate {

enum class Pace : bool { to_the_end, one_step };

/// All problems to s: at once, or `by_steps`, one step of one of them after the other, each of which is fetched.
/// `solve(s, pace)` is CVodeB or IDASolveB for all of them; a problem has `reached` and `fetch`. False: one failed.
template <class Problem, class Solve>
bool take_back(const std::vector<std::shared_ptr<Problem>>& problems, double s, bool by_steps, long max_steps,
               const Solve& solve) {
  auto fetch = [&] { return std::all_of(problems.begin(), problems.end(), [](const auto& p) { return p->fetch(); }); };
  if (!by_steps) return solve(s, Pace::to_the_end) && fetch();
  auto behind = [&](const auto& p) { return p->reached > s; };
  auto sum = [](double so_far, const auto& p) { return so_far + p->reached; };
  auto places = [&] { return std::accumulate(problems.begin(), problems.end(), 0.0, sum); };
  for (long steps = 0; std::any_of(problems.begin(), problems.end(), behind); ++steps) {
    double before = places(), front = 0;
    if (steps > max_steps || !solve(s, Pace::one_step) || !fetch()) return false;
    if (places() < before) continue;
    for (const auto& p : problems) front = std::max(front, p->reached);  // rounding holds it a hair before a checkpoint
    if (!solve(std::max(s, front - 1e-13), Pace::to_the_end)) return false;
  }
  return true;
}

/// Whether a backward problem has used up its steps: the libraries limit those between two checkpoints alone.
inline bool used_up(int (*count)(void*, long*), void* memory, long max_steps) {
  long steps = 0;
  return count(memory, &steps) >= 0 && steps > max_steps;
}

/// From 1 to 0 over the pieces, with stops at the samples unless the problems look for these `by_steps`.
template <class BackTo>
bool sweep_back(AdjointPieces& pieces, const AdjointPieces::Run& run, std::span<const double> samples, bool by_steps,
                const BackTo& back_to) {
  std::size_t next = 0;
  return pieces.backward(run, [&](double begin) {
    for (; next < samples.size() && samples[next] > begin; ++next)
      if (samples[next] < 1 && !by_steps && !back_to(samples[next])) return false;
    return back_to(begin);
  });
}

/// Where nothing moves λ is what it is at the end.
inline void sample_resting(std::span<Segment::Backward> functionals, std::size_t samples) {
  for (Segment::Backward& b : functionals)
    for (std::size_t k = 0; k < samples; ++k) b.at_samples.insert(b.at_samples.end(), b.lambda.begin(), b.lambda.end());
}

}  // namespace bolza::integrate
