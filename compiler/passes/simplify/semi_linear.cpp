// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/simplify/semi_linear.h"

#include <algorithm>
#include <cmath>

#include "compiler/passes/shapes/linearity.h"
#include "compiler/passes/system/parameter_values.h"

namespace bolza::passes {
namespace {

using ir::Op;

constexpr double smallest_flow = 1e-12;  // share of the nominal flow that two sides mix by at rest

/// y = sign·semiLinear(x, positive, negative), read from one row.
struct SemiLinearReading {
  std::uint32_t row = 0, origin = 0;
  VariableId y, x;
  double sign = 1;
  Applied positive, negative;

  static VariableId variable_of(const Applied& a, const ir::Dag& dag) {
    return a.slots.size() == 1 && dag.op(a.root()) == Op::slot ? a.slots[0] : VariableId();
  }
};

class SemiLinear {
 public:
  explicit SemiLinear(System& system)
      : system_(system),
        dag_(system.dag()),
        linearity_(system.flat.expressions),
        values_(system),
        composer_(system.dag()) {}

  void run() {
    find_readings();
    if (readings_.size() < 2) return;
    join_chains();
    join_junctions();
    if (replaced_.empty()) return;
    SectionBuilder builder(system_.options.enabled("group"));
    for_each_instance(system_.flat.equations, [&](const GroupInstance& instance) {
      auto at = replaced_.find(instance.rows[0].value);
      builder.add(at == replaced_.end() ? instance : GroupInstance{at->second, instance.rows, instance.origin});
    });
    system_.flat.equations = builder.finish(system_.flat.equations.n_rows);
  }

 private:
  // ------------------------------------------------------------ reading rows

  void find_readings() {
    std::vector<std::uint32_t> parts(system_.flat.equations.n_rows, 0);
    for_each_instance(system_.flat.equations, [&](const GroupInstance& i) {
      for (RowId row : i.rows) ++parts[row.index()];
    });
    for_each_instance(system_.flat.equations, [&](const GroupInstance& i) {
      if (i.applied.roots.size() != 1 || parts[i.rows[0].index()] != 1 || !has_choice(i.applied.root())) return;
      if (std::optional<SemiLinearReading> reading = read(i)) readings_.push_back(std::move(*reading));
    });
    single_part_.assign(parts.size(), false);
    for (std::size_t r = 0; r < parts.size(); ++r) single_part_[r] = parts[r] == 1;
  }

  bool has_choice(ExprId root) {
    auto [at, is_new] = has_choice_.try_emplace(root, false);
    if (is_new)
      for (ExprId e : ir::reachable(dag_, std::span(&root, 1)))
        at->second = at->second || (dag_.op(e) == Op::no_event && dag_.op(dag_.operands(e)[0]) == Op::select);
    return at->second;
  }

  /// The value of an expression without slots; NaN when it has some.
  double number(ExprId e, const Applied& a) {
    for (ExprId node : ir::reachable(dag_, std::span(&e, 1)))
      if (dag_.op(node) == Op::slot || dag_.op(node) == Op::call) return std::nan("");
    return values_.of(e, {}, a.data);
  }

  /// An expression of the row's variables as one of its own.
  Applied part_of(ExprId e, const Applied& a) { return composer_.canonical({{e}, a.slots, a.data}); }

  std::optional<SemiLinearReading> read(const GroupInstance& instance) {
    const Applied& a = instance.applied;
    for (std::uint32_t k = 0; k < a.slots.size(); ++k) {
      if (system_.role(a.slots[k]) != ScalarRole::algebraic) continue;
      const LinearParts y = linearity_.linear_parts(a.root(), k);
      if (!y.linear) continue;
      double factor = number(y.coefficient, a), sign = 1;
      if (std::fabs(factor) != 1) continue;
      ExprId rest = y.rest;
      if (dag_.op(rest) == Op::neg) {
        rest = dag_.operands(rest)[0];
        sign = -1;
      }
      if (dag_.op(rest) != Op::no_event || dag_.op(dag_.operands(rest)[0]) != Op::select) continue;
      std::span<const ExprId> choice = dag_.operands(dag_.operands(rest)[0]);
      for (std::uint32_t j = 0; j < a.slots.size(); ++j)
        if (std::optional<SemiLinearReading> reading = j == k ? std::nullopt : read_choice(choice, j, a)) {
          reading->row = instance.rows[0].value;
          reading->origin = instance.origin;
          reading->y = a.slots[k];
          reading->sign *= -sign / factor;
          return reading;
        }
    }
    return {};
  }

