// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/check_units.h"

#include <cmath>
#include <numbers>
#include <set>

#include "base/numbers.h"
#include "compiler/ir/node_map.h"
#include "compiler/ir/print.h"
#include "compiler/ir/unit.h"
#include "compiler/ir/unit_spelling.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

using ir::Op;
using ir::Unit;

namespace {

/// What is known of the unit of an expression.
struct Measure {
  Unit unit;
  bool exact = true;            ///< factor and offset hold too: no literal was at work
  std::uint32_t origin = none;  ///< of the equation that it was concluded from; none: declared
  static constexpr std::uint32_t none = 0xFFFFFFFFu;
};
using Known = std::optional<Measure>;

/// A number that hardly converts between units.
bool is_plain(double x) {
  double a = std::abs(x);
  return a == 0.5 || (a == std::floor(a) && a > 0 && a <= 8);
}

bool fits(const Measure& a, const Measure& b) {
  return a.exact && b.exact ? a.unit.same_scale(b.unit) : a.unit.same_dimension(b.unit);
}

class UnitCheck {
 public:
  UnitCheck(System& system, Diagnostics& diagnostics)
      : system_(system),
        dag_(system.dag()),
        diagnostics_(diagnostics),
        known_(system.n()) {}

  bool run() {
    tell_unread();
    if (!read_declared()) return true;
    for (int round = 0; round < 10; ++round) {
      learned_ = false;
      all();
      if (!learned_) break;
    }
    tells_ = true;
    all();
    return !failed_;
  }

 private:
  /// A unit that looks like one that is known; once where many variables have it.
  void tell_unread() {
    std::set<std::string> told;
    for (const ir::Variable& v : system_.flat.variables)
      if (std::string meant = ir::meant_unit(v.unit); !meant.empty() && told.insert(v.unit).second)
        diagnostics_.warning(unit_not_read, v.span, {v.unit, system_.name(v.first)}, {{{}, "write \"" + meant + "\""}});
  }

  /// False when no variable has a unit.
  bool read_declared() {
    bool any = false;
    for (const ir::Variable& v : system_.flat.variables) {
      Known declared;
      if (v.type == ir::ValueType::real && !is_time(v))
        if (auto unit = ir::parse_unit(v.unit)) declared = Measure{*unit};
      bool says_nothing = v.unit == "1";  // libraries divide by constants such as unitTorque = 1, which are folded by now
      if (!declared || says_nothing) continue;
      any = true;
      for (std::uint32_t e = 0; e < v.size; ++e) known_[v.first.index() + e] = declared;
    }
    return any;
  }

  /// `u = time`, `sin(time)` stand in every other test signal: time fits everywhere, like a literal.
  static bool is_time(const ir::Variable& v) {
    return v.kind == ir::VariableKind::time || v.kind == ir::VariableKind::start_time ||
           v.kind == ir::VariableKind::final_time;
  }

  /// The variable whose unit counts, and whether it is that per second.
  VariableId base(VariableId v, bool& per_second) const {
    const ir::Variable& declared = ir::variable_of(system_.flat, v);
    bool other = declared.kind == ir::VariableKind::derivative || declared.kind == ir::VariableKind::timed ||
                 declared.kind == ir::VariableKind::previous;
    if (!other || !declared.of) return v;
    per_second |= declared.kind == ir::VariableKind::derivative;
    return base(VariableId(declared.of.index() + (v.index() - declared.first.index())), per_second);
  }

  Known of_variable(VariableId v) const {
    bool per_second = false;
    Known known = known_[base(v, per_second).index()];
    if (known && per_second) {
      known->unit = known->unit / seconds_;
      known->unit.offset = 0;
    }
    return known;
  }

  void learn(VariableId v, Measure measure) {
    bool per_second = false;
    VariableId at = base(v, per_second);
    const ir::Variable& declared = ir::variable_of(system_.flat, at);
    if (known_[at.index()] || !declared.unit.empty() || declared.type != ir::ValueType::real || is_time(declared)) return;
    if (per_second) measure.unit = measure.unit * seconds_;
    measure.origin = origin_;
    known_[at.index()] = measure;
    learned_ = true;
  }

  // ---------------------------------------------------------------- walking over the model

  void all() {
    ir::FlatModel& flat = system_.flat;
    told_.clear();
    for (ir::Section* section : {&flat.equations, &flat.initial_equations}) single_rows(*section);
    for (ir::Section* section : {&flat.discrete_equations.section, &flat.initial_discrete_equations.section})
      sides(*section);
    if (flat.optimization)
      for (ir::Section* section : {&flat.optimization->path.section, &flat.optimization->point.section}) sides(*section);
    for (const ir::Variable& v : flat.variables) bindings(v);
  }

