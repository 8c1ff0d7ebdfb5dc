// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/guard.h"

#include <algorithm>
#include <cmath>

#include "compiler/ir/node_map.h"
#include "compiler/ir/substitute.h"

namespace bolza::derive {

using ir::Dag;
using ir::ExprId;
using ir::Op;

namespace {

/// A condition (a node of the old roots) that holds, or does not.
struct Literal {
  ExprId condition;
  bool holds = true;
  friend auto operator<=>(const Literal&, const Literal&) = default;
};

using Conjunction = std::vector<Literal>;  // ascending

/// When a node is needed: any of the conjunctions. An empty conjunction is "always".
struct Need {
  std::vector<Conjunction> any;
  bool always() const { return any.size() == 1 && any[0].empty(); }
};

bool implies(const Conjunction& stronger, const Conjunction& weaker) {
  return std::includes(stronger.begin(), stronger.end(), weaker.begin(), weaker.end());
}

/// a and b differ only in the sign of one condition: what they have in common says the same as both.
bool resolve(const Conjunction& a, const Conjunction& b, Conjunction& common) {
  if (a.size() != b.size()) return false;
  std::size_t differences = 0;
  common.clear();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].condition != b[i].condition) return false;
    if (a[i].holds == b[i].holds) common.push_back(a[i]);
    else ++differences;
  }
  return differences == 1;
}

void add_need(Need& need, Conjunction when) {
  for (std::size_t i = 0; i < need.any.size(); ++i) {
    if (implies(when, need.any[i])) return;
    Conjunction common;
    if (resolve(when, need.any[i], common)) {
      need.any.erase(need.any.begin() + static_cast<std::ptrdiff_t>(i));
      add_need(need, std::move(common));
      return;
    }
  }
  std::erase_if(need.any, [&](const Conjunction& other) { return implies(other, when); });
  need.any.push_back(std::move(when));
  constexpr std::size_t most = 8;
  if (need.any.size() <= most) return;
  Conjunction common = need.any[0];
  for (const Conjunction& other : need.any) {
    Conjunction both;
    std::set_intersection(common.begin(), common.end(), other.begin(), other.end(), std::back_inserter(both));
    common = std::move(both);
  }
  need.any = {common};
}

Conjunction with(const Conjunction& when, Literal literal) {
  Conjunction result = when;
  auto at = std::lower_bound(result.begin(), result.end(), literal);
  if (at == result.end() || *at != literal) result.insert(at, literal);
  return result;
}

/// Does the conjunction say both that a condition holds and that it does not?
bool impossible(const Conjunction& when) {
  for (std::size_t i = 1; i < when.size(); ++i)
    if (when[i].condition == when[i - 1].condition) return true;
  return false;
}

class Guard {
 public:
  Guard(Dag& dag, std::span<const ExprId> roots) : dag_(dag), roots_(roots) {}

  std::vector<ExprId> run() {
    std::vector<ExprId> nodes = ir::reachable(dag_, roots_);
    bool has_choice = std::any_of(nodes.begin(), nodes.end(), [&](ExprId e) { return dag_.op(e) == Op::select; });
    bool has_domain = std::any_of(nodes.begin(), nodes.end(), [&](ExprId e) { return is_restricted(e); });
    if (!has_choice || !has_domain) return {roots_.begin(), roots_.end()};
    find_needs(nodes);
    std::vector<ExprId> result;
    for (ExprId e : nodes) {
      ExprId rebuilt = rebuild(e);
      new_[e] = rebuilt;
    }
    for (ExprId root : roots_) result.push_back(*new_.find(root));
    return result;
  }

 private:
  bool is_restricted(ExprId e) const {
    const ir::OpRow& row = ir::row_of(dag_.op(e));
    if (row.guarded < 0) return false;
    std::span<const ExprId> x = dag_.operands(e);
    if (dag_.is_number(x[static_cast<std::size_t>(row.guarded)])) return false;
    if (row.domain != ir::Domain::power || !dag_.is_number(x[1])) return true;
    double exponent = dag_.value(x[1]);
    return exponent < 0 || exponent != std::floor(exponent);
  }

  void find_needs(const std::vector<ExprId>& nodes) {
    for (ExprId root : roots_) needs_[root].any = {{}};
    for (std::size_t i = nodes.size(); i-- > 0;) {
      ExprId e = nodes[i];
      Need need = needs_[e];  // copied: the table moves when it grows
      std::span<const ExprId> x = dag_.operands(e);
      for (std::size_t k = 0; k < x.size(); ++k)
        for (const Conjunction& when : need.any) {
          bool conditional = dag_.op(e) == Op::select && k > 0;
          Conjunction passed = conditional ? with(when, {x[0], k == 1}) : when;
          if (!impossible(passed)) add_need(needs_[x[k]], std::move(passed));
        }
    }
  }

  ExprId rebuild(ExprId e) {
    std::vector<ExprId> operands;
    for (ExprId x : dag_.operands(e)) operands.push_back(*new_.find(x));
    if (operands.empty()) return e;
    if (is_restricted(e)) {
      const ir::OpRow& row = ir::row_of(dag_.op(e));
      ExprId& operand = operands[static_cast<std::size_t>(row.guarded)];
      operand = dag_.select(condition_of(needs_[e]), operand, dag_.number(row.safe));
    }
    return ir::with_operands(dag_, e, operands);
  }

  /// The condition as an expression of the old nodes: a condition has no derivative, so it needs no guards itself, and it
  /// may even depend on the operator that it guards.
  ExprId condition_of(const Need& need) {
    ExprId any = dag_.zero();
    for (const Conjunction& when : need.any) {
      ExprId all = dag_.one();
      for (const Literal& literal : when)
        all = dag_.make(Op::logical_and, all,
                        literal.holds ? literal.condition : dag_.make(Op::logical_not, literal.condition));
      any = dag_.make(Op::logical_or, any, all);
    }
    return any;
  }

  Dag& dag_;
  std::span<const ExprId> roots_;
  ir::NodeMap<Need> needs_;
  ir::NodeMap<ExprId> new_;
};

}  // namespace

std::vector<ExprId> guard(Dag& dag, std::span<const ExprId> roots) { return Guard(dag, roots).run(); }

}  // namespace bolza::derive
