// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/modes/complementarity.h"

#include <algorithm>
#include <limits>
#include <map>

#include "compiler/ir/canonical.h"
#include "compiler/ir/substitute.h"
#include "compiler/passes/events/truth_values.h"
#include "compiler/passes/modes/mode_branches.h"
#include "compiler/passes/system/add_rows.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

using ir::Op;

namespace {

class Complementarity {
 public:
  Complementarity(System& system, double slack)
      : system_(system),
        dag_(system.dag()),
        composer_(system.dag()),
        branches_(system, none_),
        slack_(slack) {}

  /// Whether something jumps that a relation decides on, as `gear == 1`: between 0 and 1 that means nothing.
  bool jumps_twice() const { return jumps_twice_; }

  void run() {
    parts_.resize(branches_.relations().size());
    ir::OptimizationProblem& problem = *system_.flat.optimization;
    for (ir::Section* section : {&system_.flat.equations, &problem.path.section, &problem.integrand}) rewrite(*section);
    for (std::size_t r = 0; r < parts_.size(); ++r) bind(r);
  }

 private:
  struct Parts {
    VariableId positive, truth;
  };

  void rewrite(ir::Section& section) {
    SectionBuilder builder(system_.options.enabled("group"));
    for (GroupInstance& i : instances_of(section)) {
      Applied own = i.applied;
      std::map<ExprId, Made> made;
      slots_ = own.slots;
      for (ExprId& root : own.roots) root = value(root, i.applied, made).e;
      own.slots = slots_;
      i.applied = composer_.canonical(own);
      builder.add(i);
    }
    section = builder.finish(section.n_rows);
  }

  /// What a node has become, and whether it is a truth between 0 and 1.
  struct Made {
    ExprId e;
    bool blend = false, moves = false;
  };

  Made value(ExprId e, const Applied& what, std::map<ExprId, Made>& made) {
    for (ExprId node : ir::reachable(dag_, std::vector<ExprId>{e})) {
      if (made.contains(node)) continue;
      std::vector<ExprId> x;
      bool blends = false, moves = false;
      std::span<const ExprId> operands = dag_.operands(node);
      for (ExprId operand : std::vector<ExprId>(operands.begin(), operands.end())) {
        x.push_back(made.at(operand).e);
        blends = blends || made.at(operand).blend;
        moves = moves || made.at(operand).moves;
      }
      const ModeBranches::Decided* decided = branches_.decided_by(node, what);
      made[node] = decided ? part(node, x, *decided) : x.empty() ? Made{node} : combined(node, x, blends);
      bool jumps = ir::row_of(dag_.op(node)).smoothness == ir::Smoothness::discontinuous;
      if (jumps && moves && !decided && dag_.op(node) != Op::select && !made[node].blend) jumps_twice_ = true;
      made[node].moves = decided || moves;
    }
    return made.at(e);
  }

  Made combined(ExprId e, const std::vector<ExprId>& x, bool blends) {
    if (!blends) return {ir::with_operands(dag_, e, x)};
    Blended own = blended_operator(dag_, e, x);
    return {own.e, own.is_truth};
  }

  Made part(ExprId e, const std::vector<ExprId>& x, const ModeBranches::Decided& by) {
    Parts& parts = parts_[by.relation];
    if (!parts.positive) parts.positive = control("positive part", by.relation, 0, infinite);
    Op op = dag_.op(e);
    bool jumps = op != Op::abs && op != Op::min && op != Op::max;
    if (jumps && !parts.truth) parts.truth = control("truth", by.relation, 0, 1);
    ExprId g = op == Op::abs || op == Op::sign ? x[0] : dag_.sub(x[0], x[1]);
    ExprId p = jumps ? ExprId{} : slot(parts.positive);
    if (!jumps && !by.rises) p = dag_.add(p, g);  // of −g: its own positive part is g's negative one
    ExprId s = jumps ? slot(parts.truth) : ExprId{};
    switch (op) {
      case Op::abs:
        return {dag_.sub(dag_.mul(dag_.number(2), p), g)};
      case Op::max:
        return {dag_.add(x[1], p)};
      case Op::min:
        return {dag_.sub(x[0], p)};
      case Op::sign: {
        ExprId sign = dag_.sub(dag_.mul(dag_.number(2), s), dag_.one());
        return {by.rises ? sign : dag_.neg(sign)};
      }
      default: {
        bool positive = (op == Op::greater || op == Op::greater_equal) == by.rises;
        return {positive ? s : dag_.sub(dag_.one(), s), true};
      }
    }
  }

  ExprId slot(VariableId v) {
    auto at = std::find(slots_.begin(), slots_.end(), v);
    if (at == slots_.end()) at = slots_.insert(slots_.end(), v);
    return dag_.slot(static_cast<std::uint32_t>(at - slots_.begin()));
  }

  VariableId control(const char* what, std::size_t relation, double lower, double upper) {
    ir::Variable variable;
    variable.name = {
        {std::string(what == std::string("truth") ? "isTrue" : "positivePart") + std::to_string(relation + 1), 0}};
    variable.kind = ir::VariableKind::input;
    variable.description = std::string(what) + " of " + branches_.relations()[relation].text;
    variable.span = branches_.relations()[relation].span;
    VariableId v = add_variable(system_, std::move(variable));
    system_.numbers[v.index()].min = lower;
    system_.numbers[v.index()].max = upper;
    system_.phase[v.index()] = system_.phase_of(branches_.relations()[relation].indicator.slots);
    return v;
  }

  /// The constraints of one relation. Its indicator may have min, max and relations in it: they are theirs.
  void bind(std::size_t relation) {
    const Parts parts = parts_[relation];
    if (!parts.positive) return;
    const ir::Term& term = branches_.relations()[relation].indicator;
    Applied what{{term.root}, term.slots, term.data};
    slots_ = what.slots;
    std::map<ExprId, Made> made;
    ExprId g = value(term.root, what, made).e, p = slot(parts.positive), n = dag_.sub(p, g);
    std::uint32_t origin = add_origin(system_, term.span);
    auto keep = [&](ExprId e, ir::Relation how, double bound) {
      add_constraint(system_, system_.flat.optimization->path, composer_.canonical({{e}, slots_, what.data}),
                     constant(dag_, bound), how, origin);
    };
    keep(n, ir::Relation::greater_equal, 0);
    keep(dag_.mul(p, n), ir::Relation::less_equal, slack_);
    if (!parts.truth) return;
    ExprId s = slot(parts.truth);
    keep(dag_.mul(p, dag_.sub(dag_.one(), s)), ir::Relation::less_equal, slack_);
    keep(dag_.mul(n, s), ir::Relation::less_equal, slack_);
  }

  static constexpr double infinite = std::numeric_limits<double>::infinity();

  System& system_;
  ir::Dag& dag_;
  Composer composer_;
  ir::ModeSequence none_;
  ModeBranches branches_;
  double slack_;
  bool jumps_twice_ = false;
  std::vector<Parts> parts_;
  std::vector<VariableId> slots_;
};

}  // namespace

Result<Done> make_complementary(System& system, Diagnostics& diagnostics) {
  if (!(system.options.complementarity > 0) || !system.flat.optimization || system.keeps_events()) return Done{};
  Composer composer(system.dag());
  insert_definitions(system, composer);  // of discrete variables
  Complementarity complementarity(system, system.options.complementarity);
  complementarity.run();
  if (complementarity.jumps_twice()) return diagnostics.error(no_complementarity, system.flat.span, {system.flat.name});
  return Done{};
}

}  // namespace bolza::passes
