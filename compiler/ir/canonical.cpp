// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/canonical.h"

#include <map>

#include "compiler/ir/node_map.h"
#include "compiler/ir/substitute.h"

namespace bolza::ir {
namespace {

bool stays_literal(const Dag& dag, ExprId parent, std::size_t position, double v) {
  if (v == 0 || v == 1 || v == -1 || v == 2 || v == 0.5) return true;
  return dag.op(parent) == Op::call || (dag.op(parent) == Op::pow && position == 1);
}

/// Numbers leaves by first occurrence, then rebuilds the roots over the new numbers.
class Canonicaliser {
 public:
  explicit Canonicaliser(Dag& dag) : dag_(dag) {}

  CanonicalShape run(std::span<const ExprId> roots) {
    for (ExprId root : roots) walk(root);
    for (ExprId e : reachable(dag_, roots)) rebuild_node(e);
    for (ExprId root : roots)
      shape_.roots.push_back(is_lifted_root(root) ? dag_.datum(*root_literals_.find(root)) : *new_.find(root));
    return std::move(shape_);
  }

 private:
  bool is_lifted_root(ExprId root) const { return root_literals_.contains(root); }

  void walk(ExprId root) {
    if (dag_.is_number(root) && !is_lifted_root(root) && !stays_literal(dag_, root, 0, dag_.value(root)))
      root_literals_[root] = add_literal(root);
    stack_.push_back(root);
    while (!stack_.empty()) {
      ExprId e = stack_.back();
      stack_.pop_back();
      if (seen_.contains(e)) continue;
      seen_[e] = 1;
      visit(e);
    }
  }

  void visit(ExprId e) {
    if (dag_.op(e) == Op::slot) {
      new_[e] = dag_.slot(static_cast<std::uint32_t>(shape_.slots.size()));
      shape_.slots.push_back(dag_.index(e));
    } else if (dag_.op(e) == Op::datum) {
      new_[e] = dag_.datum(static_cast<std::uint32_t>(shape_.data.size()));
      shape_.data.push_back({false, dag_.index(e), 0});
    }
    std::span<const ExprId> x = dag_.operands(e);
    auto first_literal = static_cast<std::uint32_t>(shape_.data.size());  // those of one node are consecutive
    for (std::size_t i = 0; i < x.size(); ++i)
      if (dag_.is_number(x[i]) && !stays_literal(dag_, e, i, dag_.value(x[i]))) add_literal(x[i]);
    if (shape_.data.size() > first_literal) first_literal_[e] = first_literal;
    for (std::size_t i = x.size(); i-- > 0;)
      if (!dag_.is_number(x[i])) stack_.push_back(x[i]);
  }

  std::uint32_t add_literal(ExprId number) {
    shape_.data.push_back({true, 0, dag_.value(number)});
    return static_cast<std::uint32_t>(shape_.data.size() - 1);
  }

  void rebuild_node(ExprId e) {
    if (new_.contains(e)) return;
    std::span<const ExprId> x = dag_.operands(e);
    if (x.empty() && dag_.op(e) != Op::call) {
      new_[e] = e;
      return;
    }
    operands_.clear();
    const std::uint32_t* first = first_literal_.find(e);
    std::uint32_t literal = first ? *first : 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      bool lifted = dag_.is_number(x[i]) && !stays_literal(dag_, e, i, dag_.value(x[i]));
      operands_.push_back(lifted ? dag_.datum(literal++) : *new_.find(x[i]));
    }
    new_[e] = with_operands(dag_, e, operands_);
  }

  Dag& dag_;
  CanonicalShape shape_;
  NodeMap<ExprId> new_;
  NodeMap<char> seen_;
  NodeMap<std::uint32_t> first_literal_, root_literals_;
  std::vector<ExprId> stack_, operands_;
};

/// For every slot the first slot with the same column. Equal columns agree in their first entry, so only those are compared.
std::vector<std::uint32_t> representatives(const Group& group) {
  std::vector<std::uint32_t> result(group.slots.size());
  std::map<VariableId, std::vector<std::uint32_t>> by_first;
  for (std::uint32_t k = 0; k < group.slots.size(); ++k) {
    result[k] = k;
    if (group.n == 0) continue;
    std::vector<std::uint32_t>& candidates = by_first[group.slots[k][0]];
    for (std::uint32_t other : candidates)
      if (same_entries(group.slots[k], group.slots[other], group.n)) {
        result[k] = other;
        break;
      }
    if (result[k] == k) candidates.push_back(k);
  }
  return result;
}

}  // namespace

CanonicalShape canonical_shape(Dag& dag, std::span<const ExprId> roots, std::span<const std::uint32_t> representative) {
  bool merges = false;
  for (std::size_t k = 0; k < representative.size(); ++k) merges |= representative[k] != k;
  if (!merges) return Canonicaliser(dag).run(roots);
  std::vector<ExprId> merged = renumber_slots(dag, roots, representative);
  return Canonicaliser(dag).run(merged);
}

Group canonical(Dag& dag, const Group& group) {
  CanonicalShape shape = canonical_shape(dag, group.roots, representatives(group));
  Group result;
  result.n = group.n;
  for (std::uint32_t old : shape.slots) result.slots.push_back(group.slots[old]);
  for (const CanonicalShape::DataSource& source : shape.data)
    result.data.push_back(source.is_literal ? DataColumn(group.n, source.literal) : group.data[source.datum]);
  result.roots = std::move(shape.roots);
  result.rows = group.rows;
  result.origins = group.origins;
  return result;
}

Term canonical(Dag& dag, const Term& term) {
  std::map<VariableId, std::uint32_t> first;
  std::vector<std::uint32_t> representative;
  for (std::uint32_t k = 0; k < term.slots.size(); ++k)
    representative.push_back(first.emplace(term.slots[k], k).first->second);
  CanonicalShape shape = canonical_shape(dag, std::span(&term.root, 1), representative);
  Term result;
  result.root = shape.roots[0];
  result.span = term.span;
  for (std::uint32_t old : shape.slots) result.slots.push_back(term.slots[old]);
  for (const CanonicalShape::DataSource& source : shape.data)
    result.data.push_back(source.is_literal ? source.literal : term.data[source.datum]);
  return result;
}

std::vector<Group> join_equal_shapes(std::vector<Group> groups) {
  std::vector<Group> joined;
  std::map<std::vector<ExprId>, std::size_t> place;
  for (Group& group : groups) {
    auto [at, is_new] = place.emplace(group.roots, joined.size());
    if (is_new) joined.push_back(std::move(group));
    else append(joined[at->second], group);
  }
  return joined;
}

void roll(Dag& dag, Section& section) {
  for (Group& group : section.groups) group = canonical(dag, group);
  section.groups = join_equal_shapes(std::move(section.groups));
}

}  // namespace bolza::ir
