// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/events/smooth.h"

#include <algorithm>
#include <optional>

#include "compiler/derive/guard.h"
#include "compiler/ir/canonical.h"
#include "compiler/ir/node_map.h"
#include "compiler/ir/norm.h"
#include "compiler/ir/print.h"
#include "compiler/ir/substitute.h"
#include "compiler/passes/events/truth_values.h"
#include "compiler/passes/events/variability.h"
#include "compiler/passes/system/codes.h"
#include "compiler/passes/system/delays_as_written.h"
#include "compiler/passes/system/needed_equations.h"

namespace bolza::passes {

using ir::Op;

namespace {

class Smoothing {
 public:
  explicit Smoothing(System& system) : system_(system), dag_(system.dag()), width_(system.options.smooth) {}

  /// Whether a Boolean is decided by the optimisation.
  static bool has_truths(const System& system) {
    for (std::size_t v = 0; v < system.n(); ++v)
      if (is_truth(system, VariableId(v))) return true;
    return false;
  }

  void in(ir::Section& section) {
    std::vector<ir::Group> groups;
    for (ir::Group& group : section.groups) {
      if (!has_edges(group.roots)) {
        groups.push_back(std::move(group));
        continue;
      }
      for (ir::Group& part : parts_by_variability(system_, group)) {
        std::vector<bool> moves, truths;
        for (const ir::Column& column : part.slots) {
          truths.push_back(is_truth(system_, column[0]));
          moves.push_back(truths.back() || matters(column[0]));
        }
        if (width_ > 0 || std::find(truths.begin(), truths.end(), true) != truths.end())
          part.roots = blended(derive::guard(dag_, part.roots), moves, truths);
        groups.push_back(ir::canonical(dag_, part));
      }
    }
    section.groups = ir::join_equal_shapes(std::move(groups));
  }

 private:
  bool is_edge(ExprId e) const {
    return ir::row_of(dag_.op(e)).smoothness != ir::Smoothness::smooth || ir::is_norm(dag_, e);
  }

  bool has_edges(std::span<const ExprId> roots) const {
    for (ExprId e : ir::reachable(dag_, roots))
      if (is_edge(e)) return true;
    return false;
  }

  bool matters(VariableId v) const {
    return variability_of(system_, v) >= RunVariability::with_time || (v.index() < system_.n() && system_.is_free(v));
  }

  static bool is_truth(const System& system, VariableId v) {
    const ir::Variable& variable = ir::variable_of(system.flat, v);
    if (variable.type != ir::ValueType::boolean) return false;
    return variable.kind == ir::VariableKind::input || (variable.kind == ir::VariableKind::parameter && system.is_free(v));
  }

  /// What a node has become, whether it moves with what varies, and whether it is a truth value between 0 and 1.
  struct Made {
    ExprId e;
    bool moves = false, blend = false;
  };

  std::vector<ExprId> blended(std::span<const ExprId> roots, const std::vector<bool>& moves,
                              const std::vector<bool>& truths) {
    ir::NodeMap<Made> made;
    std::vector<ExprId> x;
    for (ExprId e : ir::reachable(dag_, roots)) {
      x.clear();
      Made own;
      bool blends = false;
      if (dag_.op(e) == Op::slot) {
        own.moves = moves[dag_.index(e)];
        own.blend = truths[dag_.index(e)];
      }
      for (ExprId operand : dag_.operands(e)) {
        const Made& m = *made.find(operand);
        x.push_back(m.e);
        own.moves |= m.moves;
        blends |= m.blend;
      }
      own.e = x.empty() ? e : own.moves ? replaced(e, x, blends, own.blend) : ir::with_operands(dag_, e, x);
      made[e] = own;
    }
    std::vector<ExprId> result;
    for (ExprId root : roots) result.push_back(made.find(root)->e);
    return result;
  }

  ExprId replaced(ExprId e, std::span<const ExprId> x, bool blends, bool& blend) {
    return width_ > 0 && is_edge(e) && !blends ? smoothed(e, x, blend) : switched(e, x, blends, blend);
  }