  /// Rows to which one root of one instance belongs: 0 = root.
  void single_rows(const ir::Section& section) {
    std::vector<std::uint8_t> parts(section.n_rows, 0);
    for (const ir::Group& group : section.groups)
      for (const auto& rows : group.rows)
        for (RowId row : rows) parts[row.index()] = parts[row.index()] ? 2 : 1;
    for (const ir::Group& group : section.groups)
      for (std::size_t r = 0; r < group.roots.size(); ++r) {
        std::vector<ExprId> nodes = ir::reachable(dag_, std::span(&group.roots[r], 1));
        root_ = group.roots[r];
        for (std::size_t i = 0; i < group.n; ++i) {
          if (parts[group.rows[r][i].index()] > 1) continue;
          enter(group, i);
          if (!names_constant(span_)) visit(nodes);
        }
      }
  }

  void sides(const ir::Section& section) {
    root_ = {};
    for (const ir::Group& group : section.groups) {
      if (group.roots.size() % 2 != 0) continue;
      std::vector<ExprId> nodes = ir::reachable(dag_, group.roots);
      for (std::size_t i = 0; i < group.n; ++i) {
        enter(group, i);
        if (names_constant(span_)) continue;
        visit(nodes);
        for (std::size_t r = 0; r < group.roots.size(); r += 2) agree(group.roots[r], group.roots[r + 1]);
      }
    }
  }

  void bindings(const ir::Variable& v) {
    root_ = {};
    for (std::size_t e = 0; e < v.binding.terms.size(); ++e) {
      const ir::Term& term = v.binding.terms[e];
      slots_ = term.slots;
      origin_ = Measure::none;
      span_ = term.span ? term.span : v.span;
      if (names_constant(span_)) continue;
      visit(ir::reachable(dag_, std::span(&term.root, 1)));
      Known own = of_variable(VariableId(v.first.index() + e)), given = of(term.root);
      if (own && given && !fits(*own, *given)) tell("`" + v.name.back().name + "`", *own, text(term.root), *given);
      else if (own && !given) expect(term.root, *own);
      else if (given && !own) learn(VariableId(v.first.index() + e), *given);
    }
  }

  /// Whether a constant with a unit stood in the source: `force = -mass*unitAcceleration` has lost the unit of a factor.
  bool names_constant(Span span) const {
    const auto& constants = system_.flat.unit_constants;
    auto first = constants.lower_bound({span.file.value, span.begin});
    return first != constants.end() && first->first == span.file.value && first->second < span.end;
  }

  void enter(const ir::Group& group, std::size_t i) {
    slots_.clear();
    for (const ir::Column& column : group.slots) slots_.push_back(column[i]);
    origin_ = group.origins[i];
    span_ = system_.flat.origins[origin_].span;
  }

  // ---------------------------------------------------------------- one expression

  void visit(std::span<const ExprId> nodes) {
    measures_ = ir::NodeMap<Known>(nodes.size());
    for (ExprId e : nodes) {
      Known known = measure(e);
      measures_[e] = known;
    }
  }

  Known of(ExprId e) {
    const Known* known = measures_.find(e);
    return known ? *known : Known();
  }

  /// An if-equation: its branches are equations of their own.
  bool is_branching(ExprId e) const {
    for (ExprId at = root_; at && dag_.op(at) == Op::select;) {
      if (at == e) return true;
      std::span<const ExprId> x = dag_.operands(at);
      if (x[1] == e) return dag_.op(e) == Op::select;
      at = x[2];
    }
    return false;
  }

  Known measure(ExprId e) {
    std::span<const ExprId> x = dag_.operands(e);
    switch (dag_.op(e)) {
      case Op::number:
        return {};  // by the operator that takes it
      case Op::slot:
        return of_variable(slots_[dag_.index(e)]);
      case Op::neg:
      case Op::abs:
      case Op::no_event:
        return of(x[0]);
      case Op::add:
      case Op::sub:
      case Op::min:
      case Op::max:
      case Op::mod:
      case Op::rem:
        return agree(x[0], x[1]);
      case Op::select:
        return is_branching(e) ? Known() : agree(x[1], x[2]);
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal:
      case Op::equal:
      case Op::not_equal:
        agree(x[0], x[1]);
        return {};
      case Op::mul:
      case Op::div:
        return product(dag_.op(e), x[0], x[1]);
      case Op::sqrt:
        return raised(x[0], 0.5);
      case Op::pow:
        return dag_.is_number(x[1]) ? raised(x[0], dag_.value(x[1])) : Known();
      case Op::sin:
      case Op::cos:
      case Op::tan:
        check_angle(e, x[0]);
        [[fallthrough]];
      case Op::exp:
      case Op::log:
      case Op::log10:
      case Op::sinh:
      case Op::cosh:
      case Op::tanh:
      case Op::asinh:
      case Op::acosh:
      case Op::atanh:
        return number_function(e, x[0]);
      case Op::asin:
      case Op::acos:
      case Op::atan:
        number_function(e, x[0]);
        return Measure{Unit{}};  // rad
      case Op::atan2:
        agree(x[0], x[1]);
        return Measure{Unit{}};
      case Op::call:
        arguments(e);
        return {};
      case Op::output:
        return of_output(x[0], dag_.index(e));
      default:
        return {};  // whole numbers, truth values
    }
  }

