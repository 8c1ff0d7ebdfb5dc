// SPDX-License-Identifier: Apache-2.0
#include <sbml/SBMLTypes.h>

#include <memory>

#include "compiler/sbml/additions_internal.h"
#include "compiler/sbml/codes.h"
#include "compiler/sbml/formula_internal.h"

namespace bolza::sbml {
namespace {

Result<Done> add_rule(const AddedFormula& added, Model& model, Diagnostics& diagnostics) {
  Parameter* parameter = model.getParameter(added.id);
  if (!parameter && !model.getElementBySId(added.id)) return diagnostics.error(unknown_symbol, added.at, {added.id});
  if (!parameter)
    return diagnostics.error(not_supported, added.at,
                             {"`" + added.id + "`", "a formula determines parameters of a model alone"});
  if (model.getRuleByVariable(added.id))
    return diagnostics.error(not_supported, added.at, {"`" + added.id + "`", "a rule of the model determines it already"});
  Result<std::unique_ptr<ASTNode>> formula = parsed_formula(added.formula, added.at, diagnostics);
  if (!formula) return diagnostics.already_reported();
  std::unique_ptr<InitialAssignment>(model.removeInitialAssignment(added.id));
  parameter->setConstant(/*flag=*/false);
  AssignmentRule& rule = *model.createAssignmentRule();
  rule.setVariable(added.id);
  rule.setMath(formula->get());
  return Done{};
}

Result<Done> add_start(const AddedFormula& added, Model& model, Diagnostics& diagnostics) {
  if (!model.getSpecies(added.id) && !model.getCompartment(added.id) && !model.getParameter(added.id))
    return diagnostics.error(unknown_symbol, added.at, {added.id});
  Result<std::unique_ptr<ASTNode>> formula = parsed_formula(added.formula, added.at, diagnostics);
  if (!formula) return diagnostics.already_reported();
  std::unique_ptr<InitialAssignment>(model.removeInitialAssignment(added.id));
  InitialAssignment& start = *model.createInitialAssignment();
  start.setSymbol(added.id);
  start.setMath(formula->get());
  return Done{};
}

}  // namespace

Result<Done> add(const Additions& additions, Model& model, Diagnostics& diagnostics) {
  for (const Additions::Parameter& added : additions.parameters) {
    if (model.getElementBySId(added.id))
      return diagnostics.error(not_supported, {}, {"`" + added.id + "`", "the model has an element of that name already"});
    Parameter& parameter = *model.createParameter();
    parameter.setId(added.id);
    parameter.setConstant(/*flag=*/true);
    if (added.value) parameter.setValue(*added.value);
  }
  for (const AddedFormula& one : additions.rules)
    if (!add_rule(one, model, diagnostics)) return diagnostics.already_reported();
  for (const AddedFormula& one : additions.starts)
    if (!add_start(one, model, diagnostics)) return diagnostics.already_reported();
  return Done{};
}

}  // namespace bolza::sbml