  /// What truth values between 0 and 1 are operands of.
  ExprId switched(ExprId e, std::span<const ExprId> x, bool blends, bool& blend) {
    if (!blends) return ir::with_operands(dag_, e, x);
    Blended own = blended_operator(dag_, e, x);
    blend = own.is_truth;
    return own.e;
  }

  ExprId smoothed(ExprId e, std::span<const ExprId> x, bool& blend) {
    ExprId half = dag_.number(0.5);
    switch (dag_.op(e)) {
      case Op::less:
      case Op::less_equal:
        blend = true;
        return step(dag_.sub(x[1], x[0]));
      case Op::greater:
      case Op::greater_equal:
        blend = true;
        return step(dag_.sub(x[0], x[1]));
      case Op::abs:
        return rounded(x[0]);
      case Op::sign:
        return dag_.make(Op::tanh, dag_.div(x[0], dag_.number(width_)));
      case Op::sqrt:
      case Op::pow:
        return dag_.make(Op::sqrt, dag_.add(x[0], dag_.number(width_ * width_)));
      case Op::min:
        return dag_.mul(half, dag_.sub(dag_.add(x[0], x[1]), rounded(dag_.sub(x[0], x[1]))));
      case Op::max:
        return dag_.mul(half, dag_.add(dag_.add(x[0], x[1]), rounded(dag_.sub(x[0], x[1]))));
      default:
        return ir::with_operands(dag_, e, x);  // smooth already, or nothing smooth is near (floor)
    }
  }

  /// ½ (1 + tanh(t / 2ε)): from 0 to 1.
  ExprId step(ExprId t) {
    ExprId half = dag_.number(0.5);
    return dag_.add(half, dag_.mul(half, dag_.make(Op::tanh, dag_.div(t, dag_.number(2 * width_)))));
  }
  /// √(t² + ε²): |t| with a round corner.
  ExprId rounded(ExprId t) { return dag_.make(Op::sqrt, dag_.add(dag_.mul(t, t), dag_.number(width_ * width_))); }

  System& system_;
  ir::Dag& dag_;
  double width_;
};

/// What is not smooth in equations and objective: the first of each kind, and how many more there are.
class Edges {
 public:
  Edges(System& system, Diagnostics& diagnostics) : system_(system), dag_(system.dag()), diagnostics_(diagnostics) {}

  void tell() {
    const ir::OptimizationProblem& problem = *system_.flat.optimization;
    look(needed_equations(system_), true);
    for (const ir::Section* section : {&problem.objective, &problem.integrand, &problem.path.section}) look(*section, false);
    if (relations_.count > 0) {
      std::vector<Note> notes{
          {{}, "`--smooth 1e-3` replaces relations by smooth functions of that width and reports the effect"}};
      more(relations_, notes);
      diagnostics_.warning(not_smooth, system_.span_of_origin(relations_.origin), {}, std::move(notes));
    } else if (kinks_.count > 0) {
      std::vector<Note> notes{{{}, "`--smooth 1e-3` rounds the corner and reports the effect"}};
      more(kinks_, notes);
      diagnostics_.warning(has_kink, system_.span_of_origin(kinks_.origin), {kinks_.text}, std::move(notes));
    }
    if (switches_.count > 0) {
      std::vector<Note> notes;
      more(switches_, notes);
      diagnostics_.warning(free_switch, system_.span_of_origin(switches_.origin), {switches_.text}, std::move(notes));
    }
  }

 private:
  struct Found {
    std::size_t count = 0;
    std::uint32_t origin = 0;
    std::string text;
  };
  enum Reads : std::uint8_t { variable = 1, time = 2, decision = 4 };