  /// What an argument or output of a function is declared to be; the unit "1" says nothing, like that of a variable.
  Known of_port(const ir::Program::Port& port) const {
    auto unit = port.unit == "1" ? std::nullopt : ir::parse_unit(port.unit);
    return unit ? Known(Measure{*unit}) : Known();
  }

  static std::size_t width(const ir::Program& program, const ir::Program::Port& port) {
    return port.is_array ? program.arrays[port.id].size : 1;
  }

  /// Arguments have the units of the inputs that take them.
  void arguments(ExprId call) {
    const ir::Program& program = system_.flat.expressions.programs[dag_.program(call).index()];
    std::span<const ExprId> given = dag_.operands(call);
    std::size_t next = 0;
    for (const ir::Program::Port& port : program.inputs) {
      Known wanted = of_port(port);
      for (std::size_t k = 0; k < width(program, port) && next < given.size(); ++k, ++next) {
        Known known = of(given[next]);
        if (!wanted || dag_.is_number(given[next])) continue;
        const std::string& name = port.is_array ? program.arrays[port.id].name : program.locals[port.id].name;
        if (!known) expect(given[next], *wanted);
        else if (!fits(*known, *wanted))
          tell(text(given[next]), *known, "the input `" + name + "` of `" + program.name + "`", *wanted);
      }
    }
  }

  Known of_output(ExprId call, std::size_t k) const {
    const ir::Program& program = system_.flat.expressions.programs[dag_.program(call).index()];
    for (const ir::Program::Port& port : program.outputs) {
      if (k < width(program, port)) return of_port(port);
      k -= width(program, port);
    }
    return {};
  }

  /// Both must have one unit; a side that has none yet gets it. A literal has any.
  Known agree(ExprId a, ExprId b) {
    Known left = of(a), right = of(b);
    auto inexact = [](Known known) {
      if (known) known->exact = false;
      return known;
    };
    if (dag_.is_number(a)) return dag_.is_number(a, 0) ? right : inexact(right);
    if (dag_.is_number(b)) return dag_.is_number(b, 0) ? left : inexact(left);
    if (left && right) {
      if (!fits(*left, *right)) {
        tell(text(a), *left, text(b), *right);
        return {};
      }
      left->exact &= right->exact;
      return left;
    }
    if (left) expect(b, *left);
    if (right) expect(a, *right);
    return {};  // the other side may never have one
  }

  Known product(Op op, ExprId a, ExprId b) {
    Known left = factor(a), right = factor(b);
    if (!left || !right) return {};
    Measure result{op == Op::mul ? left->unit * right->unit : left->unit / right->unit, left->exact && right->exact};
    return result;
  }

  Known factor(ExprId e) {
    if (!dag_.is_number(e)) return of(e);
    if (!is_plain(dag_.value(e))) return {};
    return Measure{Unit{}, std::abs(dag_.value(e)) == 1};
  }

  Known raised(ExprId a, double exponent) {
    Known known = of(a);
    if (!known) return {};
    auto unit = ir::unit_power(known->unit, exponent);
    return unit ? Known(Measure{*unit, known->exact}) : Known();
  }

  Known number_function(ExprId e, ExprId argument) {
    Known known = of(argument);
    if (known && !known->unit.is_number())
      tell("the argument of `" + std::string(ir::row_of(dag_.op(e)).name) + "`", *known, "a number", Measure{Unit{}});
    return Measure{Unit{}, false};
  }

  /// `cos(angle)` with an angle in degrees, or in revolutions: a number of another size is meant than is computed. Literals
  /// that leave a measure known are no conversions.
  void check_angle(ExprId e, ExprId argument) {
    Known known = of(argument);
    bool by_time = !known;
    if (!known) known = with_time(argument, most_levels);
    if (!known || !known->unit.is_number() || is_near(known->unit.factor, 1)) return;
    double factor = known->unit.factor;
    bool turns = is_near(factor, degree) || is_near(factor, 2 * std::numbers::pi);
    if ((by_time && !turns) || !tells_ || !told_.insert({span_.file.value, span_.begin}).second) return;
    std::string function(ir::row_of(dag_.op(e)).name), number = shown(factor), unit = number + " rad";
    if (is_near(factor, degree)) {
      unit = "deg";
      number = "Modelica.Constants.pi/180";
    }
    diagnostics_.error(
        angle_not_in_radians, span_, {function, text(argument), unit},
        {{{}, "multiply it by " + number + ": " + function + "((" + plain_text(argument) + ")*" + number + ")"}});
    failed_ = true;
  }
  static bool is_near(double a, double b) { return std::abs(a - b) <= 1e-9 * b; }

