// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/id.h"
#include "compiler/ir/op.h"

namespace bolza::ir {

using ExprId = Id<struct ExprTag>;
using ProgramId = Id<struct ProgramTag>;

/// One hash-consed expression DAG per compilation: the same expression has the same id, so equality of shapes is equality
/// of root ids. Children come before parents (their ids are smaller): every walk is a loop over ids.
///
/// Leaves are anonymous: `slot(k)` is the k-th variable of the equation group (or local variable of the Program) that the
/// expression belongs to, `datum(k)` its k-th number, `weight(k)` the multiplier of its k-th root (Hessian and adjoint
/// kernels), `direction(k)` the tangent of its k-th slot. Nodes carry no source spans; equations do.
///
/// `make` simplifies locally and exactly: literals are folded, x+0, x*1, x*0, x−x, x/1, −(−x), x^1, x^0, select with equal
/// branches or a literal condition; it never reorders sums. Operands of commutative operators are ordered by an id-free
/// structural key (leaves anonymous, ties in source order), so that equal shapes stay equal. Literals that fold to a value
/// that is not finite stay unfolded, so that the place where they stand can be reported. −0 is stored as 0.
class Dag {
 public:
  Dag();
  ExprId number(double value);
  ExprId slot(std::uint32_t k);
  ExprId datum(std::uint32_t k);
  ExprId weight(std::uint32_t k);
  ExprId direction(std::uint32_t k);
  ExprId make(Op op, ExprId a);
  ExprId make(Op op, ExprId a, ExprId b);
  ExprId make(Op op, ExprId a, ExprId b, ExprId c);
  ExprId make(Op op, std::span<const ExprId> operands);  ///< arity 1 to 3; not for leaves, call, output
  ExprId call(ProgramId program, std::span<const ExprId> arguments);
  ExprId output(ExprId call, std::uint32_t k);

  ExprId neg(ExprId a) { return make(Op::neg, a); }
  ExprId add(ExprId a, ExprId b) { return make(Op::add, a, b); }
  ExprId sub(ExprId a, ExprId b) { return make(Op::sub, a, b); }
  ExprId mul(ExprId a, ExprId b) { return make(Op::mul, a, b); }
  ExprId div(ExprId a, ExprId b) { return make(Op::div, a, b); }
  ExprId select(ExprId c, ExprId a, ExprId b) { return make(Op::select, c, a, b); }
  ExprId zero() { return number(0.0); }
  ExprId one() { return number(1.0); }

  Op op(ExprId e) const { return nodes_[e.index()].op; }
  std::span<const ExprId> operands(ExprId e) const;  ///< stays valid while nodes are made
  double value(ExprId e) const;                      ///< of a number
  std::uint32_t index(ExprId e) const;               ///< k of slot, datum, weight, direction, output
  ProgramId program(ExprId e) const;                 ///< of a call
  bool is_number(ExprId e) const { return op(e) == Op::number; }
  bool is_number(ExprId e, double v) const { return is_number(e) && value(e) == v; }
  std::size_t size() const { return nodes_.size(); }
  /// Structural key without the numbers of leaves: equal for expressions of equal shape.
  std::uint64_t shape_key(ExprId e) const { return shape_keys_[e.index()]; }

 private:
  using Operands = std::array<ExprId, 3>;
  struct Node {
    Op op;
    Operands operands;  ///< number: its bits in the first two; leaves and output: k in the last; call: program, list
  };
  ExprId intern(const Node& node, std::uint64_t shape_key);
  ExprId leaf(Op op, std::uint32_t k);
  ExprId simplify(Op op, Operands x);  ///< none when nothing simplifies
  ExprId simplify_unary(Op op, ExprId a);
  ExprId simplify_sum(Op op, ExprId a, ExprId b);
  ExprId simplify_product(Op op, ExprId a, ExprId b);
  ExprId simplify_binary(Op op, ExprId a, ExprId b);
  ExprId simplify_select(ExprId condition, ExprId a, ExprId b);
  ExprId fold(Op op, Operands x, int arity);  ///< none unless all operands are numbers
  std::uint64_t make_key(Op op, const Operands& x, int arity) const;
  std::uint64_t hash(const Node& node) const;
  bool same(const Node& a, const Node& b) const;
  void grow();

  std::deque<Node> nodes_;
  std::vector<std::uint64_t> shape_keys_;  ///< structural key without leaf numbers
  std::deque<std::vector<ExprId>> lists_;  ///< arguments of calls
  std::vector<std::uint64_t> table_;       ///< open addressing: upper half of the hash, node index + 1
};

/// The nodes that the roots reach, in evaluation order (ids ascending).
/// Cost: about linear in what is reached; the size of the DAG does not matter for small expressions.
std::vector<ExprId> reachable(const Dag& dag, std::span<const ExprId> roots);

}  // namespace bolza::ir
