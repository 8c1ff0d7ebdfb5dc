// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/simplify/vanishing_terms.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "compiler/ir/interpret.h"
#include "compiler/ir/node_map.h"
#include "compiler/ir/substitute.h"
#include "compiler/passes/shapes/linearity.h"
#include "compiler/passes/structure/incidence.h"

namespace bolza::passes {

using ir::Op;

namespace {

/// A shape and what parameters can decide in it: factors that may be zero, conditions, numerators.
struct Deciders {
  std::vector<ExprId> nodes;  ///< over known slots and data only
  ir::Tape tape;
};

class Vanishing {
 public:
  explicit Vanishing(System& system)
      : system_(system),
        dag_(system.dag()),
        composer_(dag_),
        linearity_(system.flat.expressions),
        interpreter_(system.flat.expressions),
        equations_(equations_of(system)),
        known_(system.n()) {}

  void run() {
    for (std::size_t v = 0; v < system_.n(); ++v)
      if (system_.roles[v] == ScalarRole::fixed_parameter) known_[v] = system_.numbers[v].start;
    find_readers();
    for (std::uint32_t i = 0; i < equations_.instances.size(); ++i) look_at(i);
    while (!queue_.empty()) {
      std::uint32_t i = queue_.back();
      queue_.pop_back();
      look_at(i);
    }
    if (!changed_) return;
    rebuild();
    demote_states();
  }

 private:
  // ------------------------------------------------------------ what is known

  void find_readers() {
    readers_.resize(system_.n());
    for (std::uint32_t i = 0; i < equations_.instances.size(); ++i)
      for (VariableId v : equations_.instances[i].applied.slots)
        if (system_.is_unknown(v)) readers_[v.index()].push_back(i);
    gone_.assign(equations_.instances.size(), false);
    done_ = gone_;
    parts_.assign(equations_.parts.size(), 0);
    for (std::size_t r = 0; r < equations_.parts.size(); ++r)
      parts_[r] = static_cast<std::uint32_t>(equations_.parts[r].size());
  }

  bool is_known(VariableId v) const { return v.index() < known_.size() && known_[v.index()].has_value(); }

  double value(ExprId e, const Applied& a) {
    std::vector<double> slots;
    for (VariableId v : a.slots) slots.push_back(is_known(v) ? *known_[v.index()] : NAN);
    auto [tape, is_new] = tapes_.try_emplace(e);
    if (is_new) tape->second = ir::make_tape(dag_, std::span(&e, 1));
    double result = NAN;
    if (!interpreter_.evaluate(tape->second, {.slots = slots, .data = a.data}, std::span(&result, 1))) return NAN;
    return result;
  }

  void look_at(std::uint32_t i) {
    GroupInstance& instance = equations_.instances[i];
    if (gone_[i] || done_[i] || instance.applied.roots.size() != 1) return;
    shorten(i);
    if (!gone_[i] && parts_[instance.rows[0].index()] == 1) learn(i);
  }

  /// coefficient·v + rest = 0 of parameters and what is known: v is known too.
  void learn(std::uint32_t i) {
    const Applied& a = equations_.instances[i].applied;
    std::size_t unknown = a.slots.size();
    for (std::size_t k = 0; k < a.slots.size(); ++k) {
      if (is_known(a.slots[k])) continue;
      if (unknown < a.slots.size()) return;
      unknown = k;
    }
    if (unknown == a.slots.size() || system_.role(a.slots[unknown]) != ScalarRole::algebraic) return;
    const LinearParts parts = linearity_.linear_parts(a.root(), static_cast<std::uint32_t>(unknown));
    if (!parts.linear) return;
    double found = -value(parts.rest, a) / value(parts.coefficient, a);
    if (!std::isfinite(found)) return;
    VariableId v = a.slots[unknown];
    done_[i] = true;
    known_[v.index()] = found;
    for (std::uint32_t reader : readers_[v.index()])
      if (reader != i) queue_.push_back(reader);
  }

  // ------------------------------------------------------------ shortening

  const Deciders& deciders_of(const Applied& a) {
    std::vector<bool> key;
    for (VariableId v : a.slots) key.push_back(is_known(v));
    auto [at, is_new] = deciders_.try_emplace({a.root(), key});
    if (!is_new) return at->second;
    ir::NodeMap<char> decided;
    std::vector<ExprId>& nodes = at->second.nodes;
    auto add = [&](ExprId e) {
      if (!dag_.is_number(e) && *decided.find(e) && std::find(nodes.begin(), nodes.end(), e) == nodes.end())
        nodes.push_back(e);
    };
    for (ExprId e : ir::reachable(dag_, std::span(&a.roots[0], 1))) {
      std::span<const ExprId> x = dag_.operands(e);
      Op op = dag_.op(e);
      bool own = op == Op::slot ? key[dag_.index(e)] : op != Op::call && op != Op::output;
      for (ExprId operand : x) own = own && *decided.find(operand);
      decided[e] = own;
      if (own) continue;
      if (op == Op::mul || op == Op::add || op == Op::sub || op == Op::logical_and || op == Op::logical_or) {
        add(x[0]);
        add(x[1]);
      }
      if (op == Op::div || op == Op::select) add(x[0]);
      if (op == Op::select) {
        add(x[1]);
        add(x[2]);
      }
    }
    at->second.tape = ir::make_tape(dag_, nodes);
    return at->second;
  }

