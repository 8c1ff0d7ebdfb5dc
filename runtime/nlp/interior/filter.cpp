// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/interior/filter.h"

#include <algorithm>

namespace bolza::nlp::interior {

bool Filter::accepts(double theta, double phi) const {
  return std::all_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return theta <= entry.theta || phi <= entry.phi; });
}

void Filter::add(double theta, double phi) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.theta >= theta && entry.phi >= phi; });
  entries_.push_back({theta, phi});
}

}  // namespace bolza::nlp::interior
