// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/dag.h"

#include <algorithm>
#include <bit>

#include "base/expects.h"

namespace bolza::ir {
namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15ull;
  return h ^ (h >> 29);
}

std::uint64_t key_of(Op op) { return mix(0x5851F42D4C957F2Dull, static_cast<std::uint64_t>(op) + 1); }

/// Literals that stay in shapes have keys of their own; all others look like data, which they become.
std::uint64_t key_of_number(double v) {
  bool stays = v == 0 || v == 1 || v == -1 || v == 2 || v == 0.5;
  return stays ? mix(key_of(Op::number), std::bit_cast<std::uint64_t>(v)) : key_of(Op::datum);
}

}  // namespace

Dag::Dag() : table_(1024, 0) {}

// ---------------------------------------------------------------- interning

std::uint64_t Dag::hash(const Node& node) const {
  std::uint64_t h = key_of(node.op);
  if (node.op == Op::call) {
    h = mix(h, node.operands[0].value);
    for (ExprId e : lists_[node.operands[1].index()]) h = mix(h, e.value);
    return h;
  }
  for (ExprId e : node.operands) h = mix(h, e.value);
  return h;
}

bool Dag::same(const Node& a, const Node& b) const {
  if (a.op != b.op) return false;
  if (a.op != Op::call) return a.operands == b.operands;
  return a.operands[0] == b.operands[0] && lists_[a.operands[1].index()] == lists_[b.operands[1].index()];
}

void Dag::grow() {
  std::vector<std::uint64_t> bigger(table_.size() * 2, 0);
  std::size_t mask = bigger.size() - 1;
  for (std::uint64_t entry : table_) {
    if (entry == 0) continue;
    std::size_t at = (entry >> 32) & mask;
    while (bigger[at] != 0) at = (at + 1) & mask;
    bigger[at] = entry;
  }
  table_.swap(bigger);
}

ExprId Dag::intern(const Node& node, std::uint64_t shape_key) {
  std::size_t mask = table_.size() - 1;
  std::uint64_t tag = hash(node) >> 32;
  std::size_t at = tag & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    std::size_t known = static_cast<std::uint32_t>(table_[at]) - std::size_t{1};
    if (table_[at] >> 32 == tag && same(nodes_[known], node)) return ExprId(known);
  }
  nodes_.push_back(node);
  shape_keys_.push_back(shape_key);
  table_[at] = tag << 32 | nodes_.size();
  if (nodes_.size() * 2 > table_.size()) grow();
  return ExprId(nodes_.size() - 1);
}

// ---------------------------------------------------------------- leaves

ExprId Dag::number(double value) {
  if (value == 0) value = 0;  // −0 becomes 0: one zero only
  auto bits = std::bit_cast<std::uint64_t>(value);
  Operands stored{ExprId(static_cast<std::uint32_t>(bits)), ExprId(static_cast<std::uint32_t>(bits >> 32)), ExprId()};
  return intern({Op::number, stored}, key_of_number(value));
}

ExprId Dag::leaf(Op op, std::uint32_t k) { return intern({op, {ExprId(), ExprId(), ExprId(std::size_t{k})}}, key_of(op)); }
ExprId Dag::slot(std::uint32_t k) { return leaf(Op::slot, k); }
ExprId Dag::datum(std::uint32_t k) { return leaf(Op::datum, k); }
ExprId Dag::weight(std::uint32_t k) { return leaf(Op::weight, k); }
ExprId Dag::direction(std::uint32_t k) { return leaf(Op::direction, k); }

double Dag::value(ExprId e) const {
  const Node& node = nodes_[e.index()];
  return std::bit_cast<double>(std::uint64_t{node.operands[0].value} | std::uint64_t{node.operands[1].value} << 32);
}

std::uint32_t Dag::index(ExprId e) const { return nodes_[e.index()].operands[2].value; }
ProgramId Dag::program(ExprId e) const { return ProgramId(nodes_[e.index()].operands[0].index()); }

std::span<const ExprId> Dag::operands(ExprId e) const {
  const Node& node = nodes_[e.index()];
  if (node.op == Op::call) return lists_[node.operands[1].index()];
  return {node.operands.data(), static_cast<std::size_t>(row_of(node.op).arity)};
}

// ---------------------------------------------------------------- operators