  /// ±(if x >= 0 then p*x else n*x), x in a given slot.
  std::optional<SemiLinearReading> read_choice(std::span<const ExprId> choice, std::uint32_t slot, const Applied& a) {
    Op relation = dag_.op(choice[0]);
    bool above = relation == Op::greater || relation == Op::greater_equal;
    if (!above && relation != Op::less && relation != Op::less_equal) return {};
    if (!system_.varies(a.slots[slot])) return {};
    std::span<const ExprId> sides = dag_.operands(choice[0]);
    const LinearParts difference = linearity_.linear_parts(dag_.sub(sides[0], sides[1]), slot);
    if (!difference.linear || number(difference.rest, a) != 0) return {};
    double direction = number(difference.coefficient, a) * (above ? 1 : -1);
    const LinearParts first = linearity_.linear_parts(choice[1], slot), second = linearity_.linear_parts(choice[2], slot);
    if (!(std::fabs(direction) > 0) || !first.linear || !second.linear) return {};
    if (number(first.rest, a) != 0 || number(second.rest, a) != 0) return {};
    SemiLinearReading reading;
    reading.x = a.slots[slot];
    ExprId positive = first.coefficient, negative = second.coefficient;
    if (direction < 0) std::swap(positive, negative);
    if (dag_.op(positive) == Op::neg && dag_.op(negative) == Op::neg) {
      reading.sign = -1;
      positive = dag_.operands(positive)[0];
      negative = dag_.operands(negative)[0];
    }
    reading.positive = part_of(positive, a);
    reading.negative = part_of(negative, a);
    return reading;
  }

  VariableId unknown_of(const Applied& a) const {
    VariableId v = SemiLinearReading::variable_of(a, dag_);
    return v && system_.role(v) == ScalarRole::algebraic ? v : VariableId();
  }

  // ------------------------------------------------------------ writing rows

  /// A row over two values a and b: `make` gets the slots of a and b and those of `variables`.
  Applied compose(const Applied& a, const Applied& b, std::vector<VariableId> variables,
                  const std::function<ExprId(ExprId a, ExprId b, std::span<const ExprId> slots)>& make) {
    VariableId for_a(std::size_t{system_.n()}), for_b(std::size_t{system_.n()} + 1);
    std::vector<ExprId> slots;
    for (std::uint32_t k = 0; k < variables.size(); ++k) slots.push_back(dag_.slot(k));
    auto n = static_cast<std::uint32_t>(variables.size());
    variables.push_back(for_a);
    variables.push_back(for_b);
    Applied row{{make(dag_.slot(n), dag_.slot(n + 1), slots)}, variables, {}};
    return composer_.compose(row, [&](VariableId v) { return v == for_a ? &a : v == for_b ? &b : nullptr; });
  }

  ExprId choose(ExprId x, ExprId positive, ExprId negative) {
    return dag_.make(Op::no_event, dag_.select(dag_.make(Op::greater_equal, x, dag_.zero()), positive, negative));
  }

  // ------------------------------------------------------------ chains

  void join_chains() {
    std::map<std::tuple<VariableId, VariableId, double>, std::vector<std::size_t>> flows;
    for (std::size_t k = 0; k < readings_.size(); ++k)
      flows[{readings_[k].y, readings_[k].x, readings_[k].sign}].push_back(k);
    for (const auto& [key, members] : flows)
      if (members.size() > 1) join(members);
    std::erase_if(readings_, [](const SemiLinearReading& r) { return !r.y; });
  }

  void join(const std::vector<std::size_t>& members) {
    std::map<VariableId, std::size_t> leaves;  // by what the flow has after it
    std::set<VariableId> reached;
    for (std::size_t k : members) {
      VariableId from = unknown_of(readings_[k].positive), to = unknown_of(readings_[k].negative);
      if (from && !leaves.emplace(from, k).second) return;  // forks: no chain
      if (to && !reached.insert(to).second) return;
    }
    for (std::size_t first : members) {
      VariableId from = unknown_of(readings_[first].positive);
      if (from && reached.contains(from)) continue;
      std::vector<std::size_t> chain{first};
      for (auto at = leaves.find(unknown_of(readings_[first].negative)); at != leaves.end();
           at = leaves.find(unknown_of(readings_[at->second].negative)))
        chain.push_back(at->second);
      if (chain.size() > 1) write(chain);
    }
  }

  void write(const std::vector<std::size_t>& chain) {
    SemiLinearReading& whole = readings_[chain.front()];
    const Applied a = whole.positive, b = readings_[chain.back()].negative;
    for (std::size_t k = 1; k < chain.size(); ++k) {
      SemiLinearReading& link = readings_[chain[k]];
      replaced_[link.row] =
          compose(a, b, {unknown_of(link.positive), whole.x},
                  [&](ExprId p, ExprId n, std::span<const ExprId> s) { return dag_.sub(s[0], choose(s[1], p, n)); });
    }
    replaced_[whole.row] = compose(a, b, {whole.y, whole.x}, [&](ExprId p, ExprId n, std::span<const ExprId> s) {
      ExprId flow = choose(s[1], dag_.mul(p, s[1]), dag_.mul(n, s[1]));
      return dag_.sub(s[0], whole.sign > 0 ? flow : dag_.neg(flow));
    });
    whole.negative = b;
    for (std::size_t k = 1; k < chain.size(); ++k) readings_[chain[k]].y = {};
  }

  // ------------------------------------------------------------ junctions

  /// One branch: semiLinear(x, …) with `beyond` on its other side.
  struct Branch {
    VariableId x;
    bool forward = true;  ///< x is counted out of the junction
    const Applied* beyond = nullptr;
  };

