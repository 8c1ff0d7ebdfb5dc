// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/parameters/evaluate_parameters.h"

#include <algorithm>
#include <cmath>

#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/system/add_rows.h"
#include "compiler/passes/system/codes.h"
#include "compiler/passes/system/parameter_values.h"

namespace bolza::passes {

using ir::Attribute;
using ir::Term;
using ir::Variable;
using ir::VariableKind;

bool is_outside(const ir::Numbers& bounds, double value) {
  constexpr double share = 1e-6;
  auto slack = [&](double bound) { return share * std::max(std::abs(bound), bounds.has_nominal ? bounds.nominal : 1.0); };
  return value < bounds.min - slack(bounds.min) || value > bounds.max + slack(bounds.max);
}

namespace {

class ParameterEvaluation {
 public:
  ParameterEvaluation(System& system, Diagnostics& diagnostics)
      : system_(system),
        diagnostics_(diagnostics),
        values_(system),
        composer_(system.dag()) {}

  Result<Done> run() {
    std::size_t before = diagnostics_.errors();
    for (std::size_t v = 0; v < system_.n(); ++v)
      if (is_parameter(system_, VariableId(v)) && is_declared_free(system_.flat, VariableId(v)) && !given(VariableId(v)))
        set_free(VariableId(v));
    Result<std::vector<VariableId>> order = parameter_order(system_, diagnostics_);
    if (!order) return diagnostics_.already_reported();
    for (VariableId v : *order) evaluate(v);
    if (diagnostics_.errors() > before) return diagnostics_.already_reported();
    start_clock();
    for (const Variable& variable : system_.flat.variables)
      for (std::uint32_t i = 0; i < variable.size; ++i) set_attributes(variable, i);
    tie_end_times();
    if (diagnostics_.errors() > before) return diagnostics_.already_reported();
    return Done{};
  }

 private:
  ir::Numbers& numbers(VariableId v) { return system_.numbers[v.index()]; }

  const double* given(VariableId v) const {
    if (system_.options.values.empty()) return nullptr;
    auto at = system_.options.values.find(system_.name(v));
    return at == system_.options.values.end() ? nullptr : &at->second;
  }

  void set_free(VariableId v) {
    numbers(v).fixed = false;
    if (system_.role(v) == ScalarRole::fixed_parameter) system_.roles[v.index()] = ScalarRole::free_parameter;
  }

  // ------------------------------------------------------------ values

  void evaluate(VariableId v) {
    if (const double* value = given(v)) return set_value(v, *value);
    if (is_declared_free(system_.flat, v)) return evaluate_guess(v);
    const Term* binding = binding_of(system_.flat, v);
    if (!binding) return evaluate_start(v);
    double value = values_.of(*binding);
    if (!std::isfinite(value) && !is_fixed(system_, binding->slots)) value = 0;  // it is that of a guess
    if (!std::isfinite(value)) return report_not_finite("the value", v, value, binding->span);
    if (is_too_large_integer(v, value)) return report_integer("`" + system_.name(v) + "`", value, v, binding->span);
    numbers(v).start = value;
    numbers(v).fixed = true;
    if (is_fixed(system_, binding->slots)) return;
    numbers(v).fixed = false;
    if (system_.role(v) != ScalarRole::fixed_parameter) {
      tied_.push_back(v);
      return;
    }
    if (is_phase_end(v) && system_.dag().op(binding->root) != ir::Op::slot) {
      system_.roles[v.index()] = ScalarRole::free_parameter;
      tied_.push_back(v);
      return;
    }
    system_.roles[v.index()] = ScalarRole::dependent;
    system_.definitions[v.index()] = composer_.compose({{binding->root}, binding->slots, binding->data},
                                                       [&](VariableId u) { return system_.definition(u); });
  }

  void set_value(VariableId v, double value) {
    numbers(v).start = value;
    numbers(v).fixed = true;
  }

  /// The guess of a decision: initialGuess, else start, else its binding, else the value nearest to zero.
  void evaluate_guess(VariableId v) {
    const Term* term = attribute_of(system_.flat, v, Attribute::initial_guess);
    if (!term) term = attribute_of(system_.flat, v, Attribute::start);
    if (!term) term = binding_of(system_.flat, v);
    double value = term ? values_.of(*term) : 0;
    if (!std::isfinite(value)) return report_not_finite("the guess", v, value, term->span);
    numbers(v).start = numbers(v).guess = value;
    numbers(v).has_guess = term != nullptr;
  }