  std::uint8_t reads(VariableId v) const {
    if (v.index() < system_.n() && system_.role(v) == ScalarRole::timed) return variable;
    if (v.index() < system_.n() && system_.is_free(v)) return decision;
    RunVariability how = variability_of(system_, v);
    return how == RunVariability::always ? variable : how == RunVariability::with_time ? time : 0;
  }

  void look(const ir::Section& section, bool with_relations) {
    for (const ir::Group& group : section.groups)
      for (const ir::Group& part : parts_by_variability(system_, group)) look(part, with_relations);
  }

  void look(const ir::Group& part, bool with_relations) {
    ir::NodeMap<std::uint8_t> known;
    std::optional<ExprId> relation, kink, change;
    std::vector<ExprId> nodes = ir::reachable(dag_, part.roots);
    for (ExprId e : nodes) {
      std::uint8_t own = dag_.op(e) == Op::slot ? reads(part.slots[dag_.index(e)][0]) : 0;
      for (ExprId operand : dag_.operands(e)) own |= *known.find(operand);
      known[e] = own;
      if (dag_.op(e) == Op::select) continue;
      ir::Smoothness smoothness = ir::row_of(dag_.op(e)).smoothness;
      bool jumps = smoothness == ir::Smoothness::discontinuous;
      if (jumps && (own & variable) && with_relations && !relation) relation = e;
      if (jumps && !(own & variable) && (own & time) && (own & decision) && !change) change = e;
      if (smoothness == ir::Smoothness::continuous && (own & variable) && !kink && !is_rounded(nodes, part.roots, e))
        kink = e;
    }
    add(part, relation, relations_);
    add(part, kink, kinks_);
    add(part, change, switches_);
  }

  /// Whether all that reads |x|, max(x, 0) or min(x, 0) multiplies it by what is zero at its kink, too: max(x, 0)^2, |x| x.
  bool is_rounded(std::span<const ExprId> nodes, std::span<const ExprId> roots, ExprId kink) const {
    std::span<const ExprId> x = dag_.operands(kink);
    bool zero_at_kink = dag_.op(kink) == Op::abs || dag_.is_number(x[0], 0) || dag_.is_number(x[1], 0);
    if (!zero_at_kink || std::find(roots.begin(), roots.end(), kink) != roots.end()) return false;
    auto vanishes = [&](ExprId e) { return e == kink || std::find(x.begin(), x.end(), e) != x.end(); };
    return std::all_of(nodes.begin(), nodes.end(), [&](ExprId e) {
      std::span<const ExprId> y = dag_.operands(e);
      if (std::find(y.begin(), y.end(), kink) == y.end()) return true;
      if (dag_.op(e) == Op::pow) return y[0] == kink && dag_.is_number(y[1]) && dag_.value(y[1]) > 1;
      return dag_.op(e) == Op::mul && vanishes(y[0]) && vanishes(y[1]);
    });
  }

  void add(const ir::Group& part, std::optional<ExprId> e, Found& found) const {
    if (!e) return;
    if (found.count == 0) {
      ir::Group alone = part;
      alone.roots = {*e};
      found.origin = part.origins[0];
      found.text = with_delays_written(system_.flat, ir::to_text(system_.flat, alone, 0, 0));
    }
    found.count += part.n;
  }

  static void more(const Found& found, std::vector<Note>& notes) {
    if (found.count > 1) notes.push_back({{}, "and " + std::to_string(found.count - 1) + " more such equations"});
  }

  System& system_;
  const ir::Dag& dag_;
  Diagnostics& diagnostics_;
  Found relations_, kinks_, switches_;
};

}  // namespace

Result<Done> smooth(System& system, Diagnostics& diagnostics) {
  bool optimised = system.flat.optimization && !system.keeps_events();
  if (!(system.options.smooth > 0)) {
    if (optimised) Edges(system, diagnostics).tell();
    if (!optimised || !Smoothing::has_truths(system)) return Done{};
  }
  Smoothing smoothing(system);
  for (ir::Section* section : sections_of(system.flat)) smoothing.in(*section);
  return Done{};
}

}  // namespace bolza::passes