  /// The measure of a product or sum with time in seconds, which fits everywhere else.
  Known with_time(ExprId e, int levels) {
    if (levels == 0) return {};
    std::span<const ExprId> x = dag_.operands(e);
    Op op = dag_.op(e);
    if (op == Op::slot && is_time(ir::variable_of(system_.flat, slots_[dag_.index(e)]))) return Measure{seconds_};
    if (op == Op::neg) return with_time(x[0], levels - 1);
    if (op == Op::add || op == Op::sub) {
      Known left = with_time(x[0], levels - 1);
      return left ? left : with_time(x[1], levels - 1);
    }
    if (op != Op::mul && op != Op::div) return of(e);
    Known left = dag_.is_number(x[0]) ? factor(x[0]) : with_time(x[0], levels - 1);
    Known right = dag_.is_number(x[1]) ? factor(x[1]) : with_time(x[1], levels - 1);
    if (!left || !right) return {};
    return Measure{op == Op::mul ? left->unit * right->unit : left->unit / right->unit};
  }
  static constexpr int most_levels = 8;  // of an argument that is looked into
  static constexpr double degree = std::numbers::pi / 180;

  /// A unit that an expression must have: its variables without a unit get theirs, where only one is missing.
  void expect(ExprId e, Measure wanted) {
    for (;;) {
      std::span<const ExprId> x = dag_.operands(e);
      switch (dag_.op(e)) {
        case Op::slot:
          return learn(slots_[dag_.index(e)], wanted);
        case Op::neg:
        case Op::abs:
        case Op::no_event:
          e = x[0];
          continue;
        case Op::mul:
        case Op::div: {
          Known left = factor(x[0]), right = factor(x[1]);
          bool first = !left && right && !dag_.is_number(x[0]), second = left && !right && !dag_.is_number(x[1]);
          if (!first && !second) return;
          const Measure& other = first ? *right : *left;
          if (dag_.op(e) == Op::mul) wanted.unit = wanted.unit / other.unit;
          else wanted.unit = first ? wanted.unit * other.unit : other.unit / wanted.unit;
          wanted.exact &= other.exact;
          e = first ? x[0] : x[1];
          continue;
        }
        default:
          return;
      }
    }
  }

  // ---------------------------------------------------------------- telling

  std::string plain_text(ExprId e) const {
    auto name = [&](Op op, std::uint32_t k) { return op == Op::slot ? system_.name(slots_[k]) : "…"; };
    return ir::to_text(system_.flat.expressions, e, name, {.limit = 40});
  }
  std::string text(ExprId e) const { return "`" + plain_text(e) + "`"; }

  std::string unit_text(const Measure& m) const {
    return m.exact || m.unit.is_number() ? ir::to_text(m.unit) : ir::to_text(Unit{.powers = m.unit.powers});
  }

  void tell(const std::string& a, const Measure& of_a, const std::string& b, const Measure& of_b) {
    if (!tells_ || !told_.insert({span_.file.value, span_.begin}).second) return;
    std::vector<Note> notes;
    for (const Measure* m : {&of_a, &of_b})
      if (m->origin != Measure::none && m->origin != origin_)
        notes.push_back({system_.span_of_origin(m->origin), "a unit follows from here"});
    bool same = of_a.unit.same_dimension(of_b.unit);
    notes.push_back({{},
                     same ? "convert one of them: Modelica.Units.Conversions"
                          : "correct the equation, or the `unit` of one of its variables"});
    std::string left = unit_text(of_a), right = unit_text(of_b);
    if (system_.options.units == Units::strict) {
      diagnostics_.error(units_differ, span_, {a, b, left, right}, std::move(notes));
      failed_ = true;
    } else {
      diagnostics_.warning(units_differ, span_, {a, b, left, right}, std::move(notes));
    }
  }

  System& system_;
  ir::Dag& dag_;
  Diagnostics& diagnostics_;
  std::vector<Known> known_;  // [scalars]
  Unit seconds_ = *ir::parse_unit("s");
  ir::NodeMap<Known> measures_;
  std::vector<VariableId> slots_;
  ExprId root_;  // of the equation in hand, where it is one expression
  std::uint32_t origin_ = 0;
  Span span_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> told_;
  bool learned_ = false, tells_ = false, failed_ = false;
};

}  // namespace

Result<Done> check_units(System& system, Diagnostics& diagnostics) {
  if (system.options.units == Units::ignore) return Done{};
  if (!UnitCheck(system, diagnostics).run()) return diagnostics.already_reported();
  return Done{};
}

}  // namespace bolza::passes
