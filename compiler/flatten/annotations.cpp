// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/annotations_internal.h"

#include <algorithm>
#include <array>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::flatten {
namespace {

/// Annotations that Modelica defines for classes: not companions of `solver`.
constexpr std::array standard{"Documentation",
                              "Icon",
                              "Diagram",
                              "experiment",
                              "version",
                              "versionBuild",
                              "versionDate",
                              "uses",
                              "conversion",
                              "preferredView",
                              "Evaluate",
                              "Inline",
                              "LateInline",
                              "choices",
                              "choicesAllMatching",
                              "Dialog",
                              "Placement",
                              "defaultComponentName",
                              "defaultComponentPrefixes",
                              "defaultConnectionStructurallyInconsistent",
                              "obsolete",
                              "Protection",
                              "Authorization",
                              "dateModified",
                              "revisionId",
                              "missingInnerMessage",
                              "unassignedMessage",
                              "Line",
                              "DocumentationClass",
                              "singleInstance",
                              "absoluteValue",
                              "smoothOrder",
                              "derivative",
                              "inverse",
                              "TestCase",
                              "HideResult",
                              "mustBeConnected",
                              "mayOnlyConnectOnce",
                              "Include",
                              "Library",
                              "IncludeDirectory",
                              "LibraryDirectory",
                              "GenerateEvents",
                              "InlineAfterIndexReduction",
                              "Text",
                              "Window",
                              "Commands",
                              "solver"};

class OptionReader {
 public:
  OptionReader(Model& model, std::vector<ir::AnnotationOption>& out) : model_(model), out_(out) {}

  void arguments(const ast::Modification& modification, const std::string& prefix) {
    for (const ast::Argument* argument : modification.arguments) {
      if (argument->kind != ast::ArgumentKind::modification || argument->name == nullptr) continue;
      one(*argument, prefix + syntax::print(*argument->name));
    }
  }

  void one(const ast::Argument& argument, const std::string& name) {
    if (!argument.modification) return;
    if (argument.modification->value) value(*argument.modification->value, name);
    arguments(*argument.modification, name + ".");
  }

 private:
  void value(const ast::Expr& expr, const std::string& name) {
    switch (expr.kind) {
      case ast::ExprKind::integer_literal:
        return add(name, static_cast<double>(expr.integer), expr.span);
      case ast::ExprKind::real_literal:
        return add(name, expr.number, expr.span);
      case ast::ExprKind::boolean_literal:
        if (&out_ == &model_.flat.experiment) return add(name, std::string(expr.boolean ? "true" : "false"), expr.span);
        return add(name, expr.boolean ? 1.0 : 0.0, expr.span);
      case ast::ExprKind::string_literal:
        return add(name, std::string(expr.text), expr.span);
      case ast::ExprKind::name:
        return add(name, syntax::print(*expr.reference), expr.span);
      case ast::ExprKind::array:
        for (std::size_t k = 0; k < expr.operands.size(); ++k) value(*expr.operands[k], name + "." + std::to_string(k + 1));
        return;
      case ast::ExprKind::call: {  // stage(method = "…", …)
        for (const ast::NamedArgument& argument : expr.arguments->named)
          value(*argument.value, name + "." + std::string(argument.name));
        if (!expr.arguments->positional.empty()) model_.diagnostics.error(solver_option, expr.span, {name});
        return;
      }
      default:
        break;
    }
    Diagnostics quiet;
    auto number = instance::evaluate(model_.tree, expr, instance::scope_of(model_.tree.root()), quiet);
    if (number && number->scalar() && number->numbers.size() == 1) return add(name, number->number(), expr.span);
    if (number && number->scalar() && number->strings.size() == 1) return add(name, number->text(), expr.span);
    model_.diagnostics.error(solver_option, expr.span, {name});
  }

  template <class T>
  void add(const std::string& name, T value, Span span) {
    out_.push_back({name, std::variant<double, std::string>(std::move(value)), span});
  }

