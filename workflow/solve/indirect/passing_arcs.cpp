// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/passing_arcs.h"

#include <algorithm>
#include <cmath>

namespace bolza::workflow {
namespace {

using passes::ControlArc;

constexpr double no_sign = 1e-6;  ///< of the largest ∂H/∂u: less has no sign

bool is_switch(ControlArc before, ControlArc after) {
  return (before == ControlArc::upper && after == ControlArc::lower) ||
         (before == ControlArc::lower && after == ControlArc::upper);
}

/// From the switch away, where a function that is negative at the switch becomes zero; none: it does nowhere.
template <class Iterator>
std::optional<double> sign_change(Iterator value, Iterator end, Iterator time, double sign, double size) {
  if (value == end || sign * *value >= -no_sign * size) return {};
  double before = sign * *value, t = *time;
  while (++value != end) {
    ++time;
    double now = sign * *value;
    if (now >= 0) return t + (*time - t) * before / (before - now);
    before = now;
    t = *time;
  }
  return {};
}

class PassingArcs {
 public:
  PassingArcs(BoundaryProblem& problem, const ArcStructure& structure, const std::vector<NamedValues>& values)
      : problem_(problem),
        structure_(structure),
        values_(values) {}

  std::optional<ArcStructure> find() {
    ArcStructure out = structure_;
    out.sequence.arcs.clear();
    out.times.assign(1, values_.front().at(time_of_arc).front());
    for (std::size_t k = 0; k < values_.size(); ++k) {
      out.sequence.arcs.push_back(structure_.sequence.arcs[k]);
      double end = values_[k].at(time_of_arc).back();
      for (std::size_t j = 0; k + 1 < values_.size() && j < problem_.system.u.size(); ++j)
        if (auto passage = passage_at(k, j); passage && passage->first > out.times.back()) {
          out.times.push_back(passage->first);
          out.sequence.arcs.push_back(structure_.sequence.arcs[k]);
          out.sequence.arcs.back().controls[j] = ControlArc::free;
          end = passage->second;
          found_ = true;
          break;
        }
      out.times.push_back(end);
    }
    return found_ ? std::optional(std::move(out)) : std::nullopt;
  }

 private:
  /// The times of an arc between arcs k and k + 1 on which a control passes from one bound to the other.
  std::optional<std::pair<double, double>> passage_at(std::size_t k, std::size_t j) {
    ControlArc before = structure_.sequence.arcs[k].controls[j], after = structure_.sequence.arcs[k + 1].controls[j];
    if (!is_switch(before, after) || driver::is_affine_in(problem_.system, j)) return {};
    const std::string& name = problem_.text.switching[j];
    const std::vector<double>&left = values_[k].at(name), &right = values_[k + 1].at(name);
    double size = 0, sign = before == ControlArc::lower ? 1 : -1;
    for (const std::vector<double>* side : {&left, &right})
      for (double value : *side) size = std::max(size, std::fabs(value));
    const std::vector<double>&left_time = values_[k].at(time_of_arc), &right_time = values_[k + 1].at(time_of_arc);
    auto from = sign_change(left.rbegin(), left.rend(), left_time.rbegin(), sign, size);
    auto to = sign_change(right.begin(), right.end(), right_time.begin(), -sign, size);
    if (!from || !to) return {};
    return std::pair{*from, *to};
  }

  BoundaryProblem& problem_;
  const ArcStructure& structure_;
  const std::vector<NamedValues>& values_;
  bool found_ = false;
};

}  // namespace

std::optional<ArcStructure> with_passing_arcs(BoundaryProblem& problem, const ArcStructure& structure,
                                              const std::vector<NamedValues>& values) {
  return PassingArcs(problem, structure, values).find();
}

}  // namespace bolza::workflow
