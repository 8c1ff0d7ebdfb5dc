#include "runtime/transcribe/carry.h"

namespace bolza::transcribe {
namespace {

const double* values_of(Factor factor, const Times* times, std::size_t stage, std::size_t begin) {
  switch (factor) {
    case Factor::one: return nullptr;
    case Factor::h: return times->h.data() + begin;
    case Factor::dt0: return times->dt[0].data() + stage * times->intervals + begin;
    case Factor::dt1: return times->dt[1].data() + stage * times->intervals + begin;
    case Factor::dh0: return times->dh[0].data() + begin;
    case Factor::dh1: return times->dh[1].data() + begin;
    case Factor::half_log_dh0: return times->half_log_dh[0].data() + begin;
    case Factor::half_log_dh1: return times->half_log_dh[1].data() + begin;
  }
  return nullptr;
}

constexpr std::size_t most_intervals = 128;

/// What is to be carried, in a buffer.
void collect(const Pass& p, const BlockOutputs& block, const Times* times, const double* source, double* buffer) {
  for (std::size_t i = 0; i < block.count; ++i) buffer[i] = p.coefficient * source[i];
  for (Factor factor : p.factors)
    if (const double* f = values_of(factor, times, p.stage, block.begin))
      for (std::size_t i = 0; i < block.count; ++i) buffer[i] *= f[i];
  if (p.second == Pass::no_row) return;
  const double* second = block.out + p.second * block.ld + p.stage * block.count;
  for (std::size_t i = 0; i < block.count; ++i) buffer[i] *= second[i];
}

}  // namespace

void carry(const Pass& p, const BlockOutputs& block, const Times* times, double* target, double* slots) {
  const double* source = block.out + p.source * block.ld + p.stage * block.count;
  double buffer[most_intervals];
  collect(p, block, times, source, buffer);
  if (p.sum) {
    double sum = 0;
    for (std::size_t i = 0; i < block.count; ++i) sum += buffer[i];
    slots[p.target] += sum;
    return;
  }
  double* to = target + p.target + block.begin;
  if (p.store)
    for (std::size_t i = 0; i < block.count; ++i) to[i] = buffer[i];
  else
    for (std::size_t i = 0; i < block.count; ++i) to[i] += buffer[i];
}

}  // namespace bolza::transcribe
