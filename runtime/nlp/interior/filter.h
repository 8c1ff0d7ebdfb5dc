// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

namespace bolza::nlp::interior {

/// Pairs of violation and barrier function that no later point may be worse than in both [IPOPT, section 2.3].
class Filter {
 public:
  bool accepts(double theta, double phi) const;
  /// Those that the new one dominates leave.
  void add(double theta, double phi);
  void clear() { entries_.clear(); }
  bool empty() const { return entries_.empty(); }

 private:
  struct Entry {
    double theta, phi;
  };
  std::vector<Entry> entries_;
};

}  // namespace bolza::nlp::interior
