#include "runtime/estimate/estimation.h"

#include <cmath>

namespace bolza::estimate {

double to_scale(double value, Scale scale) {
  return scale == Scale::lin ? value : scale == Scale::log ? std::log(value) : std::log10(value);
}

double from_scale(double scaled, Scale scale) {
  return scale == Scale::lin ? scaled : scale == Scale::log ? std::exp(scaled) : std::pow(10, scaled);
}

double slope_of(double value, Scale scale) {
  return scale == Scale::lin ? 1 : scale == Scale::log ? value : value * std::log(10.0);
}

std::size_t Estimation::n_measurements() const {
  std::size_t n = 0;
  for (const Experiment& e : experiments) n += e.measurements.size();
  return n;
}

}  // namespace bolza::estimate