std::uint64_t Dag::make_key(Op op, const Operands& x, int arity) const {
  std::uint64_t key = key_of(op);
  for (int i = 0; i < arity; ++i) key = mix(key, shape_key(x[i]));
  bool fixed_exponent = op == Op::pow && is_number(x[1]);
  return fixed_exponent ? mix(key, std::bit_cast<std::uint64_t>(value(x[1]))) : key;
}

ExprId Dag::make(Op op, std::span<const ExprId> operands) {
  int arity = row_of(op).arity;
  expects(arity >= 1 && arity <= 3 && op != Op::output, "make is for operators of one to three operands");
  expects(operands.size() == static_cast<std::size_t>(arity), "an operator has as many operands as its row says");
  Operands x;
  for (int i = 0; i < arity; ++i) {
    x[i] = operands[i];
    expects(x[i].index() < nodes_.size(), "operands exist before their operator");
  }
  if (ExprId done = fold(op, x, arity)) return done;
  if (ExprId done = simplify(op, x)) return done;
  if (row_of(op).commutative && shape_key(x[1]) < shape_key(x[0])) std::swap(x[0], x[1]);
  return intern({op, x}, make_key(op, x, arity));
}

ExprId Dag::make(Op op, ExprId a) { return make(op, std::array{a}); }
ExprId Dag::make(Op op, ExprId a, ExprId b) { return make(op, std::array{a, b}); }
ExprId Dag::make(Op op, ExprId a, ExprId b, ExprId c) { return make(op, std::array{a, b, c}); }

ExprId Dag::call(ProgramId program, std::span<const ExprId> arguments) {
  std::uint64_t key = mix(key_of(Op::call), program.value);
  for (ExprId e : arguments) {
    expects(e.index() < nodes_.size(), "operands exist before their operator");
    key = mix(key, is_number(e) ? std::bit_cast<std::uint64_t>(value(e)) : shape_key(e));
  }
  lists_.emplace_back(arguments.begin(), arguments.end());
  std::size_t before = nodes_.size();
  ExprId e = intern({Op::call, {ExprId(program.index()), ExprId(lists_.size() - 1), ExprId()}}, key);
  if (nodes_.size() == before) lists_.pop_back();
  return e;
}

ExprId Dag::output(ExprId call, std::uint32_t k) {
  expects(op(call) == Op::call, "outputs are taken of calls");
  return intern({Op::output, {call, ExprId(), ExprId(std::size_t{k})}}, mix(mix(key_of(Op::output), shape_key(call)), k));
}

// ---------------------------------------------------------------- reachable

namespace {

/// Marks with one bit per node from `frontier` downwards; appends what it finds in descending order.
void reach_by_bits(const Dag& dag, std::span<const ExprId> frontier, std::vector<ExprId>& found) {
  std::size_t top = 0;
  for (ExprId e : frontier) top = std::max(top, e.index());
  std::vector<std::uint64_t> marks(top / 64 + 1, 0);
  auto mark = [&](ExprId e) { marks[e.index() / 64] |= std::uint64_t{1} << (e.index() % 64); };
  for (ExprId e : frontier) mark(e);
  for (std::size_t word = marks.size(); word-- > 0;) {
    while (marks[word] != 0) {  // children of a node are below it: in this word's lower bits, or in words to come
      int bit = 63 - std::countl_zero(marks[word]);
      marks[word] &= ~(std::uint64_t{1} << bit);
      ExprId e(word * 64 + static_cast<std::size_t>(bit));
      found.push_back(e);
      for (ExprId child : dag.operands(e)) mark(child);
    }
  }
}

}  // namespace

std::vector<ExprId> reachable(const Dag& dag, std::span<const ExprId> roots) {
  std::vector<ExprId> found;
  std::vector<ExprId> heap;  // largest id on top, so that duplicates come out one after the other
  for (ExprId e : roots)
    if (e) heap.push_back(e);
  std::make_heap(heap.begin(), heap.end());
  constexpr std::size_t few = 1024;  // beyond, bits are cheaper than the heap's logarithm
  while (!heap.empty() && found.size() < few) {
    std::pop_heap(heap.begin(), heap.end());
    ExprId e = heap.back();
    heap.pop_back();
    if (!found.empty() && found.back() == e) continue;
    found.push_back(e);
    for (ExprId child : dag.operands(e)) {
      heap.push_back(child);
      std::push_heap(heap.begin(), heap.end());
    }
  }
  if (!heap.empty()) {
    std::erase(heap, found.back());
    if (!heap.empty()) reach_by_bits(dag, heap, found);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace bolza::ir