  void evaluate_start(VariableId v) {
    const Term* start = attribute_of(system_.flat, v, Attribute::start);
    double plain = ir::variable_of(system_.flat, v).type == ir::ValueType::enumeration ? 1 : 0;  // its first literal
    double value = start ? values_.of(*start) : plain;
    if (!std::isfinite(value)) return report_not_finite("the start value", v, value, start->span);
    set_value(v, value);
    if (system_.role(v) != ScalarRole::fixed_parameter || !is_first_of_array(v)) return;
    if (start) diagnostics_.warning(default_parameter, system_.span_of(v), {system_.name(v), number_text(value)});
    else diagnostics_.warning(missing_parameter, system_.span_of(v), {system_.name(v)});
  }

  bool is_phase_end(VariableId v) const {
    return std::any_of(system_.flat.phases.begin(), system_.flat.phases.end(),
                       [&](const ir::Phase& phase) { return phase.start_time == v || phase.final_time == v; });
  }

  bool is_first_of_array(VariableId v) const { return ir::variable_of(system_.flat, v).first == v; }

  bool is_too_large_integer(VariableId v, double value) const {
    return ir::variable_of(system_.flat, v).type == ir::ValueType::integer && std::fabs(value) > ir::largest_integer;
  }

  void report_integer(const std::string& what, double value, VariableId v, Span span) {
    diagnostics_.error(integer_overflow, span ? span : system_.span_of(v), {what, number_text(value)});
  }

  void report_not_finite(const char* what, VariableId v, double value, Span span) {
    if (const ir::RunReport& ended = values_.failure(); ended.status == ir::RunStatus::integer_overflow) {
      std::string in = "`" + ended.text + "` in the function `" + ended.program + "`";
      diagnostics_.error(integer_overflow, ended.span ? ended.span : span, {in, "too large"}, {{span, "called here"}});
      return;
    }
    std::vector<Note> notes;
    if (const ir::RunReport& ended = values_.failure(); ended.status == ir::RunStatus::operation_limit)
      notes.push_back({ended.span, "a loop does not end in the function `" + ended.program + "`"});
    std::string text = std::isnan(value) ? "not a number" : number_text(value);
    if (notes.empty() && std::isnan(value))
      notes.push_back({{}, "a negative number has no real root, logarithm or power that is not whole; 0/0 is nothing"});
    diagnostics_.error(not_finite, span ? span : system_.span_of(v), {what, system_.name(v), text}, std::move(notes));
  }

  // ------------------------------------------------------------ attributes

  /// The number of a guess that varies with time is that at the start.
  void start_clock() { numbers(VariableId(std::size_t{0})).start = numbers(VariableId(std::size_t{1})).start; }

  void set_attributes(const Variable& variable, std::uint32_t i) {
    VariableId v(variable.first.index() + i);
    ir::Numbers& own = numbers(v);
    own.min = -infinite;
    own.max = infinite;
    set_number(v, Attribute::min, own.min);
    set_number(v, Attribute::max, own.max);
    if (set_number(v, Attribute::nominal, own.nominal)) own.has_nominal = true;
    own.nominal = std::fabs(own.nominal);
    if (own.nominal == 0) {
      diagnostics_.error(nominal_zero, system_.span_of(v), {system_.name(v)});
      own.nominal = 1;
    }
    if (!variable.selectable.empty()) own.selectable = variable.selectable[variable.selectable.size() == 1 ? 0 : i];
    if (!is_parameter(system_, v)) set_time_varying(variable, i, v, own);
    if (variable.type == ir::ValueType::boolean) {
      own.min = std::max(own.min, 0.0);
      own.max = std::min(own.max, 1.0);
    }
    if (variable.type == ir::ValueType::enumeration && !variable.enumeration.empty()) {  // the positions of its literals
      own.min = std::max(own.min, 1.0);
      own.max = std::min(own.max, static_cast<double>(variable.enumeration.size()));
    }
    check_bounds(v, own);
    check_nominal(v, own);
  }

