// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/events/watch_assertions.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "base/bit_order.h"
#include "compiler/derive/assertions.h"
#include "compiler/ir/node_map.h"
#include "compiler/ir/substitute.h"

namespace bolza::passes {

using ir::Op;

namespace {

class Watch {
 public:
  explicit Watch(System& system) : system_(system), dag_(system.dag()), table_(system.flat.expressions), composer_(dag_) {}

  void run() {
    ir::FlatModel& flat = system_.flat;
    if (!system_.keeps_events()) return add_to_equations();
    for (ir::Section* section : {&flat.equations, &flat.discrete_equations.section, &flat.reinitialisations.section})
      for (const ir::Group& group : section->groups) in(group, false);
    for (ir::Section* section : {&flat.initial_equations, &flat.initial_discrete_equations.section})
      for (const ir::Group& group : section->groups) in(group, true);
    for (ir::Termination& termination : flat.terminations) in(termination.condition);
    for (ir::Delay& delay : flat.delays) in(delay.expression);
    for (ir::Assertion& assertion : flat.assertions) {
      in(assertion.condition);
      replace_general(assertion.condition);
    }
    put_in_front();
    table_.let_go_on();
  }

 private:
  /// Where events are taken literally, what is left is to be checked when the solution is simulated; the functions keep
  /// their assertions, so that an optimiser avoids points where they fail.
  void add_to_equations() {
    for (const ir::Group& group : system_.flat.equations.groups) in(group, false);
    put_in_front();
  }

  /// They say what is wrong more exactly than what rests on them.
  void put_in_front() {
    std::vector<ir::Assertion>& all = system_.flat.assertions;
    all.insert(all.begin(), std::make_move_iterator(found_.begin()), std::make_move_iterator(found_.end()));
  }

  /// Leads a node to a call of something that asserts?
  bool any(std::span<const ExprId> nodes) {
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](ExprId e) { return dag_.op(e) == Op::call && table_.of(dag_.program(e)); });
  }

  void in(const ir::Group& group, bool at_start) {
    std::vector<ExprId> nodes = ir::reachable(dag_, group.roots);
    if (!any(nodes)) return;
    find_paths(group.roots, nodes);
    for (std::uint32_t i = 0; i < group.n; ++i) {
      Applied applied = instance_of(group, i).applied;
      for (ExprId e : nodes) watch(e, applied, at_start);
    }
  }

  void in(const ir::Term& term) {
    std::vector<ExprId> nodes = ir::reachable(dag_, std::span(&term.root, 1));
    if (!any(nodes)) return;
    find_paths(std::span(&term.root, 1), nodes);
    for (ExprId e : nodes) watch(e, {{term.root}, term.slots, term.data}, false);
  }

  // ------------------------------------------------------------ when a node is needed

  /// paths_[e]: an expression that is true where the value of e matters.
  void find_paths(std::span<const ExprId> roots, const std::vector<ExprId>& nodes) {
    paths_ = ir::NodeMap<ExprId>();
    calls_ = ir::NodeMap<char>();
    for (ExprId e : nodes) {
      bool own = dag_.op(e) == Op::call;
      for (ExprId operand : dag_.operands(e)) own = own || *calls_.find(operand);
      calls_[e] = own;
    }
    for (ExprId root : roots) paths_[root] = dag_.one();
    for (std::size_t k = nodes.size(); k-- > 0;) {
      if (!*calls_.find(nodes[k])) continue;
      ExprId path = *paths_.find(nodes[k]);
      std::vector<ExprId> operands(dag_.operands(nodes[k]).begin(), dag_.operands(nodes[k]).end());
      for (std::size_t o = 0; o < operands.size(); ++o) {
        if (!*calls_.find(operands[o])) continue;
        ExprId passed = dag_.make(Op::logical_and, path, matters(dag_.op(nodes[k]), operands, o));
        const ExprId* known = paths_.find(operands[o]);
        ExprId all = known ? dag_.make(Op::logical_or, *known, passed) : passed;
        paths_[operands[o]] = all;
      }
    }
  }

