// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/simplify/alias_sets.h"

#include "base/expects.h"

namespace bolza::passes {

AliasSets::AliasSets(std::size_t n) : parent_(n) {
  for (std::size_t v = 0; v < n; ++v) parent_[v].representative = ir::VariableId(v);
}

AliasSets::Link AliasSets::find(ir::VariableId v) {
  std::vector<ir::VariableId> path;
  ir::VariableId at = v;
  while (parent_[at.index()].representative != at) {
    path.push_back(at);
    at = parent_[at.index()].representative;
  }
  for (std::size_t k = path.size(); k-- > 0;) {  // nearest to the root first, so that each parent is already compressed
    Link& link = parent_[path[k].index()];
    const Link up = link.representative == at ? Link{at, 1, 0} : parent_[link.representative.index()];
    link = {at, link.sign * up.sign, link.sign * up.offset + link.offset};
  }
  return parent_[v.index()];
}

void AliasSets::unite(ir::VariableId a, ir::VariableId b, double sign, double offset) {
  Link la = find(a), lb = find(b);
  expects(la.representative != lb.representative, "sets are united once");
  // a = sa·A + oa and b = sb·B + ob, so A = sa·(sign·(sb·B + ob) + offset − oa)
  parent_[la.representative.index()] = {lb.representative, la.sign * sign * lb.sign,
                                        la.sign * (sign * lb.offset + offset - la.offset)};
}

}  // namespace bolza::passes