  void join_junctions() {
    std::map<VariableId, std::vector<const SemiLinearReading*>> of;
    for (const SemiLinearReading& r : readings_) of[r.y].push_back(&r);
    for_each_instance(system_.flat.equations, [&](const GroupInstance& i) {
      const Applied& a = i.applied;
      std::uint32_t row = i.rows[0].value;
      if (a.roots.size() != 1 || !single_part_[row] || replaced_.contains(row)) return;
      std::vector<const SemiLinearReading*> flows;
      std::vector<double> signs;
      ExprId rest = a.root();
      for (std::uint32_t k = 0; k < a.slots.size(); ++k) {
        if (system_.role(a.slots[k]) == ScalarRole::derivative) return;  // the balance of something that stores
        auto at = of.find(a.slots[k]);
        if (at == of.end()) continue;
        const LinearParts parts = linearity_.linear_parts(rest, k);
        double sign = parts.linear ? number(parts.coefficient, a) : 0;
        if (at->second.size() != 1 || std::fabs(sign) != 1 || at->second[0]->row == row) return;
        flows.push_back(at->second[0]);
        signs.push_back(sign);
        rest = parts.rest;
      }
      if (flows.size() < 2) return;
      for (VariableId s : {unknown_of(flows[0]->positive), unknown_of(flows[0]->negative)})
        if (s && mix(s, flows, signs, part_of(rest, a), row)) return;
    });
  }

  bool mix(VariableId s, const std::vector<const SemiLinearReading*>& flows, const std::vector<double>& signs,
           const Applied& rest, std::uint32_t row) {
    std::vector<Branch> branches;
    double common = 0;
    for (std::size_t k = 0; k < flows.size(); ++k) {
      const SemiLinearReading& r = *flows[k];
      bool forward = unknown_of(r.positive) == s;
      if (!forward && unknown_of(r.negative) != s) return false;
      // y = sign·semiLinear(x, s, h), or sign·semiLinear(x, h, s) = −sign·semiLinear(−x, s, h)
      double leaving = signs[k] * r.sign * (forward ? 1 : -1);
      if (common != 0 && leaving != common) return false;
      common = leaving;
      branches.push_back({r.x, forward, forward ? &r.negative : &r.positive});
    }
    bool passes = branches.size() == 2 && branches[0].x == branches[1].x && number(rest.root(), rest) == 0;
    replaced_[row] = passes ? passage(s, branches) : balance(s, branches, rest, common);
    return true;
  }

  /// What leaves by one of two branches is what comes by the other.
  Applied passage(VariableId s, const std::vector<Branch>& branches) {
    const Branch &out = branches[branches[0].forward ? 0 : 1], &in = branches[branches[0].forward ? 1 : 0];
    return compose(*in.beyond, *out.beyond, {s, out.x}, [&](ExprId from, ExprId to, std::span<const ExprId> slots) {
      return dag_.sub(slots[0], choose(slots[1], from, to));
    });
  }

  /// @param rest  what else takes from the junction, with the sign `common`
  Applied balance(VariableId s, const std::vector<Branch>& branches, const Applied& rest, double common) {
    ir::Dag& dag = dag_;
    VariableId for_rest(std::size_t{system_.n()} + branches.size());
    Applied row{{common > 0 ? dag.slot(1) : dag.neg(dag.slot(1))}, {s, for_rest}, {}};
    std::map<VariableId, const Applied*> beyond{{for_rest, &rest}};
    for (std::size_t k = 0; k < branches.size(); ++k) {
      VariableId other(std::size_t{system_.n()} + k);
      beyond[other] = branches[k].beyond;
      auto slot = static_cast<std::uint32_t>(row.slots.size());
      row.slots.push_back(branches[k].x);
      row.slots.push_back(other);
      const ir::Numbers& size = system_.numbers[branches[k].x.index()];
      ExprId rest = dag.number(smallest_flow * (size.has_nominal ? std::fabs(size.nominal) : 1)), x = dag.slot(slot);
      ExprId out = branches[k].forward ? x : dag.neg(x), zero = dag.zero();
      ExprId leaving = dag.add(dag.make(Op::max, out, zero), rest),
             entering = dag.add(dag.make(Op::max, dag.neg(out), zero), rest);
      row.roots[0] = dag.add(row.roots[0], dag.sub(dag.mul(leaving, dag.slot(0)), dag.mul(entering, dag.slot(slot + 1))));
    }
    return composer_.compose(row, [&](VariableId v) -> const Applied* {
      auto at = beyond.find(v);
      return at == beyond.end() ? nullptr : at->second;
    });
  }

  System& system_;
  ir::Dag& dag_;
  Linearity linearity_;
  ParameterValues values_;
  Composer composer_;
  std::vector<SemiLinearReading> readings_;
  std::vector<bool> single_part_;  ///< [rows]
  std::map<ExprId, bool> has_choice_;
  std::map<std::uint32_t, Applied> replaced_;  ///< by row
};

}  // namespace

Result<Done> rewrite_semi_linear(System& system, Diagnostics&) {
  SemiLinear(system).run();
  return Done{};
}

}  // namespace bolza::passes