  void shorten(std::uint32_t i) {
    GroupInstance& instance = equations_.instances[i];
    const Applied& a = instance.applied;
    const Deciders& deciders = deciders_of(a);
    if (deciders.nodes.empty()) return;
    std::vector<double> slots, values(deciders.nodes.size());
    for (VariableId v : a.slots) slots.push_back(is_known(v) ? *known_[v.index()] : NAN);
    if (!interpreter_.evaluate(deciders.tape, {.slots = slots, .data = a.data}, values)) return;
    std::vector<char> zero;
    for (double v : values) zero.push_back(std::isnan(v) ? 2 : v == 0);
    auto [at, is_new] = shortened_.try_emplace({&deciders, zero});
    if (is_new) at->second = shortened(a.root(), deciders.nodes, values);
    ExprId root = at->second;
    if (root == a.root() || !matters(a, root)) return;
    bool empty = dag_.is_number(root, 0);
    std::uint32_t& parts = parts_[instance.rows[0].index()];
    if (empty && parts == 1) return;  // an equation less: what is singular is reported of the equation as it stands
    note(instance, root, deciders.nodes, values);
    changed_ = true;
    if (empty) {
      gone_[i] = true;
      --parts;
    } else instance.applied = composer_.canonical({{root}, a.slots, a.data});
    if (!empty || parts != 1) return;
    for (std::uint32_t other : equations_.parts[instance.rows[0].index()])
      if (!gone_[other]) queue_.push_back(other);
  }

  /// Does an unknown leave the equation, or a state one without unknowns? Or is only one unknown left, known from now on?
  bool matters(const Applied& a, ExprId root) {
    auto [at, is_new] = slots_of_.try_emplace(root);
    if (is_new) at->second = ir::leaves_of(dag_, std::span(&root, 1), Op::slot);
    const std::vector<std::uint32_t>& left = at->second;
    std::size_t unknowns = 0, others = 0, rates = 0;
    bool unknown_gone = false, state_gone = false, other_gone = false;
    for (std::uint32_t k = 0; k < a.slots.size(); ++k) {
      VariableId v = a.slots[k];
      if (is_known(v) || !system_.varies(v)) continue;
      bool stays = std::binary_search(left.begin(), left.end(), k), unknown = system_.is_unknown(v);
      if (stays) {
        ++(unknown ? unknowns : others);
        rates += system_.role(v) == ScalarRole::derivative;
      } else if (unknown) unknown_gone = true;
      else (system_.role(v) == ScalarRole::state ? state_gone : other_gone) = true;
    }
    bool known_now = unknowns == 1 && others == 0 && rates == 0;
    return unknown_gone || (state_gone && unknowns == 0) || ((state_gone || other_gone) && known_now);
  }

  /// Zero by what its operands are? `zero`: of operands; a selection that is decided is not asked.
  static bool is_zero(Op op, std::span<const bool> zero) {
    switch (op) {
      case Op::neg:
      case Op::no_event:
      case Op::div:
        return zero[0];
      case Op::mul:
      case Op::logical_and:
        return zero[0] || zero[1];
      case Op::add:
      case Op::sub:
      case Op::logical_or:
        return zero[0] && zero[1];
      case Op::select:
        return zero[1] && zero[2];
      default:
        return false;
    }
  }

  ExprId shortened(ExprId root, const std::vector<ExprId>& nodes, const std::vector<double>& values) {
    struct Made {
      ExprId e;
      std::optional<double> decided;
    };
    ir::NodeMap<Made> made;
    std::vector<ExprId> operands;
    for (ExprId e : ir::reachable(dag_, std::span(&root, 1))) {
      auto known = std::find(nodes.begin(), nodes.end(), e);
      if (known != nodes.end() || dag_.is_number(e)) {
        double value = dag_.is_number(e) ? dag_.value(e) : values[static_cast<std::size_t>(known - nodes.begin())];
        made[e] = {e, std::isnan(value) ? std::nullopt : std::optional(value)};
        continue;
      }
      operands.clear();
      bool changed = false, zero[3]{};
      std::span<const ExprId> x = dag_.operands(e);
      for (std::size_t k = 0; k < x.size(); ++k) {
        const Made& operand = *made.find(x[k]);
        operands.push_back(operand.e);
        changed |= operand.e != x[k];
        if (k < 3) zero[k] = operand.decided == std::optional<double>(0);
      }
      Op op = dag_.op(e);
      Made own{changed ? ir::with_operands(dag_, e, operands) : e, {}};
      std::optional<double> condition = op == Op::select ? made.find(x[0])->decided : std::nullopt;
      if (condition) own = *made.find(x[*condition != 0 ? 1 : 2]);
      else if (op == Op::logical_or &&
               (made.find(x[0])->decided.value_or(0) != 0 || made.find(x[1])->decided.value_or(0) != 0))
        own = {dag_.one(), 1};
      else if (is_zero(op, zero) || dag_.is_number(own.e, 0)) own = {dag_.zero(), 0};
      made[e] = own;
    }
    return made.find(root)->e;
  }

