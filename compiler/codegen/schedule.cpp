// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/expects.h"
#include "compiler/codegen/schedule_internal.h"
#include "compiler/ir/node_map.h"

namespace bolza::codegen {
namespace {

using ir::Dag;
using ir::ExprId;
using ir::Op;

bool is_leaf(Op op) { return op <= Op::direction; }
/// Needs no place of its own to reach a later part: a leaf is loaded again, the results of a call stay in its buffer.
bool stays_readable(Op op) { return is_leaf(op) || op == Op::call; }

using Positions = ir::NodeMap<std::uint32_t>;

struct Visit {
  ExprId node;
  std::uint32_t next = 0;
};

/// Post-order over everything the outputs reach.
void order_nodes(const Dag& dag, std::span<const ExprId> outputs, Schedule& s, Positions& position) {
  std::vector<Visit> stack;
  for (ExprId output : outputs) {
    if (!position.contains(output)) stack.push_back({output});
    while (!stack.empty()) {
      Visit& top = stack.back();
      std::span<const ExprId> operands = dag.operands(top.node);
      if (top.next < operands.size()) {
        ExprId child = operands[top.next++];
        if (!position.contains(child)) stack.push_back({child});
        continue;
      }
      if (!position.contains(top.node)) {
        position[top.node] = static_cast<std::uint32_t>(s.order.size());
        s.order.push_back(top.node);
      }
      stack.pop_back();
    }
  }
}

/// Puts the nodes that are the same at all points in front, in unchanged order, with their leaves. Returns how many
/// positions they take.
std::uint32_t fixed_first(const Dag& dag, std::span<const SlotClass> slots, Schedule& s, Positions& position) {
  std::vector<ExprId> fixed, rest;
  Positions is_fixed;
  for (ExprId e : s.order) {
    Op op = dag.op(e);
    bool same = is_leaf(op) ? is_fixed_leaf(dag, e, slots) : op != Op::call && op != Op::output;
    for (ExprId operand : dag.operands(e)) same = same && *is_fixed.find(operand);
    is_fixed[e] = same;
    (same && !is_leaf(op) ? fixed : rest).push_back(e);
  }
  if (fixed.empty()) return 0;
  std::vector<ExprId> leaves;  // of the fixed nodes: they come before their users
  Positions listed;
  for (ExprId e : fixed)
    for (ExprId operand : dag.operands(e))
      if (is_leaf(dag.op(operand)) && !listed.contains(operand)) {
        listed[operand] = 1;
        leaves.push_back(operand);
      }
  s.order = leaves;
  s.order.insert(s.order.end(), fixed.begin(), fixed.end());
  auto n_fixed = static_cast<std::uint32_t>(s.order.size());
  for (ExprId e : rest)
    if (!listed.contains(e)) s.order.push_back(e);
  for (std::uint32_t p = 0; p < s.order.size(); ++p) position[s.order[p]] = p;
  return n_fixed;
}

void link_operands(const Dag& dag, Schedule& s, const Positions& position) {
  s.first_operand.reserve(s.order.size() + 1);
  s.first_operand.push_back(0);
  s.uses.assign(s.order.size(), 0);
  for (ExprId e : s.order) {
    for (ExprId operand : dag.operands(e)) {
      s.operand_positions.push_back(*position.find(operand));
      ++s.uses[s.operand_positions.back()];
    }
    s.first_operand.push_back(static_cast<std::uint32_t>(s.operand_positions.size()));
  }
}

/// @param n_fixed  positions before this one run once per instance; outputs that are fixed are stored at every point all the
/// same
void cut_into_parts(const Dag& dag, Schedule& s, std::uint32_t n_fixed, std::uint32_t limit) {
  std::vector<std::vector<std::uint32_t>> outputs_at(s.order.size() + 1);
  for (std::uint32_t o = 0; o < s.output_positions.size(); ++o)
    outputs_at[std::max(s.output_positions[o], n_fixed)].push_back(o);
  s.part_of.assign(s.order.size(), 0);
  s.parts.emplace_back();
  std::uint32_t cost = 0;
  auto next_part = [&](std::uint32_t p) {
    s.parts.back().end = p;
    s.parts.emplace_back().begin = p;
    cost = 0;
  };
  auto n = static_cast<std::uint32_t>(s.order.size());
  for (std::uint32_t p = 0; p <= n; ++p) {
    if (n_fixed > 0 && p == n_fixed) {
      next_part(p);
      s.n_fixed_parts = static_cast<std::uint32_t>(s.parts.size() - 1);
    } else if (cost >= limit && p < n) {
      next_part(p);
    }
    if (p < n) {
      cost += !is_leaf(dag.op(s.order[p]));
      s.part_of[p] = static_cast<std::uint32_t>(s.parts.size() - 1);
    }
    for (std::uint32_t o : outputs_at[p]) {
      if (cost >= 2 * limit) next_part(std::min(p + 1, n));  // many outputs of one value: spread the stores
      s.parts.back().outputs.push_back(o);
      ++cost;
    }
  }
  s.parts.back().end = n;
}

/// A product with one use that is the operand of a sum in the same part becomes part of a fused multiply-add.
void mark_fused(const Dag& dag, Schedule& s) {
  s.fused.assign(s.order.size(), 0);
  for (std::uint32_t p = 0; p < s.order.size(); ++p) {
    Op op = dag.op(s.order[p]);
    if (op != Op::add && op != Op::sub) continue;
    for (std::uint32_t k : {1u, 0u}) {
      std::uint32_t q = s.operands(p)[k];
      if (dag.op(s.order[q]) != Op::mul || s.uses[q] != 1 || s.part_of[q] != s.part_of[p]) continue;
      s.fused[q] = 1;
      break;
    }
  }
}

/// Gives every value that is read in a later part than its own a place; places are used again after the last reader.
void place_temporaries(const Dag& dag, Schedule& s) {
  std::vector<std::uint32_t> last_part = s.part_of;
  for (std::uint32_t p = 0; p < s.order.size(); ++p)
    for (std::uint32_t q : s.operands(p)) last_part[q] = std::max(last_part[q], s.part_of[p]);
  for (std::uint32_t k = 0; k < s.parts.size(); ++k)
    for (std::uint32_t o : s.parts[k].outputs) {
      std::uint32_t q = s.output_positions[o];
      last_part[q] = std::max(last_part[q], k);
    }
  s.temporary.assign(s.order.size(), Schedule::none);
  std::vector<std::uint32_t> free_places;
  std::vector<std::vector<std::uint32_t>> ends(s.parts.size());
  for (std::uint32_t k = 0; k < s.parts.size(); ++k) {
    for (std::uint32_t p = s.parts[k].begin; p < s.parts[k].end; ++p) {
      if (last_part[p] == k || stays_readable(dag.op(s.order[p]))) continue;
      if (free_places.empty()) free_places.push_back(s.n_temporaries++);
      s.temporary[p] = free_places.back();
      free_places.pop_back();
      s.parts[k].keeps.push_back(p);
      if (k >= s.n_fixed_parts) ends[last_part[p]].push_back(s.temporary[p]);  // fixed values serve every block
    }
    if (k >= s.n_fixed_parts) free_places.insert(free_places.end(), ends[k].rbegin(), ends[k].rend());
  }
}

}  // namespace

bool is_fixed_leaf(const Dag& dag, ExprId leaf, std::span<const SlotClass> slots) {
  Op op = dag.op(leaf);
  return op == Op::number || op == Op::datum || (op == Op::slot && slots[dag.index(leaf)] == SlotClass::shared);
}

Schedule make_schedule(const Dag& dag, std::span<const ExprId> outputs, std::span<const SlotClass> slots,
                       std::uint32_t limit) {
  Schedule s;
  Positions position;
  order_nodes(dag, outputs, s, position);
  std::uint32_t n_fixed = fixed_first(dag, slots, s, position);
  link_operands(dag, s, position);
  for (ExprId output : outputs) {
    s.output_positions.push_back(*position.find(output));
    ++s.uses[s.output_positions.back()];
  }
  cut_into_parts(dag, s, n_fixed, limit);
  mark_fused(dag, s);
  place_temporaries(dag, s);
  return s;
}

}  // namespace bolza::codegen