  /// Under which condition an operator looks at an operand.
  ExprId matters(Op op, std::span<const ExprId> x, std::size_t k) {
    if (op == Op::select && k > 0) return k == 1 ? x[0] : dag_.make(Op::logical_not, x[0]);
    if ((op == Op::logical_and || op == Op::logical_or) && !*calls_.find(x[1 - k]))
      return op == Op::logical_and ? x[1 - k] : dag_.make(Op::logical_not, x[1 - k]);
    return dag_.one();
  }

  // ------------------------------------------------------------ assertions

  void watch(ExprId e, const Applied& applied, bool at_start) {
    const derive::ProgramAssertions* assertions = dag_.op(e) == Op::call ? table_.of(dag_.program(e)) : nullptr;
    if (!assertions) return;
    std::vector<ExprId> arguments(dag_.operands(e).begin(), dag_.operands(e).end());
    ExprId call = dag_.call(assertions->program, arguments), path = *paths_.find(e);
    for (const derive::ProgramAssertion& a : assertions->all) {
      ir::Assertion made{{}, a.text, a.level, {}, a.action};
      std::vector<VariableId> slots = applied.slots;
      ExprId reached = path;
      if (at_start) {
        reached = dag_.make(Op::logical_and, path, dag_.slot(static_cast<std::uint32_t>(slots.size())));
        slots.push_back(initial_flag());
      }
      ExprId failed = dag_.make(Op::logical_and, reached, dag_.output(call, a.first));
      made.condition = term(dag_.make(Op::logical_not, failed), slots, applied.data, a.span);
      if (!known_.insert({made.condition.root, made.condition.slots, bits_of(made.condition.data)}).second) continue;
      for (std::uint32_t v = 1; v <= a.n_values; ++v)
        made.values.push_back(term(dag_.output(call, a.first + v), slots, applied.data, a.span));
      found_.push_back(std::move(made));
    }
  }

  ir::Term term(ExprId root, const std::vector<VariableId>& slots, const std::vector<double>& data, Span span) {
    Applied canonical = composer_.canonical({{root}, slots, data});
    return {canonical.root(), std::move(canonical.slots), std::move(canonical.data), span};
  }

  VariableId initial_flag() {
    for (const ir::Variable& variable : system_.flat.variables)
      if (variable.kind == ir::VariableKind::initial_flag) return variable.first;
    ir::Variable variable;
    variable.name = {{"$initial", 0}};
    variable.kind = ir::VariableKind::initial_flag;
    variable.type = ir::ValueType::boolean;
    return add_variable(system_, std::move(variable));
  }

  /// Whether all assertions of a function hold is known already.
  void replace_general(ir::Term& condition) {
    bool general = false;
    auto says_it = [&](ExprId e) {
      return dag_.op(e) == Op::output &&
             system_.flat.expressions.programs[dag_.program(dag_.operands(e)[0]).index()].only_asserts;
    };
    ir::NodeMap<ExprId> made;
    std::vector<ExprId> operands;
    for (ExprId e : ir::reachable(dag_, std::span(&condition.root, 1))) {
      operands.clear();
      for (ExprId operand : dag_.operands(e)) operands.push_back(*made.find(operand));
      bool replaced = says_it(e);
      general = general || replaced;
      made[e] = replaced ? dag_.one() : operands.empty() ? e : ir::with_operands(dag_, e, operands);
    }
    if (general) condition = term(*made.find(condition.root), condition.slots, condition.data, condition.span);
  }

  System& system_;
  ir::Dag& dag_;
  derive::AssertionTable table_;
  Composer composer_;
  ir::NodeMap<ExprId> paths_;
  ir::NodeMap<char> calls_;
  std::vector<ir::Assertion> found_;
  std::set<std::tuple<ExprId, std::vector<VariableId>, std::vector<std::uint64_t>>> known_;
};

}  // namespace

Result<Done> watch_assertions(System& system, Diagnostics&) {
  Watch(system).run();
  return Done{};
}

}  // namespace bolza::passes