  void set_time_varying(const Variable& variable, std::uint32_t i, VariableId v, ir::Numbers& own) {
    own.has_start = set_number(v, Attribute::start, own.start);
    own.has_guess = set_number(v, Attribute::initial_guess, own.guess);
    if (!variable.fixed.empty()) own.fixed = variable.fixed[variable.fixed.size() == 1 ? 0 : i];
    double plain = ir::variable_of(system_.flat, v).type == ir::ValueType::enumeration ? 1 : 0;  // its first literal
    if (!own.has_start) own.start = std::min(std::max(plain, own.min), own.max);
    if (!own.has_guess) own.guess = own.start;
  }

  /// Bounds and fixed starts that depend on free parameters become equations and constraints.
  bool set_number(VariableId v, Attribute attribute, double& number) {
    const Term* term = attribute_of(system_.flat, v, attribute);
    if (!term) return false;
    auto& [last_term, last_value] = last_[static_cast<std::size_t>(attribute)];
    if (last_term == term) {  // one number for all elements
      number = last_value;
      return true;
    }
    double value = values_.of(*term);
    if (std::isnan(value)) {
      report_not_finite(name_of(attribute), v, value, term->span);
      return false;
    }
    if (!is_fixed(system_, term->slots)) {
      Applied expression =
          composer_.compose({{term->root}, term->slots, term->data}, [&](VariableId u) { return system_.definition(u); });
      if (attribute == Attribute::min || attribute == Attribute::max) {
        bound_by_expression(v, expression, attribute, term->span);
        return false;
      }
      if (attribute == Attribute::initial_guess && reads_time(*term))
        system_.timed_guesses.emplace_back(v, expression, add_origin(system_, term->span ? term->span : system_.span_of(v)));
      if (attribute == Attribute::start && is_fixed_unknown(v)) {
        add_row(system_, system_.flat.initial_equations,
                difference(system_.dag(), variable_alone(system_.dag(), v), expression),
                add_origin(system_, term->span ? term->span : system_.span_of(v)));
        Variable& variable = ir::variable_of(system_.flat, v);
        if (variable.fixed.size() == 1) variable.fixed.assign(variable.size, true);
        variable.fixed[v.index() - variable.first.index()] = false;
      }
    } else {
      last_term = term;
      last_value = value;
    }
    number = value;
    return true;
  }

  bool reads_time(const Term& term) const {
    return std::any_of(term.slots.begin(), term.slots.end(),
                       [&](VariableId v) { return system_.role(v) == ScalarRole::time; });
  }

  bool is_fixed_unknown(VariableId v) const {
    const Variable& variable = ir::variable_of(system_.flat, v);
    if (variable.kind != VariableKind::unknown || variable.fixed.empty()) return false;
    return variable.fixed[variable.fixed.size() == 1 ? 0 : v.index() - variable.first.index()];
  }

  void bound_by_expression(VariableId v, const Applied& expression, Attribute attribute, Span span) {
    if (!system_.flat.optimization) return;
    ir::OptimizationProblem& problem = *system_.flat.optimization;
    ir::ConstraintSection& section = system_.varies(v) ? problem.path : problem.point;
    add_constraint(system_, section, variable_alone(system_.dag(), v), expression,
                   attribute == Attribute::min ? ir::Relation::greater_equal : ir::Relation::less_equal,
                   add_origin(system_, span ? span : system_.span_of(v)));
  }

  static const char* name_of(Attribute attribute) {
    switch (attribute) {
      case Attribute::start:
        return "the start value";
      case Attribute::min:
        return "min";
      case Attribute::max:
        return "max";
      case Attribute::nominal:
        return "the nominal value";
      case Attribute::initial_guess:
        return "the guess";
    }
    return "";
  }

  const Term* first_attribute(VariableId v, std::initializer_list<Attribute> attributes) const {
    for (Attribute attribute : attributes)
      if (const Term* term = attribute_of(system_.flat, v, attribute)) return term;
    return nullptr;
  }