  /// The parameters whose values decide; of unknowns that are known nothing is said.
  void note(const GroupInstance& instance, ExprId root, const std::vector<ExprId>& nodes,
            const std::vector<double>& values) {
    ir::VanishedTerm term{instance.origin, {}};
    const std::vector<ExprId> left = ir::reachable(dag_, std::span(&root, 1));
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (values[k] != 0 && std::find(left.begin(), left.end(), nodes[k]) != left.end()) continue;
      for (std::uint32_t slot : ir::leaves_of(dag_, std::span(&nodes[k], 1), Op::slot)) {
        VariableId v = instance.applied.slots[slot];
        if (system_.role(v) == ScalarRole::fixed_parameter &&
            std::find(term.parameters.begin(), term.parameters.end(), v) == term.parameters.end())
          term.parameters.push_back(v);
      }
    }
    system_.structure.vanished.push_back(std::move(term));
  }

  // ------------------------------------------------------------ what is left

  void rebuild() {
    SectionBuilder builder(system_.options.enabled("group"));
    for (std::size_t i = 0; i < equations_.instances.size(); ++i)
      if (!gone_[i]) builder.add(equations_.instances[i]);
    system_.flat.equations = builder.finish(system_.flat.equations.n_rows);
  }

  void demote_states() {
    std::vector<bool> read(system_.n(), false);
    auto mark = [&](std::span<const VariableId> slots) {
      for (VariableId v : slots)
        if (v.index() < read.size()) read[v.index()] = true;
    };
    for (ir::Section* section : sections_of(system_.flat))
      for_each_instance(*section, [&](const GroupInstance& i) { mark(i.applied.slots); });
    for (const ir::Term* term : terms_of(system_.flat)) mark(term->slots);
    for (const EventValue& value : system_.event_values) {
      mark(value.literal.slots);
      for (const Applied& indicator : value.indicators) mark(indicator.slots);
    }
    for (const auto& definition : system_.definitions)
      if (definition) mark(definition->slots);
    for (std::size_t v = 0; v < system_.n(); ++v) {
      if (system_.roles[v] == ScalarRole::timed) mark({&system_.owner[v], 1});
      if (system_.roles[v] == ScalarRole::derivative && system_.owner[v] &&
          system_.role(system_.owner[v]) != ScalarRole::state)
        read[v] = true;  // of an input, or of another derivative
    }
    mark(system_.flat.reinitialisations.states);
    for (std::size_t v = 0; v < system_.n(); ++v) {
      VariableId rate = system_.derivative[v];
      if (system_.roles[v] != ScalarRole::state || !rate || read[rate.index()] || system_.definition(rate)) continue;
      bool reset = std::find(system_.flat.reinitialisations.states.begin(), system_.flat.reinitialisations.states.end(),
                             VariableId(v)) != system_.flat.reinitialisations.states.end();
      if (reset || system_.select[v] == StateSelect::always) continue;
      system_.roles[v] = ScalarRole::algebraic;
      system_.derivative[v] = VariableId();
      system_.roles[rate.index()] = ScalarRole::unused;
    }
  }

  System& system_;
  ir::Dag& dag_;
  Composer composer_;
  Linearity linearity_;
  ir::Interpreter<double> interpreter_;
  EquationRows equations_;
  std::vector<std::optional<double>> known_;         ///< [n_scalars] the same at all times
  std::vector<std::vector<std::uint32_t>> readers_;  ///< [n_scalars] instances
  std::vector<bool> gone_, done_;                    ///< [instances] zero; the one that makes its unknown known
  std::vector<std::uint32_t> parts_;                 ///< [rows] how many are left
  std::vector<std::uint32_t> queue_;
  std::map<std::pair<ExprId, std::vector<bool>>, Deciders> deciders_;
  std::map<std::pair<const Deciders*, std::vector<char>>, ExprId> shortened_;
  std::map<ExprId, ir::Tape> tapes_;
  std::map<ExprId, std::vector<std::uint32_t>> slots_of_;  ///< of roots, ascending
  bool changed_ = false;
};

}  // namespace

Result<Done> drop_vanishing_terms(System& system, Diagnostics&) {
  Vanishing(system).run();
  return Done{};
}

}  // namespace bolza::passes