  Model& model_;
  std::vector<ir::AnnotationOption>& out_;
};

void solver_options(Model& model, const ast::Modification& annotation) {
  OptionReader reader(model, model.flat.solver);
  for (const ast::Argument* argument : annotation.arguments) {
    if (argument->kind != ast::ArgumentKind::modification || !argument->name) continue;
    std::string name = syntax::print(*argument->name);
    bool vendor = name.starts_with("__") && !name.starts_with("__OpenModelica") && !name.starts_with("__Bolza");
    bool known = std::find(standard.begin(), standard.end(), name) != standard.end();
    if (name == "solver" || (!known && !vendor)) reader.one(*argument, name);
  }
}

/// Its times and tolerance are numbers.
void check_experiment(Model& model) {
  constexpr std::array<std::string_view, 4> numbers{"StartTime", "StopTime", "Interval", "Tolerance"};
  for (const ir::AnnotationOption& option : model.flat.experiment) {
    std::string name = option.name.substr(0, option.name.find('.'));  // StopTime.1, of an array
    if (std::find(numbers.begin(), numbers.end(), name) == numbers.end()) continue;
    const std::string* text = std::get_if<std::string>(&option.value);
    bool is_truth = text && (*text == "true" || *text == "false");
    std::string found = name != option.name ? "an array" : is_truth ? "a Boolean" : text ? "the text \"" + *text + "\"" : "";
    if (!found.empty()) model.diagnostics.error(experiment_text, option.span, {name, found});
  }
}

/// A time of the run, startTime or finalTime: it has the last word.
void set_time(Model& model, ir::Variable& variable, std::string_view name, double value) {
  if (!model.flat.phases.empty()) {
    model.diagnostics.error(horizon_of_phases, model.flat.span, {name, model.flat.name});
    return;
  }
  if (variable.free) model.diagnostics.warning(free_parameter_set, model.flat.span, {name});
  variable.free = false;
  variable.binding.terms = {ir::Term{model.dag().number(value), {}, {}, model.flat.span}};
  variable.fixed = {true};
}

/// What the run says, else startTime and finalTime of the class, else StartTime and StopTime of its experiment, else 0
/// and 1.
void settle_horizon(Model& model, const GivenHorizon& horizon) {
  for (std::uint32_t id : {1u, 2u}) {
    ir::Variable& variable = model.flat.variables[id];
    std::optional<double> given = id == 1 ? horizon.start : horizon.stop;
    if (given) set_time(model, variable, id == 1 ? "startTime" : "finalTime", *given);
    if (variable.binding.present() || variable.free) continue;
    double value = id == 1 ? 0 : 1;
    Span span;
    for (const ir::AnnotationOption& option : model.flat.experiment)
      if (option.name == (id == 1 ? "StartTime" : "StopTime") && std::holds_alternative<double>(option.value)) {
        value = std::get<double>(option.value);
        span = option.span;
      }
    variable.binding.terms = {ir::Term{model.dag().number(value), {}, {}, span}};
    if (variable.fixed.empty()) variable.fixed = {true};
  }
}

}  // namespace

void translate_annotations(Model& model, const GivenHorizon& horizon) {
  bool has_solver = false, has_experiment = false;
  for (const instance::ClassAnnotation& of_class : model.tree.root().annotations) {  // derived classes first
    if (!of_class.annotation) continue;
    const ast::Argument* experiment = instance::find_argument(of_class.annotation, "experiment");
    if (experiment && experiment->modification && !has_experiment) {
      OptionReader(model, model.flat.experiment).arguments(*experiment->modification, "");
      has_experiment = true;
      check_experiment(model);
    }
    if (has_solver || !instance::find_argument(of_class.annotation, "solver")) continue;
    solver_options(model, *of_class.annotation);
    has_solver = true;
  }
  settle_horizon(model, horizon);
}

}  // namespace bolza::flatten