  /// A nominal value that is not a size of the numbers next to it. One message for an array.
  void check_nominal(VariableId v, const ir::Numbers& own) {
    constexpr double far = 1e10;
    VariableId array = ir::variable_of(system_.flat, v).first;
    if (!own.has_nominal || array == reported_) return;
    double start = own.has_start ? std::fabs(own.start) : 0, bound = 0;
    for (double b : {own.min, own.max})
      if (std::isfinite(b)) bound = std::max(bound, std::fabs(b));
    double largest = std::max(start, bound);
    bool too_large = largest > 0 && own.nominal > far * largest, too_small = start > far * own.nominal;
    if (!too_large && !too_small) return;
    const Term* term = attribute_of(system_.flat, v, Attribute::nominal);
    diagnostics_.warning(
        odd_nominal, term && term->span ? term->span : system_.span_of(v),
        {number_text(own.nominal), system_.name(v), start >= bound ? "start value" : "bounds, up to", number_text(largest)});
    reported_ = array;
  }

  /// Whether bounds hold where fixed variables start.
  bool holds_starts() const {
    return system_.flat.optimization && !system_.flat.optimization->is_static && !system_.keeps_events();
  }
  void refuse_start(VariableId v, const ir::Numbers& own) {
    const Term* term = attribute_of(system_.flat, v, Attribute::start);
    diagnostics_.error(start_infeasible, term && term->span ? term->span : system_.span_of(v),
                       {system_.name(v), number_text(own.start), number_text(own.min), number_text(own.max)});
    reported_ = ir::variable_of(system_.flat, v).first;
  }

  /// One message for an array.
  void check_bounds(VariableId v, const ir::Numbers& own) {
    VariableId array = ir::variable_of(system_.flat, v).first;
    if (array == reported_) return;
    std::string low = number_text(own.min), high = number_text(own.max);
    if (own.min > own.max) {
      diagnostics_.error(bounds_crossed, system_.span_of(v), {system_.name(v), low, high});
      reported_ = array;
      return;
    }
    auto outside = [&](double value) { return value < own.min || value > own.max; };
    auto warn = [&](const char* what, double value, const Term* term) {
      Span span = term && term->span ? term->span : system_.span_of(v);
      diagnostics_.warning(guess_outside, span, {what, number_text(value), system_.name(v), low, high});
      reported_ = array;
    };
    bool parameter = is_parameter(system_, v);
    if (own.has_guess && outside(own.guess))
      warn("guess", own.guess, first_attribute(v, {Attribute::initial_guess, Attribute::start}));
    else if (parameter && own.fixed && outside(own.start)) warn("value", own.start, binding_of(system_.flat, v));
    else if (!parameter && own.fixed && holds_starts() && is_outside(own, own.start)) refuse_start(v, own);
    else if (!parameter && own.has_start && outside(own.start))
      warn("start value", own.start, first_attribute(v, {Attribute::start}));
  }

  /// startTime or finalTime given by a formula of free parameters: decisions of their own, tied by a constraint.
  void tie_end_times() {
    if (!system_.flat.optimization) return;
    for (VariableId v : tied_) {
      const Term* binding = binding_of(system_.flat, v);
      numbers(v).guess = numbers(v).start;
      numbers(v).has_guess = true;
      Applied expression = composer_.compose({{binding->root}, binding->slots, binding->data},
                                             [&](VariableId u) { return system_.definition(u); });
      add_constraint(system_, system_.flat.optimization->point, variable_alone(system_.dag(), v), expression,
                     ir::Relation::equal, add_origin(system_, binding->span));
    }
  }

  System& system_;
  Diagnostics& diagnostics_;
  ParameterValues values_;
  Composer composer_;
  std::vector<VariableId> tied_;
  std::array<std::pair<const Term*, double>, ir::attribute_count> last_{};  ///< the last fixed value of each attribute
  VariableId reported_;  ///< first element of the array whose bounds were last complained about
};

}  // namespace

Result<Done> evaluate_parameters(System& system, Diagnostics& diagnostics) {
  return ParameterEvaluation(system, diagnostics).run();
}

Result<std::vector<double>> shared_values(const ir::Problem& problem,
                                          const std::map<std::string, double, std::less<>>& values,
                                          Diagnostics& diagnostics) {
  System system(problem.flat, {.values = values});
  Result<Done> done = evaluate_parameters(system, diagnostics);
  if (!done) return diagnostics.already_reported();
  std::vector<double> result = problem.shared_values;
  for (std::size_t k = 0; k < result.size(); ++k)
    if (is_parameter(problem.flat, problem.shared[k])) result[k] = system.numbers[problem.shared[k].index()].start;
  return result;
}

}  // namespace bolza::passes
