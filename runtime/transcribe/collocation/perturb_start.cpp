// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/perturb_start.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/transcribe/collocation/bounds.h"
#include "runtime/transcribe/collocation/guess.h"

namespace bolza::transcribe {
namespace {

constexpr double pi = 3.141592653589793;

/// Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014 (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double between_minus_one_and_one() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1p-52 - 1;
  }

 private:
  std::uint64_t state_;
};

/// Σ c_k sin(kπτ) / k, and a constant for what has no values at the ends to keep.
struct Wave {
  std::array<double, 4> c;
  double at(double tau, bool with_constant) const {
    double sum = with_constant ? c[0] : 0;
    for (std::size_t k = 1; k < c.size(); ++k)
      sum += c[k] * std::sin(static_cast<double>(k) * pi * tau) / static_cast<double>(k);
    return sum;
  }
};

/// The wave of a trajectory depends on what it belongs to, not on the mesh or the method.
Wave wave_of(const VariableBlock& block, std::uint32_t seed) {
  std::uint64_t what = (static_cast<std::uint64_t>(seed) << 40) ^ (static_cast<std::uint64_t>(block.phase + 1) << 28) ^
                       (static_cast<std::uint64_t>(block.quantity) << 24) ^ static_cast<std::uint64_t>(block.index);
  Random random(what);
  Wave wave{};
  for (double& c : wave.c) c = random.between_minus_one_and_one();
  return wave;
}

double size_of(const nlp::Nlp& nlp, std::size_t v, QuantityKind quantity) {
  double width = nlp.upper[v] - nlp.lower[v];
  return quantity == QuantityKind::control && std::isfinite(width) ? 0.5 * width : nlp.scale[v];
}

/// Between the bounds, or as far from the start as ten sizes where there is none.
double anywhere(const nlp::Nlp& nlp, std::size_t v, double part) {
  constexpr double wide = 10;  // sizes
  double lower = nlp.lower[v], upper = nlp.upper[v], room = wide * nlp.scale[v];
  if (!std::isfinite(lower)) lower = std::min(nlp.start[v], std::isfinite(upper) ? upper : nlp.start[v]) - room;
  if (!std::isfinite(upper)) upper = std::max(nlp.start[v], lower) + room;
  return lower + 0.5 * (part + 1) * (upper - lower);
}

/// Between -1 and 1: places that follow each other are far apart (multiples of an irrational number for each variable).
double spread(std::size_t variable, std::uint32_t seed) {
  double step = std::fmod(0.6180339887498949 + 0.4142135623730951 * static_cast<double>(variable), 1.0);
  return 2 * std::fmod(0.25 + step * static_cast<double>(seed), 1.0) - 1;
}

void perturb_static(Transcription& t, double amount, std::uint32_t seed) {
  nlp::Nlp& nlp = t.nlp;
  for (const VariableBlock& block : t.plan.numbering.variables) {
    if (!variable_of(t, block)) continue;
    double part = spread(static_cast<std::size_t>(&block - t.plan.numbering.variables.data()), seed);
    for (std::size_t v = block.first; v < block.first + block.count; ++v)
      if (nlp.lower[v] < nlp.upper[v]) nlp.start[v] += amount * (anywhere(nlp, v, part) - nlp.start[v]);
  }
  fill_definitions(t);
}

}  // namespace

void perturb_start(Transcription& t, double amount, std::uint32_t seed) {
  if (t.problem->is_static) {
    perturb_static(t, amount, seed);
    return;
  }
  nlp::Nlp& nlp = t.nlp;
  for (const VariableBlock& block : t.plan.numbering.variables) {
    bool of_time = block.role == nlp::VariableRole::time;
    if (!variable_of(t, block) || block.quantity == QuantityKind::rate || block.role == nlp::VariableRole::point_value)
      continue;
    Wave wave = wave_of(block, seed);
    for (std::size_t i = 0; i < block.count; ++i) {
      std::size_t v = block.first + i;
      if (nlp.lower[v] == nlp.upper[v]) continue;
      double change = 0;
      if (block.phase < 0) {
        change = wave.c[0] * (of_time ? 0.5 * std::abs(nlp.start[v]) : nlp.scale[v]);
      } else {
        const PhaseLayout& phase = t.phases[static_cast<std::size_t>(block.phase)];
        double intervals = std::max<double>(1, static_cast<double>(phase.N));
        double tau = (static_cast<double>(block.interval) + static_cast<double>(i) + block.place) / intervals;
        change = wave.at(std::min(tau, 1.0), block.quantity == QuantityKind::control) * size_of(nlp, v, block.quantity);
      }
      nlp.start[v] = std::min(std::max(nlp.start[v] + amount * change, nlp.lower[v]), nlp.upper[v]);
    }
  }
  fill_definitions(t);
}

}  // namespace bolza::transcribe
