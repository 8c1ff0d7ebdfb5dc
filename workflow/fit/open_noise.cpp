// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/open_noise.h"

#include <map>

namespace bolza::workflow {
namespace {

using estimate::Estimation;
using estimate::Experiment;
using estimate::Measurement;
using estimate::Observable;
using estimate::Scale;

/// Sums over measurements, on the observable's scale.
struct ValueSpread {
  double weight = 0, mean = 0, apart = 0, square = 0;
  void add(double w, double value) {
    weight += w;
    double from_mean = value - mean;
    mean += from_mean * w / weight;
    apart += w * from_mean * (value - mean);
    square += w * value * value;
  }
};

/// What observables that have the same standard deviation have in common.
std::string kind_of(const Observable& o) {
  std::string scale = std::to_string(static_cast<int>(o.scale));
  if (!o.unit.empty()) return scale + "[" + o.unit;
  std::string name = scale + " ";
  int depth = 0;
  for (char c : o.name) {
    depth += c == '[';
    if (depth == 0) name += c;
    depth -= c == ']';
  }
  return name;
}

std::vector<ValueSpread> spreads_of(const Estimation& estimation) {
  std::vector<ValueSpread> out(estimation.observables.size());
  for (const Experiment& e : estimation.experiments)
    for (const Measurement& m : e.measurements) {
      const Observable& o = estimation.observables[m.observable];
      if (o.is_open && m.weight > 0) out[m.observable].add(m.weight, estimate::to_scale(m.value, o.scale));
    }
  return out;
}

/// Of values that are all equal their own size, on a logarithmic scale 1. 0: not known.
double size_of(const ValueSpread& all, bool logarithmic) {
  double least = 1e-12 * all.square;
  if (all.apart > least) return std::sqrt(all.apart / all.weight);
  if (logarithmic) return 1;
  return all.weight > 0 ? std::sqrt(all.square / all.weight) : 0;
}

}  // namespace

void set_open_noise(Estimation& estimation) {
  std::vector<ValueSpread> spreads = spreads_of(estimation);
  std::map<std::string, ValueSpread> kinds;
  std::map<std::string, double> sizes;
  for (std::size_t k = 0; k < spreads.size(); ++k) {
    ValueSpread& all = kinds[kind_of(estimation.observables[k])];
    all.weight += spreads[k].weight;
    all.apart += spreads[k].apart;
    all.square += spreads[k].square;
  }
  double logarithm = 0, count = 0;
  for (const Observable& o : estimation.observables) {
    if (!o.is_open) continue;
    double& size = sizes[kind_of(o)] = size_of(kinds[kind_of(o)], o.scale != Scale::lin);
    if (!(size > 0)) continue;
    logarithm += std::log(size);
    ++count;
  }
  double mean = count > 0 ? std::exp(logarithm / count) : 1;
  for (Observable& o : estimation.observables)
    if (o.is_open) o.number = sizes[kind_of(o)] > 0 ? sizes[kind_of(o)] / mean : 1;
  estimation.open_variance = mean * mean;
}

}  // namespace bolza::workflow
