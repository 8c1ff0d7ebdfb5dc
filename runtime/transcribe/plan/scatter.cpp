// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/plan/scatter.h"

#include "base/vectorise.h"

namespace bolza::transcribe {
namespace {

[[gnu::always_inline]] inline const double* values_of(Factor factor, const Times* times, std::size_t stage,
                                                      std::size_t begin) {
  switch (factor) {
    case Factor::one:
      return nullptr;
    case Factor::h:
      return times->h.data() + begin;
    case Factor::dt0:
      return times->dt[0].data() + stage * times->intervals + begin;
    case Factor::dt1:
      return times->dt[1].data() + stage * times->intervals + begin;
    case Factor::dh0:
      return times->dh[0].data() + begin;
    case Factor::dh1:
      return times->dh[1].data() + begin;
    case Factor::half_log_dh0:
      return times->half_log_dh[0].data() + begin;
    case Factor::half_log_dh1:
      return times->half_log_dh[1].data() + begin;
  }
  return nullptr;
}

constexpr std::size_t most_intervals = 256;

// The loops below are where a sweep spends its time besides the kernels; vectorised they cost a third.

[[gnu::always_inline]] inline void scaled(double* __restrict to, const double* __restrict from, double c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = c * from[i];
}
[[gnu::always_inline]] inline void scaled(double* __restrict to, const double* __restrict from, const double* __restrict f,
                                          double c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = c * f[i] * from[i];
}
[[gnu::always_inline]] inline void add_scaled(double* __restrict to, const double* __restrict from, double c,
                                              std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] += c * from[i];
}
[[gnu::always_inline]] inline void add_scaled(double* __restrict to, const double* __restrict from,
                                              const double* __restrict f, double c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] += c * f[i] * from[i];
}
[[gnu::always_inline]] inline void multiply(double* __restrict to, const double* __restrict f, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] *= f[i];
}

/// Passes with several factors or two sources: by way of a buffer.
[[gnu::always_inline]] inline void collect(const Scatter& p, const BlockOutputs& block, const double* source,
                                           double* buffer) {
  scaled(buffer, source, p.coefficient, block.count);
  for (Factor factor : p.factors)
    if (const double* f = values_of(factor, block.times, p.stage, block.begin)) multiply(buffer, f, block.count);
  if (p.second != Scatter::no_row) multiply(buffer, block.out + p.second * block.ld + p.stage * block.count, block.count);
}

[[gnu::always_inline]] inline void scatter_one(const Scatter& p, const BlockOutputs& block, const Target& target) {
  const double* source = block.out + p.source * block.ld + p.stage * block.count;
  auto to = [&] { return target.base + p.target * target.stride; };  // there may be none where all are sums
  bool plain = p.factors[1] == Factor::one && p.factors[2] == Factor::one && p.second == Scatter::no_row && !p.sum;
  if (plain) {
    const double* f = values_of(p.factors[0], block.times, p.stage, block.begin);
    if (f)
      p.store ? scaled(to(), source, f, p.coefficient, block.count)
              : add_scaled(to(), source, f, p.coefficient, block.count);
    else p.store ? scaled(to(), source, p.coefficient, block.count) : add_scaled(to(), source, p.coefficient, block.count);
    return;
  }
  double buffer[most_intervals];
  collect(p, block, source, buffer);
  if (!p.sum) {
    p.store ? scaled(to(), buffer, 1, block.count) : add_scaled(to(), buffer, 1, block.count);
    return;
  }
  double sum = 0;
  for (std::size_t i = 0; i < block.count; ++i) sum += buffer[i];
  target.slots[p.target] += sum;
}

}  // namespace

BOLZA_VECTORISE void scatter(const std::vector<Scatter>& scatters, const BlockOutputs& block, const Target& target) {
  for (const Scatter& p : scatters) scatter_one(p, block, target);
}

}  // namespace bolza::transcribe
