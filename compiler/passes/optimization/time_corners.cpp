// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/time_corners.h"

#include <algorithm>
#include <map>

namespace bolza::passes {
namespace {

using ir::Op;

constexpr std::size_t most_corners = 1000;

class CornerSearch {
 public:
  CornerSearch(System& system, PointValueCollector& points) : system_(system), points_(points) {}

  void look_at(const Applied& what) {
    if (std::find(what.slots.begin(), what.slots.end(), VariableId(0u)) == what.slots.end()) return;
    for (ExprId root : what.roots) {
      auto [at, is_new] = zeros_.try_emplace(root);
      if (is_new) at->second = zeros_of(root);
      for (ExprId zero : at->second) {
        if (system_.lowered.places.size() > most_corners) return;
        std::uint32_t phase = system_.phase_of(what.slots);
        points_.add_corner({{zero}, what.slots, what.data}, phase == no_phase ? 0 : phase);
      }
    }
  }

 private:
  /// Differences that change their sign where something in an expression jumps or has a kink.
  std::vector<ExprId> zeros_of(ExprId root) {
    ir::Dag& dag = system_.dag();
    std::vector<ExprId> zeros;
    for (ExprId e : ir::reachable(dag, std::span(&root, 1))) {
      Op op = dag.op(e);
      bool compares = op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal ||
                      op == Op::min || op == Op::max;
      if (op == Op::abs) zeros.push_back(dag.operands(e)[0]);
      if (compares) zeros.push_back(dag.sub(dag.operands(e)[0], dag.operands(e)[1]));
    }
    return zeros;
  }

  System& system_;
  PointValueCollector& points_;
  std::map<ExprId, std::vector<ExprId>> zeros_;
};

}  // namespace

void add_time_corners(System& system, PointValueCollector& points) {
  CornerSearch search(system, points);
  for (const ir::Section* section : {&system.solved.rates, &system.solved.residuals})
    for_each_instance(*section, [&](const GroupInstance& i) { search.look_at(i.applied); });
  for (const auto* rows : {&system.lowered.path, &system.lowered.integrands})
    for (const LoweredRow& row : *rows)
      for (const Applied& part : row.parts) search.look_at(part);
}

}  // namespace bolza::passes
